// stencilc run --devices on the CPU target, where the pieces are in memory: the bits of a whole
// grid, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "support/cli.h"

namespace stencilc::test {
namespace {

// Ghost cells across the cut and along it, two levels, reductions, a step at which it ends by
// itself.
const char* const kSettles =
    "stencil settles { axes x, y; field f32 u boundary { x: ghost; y: clamp; } "
    "field f64 s(y) in boundary ghost; reduce change = norm2(u[t+1] - u); reduce most = max(u); "
    "u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-2] + u[y+1]) + 0.001*(u - u[t-1])*f32(s[y+1]) + "
    "0.01*f32(y); iterate until change < 4, check every 3, limit 100; }";

// Points, series in both directions, a param, the number of the step.
const char* const kShot =
    "stencil shot { axes x, y, z; param f32 a; field f32 u boundary { x: zero; y: mirror; z: "
    "periodic; } points p linear; series f32 source(p), heard(p); "
    "u[t+1] = u + a*laplacian(u) + 0.001*f32(t); "
    "inject u[t+1] += source[t] at p; sample heard[t] = u[t+1] at p; }";

const char* const kGrows =
    "stencil grow { axes x, y; field f32 u boundary clamp; u[t+1] = 1e6*u[y-1]; }";

// What is said of a run and what it writes, without what depends on the time and the machine.
std::string results_of(const Workplace& here, const std::string& words,
                       std::string* head = nullptr) {
  for (const char* const name : {"a.npy", "b.npy", "c.png"}) fs::remove(here.path / name);
  const Finished finished = ended(here.stencilc("run " + words));
  EXPECT_EQ(finished.err, "");
  if (head != nullptr) *head = finished.out;
  std::string text = finished.out.substr(finished.out.find('\n') + 1);  // the machine
  text.erase(text.find(','), text.find('\n') - text.find(','));         // the time
  for (const char* const name : {"a.npy", "b.npy", "c.png"})
    if (here.exists(name)) text += here.read(name);
  return text;
}

TEST(Devices, ResultsHaveTheBitsOfAWholeGrid) {
  struct Row {
    const char *name, *program, *words;
    std::vector<const char*> devices;
    const char* says;
  };
  const Row kRows[] = {
      {"settles",
       kSettles,
       "--size 21x23 --in u=random --in s=random --out u=a.npy --plot u=c.png",
       {"4"},
       "in 4 pieces with legs of 1 step, schedule loops"},
      {"shot",
       kShot,
       "--size 9x8x11 --in u=random --param a=0.1 --steps 7 --points 'p=3,4,5;2.5,1.5,7.25;0,7,10' "
       "--in source=random --out u=a.npy --out heard=b.npy",
       {"2", "5"},
       ""},
      {"sobel",
       nullptr,
       "--size 17x12 --in img=random --out dst=a.npy",
       {"3"},
       "in 3 pieces, schedule loops"},
  };
  // Of a program without steps, two cuts are compared: it is built once.
  const Workplace here;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const std::string file = std::string(row.name) + ".stn";
    if (row.program != nullptr)
      here.write(file, row.program);
    else
      here.example(row.name);
    const std::string words = file + " --target=cpu " + row.words;
    const bool steps = row.program != nullptr;
    const std::string whole = results_of(here, words + (steps ? " --devices 1" : " --devices 2"));
    EXPECT_NE(whole.find("NUMPY"), whole.npos);
    if (steps) {
      EXPECT_EQ(results_of(here, words), whole);
    }
    for (const char* const devices : row.devices) {
      std::string head;
      EXPECT_EQ(results_of(here, words + " --devices " + devices, &head), whole) << devices;
      if (devices == row.devices[0]) expect_has(head, {row.says});
    }
  }
}

// The step is searched for by more runs in pieces.
TEST(Devices, TheFirstStepThatIsNotFiniteIsFound) {
  const Workplace here("grow.stn", kGrows);
  expect_has(ended(here.stencilc("run grow.stn --target=cpu --size 8x12 --in u=constant:1 "
                                 "--steps 20 --devices 3"))
                 .err,
             {"96 of 96 cells of `u` are not finite, starting at step 7"});
}

TEST(Devices, WhatCannotBeCutOrCountedIsRefused) {
  const Workplace here("settles.stn", kSettles);
  expect_refused(here, "run settles.stn --target=cpu --size 16x12 --in s=random ", R"(
    --devices 13 => 1 => stencilc: error: `settles`: of 12 planes in 13 pieces, the thinnest piece has 0, and its neighbours read 2 of them; use fewer pieces, or a larger grid [STN0706]
    --devices 0 => 2 => stencilc: error: `--devices 0`: the least is 1...
    --devices 2,0,2 => 2 => stencilc: error: `--devices 2,0,2`: device 2 is named twice...
    --devices two => 2 => stencilc: error: `--devices two`: write how many devices, at most 1024, or a list of their numbers, such as 0,2...
    --devices 0, => 2 => stencilc: error: `--devices 0,`: write how many devices, at most 1024, or a list of their numbers, such as 0,2...
    --devices -1 => 2 => stencilc: error: `--devices -1`: write how many devices...
    --devices 1025 => 2 => stencilc: error: `--devices 1025`: write how many devices...
  )");
  here.write("line.stn",
             "stencil line { axes x; field f32 u boundary clamp; reduce all = sum(u); "
             "u[t+1] = u[x-1]; }");
  expect_has(ended(here.stencilc("run line.stn --target=cpu --devices 2"), 1).err,
             {"a grid of `line` has the axis `x` alone, and reductions", "[STN0605]"});
}

// Without --target, a machine without a GPU takes the CPU; that the pieces are not on GPUs is said.
TEST(Devices, ThatThereIsNoGpuIsSaid) {
  if (fs::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a GPU";
  const Workplace here("settles.stn", kSettles);
  const std::string run = "run settles.stn --size 21x23 --in u=zero --in s=zero --devices ";
  expect_has(ended(here.stencilc(run + "2")).err,
             {"stencilc: note: there is no GPU, or no `nvcc`; the pieces are in memory, and are "
              "computed one after the other\n"});
  EXPECT_EQ(ended(here.stencilc(run + "1")).err, "");
}

// As a launcher starts them. Returns what each of them says. `setting`: of the shell, before.
std::vector<std::string> said_by(const Workplace& here, const std::string& words,
                                 const std::string& words_of_1 = "",
                                 const std::string& setting = "") {
  const std::string port = std::to_string(20000 + getpid() % 20000);
  here.shell(setting + "\nexport WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + port +
             " OMP_NUM_THREADS=1\nfor rank in 0 1 2; do more=; [ $rank = 1 ] && more='" +
             words_of_1 + "'; RANK=$rank $TERMINAL '" STENCILC_BINARY "' run " + words +
             " --tcp $more >said.$rank 2>&1 & done; wait");
  std::vector<std::string> all;
  for (const char* const name : {"said.0", "said.1", "said.2"}) all.push_back(here.read(name));
  return all;
}

TEST(Devices, ProcessesHaveTheBitsOfAWholeGrid) {
  const Workplace here("settles.stn", kSettles);
  const std::string words =
      "settles.stn --target=cpu --size 21x23 --in u=random --in s=random --out u=";
  const std::string alone = ended(here.stencilc("run " + words + "a.npy")).out;
  const std::vector<std::string> said = said_by(here, words + "b.npy");
  EXPECT_EQ(here.read("a.npy"), here.read("b.npy"));
  expect_has(said[0], {"of 3 processes by tcp with legs of 1 step", "wrote b.npy\n"});
  for (const char* const name : {"change = ", "most = "}) {
    const size_t at = alone.find(name);
    expect_has(said[0], {alone.substr(at, alone.find('\n', at) - at)});
  }
  EXPECT_EQ(said[1] + said[2], "");

  // Each reads its planes alone, where they follow each other in the file and have its type. The
  // first one has a terminal, where it shows its progress: so the run goes in parts.
  here.stencilc("run settles.stn --target=cpu --size 21x23 --in s=random --steps 0 --out u=in.npy");
  const std::string again = "settles.stn --target=cpu --in u=in.npy --in s=random --out u=";
  ended(here.stencilc("run " + again + "c.npy"));
  const std::vector<std::string> shown = said_by(
      here, again + "d.npy", "",
      "in_terminal() { if [ $RANK = 0 ]; then script -qec \"$*\" /dev/null; else \"$@\"; fi; }\n"
      "command -v script >/dev/null && TERMINAL=in_terminal");
  expect_has(shown[0], {"wrote d.npy"});
  EXPECT_EQ(shown[1] + shown[2], "");
  EXPECT_EQ(here.read("c.npy"), here.read("d.npy"));
}

TEST(Devices, ProcessesFindTheFirstStepThatIsNotFinite) {
  const Workplace here("grow.stn", kGrows);
  const std::vector<std::string> said =
      said_by(here, "grow.stn --target=cpu --size 8x12 --in u=constant:1 --steps 20");
  expect_has(said[0], {"96 of 96 cells of `u` are not finite, starting at step 7"});
  EXPECT_EQ(said[1] + said[2], "");
}

TEST(Devices, ProcessesAreGivenTheSamePoints) {
  const Workplace here("shot.stn", kShot);
  const std::vector<std::string> said =
      said_by(here,
              "shot.stn --target=cpu --size 9x8x11 --param a=0.1 --steps 2 --points p=3,4,5 "
              "--in source=random --out u=a.npy",
              "--in source=constant:1");
  expect_has(said[0], {"different arguments: `source` of process 1 is not that of process 0"});
  EXPECT_EQ(said[1] + said[2], "");
  EXPECT_FALSE(here.exists("a.npy"));
}

// Where a process cannot write its planes, there is no file, and the old one stays.
TEST(Devices, ProcessesOnAFullDiskLeaveNoPartOfAFile) {
  const Workplace here("settles.stn", kSettles);
  const std::string words = "settles.stn --target=cpu --size 21x23 --in s=random --out u=u.npy";
  ended(here.stencilc("run " + words + " --devices 2"));  // which builds it
  here.write("u.npy", "old");
  for (const char* const blocks : {"0", "2"}) {  // the first one fails; another one
    const std::vector<std::string> said =
        said_by(here, words, "", std::string("trap '' XFSZ; ulimit -f ") + blocks);
    if (blocks[0] != '0') expect_has(said[0], {"cannot write `u.npy`: ", "File too large"});
    EXPECT_EQ(here.read("u.npy"), "old");
    EXPECT_FALSE(here.exists("u.npy.part"));
  }
}

// In the middle of a run, which the first checkpoint shows. The others end, and there is no file.
TEST(Devices, AProcessThatIsKilledIsNamedAndLeavesNoPartOfAFile) {
  const Workplace here("g.stn",
                       "stencil g { axes x, y; field f32 u boundary clamp; u[t+1] = 0.9*u[y-1]; }");
  const std::string words = "g.stn --target=cpu --size 21x23 --in u=random --out u=u.npy ";
  ended(here.stencilc("run " + words + "--steps 1 --devices 2"));  // which builds it
  fs::remove(here.path / "u.npy");
  const std::string port = std::to_string(20000 + (getpid() + 7) % 20000);
  here.shell("export WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + port +
             " OMP_NUM_THREADS=1\nfor rank in 0 1 2; do RANK=$rank '" STENCILC_BINARY "' run " +
             words +
             "--steps 1000000000 --checkpoint c --checkpoint-every 50 --tcp >said.$rank 2>&1 & "
             "[ $rank = 1 ] && victim=$!; done\n"
             "for n in $(seq 600); do [ -e c ] && break; sleep 0.05; done; kill -9 $victim; wait");
  expect_has(here.read("said.0"), {"process 1 of 3 has ended"});
  EXPECT_EQ(here.read("said.2"), "");
  EXPECT_FALSE(here.exists("u.npy") || here.exists("u.npy.part"));
  EXPECT_TRUE(here.exists("c"));
}

// The first process gathers them, halos included; and each takes its planes of a checkpoint.
TEST(Devices, ProcessesWriteSnapshotsAndCheckpoints) {
  const Workplace here("settles.stn", kSettles);
  const std::string fields = "settles.stn --target=cpu --size 21x23 --in u=random --in s=random ";
  const std::string files =
      "--steps 20 --every 6 --out u,s=*%02d.npz --plot u=*%02d.png --log *log --checkpoint *c "
      "--checkpoint-every 7 ";
  const auto named = [&](const std::string& words, const std::string& name) {
    std::string text = words;
    for (size_t at = 0; (at = text.find('*')) != text.npos;) text.replace(at, 1, name);
    return text;
  };
  ended(here.stencilc("run " + fields + named(files, "a") + "--quiet"));
  const std::vector<std::string> said = said_by(here, fields + named(files, "b"));
  expect_has(said[0], {"of 3 processes by tcp", "\nwrote b06.npz to b18.npz, 3 files\n",
                       "\nwrote blog\nwrote bc, at step 20\n"});
  EXPECT_EQ(said[1] + said[2], "");
  for (const std::string name : {"06.npz", "18.npz", "12.png", "log", "c", "c.previous"})
    EXPECT_EQ(here.read("a" + name), here.read("b" + name)) << name;
  // From step 14 on, by one process and by three.
  const std::string rest =
      "settles.stn --target=cpu --in s=random --steps 20 --resume ac.previous ";
  const std::string from = "goes on from step 14 of ac.previous\n";
  expect_has(said_by(here, rest + "--checkpoint d --every 6 --out u=d%02d.npz --in u=zero")[0],
             {from, "6 steps, "});
  EXPECT_EQ(here.read("d"), here.read("ac"));
  // What the first one cannot write ends all of them.
  fs::create_directory(here.path / "e12.npz");
  const std::vector<std::string> failed =
      said_by(here, fields + "--steps 1000000 --every 6 --out u=e%02d.npz");
  expect_has(failed[0], {"cannot write `e12.npz`: it is a directory"});
  EXPECT_EQ(failed[1] + failed[2], "");
}

// What the first process gathers counts, and so does the number of processes on a machine.
TEST(Devices, ADryRunCountsTheMemoryOfProcesses) {
  const Workplace here("g.stn", "stencil g { axes x, y; field f32 u; u[t+1] = 0.9*u; }");
  const auto kibibytes = [&](const std::string& words) {
    const std::string said = said_by(
        here, "g.stn --target=cpu --size 64x96 --steps 9 --dry-run --in u=zero " + words)[0];
    const std::string line = said.substr(std::min(said.size(), said.find("\nmemory") + 1));
    expect_has(line, {" KiB of the host for 3 processes, of "});
    return std::strtod(line.c_str() + 6, nullptr);
  };
  // A field has 24 KiB, and each process a third of it.
  const double plain = kibibytes("--out u=u.npy");
  EXPECT_NEAR(kibibytes("--out u=u.npz"), plain + 24, 0.2);
  EXPECT_NEAR(kibibytes("--plot u.png"), plain + 24, 0.2);
  // Two copies in the first process, and in each that of its planes.
  EXPECT_NEAR(kibibytes("--checkpoint c"), plain + 2 * 24 + 24, 0.2);
  expect_has(said_by(here, "g.stn --target=cpu --size 4000000x3000000 --in u=zero")[0],
             {"error: the run needs ", " of memory for its 3 processes on this machine, and ",
              " are left; a grid of "});
}

TEST(Devices, WhatOneProcessLacksIsSaidByTheFirst) {
  const Workplace here("settles.stn", kSettles);
  const std::vector<std::string> said =
      said_by(here, "settles.stn --target=cpu --out u=b.npy", "--in u=nowhere.npy");
  expect_has(said[0], {"process 1: cannot read `nowhere.npy`"});
  EXPECT_EQ(said[1] + said[2], "");
  EXPECT_FALSE(here.exists("b.npy"));
  expect_has(ended(here.stencilc("run settles.stn --tcp --mpi"), 2).err, {"--mpi"});
  expect_has(ended(here.stencilc("run settles.stn --tcp --devices 2"), 2).err, {"--devices"});
}

}  // namespace
}  // namespace stencilc::test
