// stencilc run and verify on the CPU target: arrays and pictures in and out, also of f16 and bf16,
// what does not fit, and the cache of built kernels.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "data/files/npy.h"
#include "data/images/pixels.h"
#include "data/images/png.h"
#include "driver/execute/library.h"
#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using data::Element;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Finished;
using test::Names;
using test::Workplace;

// An array of the values of `at(x, y)`.
template <class T, class At>
data::Array array(Element element, int nx, int ny, At at) {
  data::Array made = *data::make_array(element, {nx, ny});
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) made.as<T>()[y * nx + x] = static_cast<T>(at(x, y));
  return made;
}
using At = int (*)(int, int);
data::Array of_f32(int nx, int ny, At at) { return array<float>(Element::f32, nx, ny, at); }
data::Array of_u8(int nx, int ny, At at) { return array<uint8_t>(Element::u8, nx, ny, at); }
// 10*y + x: no two values alike.
int numbered(int x, int y) { return 10 * y + x; }
template <class T>
std::string file_of(Element element, std::initializer_list<double> values) {
  data::Array made = *data::make_array(element, {static_cast<int64_t>(values.size())});
  int64_t i = 0;
  for (const double value : values) made.as<T>()[i++] = static_cast<T>(value);
  return data::npy_file(made);
}
data::Array load(const Workplace& here, const std::string& name) {
  auto loaded = data::parse_npy(here.read(name));
  EXPECT_TRUE(loaded.ok()) << name;
  return *loaded;
}
void expect_verified(const Workplace& here, const std::string& words) {
  expect_has(ended(here.stencilc("verify " + words)).out,
             {"agree with the interpreter in every bit"});
}

// A right shift by one cell on a torus: what comes out is known for every input.
constexpr const char* kShift =
    "stencil shift { axes x, y; field f32 u boundary periodic; u[t+1] = u[x-1]; }";

TEST(Run, ArraysComeInAndGoOut) {
  Workplace here("shift.stn", kShift);
  here.optimizes = true;
  here.write("in.npy", data::npy_file(of_f32(7, 5, numbered)));
  const Finished finished =
      ended(here.stencilc("run shift.stn --target=cpu --in u=in.npy --steps 3 --out u=out.npy"));
  expect_has(finished.out, {"shift: 7 x 5 on CPU", "3 steps, ", "wrote out.npy\n"});
  EXPECT_EQ(finished.err, "");
  const data::Array expected = of_f32(7, 5, [](int x, int y) { return 10 * y + (x + 4) % 7; });
  EXPECT_EQ(load(here, "out.npy").extents, expected.extents);
  EXPECT_EQ(load(here, "out.npy").bytes, expected.bytes);
  // No steps change nothing.
  ASSERT_EQ(
      here.stencilc("run shift.stn --target=cpu --in u=in.npy --steps 0 --out u=out.npy").status,
      0);
  EXPECT_EQ(here.read("out.npy"), here.read("in.npy"));
  EXPECT_EQ(
      ended(here.stencilc("run shift.stn --target=cpu --size 4x4 --in u=zero --out u=no/x.npy"), 3)
          .err,
      "stencilc: error: cannot write `no/x.npy`: there is no directory `no`; `mkdir -p no` makes "
      "it [STN0702]\n");
  expect_verified(here, "shift.stn --target=cpu");
}

// Two cells from the left in each of three steps: what was outside the grid comes in, as often as
// it is read.
TEST(Run, ArraysHoldTheHaloOfTheCaller) {
  const Workplace here(
      "shift.stn",
      "stencil shift { axes x, y; field f32 u boundary { x: ghost; y: clamp; } field f32 s(x) in "
      "boundary ghost; u[t+1] = u[x-2] + s[x+1]; }");
  here.write("in.npy", data::npy_file(of_f32(9, 4, numbered)));
  here.write("thin.npy", data::npy_file(of_f32(4, 4, [](int, int) { return 0; })));
  const std::string run = "run shift.stn --target=cpu --in s=constant:100 --steps 3 ";
  expect_has(
      ended(here.stencilc(run +
                          "--in u=in.npy --out u=out.npy --out s=s.npy --plot u=u.png --size 5x4"))
          .out,
      {"shift: 5 x 4 on CPU"});
  const data::Array expected = of_f32(9, 4, [](int x, int y) {
    const bool inside = x >= 2 && x < 7;
    if (!inside) return 10 * y + x;
    const int steps = std::min(3, x / 2);  // until it comes from the halo
    return 10 * y + x - 2 * steps + 100 * steps;
  });
  EXPECT_EQ(load(here, "out.npy").bytes, expected.bytes);
  EXPECT_EQ(load(here, "s.npy").extents, data::Extents{7});
  expect_refused(here, run, R"(
    --in u=in.npy --size 9x4
      => 1 => ...the input of `u` is 9 x 4, but the grid with its halo is 13 x 4...
    --in u=thin.npy
      => 1 => ...the input of `u` is 4 x 4, and its halo of 2 x 0 at each end leaves no cells...
  )");
}

TEST(Run, PicturesComeInAndGoOut) {
  const Workplace here(
      "flip.stn",
      "stencil flip { axes x, y; field u8 img in; field u8 dst out; dst = sat_u8(255 - img); }");
  const data::Array picture = of_u8(9, 4, [](int x, int y) { return 20 * x + y; });
  here.write("in.png", *data::png_file({&picture}));
  ended(here.stencilc(
      "run flip.stn --target=cpu --in img=in.png --out dst=out.png --plot dst=plot.png"));
  const auto pixels = data::decode_png(here.read("out.png"));
  ASSERT_TRUE(pixels.ok());
  const auto out = data::channel_of(*pixels, data::Channel::brightness, Element::u8);
  EXPECT_EQ(out->extents, picture.extents);
  EXPECT_EQ(out->bytes, of_u8(9, 4, [](int x, int y) { return 255 - (20 * x + y); }).bytes);
  EXPECT_EQ(here.read("plot.png").substr(1, 3), "PNG");
}

TEST(Run, GeneratorsSeedsAndParams) {
  const Workplace here(
      "scale.stn",
      "stencil scale { axes x, y; param f32 a; param i32 n = 2; field f32 u; u[t+1] = a*u + n; }");
  const auto out = [&](const std::string& in, const std::string& seed) {
    ended(here.stencilc("run scale.stn --target=cpu --size 6x4 --in u=" + in + " --seed " + seed +
                        " --param a=0.5 --out u=u.npy"));
    return here.read("u.npy");
  };
  EXPECT_EQ(out("constant:8", "0"), data::npy_file(of_f32(6, 4, [](int, int) { return 6; })));
  EXPECT_EQ(out("random", "1"), out("random", "1"));
  EXPECT_NE(out("random", "1"), out("random", "2"));
}

// Every option that takes a number: decimal, in its range, and nothing after it.
TEST(Run, NumbersOfOptionsAreDecimalAndChecked) {
  const Workplace here("shift.stn", kShift);
  expect_refused(here, "", R"(
    run shift.stn --steps -1   => 2 => stencilc: error: `--steps -1`: the least is 0...
    run shift.stn --steps 9223372036854775808
      => 2 => stencilc: error: `--steps 9223372036854775808`: the most is 9223372036854775807
    run shift.stn --steps 0x10 => 2 => ...`--steps 0x10`: write a whole number in decimal digits
    run shift.stn --steps 1e3  => 2 => ...`--steps 1e3`: write a whole number in decimal digits
    run shift.stn --steps +3   => 2 => ...write a whole number in decimal digits
    run shift.stn --steps=     => 2 => stencilc: error: `--steps` needs a value
    run shift.stn --steps 1 --steps 2 => 2 => stencilc: error: `--steps` is given twice
    shift.stn --no-fma=3       => 2 => stencilc: error: `--no-fma` takes no value
    bench                      => 2 => stencilc: error: no input file
    run shift.stn --seed -1    => 2 => ...`--seed -1`: the least is 0
    run shift.stn --seed 18446744073709551617 => 2 => ...the most is 18446744073709551615
    run shift.stn --seed 0b11  => 2 => ...write a whole number in decimal digits
    run shift.stn --size 8x0x8 => 2 => ...write a size such as 1024x768
    run shift.stn --size 99999999999999999999 => 2 => ...write a size such as 1024x768
    shift.stn --error-limit -1 => 2 => ...`--error-limit -1`: the least is 0
    shift.stn --error-limit 4294967297 => 2 => ...the most is 2147483647
    shift.stn -O9              => 2 => stencilc: error: `-O9`: the most is 3
    shift.stn -O               => 2 => ...`-O` needs a value
    shift.stn -O0x1            => 2 => ...`-O0x1`: write a whole number in decimal digits
    fmt --error-limit x shift.stn => 2 => ...`--error-limit x`: write a whole number in decimal digits
    bench shift.stn --steps 0  => 2 => ...`--steps 0`: the least is 1
    bench shift.stn --repeats 1001 => 2 => ...`--repeats 1001`: the most is 1000
    bench shift.stn --sustained -1 => 2 => ...`--sustained -1`: write a number from 0 to 3600
    bench shift.stn --sustained 0x1p3 => 2 => ...`--sustained 0x1p3`: write a number
    bench shift.stn --sustained nan => 2 => ...`--sustained nan`: write a number
    bench shift.stn --sustained inf => 2 => ...write a number from 0 to 3600
    tune shift.stn --budget 0  => 2 => ...`--budget 0`: write a number from 1 to 1000000
    tune shift.stn --trials 0  => 2 => ...`--trials 0`: the least is 1
    tune shift.stn --jobs 010k => 2 => ...`--jobs 010k`: write a whole number in decimal digits
  )");
}

TEST(Run, ZerosBeforeANumberChangeNothing) {
  const Workplace here("count.stn",
                       "stencil count { axes x; param i64 by = 1; field i64 n; n[t+1] = n + by; }");
  expect_has(ended(here.stencilc(
                       "run count.stn --target=cpu --size 010 --steps 0100 --seed 007 --in n=zero "
                       "--param by=9007199254740993 --out n=n.npy"))
                 .out,
             {"count: 10 on CPU", "100 steps, "});
  const data::Array n = load(here, "n.npy");
  ASSERT_EQ(n.extents, data::Extents{10});
  EXPECT_EQ(n.as<int64_t>()[9], 900719925474099300);
}

TEST(Run, WhatDoesNotFitIsSaidBeforeAnythingIsBuilt) {
  Workplace here("two.stn",
                 "stencil two { axes x, y; param f32 speed; param i32 n = 1; field f32 heat "
                 "boundary clamp; field u8 mask in; "
                 "heat[t+1] = mask > 0 ? speed*heat[x-1] + n : heat; }");
  here.own_cache = true;
  here.write("f32.npy", data::npy_file(of_f32(4, 3, [](int, int) { return 1; })));
  here.write("u8.npy", data::npy_file(of_u8(5, 3, [](int, int) { return 1; })));
  here.write("half.npy",
             data::npy_file(array<float>(Element::f32, 4, 3, [](int, int) { return 0.5; })));
  here.write("huge.npy", file_of<double>(Element::f64, {1, 1e300}));
  here.write("tenth.npy", file_of<double>(Element::f64, {0.1}));
  here.write("junk.npy", "no array");
  here.write("junk.png", "no picture");
  // Not even the cache is written.
  expect_refused(here, "run two.stn --target=cpu ", R"(
    --in heat=f32.npy --in mask=u8.npy
      => 1 => ...the input of `mask` is 5 x 3, but the grid is 4 x 3 [STN0703]
    --in heat=f32.npy --size 9x9
      => 1 => ...the input of `heat` is 4 x 3, but the grid is 9 x 9 [STN0703]
    --in mask=f32.npy --in heat=u8.npy => 1 => ...the input of `mask` is 4 x 3, but the grid is 5 x 3 [STN0703]
    --in mask=half.npy => 1 => ...`half.npy` holds f32 values and the field `mask` is u8: the field cannot hold 0.5 [STN0703]
    --in heat=huge.npy --strict => 1 => ...`huge.npy` holds f64 values and the field `heat` is f32: 1 of 2 would be rounded...
    --in heat=tenth.npy --strict
      => 1 => ...`tenth.npy` holds f64 values and the field `heat` is f32: 1 of 1 would be rounded (--strict) [STN0703]
    --in heat=a.jpg    => 1 => ...`--in heat=a.jpg`: only .npy, .npz, .png, .vti, .nc or .h5 files can be read; convert it [STN0703]
    --in heat=LOST.PNG => 3 => ...cannot read `LOST.PNG`: No such file or directory [STN0701]
    --plot a.gif       => 1 => ...`--plot a.gif`: the name of a picture has to end in .png or .svg; `--animate` makes films [STN0703]
    --plot w.png       => 1 => ...`--plot w.png`: there is no field `w`; write `--plot heat=w.png` [STN0703]
    --plot masc.png    => 1 => ...`--plot masc.png`: there is no field `masc`; write `--plot mask=masc.png` [STN0703]
    --out heat=f%04d.npy => 1 => ...`--out heat=f%04d.npy`: a run writes only its last step...
    --plot heat=f%d.png  => 1 => ...`--plot heat=f%d.png`: a run writes only its last step...
    --in heta=f32.npy  => 1 => ...the stencil `two` has no field `heta` [STN0703] => help: did you mean `heat`?
    --out maks=x.npy   => 1 => ...the stencil `two` has no field `maks` [STN0703] => help: did you mean `mask`?
    --plot haet=x.png  => 1 => ...the stencil `two` has no field `haet` [STN0703] => help: did you mean `heat`?
    --out heat=x.txt   => 1 => ...`--out heat=x.txt`: the name has to end in .npy, .npz, .png, .vti, .nc or .h5 [STN0703]
    --in heat=lost.npy => 3 => ...cannot read `lost.npy`: No such file or directory [STN0701]
    --in heat=junk.npy => 1 => ...`junk.npy`: ...
    --in mask=junk.png => 1 => ...`junk.png`: ...
    --in heat=noise    => 1 => ...`--in heat=noise`: there is no input called `noise`...
    --size 8           => 1 => ...1 extent (8) for 2 axes [STN0703]
    --size 8x8x8       => 1 => ...3 extents (8 x 8 x 8) for 2 axes [STN0703]
    --size 4x3 => 1 => ...the param `speed` has no value; give it with `--param speed=...` [STN0703]
    --size 4x3 --param sped=1     => 1 => ...the stencil `two` has no param `sped` [STN0703] => help: did you mean `speed`?
    --size 4x3 --param q=1        => 1 => ...the stencil `two` has no param `q` [STN0703] => help: there are `speed` and `n`
    --size 4x3 --param speed=1 --points src=1,2 => 1 => ...the stencil `two` has no points `src` [STN0703]
    --size 4x3 --param heat=1     => 1 => ...the stencil `two` has no param `heat` [STN0703] => help: it is a field: `--in heat=...`
    --size 4x3 --in speed=1.npy   => 1 => ...the stencil `two` has no field `speed` [STN0703] => help: it is a param: `--param speed=...`
    --size 4x3 --param speed=fast => 1 => ...`--param speed=fast`: `fast` is not a number [STN0703]
    --size 4x3 --param n=2.5      => 1 => ...`--param n=2.5`: 2.5 does not fit `i32` [STN0703]
    --size 4x3 --param n=3e10     => 1 => ...`--param n=3e10`: 3e10 does not fit `i32` [STN0703]
    --size 4x3 --param speed=1e39 => 1 => ...`--param speed=1e39`: 1e39 does not fit `f32` [STN0703]
    --size 0x3                    => 2 => ...--size 0x3...
  )");
}

// Values of another type, colours and what was not given: each is said, and goes in.
TEST(Run, InputsThatAreConvertedOrMadeUpAreSaid) {
  const Workplace here(
      "mix.stn",
      "stencil mix { axes x, y; field f32 a, b, c boundary clamp; field i16 n in; points p, q; "
      "series f32 s(p), r(q); a[t+1] = a; b[t+1] = b + f32(n); c[t+1] = c[x-1]; "
      "inject c[t+1] += s[t] at p; sample r[t] = a at q; }");
  here.write("a.npy", data::npy_file(array<double>(Element::f64, 3, 2,
                                                   [](int x, int y) { return x + 0.1 * y; })));
  here.write("b.NPY", data::npy_file(array<int64_t>(Element::i64, 3, 2, numbered)));
  here.write("n.npy", data::npy_file(of_f32(3, 2, numbered)));
  here.write("c.png", *data::encode_png({3, 2, 3, 8, std::vector<uint16_t>(18, 255)}));
  const Finished finished = ended(here.stencilc(
      "run mix.stn --target=cpu --in a=a.npy --in b=b.NPY --in n=n.npy --in c=c.png --steps 1 "
      "--out a=out.npy --out b=b.npy"));
  expect_has(finished.out,
             {"note: `a.npy` holds f64 values; 3 of 6 are rounded to f32 (--strict refuses that)\n",
              "note: `b.NPY` holds i64 values; they are exact in f32\n",
              "note: `n.npy` holds f32 values; they are exact in i16\n",
              "note: `c.png` is a colour image; `c` is filled with its brightness (Rec. 709); "
              "`--in r,g,b=...` fills three fields with its colours\n"});
  // What is made up is said before the run, in one line.
  expect_has(finished.err,
             {"stencilc: note: there is no `--in` for `s`: filled with `gauss`; there is no "
              "`--points` for `p` and `q`: one point in the middle\n"});
  EXPECT_EQ(load(here, "out.npy").as<float>()[5], 2.1f);
  EXPECT_EQ(load(here, "b.npy").as<float>()[5], 24);
  const Finished bare =
      ended(here.stencilc("run mix.stn --target=cpu --in b=zero --size 3x2 --out a=-"));
  expect_has(bare.err,
             {"note: there is no `--in` for `a`, `c`, `n` and `s`: filled with `gauss`; there"});
  EXPECT_EQ(bare.out.substr(1, 5), "NUMPY");
}

// An array of zeros with so many axes, x first.
std::string zeros(Element element, const data::Extents& extents) {
  return data::npy_file(*data::make_array(element, extents));
}
// A file whose shape is written as NumPy writes it, with so many bytes of zeros.
std::string shaped(const std::string& shape, size_t bytes) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string(bytes, '\0');
}

// Axes, extents and type of a file are those of what it is for, before anything is indexed.
TEST(Run, FilesHaveTheAxesAndExtentsOfWhatTheyAreFor) {
  Workplace here(
      "all.stn",
      "stencil all { axes x, y; field f32 s(y) in; field f32 u boundary { x: ghost; y: "
      "clamp; } points p linear; series f32 a(p); series f32 r(p); weights f32 w[-1..1]; "
      "u[t+1] = s * sum(i in -1..1 : w[i]*u[x+i]); inject u[t+1] += a[t] at p; sample r[t] = u at "
      "p; }");
  here.own_cache = true;
  here.write("line.npy", zeros(Element::f32, {6}));
  here.write("long.npy", zeros(Element::f32, {7}));
  here.write("flat.npy", zeros(Element::f32, {5, 6}));
  here.write("cube.npy", zeros(Element::f32, {5, 6, 2}));
  here.write("bytes.npy", zeros(Element::u8, {6}));
  here.write("scalar.npy", shaped("()", 4));
  here.write("none.npy", shaped("(0, 6)", 0));
  here.write("four.npy", shaped("(1, 1, 1, 1)", 4));
  here.write("empty.npy", "");
  here.write("empty.png", "");
  here.write("rgb.png", *data::encode_png({5, 6, 3, 8, std::vector<uint16_t>(90)}));
  // Not even the cache is written.
  expect_refused(here, "run all.stn --target=cpu --param w=1,2,1 ", R"(
    --in u=line.npy    => 1 => ...the input of `u` has 1 axis (6), but the field has 2 [STN0703]
    --in u=cube.npy    => 1 => ...the input of `u` has 3 axes (5 x 6 x 2), but the field has 2 [STN0703]
    --in u=cube.npy --size 4x6
      => 1 => ...the input of `u` has 3 axes (5 x 6 x 2), but the field has 2 [STN0703]
    --in u=flat.npy --size 4x6x2 => 1 => ...3 extents (4 x 6 x 2) for 2 axes [STN0703]
    --in u=flat.npy --size 4x6x2x2 => 1 => ...4 extents (4 x 6 x 2 x 2) for 2 axes [STN0703]
    --in u=scalar.npy  => 1 => ...the array has 0 axes where 1 to 3 are expected...
    --in u=four.npy    => 1 => ...the array has 4 axes where 1 to 3 are expected...
    --in u=none.npy    => 1 => ...the array is 6 x 0; every extent must be at least 1...
    --in u=empty.npy   => 1 => ...`empty.npy`: this is not a .npy file [STN0703]
    --in u=empty.png   => 1 => ...`empty.png`: this is not a PNG file [STN0703]
    --in s=rgb.png     => 1 => ...the input of `s` has 2 axes (5 x 6), but the field has 1 [STN0703]
    --in s=flat.npy    => 1 => ...the input of `s` has 2 axes (5 x 6), but the field has 1 [STN0703]
    --in s=bytes.npy --in u=line.npy => 1 => ...the input of `u` has 1 axis (6)...
    // What the grid is may be known only after the file, or by nobody.
    --in s=long.npy --in u=flat.npy
      => 1 => ...the input of `s` is 7, but the grid is 6 [STN0703]
    --in s=long.npy    => 1 => ...the input of `s` is 7, but the grid is 512 [STN0703]
    --points p=line.npy => 1 => ...`line.npy` is 6; an array of points has the shape (points, 2) [STN0703]
    --points p=cube.npy => 1 => ...`cube.npy` is 5 x 6 x 2; an array of points has the shape (points, 2) [STN0703]
    --points p=flat.npy => 1 => ...`flat.npy` is 5 x 6; an array of points has the shape (points, 2) [STN0703]
    --points p=scalar.npy => 1 => ...the array has 0 axes where 1 to 3 are expected...
    --points p=empty.npy => 1 => ...`empty.npy`: this is not a .npy file [STN0703]
    --points p=rgb.png  => 1 => ...write 2 numbers for each point...
    --in a=line.npy --steps 7
      => 1 => ...`line.npy` is 1 x 6, and the series `a` needs 1 points in 7 steps [STN0703]
    --in a=cube.npy     => 1 => ...`cube.npy` is 5 x 6 x 2, and the series `a` needs 1 points...
    --in a=flat.npy     => 1 => ...`flat.npy` is 5 x 6, and the series `a` needs 1 points...
    --in a=scalar.npy   => 1 => ...the array has 0 axes where 1 to 3 are expected...
    --in a=empty.npy    => 1 => ...`empty.npy`: this is not a .npy file [STN0703]
    --in a=rgb.png      => 1 => ...`--in a=rgb.png`: a series is read from a .npy file [STN0703]
    --param w=1,2       => 1 => ...2 values are given for `w`, which has 3 [STN0703]
    --param w=line.npy  => 1 => ...`--param w=line.npy`: `line.npy` is not a number [STN0703]
    --param w=1,,2      => 1 => ...`--param w=1,,2`: `` is not a number [STN0703]
  )");
}

// The kernels in the cache, by the folders they are in.
Names cached(const Workplace& here) { return Workplace::names_in(here.path / "cache/stencilc"); }

TEST(Run, ASecondRunBuildsNothing) {
  Workplace here("shift.stn", kShift);
  here.own_cache = true;
  const std::string run = "run shift.stn --target=cpu --size 4x4";
  ASSERT_EQ(here.stencilc(run).status, 0);
  ASSERT_EQ(cached(here).size(), 1u);
  const std::string entry = "cache/stencilc/" + cached(here)[0];
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(here.path / entry / "library.so", old);
  // Other data, sizes and outputs are no other code.
  ASSERT_EQ(here.stencilc("run shift.stn --target=cpu --size 9x5 --steps 2 --in u=random --out "
                          "u=u.npy")
                .status,
            0);
  EXPECT_EQ(cached(here).size(), 1u);
  EXPECT_EQ(fs::last_write_time(here.path / entry / "library.so"), old);
  // Another program is other code.
  here.write("shift.stn",
             "stencil shift { axes x, y; field f32 u boundary clamp; u[t+1] = u[x-1]; }");
  ASSERT_EQ(here.stencilc(run).status, 0);
  EXPECT_EQ(cached(here).size(), 2u);
}

TEST(Run, TextsThatTakeACompilerMinutesAreOptimizedLess) {
  const auto level = [](int64_t lines) {
    return driver::compiler_for(plan::Target::cpu, {}, lines).command.at(2);
  };
  EXPECT_EQ(level(10000), "-O3");
  EXPECT_EQ(level(10001), "-O1");
}

// OpenMP itself says what it was told.
TEST(Run, ThreadsThatWaitDoNotSpinUnlessTheUserSaysSo) {
  const Workplace here("shift.stn", kShift);
  const auto policy = [&](const std::string& set) {
    const std::string said =
        here.shell("unset OMP_WAIT_POLICY; export OMP_DISPLAY_ENV=verbose; " + set +
                   "exec '" STENCILC_BINARY "' run shift.stn --target=cpu --size 4x4")
            .err;
    std::string found;
    for (const char* word : {"'PASSIVE'", "'ACTIVE'", "SPINCOUNT = '1000'", "SPINCOUNT = '77'"})
      if (said.find(word) != said.npos) found += word;
    return found;
  };
  EXPECT_EQ(policy(""), "'PASSIVE'SPINCOUNT = '1000'");
  EXPECT_EQ(policy("export OMP_WAIT_POLICY=active; "), "'ACTIVE'");
  EXPECT_NE(policy("export GOMP_SPINCOUNT=77; ").find("SPINCOUNT = '77'"), std::string::npos);
}

// As the first command of README.md leaves it.
TEST(Run, ABuildWithoutClangSaysWhatItLacks) {
  const Workplace here("shift.stn", kShift);
  fs::create_directories(here.path / "bin");
  fs::copy_file(STENCILC_BINARY, here.path / "bin/stencilc");
  EXPECT_EQ(ended(here.shell("PATH=/nowhere exec bin/stencilc verify shift.stn"), 1).err,
            "stencilc: error: this stencilc was built without LLVM/Clang, which runs and judges "
            "emitted code [STN0705]\n"
            "  help: to check CUDA code, or to run it without a GPU, run `./scripts/bootstrap && "
            "./scripts/build` in the repository of stencilc, which installs LLVM/Clang 22\n"
            "  help: `--target cpu` verifies the code for the CPU, without Clang\n");
  EXPECT_EQ(ended(here.shell("exec bin/stencilc shift.stn --check -o shift.cu"), 1).err,
            "stencilc: error: `--check` cannot judge the output: this stencilc was built without "
            "LLVM/Clang, which runs and judges emitted code [STN0705]\n"
            "  help: to check CUDA code, or to run it without a GPU, run `./scripts/bootstrap && "
            "./scripts/build` in the repository of stencilc, which installs LLVM/Clang 22\n"
            "  help: without `--check` the code is written all the same\n");
  EXPECT_EQ(here.shell("exec bin/stencilc verify shift.stn --target cpu").status, 0);
}

// A GPU that is made up and multiplies every cell by $FACTOR in each step.
TEST(Run, VerifyOnAGpuNeedsNoClang) {
  Workplace here("turn.stn", "stencil turn { axes x; field f32 u; u[t+1] = -u; }");
  here.own_cache = true;
  here.program("nvidia-smi", "echo 'Made-up GPU'\n");
  here.program("nvcc", R"sh([ "$1" = --version ] && exit
while [ "$1" != -o ]; do shift; done
exec gcc -shared -fPIC -I "$(dirname "$3")" -o "$2" -x c - <<'END'
#include <stdlib.h>
#include "stencil/host_call.h"
int stencilc_host_call(struct stencil_host_call* call) {
  float* u = call->buffers[0];
  for (int64_t step = 0; step < call->steps; ++step)
    for (int64_t x = 0; x < call->extents[0]; ++x) u[x] *= atoi(getenv("FACTOR"));
  call->message[0] = 0;
  return 0;
}
END
)sh");
  fs::create_directories(here.path / "bin");
  fs::copy_file(STENCILC_BINARY, here.path / "bin/stencilc");
  const auto verify = [&](const std::string& factor) {
    return here.shell("export PATH=\"$PWD:$PATH\" FACTOR=" + factor +
                      "\nexec bin/stencilc verify turn.stn");
  };
  const Finished agrees = ended(verify("-1"));
  EXPECT_EQ(agrees.err,
            "stencilc: note: not run on the executor: this stencilc was built without "
            "LLVM/Clang, which runs and judges emitted code\n");
  expect_has(agrees.out, {"turn: ", "agree with the interpreter in every bit"});
  const Finished differs = ended(verify("2"), 1);
  EXPECT_EQ(differs.out, "");
  expect_has(differs.err, {" in the interpreter [STN0707]", "the emitted code ran on the GPU"});
  expect_lacks(differs.err, {"executor"});
}

TEST(Run, WithoutACompilerItSaysWhatToInstall) {
  const Workplace here("shift.stn", kShift);
  EXPECT_EQ(ended(here.shell("PATH=/nowhere; '" STENCILC_BINARY
                             "' run shift.stn --target=cpu --size 4x4"),
                  1)
                .err,
            "stencilc: error: `g++` is not on the PATH; install g++ [STN0705]\n");
}

TEST(Run, PlacesOfPointsAreCells) {
  const Workplace here(
      "shot.stn",
      "stencil shot { axes x; field f32 u boundary clamp; points p; series f32 a(p); "
      "series f32 r(p); u[t+1] = u; inject u[t+1] += a[t] at p; sample r[t] = u at p; }");
  const auto run = [&](const std::string& words) {
    return here.stencilc("run shot.stn --target=cpu --size=4 --in u=zero " + words);
  };
  // Beyond the grid is well, beyond the numbers of cells is not.
  EXPECT_EQ(run("--points p=2147483647").status, 0);
  for (const std::string place : {"4294967297", "-4294967295", "inf"}) {
    expect_has(ended(run("--points p=" + place), 1).err,
               {"`p` holds whole cells, but there is no cell"});
  }
  // No points, or no steps, and so no values.
  EXPECT_EQ(run("--points p= --out r=none.npy").status, 0);
  expect_has(here.read("none.npy").substr(0, 100), {"(1, 0)"});
  EXPECT_EQ(run("--steps 0").status, 0);
  // As files, too: of places, and of values for none of them.
  here.write("places.npy", data::npy_file({Element::f64, {1, 0}, {}}));
  ended(run("--points p=places.npy --in a=none.npy --out r=again.npy"));
  EXPECT_EQ(here.read("again.npy"), here.read("none.npy"));
  expect_has(run("--in u=places.npy").err, {"every extent must be at least 1"});
}

// Statements that go on from each other, at the boundary and inside, with what is read before and
// after.
constexpr const char* kSweep =
    "stencil sweep { axes x, y; field f32 p boundary zero; field f32 q boundary clamp; "
    "field f32 rhs in; color red, black by (x + y) % 2; "
    "p = 0.25*(p[x-1] + p[x+1] + p[y-1] + p[y+1] - rhs); p += 0.5*p on x >= 2; "
    "p = max(p, 0) where p < 0.25 && rhs > 0.1; q = 0.5*(q[x-1] + p); q *= 0.75; "
    "reduce before = sum(p); reduce after = sum(p[t+1]); }";
// Storage of 16 bits, computed in f32: what is between two values of the field shows which.
constexpr const char* kThirds =
    "stencil thirds {\n  axes x, y;\n  field f16 u boundary periodic;\n"
    "  field bf16 v boundary constant 0.5;\n  field f16 w out;\n"
    "  u[t+1] = f16((u[x-1] + u[x+1] + u) / 3);\n"
    "  v[t+1] = bf16(v[y-1] * 0.75 + u);\n"
    "  w = f16(f64(u) * f64(v));\n}\n";

TEST(Run, SweepsByStatementsAndHalvesAreThoseOfTheInterpreter) {
  const Workplace here("sweep.stn", kSweep);
  here.write("thirds.stn", kThirds);
  for (const std::string program : {"sweep.stn", "thirds.stn"}) {
    expect_verified(here, program + " --target=cpu");
#ifdef STENCILC_HAS_CHECK
    expect_verified(here, program + " --target=cuda");
#endif
  }
}

constexpr const char* kHalve =
    "stencil halve { axes x; field f16 u boundary clamp; field bf16 v boundary clamp;"
    " u[t+1] = f16(u / 2); v[t+1] = bf16(v / 2); }";

TEST(RunHalf, FilesOfF32AreRoundedAndF16ComesBackAsItIs) {
  const Workplace here("halve.stn", kHalve);
  here.write("wide.npy", file_of<float>(Element::f32, {1, 1 + 0x1p-12, 1e6, -3}));
  here.write("half.npy", file_of<data::F16>(Element::f16, {1, 0x1p-24, 65504, -3}));
  here.write("two.npy", file_of<data::F16>(Element::f16, {1, 2}));
  here.write("double.npy", file_of<double>(Element::f64, {1, 2}));
  const auto run = [&](const std::string& words) {
    return here.stencilc("run halve.stn --target=cpu --steps=1 " + words);
  };
  const Finished wide = ended(run("--in=u=wide.npy --in=v=wide.npy --out=u=u.npy --out=v=v.npy"));
  EXPECT_EQ(here.read("u.npy"), file_of<data::F16>(Element::f16, {0.5, 0.5, HUGE_VAL, -1.5}));
  EXPECT_EQ(here.read("v.npy"),  // 1e6 is 999424 in bf16
            file_of<float>(Element::f32, {0.5, 0.5, 499712, -1.5}));
  expect_has(
      wide.out,
      {"note: `wide.npy` holds f32 values; 2 of 4 are rounded to f16, 1 of them to infinity "
       "(--strict refuses that)\n",
       "note: `wide.npy` holds f32 values; 2 of 4 are rounded to bf16 (--strict refuses that)\n"});
  const Finished exact = ended(run("--in=u=double.npy --in=v=two.npy --strict"));
  expect_has(exact.out, {"`double.npy` holds f64 values; they are exact in f16",
                         "`two.npy` holds f16 values; they are exact in bf16"});
  const Finished half = ended(run("--in=u=half.npy --in=v=wide.npy --out=u=u.npy"));
  EXPECT_EQ(here.read("u.npy"), file_of<data::F16>(Element::f16, {0.5, 0, 32752, -1.5}));
  expect_refused(here, "run halve.stn --target=cpu --steps=1 ", R"(
    --in u=wide.npy --strict
      => 1 => ...`wide.npy` holds f32 values and the field `u` is f16: 2 of 4 would be rounded (--strict) [STN0703]
  )");
}

}  // namespace
}  // namespace stencilc
