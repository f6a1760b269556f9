// Generated programs are valid, are the same on every machine, and use all of the language.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "ast/ast.h"
#include "driver/system/files.h"
#include "parse/parse.h"
#include "run/all_tests.h"
#include "run/programs.h"
#include "run/random_program.h"

namespace stencilc::run_test {
namespace {

constexpr uint64_t kSeeds = 200;  // as many as the run tests run

// What the texts must hold, each in one of them at least.
constexpr const char* kWords[] = {
    "sum(",        "prod(",       "min(p",      "max(p",       "min(",      "max(",
    "laplacian(",  "order = 4",   "fn ",        "let ",        "order = 6", "idiv(",
    "^2",          "^-",          "inout",      "readonly",    " in ",      "#",
    "threadIdx",   "float",       "pitch",      " out",        "/*",        "//",
    "= {",         "(x, y)",      "[0, ",       "} / ",        "zero",      "!",
    "&&",          "||",          "[t",         "constant",    "t-1",       "t-2",
    "boundary",    "?",           "sat_",       "\t",          " += ",      " -= ",
    " *= ",        " /= ",        "dx(",        "dxx(",        "dxy(",      "side = -1",
    "side = +1",   "upwind",      "at = +1/2",  "at = -1/2",   ".lo: ",     ".hi: ",
    "check every", "compute f64", "boundary {", "boundary u ", "weights ",  " linear",
    "series ",     "inject ",     "sample "};

using Count = std::map<std::string, int>;

void count_node(const ir::ExprPtr& node, const ir::Stencil& stencil, Count& seen) {
  if (const auto* apply = ir::as<ir::Apply>(node)) ++seen["op " + std::string(ir::name(apply->op))];
  if (const auto* cast = ir::as<ir::Cast>(node))
    ++seen[(cast->saturate ? "sat_" : "cast ") + std::string(ir::name(node->type))];
  if (ir::as<ir::Sum>(node)) ++seen["canonical sum"];
  if (ir::as<ir::Coordinate>(node)) ++seen["coordinate"];
  if (ir::as<ir::Extent>(node)) ++seen["extent"];
  if (ir::as<ir::Time>(node)) ++seen["time"];
  if (ir::as<ir::WeightRef>(node)) ++seen["run-time weight"];
  if (ir::as<ir::SeriesRef>(node)) ++seen["series read"];
  if (ir::as<ir::ReductionRef>(node)) ++seen["reduction read"];
  if (ir::as<ir::ParamRef>(node)) ++seen["param " + std::string(ir::name(node->type))];
  if (const auto* let = ir::as<ir::Named>(node))
    ++seen[let->offset == ir::Offset{} ? "let at the cell" : "let beside the cell"];
  const auto* read = ir::as<ir::Read>(node);
  if (!read) return;
  const ir::Field& field = stencil.fields[read->field];
  const bool centre = read->offset == ir::Offset{};
  const char* where = centre ? " at the cell" : " beside the cell";
  ++seen["level " + std::to_string(read->level) + where];
  if (field.role == ir::Role::output) ++seen[std::string("output read") + where];
  for (int a = 0; a < stencil.rank(); ++a)
    if (read->offset[a] != 0 && field.along[a])
      ++seen["reads over " +
             std::string(ir::name(field.boundary.sides[a][read->offset[a] > 0].edge))];
}

void count_field(const ir::Field& field, int rank, Count& seen) {
  ++seen["field " + std::string(ir::name(field.type))];
  ++seen["role " + std::to_string(static_cast<int>(field.role))];
  if (field.compute == ir::Type::f64 && field.type != ir::Type::f64) ++seen["computes wider"];
  if (!field.boundary.given()) ++seen["no boundary"];
  for (int a = 0; a < rank; ++a) {
    if (!field.along[a]) ++seen["an axis left out"];
    const auto& [low, high] = field.boundary.sides[a];
    for (const ir::Side& side : {low, high})
      if (side.given) ++seen["boundary " + std::string(ir::name(side.edge))];
    if (low.given != high.given) ++seen["a side without boundary"];
    if (low.given && high.given && low.edge != high.edge) ++seen["sides that differ"];
  }
}

void count_domain(const ir::Domain& domain, Count& seen) {
  ++seen[domain.everywhere() ? "everywhere" : "somewhere"];
  if (domain.mask) ++seen["mask"];
  for (const ir::Limit& limit : domain.limits)
    ++seen[std::string("limit ") + (limit.upper ? "above" : "below") +
           (limit.from_end ? " from the end" : "")];
}

// How many updates build on each other's new values, at most.
int chain(const ir::Stencil& stencil) {
  std::vector<int> depth(stencil.fields.size(), 0);
  int longest = 0;
  for (const ir::Update& update : stencil.updates) {
    int& own = depth[update.field];
    own = 1;
    for (const ir::Case& one : update.cases)
      for (const ir::ExprPtr& node : ir::nodes_of({one.value}))
        if (const auto* read = ir::as<ir::Read>(node);
            read && read->level == 1 && read->field != update.field)
          own = std::max(own, depth[read->field] + 1);
    longest = std::max(longest, own);
  }
  return longest;
}

void count_points(const ir::Stencil& stencil, Count& seen) {
  ++seen[std::to_string(stencil.points.size()) + " lists of points"];
  const std::string rank = " in " + std::to_string(stencil.rank()) + " dimensions";
  const auto at = [&](int points) {
    return (stencil.points[points].linear ? " between cells" : " at cells") + rank;
  };
  for (const ir::Injection& one : stencil.injections) ++seen["injection" + at(one.points)];
  for (const ir::Sample& one : stencil.samples) {
    ++seen["sample" + at(one.points)];
    ++seen[one.after ? "sample after" : "sample before"];
    ++seen["sample of " + std::string(ir::name(stencil.series[one.series].type))];
  }
  if (stencil.injections.size() > 1) ++seen["several injections"];
  if (!stencil.samples.empty() && stencil.colors.count() != 0) ++seen["sample beside colours"];
  if (!stencil.injections.empty() && chain(stencil) > 1) ++seen["injection beside stages"];
  for (const ir::Reduction& reduction : stencil.reductions)
    if (!stencil.injections.empty() && reduction.after) ++seen["reduction after an injection"];
}

void count_stencil(const driver::Compiled& compiled, Count& seen) {
  const ir::Stencil& stencil = compiled.stencil;
  ++seen["rank " + std::to_string(stencil.rank())];
  ++seen[stencil.axes[0] == "x" ? "axes x, y, z" : "other axes"];
  const ir::Reach reach = ir::reach(stencil);
  ++seen["radius " + std::to_string(std::max(reach.low[0], reach.high[0]))];
  for (const ir::Field& field : stencil.fields) count_field(field, stencil.rank(), seen);
  for (const ir::Param& param : stencil.params)
    ++seen[param.has_default ? "default" : "no default"];
  for (const ir::Update& update : stencil.updates) {
    ++seen[std::to_string(update.cases.size()) + " statements"];
    for (const ir::Case& one : update.cases) count_domain(one.domain, seen);
  }
  for (const ir::Reduction& reduction : stencil.reductions) {
    ++seen["reduce " + std::string(ir::name(reduction.kind))];
    ++seen[reduction.after ? "reduction after" : "reduction before"];
    if (!reduction.domain.everywhere()) ++seen["reduction of some cells"];
  }
  if (stencil.iterate.given) ++seen[stencil.iterate.until ? "iterate until" : "iterate times"];
  if (stencil.colors.count() != 0) ++seen[std::to_string(stencil.colors.count()) + " colours"];
  ++seen["chain of " + std::to_string(chain(stencil))];
  count_points(stencil, seen);
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) count_node(node, stencil, seen);
}

void count_plan(const driver::Compiled& compiled, Count& seen) {
  const std::vector<int>& buffers = compiled.plan.buffers;
  ++seen[std::to_string(compiled.plan.launches().size()) + " launches"];
  for (size_t f = 0; f < buffers.size(); ++f) {
    const ir::Field& field = compiled.stencil.fields[f];
    ++seen[std::to_string(buffers[f]) + " buffers"];
    if (field.role == ir::Role::stepped && field.oldest_level > 0 && buffers[f] == field.levels())
      ++seen["t+1 in place of the oldest"];
  }
  for (const std::string& reason : compiled.plan.stages.reasons)
    for (const char* word :
         {"has a launch of its own", "it recomputes", "reductions share the launch",
          "reductions have a launch of their own"})
      if (reason.find(word) != std::string::npos) ++seen[word];
}

void count_text(const RandomProgram& program, Count& seen) {
  if (!program.defines.empty()) ++seen["-D"];
  for (const char* word : kWords)
    if (program.text.find(word) != std::string::npos) ++seen[std::string("text ") + word];
}

// What a seed's program has; a failure where it does not compile.
Count features_of(uint64_t seed) {
  Count seen;
  const Program program = seeded_program(seed, false);
  std::string problem;
  const auto compiled = compile(program, plan::Target::cuda, "", "", problem);
  if (!compiled) {
    ADD_FAILURE() << "seed " << seed << '\n' << program.text << problem;
    return seen;
  }
  count_stencil(*compiled, seen);
  count_plan(*compiled, seen);
  count_text(random_program(seed), seen);
  ++seen["numerics " + print(program.numerics)];
  return seen;
}

// What there must be.
std::vector<std::string> all_features() {
  std::vector<std::string> wanted = {"rank 1",
                                     "rank 2",
                                     "rank 3",
                                     "axes x, y, z",
                                     "other axes",
                                     "radius 0",
                                     "radius 1",
                                     "radius 2",
                                     "radius 3",
                                     "radius 4",
                                     "radius 8",
                                     "role 0",
                                     "role 1",
                                     "role 2",
                                     "role 3",
                                     "no boundary",
                                     "sides that differ",
                                     "a side without boundary",
                                     "an axis left out",
                                     "computes wider",
                                     "t+1 in place of the oldest",
                                     "1 buffers",
                                     "2 buffers",
                                     "3 buffers",
                                     "4 buffers",
                                     "1 launches",
                                     "2 launches",
                                     "3 launches",
                                     "has a launch of its own",
                                     "it recomputes",
                                     "reductions share the launch",
                                     "reductions have a launch of their own",
                                     "chain of 1",
                                     "chain of 2",
                                     "chain of 3",
                                     "1 statements",
                                     "2 statements",
                                     "3 statements",
                                     "default",
                                     "no default",
                                     "everywhere",
                                     "somewhere",
                                     "mask",
                                     "limit above",
                                     "limit below",
                                     "limit above from the end",
                                     "limit below from the end",
                                     "reduce sum",
                                     "reduce prod",
                                     "reduce min",
                                     "reduce max",
                                     "reduce norm2",
                                     "reduction before",
                                     "reduction after",
                                     "reduction of some cells",
                                     "reduction read",
                                     "iterate until",
                                     "iterate times",
                                     "2 colours",
                                     "3 colours",
                                     "time",
                                     "run-time weight",
                                     "series read",
                                     "1 lists of points",
                                     "2 lists of points",
                                     "3 lists of points",
                                     "sample after",
                                     "sample before",
                                     "sample beside colours",
                                     "several injections",
                                     "injection beside stages",
                                     "reduction after an injection",
                                     "output read at the cell",
                                     "output read beside the cell",
                                     "canonical sum",
                                     "coordinate",
                                     "extent",
                                     "let at the cell",
                                     "let beside the cell",
                                     "-D",
                                     "numerics ",
                                     "numerics --fp=source",
                                     "numerics --no-fma",
                                     "numerics --fp=source --no-fma",
                                     "param f32",
                                     "param i32",
                                     "param bool"};
  for (const int level : {1, 0, -1, -2})
    for (const char* where : {" at the cell", " beside the cell"})
      wanted.push_back("level " + std::to_string(level) + where);
  for (const char* rank : {"1", "2", "3"})
    for (const char* where : {" at cells in ", " between cells in "})
      for (const char* what : {"injection", "sample"})
        wanted.push_back(std::string(what) + where + rank + " dimensions");
  for (int e = 0; e <= static_cast<int>(ir::Edge::ghost); ++e)
    for (const char* what : {"boundary ", "reads over "})
      wanted.push_back(what + std::string(ir::name(static_cast<ir::Edge>(e))));
  for (int t = 0; t <= static_cast<int>(ir::Type::f64); ++t) {
    const std::string name(ir::name(static_cast<ir::Type>(t)));
    wanted.push_back("field " + name);
    if (name != "bool") wanted.push_back("cast " + name);
    if (ir::is_integer(static_cast<ir::Type>(t))) wanted.push_back("sat_" + name);
  }
  for (int o = 0; o <= static_cast<int>(ir::Op::select); ++o)
    if (!ir::is_transcendental(static_cast<ir::Op>(o)))
      wanted.push_back("op " + std::string(ir::name(static_cast<ir::Op>(o))));
  for (const char* word : kWords) wanted.push_back(std::string("text ") + word);
  return wanted;
}

TEST(random_programs, use_all_of_the_language) {
  Count seen;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const auto& [what, count] : features_of(seed)) seen[what] += count;
  for (const std::string& what : all_features()) EXPECT_GT(seen[what], 0) << what;
}

// The programs that a short run executes have all of it, too: by the greedy method for covers of
// sets. STENCILC_UPDATE_GOLDEN=1 rewrites the list.
TEST(random_programs, of_a_short_run_use_all_of_the_language) {
  const std::string path = std::string(STENCILC_SOURCE_DIR) + "/tests/run/short_seeds.txt";
  const std::vector<std::string> wanted = all_features();
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    std::map<uint64_t, Count> features;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) features[seed] = features_of(seed);
    std::set<std::string> open(wanted.begin(), wanted.end());
    std::set<uint64_t> chosen;
    const auto gain = [&](const Count& seen) {
      return std::count_if(open.begin(), open.end(),
                           [&](const std::string& what) { return seen.count(what) != 0; });
    };
    while (!open.empty()) {
      const auto best = std::max_element(
          features.begin(), features.end(),
          [&](const auto& a, const auto& b) { return gain(a.second) < gain(b.second); });
      ASSERT_GT(gain(best->second), 0) << *open.begin();
      chosen.insert(best->first);
      std::erase_if(open, [&](const std::string& what) { return best->second.count(what) != 0; });
    }
    EXPECT_EQ(driver::write_text(path, fmt::format("{}\n", fmt::join(chosen, ","))), "");
    FAIL() << "rewrote " << path << "; look at the change, then test without it";
  }
  Count seen;
  std::istringstream seeds(driver::read_text(path, 4096).text);
  for (std::string seed; std::getline(seeds, seed, ',');)
    for (const auto& [what, count] : features_of(std::stoull(seed))) seen[what] += count;
  for (const std::string& what : wanted) EXPECT_GT(seen[what], 0) << what;
}

TEST(random_programs, every_transcendental_function_appears_when_requested) {
  Count seen;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    std::string problem;
    const auto compiled = compile(seeded_program(seed, true), plan::Target::cpu, "", "", problem);
    ASSERT_TRUE(compiled) << problem;
    count_stencil(*compiled, seen);
  }
  for (const std::string name : {"exp", "log", "sin", "cos", "tan", "tanh", "pow"})
    EXPECT_GT(seen["op " + name], 0) << name;
}

TEST(random_programs, compile_for_many_seeds) {
  constexpr uint64_t last = kAllTests ? 20'000 : 350;
  for (uint64_t seed = kSeeds + 1; seed <= last; ++seed) {
    std::string problem;
    const Program program = seeded_program(seed, seed % 2 == 0);
    ASSERT_TRUE(compile(program, plan::Target::cuda, "", "", problem)) << "seed " << seed << '\n'
                                                                       << program.text << problem;
  }
}

TEST(random_programs, depend_on_the_seed_alone) {
  std::set<std::string> texts;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const RandomProgram program = random_program(seed);
    EXPECT_EQ(program.text, random_program(seed).text);
    texts.insert(program.text);
  }
  EXPECT_EQ(texts.size(), kSeeds);
}

// A change of the generator changes this number; another compiler or machine must not.
TEST(random_programs, are_the_same_everywhere) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const unsigned char c : random_program(seed).text) hash = (hash ^ c) * 0x100000001b3u;
  EXPECT_EQ(hash, 16836591682083893717u);
}

}  // namespace
}  // namespace stencilc::run_test
