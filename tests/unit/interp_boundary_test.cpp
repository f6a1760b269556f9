// What lies beyond the rim: the index maps against the tables of scipy.ndimage, then sides of
// different kinds, corners, values and halos, written out.
#include <gtest/gtest.h>

#include <cmath>

#include "interp/interpreter.h"
#include "ir/build.h"
#include "support/ndimage_tables.h"

namespace stencilc::interp {
namespace {

using ir::Edge;
using ir::ExprPtr;
using ir::Side;
using ir::Type;

// '.' where no cell of the line stands for the index.
char letter(const Landing& landing, int64_t extent) {
  return landing.index < 0 || landing.index >= extent ? '.'
                                                      : static_cast<char>('a' + landing.index);
}

TEST(Boundary, IndexMapsAreThoseOfNdimage) {
  using testing::kBeyond, testing::kLongest;
  const std::pair<Edge, const char* const*> kModes[] = {
      {Edge::clamp, testing::kNearest},       {Edge::reflect, testing::kReflect},
      {Edge::antireflect, testing::kReflect}, {Edge::mirror, testing::kMirror},
      {Edge::periodic, testing::kWrap},       {Edge::constant, testing::kConstant}};
  for (const auto& [edge, table] : kModes)
    for (int extent = 1; extent <= kLongest; ++extent)
      for (int radius = 1; radius <= kBeyond; ++radius)
        for (int index = -radius; index < extent + radius; ++index)
          ASSERT_EQ(letter(extend(edge, edge, index, extent), extent),
                    table[extent - 1][index + kBeyond])
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
constexpr Mixed kMixed[] = {{Edge::clamp, Edge::reflect, 3, "aaaaaaabccbaaaa"},
                            {Edge::reflect, Edge::clamp, 3, "ccccbaabccccccc"},
                            {Edge::mirror, Edge::antireflect, 3, "BABCcbabcCBABCc"},
                            {Edge::reflect, Edge::mirror, 2, "abaabaabaabaab"},
                            {Edge::mirror, Edge::reflect, 1, "aaaaaaaaaaaaa"},
                            {Edge::reflect, Edge::constant, 2, "....baab......"},
                            {Edge::antireflect, Edge::constant, 2, "....BAab......"},
                            {Edge::expr, Edge::mirror, 3, "......abcba...."},
                            {Edge::neumann, Edge::clamp, 2, "......abbbbbbb"},
                            {Edge::mirror, Edge::ghost, 1, "......a......"}};

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
        for (int64_t beyond = 1; beyond <= 9; ++beyond) {
          const auto same = [](const Landing& a, const Landing& b) {
            return a.index == b.index && a.negated == b.negated;
          };
          const int64_t above = extent - 1 + beyond;
          EXPECT_TRUE(
              same(extend(open, closed, -beyond, extent), extend(open, open, -beyond, extent)));
          EXPECT_TRUE(same(extend(closed, open, above, extent), extend(open, open, above, extent)));
        }
}

// ---- values ----

// u, read at an offset into r: what each cell sees there.
struct Probe {
  ir::Stencil stencil;
  State state;

  Probe(std::vector<std::string> axes, Extents extents, ir::Boundary boundary, ir::Offset offset,
        Type type = Type::f64) {
    stencil.axes = std::move(axes);
    ir::Field u, r;
    u.name = "u";
    r.name = "r";
    u.type = r.type = type;
    u.compute = r.compute = ir::arithmetic(type);
    u.boundary = boundary;
    r.role = ir::Role::output;
    stencil.fields = {u, r};
    ir::Case one;
    one.value = ir::make(type, ir::Read{0, 0, offset});
    stencil.updates = {{1, {one}}};
    ir::infer(stencil);
    state = make_state(stencil, extents);
    for (size_t i = 0; i < state.fields[0][0].size(); ++i)
      state.fields[0][0][i].real = static_cast<double>(i + 1);
  }
  // After a step, at a cell.
  double at(int64_t x, int64_t y = 0, int64_t z = 0) {
    if (state.time == 0) run(stencil, state, 1);
    const Extents& n = state.extents;
    return state.fields[1][0][(z * n[1] + y) * n[0] + x].real;
  }
};

Side side(Edge edge, ExprPtr value = nullptr) { return {true, edge, std::move(value)}; }
Side number(Edge edge, double value) { return side(edge, ir::constant(Type::f64, value)); }
// a*x + b*y, of coordinates
ExprPtr linear(double a, double b, Type type = Type::f64) {
  const auto term = [&](double factor, int axis) {
    return ir::apply(
        ir::Op::mul, type,
        {ir::constant(type, factor), ir::cast(type, ir::make(Type::i64, ir::Coordinate{axis, 0}))});
  };
  return ir::apply(ir::Op::add, type, {term(a, 0), term(b, 1)});
}
ir::Boundary sides(Side x_low, Side x_high, Side y_low = {}, Side y_high = {}) {
  ir::Boundary result;
  result.sides[0] = {x_low, x_high};
  result.sides[1] = {y_low, y_high};
  return result;
}

TEST(Boundary, AntireflectChangesTheSign) {
  Probe probe({"x"}, {3, 1, 1}, sides(side(Edge::antireflect), side(Edge::clamp)), {-2});
  EXPECT_EQ(probe.at(0), -2);  // -b -a | a b c
  EXPECT_EQ(probe.at(1), -1);
  EXPECT_EQ(probe.at(2), 1);
}

TEST(Boundary, NeumannRisesByTheSlopeForEachCellOutward) {
  Probe low({"x"}, {5, 1, 1}, sides(number(Edge::neumann, 2), number(Edge::neumann, 10)), {-3});
  EXPECT_EQ(low.at(0), 1 + 3 * 2);
  EXPECT_EQ(low.at(2), 1 + 1 * 2);
  EXPECT_EQ(low.at(3), 1);
  Probe high({"x"}, {5, 1, 1}, sides(number(Edge::neumann, 2), number(Edge::neumann, 10)), {2});
  EXPECT_EQ(high.at(2), 5);
  EXPECT_EQ(high.at(3), 5 + 1 * 10);
  EXPECT_EQ(high.at(4), 5 + 2 * 10);
}

TEST(Boundary, ExprIsTakenAtTheGhostCell) {
  Probe probe({"x", "y"}, {3, 2, 1},
              sides(side(Edge::expr, linear(100, 1)), side(Edge::clamp), side(Edge::clamp),
                    side(Edge::clamp)),
              {-2, 1});
  EXPECT_EQ(probe.at(0, 0), 100 * -2 + 1);
  EXPECT_EQ(probe.at(1, 1), 100 * -1 + 2);  // y is the later axis: still where it was
  EXPECT_EQ(probe.at(2, 1), 4);             // x is inside, and y clamped
}

TEST(Boundary, ConstantWinsInCornersAndTheFirstOfTwo) {
  const Side clamp = side(Edge::clamp);
  Probe over_expr({"x", "y"}, {2, 2, 1},
                  sides(side(Edge::expr, linear(100, 1)), clamp, number(Edge::constant, 7), clamp),
                  {-1, -1});
  EXPECT_EQ(over_expr.at(0, 0), 7);
  EXPECT_EQ(over_expr.at(0, 1), -100);
  EXPECT_EQ(over_expr.at(1, 0), 7);
  EXPECT_EQ(over_expr.at(1, 1), 1);
  Probe two({"x", "y"}, {2, 2, 1},
            sides(number(Edge::constant, 5), clamp, number(Edge::constant, 7), clamp), {-1, -1});
  EXPECT_EQ(two.at(0, 0), 5);
  EXPECT_EQ(two.at(0, 1), 5);
  EXPECT_EQ(two.at(1, 0), 7);
  // without the sign and the slope of the others
  Probe bare(
      {"x", "y"}, {2, 2, 1},
      sides(side(Edge::antireflect), number(Edge::neumann, 3), number(Edge::constant, 7), clamp),
      {-1, -1});
  EXPECT_EQ(bare.at(0, 0), 7);
  EXPECT_EQ(bare.at(0, 1), -1);
}

TEST(Boundary, AxesApplyInTheirOrder) {
  const Side clamp = side(Edge::clamp), odd = side(Edge::antireflect);
  // the sign of x stands outside what y makes of the value, at the mapped x
  Probe sign_of_expr({"x", "y"}, {2, 2, 1},
                     sides(odd, clamp, side(Edge::expr, linear(10, 1)), clamp), {-2, -1});
  EXPECT_EQ(sign_of_expr.at(0, 0), -(10 * 1 - 1));
  EXPECT_EQ(sign_of_expr.at(1, 0), -(10 * 0 - 1));
  // the other way round y never has its turn
  Probe expr_alone({"x", "y"}, {2, 2, 1}, sides(side(Edge::expr, linear(10, 1)), clamp, odd, clamp),
                   {-2, -1});
  EXPECT_EQ(expr_alone.at(0, 0), 10 * -2 - 1);
  Probe sign_of_slope({"x", "y"}, {2, 2, 1}, sides(odd, clamp, number(Edge::neumann, 3), clamp),
                      {-1, -2});
  EXPECT_EQ(sign_of_slope.at(0, 0), -(1 + 3 * 2));
  Probe slope_of_sign({"x", "y"}, {2, 2, 1}, sides(number(Edge::neumann, 3), clamp, odd, clamp),
                      {-1, -2});
  EXPECT_EQ(slope_of_sign.at(0, 0), -3 + 3 * 1);
  // a slope is taken at the ghost cell, the later axis not yet mapped
  Probe slope({"x", "y"}, {2, 2, 1}, sides(side(Edge::neumann, linear(10, 1)), clamp, clamp, clamp),
              {-2, -1});
  EXPECT_EQ(slope.at(0, 0), 1 + (10 * -2 - 1) * 2);
}

TEST(Boundary, AnIndexSentBackMayEndAtAConstant) {
  Probe probe({"x"}, {2, 1, 1}, sides(side(Edge::reflect), number(Edge::constant, 9)), {-4});
  EXPECT_EQ(probe.at(0), 9);  // -4 is 3 sent back, and 3 is beyond the end
  EXPECT_EQ(probe.at(1), 9);
  Probe slope({"x"}, {2, 1, 1}, sides(side(Edge::antireflect), number(Edge::neumann, 3)), {-4});
  EXPECT_EQ(slope.at(0), -(2 + 3 * 2));
  EXPECT_EQ(slope.at(1), -(2 + 3 * 1));
}

// The value is rounded to what memory holds: a read is of the field's type.
TEST(Boundary, ValuesAreComputedInTheComputeTypeAndStoredInTheOther) {
  ir::Boundary boundary = sides(side(Edge::neumann, ir::constant(Type::f32, 1.0 / 3)),
                                side(Edge::constant, ir::constant(Type::f32, 0.1)));
  Probe low({"x"}, {2, 1, 1}, boundary, {-2}, Type::f16);
  EXPECT_EQ(low.at(0), ir::make_real(Type::f16, std::fma(1.0f / 3, 2.0f, 1.0f)).real);
  Probe high({"x"}, {2, 1, 1}, boundary, {2}, Type::f16);
  EXPECT_EQ(high.at(0), ir::make_real(Type::f16, 0.1).real);
}

// ---- fields on some of the axes, halos ----

TEST(Boundary, AFieldOnSomeAxesIsTheSameAlongTheOthers) {
  Probe probe({"x", "y"}, {3, 4, 1}, {}, {0, -1});
  ir::Field& u = probe.stencil.fields[0];
  u.along = {false, true, true};
  u.boundary.sides[1] = {side(Edge::periodic), side(Edge::periodic)};
  ir::infer(probe.stencil);
  probe.state = make_state(probe.stencil, {3, 4, 1});
  ASSERT_EQ(probe.state.fields[0][0].size(), 4u);
  for (int i = 0; i < 4; ++i) probe.state.fields[0][0][i].real = 10 * i;
  for (int x = 0; x < 3; ++x) {
    EXPECT_EQ(probe.at(x, 0), 30);
    EXPECT_EQ(probe.at(x, 3), 20);
  }
}

TEST(Boundary, APlaneOfAVolumeHasTwoAxes) {
  Probe probe({"x", "y", "z"}, {2, 3, 4}, {}, {1, 0, -1});
  ir::Field& u = probe.stencil.fields[0];
  u.along = {true, false, true};
  for (const int axis : {0, 2}) u.boundary.sides[axis] = {side(Edge::clamp), side(Edge::clamp)};
  ir::infer(probe.stencil);
  probe.state = make_state(probe.stencil, {2, 3, 4});
  ASSERT_EQ(probe.state.fields[0][0].size(), 8u);
  for (int i = 0; i < 8; ++i) probe.state.fields[0][0][i].real = i;
  EXPECT_EQ(probe.at(0, 2, 3), 5);  // x+1 = 1, z-1 = 2: 2*2 + 1
  EXPECT_EQ(probe.at(1, 0, 0), 1);  // both clamped
}

// The halo is as wide as the reads reach, and stays what the caller made it.
TEST(Boundary, GhostCellsAreTheCallers) {
  ir::Boundary boundary =
      sides(side(Edge::ghost), side(Edge::clamp), side(Edge::reflect), side(Edge::reflect));
  ir::Stencil stencil;
  stencil.axes = {"x", "y"};
  ir::Field u;
  u.name = "u";
  u.type = u.compute = Type::f64;
  u.role = ir::Role::stepped;
  u.boundary = boundary;
  stencil.fields = {u};
  ir::Case one;  // u[t+1] = u[x-2, y-1]
  one.value = ir::make(Type::f64, ir::Read{0, 0, {-2, -1}});
  stencil.updates = {{0, {one}}};
  ir::infer(stencil);
  EXPECT_EQ(ir::ghost_halo(stencil, 0), (ir::Offset{2, 0, 0}));
  State state = make_state(stencil, {3, 2, 1});
  Grid& grid = state.fields[0][0];
  ASSERT_EQ(grid.size(), 14u);                        // rows of 2 + 3 + 2
  const double before[] = {-1, -2, 1, 2, 3, -3, -4,   // y = 0
                           -5, -6, 4, 5, 6, -7, -8};  // y = 1
  for (int i = 0; i < 14; ++i) grid[i].real = before[i];
  run(stencil, state, 2);
  // step 1: y = 0 sees y = 0 reflected, y = 1 sees y = 0; both are -1 -2 1 then
  // step 2: -1 -2 -1
  const double after[] = {-1, -2, -1, -2, -1, -3, -4, -5, -6, -1, -2, -1, -7, -8};
  for (int i = 0; i < 14; ++i) EXPECT_EQ(state.fields[0][0][i].real, after[i]) << i;
}

}  // namespace
}  // namespace stencilc::interp
