// Sums that are built plane by plane: which they are, and that a stream which adds plane after
// plane makes of every cell what the sum says, term by term.
#include <gtest/gtest.h>

#include <cmath>

#include "ir/build.h"
#include "lower/tile/partial_sums.h"
#include "support/lowering.h"
#include "support/machine.h"
#include "support/rows.h"

namespace stencilc::lower {
namespace {

constexpr int kAlong = 2;  // z is streamed

struct StreamedSums : testing::Lowering {
  PlaneSums sums;

  explicit StreamedSums(const std::string& statements, int width = 1, int rows = 1)
      : Lowering(testing::on("x, y, z", statements)) {
    std::vector<ir::ExprPtr> values;
    for (const ir::Update& update : stencil.updates) values.push_back(update.cases.at(0).value);
    Names names = context.names;
    sums = sums_along(context, values, kAlong, width, rows, names);
  }
};

// What a field is at a place in plane z; no two alike, and sums of them are rounded.
double value_at(const ir::Read& read, int z) {
  return 1 / (9.3 + read.offset[0] + 0.37 * read.offset[1] + 1.7 * z) + 0.1 * (z + read.field);
}
// What the sum is at x = y = 0 and z: a term after the other, each rounded once.
double expected(const ir::Sum& sum, int z) {
  double result = 0;
  bool first = true;
  if (sum.bias) {
    result = ir::as<ir::Constant>(sum.bias)->value.real;
    first = false;
  }
  for (const ir::Sum::Term& term : sum.terms) {
    const auto* read = ir::as<ir::Read>(term.tap);
    const double value = value_at(*read, z + read->offset[kAlong]);
    const double weight = term.weight ? ir::as<ir::Constant>(term.weight)->value.real : 1;
    result = first ? weight * value : std::fma(weight, value, result);
    first = false;
  }
  return result;
}

void expect_sums(const std::string& statements, size_t count) {
  SCOPED_TRACE(statements);
  StreamedSums streamed(statements);
  ASSERT_EQ(streamed.sums.sums.size(), count);
  EXPECT_TRUE(streamed.sums.others.empty());
  testing::Machine thread;  // each of its arrays holds one value
  for (const PlaneSum& sum : streamed.sums.sums)
    for (const kernel::Buffer& partial : sum.partials)
      thread.arrays[partial.name] = std::nan("");  // nothing may be read that was not set
  for (int z = streamed.sums.low; z < streamed.sums.low + 12; ++z) {  // the plane that arrives
    kernel::Body body;
    Names names = streamed.context.names;
    const auto tap = [&](const ir::Read& read) {
      return kernel::make(kernel::Type::f64, kernel::Real{value_at(read, z)});
    };
    Cell cell(streamed.context, {kernel::index(0), kernel::index(0), kernel::index(0)}, tap, names,
              body);
    add_plane(streamed.sums, kernel::index(0), kernel::index(0), cell, body);
    thread.run(body);
    const int done = z - streamed.sums.high;  // the cell whose last plane this was
    if (done < 0) continue;
    for (const PlaneSum& sum : streamed.sums.sums)
      EXPECT_EQ(thread.arrays.at(sum.partials.back().name),
                expected(*ir::as<ir::Sum>(sum.expr), done))
          << "cell " << done;
  }
}

const std::string kField = "field f64 u, w boundary clamp; ";

// Planes that a sum does not read are passed on; it may begin with a number.
TEST(Sums, AStreamAddsEveryTermInItsOrder) {
  for (const testing::Cells& row : testing::rows(R"(
    1 => u[t+1] = 0.3*u + 0.1*u[x-1] + 0.7*u[y+1] + 0.9*u[z-1] - 1.3*u[z+1];
    1 => u[t+1] = 0.3*u + 0.9*u[z-2] + 0.2*u[z-1] - 1.3*u[z+1] + 0.6*u[z+2];
    1 => const f64 c[-1..1] = { 0.1, 0.7, 0.9 };
         u[t+1] = sum(i in -1..1, j in -1..1, k in -1..1 : c[i] * c[j] * c[k] * u[x+i, y+j, z+k]);
    1 => u[t+1] = 0.3*u[z-2] + 0.7*u[z+1];
    1 => u[t+1] = 0.3*u[z+1] + 0.7*u[z+3];
    1 => u[t+1] = 0.3*u[z-3] + 0.7*u[z-1];
    2 => u[t+1] = 0.3*u[z-2] + 0.7*u[z-1]; w[t+1] = 0.1*w + 0.6*w[z+2];
    1 => u[t+1] = 0.3*u[z-1] + 0.7*u[x+1] + 0.2*u[z+1] + 5.3;
  )"))
    expect_sums(kField + row[1], std::stoul(row[0]));
}

TEST(Sums, AllSumsOfAStencilHaveTheSamePlanes) {
  const StreamedSums streamed(
      kField + "u[t+1] = 0.3*u[z-2] + 0.7*u; w[t+1] = 0.3*w[z-1] + 0.7*w[x+1, z+1];", 4, 2);
  EXPECT_EQ(streamed.sums.low, -2);
  EXPECT_EQ(streamed.sums.high, 1);
  ASSERT_EQ(streamed.sums.sums.size(), 2u);
  std::set<std::string> names;
  for (const PlaneSum& sum : streamed.sums.sums) {
    EXPECT_EQ(sum.planes.size(), 4u);
    ASSERT_EQ(sum.partials.size(), 4u);
    for (const kernel::Buffer& partial : sum.partials) {
      EXPECT_EQ(partial.registers, 4);
      EXPECT_EQ(partial.rows, 2);
      EXPECT_EQ(partial.element, kernel::Type::f64);
      names.insert(partial.name);
    }
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(streamed.sums.taps.size(), 4u);
}

// How many sums are built by planes, and how many reads stay beside them.
TEST(Sums, OnlyThoseOfPlanesTimesNumbersAreBuilt) {
  const auto found = [](const std::string& items) {
    const StreamedSums streamed(kField + items);
    return std::to_string(streamed.sums.sums.size()) + " " +
           std::to_string(streamed.sums.others.size());
  };
  testing::expect_rows(found, R"(
    u[t+1] = 0.3*u[z-1] + 0.7*u[z+1];              => 1 0
    param f64 a; u[t+1] = a*u[z-1] + 0.7*u[z+1];   => 1 0
    // One plane; no number; no sum.
    u[t+1] = 0.3*u[x-1] + 0.7*u[x+1];              => 0 2
    u[t+1] = w*u[z-1] + 0.7*u[z+1];                => 0 3
    u[t+1] = max(u[z-1], u[z+1]);                  => 0 2
    // Inside of values; the same sum is built once.
    u[t+1] = sqrt(0.3*u[z-1] + 0.7*u[z+1]);        => 1 0
    u[t+1] = w * (0.3*u[z-1] + 0.7*u[z+1]);        => 1 1
    let e = 0.3*u[z-1] + 0.7*u[z+1]; u[t+1] = e*e; w[t+1] = sqrt(e); => 1 0
  )");
}

TEST(Sums, OnlyThoseWhoseTermsComePlaneAfterPlaneAreBuilt) {
  StreamedSums streamed(kField + "u[t+1] = 0.3*u[y+1, z-1] + 0.7*u[y-1, z+1];");
  const auto built = [&](const ir::ExprPtr& value, int axis) {
    Names names = streamed.context.names;
    return sums_along(streamed.context, {value}, axis, 1, 1, names).sums.size();
  };
  const ir::ExprPtr value = streamed.stencil.updates.at(0).cases.at(0).value;
  EXPECT_EQ(built(value, kAlong), 1u);
  EXPECT_EQ(built(value, 1), 0u) << "y+1 stands before y-1";
  const ir::Sum sum = *ir::as<ir::Sum>(value);
  const auto with_bias = [&](const ir::ExprPtr& bias) {
    return ir::make(ir::Type::f64, ir::Sum{bias, sum.terms});
  };
  EXPECT_EQ(built(with_bias(ir::constant(ir::Type::f64, 2)), kAlong), 1u);
  EXPECT_EQ(built(with_bias(sum.terms[0].tap), kAlong), 0u) << "it begins with a value of the cell";
}

}  // namespace
}  // namespace stencilc::lower
