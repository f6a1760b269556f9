// What lies outside the grid: the index maps against the tables of scipy.ndimage, then sides of
// different kinds, corners, values and halos, written out.
#include <gtest/gtest.h>

#include "interp/interpreter.h"
#include "support/interpreted.h"
#include "support/ndimage_tables.h"
#include "support/tables.h"

namespace stencilc::interp {
namespace {

using ir::Edge;

// '.' where no cell of the line stands for the index.
char letter(const Landing& landing, int64_t extent) {
  return landing.index < 0 || landing.index >= extent ? '.'
                                                      : static_cast<char>('a' + landing.index);
}

TEST(Boundary, IndexMapsAreThoseOfNdimage) {
  using testing::kGhosts, testing::kLongest;
  const std::pair<Edge, const char* const*> kModes[] = {
      {Edge::clamp, testing::kNearest},       {Edge::reflect, testing::kReflect},
      {Edge::antireflect, testing::kReflect}, {Edge::mirror, testing::kMirror},
      {Edge::periodic, testing::kWrap},       {Edge::constant, testing::kConstant}};
  for (const auto& [edge, table] : kModes)
    for (int extent = 1; extent <= kLongest; ++extent)
      for (int radius = 1; radius <= kGhosts; ++radius)
        for (int index = -radius; index < extent + radius; ++index)
          ASSERT_EQ(letter(extend(edge, edge, index, extent), extent),
                    table[extent - 1][index + kGhosts])
              << ir::name(edge) << " of " << extent << " at " << index;
}

// Far beyond what any table holds, the maps go on with their period.
TEST(Boundary, IndexMapsGoOnForever) {
  for (int64_t extent = 1; extent <= 6; ++extent)
    for (int64_t index = -300; index <= 300; ++index) {
      SCOPED_TRACE(std::to_string(index) + " of " + std::to_string(extent));
      const auto same = [&](Edge edge, int64_t period) {
        const int64_t near = (index % period + period) % period;
        EXPECT_EQ(extend(edge, edge, index, extent).index, extend(edge, edge, near, extent).index);
      };
      same(Edge::periodic, extent);
      same(Edge::reflect, 2 * extent);
      same(Edge::mirror, extent == 1 ? 1 : 2 * (extent - 1));
      // a turn of the sign for each length away
      const int64_t lengths = (index - (index % extent + extent) % extent) / extent;
      EXPECT_EQ(extend(Edge::antireflect, Edge::antireflect, index, extent).negated,
                lengths % 2 != 0);
    }
}

struct Mixed {
  Edge low, high;
  int64_t extent;
  const char*
      cells;  // at -6 .. extent+5; upper case: negated; a dot: beyond a side that has no cell
};
constexpr Mixed kMixed[] = {
    {Edge::clamp, Edge::reflect, 3, "aaaaaaabccbaaaa"},
    {Edge::reflect, Edge::clamp, 3, "ccccbaabccccccc"},
    {Edge::mirror, Edge::antireflect, 3, "BABCcbabcCBABCc"},
    {Edge::reflect, Edge::mirror, 2, "abaabaabaabaab"},
    {Edge::mirror, Edge::reflect, 1, "aaaaaaaaaaaaa"},
    {Edge::reflect, Edge::constant, 2, "....baab......"},
    {Edge::antireflect, Edge::constant, 2, "....BAab......"},
    {Edge::expr, Edge::mirror, 3, "......abcba...."},
    {Edge::neumann, Edge::clamp, 2, "......abbbbbbb"},
    {Edge::mirror, Edge::ghost, 1, "......a......"},
    // docs/language.md: `mirror` gives the one cell where both sides have it.
    {Edge::mirror, Edge::constant, 1, "......a......"},
    {Edge::mirror, Edge::mirror, 1, "aaaaaaaaaaaaa"}};

TEST(Boundary, InAShortLineAnIndexGoesOnByTheOtherEnd) {
  for (const Mixed& row : kMixed)
    for (int64_t index = -6; index < row.extent + 6; ++index) {
      const Landing landing = extend(row.low, row.high, index, row.extent);
      char cell = letter(landing, row.extent);
      if (landing.negated && cell != '.') cell = static_cast<char>(cell - 'a' + 'A');
      EXPECT_EQ(cell, row.cells[index + 6]) << ir::name(row.low) << ", " << ir::name(row.high)
                                            << " of " << row.extent << " at " << index;
    }
}

// No read crosses a closed end, so one that comes back to it does not stop there.
TEST(Boundary, AClosedEndSendsBackAsTheOpenOneDoes) {
  for (const Edge open : {Edge::reflect, Edge::mirror, Edge::antireflect})
    for (const Edge closed : {Edge::none, Edge::fixed})
      for (int64_t extent = 1; extent <= 4; ++extent)
        for (int64_t distance = 1; distance <= 9; ++distance) {
          const auto same = [](const Landing& a, const Landing& b) {
            return a.index == b.index && a.negated == b.negated;
          };
          const int64_t above = extent - 1 + distance;
          EXPECT_TRUE(
              same(extend(open, closed, -distance, extent), extend(open, open, -distance, extent)));
          EXPECT_TRUE(same(extend(closed, open, above, extent), extend(open, open, above, extent)));
        }
}

// What u, which counts from 1, is at an offset: in each cell of a grid.
std::string seen(const std::string& extents, const std::string& boundary, const std::string& read) {
  const std::string axes = std::string("x, y, z").substr(0, 3 * ((extents.size() + 1) / 2) - 2);
  std::string given = "1 step on " + extents + ": u =";
  const int cells = extents[0] - '0', rows = extents.size() > 1 ? extents[2] - '0' : 1;
  for (int n = 1; n <= cells * rows; ++n) given += " " + std::to_string(n);
  const std::string state =
      testing::run_of("stencil s { axes " + axes + "; field f64 u in boundary { " + boundary +
                          " }; field f64 r out; r = " + read + "; }",
                      given);
  return state.substr(state.find("r = ") + 4);
}

TEST(Boundary, Values) {
  testing::expect_rows(seen, R"(
--- antireflect changes the sign: -b -a | a b c
3 | x.lo: antireflect; x.hi: clamp | u[x-2] => -2 -1 1
--- neumann rises by the slope for each cell outward
5 | x.lo: neumann 2; x.hi: neumann 10 | u[x-3] => 7 5 3 1 2
5 | x.lo: neumann 2; x.hi: neumann 10 | u[x+2] => 3 4 5 15 25
--- expr is taken at the ghost cell, where the later axis still is where it was
3x2 | x.lo: expr 100*x + y; x.hi: clamp; y: clamp | u[x-2, y+1] => -199 -99 4 -198 -98 4
--- constant wins in corners, and the first of two
2x2 | x.lo: expr 100*x + y; x.hi: clamp; y.lo: constant 7; y.hi: clamp | u[x-1, y-1] => 7 7 -100 1
2x2 | x.lo: constant 5; x.hi: clamp; y.lo: constant 7; y.hi: clamp | u[x-1, y-1] => 5 7 5 1
--- without the sign and the slope of the others
2x2 | x.lo: antireflect; x.hi: neumann 3; y.lo: constant 7; y.hi: clamp | u[x-1, y-1] => 7 7 -1 1
--- axes apply in their order: the sign of x stands outside what y makes of the value, at the mapped x
2x2 | x.lo: antireflect; x.hi: clamp; y.lo: expr 10*x + y; y.hi: clamp | u[x-2, y-1] => -9 1 -2 -1
--- the other way round y never has its turn
2x2 | x.lo: expr 10*x + y; x.hi: clamp; y.lo: antireflect; y.hi: clamp | u[x-2, y-1] => -21 -11 -20 -10
--- the sign of a slope, and the slope of a sign
2x2 | x.lo: antireflect; x.hi: clamp; y.lo: neumann 3; y.hi: clamp | u[x-1, y-2] => -7 7 -4 4
2x2 | x.lo: neumann 3; x.hi: clamp; y.lo: antireflect; y.hi: clamp | u[x-1, y-2] => 0 -3 2 -1
--- an index sent back may end at a constant: -4 is 3 sent back, and 3 is beyond the end
2 | x.lo: reflect; x.hi: constant 9 | u[x-4] => 9 9
2 | x.lo: antireflect; x.hi: neumann 3 | u[x-4] => -8 -5
)");
  testing::expect_rows(testing::run_of, R"(
--- values are computed in the compute type and stored in the other: f16 of fma(1/3, 2, 1) and 0.1 in f32
stencil s { axes x; field f16 u in boundary { x.lo: neumann 1/3; x.hi: constant 0.1 }; field f16 r out; r = u[x-2]; }
 | 1 step on 2: u = 1 2
=> u = 1 2; r = 1.6669921875 1.3330078125
stencil s { axes x; field f16 u in boundary { x.lo: neumann 1/3; x.hi: constant 0.1 }; field f16 r out; r = u[x+2]; }
 | 1 step on 2: u = 1 2
=> u = 1 2; r = 0.0999755859375 0.0999755859375
--- an output keeps what is there where its reads leave the grid
stencil s { axes x; field f32 u in, r out boundary none; r = u[x-1] + u[x+2]; }
 | 1 step on 6: u = 0 1 2 3 4 5; r = 77 77 77 77 77 77
=> u = 0 1 2 3 4 5; r = 77 3 5 7 77 77
--- a field on some axes is the same along the others
stencil s { axes x, y; field f64 u(y) in boundary periodic; field f64 r out; r = u[y-1]; }
 | 1 step on 3x4: u = 0 10 20 30
=> u = 0 10 20 30; r = 30 30 30 0 0 0 10 10 10 20 20 20
--- a plane of a volume has two axes, here x+1 and z-1, both clamped
stencil s { axes x, y, z; field f64 u(x, z) in boundary clamp; field f64 r out; r = u[x+1, z-1]; }
 | 1 step on 2x3x4: u = 0 1 2 3 4 5 6 7
=> u = 0 1 2 3 4 5 6 7; r = 1 1 1 1 1 1 1 1 1 1 1 1 3 3 3 3 3 3 5 5 5 5 5 5
--- ghost cells are the callers: rows of 2 + 3 + 2; step 1 makes -1 -2 1 of both rows, step 2 -1 -2 -1
stencil s { axes x, y; field f64 u boundary { x.lo: ghost; x.hi: clamp; y: reflect }; u[t+1] = u[x-2, y-1]; }
 | 2 steps on 3x2: u = -1 -2 1 2 3 -3 -4 -5 -6 4 5 6 -7 -8
=> u = -1 -2 -1 -2 -1 -3 -4 -5 -6 -1 -2 -1 -7 -8
)");
  const ir::Stencil ghosts = testing::canonical(
      "stencil s { axes x, y; field f64 u boundary { x.lo: ghost; x.hi: clamp; y: reflect }; "
      "u[t+1] = u[x-2, y-1]; }");
  EXPECT_EQ(ir::ghost_halo(ghosts, 0), (ir::Offset{2, 0, 0}));
}

// A slope is taken at the ghost cell, the later axis not yet mapped. The language has slopes that
// are one number for a side.
TEST(Boundary, ASlopeIsTakenAtTheGhostCell) {
  ir::Stencil stencil = testing::canonical(
      "stencil s { axes x, y; field f64 u in boundary { x.lo: neumann 1; x.hi: clamp; y: clamp }; "
      "field f64 r out; r = u[x-2, y-1]; field f64 e in boundary expr 10*x + y; field f64 g out; g "
      "= e[x-1]; }");
  stencil.fields[0].boundary.sides[0][0].value = stencil.fields[2].boundary.sides[0][0].value;
  State state = make_state(stencil, {2, 2, 1});
  for (size_t i = 0; i < 4; ++i) state.fields[0][0][i].real = static_cast<double>(i + 1);
  run(stencil, state, 1);
  EXPECT_EQ(state.fields[1][0][0].real, 1 + (10 * -2 - 1) * 2);
}

}  // namespace
}  // namespace stencilc::interp
