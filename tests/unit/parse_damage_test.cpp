// Damaged text: truncated, with bytes deleted, doubled, swapped and replaced.
// Whatever it is, the parser returns, and a text it takes without a word is one that its printed
// tree repeats.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc {
namespace {

using testing::parsed;
using testing::Parsed;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> programs() {
  std::vector<std::string> result = {
      contents(STENCILC_SOURCE_DIR "/tests/unit/language_examples.stn")};
  for (const auto& entry : std::filesystem::directory_iterator(STENCILC_SOURCE_DIR "/examples")) {
    if (entry.path().extension() == ".stn") result.push_back(contents(entry.path()));
  }
  return result;
}

void check(const std::string& text) {
  Parsed result = parsed(text);
  for (const diag::Diagnostic& diagnostic : result.engine.all()) {
    ASSERT_LE(diagnostic.at.begin, diagnostic.at.end) << text;
    ASSERT_LE(diagnostic.at.end, text.size()) << text;
    ASSERT_FALSE(diag::render_gnu(diagnostic, result.sources, false).empty());
  }
  if (result.engine.has_errors()) return;
  std::string once = ast::print(result.program);
  Parsed again = parsed(once);
  ASSERT_EQ(testing::rendered(again), "") << text;
  ASSERT_EQ(ast::print(again.program), once);
}

#ifdef STENCILC_ALL_TESTS
std::vector<std::string> parts_of(const std::string& text) { return {text}; }
bool is_cut(const std::string&, size_t) { return true; }
#else
// The stencils of a text, each with what stands in front of it: those before one that is cut are
// whole, and are read like any other.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> result;
  size_t begin = 0;
  for (size_t at; (at = text.find("\n}\n", begin)) != std::string::npos; begin = at + 3)
    result.push_back(text.substr(begin, at + 3 - begin));
  result.push_back(text.substr(begin));
  return result;
}
// A cut says something new next to where a word, blanks or a sign end, and a byte into a word.
bool is_cut(const std::string& text, size_t at) {
  const auto kind = [&](size_t i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    return std::isalnum(byte) || byte == '_' ? 1 : std::isspace(byte) ? 2 : 3;
  };
  return at < 2 || kind(at - 1) != kind(at) || kind(at - 2) != kind(at - 1) || kind(at) == 3;
}
#endif

TEST(ParseDamage, Truncated) {
  for (const std::string& program : programs()) {
    ASSERT_FALSE(program.empty());
    for (const std::string& part : parts_of(program))
      for (size_t length = 0; length < part.size(); ++length)
        if (is_cut(part, length)) check(part.substr(0, length));
  }
}

TEST(ParseDamage, ATruncatedStencilIsNeverTaken) {
  std::string program =
      "stencil s { axes x; field f32 u boundary clamp; u[t+1] = max(u[x-1], 0.5)^2; }";
  for (size_t length = 0; length < program.size(); ++length) {
    EXPECT_EQ(parsed(program.substr(0, length)).engine.errors(), 1) << length;
  }
  EXPECT_EQ(parsed(program).engine.errors(), 0);
}

TEST(ParseDamage, RandomChanges) {
  std::mt19937 random(20240607);
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::string bytes = "{}()[];,:?=<>!&|^*/%+-.#\"x0 \n\t\\$\x01\x80\xC3\xFF";
  const std::vector<std::string> all = programs();
  for (const std::string& program : all) {
    for (size_t round = 0; round < 3000 / all.size(); ++round) {
      std::string text = program.substr(below(program.size()), 400);
      for (size_t changes = 1 + below(4); changes > 0 && text.size() > 2; --changes) {
        size_t at = below(text.size() - 1);
        switch (below(4)) {
          case 0:
            text.erase(at, 1 + below(8));
            break;
          case 1:
            text.insert(at, text.substr(below(text.size()), below(12)));
            break;
          case 2:
            std::swap(text[at], text[at + 1]);
            break;
          case 3:
            text[at] = bytes[below(bytes.size())];
            break;
        }
      }
      check(text);
    }
  }
}

TEST(ParseDamage, RandomBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t size = random() % 64; size > 0; --size) text += static_cast<char>(random());
    EXPECT_TRUE(parsed(text).engine.has_errors());
    check(text);
  }
}

}  // namespace
}  // namespace stencilc
