// stencilc run --every: files of snapshots, films and logs, written while the run goes on.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <tuple>

#include "data/files/npy.h"
#include "driver/execute/call.h"
#include "driver/run/long_run.h"
#include "driver/system/progress.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Finished;
using test::Names;
using test::Workplace;

// Two levels, the number of the step, a series, points between cells, and a reduction.
constexpr const char* kWave =
    "stencil wave { axes x, y; param f32 dt = 0.5; field f32 u boundary clamp; "
    "points src; points at linear; series f32 said(src), heard(at); reduce m = max(abs(u)); "
    "u[t+1] = 1.5*u - 0.6*u[t-1] + 0.01*(u[x-1] + u[x+1] + u[y-1] + u[y+1]) + f32(t) * 1e-3; "
    "inject u[t+1] += dt*said[t] at src; sample heard[t] = u at at; }";

constexpr const char* kUntil =
    "stencil relax { axes x, y; field f32 u boundary clamp; reduce change = max(abs(u[t+1] - u)); "
    "u[t+1] = 0.25*u[x-1] + 0.5*u + 0.25*u[x+1]; iterate until change < 1e-3, check every 7, limit "
    "1000; }";

TEST(RunSnapshots, TheyAreTheRunsOfSoManySteps) {
  const Workplace here("g.stn",
                       "stencil g { axes x, y; param f32 dt = 0.1; field f32 u boundary clamp; "
                       "u[t+1] = 1.5*u - 0.6*u[t-1] + 0.01*(u[x-1] + u[y+1]) + f32(t) * 1e-3; }");
  const std::string run = "run g.stn --target=cpu --size 40x30 ";
  const Finished long_run = ended(here.stencilc(
      run + "--steps 25 --every 10 --out u=u_%04d.npy --out 'u=v%d.vti' --plot u_%d.svg"));
  EXPECT_EQ(here.files(), (Names{"g.stn", "u_0010.npy", "u_0020.npy", "u_10.svg", "u_20.svg",
                                 "v.pvd", "v10.vti", "v20.vti"}));
  expect_has(long_run.out, {"25 steps", "\nwrote u_0010.npy to u_0020.npy, 2 files\n",
                            "\nwrote v10.vti to v20.vti, 2 files\nwrote v.pvd\n",
                            "\nwrote u_10.svg to u_20.svg, 2 files\n"});
  for (const int steps : {10, 20}) {
    const std::string n = std::to_string(steps);
    ended(here.stencilc(run + "--out u=one.npy --out u=one.vti --plot u=one.svg --steps " + n));
    EXPECT_EQ(here.read("u_00" + n + ".npy"), here.read("one.npy"));
    EXPECT_EQ(here.read("v" + n + ".vti"), here.read("one.vti"));
    // A picture says which step it shows; the cells are the same.
    const auto cells = [&](const std::string& name) {
      const std::string svg = here.read(name);
      const size_t image = svg.find("<image");
      return svg.substr(image, svg.find("/>", image) - image);
    };
    EXPECT_EQ(cells("u_" + n + ".svg"), cells("one.svg"));
    expect_has(here.read("u_" + n + ".svg"),
               {steps == 10 ? "step 10, time 1<" : "step 20, time 2<"});
  }
  // In pieces, too; and times are those of a param `dt`, as it is written.
  ended(here.stencilc(run + "--steps 25 --every 10 --out u=p_%d.npy --devices 3"));
  ended(here.stencilc(run + "--steps 12 --every 12 -D dt=0.05 --log log"));
  EXPECT_EQ(nlohmann::json::parse(here.read("log"))["time"], 0.6);
  EXPECT_EQ(here.read("p_20.npy"), here.read("u_0020.npy"));
  expect_has(here.read("v.pvd"),
             {"<DataSet timestep=\"1\" part=\"0\" file=\"v10.vti\"/>",
              "<DataSet timestep=\"2\" part=\"0\" file=\"v20.vti\"/>\n  </Collection>"});
}

TEST(RunSnapshots, SeriesReductionsAndConditionsAreThoseOfTheWholeRun) {
  const Workplace here("relax.stn", kUntil);
  const auto without_time = [](std::string text) {
    // The name of the target, the time and the rate.
    text.erase(text.find(" steps, "),
               text.find('\n', text.find(" steps, ")) - text.find(" steps, "));
    return text;
  };
  const std::string run = "run relax.stn --target=cpu --size 40x30 --in u=random ";
  const Finished plain = ended(here.stencilc(run + "--out u=plain.npy"));
  const Finished parts = ended(here.stencilc(run + "--every 25 --log log"));
  EXPECT_EQ(without_time(plain.out).substr(0, without_time(plain.out).find("wrote")),
            without_time(parts.out).substr(0, without_time(parts.out).find("wrote")));
  const Finished pieces = ended(here.stencilc(run + "--every 25 --log log --devices 2"));
  expect_has(pieces.out, {plain.out.substr(plain.out.find("change = "),
                                           plain.out.find("wrote") - plain.out.find("change = "))});
  // It ends at a multiple of 7; the last snapshot is the last multiple of 25 before.
  const size_t at = plain.out.find('\n') + 1;
  const int steps = std::stoi(plain.out.substr(at));
  EXPECT_EQ(steps % 7, 0);
  EXPECT_GT(steps, 50);
  EXPECT_LT(steps, 1000);
  EXPECT_EQ(testing::lines_of(here.read("log")).size(), static_cast<size_t>(steps / 25));

  here.write("wave.stn", kWave);
  const std::string wave =
      "run wave.stn --target=cpu --size 20x10 --steps 12 --points 'at=3.5,4;0,0' --in said=random "
      "--in u=random ";
  const Finished whole = ended(here.stencilc(wave + "--out heard=whole.npy"));
  const Finished cut =
      ended(here.stencilc(wave + "--out heard=cut.npy --out u=s%02d.npz --every 5"));
  EXPECT_EQ(here.read("whole.npy"), here.read("cut.npy"));
  expect_has(cut.out, {whole.out.substr(whole.out.find("m = "),
                                        whole.out.find("wrote") - whole.out.find("m = "))});
  EXPECT_TRUE(here.exists("s05.npz"));
  EXPECT_TRUE(here.exists("s10.npz"));
}

TEST(RunSnapshots, ALineOfTheLogSaysWhatTheFieldsHold) {
  const Workplace here("twice.stn",
                       "stencil twice { axes x; field f32 a; field u8 n; field f32 c; "
                       "a[t+1] = 2*a + c; n[t+1] = n; }");
  ended(
      here.stencilc("run twice.stn --target=cpu --size 3 --in a=ramp --in n=constant:7 --in "
                    "c=constant:3e38 --steps 4 --every 1 --log log --quiet"));
  const Names lines = testing::lines_of(here.read("log"));
  ASSERT_EQ(lines.size(), 4u);
  const auto first = nlohmann::json::parse(lines[0]), last = nlohmann::json::parse(lines[3]);
  EXPECT_EQ(first["step"], 1);
  EXPECT_EQ(first["time"], 1.0);
  EXPECT_EQ(first["fields"].size(), 2u);  // not the input
  EXPECT_EQ(first["fields"]["n"],
            (nlohmann::json{{"min", 7.0}, {"max", 7.0}, {"sum", 21.0}, {"not_finite", 0}}));
  EXPECT_EQ(first["fields"]["a"]["not_finite"], 0);
  EXPECT_EQ(last["fields"]["a"]["not_finite"], 3);
  EXPECT_TRUE(last["fields"]["a"]["min"].is_null());
  EXPECT_EQ(last["fields"]["a"]["sum"], 0.0);
}

TEST(RunSnapshots, AFilmHasAPictureForEachOfThem) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  const std::string run = "run g.stn --target=cpu --size 30x20 --steps 6 --every 2 ";
  const Finished film = ended(here.stencilc(run + "--animate u.gif:range=0..1:fps=3"));
  expect_has(film.out, {"\nwrote u.gif\n"});
  const std::string gif = here.read("u.gif");
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  size_t pictures = 0;
  for (size_t at = 0; (at = gif.find(std::string("\x21\xf9\x04\x04", 4), at)) != gif.npos; ++at)
    ++pictures;
  EXPECT_EQ(pictures, 3u);
  // An encoder that takes the pictures, and one that fails.
  here.program("ffmpeg",
               "for last; do :; done\nhead -c 100 | wc -c > \"$last\"; cat > /dev/null\n");
  const auto encoded = [&](const std::string& words) {
    return here.shell("PATH=\"$PWD:$PATH\"; exec '" STENCILC_BINARY "' " + run + words);
  };
  ended(encoded("--animate u.mp4"));
  EXPECT_EQ(here.read("u.mp4"), "100\n");
  here.program("ffmpeg", "echo no codec >&2\nexit 3\n");
  here.write("u.mp4", "earlier");
  expect_has(ended(encoded("--animate u.mp4"), 3).err,
             {"cannot write `u.mp4`: `ffmpeg` says: no codec"});
  EXPECT_EQ(here.read("u.mp4"), "earlier");
  EXPECT_FALSE(here.exists("u.mp4.part"));
}

// All that was taken until then.
TEST(RunSnapshots, ASignalCompletesTheFilm) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  const std::string run = "run g.stn --target=cpu --size 9x5 --in u=ramp ";
  ended(here.stencilc(run + "--steps 1"));  // builds
  const Finished stopped =
      ended(here.shell("env --default-signal=INT '" STENCILC_BINARY "' " + run +
                       "--steps 1000000000000 --every 100000 --animate u.gif --log l & "
                       "while [ ! -s l ]; do sleep 0.01; done; kill -INT $!; wait $!"),
            130);
  EXPECT_TRUE(stopped.err.starts_with("stencilc: stopped at step ")) << stopped.err;
  expect_lacks(stopped.err, {"--resume"});
  EXPECT_EQ(stopped.out, "wrote u.gif\nwrote l\n");
  const std::string gif = here.read("u.gif");
  EXPECT_TRUE(gif.ends_with(";"));
  size_t pictures = 0;
  for (size_t at = 0; (at = gif.find(std::string("\x21\xf9\x04\x04", 4), at)) != gif.npos; ++at)
    ++pictures;
  EXPECT_EQ(pictures, testing::lines_of(here.read("l")).size());
}

TEST(RunSnapshots, WhatCannotBeWrittenEndsTheRunWithItsName) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  test::fs::create_directory(here.path / "u_40.npy");
  const Finished failed =
      ended(here.stencilc(
                "run g.stn --target=cpu --in u=gauss --size 8x8 --steps 100000000 --every 10 --out "
                "u=u_%d.npy"),
            3);
  EXPECT_EQ(failed.out, "");
  EXPECT_EQ(failed.err,
            "stencilc: error: cannot write `u_40.npy`: it is a directory [STN0702]\n"
            "  note: the last snapshot that was written is that of step 30\n");
}

// None of these computes anything, which would take minutes.
TEST(RunSnapshots, FoldersAreCheckedBeforeTheRun) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  here.write("file", "");
  test::fs::create_directory(here.path / "u.npy");
  expect_refused(here, "run g.stn --target=cpu --size 512x512 --steps 1000000000 ", R"(
--out u=no/u.npy     => 3 => ...cannot write `no/u.npy`: there is no directory `no`; `mkdir -p no` makes it [STN0702]
--out u=file/u.npy   => 3 => ...cannot write `file/u.npy`: `file` is not a directory [STN0702]
--out u=u.npy        => 3 => ...cannot write `u.npy`: it is a directory [STN0702]
--plot u=no/u.png    => 3 => ...cannot write `no/u.png`: there is no directory `no`...
--checkpoint no/u    => 3 => ...cannot write `no/u`: there is no directory `no`...
--every 10 --out u=no/%03d.npy => 3 => ...cannot write `no/010.npy`: there is no directory `no`...
--every 10 --animate u=no/u.gif => 3 => ...cannot write `no/u.gif`: there is no directory `no`...
--every 10 --log no/u.jsonl --plot u%d.png => 3 => ...cannot write `no/u.jsonl`: there is no directory `no`...
--dry-run --out u=no/u.npy => 3 => ...cannot write `no/u.npy`: there is no directory `no`...
)");
  expect_has(ended(here.stencilc("run g.stn --target=cpu --size 8x8 --steps 20 --every 30 --plot "
                                 "u%d.png"))
                 .err,
             {"stencilc: warning: `--every 30`: no snapshot is written, because the run ends at "
              "step 20\n"});
}

TEST(RunSnapshots, NamesAreCheckedBeforeTheRun) {
  const Workplace here("g.stn",
                       "stencil g { axes x, y; field f32 u, v; u[t+1] = 0.9*u; v[t+1] = u; }");
  here.write("once.stn", "stencil once { axes x; field f32 u; field f32 v out; v = u; }");
  expect_refused(here, "run ", R"(
g.stn --every 5 --steps 9 --out u=u.npy => 1 => ...its name needs a place for the number of the step, such as `%06d`...
g.stn --every 5 --steps 9 --out u=- => 1 => ...standard output...
g.stn --every 5 --steps 9 --out u=u%d%d.npy => 1 => ...two places for the number...
g.stn --every 5 --steps 9 --plot u.png => 1 => ...its name needs a place for the number of the step...
g.stn --every 5 --steps 9 => 1 => ...`--every` has no effect without...
g.stn --every 5 --steps 9 --out u=a%d.npy --out v=a%d.npy => 1 => ...`--out v=a%d.npy` would overwrite the file of `--out u=a%d.npy`...
g.stn --every 5 --steps 10 --out u=a%02d.npy --out v=./a%d.npy => 1 => ...would overwrite the file of...
g.stn --every 1 --steps 12 --out u=a1%d.npy --out v=a%d.npy => 1 => ...would overwrite the file of...
g.stn --every 5 --steps 9 --out u=a%d.vti --out v=a_%d.vti => 1 => ...would overwrite the file of...
g.stn --every 5 --steps 9 --animate u.gif --animate u=u.gif => 1 => ...would overwrite the file of...
g.stn --every 5 --steps 9 --animate u.png => 1 => ...the name of a film has to end in .gif or .mp4...
g.stn --every 5 --steps 9 --animate u.gif:fps=0 => 1 => ...`:fps=0`: write how many pictures a second has...
g.stn --every 5 --steps 9 --animate w.gif => 1 => ...there is no field `w`...
g.stn --every 5 --steps 9 --plot u=u.gif => 1 => ...`--animate` makes films...
g.stn --steps 9 --out u=u%d.npy => 1 => ...leave out `%d`, or write snapshots with `--every N`...
g.stn --steps 9 --animate u.gif => 2 => stencilc: error: `--animate` needs `--every N`: a film shows every N-th step => ...
g.stn --steps 9 --log l => 2 => stencilc: error: `--log` needs `--every N`: it has a line for every N-th step => ...
once.stn --every 5 --out v=v%d.npy => 1 => ...takes no time steps...
)");
}

TEST(RunSnapshots, ADryRunNamesWhatIsWrittenBetweenTheSteps) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  const Finished dry =
      ended(here.stencilc("run g.stn --target=cpu --size 8x8 --steps 9 --every 3 --out u=u%d.npy "
                          "--animate u.gif --log l "
                          "--checkpoint c --dry-run"));
  for (const char* line : {"u%d.npy from u", "u.gif, a film of u", "l, a log of the snapshots",
                           "snapshots every 3 steps", "c, a checkpoint"})
    expect_has(dry.out, {line});
  EXPECT_EQ(here.files(), Names{"g.stn"});
  // The two copies that are written are memory, too, of 32 KiB each.
  const auto memory = [&](const std::string& words) {
    const std::string out = ended(here.stencilc("run g.stn --target=cpu --size 64x128 --steps 9 "
                                                "--dry-run " +
                                                words))
                                .out;
    return std::stod(out.substr(out.find("memory") + 6));
  };
  const double plain = memory("--out u=u.npy");
  EXPECT_NEAR(memory("--out u=u%d.npy --every 3") - plain, 64, 0.2);
  EXPECT_NEAR(memory("--checkpoint c") - plain, 64, 0.2);
  // And those on a GPU, with which it goes on meanwhile.
  const std::string gpu =
      ended(
          here.stencilc("run g.stn --target=cuda --size 64x128 --steps 9 --checkpoint c --dry-run"))
          .out;
  expect_has(gpu, {" of the GPU\n",
                   "memory   32.0 KiB of the GPU for copies of checkpoints, if they are left\n"});
}

TEST(RunSnapshots, QuietRunsSayNothing) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  const Finished quiet =
      ended(here.stencilc("run g.stn --target=cpu --size 8x8 --steps 9 --out u=u.npy --quiet"));
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_TRUE(here.exists("u.npy"));
}

// The code for GPUs, in parts of 1 to 7 steps: it keeps the fields between them.
TEST(RunSnapshots, PartsOfARunOnADeviceAreTheWholeRun) {
  const diag::Sources sources = {
      {"p.stn",
       "stencil p { axes x, y; field f32 u boundary clamp; reduce m = max(abs(u)); "
       "u[t+1] = 1.5*u - 0.6*u[t-1] + 0.01*(u[x-1] + u[y+1]) + f32(t) * 1e-3; "
       "iterate until m > 4, check every 3, limit 100; }"}};
  diag::Engine engine;
  const auto compiled = driver::compile(sources, {}, engine);
  ASSERT_TRUE(compiled.has_value());
  const driver::Machine machine = driver::execute(*compiled, true, true);
#ifdef STENCILC_HAS_CHECK
  ASSERT_TRUE(machine.call) << machine.problem;
#else
  GTEST_SKIP() << "this build has no executor";
#endif
  const auto filled = [] {
    driver::HostData host;
    host.extents = {37, 11};
    host.first = 5;
    host.reductions = {ir::make_real(ir::Type::f32, 0)};
    for (int level = 0; level < 2; ++level) {
      host.buffers.push_back(*data::make_array(data::Element::f32, host.extents));
      for (int64_t i = 0; i < host.buffers.back().count(); ++i)
        host.buffers.back().as<float>()[i] = static_cast<float>((i * 7 + level) % 13);
    }
    return host;
  };
  driver::HostData whole = filled(), parts = filled();
  std::vector<double> seconds(1);
  ASSERT_EQ(driver::call(machine, whole, 20, seconds), "");
  std::vector<int64_t> asked;
  data::Array seen = parts.buffers[0];
  const auto watcher = [&](const driver::Look& look) {
    asked.push_back(look.done());
    EXPECT_TRUE(look.fetch({&seen, nullptr}));
    if (look.done() == 1) {
      driver::HostData one = filled();
      EXPECT_EQ(driver::call(machine, one, 1, seconds), "");
      EXPECT_EQ(seen.bytes, one.buffers[0].bytes);
      EXPECT_EQ(ir::print(look.reductions()[0]), ir::print(one.reductions[0]));
      EXPECT_EQ(look.content(), one.reductions[0].real > 4);
    }
    return std::min<int64_t>(20 - look.done(), 1 + look.done());
  };
  ASSERT_EQ(driver::call(machine, parts, 0, seconds, watcher), "");
  EXPECT_EQ(asked, (std::vector<int64_t>{0, 1, 3, 7, 15, 20}));
  EXPECT_EQ(parts.steps_taken, 20);
  EXPECT_EQ(parts.buffers[0].bytes, whole.buffers[0].bytes);
  EXPECT_EQ(parts.buffers[1].bytes, whole.buffers[1].bytes);
  EXPECT_EQ(seen.bytes, whole.buffers[0].bytes);
  EXPECT_EQ(ir::print(parts.reductions[0]), ir::print(whole.reductions[0]));
}

// Values of a device that goes on meanwhile, whose streams run later: they are those of the step at
// which they were asked for. Arrays are by turns, and large enough to be pinned. The last ones come
// by another thread, for which the end of the run waits.
TEST(RunSnapshots, ValuesComeFromADeviceThatGoesOn) {
#ifndef STENCILC_HAS_CHECK
  GTEST_SKIP() << "this build has no executor";
#endif
  const diag::Sources sources = {
      {"p.stn",
       "stencil p { axes x, y, z; field f32 u; field f32 g boundary ghost; "
       "u[t+1] = u + 1; g[t+1] = g + min(g[x-1], 0) + 2; }"}};
  diag::Engine engine;
  driver::CompileOptions options;
  options.schedule = "naive";
  const auto compiled = driver::compile(sources, options, engine);
  ASSERT_TRUE(compiled.has_value());
  const driver::Machine machine = driver::execute(*compiled, true, true);
  ASSERT_TRUE(machine.call) << machine.problem;
  driver::HostData host;
  host.extents = {70, 80, 3};
  for (const data::Extents& extents : {host.extents, data::Extents{72, 80, 3}})
    host.buffers.push_back(*data::make_array(data::Element::f32, extents));
  for (const uint64_t seed : {0, 1, 2, 3}) {
    machine.set_devices(seed == 0 ? 0 : 1, seed);
    std::vector<data::Array> seen[2] = {host.buffers, host.buffers};
    driver::HostData run = host;
    std::vector<double> seconds(1);
    int asked = -1, looks = 0;
    const auto arrives = [&](const driver::Look& look) {
      auto& to = seen[looks++ % 2];
      EXPECT_TRUE(look.arrive({&to[0], &to[1]}));
      const auto& [u, g] = std::tie(to[0], to[1]);
      for (const int64_t i : {int64_t{0}, u.count() / 2, u.count() - 1})
        EXPECT_EQ(u.as<float>()[i], static_cast<float>(asked)) << seed;
      for (const int64_t i : {int64_t{73}, g.count() - 2})
        EXPECT_EQ(g.as<float>()[i], 2 * static_cast<float>(asked));
      EXPECT_EQ(g.as<float>()[71], 0) << "the halo";
    };
    std::atomic<bool> arrived = false;
    std::thread other;
    const auto watcher = [&](const driver::Look& look) -> int64_t {
      if (asked >= 0) arrives(look);
      asked = static_cast<int>(look.done());
      // Streams that run later belong to this thread.
      if (asked == 12 && seed != 0) return 0;
      EXPECT_TRUE(look.depart({true, true}));
      if (asked < 12) return 3;
      other = std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        arrived = true;
        arrives(look);
      });
      return 0;
    };
    ASSERT_EQ(driver::call(machine, run, 0, seconds, watcher), "");
    EXPECT_EQ(arrived, seed == 0);
    if (other.joinable()) other.join();
    EXPECT_EQ(looks, seed == 0 ? 5 : 4);
    EXPECT_EQ(run.buffers[0].as<float>()[5], 12);
  }
  machine.set_devices(0, 0);
}

// As the command runs a device, which a machine without one cannot. Where a file cannot be written,
// snapshots that are on their way are let go, and the run ends.
TEST(RunSnapshots, TheirThreadBringsThemFromADevice) {
#ifndef STENCILC_HAS_CHECK
  GTEST_SKIP() << "this build has no executor";
#endif
  const Workplace here("p.stn", "stencil p { axes x, y; field f32 u; u[t+1] = u + 1; }");
  diag::Engine engine;
  driver::Options options;
  options.compilation.schedule = "naive";
  options.outputs = {{"u", (here.path / "u_%d.npy").string()}};
  options.long_run.every = 3;
  options.long_run.quiet = true;
  const auto compiled =
      driver::compile({{"p.stn", here.read("p.stn")}}, options.compilation, engine);
  ASSERT_TRUE(compiled.has_value());
  const driver::Machine machine = driver::execute(*compiled, true, true);
  ASSERT_TRUE(machine.call) << machine.problem;
  const driver::InputFacts facts;
  const driver::LongRun run{options, *compiled, machine, facts, engine};
  driver::HostData host;
  host.extents = {150, 130};
  host.buffers.push_back(*data::make_array(data::Element::f32, host.extents));
  driver::HostData again = host;
  const driver::Watched whole = driver::run_watched(run, host, {}, 20);
  EXPECT_EQ(whole.failed, "");
  EXPECT_FALSE(engine.has_errors());
  EXPECT_EQ(whole.step, 20);
  for (const int step : {3, 6, 9, 12, 15, 18}) {
    const auto file = data::parse_npy(here.read("u_" + std::to_string(step) + ".npy"));
    ASSERT_TRUE(file.ok()) << step;
    EXPECT_EQ(file->extents, host.extents);
    for (int64_t i = 0; i < file->count(); ++i)
      ASSERT_EQ(file->as<float>()[i], static_cast<float>(step));
  }
  test::fs::remove(here.path / "u_9.npy");
  test::fs::create_directory(here.path / "u_9.npy");
  const driver::Watched ended = driver::run_watched(run, again, {}, 3000000);
  EXPECT_EQ(ended.failed, "");
  EXPECT_LT(ended.step, 3000000);
  ASSERT_TRUE(engine.has_errors());
  expect_has(engine.all()[0].text, {"u_9.npy`: it is a directory"});
}

TEST(Progress, ABarSaysTheRateAndTheTimeLeft) {
  using driver::progress_line;
  EXPECT_EQ(progress_line("steps", 120, 480, 0, 3),
            "steps [======>                 ] 120/480, 40/s, 9 s left");
  EXPECT_EQ(progress_line("steps", 480, 480, 240, 3),
            "steps [========================] 480/480, 80/s, 0 s left");
  EXPECT_EQ(progress_line("steps", 0, 10, 0, 1), "steps [>                       ] 0/10");
  EXPECT_EQ(progress_line("s", 1, 10001, 0, 10),
            "s [>                       ] 1/10001, 0.1/s, 27 h 46 min left");
  EXPECT_EQ(progress_line("s", 1, 31, 0, 10),
            "s [>                       ] 1/31, 0.1/s, 5 min 00 s left");
}

}  // namespace
}  // namespace stencilc
