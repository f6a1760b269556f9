// The interior of a grid, and loops that are peeled at its ends: every cell is computed once, and
// none by statements for inside whose reads leave the grid.
#include <gtest/gtest.h>

#include <map>

#include "lower/boundary/grid_ends.h"
#include "lower/boundary/peeled_loop.h"
#include "support/machine.h"

namespace stencilc::lower {
namespace {

using kernel::Body;
using kernel::ExprPtr;
using testing::Machine;

// A launch along x and y with a margin; `cut`: it computes the box [first, end) along x.
struct Fixture {
  ir::Stencil stencil{.axes = {"x", "y"}};
  plan::Launch launch;
  Signature signature;
  Builder builder;
  Context context;

  Fixture(const ir::Reach& margin, bool cut)
      : launch{.margin = margin},
        signature(names()),
        builder(signature),
        context(signature, stencil, launch, plan::Target::cpu, builder, box(signature, cut)) {}
  static Signature names() {
    Signature one;
    one.axes = {one.claimed.claim("x"), one.claimed.claim("y")};
    one.extents = {one.claimed.claim("nx"), one.claimed.claim("ny")};
    one.first = {one.claimed.claim("first_x")};
    one.end = {one.claimed.claim("end_x")};
    return one;
  }
  static ContextOptions box(const Signature& signature, bool cut) {
    ContextOptions options;
    options.box = Box(signature.extents);
    if (cut) options.box->cut(0, signature.first[0], signature.end[0]);
    return options;
  }
};

// Runs loops and functions; a note "inside" or "edge" computes the cell that `x` or `k` is at.
struct Walker {
  Machine machine;
  std::map<std::string, kernel::Local> functions = {};
  std::map<int64_t, std::string> computed = {};
  std::string coordinate = "x";
  int64_t from = 0;  // the coordinate that is 0

  void compute(const std::string& how) {
    const int64_t at = from + machine.variables.at(coordinate).integer;
    EXPECT_TRUE(computed.emplace(at, how).second) << "computed twice: " << at;
  }
  void run(const Body& body) {
    for (const kernel::Stmt& stmt : body) {
      if (const auto* note = std::get_if<kernel::Note>(&stmt.node)) {
        if (note->text == "inside" || note->text == "edge") compute(note->text);
      } else if (const auto* let = std::get_if<kernel::Let>(&stmt.node)) {
        machine.variables[let->name] = machine.run(let->value);
      } else if (const auto* split = std::get_if<kernel::If>(&stmt.node)) {
        run(machine.run(split->condition).integer != 0 ? split->yes : split->no);
      } else if (const auto* local = std::get_if<kernel::Local>(&stmt.node)) {
        functions[local->name] = *local;
      } else if (const auto* call = std::get_if<kernel::Perform>(&stmt.node)) {
        const kernel::Local& function = functions.at(call->local);
        const auto outside = machine.variables;
        std::vector<Machine::Value> args;
        for (const ExprPtr& arg : call->args) args.push_back(machine.run(arg));
        for (size_t n = 0; n < args.size(); ++n) machine.variables[function.params[n]] = args[n];
        if (!function.flag.empty()) machine.variables[function.flag] = {0, call->flag};
        run(function.body);
        machine.variables = outside;
      } else if (const auto* loop = std::get_if<kernel::For>(&stmt.node)) {
        if (loop->first) machine.variables[loop->name] = machine.run(loop->first);
        const int64_t last = machine.run(loop->last).integer;
        for (; machine.variables.at(loop->name).integer < last;
             ++machine.variables.at(loop->name).integer)
          run(loop->body);
      } else {
        ADD_FAILURE() << "a statement that no peeled loop has";
      }
    }
  }
};

Body note(const char* text) { return {{kernel::Note{text}}}; }

ir::Reach margin(int low, int high, int rows = 0) {
  ir::Reach reach;
  reach.low = {low, rows, 0};
  reach.high = {high, rows, 0};
  return reach;
}

void each_case(const std::function<void(int low, int high, int extent)>& test) {
  for (int low = 0; low < 4; ++low)
    for (int high = 0; high < 4; ++high)
      for (int extent = 1; extent < 12; ++extent) test(low, high, extent);
}

TEST(Interior, HasTheCellsWhoseReadsStayInside) {
  each_case([](int low, int high, int extent) {
    const Fixture one(margin(low, high), false);
    const InteriorSplit split(one.context);
    EXPECT_EQ(split.has_edges(), low + high > 0);
    Machine machine;
    machine.variables["nx"] = {0, extent};
    for (int x = 0; x < extent; ++x) {
      const bool inside = x - low >= 0 && x + high < extent;
      const ExprPtr at = kernel::index(x), has = split.has(0, at);
      EXPECT_EQ(!has || machine.run(has).integer != 0, inside);
      EXPECT_EQ(machine.run(split.holds(0, at, kernel::add(at, 1))).integer != 0, inside);
      EXPECT_EQ(x >= machine.run(split.first(0)).integer && x < machine.run(split.end(0)).integer,
                inside);
    }
  });
}

TEST(Interior, EndsOfTheGridAreToldFromWhatLiesBeyond) {
  const Fixture one(margin(0, 0), false);
  Machine machine;
  machine.variables["nx"] = {0, 4};
  for (int x = -2; x < 7; ++x) {
    const ExprPtr at = kernel::index(x);
    const auto is = [&](const ExprPtr& condition) { return machine.run(condition).integer != 0; };
    EXPECT_EQ(is(in_grid(one.context, 0, at)), x >= 0 && x < 4);
    for (const int end : {0, 1}) {
      EXPECT_EQ(is(beyond_end(one.context, 0, end, at)), end == 0 ? x < 0 : x >= 4);
      EXPECT_NE(is(beyond_end(one.context, 0, end, at)), is(before_end(one.context, 0, end, at)));
      EXPECT_EQ(is(is_last(one.context, 0, end, at)), x == (end == 0 ? 0 : 3));
    }
    EXPECT_EQ(is(span_in_grid(one.context, 0, at, 1, kernel::add(at, 2))), x >= 1 && x + 2 <= 4);
  }
}

// All cells of a row, or of a box of it, by rows inside and others.
TEST(PeeledLoop, ComputesEachCellOfARowOnce) {
  for (const bool cut : {false, true})
    for (int y = 0; y < 3; ++y)
      each_case([&](int low, int high, int extent) {
        Fixture one(margin(low, high, 1), cut);
        const int first = cut ? extent / 3 : 0, end = cut ? extent - extent / 4 : extent;
        Names names = one.context.names;
        kernel::For fast{
            kernel::For::plain, "x", kernel::Type::index, nullptr, nullptr, {}, nullptr};
        Body body;
        peel_row(
            one.context, {nullptr, kernel::index(y)}, fast,
            [](const Names&) { return note("inside"); }, [](const Names&) { return note("edge"); },
            names, body);
        Walker walker;
        walker.machine.variables = {
            {"nx", {0, extent}}, {"ny", {0, 3}}, {"first_x", {0, first}}, {"end_x", {0, end}}};
        walker.run(body);
        for (int x = first; x < end; ++x) {
          ASSERT_EQ(walker.computed.count(x), 1u);
          const bool inside = y == 1 && x >= low && x + high < extent;
          EXPECT_EQ(walker.computed[x], inside ? "inside" : "edge");
        }
        EXPECT_EQ(walker.computed.size(), static_cast<size_t>(end - first));
      });
}

// A stream of 5 cells that begins at each place of the grid; `apart`: the cells near the boundary
// have their own statements.
TEST(PeeledLoop, ComputesEachCellOfAStreamOnce) {
  constexpr int kCount = 5;
  for (const bool apart : {false, true})
    for (const bool beside : {false, true})  // does it lie inside along y?
      each_case([&](int low, int high, int extent) {
        for (int first = 0; first < extent; first += kCount) {
          if (low > kCount || high > kCount) continue;
          Fixture one(margin(low, high), false);
          const Stream stream{0, kernel::index(first),
                              kernel::make(kernel::Type::boolean, kernel::Int{beside})};
          Walker walker;
          Body body;
          if (apart) {
            body = peel_cells(
                one.context, stream, kernel::index(kCount),
                [](const Names&) { return note("edge"); },
                [](const ExprPtr& begin, const ExprPtr& end) {
                  return Body{{kernel::For{kernel::For::plain, "x", kernel::Type::index, begin, end,
                                           note("inside"), nullptr}}};
                });
          } else {
            Names names = one.context.names;
            kernel::For loop{kernel::For::plain,
                             "k",
                             kernel::Type::index,
                             kernel::index(0),
                             kernel::index(kCount),
                             {},
                             nullptr};
            loop.body = {{kernel::If{kernel::var("edge"), note("edge"), note("inside")}}};
            peel(one.context, stream, loop, "edge", names, body);
            walker.coordinate = "k";
            walker.from = first;
          }
          walker.machine.variables = {{"nx", {0, extent}}};
          walker.run(body);
          EXPECT_EQ(walker.computed.size(), static_cast<size_t>(kCount));
          for (const auto& [x, how] : walker.computed)
            EXPECT_EQ(how, beside && x >= low && x + high < extent ? "inside" : "edge") << x;
        }
      });
}

// The sections of a stream from -2 to before `last`.
TEST(PeeledLoop, SectionsFollowOneAnother) {
  for (int last = 1; last < 12; ++last) {
    Fixture one(margin(0, 0), false);
    Names names = one.context.names;
    Body body;
    Sections sections({kernel::index(3), kernel::index(8)}, kernel::index(last), names, body);
    kernel::For parts = sections.loop("Rows", kernel::index(0), names, body);
    kernel::For rows{
        kernel::For::plain, "x", kernel::Type::index, nullptr, sections.end(), {}, nullptr};
    rows.body = {{kernel::If{sections.is_inside(), note("inside"), note("edge")}}};
    parts.body.push_back({rows});
    body.push_back({parts});
    Walker walker;
    walker.machine.variables["x"] = {0, -2};
    walker.run(body);
    EXPECT_EQ(walker.computed.size(), static_cast<size_t>(last + 2));
    for (const auto& [x, how] : walker.computed)
      EXPECT_EQ(how, x >= 3 && x < 8 ? "inside" : "edge");
  }
}

}  // namespace
}  // namespace stencilc::lower
