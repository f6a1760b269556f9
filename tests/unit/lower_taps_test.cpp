// The reads of cells near the boundary: what their statements compute is what the interpreter
// reads, for all pairs of boundaries on both axes; and how they are written.
#include <gtest/gtest.h>

#include <random>

#include "interp/cell.h"
#include "ir/build.h"
#include "lower/boundary/ghost_value.h"
#include "lower/cell/addressing.h"
#include "support/machine.h"

namespace stencilc::lower {
namespace {

using ir::Edge;
using ir::Side;
using testing::Machine;

// One field `u`, nothing else.
ir::Stencil with_field(std::vector<std::string> axes, ir::Boundary boundary,
                       ir::Type type = ir::Type::f64) {
  return {.axes = std::move(axes),
          .fields = {
              {.name = "u", .type = type, .compute = ir::arithmetic(type), .boundary = boundary}}};
}

Signature signature_of(const ir::Stencil& stencil) {
  Signature signature;
  for (const std::string& axis : stencil.axes) {
    signature.axes.push_back(signature.claimed.claim(axis));
    signature.extents.push_back(signature.claimed.claim("n" + axis));
  }
  signature.pitch = signature.claimed.claim("pitch");
  signature.plane = signature.claimed.claim("plane");
  const kernel::Buffer u{signature.claimed.claim("u"), type_of(stencil.fields[0].type), false};
  signature.levels = {{u}};
  signature.targets = {{}};
  signature.overwrites = {false};
  signature.pitches = {signature.claimed.claim("u_pitch")};
  return signature;
}

std::vector<kernel::ExprPtr> coordinates(const Context& context) {
  std::vector<kernel::ExprPtr> at;
  for (const std::string& axis : context.axes) at.push_back(kernel::var(axis));
  return at;
}

// u at an offset: a cell's statements and the value they lead to.
struct Lowered {
  plan::Launch launch;
  Signature signature;
  Builder builder;
  Context context;
  kernel::Body body;
  kernel::ExprPtr value;

  Lowered(const ir::Stencil& stencil, const ir::Read& read, bool fetches = false)
      : signature(signature_of(stencil)),
        builder(signature),
        context(signature, stencil, launch, plan::Target::cpu, builder) {
    Names names = context.names;
    EdgeTaps::Fetch fetch;
    if (fetches)
      fetch = [&](const ir::Read& of, const std::vector<kernel::ExprPtr>& at, bool, Names& inner,
                  kernel::Body& where) {
        const std::string there = inner.claim("there");
        where.push_back({kernel::Let{
            there, kernel::load(buffer_of(context, of), linear(context, at, stencil.fields[0]))}});
        return kernel::var(there, context.levels[0][0].element);
      };
    EdgeTaps taps(context, coordinates(context), kernel::var("i"), names, body, fetch);
    value = taps(read);
  }
  std::string text() const {
    kernel::Kernel kernel;
    kernel.name = "read";
    kernel.body = body;
    kernel.body.push_back({kernel::Let{"result", value}});
    const std::string text = kernel::print(kernel);
    return text.substr(text.find("  body\n") + 7);
  }
};

ir::ExprPtr linear_value(double a, double b) {
  const auto term = [](double factor, int axis) {
    return ir::apply(ir::Op::mul, ir::Type::f64,
                     {ir::constant(ir::Type::f64, factor),
                      ir::cast(ir::Type::f64, ir::make(ir::Type::i64, ir::Coordinate{axis, 0}))});
  };
  return ir::apply(ir::Op::add, ir::Type::f64, {term(a, 0), term(b, 1)});
}

Side side(Edge edge, int axis, int end) {
  ir::ExprPtr value;
  if (edge == Edge::constant) value = ir::constant(ir::Type::f64, 1000 + 10 * axis + end);
  if (edge == Edge::expr) value = linear_value(100 + end, 10 + axis);
  if (edge == Edge::neumann) value = linear_value(0.25 + axis, 0.5 + end);
  return {true, edge, value};
}

constexpr Edge kKinds[] = {Edge::clamp,       Edge::reflect,  Edge::mirror,
                           Edge::antireflect, Edge::constant, Edge::expr,
                           Edge::neumann,     Edge::ghost,    Edge::none};
std::vector<std::pair<Edge, Edge>> pairs() {
  std::vector<std::pair<Edge, Edge>> result = {{Edge::periodic, Edge::periodic}};
  for (const Edge low : kKinds)
    for (const Edge high : kKinds) result.emplace_back(low, high);
  return result;
}

// Every pair along x, with three pairs along y, in grids of 1 to 4 cells, read up to 3 cells away.
TEST(EdgeTaps, ReadWhatTheInterpreterReads) {
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return static_cast<int>(random() % n); };
  int64_t compared = 0;
  for (const auto& along_x : pairs())
    for (int round = 0; round < 12; ++round) {
      const auto along_y = pairs()[below(pairs().size())];
      ir::Boundary boundary;
      boundary.sides[0] = {side(along_x.first, 0, 0), side(along_x.second, 0, 1)};
      boundary.sides[1] = {side(along_y.first, 1, 0), side(along_y.second, 1, 1)};
      const ir::Stencil stencil = with_field({"x", "y"}, boundary);
      const ir::Read read{0, 0, {below(7) - 3, below(7) - 3, 0}};
      interp::State state = interp::make_state(stencil, {1 + below(4), 1 + below(4), 1});
      state.halos[0] = {3, 3, 0};
      state.fields[0][0].resize(interp::cells(stencil.fields[0], state.extents, state.halos[0]));
      for (ir::Scalar& cell : state.fields[0][0])
        cell = ir::make_real(ir::Type::f64, 1 + below(90));
      const Lowered lowered(stencil, read, round % 2 == 0);
      const std::vector<interp::Grid> none;
      const interp::View view{stencil, state, none};
      const interp::Extents& n = state.extents;
      const int64_t pitch = 32;
      Machine machine;
      machine.load = [&](int64_t index) {  // no cell may be loaded that neither side has
        const int64_t y = (index + 8 * pitch + 8) / pitch - 8, x = index - y * pitch;
        const auto has = [&](int axis, int64_t at) {
          return (at >= 0 || boundary.sides[axis][0].edge == Edge::ghost) &&
                 (at < n[axis] || boundary.sides[axis][1].edge == Edge::ghost);
        };
        EXPECT_TRUE(has(0, x) && has(1, y)) << x << ", " << y;
        return state.fields[0][0][interp::place(stencil, state, 0, {x, y, 0})].real;
      };
      for (int64_t y = 0; y < n[1]; ++y)
        for (int64_t x = 0; x < n[0]; ++x) {
          const interp::Extents at = {x + read.offset[0], y + read.offset[1], 0};
          bool closed = false;  // the domains keep such cells away
          for (int a = 0; a < 2; ++a)
            closed |= (at[a] < 0 && boundary.sides[a][0].edge == Edge::none) ||
                      (at[a] >= n[a] && boundary.sides[a][1].edge == Edge::none);
          if (closed) continue;
          machine.variables = {{"x", {0, x}},     {"y", {0, y}},         {"nx", {0, n[0]}},
                               {"ny", {0, n[1]}}, {"pitch", {0, pitch}}, {"i", {0, y * pitch + x}}};
          machine.run(lowered.body);
          const double value = machine.run(lowered.value).real;
          ASSERT_EQ(value, interp::read(view, read, at).real)
              << "cell " << x << ", " << y << " of " << n[0] << " x " << n[1] << "\n"
              << lowered.text();
          ++compared;
        }
    }
  EXPECT_GT(compared, 2000);
}

// ---- as they are written ----

ir::Boundary sides(Side x_low, Side x_high, Side y_low = {}, Side y_high = {}) {
  ir::Boundary result;
  result.sides[0] = {x_low, x_high};
  result.sides[1] = {y_low, y_high};
  return result;
}
ir::Boundary everywhere(const Side& side) { return sides(side, side, side, side); }

Side number(Edge edge, double value) { return {true, edge, ir::constant(ir::Type::f64, value)}; }
const Side kClamp{true, Edge::clamp, nullptr}, kReflect{true, Edge::reflect, nullptr},
    kOdd{true, Edge::antireflect, nullptr};
Side ramp() {
  const ir::ExprPtr x = ir::cast(ir::Type::f64, ir::make(ir::Type::i64, ir::Coordinate{0, 0}));
  return {true, Edge::expr,
          ir::apply(ir::Op::mul, ir::Type::f64, {ir::constant(ir::Type::f64, 2), x})};
}

TEST(EdgeTaps, SidesOfOneKindCallItsMap) {
  EXPECT_EQ(Lowered(with_field({"x", "y"}, everywhere(kReflect)), {0, 0, {-1, 2, 0}}).text(),
            R"(    let at_xm1: index = reflect((x - 1), nx)
    let at_yp2: index = reflect((y + 2), ny)
    let result: f64 = u[((at_yp2 * pitch) + at_xm1)]
)");
  // beyond a clamped side it does not matter what the other one does
  EXPECT_EQ(Lowered(with_field({"x"}, sides(kOdd, kClamp)), {0, 0, {1}}).text(),
            R"(    let at_xp1: index = clamp((x + 1), nx)
    let result: f64 = u[at_xp1]
)");
}

TEST(EdgeTaps, ConstantsAreSelected) {
  EXPECT_EQ(
      Lowered(with_field({"x", "y"}, everywhere(number(Edge::constant, 7))), {0, 0, {-1, 2, 0}})
          .text(),
      R"(    let has_xm1: bool = (x >= 1)
    let has_yp2: bool = ((y + 2) < ny)
    let result: f64 = pick((has_xm1 && has_yp2), u[((i + (2 * pitch)) - 1)], 7)
)");
  EXPECT_EQ(Lowered(with_field({"x", "y"}, sides(number(Edge::constant, 7), kClamp, kClamp,
                                                 number(Edge::constant, 8))),
                    {0, 0, {-1, 2, 0}})
                .text(),
            R"(    let has_xm1: bool = (x >= 1)
    let has_yp2: bool = ((y + 2) < ny)
    let ghost_xm1_yp2: f64 = pick(has_xm1, 8, 7)
    let result: f64 = pick((has_xm1 && has_yp2), u[((i + (2 * pitch)) - 1)], ghost_xm1_yp2)
)");
}

TEST(EdgeTaps, TwoKindsFoldAndTheSignIsApart) {
  EXPECT_EQ(Lowered(with_field({"x"}, sides(kOdd, kClamp)), {0, 0, {-1}}).text(),
            R"(    let at_xm1: index = fold<reflect, clamp>((x - 1), nx)
    let flips_xm1: bool = flips<antireflect, clamp>((x - 1), nx)
    let u_xm1: f64 = u[at_xm1]
    let result: f64 = pick(flips_xm1, -u_xm1, u_xm1)
)");
  // nothing computes in a half type
  EXPECT_EQ(Lowered(with_field({"x"}, sides(kOdd, kOdd), ir::Type::f16), {0, 0, {-1}}).text(),
            R"(    let at_xm1: index = reflect((x - 1), nx)
    let flips_xm1: bool = flips<antireflect, antireflect>((x - 1), nx)
    let u_xm1: f16 = u[at_xm1]
    let negated: f32 = -f32(u_xm1)
    let result: f16 = pick(flips_xm1, f16(negated), u_xm1)
)");
}

TEST(EdgeTaps, ASlopeRisesFromTheBoundary) {
  EXPECT_EQ(
      Lowered(with_field({"x"}, sides(number(Edge::neumann, 0.5), kClamp)), {0, 0, {-2}}).text(),
      R"(    let has_xm2: bool = (x >= 2)
    let at_xm2: index = clamp((x - 2), nx)
    let u_xm2: f64 = u[at_xm2]
    let cells_xm2: f64 = f64((2 - x))
    let risen_xm2: f64 = fma(0.5, cells_xm2, u_xm2)
    let result: f64 = pick(has_xm2, u_xm2, risen_xm2)
)");
}

// What a fetch needs stands after the test: it may not run outside the grid.
TEST(EdgeTaps, AFetchIsGuarded) {
  const ir::Stencil stencil = with_field({"x"}, sides(kClamp, ramp()));
  EXPECT_EQ(Lowered(stencil, {0, 0, {1}}).text(), R"(    let has_xp1: bool = ((x + 1) < nx)
    let ghost_xp1: f64 = (2 * f64((x + 1)))
    let result: f64 = pick(has_xp1, u[(i + 1)], ghost_xp1)
)");
  EXPECT_EQ(Lowered(stencil, {0, 0, {1}}, true).text(),
            R"(    let has_xp1: bool = ((x + 1) < nx)
    let ghost_xp1: f64 = (2 * f64((x + 1)))
    var u_xp1: f64 = ghost_xp1
    if has_xp1
      let there: f64 = u[(x + 1)]
      u_xp1 = there
    let result: f64 = u_xp1
)");
}

// ---- fields on some of the axes ----

TEST(Taps, AFieldIsIndexedAlongItsAxes) {
  ir::Stencil stencil = with_field({"x", "y", "z"}, {});
  for (int a = 0; a < 3; ++a) stencil.fields[0].boundary.sides[a] = {kClamp, kClamp};
  const ir::Read read{0, 0, {1, -1, 0}};
  const auto text = [&](bool x, bool y, bool z) {
    stencil.fields[0].along = {x, y, z};
    return Lowered(stencil, read).text();
  };
  EXPECT_EQ(text(true, false, false), R"(    let at_xp1: index = clamp((x + 1), nx)
    let result: f64 = u[at_xp1]
)");
  EXPECT_EQ(text(false, true, true), R"(    let at_ym1: index = clamp((y - 1), ny)
    let result: f64 = u[((z * u_pitch) + at_ym1)]
)");
  EXPECT_EQ(text(true, false, true), R"(    let at_xp1: index = clamp((x + 1), nx)
    let result: f64 = u[((z * u_pitch) + at_xp1)]
)");
  EXPECT_EQ(text(false, false, true), "    let result: f64 = u[z]\n");
}

TEST(Taps, InteriorReadsAreShifted) {
  ir::Stencil stencil = with_field({"x", "y", "z"}, {});
  const auto text = [&](bool x, bool y, bool z) {
    stencil.fields[0].along = {x, y, z};
    Lowered lowered(stencil, {0, 0, {}});
    lowered.value = interior_tap(lowered.context, coordinates(lowered.context), kernel::var("i"),
                                 {0, 0, {1, 0, -2}});
    return lowered.text();
  };
  EXPECT_EQ(text(true, true, true), "    let result: f64 = u[((i - (2 * plane)) + 1)]\n");
  EXPECT_EQ(text(true, false, true), "    let result: f64 = u[(((z - 2) * u_pitch) + (x + 1))]\n");
  EXPECT_EQ(text(false, false, true), "    let result: f64 = u[(z - 2)]\n");
  EXPECT_EQ(text(false, true, false), "    let result: f64 = u[y]\n");
}

}  // namespace
}  // namespace stencilc::lower
