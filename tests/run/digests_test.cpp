// The bits of a program are a promise (docs/versions.md): those of the examples are in digests.txt,
// with the version of the numbers that they belong to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "diag/fnv.h"
#include "driver/system/files.h"
#include "driver/verify/compare.h"
#include "ir/numerics.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

struct Digest {
  std::string text, bits;
};

// Of every level of every field and all reductions after a few steps from random data.
std::string digest_of_bits(const ir::Stencil& stencil) {
  constexpr int64_t kExtents[3][3] = {{67, 0, 0}, {21, 13, 0}, {12, 8, 10}};
  const int rank = stencil.rank();
  const driver::Case test{
      {kExtents[rank - 1], kExtents[rank - 1] + rank}, stencil.steps() ? 3 : 1, "random", 1};
  const interp::State state = driver::expected(stencil, test);
  std::string all;
  for (const auto& levels : state.fields)
    for (const interp::Grid& level : levels)
      for (const ir::Scalar& cell : level) all += ir::print(cell) + ' ';
  for (const auto& series : state.series)
    for (const ir::Scalar& value : series) all += ir::print(value) + ' ';
  for (const ir::Scalar& value : state.reductions) all += ir::print(value) + ' ';
  return fmt::format("{:016x}", diag::fnv1a(all));
}

std::map<std::string, Digest> digests() {
  std::map<std::string, Digest> result;
  for (const Program& program : example_programs(std::string(STENCILC_SOURCE_DIR) + "/examples")) {
    std::string problem;
    const auto compiled = compile(program, plan::Target::cpu, "", "", problem);
    EXPECT_TRUE(compiled) << problem;
    if (!compiled || driver::is_transcendental(compiled->stencil))
      continue;  // exp is the machine's
    std::string name = program.name + " " + program.stencil;
    if (program.numerics.order == ir::Numerics::source) name += " as written";
    std::replace(name.begin(), name.end(), ' ', '_');
    result[name] = {fmt::format("{:016x}", diag::fnv1a(program.text)),
                    digest_of_bits(compiled->stencil)};
  }
  return result;
}

TEST(Digests, OfExamplesAreThoseOfTheVersionOfTheNumbers) {
  const std::string path = std::string(STENCILC_SOURCE_DIR) + "/tests/run/digests.txt";
  std::istringstream file(driver::read_text(path, 1 << 20).text);
  std::map<std::string, Digest> known;
  std::string word;
  int version = 0;
  file >> word >> version;
  for (std::string name; file >> name;) {
    Digest& one = known[name];
    file >> one.text >> one.bits;
  }
  const std::map<std::string, Digest> found = digests();
  ASSERT_GT(found.size(), 60u);
  bool same = version == ir::kNumericsVersion && known.size() == found.size();
  for (const auto& [name, digest] : found) {
    const auto it = known.find(name);
    same &= it != known.end() && it->second.text == digest.text;
    if (it == known.end() || it->second.text != digest.text) continue;
    const bool unchanged = it->second.bits == digest.bits;
    EXPECT_TRUE(unchanged || version != ir::kNumericsVersion)
        << name << " gives other bits: raise ir::kNumericsVersion, and say so in docs/versions.md";
    same &= unchanged;
  }
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr && !HasFailure()) {
    std::string text = fmt::format("numerics {}\n", ir::kNumericsVersion);
    for (const auto& [name, digest] : found)
      text += fmt::format("{} {} {}\n", name, digest.text, digest.bits);
    ASSERT_EQ(driver::write_text(path, text), "");
    FAIL() << "wrote " << path << "; look at the change, then test without STENCILC_UPDATE_GOLDEN";
  }
  EXPECT_TRUE(same) << path << " is out of date; STENCILC_UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace
}  // namespace stencilc::run_test
