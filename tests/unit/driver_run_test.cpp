// stencilc run on the CPU target: arrays and pictures in and out, what does not fit, and the cache
// of built kernels.
#include <gtest/gtest.h>

#include <chrono>

#include "data/npy.h"
#include "data/png.h"
#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::Names;
using test::read;
using test::Workplace;

// An array of the values of `at(x, y)`.
template <class T, class At>
data::Array array(data::Element element, int nx, int ny, At at) {
  data::Array made = *data::make_array(element, {nx, ny});
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) made.as<T>()[y * nx + x] = static_cast<T>(at(x, y));
  return made;
}
data::Array load(const Workplace& here, const std::string& name) {
  auto loaded = data::parse_npy(read(here.path / name));
  EXPECT_TRUE(loaded.ok()) << name;
  return *loaded;
}

// A right shift by one cell on a torus: what comes out is known for every input.
constexpr const char* kShift =
    "stencil shift { axes x, y; field f32 u boundary periodic; u[t+1] = u[x-1]; }";

TEST(Run, ArraysComeInAndGoOut) {
  const Workplace here;
  here.write("shift.stn", kShift);
  here.write("in.npy", data::npy_file(array<float>(data::Element::f32, 7, 5,
                                                   [](int x, int y) { return 10 * y + x; })));
  const Finished finished = here.stencilc({"run", "shift.stn", "--target=cpu", "--in", "u=in.npy",
                                           "--steps", "3", "--out", "u=out.npy"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("shift: 7 x 5 on CPU"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("3 steps, "), std::string::npos);
  EXPECT_NE(finished.out.find("wrote out.npy\n"), std::string::npos);
  EXPECT_EQ(finished.err, "");
  const data::Array out = load(here, "out.npy");
  const data::Array expected =
      array<float>(data::Element::f32, 7, 5, [](int x, int y) { return 10 * y + (x + 4) % 7; });
  EXPECT_EQ(out.extents, expected.extents);
  EXPECT_EQ(out.bytes, expected.bytes);
}

// Two cells from the left in each of three steps: what was beyond the rim comes in, as often as it
// is read.
TEST(Run, ArraysHoldTheHaloOfTheCaller) {
  const Workplace here;
  here.write(
      "shift.stn",
      "stencil shift { axes x, y; field f32 u boundary { x: ghost; y: clamp; } field f32 s(x) in "
      "boundary ghost; u[t+1] = u[x-2] + s[x+1]; }");
  here.write("in.npy", data::npy_file(array<float>(data::Element::f32, 9, 4,
                                                   [](int x, int y) { return 10 * y + x; })));
  const auto run = [&](const std::string& file, const std::string& size) {
    return here.stencilc({"run", "shift.stn", "--target=cpu", "--in", "u=" + file, "--in",
                          "s=constant:100", "--steps", "3", "--out", "u=out.npy", "--out",
                          "s=s.npy", "--plot", "u=u.png", "--size", size});
  };
  const Finished finished = run("in.npy", "5x4");
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("shift: 5 x 4 on CPU"), std::string::npos) << finished.out;
  const data::Array expected = array<float>(data::Element::f32, 9, 4, [](int x, int y) {
    const bool inside = x >= 2 && x < 7;
    if (!inside) return 10 * y + x;
    const int steps = std::min(3, x / 2);  // until it comes from the halo
    return 10 * y + x - 2 * steps + 100 * steps;
  });
  EXPECT_EQ(load(here, "out.npy").bytes, expected.bytes);
  EXPECT_EQ(load(here, "s.npy").extents, data::Extents{7});
  const Finished without = run("in.npy", "9x4");
  EXPECT_EQ(without.status, 1);
  EXPECT_NE(without.err.find("the input of `u` is 9 x 4, and the grid with its halo is 13 x 4"),
            std::string::npos)
      << without.err;
  here.write("thin.npy",
             data::npy_file(array<float>(data::Element::f32, 4, 4, [](int, int) { return 0; })));
  const Finished thin = here.stencilc({"run", "shift.stn", "--target=cpu", "--in", "u=thin.npy"});
  EXPECT_EQ(thin.status, 1);
  EXPECT_NE(thin.err.find("the input of `u` is 4 x 4; the halo of `u`, 2 x 0 at each end, leaves "
                          "no cell"),
            std::string::npos)
      << thin.err;
}

TEST(Run, PicturesComeInAndGoOut) {
  const Workplace here;
  here.write(
      "flip.stn",
      "stencil flip { axes x, y; field u8 img in; field u8 dst out; dst = sat_u8(255 - img); }");
  const data::Array picture =
      array<uint8_t>(data::Element::u8, 9, 4, [](int x, int y) { return 20 * x + y; });
  here.write("in.png", *data::png_file(picture));
  const Finished finished = here.stencilc({"run", "flip.stn", "--target=cpu", "--in", "img=in.png",
                                           "--out", "dst=out.png", "--plot", "dst=plot.png"});
  ASSERT_EQ(finished.status, 0) << finished.err;
  const auto out = data::parse_png(read(here.path / "out.png"), data::Element::u8);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->extents, picture.extents);
  EXPECT_EQ(out->bytes, array<uint8_t>(data::Element::u8, 9, 4, [](int x, int y) {
                          return 255 - (20 * x + y);
                        }).bytes);
  EXPECT_EQ(read(here.path / "plot.png").substr(1, 3), "PNG");
}

TEST(Run, GeneratorsSeedsAndParams) {
  const Workplace here;
  here.write(
      "scale.stn",
      "stencil scale { axes x, y; param f32 a; param i32 n = 2; field f32 u; u[t+1] = a*u + n; }");
  const auto run = [&](const std::string& in, const std::string& seed, const std::string& out) {
    const Finished finished =
        here.stencilc({"run", "scale.stn", "--target=cpu", "--size", "6x4", "--in", "u=" + in,
                       "--seed", seed, "--param", "a=0.5", "--out", "u=" + out});
    EXPECT_EQ(finished.status, 0) << finished.err;
  };
  run("constant:8", "0", "constant.npy");
  EXPECT_EQ(load(here, "constant.npy").bytes,
            array<float>(data::Element::f32, 6, 4, [](int, int) { return 6; }).bytes);
  run("random", "1", "a.npy");
  run("random", "1", "b.npy");
  run("random", "2", "c.npy");
  EXPECT_EQ(read(here.path / "a.npy"), read(here.path / "b.npy"));
  EXPECT_NE(read(here.path / "a.npy"), read(here.path / "c.npy"));
}

TEST(Run, NoStepsChangeNothing) {
  const Workplace here;
  here.write("shift.stn", kShift);
  here.write("in.npy", data::npy_file(array<float>(data::Element::f32, 5, 3,
                                                   [](int x, int y) { return x - y; })));
  ASSERT_EQ(here.stencilc({"run", "shift.stn", "--target=cpu", "--in", "u=in.npy", "--steps", "0",
                           "--out", "u=out.npy"})
                .status,
            0);
  EXPECT_EQ(read(here.path / "out.npy"), read(here.path / "in.npy"));
}

TEST(Run, WhatDoesNotFitIsSaidBeforeAnythingIsBuilt) {
  const Workplace here;
  here.write("two.stn",
             "stencil two { axes x, y; param f32 speed; param i32 n = 1; field f32 heat boundary "
             "clamp; field u8 mask in; "
             "heat[t+1] = mask > 0 ? speed*heat[x-1] + n : heat; }");
  here.write("f32.npy",
             data::npy_file(array<float>(data::Element::f32, 4, 3, [](int, int) { return 1; })));
  here.write("u8.npy",
             data::npy_file(array<uint8_t>(data::Element::u8, 5, 3, [](int, int) { return 1; })));
  here.write("junk.npy", "no array");
  here.write("junk.png", "no picture");
  const Names before = here.files();
  struct Row {
    std::vector<std::string> words;
    int status;
    std::string says;
  };
  const Row rows[] = {
      {{"--in", "heat=f32.npy", "--in", "mask=u8.npy"},
       1,
       "the input of `mask` is 5 x 3, and the grid is 4 x 3 [STN0703]\n"},
      {{"--in", "heat=f32.npy", "--size", "9x9"},
       1,
       "the input of `heat` is 4 x 3, and the grid is 9 x 9 [STN0703]\n"},
      {{"--in", "heat=u8.npy"},
       1,
       "`u8.npy` holds u8 values and the field `heat` is f32 [STN0703]\n"},
      {{"--in", "heta=f32.npy"},
       1,
       "the stencil `two` has no field `heta` [STN0703]\n  help: did you mean `heat`?\n"},
      {{"--out", "maks=x.npy"},
       1,
       "the stencil `two` has no field `maks` [STN0703]\n  help: did you mean `mask`?\n"},
      {{"--plot", "haet=x.png"},
       1,
       "the stencil `two` has no field `haet` [STN0703]\n  help: did you mean `heat`?\n"},
      {{"--out", "heat=x.txt"}, 1, "`--out heat=x.txt`: the file ends in .npy or .png [STN0703]\n"},
      {{"--in", "heat=lost.npy"},
       3,
       "cannot read `lost.npy`: No such file or directory [STN0701]\n"},
      {{"--in", "heat=junk.npy"}, 1, "`junk.npy`: "},
      {{"--in", "mask=junk.png"}, 1, "`junk.png`: "},
      {{"--in", "heat=noise"}, 1, "`--in heat=noise`: there is no input called `noise`"},
      {{"--size", "8"}, 1, "1 extent (8) for 2 axes [STN0703]\n"},
      {{"--size", "8x8x8"}, 1, "3 extents (8 x 8 x 8) for 2 axes [STN0703]\n"},
      {{"--size", "4x3"},
       1,
       "the param `speed` has no value; give it by `--param speed=...` [STN0703]\n"},
      {{"--size", "4x3", "--param", "sped=1"},
       1,
       "the stencil `two` has no param `sped` [STN0703]\n"},
      {{"--size", "4x3", "--param", "speed=fast"},
       1,
       "`--param speed=fast` gives no number [STN0703]\n"},
      {{"--size", "4x3", "--param", "n=2.5"}, 1, "`--param n=2.5` does not fit `i32` [STN0703]\n"},
      {{"--size", "4x3", "--param", "n=3e10"},
       1,
       "`--param n=3e10` does not fit `i32` [STN0703]\n"},
      {{"--size", "0x3"}, 2, "--size 0x3"},
      {{"--steps", "-1"}, 2, "--steps"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> words = {"run", "two.stn", "--target=cpu"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    SCOPED_TRACE(row.words[1]);
    const Finished finished = here.stencilc(words);
    EXPECT_EQ(finished.status, row.status) << finished.err;
    EXPECT_NE(finished.err.find(row.says), std::string::npos) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(here.files(), before);  // not even the cache
  }
}

TEST(Run, OutputsThatCannotBeWrittenAreErrors) {
  const Workplace here;
  here.write("shift.stn", kShift);
  const Finished finished =
      here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "4x4", "--out", "u=no/x.npy"});
  EXPECT_EQ(finished.status, 3);
  EXPECT_EQ(finished.err,
            "stencilc: error: cannot write `no/x.npy`: No such file or directory [STN0702]\n");
}

// The kernels in the cache, by the folders they are in.
Names cached(const Workplace& here) {
  Names names;
  for (const auto& entry : fs::directory_iterator(here.path / "cache/stencilc"))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(Run, ASecondRunBuildsNothing) {
  const Workplace here;
  here.write("shift.stn", kShift);
  ASSERT_EQ(here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "4x4"}).status, 0);
  ASSERT_EQ(cached(here).size(), 1u);
  const fs::path library = here.path / "cache/stencilc" / cached(here)[0] / "library.so";
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(library, old);
  // Other data, sizes and outputs are no other code.
  ASSERT_EQ(here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "9x5", "--steps", "2",
                           "--in", "u=random", "--out", "u=u.npy"})
                .status,
            0);
  EXPECT_EQ(cached(here).size(), 1u);
  EXPECT_EQ(fs::last_write_time(library), old);
  // Another program is.
  here.write("shift.stn",
             "stencil shift { axes x, y; field f32 u boundary clamp; u[t+1] = u[x-1]; }");
  ASSERT_EQ(here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "4x4"}).status, 0);
  EXPECT_EQ(cached(here).size(), 2u);
}

TEST(Run, ADamagedEntryOfTheCacheIsBuiltAgain) {
  const Workplace here;
  here.write("shift.stn", kShift);
  ASSERT_EQ(here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "4x4"}).status, 0);
  const std::string entry = "cache/stencilc/" + cached(here)[0];
  here.write(entry + "/key", "of another program");
  const Finished finished = here.stencilc({"run", "shift.stn", "--target=cpu", "--size", "4x4"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(read(here.path / entry / "key"), "of another program");
  EXPECT_EQ(cached(here).size(), 1u);
}

TEST(Run, WithoutACompilerItSaysWhatToInstall) {
  const Workplace here;
  here.write("shift.stn", kShift);
  const Finished finished =
      here.shell("PATH=/nowhere XDG_CACHE_HOME='" + (here.path / "cache").string() +
                 "' '" STENCILC_BINARY "' run shift.stn --target=cpu --size 4x4");
  EXPECT_EQ(finished.status, 1);
  EXPECT_EQ(finished.err, "stencilc: error: `g++` is not on the PATH; install g++ [STN0705]\n");
}

TEST(Run, PlacesOfPointsAreCells) {
  const Workplace here;
  here.write("shot.stn",
             "stencil shot { axes x; field f32 u boundary clamp; points p; series f32 a(p); "
             "series f32 r(p); u[t+1] = u; inject u[t+1] += a[t] at p; sample r[t] = u at p; }");
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "shot.stn", "--target=cpu", "--size=4", "--in", "u=zero"});
    return here.stencilc(words);
  };
  // Beyond the grid is well, beyond the numbers of cells is not.
  EXPECT_EQ(run({"--points", "p=2147483647"}).status, 0);
  for (const std::string place : {"4294967297", "-4294967295", "inf"}) {
    const Finished refused = run({"--points", "p=" + place});
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("`p` holds cells, and there is no cell"), std::string::npos)
        << refused.err;
  }
  // No points, or no steps, and so no values.
  EXPECT_EQ(run({"--points", "p=", "--out", "r=none.npy"}).status, 0);
  EXPECT_NE(here.shell("head -c 100 none.npy").out.find("(1, 0)"), std::string::npos);
  EXPECT_EQ(run({"--steps", "0"}).status, 0);
}

// Statements that go on from each other, at the rim and inside, with what is read before and after.
constexpr const char* kSweep =
    "stencil sweep { axes x, y; field f32 p boundary zero; field f32 q boundary clamp; "
    "field f32 rhs in; color red, black by (x + y) % 2; "
    "p = 0.25*(p[x-1] + p[x+1] + p[y-1] + p[y+1] - rhs); p += 0.5*p on x >= 2; "
    "p = max(p, 0) where p < 0.25 && rhs > 0.1; q = 0.5*(q[x-1] + p); q *= 0.75; "
    "reduce before = sum(p); reduce after = sum(p[t+1]); }";

void expect_the_interpreters_sweep(const std::string& target) {
  const Workplace here;
  here.write("sweep.stn", kSweep);
  const Finished finished = here.stencilc({"verify", "sweep.stn", "--target=" + target});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("every cell and bit"), std::string::npos) << finished.out;
}

TEST(Run, TheCpuSweepsByStatementsAsTheInterpreterDoes) { expect_the_interpreters_sweep("cpu"); }

#ifdef STENCILC_HAS_CHECK
TEST(Run, TheEmittedCudaSweepsByStatementsAsTheInterpreterDoes) {
  expect_the_interpreters_sweep("cuda");
}
#endif

TEST(Run, VerifyComparesTheCpuTargetWithTheInterpreter) {
  const Workplace here;
  here.write("shift.stn", kShift);
  const Finished finished = here.stencilc({"verify", "shift.stn", "--target=cpu"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("agree with the interpreter, every cell and bit"), std::string::npos)
      << finished.out;
}

}  // namespace
}  // namespace stencilc
