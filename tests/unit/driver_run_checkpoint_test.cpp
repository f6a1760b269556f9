// stencilc run --checkpoint and --resume: what goes on has the bits of a run that was never
// stopped, and what cannot be trusted is refused.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>

#include "data/files/npy.h"
#include "data/values/generate.h"
#include "driver/run/long_run.h"
#include "runtime/include/stencil/host_call.h"
#include "runtime/include/stencil/save.h"
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

// Two levels, the number of the step, series in and out, points between cells, and a reduction.
constexpr const char* kShot =
    "stencil shot { axes x, y; param f32 dt = 0.5; field f32 u boundary clamp; field f32 c in; "
    "points src; points at linear; series f32 said(src), heard(at); reduce m = max(abs(u)); "
    "u[t+1] = 1.5*u - 0.6*u[t-1] + 0.01*c*(u[x-1] + u[x+1] + u[y-1] + u[y+1]) + f32(t) * 1e-3; "
    "inject u[t+1] += dt*said[t] at src; sample heard[t] = u at at; }";

constexpr const char* kRelax =
    "stencil relax { axes x, y; field f32 u boundary clamp; reduce change = max(abs(u[t+1] - u)); "
    "u[t+1] = 0.25*u[x-1] + 0.5*u + 0.25*u[x+1]; iterate until change < 1e-3, check every 7, limit "
    "1000; }";

constexpr const char* kDecay =
    "stencil decay { axes x, y; param f32 D = 0.9; field f32 u boundary clamp; u[t+1] = D*u[x-1] + "
    "f32(t); }";

// The lines that name values: reductions, and files.
std::string values_of(const std::string& out, const std::string& name) {
  const size_t at = out.find(name + " = ");
  return at == out.npos ? "" : out.substr(at, out.find('\n', at) - at);
}

TEST(RunCheckpoints, ARunGoesOnAsIfItHadNeverStopped) {
  const Workplace here("shot.stn", kShot);
  const std::string run =
      "run shot.stn --target=cpu --points 'at=3.5,4;0,0' --in said=random:0..1 --seed 3 ";
  const std::string fields = "--size 20x17 --in u=random --in 'u[t-1]=ramp' --in c=random ";
  const std::string out = "--out u=u.npy --out heard=heard.npy ";
  const Finished whole = ended(here.stencilc(run + fields + out + "--steps 25"));
  const std::string u = here.read("u.npy"), heard = here.read("heard.npy");
  const std::string m = values_of(whole.out, "m");
  ASSERT_NE(m, "");
  // A series has as many steps as the whole run, so the first part is a run that is killed later.
  ended(here.stencilc(run + fields + "--steps 25 --checkpoint c --checkpoint-every 10"));
  EXPECT_EQ(here.files(), (Names{"c", "c.previous", "heard.npy", "shot.stn", "u.npy"}));
  for (const std::string how : {"", "--devices 2 ", "--devices 3 ", "-O0 "}) {
    const Finished rest = ended(here.stencilc(run + how + out + "--steps 25 --resume c.previous"));
    expect_has(rest.out, {"goes on from step 20 of c.previous\n", "\n5 steps, "});
    EXPECT_EQ(here.read("u.npy"), u) << how;
    EXPECT_EQ(here.read("heard.npy"), heard) << how;
    EXPECT_EQ(values_of(rest.out, "m"), m) << how;
    expect_lacks(rest.err, {"--in"});
  }
  // Of a run in pieces, and of one that has nothing left to do.
  ended(here.stencilc(run + fields + "--steps 25 --devices 2 --checkpoint d --checkpoint-every 8"));
  for (const std::string from : {"d.previous", "d"}) {
    const Finished rest = ended(here.stencilc(run + out + "--steps 25 --resume " + from));
    EXPECT_EQ(here.read("u.npy"), u);
    EXPECT_EQ(here.read("heard.npy"), heard);
    EXPECT_EQ(values_of(rest.out, "m"), m);
  }
}

// The code for GPUs, on the executor.
class OnDevice {
 public:
  OnDevice(const Workplace& here, const std::string& program, const std::string& schedule,
           int64_t steps) {
    options.input = here.path / "p.stn";
    options.steps = steps;
    options.steps_given = true;
    options.compilation.schedule = schedule;
    const auto made = driver::compile({{"p.stn", program}}, options.compilation, engine);
    EXPECT_TRUE(made.has_value());
    compiled = *made;
    machine = driver::execute(compiled, true, true);
    host.params = {ir::make_real(ir::Type::f32, 0.5)};
    host.reductions = {ir::make_real(ir::Type::f32, 0)};
  }

  // As `--in u=random` and so on; with --resume, what the checkpoint has.
  void set_fields(const data::Extents& extents) {
    host.extents = extents;
    for (const char* what : {"ramp", "ramp", "gauss"})
      host.buffers.push_back(*data::generate(what, data::Element::f32, extents));
  }

  // The run up to the end, and what went wrong.
  std::string run(const driver::RunState& begin) {
    if (!machine.call) return machine.problem;
    const driver::InputFacts facts;
    const driver::Watched watched = driver::run_watched({options, compiled, machine, facts, engine},
                                                        host, begin, options.steps);
    EXPECT_EQ(watched.step, options.steps);
    return watched.failed;
  }

  driver::Options options;
  diag::Engine engine;
  driver::Compiled compiled;
  driver::Machine machine;
  driver::HostData host;
};

// From the CPU to the executor and back, with other schedules and on two pieces.
TEST(RunCheckpoints, EachTargetGoesOnWhereTheOtherWas) {
#ifndef STENCILC_HAS_CHECK
  GTEST_SKIP() << "this build has no executor";
#endif
  const std::string program =
      "stencil p { axes x, y; param f32 dt = 0.5; field f32 u boundary clamp; field f32 c in; "
      "reduce m = max(abs(u)); u[t+1] = 1.5*u - 0.6*u[t-1] + dt*0.02*c*(u[x-1] + u[y+1]) + f32(t) "
      "* 1e-3; }";
  const Workplace here("p.stn", program);
  const std::string run = "run p.stn --target=cpu -O0 ";
  const std::string fields = "--size 37x11 --in u=ramp --in c=gauss ";
  const Finished whole = ended(here.stencilc(run + fields + "--steps 19 --out u=whole.npy"));

  // Of the device; on the CPU to the end.
  const std::string path = here.path / "device";
  {
    OnDevice device(here, program, "", 10);
    ASSERT_TRUE(device.machine.call) << device.machine.problem;
    device.set_fields({37, 11});
    device.options.long_run.checkpoint = path;
    device.options.long_run.checkpoint_steps = 4;
    ASSERT_EQ(device.run({}), "");
  }
  for (const std::string how :
       {"--resume device", "--resume device --devices 2", "--resume device.previous"}) {
    const Finished rest = ended(here.stencilc(run + "--steps 19 --out u=rest.npy " + how));
    expect_has(rest.out, {how.ends_with("previous") ? "goes on from step 8 of device.previous\n"
                                                    : "goes on from step 10 of device\n"});
    expect_lacks(rest.err, {"targets differ"});
    EXPECT_EQ(here.read("rest.npy"), here.read("whole.npy")) << how;
    EXPECT_EQ(values_of(rest.out, "m"), values_of(whole.out, "m"));
  }

  // Of the CPU, in pieces; on the device to the end.
  ended(here.stencilc(run + fields + "--devices 3 --steps 12 --checkpoint cpu"));
  OnDevice device(here, program, "naive", 19);
  device.options.long_run.resume = here.path / "cpu";
  std::string note;
  ASSERT_TRUE(open_checkpoint(device.options, device.compiled, note, device.engine));
  EXPECT_EQ(note, "");
  EXPECT_EQ(device.options.size, (data::Extents{37, 11}));
  device.set_fields(device.options.size);
  driver::RunState begin;
  ASSERT_TRUE(
      restore_checkpoint(device.options, device.compiled, device.host, begin, device.engine));
  EXPECT_EQ(begin.step, 12);
  ASSERT_EQ(device.run(begin), "");
  EXPECT_EQ(data::npy_file(device.host.buffers[0]), here.read("whole.npy"));
  EXPECT_EQ("m = " + ir::print(device.host.reductions[0]), values_of(whole.out, "m"));
}

// A device on which a copy to the host arrives only when it has been asked for its next part: a run
// that waits for the copy ends with what is missing. A value says the step, and the level by a
// half.
struct SlowDevice {
  explicit SlowDevice(stencil_host_call& by) : call(by) {
    by.fetch = [](void* own) { return static_cast<SlowDevice*>(own)->fetch(); };
    by.depart = [](void* own) { return static_cast<SlowDevice*>(own)->depart(); };
    by.arrive = [](void* own, void* const* to) {
      return static_cast<SlowDevice*>(own)->arrive(to);
    };
    by.fetching = by.departing = by.arriving = this;
  }

  int run() {
    for (int64_t part = 0; (part = call.next(&call, done)) > 0; done += part) ask();
    ask();
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !on_the_way; });
    call.steps_taken = done;
    return 0;
  }
  void ask() {
    const std::lock_guard<std::mutex> lock(mutex);
    ++asked;
    changed.notify_all();
  }
  int32_t fetch() {
    for (int slot = 0; slot < 2; ++slot) fetched += call.buffers[slot] != nullptr;
    return 0;
  }
  int32_t depart() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !on_the_way; });
    EXPECT_TRUE(call.buffers[0] != nullptr && call.buffers[1] != nullptr);
    EXPECT_EQ(call.buffers[2], nullptr) << "an input";
    on_the_way = true;
    step = done;
    asked = 0;
    return 1;
  }
  int32_t arrive(void* const* to) {
    std::unique_lock<std::mutex> lock(mutex);
    const bool went_on =
        changed.wait_for(lock, std::chrono::seconds(10), [&] { return asked > 0; });
    for (int slot = 0; slot < 2; ++slot)
      if (to[slot] != nullptr)
        *static_cast<float*>(to[slot]) = static_cast<float>(step) + 0.5f * static_cast<float>(slot);
    on_the_way = false;
    changed.notify_all();
    return went_on ? 0 : 1;
  }

  stencil_host_call& call;
  std::mutex mutex;
  std::condition_variable changed;
  int64_t done = 0, step = 0;
  int asked = 0, fetched = 0;
  bool on_the_way = false;
};

TEST(RunCheckpoints, TheDeviceGoesOnWhileOneIsCopiedAndWritten) {
  const Workplace here(
      "p.stn", "stencil p { axes x; field f32 u; field f32 c in; u[t+1] = u + u[t-1] + c; }");
  diag::Engine engine;
  driver::Options options;
  options.long_run.quiet = true;
  options.long_run.checkpoint = here.path / "c";
  options.long_run.checkpoint_steps = 5;
  const auto compiled =
      driver::compile({{"p.stn", here.read("p.stn")}}, options.compilation, engine);
  ASSERT_TRUE(compiled.has_value());
  int fetched = 0;
  driver::Machine machine;
  machine.call = [&](stencil_host_call* call) {
    SlowDevice device(*call);
    const int code = device.run();
    fetched = device.fetched;
    return code;
  };
  driver::HostData host;
  host.extents = {1};
  for (int slot = 0; slot < 3; ++slot)
    host.buffers.push_back(*data::make_array(data::Element::f32, {1}));
  const driver::InputFacts facts;
  const driver::LongRun run{options, *compiled, machine, facts, engine};
  driver::HostData again = host;
  EXPECT_EQ(driver::run_watched(run, host, {}, 23).failed, "");
  EXPECT_FALSE(engine.has_errors()) << engine.all()[0].text;
  EXPECT_EQ(fetched, 0);
  for (const auto& [name, step] : {std::pair{"c", 23}, std::pair{"c.previous", 20}}) {
    const stencil::SavedParts file((here.path / name).c_str());
    for (int slot = 0; slot < 2; ++slot) {
      const auto* const part = file.find("level " + std::to_string(slot));
      ASSERT_NE(part, nullptr) << name;
      float value = 0;
      ASSERT_TRUE(file.read(*part, &value).ok());
      EXPECT_EQ(value, static_cast<float>(step) + 0.5f * static_cast<float>(slot)) << name;
    }
  }
  // A file that cannot be written ends the run, and what was written before stays.
  const std::string good = here.read("c");
  test::fs::create_directory(here.path / "c.tmp");
  const driver::Watched ended = driver::run_watched(run, again, {}, 1000000);
  EXPECT_LT(ended.step, 1000000);
  ASSERT_TRUE(engine.has_errors());
  expect_has(engine.all()[0].text, {"c` cannot be written: Is a directory"});
  EXPECT_EQ(here.read("c"), good);
}

TEST(RunCheckpoints, FunctionsThatDifferBetweenTargetsAreSaid) {
  const std::string program =
      "stencil p { axes x; field f32 u boundary clamp; u[t+1] = 0.5*exp(-u*u) + 0.1*sin(u[x+1]); }";
  const Workplace here("p.stn", program);
  ended(here.stencilc("run p.stn --target=cpu -O0 --size 9 --steps 2 --checkpoint c"));
  driver::Options options;
  options.long_run.resume = here.path / "c";
  diag::Engine engine;
  const auto compiled = driver::compile({{"p.stn", program}}, options.compilation, engine);
  ASSERT_TRUE(compiled.has_value());
  std::string note;
  ASSERT_TRUE(open_checkpoint(options, *compiled, note, engine));
  EXPECT_EQ(note,
            "the checkpoint was written with `--target=cpu`, and targets differ in the last bits "
            "of `exp` and `sin`: the results are not those of one run on either");
}

TEST(RunCheckpoints, SnapshotsAndLogsGoOnWhereTheyWere) {
  const Workplace here("decay.stn", kDecay);
  const std::string run = "run decay.stn --target=cpu --size 9x5 --in u=ramp --every 3 ";
  const std::string files = "--out u=u%02d.vti --log log ";
  ended(here.stencilc(run + files + "--steps 20"));
  const std::string log = here.read("log"), list = here.read("u.pvd"), last = here.read("u18.vti");
  for (const char* name : {"log", "u.pvd", "u12.vti", "u15.vti", "u18.vti"})
    test::fs::remove(here.path / name);
  ended(here.stencilc(run + files + "--steps 10 --checkpoint c"));
  // Lines behind the checkpoint are written again.
  here.write("log", here.read("log") + "{\"step\":12}\n{\"st");
  ended(here.stencilc(run + files + "--steps 20 --resume c"));
  EXPECT_EQ(here.read("log"), log);
  EXPECT_EQ(here.read("u.pvd"), list);
  EXPECT_EQ(here.read("u18.vti"), last);
  here.write("u.gif", "");
  expect_has(ended(here.stencilc(run + "--animate u.gif --steps 20 --resume c"), 1).err,
             {"the film is there, and a run that is resumed cannot add to it"});
}

TEST(RunCheckpoints, AConditionThatHoldsEndsTheRunForGood) {
  const Workplace here("relax.stn", kRelax);
  const std::string run = "run relax.stn --target=cpu ";
  const Finished whole = ended(here.stencilc(
      run + "--size 40x30 --in u=random --out u=whole.npy --checkpoint c --checkpoint-every 5"));
  for (const std::string from : {"c", "c.previous"}) {
    const Finished rest = ended(here.stencilc(run + "--out u=rest.npy --resume " + from));
    EXPECT_EQ(here.read("rest.npy"), here.read("whole.npy"));
    EXPECT_EQ(values_of(rest.out, "change"), values_of(whole.out, "change"));
  }
}

TEST(RunCheckpoints, WhatDiffersIsSaid) {
  const Workplace here("decay.stn", kDecay);
  ended(
      here.stencilc("run decay.stn --target=cpu --size 9x5 --in u=ramp --steps 6 --checkpoint c "
                    "--checkpoint-every 4"));
  here.write("other.stn", "stencil other { axes x; field f32 u; u[t+1] = u; }");
  here.write("changed.stn",
             "stencil decay { axes x, y; param f32 D = 0.9; field f32 u boundary clamp; u[t+1] = "
             "D*u[x+1] + f32(t); }");
  here.write("once.stn", "stencil once { axes x; field f32 u; field f32 v out; v = u; }");
  here.write("text", "no checkpoint");
  std::string bad = here.read("c");
  bad[bad.size() - 20] ^= 4;
  here.write("bad", bad);
  here.write("bad.previous", here.read("c.previous"));
  here.write("cut", here.read("c").substr(0, 200));
  std::string newer = here.read("c");
  newer[8] = 2;
  here.write("newer", newer);
  expect_refused(here, "run --target=cpu --steps 9 ", R"(
    decay.stn --resume c --param D=0.8    => 1 => stencilc: error: `--resume c`: the param `D` was 0.9, and is 0.8 [STN0703]
    decay.stn --resume c --size 9x6       => 1 => ...its grid is 9 x 5, and `--size` says 9 x 6 [STN0703]
    decay.stn --resume c --first 1        => 1 => ...its first step was 0, and `--first` is 1 [STN0703]
    decay.stn --resume c -D D=0.9         => 1 => ...`decay` computes something else than when it was written: its text, a `-D` or `--fp` has changed [STN0703]
    changed.stn --resume c                => 1 => ...`decay` computes something else than when it was written...
    other.stn --resume c                  => 1 => ...it is one of the stencil `decay`, and this is `other` [STN0703]
    decay.stn --resume text               => 1 => ...`text` is no file that `save` has written [STN0703]
    decay.stn --resume bad                => 1 => ...`bad` is damaged: a check sum is wrong; `bad.previous` can be resumed [STN0703]
    decay.stn --resume cut                => 1 => ...`cut` is damaged: it has 200 bytes of...
    decay.stn --resume newer              => 1 => ...`newer` has version 2 of the format, and this program knows version 1; take a newer one [STN0703]
    decay.stn --resume lost               => 1 => ...`lost` cannot be read: No such file or directory [STN0703]
    decay.stn --checkpoint-every 5        => 2 => ...`--checkpoint-every` needs `--checkpoint FILE`
      => ...
    decay.stn --checkpoint c --checkpoint-every 5weeks => 2 => ...`--checkpoint-every 5weeks`: write a number of steps, or a time such as `30s`, `10min` or `2h`
      => ...
    decay.stn --checkpoint d.npy --out u=d.npy => 1 => ...`--checkpoint d.npy` would overwrite the file of `--out u=d.npy`...
    once.stn --checkpoint d               => 1 => ...`--checkpoint`: the stencil `once` takes no time steps...
  )");
  const auto steps = [&](const std::string& words) {
    return here.stencilc("run decay.stn --target=cpu --resume c --quiet " + words);
  };
  expect_has(ended(steps("--steps 5"), 1).err, {"it has taken 6 steps, and the whole run takes 5"});
}

// Check sums are good, and what they are of is not.
TEST(RunCheckpoints, WhatAnotherProgramHasWrittenIsNotBelieved) {
  const Workplace here("decay.stn", kDecay);
  ended(
      here.stencilc("run decay.stn --target=cpu --size 9x5 --in u=ramp --steps 6 --checkpoint c"));
  const auto write = [&](const std::string& part, const auto& change) {
    const stencil::SavedParts file((here.path / "c").c_str());
    std::vector<std::string> texts;
    std::vector<stencil::SavedPart> parts;
    for (const auto& one : file.parts()) {
      texts.emplace_back(one.size, '\0');
      ASSERT_TRUE(file.read(one, texts.back().data()).ok());
      if (one.name == part) texts.back() = change(texts.back());
    }
    for (size_t i = 0; i < texts.size(); ++i)
      parts.push_back({file.parts()[i].name, texts[i].data(), texts[i].size()});
    ASSERT_TRUE(stencil::save_parts((here.path / "other").c_str(), parts).ok());
  };
  struct Row {
    const char *was, *is, *says;
    int code;
  };
  const Row kRows[] = {
      {"\"version\":1", "\"version\":2", "it has version 2 of checkpoints, and this stencilc knows",
       1},
      {"\"version\":1", "\"version\":0", "it is no checkpoint of `stencilc run`", 1},
      {"\"version\":1", "\"version\":[1]", "it is no checkpoint of `stencilc run`", 1},
      {"{", "", "it is no checkpoint of `stencilc run`", 1},
      {"[9,5]", "[9,4611686018427387904]", "of memory, and ", 4},
      {"[9,5]", "[9,-5]", "it has no extents", 1},
      {"[9,5]", "[9,6]", "it lacks a level of a field", 1},
      {"\"step\":6", "\"step\":-6", "it has taken -6 steps", 1},
  };
  for (const Row& row : kRows) {
    write("stencilc run", [&](std::string head) {
      const size_t at = head.find(row.was);
      EXPECT_NE(at, head.npos) << row.was;
      return head.replace(at, std::string(row.was).size(), row.is);
    });
    const Finished refused =
        ended(here.stencilc("run decay.stn --target=cpu --steps 9 --resume other"), row.code);
    expect_has(refused.err, {row.says});
  }
  for (const char* part : {"level 0", "params", "reductions"}) {
    write(part, [](const std::string& text) { return text + "12345678"; });
    expect_has(ended(here.stencilc("run decay.stn --target=cpu --steps 9 --resume other"), 1).err,
               {"`--resume other`: it "});
  }
}

TEST(RunCheckpoints, ASignalLetsTheRunWriteOne) {
  const Workplace here("decay.stn", kDecay);
  const std::string run = "run decay.stn --target=cpu --size 9x5 --in u=ramp ";
  ended(here.stencilc(run + "--steps 1"));  // builds
  for (const auto& [signal, code] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
    test::fs::remove(here.path / "c");
    // A shell lets what runs behind it ignore SIGINT.
    const Finished stopped = ended(
        here.shell(
            "env --default-signal=INT '" STENCILC_BINARY "' " + run +
            "--steps 1000000000000 --checkpoint c --checkpoint-every 1000 --out u=never.npy & "
            "while [ ! -e c ]; do sleep 0.01; done; kill -" +
            signal + " $!; wait $!"),
        code);
    const std::string begin = "stencilc: stopped at step ";
    ASSERT_TRUE(stopped.err.starts_with(begin)) << stopped.err;
    const int64_t step = std::stoll(stopped.err.substr(begin.size()));
    EXPECT_EQ(stopped.err, begin + std::to_string(step) + "; `--resume c` goes on\n");
    EXPECT_FALSE(here.exists("never.npy"));
    const std::string steps = "--steps " + std::to_string(step + 5);
    ended(here.stencilc(run + steps + " --resume c --out u=rest.npy"));
    ended(here.stencilc(run + steps + " --out u=whole.npy"));
    EXPECT_EQ(here.read("rest.npy"), here.read("whole.npy"));
  }
}

// The long tests kill it a hundred times. Each run goes on from what the one before has left; when
// one has come to its end, the next one begins again.
TEST(RunCheckpoints, AKilledRunLeavesAGoodOne) {
  const Workplace here("decay.stn", kDecay);
  const std::string run = "run decay.stn --target=cpu --size 64x64 --in u=ramp --steps 60000 ";
  ended(here.stencilc(run + "--out u=whole.npy"));
  const std::string whole = here.read("whole.npy");
#ifdef STENCILC_ALL_TESTS
  constexpr int kKills = 100;
#else
  constexpr int kKills = 3;
#endif
  std::mt19937 random(7);
  int kills = 0, resumed = 0;
  for (int tries = 0; kills < kKills && tries < 20 * kKills; ++tries) {
    const bool saved = here.exists("c");
    const Finished ran = here.shell("timeout -s KILL 0." + std::to_string(10 + random() % 40) +
                                    " '" STENCILC_BINARY "' " + run +
                                    "--checkpoint c --checkpoint-every 100 --out u=done.npy" +
                                    (saved ? " --resume c" : ""));
    ASSERT_TRUE(ran.status == 137 || ran.status == 0) << ran.status << ran.err;
    resumed += saved;
    if (ran.status == 137) ++kills;
    if (ran.status == 0) {
      ASSERT_EQ(here.read("done.npy"), whole) << tries;
      for (const char* name : {"c", "c.previous", "done.npy"}) test::fs::remove(here.path / name);
    }
  }
  EXPECT_EQ(kills, kKills);
  EXPECT_GE(resumed, kKills / 3);
  const std::string from = here.exists("c") ? "--resume c " : "";
  ended(here.stencilc(run + from + "--out u=rest.npy"));
  EXPECT_EQ(here.read("rest.npy"), whole);
}

// Cut off, and with a bit that has changed: in the long tests at 200 places each.
TEST(RunCheckpoints, ADamagedOneIsRefusedAndTheOneBeforeNamed) {
  const Workplace here("decay.stn", kDecay);
  const std::string run = "run decay.stn --target=cpu -O0 --size 31x17 --in u=ramp ";
  ended(here.stencilc(run + "--steps 6 --checkpoint good --checkpoint-every 4"));
  ended(here.stencilc(run + "--steps 9 --out u=whole.npy"));
  const std::string good = here.read("good");
  here.write("bad.previous", here.read("good.previous"));
#ifdef STENCILC_ALL_TESTS
  constexpr size_t kPlaces = 200;
#else
  constexpr size_t kPlaces = 4;
#endif
  std::mt19937 random(5);
  for (size_t n = 0; n < kPlaces; ++n) {
    const size_t place = good.size() * n / kPlaces + random() % (good.size() / kPlaces);
    std::string flipped = good;
    flipped[place] = static_cast<char>(flipped[place] ^ 1 << random() % 8);
    for (const std::string& bad : {flipped, good.substr(0, place)}) {
      here.write("bad", bad);
      const Finished refused =
          ended(here.stencilc("run decay.stn --target=cpu -O0 --steps 9 --resume bad"), 1);
      expect_has(refused.err, {"`--resume bad`: `bad` ", "`bad.previous` can be resumed"});
    }
  }
  ended(here.stencilc(
      "run decay.stn --target=cpu -O0 --steps 9 --resume bad.previous --out u=r.npy"));
  EXPECT_EQ(here.read("r.npy"), here.read("whole.npy"));
}

TEST(RunCheckpoints, AFullDiskEndsTheRunAndLeavesTheLastOne) {
  const Workplace here("decay.stn", kDecay);
  const std::string run = "run decay.stn --target=cpu --size 64x64 --in u=ramp ";
  ended(here.stencilc(run + "--steps 40 --checkpoint c"));
  const std::string good = here.read("c");
  // Blocks of 512 bytes, of the 16 KiB that a level has.
  const Finished full =
      ended(here.shell("trap '' XFSZ; ulimit -f 20; exec '" STENCILC_BINARY "' " + run +
                       "--steps 100000000 --resume c --checkpoint c --checkpoint-every 10"),
            3);
  EXPECT_EQ(full.err, "stencilc: error: `c` cannot be written: File too large [STN0702]\n");
  EXPECT_EQ(here.read("c"), good);
  EXPECT_FALSE(here.exists("c.tmp"));
}

}  // namespace
}  // namespace stencilc
