// Programs shaped like applications are valid, are the same on every machine, and have the sizes
// and shapes that they are for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "driver/pipeline/imports.h"
#include "driver/verify/cases.h"
#include "driver/verify/compare.h"
#include "run/programs.h"
#include "run/real_program.h"

namespace stencilc::run_test {
namespace {

constexpr uint64_t kSeeds = 200;

// The front end alone; a program that does not pass is a failure.
ir::Stencil stencil_of(const Program& program) {
  driver::CompileOptions options;
  options.verify_passes = true;
  options.numerics = program.numerics;
  diag::Sources sources = {{program.name + ".stn", program.text}};
  diag::Engine engine;
  const ast::Program tree = driver::load(sources, {}, engine);
  std::vector<ir::Stencil> stencils = driver::front_end(sources, tree, options, engine);
  EXPECT_EQ(stencils.size(), 1u) << program.name << '\n' << program.text;
  for (const diag::Diagnostic& diagnostic : engine.all())
    if (diagnostic.severity == diag::Severity::error)
      ADD_FAILURE() << program.name << ": " << diagnostic.text;
  return stencils.empty() ? ir::Stencil() : std::move(stencils[0]);
}

// The points that the statements read, each once a statement.
int taps_of(const ir::Stencil& stencil) {
  size_t taps = 0;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      std::set<std::tuple<int, int, ir::Offset>> points;
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node))
          points.emplace(read->field, read->level, read->offset);
      taps += points.size();
    }
  return static_cast<int>(taps);
}

// How many updates build on each other's new values, at most.
int stages_of(const ir::Stencil& stencil) {
  std::vector<int> depth(stencil.fields.size(), 0);
  for (const ir::Update& update : stencil.updates) {
    int before = 0;
    for (const ir::Case& one : update.cases)
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && read->level == 1 && read->field != update.field)
          before = std::max(before, depth[read->field]);
    depth[update.field] = before + 1;
  }
  return *std::max_element(depth.begin(), depth.end());
}

// Of many seeds, how many programs have what.
using Count = std::map<std::string, int>;

std::string range_of(int value, std::initializer_list<int> bounds) {
  int low = 0;
  for (const int bound : bounds) {
    if (value < bound) return "below " + std::to_string(bound);
    low = bound;
  }
  return "from " + std::to_string(low);
}

std::set<std::string> features(const Program& program, const ir::Stencil& stencil) {
  std::set<std::string> seen;
  seen.insert("rank " + std::to_string(stencil.rank()));
  const auto fields = static_cast<int>(stencil.fields.size());
  seen.insert("fields " + range_of(fields, {10, 15, 20, 25}));
  seen.insert("taps " + range_of(taps_of(stencil), {100, 200, 400, 600}));
  seen.insert("stages " + std::to_string(std::min(stages_of(stencil), 4)));
  seen.insert("numerics " + print(program.numerics));
  const ir::Reach reach = ir::reach(stencil);
  seen.insert("radius " + std::to_string(std::min(4, std::max(reach.low[0], reach.high[0]))));
  std::set<ir::Type> types;
  for (const ir::Field& field : stencil.fields) {
    if (ir::is_float(field.type)) types.insert(field.type);
    seen.insert("field " + std::string(ir::name(field.type)));
    if (field.compute == ir::Type::f64 && field.type != ir::Type::f64) seen.insert("wider");
    if (field.oldest_level > 0) seen.insert("two levels");
    seen.insert("role " + std::string(ir::name(field.role)));
    const auto axes = std::count(field.along.begin(), field.along.begin() + stencil.rank(), true);
    if (axes < stencil.rank())
      seen.insert(std::to_string(axes) + " axes of " + std::to_string(stencil.rank()));
    for (int a = 0; a < stencil.rank(); ++a) {
      const auto& [low, high] = field.boundary.sides[a];
      for (const ir::Side& side : {low, high})
        if (side.given) seen.insert("boundary " + std::string(ir::name(side.edge)));
      if (low.given && high.given && low.edge != high.edge) seen.insert("sides that differ");
    }
  }
  if (types.size() > 1) seen.insert("float types that differ");
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      if (one.domain.mask) seen.insert("mask");
      if (!one.domain.limits.empty()) seen.insert("limits");
    }
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    if (const auto* apply = ir::as<ir::Apply>(node))
      seen.insert("op " + std::string(ir::name(apply->op)));
    if (const auto* let = ir::as<ir::Named>(node))
      seen.insert(let->offset == ir::Offset{} ? "let at the cell" : "let beside the cell");
  }
  if (!stencil.injections.empty()) seen.insert("injection");
  if (!stencil.samples.empty()) seen.insert("sample");
  if (!stencil.reductions.empty()) seen.insert("reduction");
  if (stencil.iterate.given) seen.insert("iterate");
  if (stencil.colors.count() != 0) seen.insert("colours");
  for (const char* limiter :
       {"minmod", "superbee", "van_leer", "van_albada", "central", "sweby", "koren"})
    if (program.text.find(std::string("fn ") + limiter + "(") != std::string::npos)
      seen.insert(limiter), seen.insert("limiter");
  return seen;
}

TEST(real_programs, have_the_sizes_and_shapes_of_applications) {
  Count seen;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Program program = real_seeded_program(seed, false);
    const ir::Stencil stencil = stencil_of(program);
    ASSERT_FALSE(stencil.fields.empty());
    EXPECT_GE(stencil.fields.size(), 5u) << program.name << '\n' << program.text;
    EXPECT_LE(stencil.fields.size(), 30u) << program.name << '\n' << program.text;
    EXPECT_GE(taps_of(stencil), 50) << program.name << '\n' << program.text;
    EXPECT_LE(taps_of(stencil), 800) << program.name << '\n' << program.text;
    ++seen["family " + real_family(seed)];
    for (const std::string& feature : features(program, stencil)) ++seen[feature];
  }
  if (std::getenv("STENCILC_SHOW_FEATURES"))
    for (const auto& [what, count] : seen) std::cout << count << ' ' << what << '\n';
}

}  // namespace
}  // namespace stencilc::run_test
