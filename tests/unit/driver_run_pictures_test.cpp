// Pictures with colours and alpha as inputs and outputs of `stencilc run`.
#include <gtest/gtest.h>

#include "data/files/npy.h"
#include "data/images/pixels.h"
#include "driver/inputs/field_files.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using data::Pixels;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Finished;
using test::Workplace;

// 3 x 2 pixels with samples that are all different.
Pixels numbered_picture(int channels, int depth) {
  Pixels pixels{3, 2, channels, depth, {}};
  const int step = depth == 8 ? 9 : 2500;
  for (int i = 0; i < 6 * channels; ++i)
    pixels.samples.push_back(static_cast<uint16_t>(3 + i * step));
  return pixels;
}
void write_picture(const Workplace& here, const std::string& name, const Pixels& pixels) {
  here.write(name, *data::encode_png(pixels));
}
Pixels load_picture(const Workplace& here, const std::string& name) {
  auto pixels = data::decode_png(here.read(name));
  EXPECT_TRUE(pixels.ok()) << name;
  return pixels.ok() ? *pixels : Pixels{};
}

// One cell to the right on a torus: it moves pixels, whatever their values.
constexpr const char* kShiftPixels =
    "stencil shift { axes x, y; field f32 u boundary periodic; u[t+1] = u[x-1]; "
    "reduce sum_of_u = sum(u); }";
Pixels shifted(const Pixels& pixels, bool keep_alpha) {
  Pixels moved = pixels;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x)
      for (int c = 0; c < pixels.channels; ++c) {
        if (keep_alpha && pixels.has_alpha() && c == pixels.channels - 1) continue;
        moved.samples[static_cast<size_t>((y * 3 + (x + 1) % 3) * pixels.channels + c)] =
            pixels.samples[static_cast<size_t>((y * 3 + x) * pixels.channels + c)];
      }
  return moved;
}

TEST(RunPictures, OneFieldRunsOnEachChannelAndKeepsAlpha) {
  const Workplace here("shift.stn", kShiftPixels);
  for (int channels = 1; channels <= 4; ++channels)
    for (const int depth : {8, 16}) {
      const Pixels given = numbered_picture(channels, depth);
      write_picture(here, "in.png", given);
      const Finished run =
          ended(here.stencilc("run shift.stn --target=cpu --in u=in.png --out u=out.png"));
      const Pixels out = load_picture(here, "out.png");
      EXPECT_EQ(out.channels, channels);
      EXPECT_EQ(out.depth, depth);
      EXPECT_EQ(out.samples, shifted(given, true).samples) << channels << ' ' << depth;
      EXPECT_EQ(run.err, "");
      for (const std::string line : {"\nred: 1 step, ", "\ngreen: 1 step, ", "\nblue: 1 step, "})
        EXPECT_EQ(testing::has(run.out, line), channels >= 3) << run.out;
      expect_lacks(run.out, {"note:"});
    }
  // An array has the channels in front: numpy.load(...).shape is (3, 2, 3).
  ended(here.stencilc("run shift.stn --target=cpu --in u=in.png --steps 0 --out u=u.npy"));
  const auto array = data::parse_npy(here.read("u.npy"));
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(array->extents, (data::Extents{3, 2, 3}));
  const Pixels given = numbered_picture(4, 16);
  for (size_t i = 0; i < 18; ++i)
    EXPECT_EQ(array->as<float>()[i],
              static_cast<float>(given.samples[i % 6 * 4 + i / 6] / 65535.0));
}

// The field that an `out` field is computed from is the only one that is filled.
TEST(RunPictures, ColoursComeOutOfAnotherField) {
  const Workplace here(
      "flip.stn",
      "stencil flip { axes x, y; field u8 img in; field u8 dst out; dst = sat_u8(255 - img); }");
  Pixels given = numbered_picture(4, 8);
  write_picture(here, "in.png", given);
  ended(here.stencilc("run flip.stn --target=cpu --in img=in.png --out dst=out.png"));
  for (size_t i = 0; i < given.samples.size(); ++i)
    if (i % 4 != 3) given.samples[i] = static_cast<uint16_t>(255 - given.samples[i]);
  EXPECT_EQ(load_picture(here, "out.png").samples, given.samples);
}

TEST(RunPictures, SeveralFieldsTakeTheChannels) {
  const Workplace here(
      "swap.stn",
      "stencil swap { axes x, y; field f32 r, g boundary clamp; field u16 b boundary clamp; "
      "field f32 a boundary clamp; r[t+1] = g; g[t+1] = r; b[t+1] = b; a[t+1] = a; }");
  const auto run = [&](const std::string& words) {
    return here.stencilc("run swap.stn --target=cpu " + words);
  };
  const Pixels given = numbered_picture(4, 16);
  write_picture(here, "in.png", given);
  Pixels swapped = given;
  for (size_t i = 0; i < 24; i += 4) std::swap(swapped.samples[i], swapped.samples[i + 1]);
  ended(
      run("--in r,g,b,a=in.png --out r,g,b,a=four.png --out r,g,b=three.png --out a=a.png "
          "--out r,a=two.png"));
  EXPECT_EQ(load_picture(here, "four.png").samples, swapped.samples);
  EXPECT_EQ(load_picture(here, "three.png").channels, 3);  // a field has the alpha of the file
  EXPECT_EQ(load_picture(here, "two.png").samples[1], given.samples[3]);
  EXPECT_EQ(load_picture(here, "a.png").samples[0], given.samples[3]);
  ended(run("--in r,g,b=in.png --in a=zero --out r,g,b=four.png"));
  EXPECT_EQ(load_picture(here, "four.png").samples, swapped.samples);  // which keeps it
  write_picture(here, "gray.png", numbered_picture(2, 16));
  ended(run("--in r,a=gray.png --in g,b=zero --steps 0 --out r,a=two.png"));
  EXPECT_EQ(load_picture(here, "two.png").samples, numbered_picture(2, 16).samples);
  expect_refused(here, "run swap.stn --target=cpu ", R"(
    --in r,g=in.png
      => 1 => ...`in.png`: a colour picture fills 1 field with its brightness, 3 fields with red, green and blue, or 4 fields with these and alpha, but not 2 [STN0703]
    --in r,q,b=in.png => 1 => ...the stencil `swap` has no field `q` [STN0703] => help: there are `r`, `g`, `b` and `a`
    --in r,g,r=in.png => 1 => ...`--in r,g,r=in.png` names `r` twice [STN0703]
    --out r,g,r=x.png => 1 => ...`--out r,g,r=x.png` names `r` twice [STN0703]
    --out r,g=x.npy   => 1 => ...`--out r,g=x.npy`: a .npy file holds one array, not 2; write them as .npz [STN0703]
  )");
  expect_has(ended(run("--in r=in.png --in g,b,a=zero")).out,
             {"`in.png` is a colour image; `r` is filled with its brightness (Rec. 709); "
              "`--in r,g,b=...` fills three fields with its colours\n"});
}

TEST(RunPictures, ACellThatIsNotFiniteIsFoundInItsChannel) {
  const Workplace here("root.stn",
                       "stencil root { axes x, y; field f32 u boundary clamp; u[t+1] = sqrt(u - "
                       "0.1); }");
  Pixels given{2, 1, 3, 8, {255, 0, 255, 255, 200, 255}};
  write_picture(here, "in.png", given);
  const Finished run = ended(here.stencilc("run root.stn --target=cpu --in u=in.png"));
  expect_has(run.err, {"1 of 2 cells of `u` in green is not finite, starting at step 1"});
  expect_lacks(run.err, {"in red", "in blue"});
}

}  // namespace
}  // namespace stencilc
