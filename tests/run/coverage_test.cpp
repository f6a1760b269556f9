// Generated programs are valid, are the same on every machine, and use all of the language.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ast/ast.h"
#include "parse/parse.h"
#include "run/programs.h"
#include "run/random_program.h"

namespace stencilc::run_test {
namespace {

constexpr uint64_t kSeeds = 200;  // as many as the run tests run

// What the texts must hold, each in one of them at least.
constexpr const char* kWords[] = {
    "sum(", "prod(",    "min(p",     "max(p", "min(",     "max(", "laplacian(", "order = 4",
    "fn ",  "let ",     "order = 6", "idiv(", "^2",       "^-",   "inout",      "readonly",
    " in ", "#",        "threadIdx", "float", "pitch",    " out", "/*",         "//",
    "= {",  "(x, y)",   "[0, ",      "} / ",  "zero",     "!",    "&&",         "||",
    "[t",   "constant", "t-1",       "t-2",   "boundary", "?",    "sat_",       "\t"};

using Count = std::map<std::string, int>;

void count_node(const ir::ExprPtr& node, const ir::Stencil& stencil, Count& seen) {
  if (const auto* apply = ir::as<ir::Apply>(node)) ++seen["op " + std::string(ir::name(apply->op))];
  if (const auto* cast = ir::as<ir::Cast>(node))
    ++seen[(cast->saturate ? "sat_" : "cast ") + std::string(ir::name(node->type))];
  if (ir::as<ir::Sum>(node)) ++seen["canonical sum"];
  if (ir::as<ir::Coordinate>(node)) ++seen["coordinate"];
  if (ir::as<ir::Extent>(node)) ++seen["extent"];
  if (ir::as<ir::ParamRef>(node)) ++seen["param " + std::string(ir::name(node->type))];
  if (const auto* let = ir::as<ir::Named>(node))
    ++seen[let->offset == ir::Offset{} ? "let at the cell" : "let beside the cell"];
  const auto* read = ir::as<ir::Read>(node);
  if (!read) return;
  const ir::Field& field = stencil.fields[read->field];
  const bool centre = read->offset == ir::Offset{};
  ++seen["level " + std::to_string(read->level) + (centre ? " at the cell" : " beside the cell")];
  if (!centre) ++seen["reads over " + std::string(ir::name(field.boundary.edge))];
}

void count_stencil(const ir::Stencil& stencil, Count& seen) {
  ++seen["rank " + std::to_string(stencil.rank())];
  ++seen[stencil.axes[0] == "x" ? "axes x, y, z" : "other axes"];
  const ir::Reach reach = ir::reach(stencil);
  ++seen["radius " + std::to_string(std::max(reach.low[0], reach.high[0]))];
  for (const ir::Field& field : stencil.fields) {
    ++seen["field " + std::string(ir::name(field.type))];
    ++seen["role " + std::to_string(static_cast<int>(field.role))];
    ++seen["boundary " + (field.boundary.given ? std::string(ir::name(field.boundary.edge)) : "")];
    if (field.overwrites_oldest && field.oldest_level > 0) ++seen["t+1 in place of the oldest"];
    ++seen[std::to_string(field.buffers()) + " buffers"];
  }
  for (const ir::Param& param : stencil.params)
    ++seen[param.has_default ? "default" : "no default"];
  for (const ir::Update& update : stencil.updates)
    ++seen[update.everywhere() ? "updated everywhere" : "updated inside"];
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) count_node(node, stencil, seen);
}

void count_text(const RandomProgram& program, Count& seen) {
  if (!program.defines.empty()) ++seen["-D"];
  for (const char* word : kWords)
    if (program.text.find(word) != std::string::npos) ++seen[std::string("text ") + word];
}

TEST(random_programs, use_all_of_the_language) {
  Count seen;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Program program = seeded_program(seed, false);
    std::string problem;
    const auto compiled = compile(program, plan::Target::cuda, "", "", problem);
    ASSERT_TRUE(compiled) << "seed " << seed << '\n' << program.text << problem;
    count_stencil(compiled->stencil, seen);
    count_text(random_program(seed), seen);
    ++seen["numerics " + print(program.numerics)];
  }
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
                                     "boundary ",
                                     "t+1 in place of the oldest",
                                     "1 buffers",
                                     "2 buffers",
                                     "3 buffers",
                                     "4 buffers",
                                     "default",
                                     "no default",
                                     "updated everywhere",
                                     "updated inside",
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
  for (const int level : {0, -1, -2})
    for (const char* where : {" at the cell", " beside the cell"})
      wanted.push_back("level " + std::to_string(level) + where);
  for (int e = 0; e <= static_cast<int>(ir::Edge::constant); ++e)
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
  for (const std::string& what : wanted) EXPECT_GT(seen[what], 0) << what;
}

TEST(random_programs, every_transcendental_function_appears_when_asked_for) {
  Count seen;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    std::string problem;
    const auto compiled = compile(seeded_program(seed, true), plan::Target::cpu, "", "", problem);
    ASSERT_TRUE(compiled) << problem;
    count_stencil(compiled->stencil, seen);
  }
  for (const std::string name : {"exp", "log", "sin", "cos", "tan", "tanh", "pow"})
    EXPECT_GT(seen["op " + name], 0) << name;
}

TEST(random_programs, compile_for_many_seeds) {
  for (uint64_t seed = kSeeds + 1; seed <= 3000; ++seed) {
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
  EXPECT_EQ(hash, 18141565392623197937u);
}

}  // namespace
}  // namespace stencilc::run_test
