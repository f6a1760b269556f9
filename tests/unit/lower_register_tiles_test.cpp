// What a thread keeps in registers, against what its reads touch: a stream is played vector by
// vector, and every read of every cell must find its own cell where kept() points.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lower/tile/register_tile.h"
#include "support/lowered.h"
#include "support/lowering.h"
#include "support/machine.h"
#include "support/text.h"

namespace stencilc::lower {
namespace {

using testing::Machine;

int floor_div(int a, int b) { return (a - ((a % b) + b) % b) / b; }

struct Thread : testing::Lowering {
  std::vector<ir::ExprPtr> values;
  Patch patch;
  std::vector<RegisterTile> tiles;

  Thread(const std::string& text, Patch shape) : Lowering(testing::canonical(text)), patch(shape) {
    for (const ir::Update& update : stencil.updates)
      for (const ir::Case& one : update.cases) values.push_back(one.value);
    Names names = context.names;
    tiles = register_tiles_of(context, values, patch, names);
  }
  std::vector<ir::Read> reads() const {
    std::vector<ir::Read> result;
    for (const ir::ExprPtr& node : ir::nodes_of(values))
      if (const auto* read = ir::as<ir::Read>(node)) result.push_back(*read);
    return result;
  }
};

// A cell of a grid: field, level, and its x, y and z.
using Place = std::array<int, 5>;

// A thread on its way along the streamed axis, from cell 0 of it on.
class RegisterStream {
 public:
  explicit RegisterStream(const Thread& thread) : thread_(thread) {
    for (const RegisterTile& regs : thread.tiles)
      for (const Run& run : runs_before(regs)) load(regs, run, 0);
  }
  void arrive(int step) {
    for (const RegisterTile& regs : thread_.tiles)
      for (const Run& run : runs_at_each(regs)) load(regs, run, step);
  }
  void move_on() {
    for (const RegisterTile& regs : thread_.tiles)
      for (const Run& run : runs_moved(regs))
        each(regs, run, [&](int row, int x) {
          const auto& from = at(regs, run.along, row, x);
          at(regs, run.along - 1, row, x) = from;
        });
  }
  // What stands where the read of cell v in row r of this step is looked for.
  Place find(const ir::Read& read, int r, int v) {
    const kernel::ExprPtr expr =
        register_value(thread_.tiles, read, thread_.patch, kernel::var("r"), kernel::var("v"));
    const auto* load = kernel::as<kernel::Load>(expr);
    if (!load) return {};
    Machine machine;
    machine.variables["r"].integer = r;
    machine.variables["v"].integer = v;
    const kernel::Buffer& buffer = load->buffer;
    const auto row = load->row ? static_cast<int>(machine.run(load->row).integer) : 0;
    const auto place = static_cast<int>(machine.run(load->at).integer);
    EXPECT_EQ(load->row != nullptr, buffer.rows > 1) << buffer.name;
    EXPECT_TRUE(row >= 0 && row < buffer.rows && place >= 0 && place < buffer.registers)
        << buffer.name << " " << row << " " << place;
    return registers_[buffer.name][{row, place}];
  }
  const std::multiset<Place>& loaded() const { return loaded_; }

 private:
  template <class Do>
  void each(const RegisterTile& regs, const Run& run, const Do& action) {
    const Span cells = cells_of(regs, run, thread_.patch);
    for (int row = run.row; row < run.row + run.rows; ++row)
      for (int x = cells.low; x < cells.high; ++x)
        if (run.own || x < 0 || x >= thread_.patch.width) action(row, x);
  }
  Place& at(const RegisterTile& regs, int along, int row, int x) {
    const RegisterTile::Plane& plane = regs.plane(along);
    const std::pair<int, int> place = {row - plane.row, x - plane.cell};
    EXPECT_TRUE(place.first >= 0 && place.first < plane.registers.rows && place.second >= 0 &&
                place.second < plane.registers.registers)
        << plane.registers.name << " " << row << " " << x;
    return registers_[plane.registers.name][place];
  }
  void load(const RegisterTile& regs, const Run& run, int step) {
    ir::Offset there = regs.offset;
    if (thread_.patch.axis >= 0) there[thread_.patch.axis] = step + run.along;
    bool has_own = run.own;
    each(regs, run, [&](int row, int x) {
      const int y = thread_.patch.rows > 1 ? row : there[1];
      const Place loaded = {regs.field, regs.level, x, y, there[2]};
      at(regs, run.along, row, x) = loaded;
      loaded_.insert(loaded);
      // What other lanes give is beside what this thread has to give.
      const Place own = {regs.field, regs.level, 0, y, there[2]};
      has_own = has_own || at(regs, run.along, row, 0) == own;
    });
    EXPECT_TRUE(has_own || !thread_.patch.lanes);
  }

  const Thread& thread_;
  std::map<std::string, std::map<std::pair<int, int>, Place>> registers_;
  std::multiset<Place> loaded_;
};

// Plays a stream of so many steps, and compares what it loaded with what it had to.
void expect_sound(const std::string& text, const Patch& patch) {
  const Thread thread(text, patch);
  const int steps = patch.axis >= 0 ? 9 : 1;
  RegisterStream stream(thread);
  std::set<Place> wanted;
  for (int step = 0; step < steps; ++step) {
    if (step > 0) stream.move_on();
    stream.arrive(step);
    for (const ir::Read& read : thread.reads())
      for (int r = 0; r < patch.rows; ++r)
        for (int v = 0; v < patch.width; ++v) {
          ir::Offset cell = {v + read.offset[0], r + read.offset[1], read.offset[2]};
          if (patch.axis >= 0) cell[patch.axis] = step + read.offset[patch.axis];
          const Place expected = {read.field, read.level, cell[0], cell[1], cell[2]};
          EXPECT_EQ(stream.find(read, r, v), expected)
              << "step " << step << ", cell " << r << ", " << v;
          Place one = expected;
          const int first = floor_div(cell[0], patch.width) * patch.width;
          for (one[2] = first; one[2] < first + patch.width; ++one[2]) wanted.insert(one);
        }
  }
  const std::multiset<Place>& loaded = stream.loaded();
  if (!patch.lanes) {
    EXPECT_EQ(loaded, std::multiset<Place>(wanted.begin(), wanted.end()));
  }
  EXPECT_EQ(loaded.size(), std::set<Place>(loaded.begin(), loaded.end()).size());
}

std::string in_plane(const std::string& value) {
  return "stencil s { axes x, y; field f32 u, w boundary clamp; u[t+1] = " + value +
         "; w[t+1] = w; }";
}
std::string in_space(const std::string& value) {
  return "stencil s { axes x, y, z; field f32 u, w boundary clamp; u[t+1] = " + value +
         "; w[t+1] = w; }";
}
std::string star(int rank, int radius) {
  std::string text = "u";
  for (const std::string axis : {"x", "y", "z"})
    for (int n = 1; n <= radius && (rank == 3 || axis != "z"); ++n)
      text += " + u[" + axis + "-" + std::to_string(n) + "] - 2*u[" + axis + "+" +
              std::to_string(n) + "]";
  return text;
}
std::string box(int rank, int radius) {
  const std::string range = " in -" + std::to_string(radius) + ".." + std::to_string(radius);
  return rank == 2 ? "sum(i" + range + ", j" + range + " : u[x+i, y+j])"
                   : "sum(i" + range + ", j" + range + ", k" + range + " : u[x+i, y+j, z+k])";
}
const std::string kApart = "u[x+3] - u[y-2]", kBefore = "u[x-1, y+3] + u[x+2, y-1] + u[t-1, 0, 1]",
                  kTwo = "u[x-5] + w[y+1] * w[y-1]",
                  kInSpace = "w[x-1, y+1] * u[z+2] - u[t-1, 0, 0, 1]";

// Of all patches of these widths and rows that stream along one of the axes, -1: nowhere.
void expect_all_sound(const std::vector<std::string>& texts, const std::vector<int>& widths,
                      const std::vector<int>& rows, const std::vector<int>& axes,
                      bool lanes = false) {
  for (const std::string& text : texts)
    for (const int width : widths)
      for (const int count : rows)
        for (const int axis : axes) {
          SCOPED_TRACE(text + ", " + std::to_string(count) + " rows of vectors of " +
                       std::to_string(width) + ", along " + std::to_string(axis));
          expect_sound(text, {width, count, axis, lanes});
        }
}
std::vector<std::string> all_of(std::string (*make)(const std::string&),
                                const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(make(value));
  return texts;
}

TEST(RegisterTiles, HoldWhatAStreamAlongYReads) {
  expect_all_sound(all_of(in_plane, {star(2, 1), star(2, 2), star(2, 4), box(2, 1), box(2, 2),
                                     kApart, kBefore, kTwo}),
                   {1, 2, 4}, {1}, {-1, 1});
  expect_all_sound(all_of(in_space, {star(3, 2), box(3, 1)}), {4}, {1}, {1});
}

TEST(RegisterTiles, HoldWhatRowsInThePlaneRead) {
  expect_all_sound(
      all_of(in_plane, {star(2, 1), star(2, 3), box(2, 1), box(2, 2), kApart, kBefore}), {1, 2, 4},
      {2, 3}, {-1});
}

TEST(RegisterTiles, HoldWhatRowsThatStreamAlongZRead) {
  expect_all_sound(all_of(in_space, {star(3, 1), star(3, 2), star(3, 4), box(3, 1), box(3, 2),
                                     "u[z-3] + u[x+1, z+2] + u[y-2, z+1]", kInSpace}),
                   {1, 2, 4}, {1, 2, 3}, {-1, 2});
}

TEST(RegisterTiles, HoldWhatOtherLanesGive) {
  const std::vector<std::string> texts =
      all_of(in_plane, {star(2, 1), star(2, 4), box(2, 1), box(2, 3), kApart, kBefore, kTwo});
  expect_all_sound(texts, {1, 2, 4}, {1, 2}, {-1}, true);
  expect_all_sound(texts, {1, 2, 4}, {1}, {1}, true);
  expect_all_sound(all_of(in_space, {star(3, 2), box(3, 1), kInSpace}), {4}, {1, 2, 3}, {2}, true);
}

// Of one register tile: the plane, its rows and its vectors.
std::vector<std::string> text(const std::vector<Run>& runs) {
  const auto span = [](int first, int count) {
    return count == 1 ? std::to_string(first)
                      : std::to_string(first) + ".." + std::to_string(first + count - 1);
  };
  std::vector<std::string> lines;
  for (const Run& run : runs)
    lines.push_back("plane " + std::to_string(run.along) + " rows " + span(run.row, run.rows) +
                    " vectors " + span(run.vector, run.count));
  return lines;
}
using Lines = std::vector<std::string>;

// The first of its register tiles: what is loaded before the stream, at each cell, and moved on
// behind it.
void expect_runs(const Thread& thread, const Lines& before, const Lines& each, const Lines& moved) {
  EXPECT_EQ(text(runs_before(thread.tiles.at(0))), before);
  EXPECT_EQ(text(runs_at_each(thread.tiles[0])), each);
  EXPECT_EQ(text(runs_moved(thread.tiles[0])), moved);
}

TEST(RegisterTiles, OfAStarOnlyTheMiddleIsCarriedToTheNextCell) {
  const Thread thread(in_plane(star(2, 1)), {4, 1, 1});
  ASSERT_EQ(thread.tiles.size(), 2u);  // of u and of w
  expect_runs(thread, {"plane -1 rows 0 vectors 0", "plane 0 rows 0 vectors 0"},
              {"plane 0 rows 0 vectors -1", "plane 0 rows 0 vectors 1", "plane 1 rows 0 vectors 0"},
              {"plane 0 rows 0 vectors 0", "plane 1 rows 0 vectors 0"});
}

TEST(RegisterTiles, OtherLanesGiveNoMoreCellsThanAreRead) {
  const Thread thread(in_plane(star(2, 1)), {4, 1, 1, true});
  const RegisterTile& regs = thread.tiles[0];
  const std::vector<lower::Run> runs = runs_at_each(regs);
  ASSERT_EQ(text(runs), (Lines{"plane 0 rows 0 vectors -1..1", "plane 1 rows 0 vectors 0"}));
  EXPECT_FALSE(runs[0].own);
  EXPECT_EQ(regs.plane(-1).registers.registers, 4);
  EXPECT_EQ(regs.plane(0).registers.registers, 1 + 4 + 1);
  EXPECT_EQ(regs.plane(0).cell, -1);
  const Thread right(in_plane("u[x+6]"), {4, 1, -1, true});
  EXPECT_EQ(text(runs_at_each(right.tiles[0])), (Lines{"plane 0 rows 0 vectors 0..1"}));
  EXPECT_EQ(right.tiles[0].plane(0).registers.registers, 4 + 6);
}

TEST(RegisterTiles, OfABoxWholeRowsAreLoadedAtOnce) {
  expect_runs(Thread(in_space(box(3, 1)), {2, 2, 2}),
              {"plane -1 rows -1..2 vectors -1..1", "plane 0 rows -1..2 vectors -1..1"},
              {"plane 1 rows -1..2 vectors -1..1"},
              {"plane 0 rows -1..2 vectors -1..1", "plane 1 rows -1..2 vectors -1..1"});
}

TEST(RegisterTiles, TheCornersOfAStarAreNotLoaded) {
  expect_runs(
      Thread(in_plane(star(2, 1)), {4, 2, -1}), {},
      {"plane 0 rows -1 vectors 0", "plane 0 rows 0..1 vectors -1..1", "plane 0 rows 2 vectors 0"},
      {});
}

TEST(RegisterTiles, WithoutAStreamEachPlaneAndRowIsATileOfItsOwn) {
  EXPECT_EQ(Thread(in_plane(star(2, 2)), {4, 1, -1}).tiles.size(), 5u + 1);
  EXPECT_EQ(Thread(in_plane(star(2, 2)), {4, 2, -1}).tiles.size(), 1u + 1);
  EXPECT_EQ(Thread(in_space(star(3, 2)), {4, 1, 2}).tiles.size(), 5u + 1);
  EXPECT_EQ(Thread(in_space(star(3, 2)), {4, 2, 2}).tiles.size(), 1u + 1);
}

TEST(RegisterTiles, RegistersHaveNamesOfTheirOwn) {
  const Thread thread(in_space(box(3, 1)), {4, 1, 2});
  std::set<std::string> names;
  size_t planes = 0;
  for (const RegisterTile& regs : thread.tiles)
    for (const RegisterTile::Plane& plane : regs.planes) {
      names.insert(plane.registers.name);
      ++planes;
      for (const auto& level : thread.context.levels)
        for (const kernel::Buffer& buffer : level) EXPECT_NE(plane.registers.name, buffer.name);
    }
  EXPECT_EQ(planes, 3u * 3 + 1);
  EXPECT_EQ(names.size(), planes);
}

TEST(RegisterTiles, BeginWithTheFirstRowThatIsRead) {
  const kernel::Module module =
      testing::lowered("x, y, z", "field f32 u boundary clamp; u[t+1] = u[y+3, z-1] * u[z+1];",
                       "coarsened,threads=32x4,vector=4,rows=2,coarsen=z8,sums=gather");
  testing::expect_has(kernel::print(module.launches.at(0).kernel),
                      {"array u_zm1: 2 rows of 4 f32", "u_zm1[(r - 3)][0] <- vectors"});
}

TEST(RegisterTiles, WhatIsNotInThemHasNoValue) {
  const Thread thread(in_plane(star(2, 1)), {4, 2, -1});
  const auto found = [&](const ir::Read& read) {
    return register_value(thread.tiles, read, thread.patch, kernel::var("r"), kernel::var("v")) !=
           nullptr;
  };
  EXPECT_TRUE(found({0, 0, {1, 0, 0}}));
  EXPECT_TRUE(found({0, 0, {0, -1, 0}}));
  EXPECT_FALSE(found({0, 0, {1, 1, 0}})) << "a corner";
  EXPECT_FALSE(found({0, 0, {2, 0, 0}}))
      << "beyond what is read, though in a vector that is loaded";
  EXPECT_FALSE(found({0, 0, {0, 2, 0}}));
  EXPECT_FALSE(found({0, -1, {}})) << "another level";
  EXPECT_FALSE(found({1, 0, {1, 0, 0}})) << "of another field the cell alone is read";
}

}  // namespace
}  // namespace stencilc::lower
