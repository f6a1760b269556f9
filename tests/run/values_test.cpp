// Values that are kept in memory, in tiles or in registers have the bits of the interpreter,
// whichever of them are, and whatever lies outside the grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "driver/verify/compare.h"
#include "plan/schedule/value_placement.h"
#include "run/agreement.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/covering.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// The names of values that can be kept.
std::vector<std::string> values_of(const ir::Stencil& stencil) {
  std::vector<std::string> names;
  for (const plan::Value& value : plan::values_in(stencil))
    if (value.problem.empty() && plan::placement_problem(stencil, {value.name}, "global").empty() &&
        std::find(names.begin(), names.end(), value.name) == names.end())
      names.push_back(value.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "+") + name;
  return text;
}

// All values, and some that the seed draws.
std::vector<std::string> subsets(const std::vector<std::string>& names, uint64_t seed) {
  std::vector<std::string> result = {joined(names)};
  std::mt19937_64 random(seed);
  std::vector<std::string> some;
  for (const std::string& name : names)
    if (random() % 2 == 0) some.push_back(name);
  if (!some.empty() && some.size() < names.size()) result.push_back(joined(some));
  return result;
}

// Warps that stream, by rank: so few rows that small grids have blocks inside.
const std::string kWarps[] = {",threads=64", ",threads=32x2,coarsen=y3",
                              ",threads=32x1x1,coarsen=z4"};

// Of programs with longer texts only the long tests take values: the executor's compiler takes
// seconds for each.
constexpr size_t kShort = 40'000;

// Returns whether the program has values that were compared.
bool agrees_in_subsets(const Program& program, uint64_t seed) {
  std::string problem;
  const auto inlined = compile(program, plan::Target::cuda, "naive", "_inlined", problem);
  EXPECT_TRUE(inlined) << problem << "\n" << program.text;
  if (!inlined || (!kAllTests && inlined->source.size() > kShort)) return false;
  const std::vector<std::string> names = values_of(inlined->stencil);
  if (names.empty()) return false;
  // In tiles of few cells, so that all of them fit into shared memory.
  const std::string of_rank[] = {"32", "8x4", "8x4x2"};
  const std::string threads = ",threads=" + of_rank[inlined->stencil.rank() - 1];
  const std::string last = inlined->stencil.axes.back();
  // In 3-D they go through planes.
  const std::string blocks = inlined->stencil.rank() == 3 ? ",threads=8x4x1,shared=none" : threads;
  const std::string columns = seed / 2 % 2 == 0 ? "coarsened,vector=2" : "coarsened,vector=1";
  const std::string kPlacements[] = {
      "naive,global=",     "naive" + threads + ",tile=",
      "coarsened,global=", "coarsened,vector=1" + blocks + ",coarsen=" + last + "3,tile=",
      "loops,global=",     columns + kWarps[inlined->stencil.rank() - 1] + ",stream="};
  for (const std::string& names_of : subsets(names, seed)) {
    const std::string& placement = kPlacements[seed++ % 6];
    const std::string schedule = placement + names_of;
    const plan::Target target =
        placement.starts_with("loops") ? plan::Target::cpu : plan::Target::cuda;
    const auto compiled = compile(program, target, schedule, "", problem);
    EXPECT_TRUE(compiled) << problem << "\n" << schedule << "\n" << program.text;
    if (!compiled) return false;
    driver::Machine machine;
    if (target == plan::Target::cuda) {
      Batch batch = execute_batch({&*compiled});
      EXPECT_EQ(batch.problem, "") << program.text;
      if (!batch.problem.empty()) return false;
      machine = std::move(batch.machines[0]);
      machine.set_mode(true, true);
    } else {
      machine = driver::build(*compiled, target, {"-O0"});
    }
    EXPECT_TRUE(machine.call) << machine.problem << "\n" << program.text;
    if (!machine.call) return false;
    for (const driver::Case& test : cases_of(*compiled, seed))
      EXPECT_EQ(driver::compare(*compiled, machine, test, 0), "")
          << program.name << ", " << schedule << ", " << driver::print(test) << "\n"
          << program.text;
  }
  return true;
}

TEST(Values, OfProgramsShapedLikeApplications) {
  constexpr uint64_t kSeeds = 200;
  constexpr int kWanted = 4;  // in a short run
  int compared = 0;
  for (uint64_t seed = 1; seed <= kSeeds && (kAllTests || compared < kWanted); ++seed)
    compared += agrees_in_subsets(real_seeded_program(seed, false), seed);
  EXPECT_GE(compared, kWanted);
}

const std::vector<std::string> kKinds = {"clamp",    "reflect",      "mirror",      "antireflect",
                                         "periodic", "constant 0.5", "neumann 0.1", "expr 0.1*{}",
                                         "ghost",    "fixed",        "none"};

// "x.lo: clamp; x.hi: constant 0.5; ...": on each axis the kind, and another one at the other end
// unless one of them is periodic.
std::string sides_of(size_t kind, size_t rank) {
  std::string sides;
  for (size_t a = 0; a < rank; ++a) {
    const std::string axis(1, "xyz"[a]);
    const auto side = [&](std::string text) {
      if (const size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, axis);
      return text;
    };
    const std::string &one = kKinds[kind], &two = kKinds[(kind + 5 + a) % kKinds.size()];
    const bool both = one == "periodic" || two == "periodic";
    sides += axis + ".lo: " + side(one) + "; " + axis + ".hi: " + side(both ? one : two) + "; ";
  }
  return sides;
}

// Programs that a batch compiles and runs, and the cases of each.
class Compared {
 public:
  // On grids of these sizes; without any, on those of cases_of().
  void add(const std::string& text, const std::string& schedule, uint64_t seed,
           const std::vector<data::Extents>& sizes = {}) {
    std::string problem;
    auto compiled = compile({"values", "", text}, plan::Target::cuda, schedule,
                            "_" + std::to_string(programs_.size()), problem);
    ASSERT_TRUE(compiled) << problem << "\n" << text;
    cases_.push_back(sizes.empty() ? cases_of(*compiled, seed) : std::vector<driver::Case>());
    for (const data::Extents& extents : sizes)
      cases_.back().push_back({extents, 2, "random", seed});
    programs_.push_back(std::move(*compiled));
  }
  void run() {
    std::vector<const driver::Compiled*> all;
    for (const driver::Compiled& one : programs_) all.push_back(&one);
    Batch batch = execute_batch(all);
    ASSERT_EQ(batch.problem, "");
    for (size_t n = 0; n < programs_.size(); ++n) {
      ASSERT_TRUE(batch.machines[n].call) << batch.machines[n].problem;
      batch.machines[n].set_mode(true, true);
      for (const driver::Case& test : cases_[n])
        EXPECT_EQ(driver::compare(programs_[n], batch.machines[n], test, 0), "")
            << programs_[n].source.substr(0, 600) << driver::print(test);
    }
  }

 private:
  std::vector<driver::Compiled> programs_;
  std::vector<std::vector<driver::Case>> cases_;
};

const std::string kThreads[] = {",threads=16", ",threads=8x3", ",threads=8x2x3"};  // by rank
const std::string kAxes[] = {"x", "x, y", "x, y, z"};

// Where all values are in memory, one of their launches has another shape than the rest.
std::string shape_of_values(const std::string& placed, size_t k, size_t rank) {
  if (placed != ",global=g+h") return "";
  if (rank == 1)
    return k % 2 == 0 ? ",launch=h(coarsened,threads=8,vector=2)" : ",launch=g(naive,threads=24)";
  const std::string last(1, "xyz"[rank - 1]);
  const std::string shapes[] = {
      ",launch=h(coarsened,threads=8x2,vector=2,coarsen=" + last + "3)",
      ",launch=g(naive,threads=8x4,edges=cells)",
      ",launch=h(coarsened,threads=8x2,vector=1,coarsen=" + last + "4)",
      ",launch=h(naive,threads=16x2),launch=u(coarsened,threads=4x4,vector=4,coarsen=" + last +
          "1)"};
  return shapes[k % 4];
}

// Ghost cells of a value are what its expression gives there, by the boundaries of what it reads;
// near a side without values, cells that nobody reads are not computed. A value reads another one,
// and a field of this step.
TEST(Values, OutsideTheGrid) {
  Compared compared;
  for (size_t k = 0; k < kKinds.size(); ++k) {
    const size_t rank = k % 3 + 1;
    std::string reads;
    for (size_t a = 0; a < rank; ++a) {
      const std::string axis(1, "xyz"[a]);
      reads += " - 0.1*g[" + axis + "-2] + 0.2*g[" + axis + "+1]*h[" + axis + "+1]";
    }
    for (const std::string placed :
         {",global=g+h", ",global=h", k % 2 == 0 ? ",tile=g+h" : ",global=h,tile=g",
          k % 2 == 0 ? ",global=h,stream=g" : ",stream=g+h",
          k % 2 == 0 ? ",vector=2,stream=g+h" : ",vector=2,global=h,stream=g"}) {
      const std::string text = "stencil s { axes " + kAxes[rank - 1] +
                               "; field f32 u; boundary u { " + sides_of(k, rank) +
                               "} field f32 w in boundary clamp; field f32 v out boundary reflect; "
                               "v = 0.5*u + 0.1*w; let h = v*u[x+1] - 0.3*w[x-1]; "
                               "let g = h[x-1]*w + 0.2*h[x+1]; u[t+1] = 0.5*u" +
                               reads + "; }";
      const bool tile = placed.find("tile") != std::string::npos;
      const bool stream = placed.find("stream") != std::string::npos;
      compared.add(text,
                   (stream       ? "coarsened" + kWarps[rank - 1]
                    : tile       ? "naive" + kThreads[rank - 1]
                    : k % 2 == 0 ? "naive"
                                 : "coarsened") +
                       placed + shape_of_values(placed, k, rank),
                   k);
    }
  }
  compared.run();
}

// Values that have ghost cells beyond one axis only: beyond the others, a cell stands for another
// cell of the value. Reads are oblique, so the place of a ghost cell has to follow that.
TEST(Values, WithGhostCellsBeyondOneAxis) {
  Compared compared;
  const std::vector<std::string> kept = {"constant 0.5", "clamp", "antireflect", "neumann 0.1"};
  const std::vector<std::string> moving = {"clamp", "mirror", "periodic", "reflect"};
  for (size_t k = 0; k < moving.size(); ++k) {
    const size_t rank = k % 2 + 2;
    const std::string own(1, "xyz"[k % rank]), other(1, "xyz"[(k + 1) % rank]);
    std::string sides = own + ": " + kept[k] + "; ";
    for (size_t a = 0; a < rank; ++a)
      if (a != k % rank) sides += std::string(1, "xyz"[a]) + ": " + moving[k] + "; ";
    const std::string text = "stencil s { axes " + kAxes[rank - 1] +
                             "; field f32 u; boundary u { " + sides + "} let h = u[" + own +
                             "-1] + 0.5*u; u[t+1] = 0.3*h + 0.1*h[" + own + "-2, " + other +
                             "-1] + 0.2*h[" + own + "+1, " + other + "+2]; }";
    const std::string last(1, "xyz"[rank - 1]);
    compared.add(
        text,
        k % 2 == 0 ? "naive,global=h"
                   : "coarsened,vector=2" + kThreads[rank - 1] + ",coarsen=" + last + "3,global=h",
        k);
  }
  compared.run();
}

// Blocks that go through planes along z: values that only the own column reads, in the own plane,
// in planes before and behind beside it, and through other values; fields copied ahead or not;
// threads with one row or several, which may end beyond the grid. Some grids have passes inside,
// some have blocks of one plane. The last programs are periodic, so that blocks at the ends of x
// and y copy from the other end.
TEST(Values, InPlanes) {
  const std::string kReads[] = {" - 0.1*g[x-2] + 0.2*g[y+1]*h[y+1] - g[z-2] + g[z+1]*h[z+1]",
                                " - 0.1*g[z-1] + 0.3*g[x+1, z-1]*h[y-1, z+2]",
                                " + g[z-2]*h[z+3] - g[x-1, z+1] + g[y+1, z+1]",
                                " + g[x-1] - h[y+1]*h[x-2] + g"};
  const std::string kShapes[] = {"8x2x1,coarsen=z3", "4x4x1,coarsen=z7", "5x3x1,coarsen=z2"};
  Compared compared;
  const size_t kPeriodic = 3;  // programs
  for (size_t k = 0; k < kKinds.size() + kPeriodic; ++k) {
    const bool periodic = k >= kKinds.size();
    const std::string sides = periodic ? "x: periodic; y: periodic; z: periodic; " : sides_of(k, 3);
    const std::string text = "stencil s { axes x, y, z; field f64 u; boundary u { " + sides +
                             "} field f64 w in boundary " + (periodic ? "periodic" : "clamp") +
                             "; let h = u*u[x+1] - 0.3*w[x-1] + (u[z-1] - u[y+1]/(2 + w)); "
                             "let g = h[x-1]*w + 0.2*h[z+1] - h[y+1]; u[t+1] = 0.5*u" +
                             kReads[k % 4] + "; }";
    const std::string placed = k % 5 == 4 ? ",global=h,tile=g" : ",tile=all";
    const size_t rows = periodic ? k - kKinds.size() + 1 : k / 2 % 3 + 1;
    compared.add(text,
                 "coarsened,vector=1,threads=" + kShapes[k % 3] + ",rows=" + std::to_string(rows) +
                     (k % 3 == 0 ? ",order=neighbours" : "") +
                     (periodic || k % 2 == 1 ? ",shared=async" : ",shared=none") + placed,
                 k, {{21, 13, 19}, {7, 3, 2}});
  }
  compared.run();
}

// Threads that stream several columns: of every width of values; in rows that are no multiple of a
// vector, that end within one, and that are shorter than a warp. `far` is read in lanes two
// further, `a` has a row of numbers alone, and where the mask does not hold `w` stays.
TEST(Values, AlongStreamsOfSeveralColumns) {
  Compared compared;
  uint64_t seed = 1;
  for (const std::string type : {"u8", "f16", "f32", "f64"})
    for (const int width : {2, 4}) {
      const std::string others = type == "f64" ? "f64" : "f32";
      std::string text = "stencil s { axes x, y; field " + type + " u boundary clamp; ";
      text += "field f32 a(x) in; field " + others + " w, v; boundary w mirror; ";
      text += "boundary v { " + sides_of(seed, 2) + "} let g = f32(u)*w[x-1] + 0.25*v[x+1]; ";
      text += "let far = g[x-1]/(2 + abs(g[x+2, y+1])) + x; ";
      text += "let b = far[x-2, y-1] - far[x+1] + a*g; v[t+1] = v[y+1] - b; ";
      text += "w[t+1] = 0.5*w + 0.125*b where x % 3 != 1; ";
      text += "u[t+1] = " + type + "(0.5*f32(u) + 0.25*far); }";
      compared.add(text,
                   "coarsened,threads=" + std::string(width == 2 ? "64x1" : "32x2") +
                       ",coarsen=y3,vector=" + std::to_string(width) + ",stream=all",
                   seed++, {{301, 17}, {300, 17}, {302, 13}, {width + 1, 9}, {30, 1}});
    }
  compared.run();
}

// The same of fields of the step that blocks keep for each other: reads of them go by their own
// boundaries, of which mirrors send reads to the other side of the cell. A `let` in a tile is read
// by one of them.
TEST(Values, OfStagesOutsideTheGrid) {
  Compared compared;
  for (size_t k = 0; k < kKinds.size(); ++k) {
    const size_t rank = (k + 1) % 3 + 1;
    std::string first, reads;
    for (size_t a = 0; a < rank; ++a) {
      const std::string axis(1, "xyz"[a]);
      first += " + 0.2*v[" + axis + "-2, t+1]";
      reads += " - 0.1*p[" + axis + "-1, t+1] + 0.2*p[" + axis + "+2, t+1]*v[" + axis + "+1, t+1]";
    }
    const std::string text = "stencil s { axes " + kAxes[rank - 1] +
                             "; field f32 u boundary clamp; field f32 w in boundary reflect; "
                             "field f32 v, p; boundary v, p { " +
                             sides_of(k, rank) +
                             "} let g = w*w[x+1]; v[t+1] = 0.5*u + 0.1*g[x-1] + 0.2*g; "
                             "p[t+1] = 0.3*v[t+1]*u[x-1]" +
                             first + "; u[t+1] = 0.5*u" + reads + "; }";
    const std::string last(1, "xyz"[rank - 1]);
    compared.add(
        text,
        (k % 2 == 0 ? "naive" + kThreads[rank - 1]
                    : "coarsened,vector=1" + kThreads[rank - 1] + ",coarsen=" + last + "3") +
            ",stages=tile" + (k % 3 == 0 ? "" : ",tile=g"),
        k);
  }
  compared.run();
}

// And that threads keep along a stream: what reads them lags behind, and takes the cell that stands
// for one outside the grid from another row or lane. Masks keep what a cell was.
TEST(Values, OfFieldsAlongStreams) {
  Compared compared;
  for (size_t k = 0; k < kKinds.size(); ++k) {
    const size_t rank = (k + 1) % 3 + 1;
    const std::string sides = sides_of(k, rank);
    // No caller fills the halo of an output, nor does it keep what its cells were.
    const bool out =
        sides.find("ghost") == std::string::npos && sides.find("fixed") == std::string::npos;
    const std::string next = out ? "" : ", t+1";
    std::string first, reads;
    for (size_t a = 0; a < rank; ++a) {
      const std::string axis(1, "xyz"[a]);
      first += " + 0.2*v[" + axis + "-2" + next + "]";
      reads += " - 0.1*p[" + axis + "-1, t+1] + 0.2*p[" + axis + "+1, t+1]*v[" + axis + "+1" +
               next + "]";
    }
    const std::string text =
        "stencil s { axes " + kAxes[rank - 1] +
        "; field f32 u boundary clamp; field u8 w in boundary reflect; "
        "field f32 p; field f32 v" +
        (out ? " out" : "") + "; boundary v, p { " + sides + "} let g = f32(w)*f32(w[x+1])/12; v" +
        (out ? "" : "[t+1]") + " = 0.5*u + 0.1*g[x-1] + 0.2*g; let h = v" + (out ? "" : "[t+1]") +
        "*v[x+1" + next +
        "]; "
        "p[t+1] = 0.3*v" +
        (out ? "" : "[t+1]") + "*u[x-1]" + first + (k % 3 == 0 ? " where x % 4 != 1" : "") +
        "; u[t+1] = 0.5*u + 0.1*h[x-1]*h" + reads + "; }";
    compared.add(text,
                 "coarsened" + kWarps[rank - 1] + (k % 2 == 0 ? "" : ",vector=2") +
                     ",stream=" + (k % 4 == 1 ? "v+p" : "all"),
                 k);
  }
  compared.run();
}

}  // namespace
}  // namespace stencilc::run_test
