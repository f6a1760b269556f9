// Values that are set up before the first step have the bits of the interpreter, whichever of them
// are, whatever lies outside the grid, and however many steps a launch takes.
#include <gtest/gtest.h>

#include "driver/verify/compare.h"
#include "run/agreement.h"
#include "run/batch.h"
#include "run/covering.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// Programs that a batch compiles and runs, and the cases of each.
class SetupRuns {
 public:
  void add(const std::string& text, const std::string& schedule, uint64_t seed) {
    std::string problem;
    auto compiled = compile({"setup", "", text}, plan::Target::cuda, schedule,
                            "_" + std::to_string(programs_.size()), problem);
    ASSERT_TRUE(compiled) << problem << "\n" << schedule << "\n" << text;
    ASSERT_TRUE(compiled->plan.setup) << schedule << "\n" << text;
    several_ += compiled->plan.several.empty() ? 0 : 1;
    cases_.push_back(cases_of(*compiled, seed));
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
            << programs_[n].source.substr(0, 800) << driver::print(test);
    }
  }
  int several() const { return several_; }  // those with launches of several steps

 private:
  std::vector<driver::Compiled> programs_;
  std::vector<std::vector<driver::Case>> cases_;
  int several_ = 0;
};

const std::vector<std::string> kSides = {"clamp",    "reflect",      "mirror",      "antireflect",
                                         "periodic", "constant 0.5", "neumann 0.1", "expr 0.1*{}",
                                         "ghost",    "none"};
const std::string kAxesOf[] = {"x", "x, y", "x, y, z"};

// "x.lo: clamp; x.hi: constant 0.5; ...": on each axis the kind, and at the other end the same, or
// another one.
std::string sides_of(size_t kind, size_t rank, bool mixed) {
  std::string sides;
  for (size_t a = 0; a < rank; ++a) {
    const std::string axis(1, "xyz"[a]);
    const auto side = [&](std::string text) {
      if (const size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, axis);
      return text;
    };
    const std::string &one = kSides[kind], &two = kSides[(kind + 5 + a) % kSides.size()];
    const bool both = !mixed || one == "periodic" || two == "periodic";
    sides += axis + ".lo: " + side(one) + "; " + axis + ".hi: " + side(both ? one : two) + "; ";
  }
  return sides;
}

// By rank: launches of one step by cells, by vectors and with other placements, and of several.
const std::vector<std::string> kSchedules[] = {
    {"naive,threads=16", "coarsened,threads=32,vector=2,coarsen=x3",
     "naive,threads=16,global=g,launches=early", "coarsened,threads=64,vector=2,stream=g",
     "coarsened,threads=32,vector=4,steps=3"},
    {"naive,threads=8x3,edges=cells", "coarsened,threads=32x2,vector=2,coarsen=y3,sides=lanes",
     "naive,threads=8x3,tile=g", "coarsened,threads=32x4,vector=2,rows=4,steps=3,launches=early",
     "coarsened,threads=32x2,vector=4,coarsen=y16,steps=4"},
    {"naive,threads=8x2x3,order=neighbours",
     "coarsened,threads=8x3,vector=2,rows=1,coarsen=z9,sums=gather,shared=async,ahead=1",
     "naive,threads=8x2x3,global=g", "coarsened,threads=32x4,vector=2,rows=2,planes=7,steps=2",
     "coarsened,threads=32x4,vector=2,rows=3,coarsen=z8,shared=none,sums=scatter,steps=2"}};

// `c` is made of cells at its own place, so that beyond the grid it is other cells of itself where
// the kind allows it; `e` of a cell beside; `g` changes, and reads `c`; and an expression without a
// name is set up, too. One schedule in two sets up all, and with several steps `c` alone.
TEST(Setup, OutsideTheGrid) {
  SetupRuns compared;
  for (size_t k = 0; k < kSides.size(); ++k) {
    const size_t rank = k % 3 + 1;
    for (size_t n = 0; n < 2; ++n) {
      const std::string& schedule = kSchedules[rank - 1][(k / 3 + 3 * n) % 5];
      const bool steps = schedule.find("steps") != std::string::npos;
      std::string reads, more;
      for (size_t a = 0; a < rank; ++a) {
        const std::string axis(1, "xyz"[a]);
        reads +=
            " - 0.1*c[" + axis + "-1]*u[" + axis + "-1] + 0.2*c[" + axis + "+2]*u[" + axis + "+2]";
        more += " + 0.1*g[" + axis + "-1] + 0.05*e[" + axis + "+1]";
      }
      if (steps)
        more = "";
      else
        more += " + 0.1*u*exp(-k*k)";
      compared.add("stencil s { axes " + kAxesOf[rank - 1] +
                       "; field f32 u boundary clamp; field f32 k in, w in; boundary k, w { " +
                       sides_of(k, rank, n == 1) +
                       "} let c = sqrt(k*k + 0.5) - w; let e = 1/(2 + w[x-1]*w[x-1]); "
                       "let g = u*c[x+1] - u[x-1]; u[t+1] = 0.5*u*c" +
                       reads + more + "; }",
                   schedule + (steps || k % 2 == 0 ? ",setup=all" : ",setup=c"), k);
    }
  }
  compared.run();
}

// Where it is other cells of itself, launches take as many steps as without it.
TEST(Setup, InLaunchesOfSeveralSteps) {
  SetupRuns compared;
  const std::string kinds[] = {"clamp", "reflect", "mirror", "periodic"};
  const std::pair<size_t, size_t> forms[] = {{1, 4}, {2, 3}, {2, 4}, {3, 3}, {3, 4}};
  int several = 0;
  for (size_t k = 0; k < 4; ++k)
    for (size_t f = k % 2; f < 5; f += 2) {
      const auto [rank, form] = forms[f];
      std::string reads;
      for (size_t a = 0; a < rank; ++a) {
        const std::string axis(1, "xyz"[a]);
        reads += " - 0.1*c[" + axis + "-1]*u[" + axis + "-1] + 0.2*c*u[" + axis + "+1]";
      }
      const std::string text = "stencil s { axes " + kAxesOf[rank - 1] + "; field f32 u boundary " +
                               kinds[k] + "; field f32 k in boundary " + kinds[k] +
                               "; let c = sqrt(k*k + 0.5); u[t+1] = 0.5*u" + reads + "; }";
      const std::string& schedule = kSchedules[rank - 1][form];
      compared.add(text, schedule + ",setup=c", k);
      std::string problem;
      const auto inlined =
          compile({"inlined", "", text}, plan::Target::cuda, schedule, "", problem);
      ASSERT_TRUE(inlined) << problem;
      several += inlined->plan.several.empty() ? 0 : 1;
      EXPECT_EQ(compared.several(), several) << schedule << "\n" << text;
    }
  compared.run();
  EXPECT_GE(several, 8);
}

// Once in a run, also where it looks at a condition between its steps; for all colours; of fields
// without all axes and of coordinates; beside sources; where a reduction reads the value, too.
TEST(Setup, OnceInARun) {
  SetupRuns compared;
  compared.add(
      "stencil s { axes x, y; color red, black by (x + y) % 2; field f64 p boundary clamp; "
      "field f64 k in boundary clamp; let w = 1.7/(k*k + k[x+1]*k[x+1] + 4); "
      "p = p + w*(p[x-1] + p[x+1] + p[y-1] + p[y+1] - 4*p + w[x-1]); "
      "reduce r = max(abs(p)); iterate until r < 0.001, check every 2, limit 9; }",
      "naive,threads=8x3,setup=w", 1);
  compared.add(
      "stencil s { axes x, y; param f32 a = 0.3; field f32 u boundary zero; "
      "field f32 k(y) in boundary clamp; let c = exp(-a*k) + cos(a*x); "
      "u[t+1] = 0.5*u + 0.1*c*u[x-1] - c[y+1]*u[y+1] + sin(a*t); reduce r = sum(c*u); }",
      "coarsened,threads=8x4,vector=2,coarsen=y1,setup=all", 2);
  compared.add(
      "stencil s { axes x, y; points src; series f32 amp(src); field f32 u boundary periodic; "
      "field f32 k in boundary periodic; let c = k*k/(1 + k*k); "
      "u[t+1] = 0.5*u + 0.1*(c[x+1] + c[y-1])*u[x-1]; inject u[t+1] += amp[t]*k at src; }",
      "coarsened,threads=32x4,vector=2,rows=4,steps=3,setup=c", 3);
  compared.run();
}

}  // namespace
}  // namespace stencilc::run_test
