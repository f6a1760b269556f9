// A program may use every name that emitted code uses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "driver/verify/compare.h"
#include "run/agreed.h"
#include "run/batch.h"
#include "run/programs.h"
#include "sema/sema.h"
#include "sema/symbols/builtins.h"
#include "sema/symbols/types.h"

namespace stencilc::run_test {
namespace {

constexpr size_t kFields = 12;  // of a program, each with a name to try

driver::Compiled compiled(const std::string& text, plan::Target target, const std::string& tag,
                          const std::string& schedule = "") {
  std::string problem;
  auto result = compile({"names", "", text, {}, {}}, target, schedule, tag, problem);
  if (!result) throw std::runtime_error(text + problem);
  return std::move(*result);
}

// A program in which all of the names stand for fields, or for params.
std::string program(const std::vector<std::string>& names, bool fields) {
  std::string text = "stencil names_in_use {\n  axes x, y;\n  field f32 out_0 boundary mirror;\n";
  std::string sum;
  for (const std::string& name : names) {
    text += fields ? "  field f32 " + name + " boundary clamp;\n" : "  param f32 " + name + ";\n";
    if (fields)
      text += "  " + name + "[t+1] = 0.5*" + name + "[x-1] - out_0 + " + name + "[t-1];\n";
    sum += (sum.empty() ? "" : " + ") + name + (fields ? "[y+1]" : "*out_0[x-1]");
  }
  return text + "  out_0[t+1] = " + sum + ";\n}\n";
}

// The identifiers of a text beside its comments, those that mean something in the language left
// out.
std::set<std::string> identifiers(std::string text) {
  for (size_t at; (at = text.find("//")) != text.npos;) text.erase(at, text.find('\n', at) - at);

  const std::set<std::string> language = {"x", "y", "nx", "ny", "t", "out_0"};
  std::set<std::string> result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    const std::string word = text.substr(i, end - i);
    if (end == i) {
      ++end;
    } else if (!std::isdigit(static_cast<unsigned char>(word[0])) && !language.count(word) &&
               !sema::is_keyword(word) && !sema::is_builtin_function(word) &&
               !sema::is_later_type(word) && word != "sum" && word != "prod") {
      result.insert(word);
    }
    i = end;
  }
  return result;
}

std::vector<std::vector<std::string>> groups(plan::Target target) {
  const driver::Compiled sample = compiled(program({"u", "v"}, true), target, "");
  const driver::Compiled other = compiled(program({"a", "b"}, false), target, "");
  std::set<std::string> all;
  for (const driver::Compiled* one : {&sample, &other})
    for (const std::string* text : {&one->source, &one->header}) all.merge(identifiers(*text));
  std::vector<std::vector<std::string>> result;
  for (const std::string& name : all) {
    if (result.empty() || result.back().size() == kFields) result.emplace_back();
    result.back().push_back(name);
  }
  return result;
}

const std::vector<driver::Case> kCases = {{{13, 7}, 2, "random", 1}};

// The programs that are not known to agree are built by `build` and run.
template <class Build>
void expect_names(const std::vector<driver::Compiled>& programs, const std::string& how,
                  const Build& build) {
  ASSERT_GT(programs.size(), 10u);
  const Agreed agreed("names " + how);
  std::vector<const driver::Compiled*> members;
  for (const driver::Compiled& one : programs)
    if (!agreed.has(one, kCases)) members.push_back(&one);
  if (members.empty()) return;
  const Batch batch = build(members);
  ASSERT_EQ(batch.problem, "");
  for (size_t p = 0; p < members.size(); ++p) {
    const std::string difference =
        driver::compare(*members[p], batch.machines[p], kCases.front(), 0);
    EXPECT_EQ(difference, "") << members[p]->source;
    if (difference.empty()) agreed.add(*members[p], kCases);
  }
}

// Programs in which every name stands for a field, and such in which it stands for a param.
std::vector<driver::Compiled> programs_of(plan::Target target, const std::string& schedule) {
  std::vector<driver::Compiled> programs;
  for (const auto& names : groups(target))
    for (const bool fields : {true, false})
      programs.push_back(compiled(program(names, fields), target,
                                  "_" + std::to_string(programs.size()), schedule));
  return programs;
}

TEST(names, of_emitted_host_code_are_free) {
  const auto folder = std::filesystem::path(STENCILC_BINARY_DIR) / "tests/run/names";
  const driver::Compiler compiler = unoptimized(driver::compiler_for(plan::Target::cpu, {}));
  expect_names(programs_of(plan::Target::cpu, ""),
               fmt::format("{}", fmt::join(compiler.command, " ")),
               [&](const std::vector<const driver::Compiled*>& members) {
                 return build_batch(members, folder, compiler, {false, false}, true);
               });
}

#ifdef STENCILC_HAS_CHECK
TEST(names, of_emitted_kernels_are_free) {
  // Vectors and rows, as in the sample, but few: texts are short.
  std::vector<driver::Compiled> programs =
      programs_of(plan::Target::cuda, "coarsened,threads=32x2,vector=2,coarsen=y2");
  for (driver::Compiled& one : programs) fix_index(one.source, false);
  expect_names(programs, "executor", execute_batch);
}
#endif

}  // namespace
}  // namespace stencilc::run_test
