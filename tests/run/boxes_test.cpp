// Launches that compute boxes of the grid: whatever boxes the host cuts it into, in whatever order,
// cells have the bits that a launch of the whole grid gives them, which are the interpreter's.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "driver/system/files.h"
#include "driver/verify/compare.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/covering.h"

namespace stencilc::run_test {
namespace {

// Where an axis is cut: behind one cell, in front of a part of uneven length, nowhere new, so that
// a box is empty, and in front of the last cell.
std::string cuts_of(int axis) {
  const std::string name = "cuts_" + std::to_string(axis),
                    n = "shape.n" + std::string(1, "xyz"[axis]);
  return "const int64_t " + name + "[] = {0, " + n + " > 1, " + n + " > 4 ? " + n +
         " / 3 + 1 : " + n + " > 1, " + n + " > 4 ? " + n + " / 3 + 1 : " + n + " > 1, " + n +
         " > 4 ? " + n + " - 1 : " + n + " > 1, " + n + "}; ";
}
constexpr int kParts = 5;

bool is_cut_along(const kernel::Module& module, int axis) {
  return std::none_of(module.launches.begin(), module.launches.end(),
                      [&](const kernel::Launch& launch) {
                        return launch.is_cut() && launch.cuts[axis].first.empty();
                      });
}

// Says whether a launch changes cells outside of its box: all of the array is overwritten then, so
// that nothing agrees.
constexpr const char* kOutside = R"(
#ifndef BOXES_TEST_OUTSIDE
#define BOXES_TEST_OUTSIDE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
template <class T, class Shape, class Box>
struct Outside {
  Outside(T* memory, const Shape& of, const Box& one)
      : at(memory), shape(of), box(one), bytes(of.span() * sizeof(T)) {
    before = static_cast<char*>(malloc(bytes));
    memcpy(before, at, bytes);
  }
  Outside(const Outside&) = delete;
  ~Outside() {
    bool changed = false;
    for (int64_t z = 0; z < shape.nz; ++z)
      for (int64_t y = 0; y < shape.ny; ++y)
        for (int64_t x = 0; x < shape.nx; ++x) {
          if (x >= box.first[0] && x < box.end[0] && y >= box.first[1] && y < box.end[1] &&
              z >= box.first[2] && z < box.end[2])
            continue;
          const int64_t i = z * shape.plane + y * shape.pitch + x;
          changed = changed || memcmp(before + i * sizeof(T), at + i, sizeof(T)) != 0;
        }
    free(before);
    if (changed) memset(static_cast<void*>(at), 0xff, bytes);
  }
  T* at;
  Shape shape;
  Box box;
  size_t bytes;
  char* before;
};
#endif
)";

// The arrays of the program that have all axes and that launches may store to.
std::string watched(const kernel::Module& module) {
  std::string text;
  int count = 0;
  for (const kernel::Grid& grid : module.grids) {
    if (grid.role == kernel::Grid::input || grid.axes.size() != module.extents.size()) continue;
    const bool rotates = grid.role == kernel::Grid::stepped && grid.buffers > 1;
    for (int n = 0; n < (rotates ? grid.buffers : 1); ++n)
      text += " const Outside outside_" + std::to_string(count++) + "(" + grid.name +
              (rotates ? "[" + std::to_string(n) + "]" : "") + ", shape, box);";
  }
  return text;
}

// The program, whose launches compute boxes one by one in an order of the seed.
bool cut(driver::Compiled& program, uint64_t seed) {
  const std::string whole = "const stencil::Box boxes[] = {stencil::Box::of(shape)};";
  const size_t at = program.source.find(whole);
  if (at == std::string::npos) return false;
  std::vector<std::string> boxes;
  std::string text;
  std::vector<std::array<std::string, 2>> of_axes[3];
  for (int a = 0; a < 3; ++a) {
    const std::string axis = std::to_string(a), n = "shape.n" + std::string(1, "xyz"[a]);
    if (a >= program.stencil.rank() || !is_cut_along(program.module, a)) {
      of_axes[a].push_back({"0", n});
      continue;
    }
    text += cuts_of(a);
    for (int part = 0; part < kParts; ++part)
      of_axes[a].push_back({"cuts_" + axis + "[" + std::to_string(part) + "]",
                            "cuts_" + axis + "[" + std::to_string(part + 1) + "]"});
  }
  for (const auto& x : of_axes[0])
    for (const auto& y : of_axes[1])
      for (const auto& z : of_axes[2])
        boxes.push_back("{{" + x[0] + ", " + y[0] + ", " + z[0] + "}, {" + x[1] + ", " + y[1] +
                        ", " + z[1] + "}}");
  std::shuffle(boxes.begin(), boxes.end(), std::mt19937_64(seed));
  text += "const stencil::Box boxes[] = {";
  for (const std::string& box : boxes) text += box + ", ";
  program.source.replace(at, whole.size(), text + "};");
  const std::string begin = "if (box.empty()) continue;", more = watched(program.module);
  for (size_t loop = program.source.find(begin); loop != std::string::npos;
       loop = program.source.find(begin, loop + begin.size()))
    program.source.insert(loop + begin.size(), more);
  program.source.insert(0, kOutside);
  return true;
}

struct Member {
  std::string what;
  driver::Compiled program;
  std::vector<driver::Case> cases;
};

void expect_agreement(const Member& member, const driver::Machine& machine) {
  ASSERT_TRUE(machine.call) << machine.problem << "\n" << member.what;
  for (const driver::Case& test : member.cases)
    EXPECT_EQ(driver::compare(member.program, machine, test, 0), "")
        << member.what << ", " << driver::print(test);
}

void run(std::vector<Member>& members, plan::Target target) {
  std::vector<const driver::Compiled*> programs;
  for (const Member& one : members) programs.push_back(&one.program);
  Batch batch;
  if (target == plan::Target::cuda) {
    batch = execute_batch(programs);
  } else {
    for (const driver::Compiled* one : programs)
      batch.machines.push_back(driver::build(*one, target, {}));
  }
  ASSERT_EQ(batch.problem, "");
  for (size_t m = 0; m < members.size(); ++m) {
    if (target == plan::Target::cuda) batch.machines[m].set_mode(true, true);
    expect_agreement(members[m], batch.machines[m]);
  }
  members.clear();
}

// Every strategy of the covering design: in a short run with one of its rows, else with all.
void expect_agreement_of_rows(plan::Target target) {
  constexpr size_t kLibrary = 12;
  constexpr size_t kMost = 1u << 20;
  const std::vector<Row> rows =
      read_covering(
          driver::read_text(std::string(STENCILC_SOURCE_DIR) + "/tests/run/covering.txt", kMost)
              .text)
          .rows;
  std::set<std::string> known;
  std::vector<Member> members;
  for (size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (strategy_of(row).target != target) continue;
    if (!kAllTests && !known.insert(row.strategy).second) continue;
    Program program = program_of(row);
    program.boxes = true;
    std::string problem;
    const std::string schedule = schedule_of(row);
    auto compiled = compile(program, target, schedule, "_" + std::to_string(r), problem);
    ASSERT_TRUE(compiled) << problem;
    fix_index(compiled->source, row.wide);
    // Vectors along the only axis are not cut.
    if (!cut(*compiled, r)) {
      EXPECT_EQ(compiled->stencil.rank(), 1) << program.text << "\n" << schedule;
      continue;
    }
    std::vector<driver::Case> cases = cases_of(*compiled, r);
    members.push_back({program.text + "\n" + schedule, std::move(*compiled), std::move(cases)});
    if (members.size() == kLibrary) run(members, target);
  }
  if (!members.empty()) run(members, target);
}

TEST(Boxes, OfAnyCutAgreeOnTheExecutor) { expect_agreement_of_rows(plan::Target::cuda); }
TEST(Boxes, OfAnyCutAgreeOnTheCpu) { expect_agreement_of_rows(plan::Target::cpu); }

}  // namespace
}  // namespace stencilc::run_test
