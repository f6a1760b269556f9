// How the vectors of a thread are loaded: as such exactly where all their cells lie inside, from
// the place in memory that is theirs, to the registers that are theirs. And rows outside the grid.
#include <gtest/gtest.h>

#include "lower/boundary/ghost_row.h"
#include "lower/tile/register_tile_load.h"
#include "support/lowering.h"
#include "support/machine.h"
#include "support/rows.h"

namespace stencilc::lower {
namespace {

using testing::Machine;

constexpr int kPitch = 40, kPlane = 40 * 30;

// The register tiles of a program's values, for a thread whose first cell is x, y, z and has index
// i.
struct Loads : testing::Lowering {
  Patch patch;
  Names names;
  std::vector<RegisterTile> tiles;
  std::vector<kernel::ExprPtr> at;

  Loads(const std::string& axes, const std::string& value, Patch shape)
      : Lowering(testing::on(axes, "field f32 u boundary clamp; u[t+1] = " + value + ";"),
                 "coarsened,vector=4"),
        patch(shape),
        names(context.names),
        tiles(register_tiles_of(context, {stencil.updates.at(0).cases.at(0).value}, patch, names)) {
    for (const std::string& axis : context.axes) at.push_back(kernel::var(axis));
  }
};

using Place = std::array<int, 3>;

Machine machine_at(const Loads& loads, const Place& extents, const Place& at, bool aligned) {
  Machine machine;
  for (int a = 0; a < loads.stencil.rank(); ++a) {
    machine.variables[loads.context.axes[a]].integer = at[a];
    machine.variables[loads.context.extents[a]].integer = extents[a];
  }
  machine.variables[loads.context.pitch].integer = kPitch;
  machine.variables[loads.context.plane].integer = kPlane;
  machine.variables["i"].integer = at[0] + at[1] * kPitch + at[2] * kPlane;
  machine.variables[loads.context.aligned].integer = aligned;
  return machine;
}

// The one statement that loads a run, and the loop over its rows, if there is one.
struct Loaded {
  kernel::Body body;
  const kernel::For* loop = nullptr;
  const kernel::Stmt* stmt = nullptr;

  Loaded(const Loads& loads, const Fill& fill, const RegisterTile& regs, const Run& run, int axis,
         Ends ends) {
    fill(regs, run, loads.at, kernel::var("i"), axis, ends, loads.names, body);
    if (body.size() != 1) throw std::runtime_error("a run is loaded by one statement");
    loop = std::get_if<kernel::For>(&body[0].node);
    stmt = loop ? &loop->body.at(0) : &body[0];
  }
};

void expect_copy(const Loads& loads, const RegisterTile& regs, const Run& run, int row,
                 const kernel::Copy& copy, Machine& machine, const Place& first) {
  const RegisterTile::Plane& plane = regs.plane(run.along);
  EXPECT_EQ(copy.to.name, plane.registers.name);
  EXPECT_EQ(copy.from.name, loads.context.levels[0][0].name);
  EXPECT_EQ(copy.width, loads.patch.width);
  EXPECT_EQ(copy.count, run.count);
  EXPECT_EQ(machine.run(copy.to_at).integer, run.vector * loads.patch.width - plane.cell);
  EXPECT_EQ(copy.to_row != nullptr, plane.registers.rows > 1);
  if (copy.to_row) {
    EXPECT_EQ(machine.run(copy.to_row).integer, row - plane.row);
  }
  EXPECT_EQ(copy.from_row, nullptr);
  EXPECT_EQ(machine.run(copy.from_at).integer, first[0] + first[1] * kPitch + first[2] * kPlane);
}

// A run near the boundary, with the thread at a place, against its cells.
void expect_run(const Loads& loads, const RegisterTile& regs, const Run& run, const Loaded& loaded,
                const Place& extents, const Place& at, Machine machine) {
  const auto* fill = std::get_if<kernel::Fill>(&loaded.stmt->node);
  ASSERT_NE(fill, nullptr);
  const int rank = loads.stencil.rank();
  ASSERT_EQ(fill->at.size(), static_cast<size_t>(rank));
  ASSERT_EQ(run.rows > 1, loaded.loop != nullptr);
  for (int row = run.row; row < run.row + run.rows; ++row) {
    if (loaded.loop) machine.variables[loaded.loop->name].integer = row;
    Place first = at;
    first[0] += run.vector * loads.patch.width;
    first[1] += loads.patch.rows > 1 ? row : regs.offset[1];
    first[2] += regs.offset[2];
    if (loads.patch.axis >= 0) first[loads.patch.axis] = at[loads.patch.axis] + run.along;
    expect_copy(loads, regs, run, row, fill->copy, machine, first);
    bool inside = first[0] >= 0 && first[0] + run.count * loads.patch.width <= extents[0];
    // Each of several vectors asks whether it lies in the row.
    EXPECT_EQ(fill->extent != nullptr, run.count > 1);
    if (fill->extent) {
      EXPECT_EQ(machine.run(fill->extent).integer, extents[0]);
      inside = true;
    }
    for (int a = 0; a < rank; ++a) {
      EXPECT_EQ(machine.run(fill->at[a]).integer, first[a]);
      if (a > 0) inside = inside && first[a] >= 0 && first[a] < extents[a];
    }
    EXPECT_EQ(machine.run(fill->whole).integer != 0, inside)
        << "row " << row << ", vectors " << run.vector << " to " << run.vector + run.count - 1
        << " of the thread at " << at[0] << ", " << at[1] << ", " << at[2];
  }
}

void declare_all(Loads& loads, Fill& fill, kernel::Body& lets) {
  kernel::Body body;
  fill.declare(loads.tiles, loads.at, loads.names, body);
  for (const kernel::Stmt& stmt : body)
    if (std::holds_alternative<kernel::Let>(stmt.node)) lets.push_back(stmt);
}

void expect_loads(const std::string& axes, const std::string& value, const Patch& patch,
                  const Place& extents, bool one_x) {
  SCOPED_TRACE(value + ", " + std::to_string(patch.rows) + " rows of " +
               std::to_string(patch.width));
  Loads loads(axes, value, patch);
  Fill fill(loads.context, patch, true, one_x, false);
  kernel::Body lets;
  declare_all(loads, fill, lets);
  Place at;
  for (at[2] = 0; at[2] < extents[2]; ++at[2])
    for (at[1] = 0; at[1] < extents[1]; at[1] += patch.rows)
      for (at[0] = 0; at[0] < extents[0]; at[0] += patch.width) {
        Machine machine = machine_at(loads, extents, at, true);
        machine.run(lets);
        for (const RegisterTile& regs : loads.tiles)
          for (const auto& runs : {runs_before(regs), runs_at_each(regs)})
            for (const Run& run : runs)
              expect_run(loads, regs, run, Loaded(loads, fill, regs, run, patch.axis, Ends::both),
                         extents, at, machine);
      }
}

const char* const kStar = "u + u[x-1] + u[x+2] + u[y-1] - u[y+1]";
const char* const kBox = "sum(i in -2..2, j in -1..1 : u[x+i, y+j])";

TEST(Fill, AVectorOfAPlaneIsOneAccessExactlyWhereItLiesInside) {
  for (const char* value : {kStar, kBox})
    for (const int width : {2, 4})
      for (const bool one_x : {false, true}) {
        for (const int rows : {1, 2, 3})
          expect_loads("x, y", value, {width, rows, -1}, {11, 7, 1}, one_x);
        expect_loads("x, y", value, {width, 1, 1}, {12, 5, 1}, one_x);
      }
}

TEST(Fill, AVectorOfAVolumeIsOneAccessExactlyWhereItLiesInside) {
  const std::string star = std::string(kStar) + " + u[z-2] + u[z+1]";
  for (const char* const value :
       {star.c_str(), "sum(i in -1..1, j in -1..1, k in -1..1 : u[x+i, y+j, z+k])"})
    for (const int rows : {1, 2})
      for (const int axis : {-1, 2})
        expect_loads("x, y, z", value, {4, rows, axis}, {10, 5, 4}, true);
}

// The thread's own plane lies outside the grid at no other ends than those that are named.
TEST(Fill, OnlyTheEndsThatThePlaneMayLieBeyondAreTested) {
  const Patch patch{4, 1, 1};
  Loads loads("x, y", "u[y-1] + u[y+1]", patch);
  Fill fill(loads.context, patch, true, false, false);
  kernel::Body lets;
  declare_all(loads, fill, lets);
  const RegisterTile& regs = loads.tiles.at(0);
  constexpr int kRows = 6;
  for (const Ends ends : {Ends::none, Ends::low, Ends::high, Ends::both})
    for (const int along : {-1, 0, 1}) {
      const Loaded loaded(loads, fill, regs, {along, 0, 1, 0, 1}, 1, ends);
      const auto& whole = std::get<kernel::Fill>(loaded.stmt->node).whole;
      for (int y = -2; y < kRows + 2; ++y) {
        if (y < 0 && ends != Ends::low && ends != Ends::both) continue;
        if (y >= kRows && ends != Ends::high && ends != Ends::both) continue;
        Machine machine = machine_at(loads, {16, kRows, 1}, {4, y, 0}, true);
        const bool inside = y + along >= 0 && y + along < kRows;
        EXPECT_EQ(machine.run(whole).integer != 0, ends == Ends::none || inside)
            << static_cast<int>(ends) << ", " << y << " + " << along;
      }
    }
}

TEST(Fill, NothingIsOneAccessInArraysThatAreNotAligned) {
  const Patch patch{4, 1, -1};
  Loads loads("x, y", kStar, patch);
  const Fill fill(loads.context, patch, true, false, false);
  for (const int vector : {-1, 0, 1}) {
    const kernel::ExprPtr inside = fill.inside(loads.at, vector, 1);
    EXPECT_NE(machine_at(loads, {64, 8, 1}, {16, 4, 0}, true).run(inside).integer, 0);
    EXPECT_EQ(machine_at(loads, {64, 8, 1}, {16, 4, 0}, false).run(inside).integer, 0);
  }
}

TEST(Fill, WhereOneBodyServesBothTheConditionIsTestedNearTheBoundaryAlone) {
  const Patch patch{4, 1, -1};
  Loads loads("x, y", kStar, patch);
  for (const bool both : {false, true}) {
    Fill fill(loads.context, patch, true, false, false, {both ? "edge" : "", ""});
    kernel::Body lets;
    declare_all(loads, fill, lets);
    const RegisterTile& regs = loads.tiles.at(0);
    const Loaded loaded(loads, fill, regs, {0, 0, 1, 0, 1}, -1, Ends::none);
    const auto& filled = std::get<kernel::Fill>(loaded.stmt->node);
    ASSERT_EQ(filled.edge != nullptr, both);
    if (both) {
      EXPECT_EQ(std::get<kernel::Var>(filled.edge->node).name, "edge");
    }
  }
}

TEST(Fill, InsideNothingIsTested) {
  const Patch patch{4, 2, -1};
  Loads loads("x, y", kBox, patch);
  const Fill fill(loads.context, patch, false, true, false);
  for (const RegisterTile& regs : loads.tiles)
    for (const lower::Run& run : runs_at_each(regs)) {
      const Loaded loaded(loads, fill, regs, run, -1, Ends::none);
      const auto* copy = std::get_if<kernel::Copy>(&loaded.stmt->node);
      ASSERT_NE(copy, nullptr);
      ASSERT_NE(loaded.loop, nullptr);
      for (int row = run.row; row < run.row + run.rows; ++row) {
        Machine machine = machine_at(loads, {64, 8, 1}, {16, 4, 0}, true);
        machine.variables[loaded.loop->name].integer = row;
        expect_copy(loads, regs, run, row, *copy, machine, {16 + run.vector * 4, 4 + row, 0});
      }
    }
}

// What comes from other lanes inside: near the boundary by loads, exactly where all of it lies
// inside.
TEST(Fill, SidesAreLoadedExactlyWhereTheyLieInside) {
  const Patch patch{4, 2, -1, true};
  for (const bool one_x : {false, true}) {
    Loads loads("x, y", kStar, patch);
    Fill fill(loads.context, patch, true, one_x, false, {"edge", ""});
    kernel::Body lets;
    declare_all(loads, fill, lets);
    const std::vector<lower::Run> runs = runs_at_each(loads.tiles.at(0));
    ASSERT_EQ(runs.size(), 3u);  // the row below, the own two with sides, and the one above
    kernel::Body body;
    fill(loads.tiles[0], runs[1], loads.at, kernel::var("i"), -1, Ends::none, loads.names, body);
    const auto& loop = std::get<kernel::For>(body.at(0).node);
    ASSERT_EQ(loop.body.size(), 2u);
    const auto& sides = std::get<kernel::Sides>(loop.body[1].node);
    EXPECT_EQ(sides.left, 1);
    EXPECT_EQ(sides.right, 2);
    EXPECT_EQ(sides.width, 4);
    ASSERT_NE(sides.edge, nullptr);
    constexpr int kColumns = 13, kRows = 5;
    for (int y = 0; y < kRows; y += 2)
      for (int x = 0; x < kColumns; x += 4)
        for (int row = 0; row < 2; ++row) {
          Machine machine = machine_at(loads, {kColumns, kRows, 1}, {x, y, 0}, false);
          machine.variables["edge"].integer = true;
          machine.variables[loop.name].integer = row;
          machine.run(lets);
          EXPECT_EQ(machine.run(sides.own).integer, 1);
          EXPECT_EQ(machine.run(sides.from_at).integer, x + (y + row) * kPitch);
          EXPECT_EQ(machine.run(sides.at[0]).integer, x);
          EXPECT_EQ(machine.run(sides.at[1]).integer, y + row);
          const bool inside = x >= 1 && x + 4 + 2 <= kColumns && y + row < kRows;
          EXPECT_EQ(machine.run(sides.whole).integer != 0, inside) << x << ", " << y + row;
        }
  }
}

struct Rows : testing::Lowering {
  explicit Rows(const std::string& boundary, const std::string& axes = "x, y, z")
      : Lowering(
            testing::on(axes, "field f32 u boundary " + boundary + "; u[t+1] = u[x-1] + u[x+1]" +
                                  (axes == "x" ? "" : " + u[y-1] + u[y+1]") +
                                  (axes == "x, y, z" ? " + u[z-1] + u[z+1]" : "") + ";"),
            "coarsened,vector=4") {}
};

// One axis has no rows.
TEST(LowerRows, OneMapOrOneConstantAnAxisFillsGhostCells) {
  const auto maps = [](const std::string& boundary) { return rows_map(Rows(boundary).context, 0); };
  testing::expect_rows(maps, R"(
    clamp       => yes
    reflect     => yes
    mirror      => yes
    periodic    => yes
    fixed       => yes
    constant 2  => yes
    zero        => yes
    { x: constant 2; y: periodic; z: constant 2; } => yes
    antireflect => no
    neumann 1   => no
    expr 0.5*x  => no
    ghost       => no
    { x: constant 1; y: constant 2; z: clamp; }            => no
    { x.lo: clamp; x.hi: mirror; y: clamp; z: clamp; }     => no
    { x: clamp; y.lo: constant 1; y.hi: clamp; z: clamp; } => no
  )");
  EXPECT_TRUE(rows_map(Rows("clamp", "x, y").context, 0));
  EXPECT_FALSE(rows_map(Rows("clamp", "x").context, 0));
}

// What the function of a kernel returns, as the compiler of the GPU reads it.
TEST(LowerRows, TheMapIsEvaluatedNearTheBoundaryAloneWhereOneVariantServesBoth) {
  for (const bool both : {false, true}) {
    Rows rows("{ x: clamp; y: periodic; z: constant 2; }");
    Names names = rows.context.names;
    kernel::Body body;
    const RowFunctions functions =
        declare_rows(rows.context, 0, 0, {both ? "edge" : "", ""}, names, body);
    EXPECT_EQ(functions.row, "u_row");
    EXPECT_EQ(functions.cell, "u_in");
    ASSERT_EQ(body.size(), 3u);
    const auto& row = std::get<kernel::Local>(body[1].node);
    EXPECT_EQ(row.params, (std::vector<std::string>{"row_y", "row_z"}));
    EXPECT_EQ(kernel::used_names(row.body).count("edge"), both ? 1u : 0u);
    const auto& cell = std::get<kernel::Local>(body[2].node);
    EXPECT_EQ(cell.params, (std::vector<std::string>{"row", "cell_x"}));
    EXPECT_EQ(kernel::used_names(cell.body).count("u"), 1u);
  }
}

}  // namespace
}  // namespace stencilc::lower
