// Options of --plot, as people write them.
#include <gtest/gtest.h>

#include "data/images/pixels.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Workplace;

int64_t pixels_of_color(const data::Pixels& picture, std::array<uint16_t, 3> color) {
  int64_t found = 0;
  for (size_t i = 0; i < picture.samples.size(); i += 3)
    found += std::equal(color.begin(), color.end(), picture.samples.begin() + static_cast<long>(i));
  return found;
}

TEST(RunPlots, OptionsComeBehindTheName) {
  const Workplace here(
      "keep.stn",
      "stencil keep { axes x, y, z; field f32 u, v, w boundary clamp; field f32 s(y) in; "
      "u[t+1] = u[x-1]; v[t+1] = v[x-1]; w[t+1] = w[x-1]; reduce total = sum(s); }");
  const std::string run = "run keep.stn --target=cpu --size 6x5x4 --steps 0 ";
  ended(here.stencilc(run +
                      "--in u=ramp --in v=zero --in w=constant:1 --plot u,v=both.svg:slice=y=2 "
                      "--plot u=range.PNG:range=0.25..0.5:map=magma --plot u=sides.png:diverging "
                      "--plot u=line.png:log --plot w,v,w=all.png:channels --plot s=s.png"));
  const std::string svg = here.read("both.svg");
  expect_has(svg, {">u</text>", ">v</text>", ">y=2</text>", ">s is made up (gauss)</text>"});
  const auto picture = [&](const std::string& name) {
    auto pixels = data::decode_png(here.read(name));
    EXPECT_TRUE(pixels.ok()) << name;
    return *pixels;
  };
  // In the plane z=2 are the cells 60 to 89 of 120: most are above 0.5.
  EXPECT_GT(pixels_of_color(picture("range.PNG"), {255, 0, 255}), 20 * 85 * 85);
  EXPECT_EQ(pixels_of_color(picture("all.png"), {255, 0, 255}), 6 * 5 * 85 * 85);
  EXPECT_EQ(pixels_of_color(picture("sides.png"), {255, 0, 255}), 0);
  ended(here.stencilc(run + "--in u=zero --in v=zero --in w=zero --in s=zero --plot u.svg"));
  expect_lacks(here.read("u.svg"), {"made up"});
  const auto out = ended(here.stencilc(run + "--plot u=-:log"));
  EXPECT_EQ(out.out.substr(1, 3), "PNG");
  expect_refused(here, run, R"(
    --plot u.png:rnage=0..1   => 1 => ...`--plot u.png:rnage=0..1`: there is no option `:rnage=0..1`; did you mean `:range`? [STN0703]
    --plot u.png:colourful    => 1 => ...there is no option `:colourful`; there are `:range=LOW..HIGH`, `:map=NAME`, `:log`, `:diverging`, `:slice=AXIS=CELL` and `:channels` [STN0703]
    --plot u.png:range=1..1   => 1 => ...`:range=1..1`: write the lowest and the highest value, such as `:range=-1..1` [STN0703]
    --plot u.png:range=low..1 => 1 => ...`:range=low..1`: write the lowest and the highest value...
    --plot u.png:range        => 1 => ...`:range=`: write the lowest and the highest value...
    --plot u.png:map=jet      => 1 => ...`:map=jet`: there is no such colour map; there are `viridis`, `gray`, `magma`, `cividis` and `rdbu` [STN0703]
    --plot u.png:log=2        => 1 => ...`--plot u.png:log=2`: `:log` takes no value [STN0703]
    --plot u.png:log:diverging    => 1 => ...`:log` and `:diverging` exclude each other [STN0703]
    --plot u.png:log:range=0..1   => 1 => ...with `:log` the range begins above 0 [STN0703]
    --plot u.png:slice=12         => 1 => ...`:slice=12`: write an axis and a cell, such as `:slice=z=12` [STN0703]
    --plot u.png:slice=q=1        => 1 => ...`:slice=q=1`: there is no axis `q`; there are `x`, `y` and `z` [STN0703]
    --plot u.png:slice=z=-1       => 1 => ...`:slice=z=-1`: write an axis and a cell...
    --plot u.png:slice=z=4        => 1 => ...`--plot u.png:slice=z=4`: the grid has the cells 0 to 3 along z [STN0703]
    --plot s.png:slice=y=1        => 1 => ...`--plot s.png:slice=y=1`: `s` has not all axes of the grid; leave out `:slice` [STN0703]
    --plot u,v=a.png:channels     => 1 => ...`:channels` takes red, green and blue from 3 fields, or from 1 field if the program runs on each colour of a picture [STN0703]
    --plot u,v,w=a.png:channels:log => 1 => ...with `:channels` the fields are colours, which have no map and no scale [STN0703]
    --plot u,q=a.png              => 1 => ...the stencil `keep` has no field `q` [STN0703]...
    --plot u=a.png --plot v=a.png:log => 1 => ...`--plot v=a.png:log` would overwrite the file of `--plot u=a.png` [STN0703]
  )");
}

TEST(RunPlots, ARunOnColoursHasAPanelForEachOrOneInColour) {
  const Workplace here("keep.stn",
                       "stencil keep { axes x, y; field u8 a in; field u8 b out; b = a; }");
  here.write("in.png", *data::encode_png({1, 1, 3, 8, {255, 0, 255}}));
  ended(here.stencilc(
      "run keep.stn --target=cpu --in a=in.png --plot b=b.svg --plot a=a.png:channels"));
  expect_has(here.read("b.svg"), {">b_red</text>", ">b_green</text>", ">b_blue</text>"});
  const auto picture = data::decode_png(here.read("a.png"));
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(pixels_of_color(*picture, {255, 0, 255}), 512 * 512);
}

}  // namespace
}  // namespace stencilc
