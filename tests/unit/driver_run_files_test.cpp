// Files of several arrays as inputs and outputs of `stencilc run`.
#include <gtest/gtest.h>

#include "data/files/npy.h"
#include "data/files/npz.h"
#include "data/files/vti.h"
#include "data/images/pixels.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using data::Array;
using data::Element;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Names;
using test::Workplace;

// 3 x 2 cells from this value on.
Array numbers_from(int first, Element element = Element::f32) {
  Array array = *data::make_array(Element::i32, {3, 2});
  for (int i = 0; i < 6; ++i) array.as<int32_t>()[i] = first + i;
  return *data::converted(array, element);
}

constexpr const char* kSwap =
    "stencil swap { axes x, y; field f32 u, v boundary clamp; u[t+1] = v; v[t+1] = u; }";

TEST(RunFiles, ArraysWithNamesGoInAndOut) {
  const Workplace here("swap.stn", kSwap);
  const Array one = numbers_from(1), two = numbers_from(11, Element::i16);
  here.write("both.npz", data::npz_file({{"u", &one}, {"v", &two}}, true));
  here.write("other.npz", data::npz_file({{"a b", &two}}, false));
  const std::string run = "run swap.stn --target=cpu ";
  const auto arrays = [&](const std::string& file) {
    const std::string text = here.read(file);
    const auto npz = data::Npz::open(text);
    EXPECT_TRUE(npz.ok());
    std::vector<std::pair<std::string, Array>> found;
    for (const std::string& name : npz->names()) found.emplace_back(name, *npz->read(name));
    return found;
  };
  expect_has(ended(here.stencilc(run + "--in u,v=both.npz --out v,u=out.npz")).out,
             {"note: `both.npz` holds i16 values; they are exact in f32\n", "wrote out.npz\n"});
  auto out = arrays("out.npz");
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].first, "v");
  EXPECT_EQ(out[0].second.bytes, one.bytes);
  EXPECT_EQ(out[1].first, "u");
  EXPECT_EQ(out[1].second.bytes, numbers_from(11).bytes);
  // By other names; the only array of a file needs none.
  ended(here.stencilc(run + "--in u,v=both.npz:v,u --out u=u.NPZ:compressed"));
  EXPECT_EQ(arrays("u.NPZ")[0].second.bytes, one.bytes);
  ended(here.stencilc(run + "--in v=other.npz --in u=both.npz:u --out u=u.npz"));
  EXPECT_EQ(arrays("u.npz")[0].second.bytes, numbers_from(11).bytes);
  here.write("cut.npz", here.read("both.npz").substr(0, 150));
  here.write("a.nc", "");
  expect_refused(here, run, R"(
    --in u=other.npz:x => 1 => ...`other.npz`: it holds `a b`, and no `x`; write `other.npz:NAME` to name an array of it [STN0703]
    --in u,v=other.npz => 1 => ...`other.npz`: it holds `a b`, and no `u`; write...
    --in u,v=both.npz:u => 1 => ...`both.npz`: 1 array for 2 fields [STN0703]
    --in u=cut.npz     => 1 => ...`cut.npz`: the ZIP file is damaged: it has no directory at its end, so it may be cut off [STN0703]
    --in u=lost.npz    => 3 => ...cannot read `lost.npz`: No such file or directory [STN0701]
    --in u=a.nc:step=3.5 => 1 => ...`a.nc`: `:step=3.5`: `3.5` is not a whole number [STN0703]
    --in u=a.nc:u:time=now => 1 => ...`a.nc`: `:time=now`: `now` is not a number [STN0703]
    --in u=a.npy:u     => 1 => ...`--in u=a.npy:u`: only files of several arrays, such as .npz, take names behind the `:` [STN0703]
    --in u,v=a.npy     => 1 => ...`--in u,v=a.npy`: a .npy file holds one array, so it fills one field [STN0703]
    --out u=a.npz:packed => 1 => ...`--out u=a.npz:packed`: behind the `:` only `compressed` can be said [STN0703]
    --out u=a.npy:compressed
      => 1 => ...`--out u=a.npy:compressed`: nothing can be said behind the name; only files of several arrays, such as .npz, can be `compressed` [STN0703]
    --out u=a.npz --out v=./a.npz => 1 => ...`--out v=./a.npz` would overwrite the file of `--out u=a.npz` [STN0703]
    --out u=u.png --plot u.png    => 1 => ...`--plot u.png` would overwrite the file of `--out u=u.png` [STN0703]
  )");
}

TEST(RunFiles, GridsOfVtkKeepTheirPlacement) {
  const Workplace here(
      "wave.stn",
      "stencil wave { axes x, y; param f32 dx = 0.5; param i32 dy = 1; field f32 u boundary clamp; "
      "field u8 s(y) in; field f32 g boundary ghost; u[t+1] = u[x-1] + dx*dy*s; g[t+1] = g[x-1]; "
      "}");
  const std::string run = "run wave.stn --target=cpu --in s=zero --in g=constant:2 ";
  const auto open = [&](const std::string& file) {
    static std::string text;
    text = here.read(file);
    auto vti = data::Vti::open(text);
    EXPECT_TRUE(vti.ok()) << file;
    return *vti;
  };
  expect_has(ended(here.stencilc(run + "--size 4x3 --in u=ramp --out u,g=out.vti:compressed "
                                       "--spacing 0.5,0.25 --origin -1,2"))
                 .out,
             {"wrote out.vti\n",
              "note: `--spacing` has 0.25 along y, and the param `dy` is 1; "
              "`--param dy=0.25` takes that of `--spacing`\n"});
  const data::Vti vti = open("out.vti");
  EXPECT_EQ(vti.placement(), (data::Placement{{-1, 2, 0}, {0.5, 0.25, 1}}));
  EXPECT_EQ((*vti.read("g")).extents, (data::Extents{4, 3, 1}));  // without the halo
  // What a file brings goes into the outputs, and is compared with the params.
  const auto again = ended(here.stencilc(run + "--in u=out.vti --steps 0 --out u=again.vti"));
  expect_has(again.out,
             {"note: `out.vti` has the spacing 0.25 along y, and the param `dy` is 1; `--param "
              "dy=0.25` takes that of the file\n"});
  expect_lacks(again.out, {"`dx`"});
  EXPECT_EQ(open("again.vti").placement(), vti.placement());
  ended(here.stencilc(run + "--in u=out.vti:u --steps 0 --out u=moved.vti --origin 7,8"));
  EXPECT_EQ(open("moved.vti").placement(), (data::Placement{{7, 8, 0}, {0.5, 0.25, 1}}));
  expect_refused(here, run, R"(
    --out s=s.vti    => 1 => ...`--out s=s.vti`: `s` has not all axes of the grid; write it as .npz [STN0703]
    --spacing 1,2    => 1 => ...`--spacing` has no effect, because no `--out` names a .vti or .nc file [STN0703]
    --unit q=m       => 1 => ...`--unit q=m`: there is no axis and no field `q` [STN0703] => help: there are `x`, `y`, `u`, `s`, `g` and `time`
    --unit x=m       => 1 => ...`--unit` has no effect, because no `--out` names a .nc file [STN0703]
    --out u=a.vti --spacing 1   => 1 => ...`--spacing` has 1 number for 2 axes [STN0703]
    --out u=a.vti --spacing 1,0 => 1 => ...`--spacing`: the distance of cells has to be more than 0 [STN0703]
    --origin 1,,2    => 2 => ...`--origin 1,,2`: write numbers with commas, such as 0.1,0.1,0.25
    --origin 1,inf   => 2 => ...`--origin 1,inf`: write numbers with commas, such as 0.1,0.1,0.25
    --in u=out.vti --size 5x5 => 1 => ...the input of `u` is 4 x 3, but the grid is 5 x 5 [STN0703]
    --in u=out.vti:w => 1 => ...`out.vti`: it holds `u` and `g`, and no `w`; write `out.vti:NAME` to name an array of it [STN0703]
  )");
}

TEST(RunFiles, TheColoursOfARunOnEachHaveNames) {
  const Workplace here("keep.stn",
                       "stencil keep { axes x, y; field u8 a in; field u8 b out; b = a; }");
  here.write("in.png", *data::encode_png({1, 1, 3, 8, {7, 8, 9}}));
  ended(here.stencilc("run keep.stn --target=cpu --in a=in.png --out b=out.npz"));
  const std::string text = here.read("out.npz");
  const auto npz = data::Npz::open(text);
  ASSERT_TRUE(npz.ok());
  EXPECT_EQ(npz->names(), (Names{"b_red", "b_green", "b_blue"}));
  EXPECT_EQ(value_at(*npz->read("b_green"), 0), 8);
}

TEST(RunFiles, SeriesAreArraysOfNumPy) {
  const Workplace here(
      "shot.stn",
      "stencil shot { axes x; field f32 u boundary clamp; points p; series f32 a(p), r(p); "
      "u[t+1] = u; inject u[t+1] += a[t] at p; sample r[t] = u at p; }");
  expect_refused(here, "run shot.stn --target=cpu ", R"(
    --out r=r.png => 1 => ...`--out r=r.png`: a series is written as .npy [STN0703]
    --in a=a.npz  => 1 => ...`--in a=a.npz`: a series is read from a .npy file [STN0703]
  )");
}

}  // namespace
}  // namespace stencilc
