// Diagnostics: places, suggestions, the table of codes, and what people and tools get to read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "diag/codes.h"
#include "diag/diagnostic.h"
#include "diag/render.h"
#include "support/tables.h"

namespace stencilc::diag {
namespace {

TEST(Position, CountsLinesAndBytes) {
  Source source{"a.stn", "ab\n\ncde"};
  auto at = [&](uint32_t offset) {
    Position p = position(source, offset);
    return std::pair(p.line, p.column);
  };
  EXPECT_EQ(at(0), std::pair(1u, 1u));
  EXPECT_EQ(at(2), std::pair(1u, 3u));
  EXPECT_EQ(at(3), std::pair(2u, 1u));
  EXPECT_EQ(at(4), std::pair(3u, 1u));
  EXPECT_EQ(at(7), std::pair(3u, 4u));
  EXPECT_EQ(at(99), std::pair(3u, 4u));
}

TEST(Nearest, FindsTyposOfAThirdOfTheLength) {
  const auto near = [](const std::string& word) {
    return std::string(nearest(word, std::vector<std::string>{"field", "param", "pressure", "u"}));
  };
  stencilc::testing::expect_rows(near, R"(
feild => field
fild => field
fielld => field
presure => pressure
PARAM => param
U => u
--- nothing is close
v =>
fxxld =>
--- a name is no misspelling of itself
field =>
)");
  EXPECT_EQ(near(""), "");
  EXPECT_EQ(near(std::string(100'000, 'f')), "");
}

TEST(Nearest, PrefersTheCloserThenTheFirst) {
  EXPECT_EQ(nearest("velocity", {"velocities", "velocityx"}), "velocityx");
  EXPECT_EQ(nearest("flux1", {"flux2", "flux3"}), "flux2");
}

TEST(Engine, CountsAndKeepsTheOrder) {
  Engine engine;
  engine.report(unknown_name, {1, 2, 0}, "first").note("a note").help("a help");
  engine.report(unused_name, {3, 4, 0}, "second");
  EXPECT_TRUE(engine.has_errors());
  EXPECT_EQ(engine.errors(), 1);
  EXPECT_EQ(engine.warnings(), 1);
  ASSERT_EQ(engine.all().size(), 2u);
  EXPECT_EQ(engine.all()[0].notes.at(0).text, "a note");
  EXPECT_EQ(engine.all()[0].helps.at(0).text, "a help");
  EXPECT_EQ(engine.all()[1].severity, Severity::warning);
}

TEST(Engine, LevelsChangeWarningsOnly) {
  Engine engine;
  engine.set_level(unused_name, 0);
  engine.set_level(boundary_unused, 2);
  engine.set_level(unknown_name, 0);
  engine.report(unused_name, {}, "ignored").note("goes nowhere");
  engine.report(boundary_unused, {}, "now an error");
  engine.report(unknown_name, {}, "an error as ever");
  ASSERT_EQ(engine.all().size(), 2u);
  EXPECT_EQ(engine.errors(), 2);
  EXPECT_EQ(engine.warnings(), 0);
  engine.set_level(unused_name, 1);
  engine.report(unused_name, {}, "a warning again");
  EXPECT_EQ(engine.warnings(), 1);
}

TEST(Codes, EveryCodeOfTheHeaderHasARowOfItsName) {
  std::ifstream file(STENCILC_SOURCE_DIR "/compiler/diag/codes.h");
  std::set<int> numbers;
  for (std::string line; std::getline(file, line);) {
    char name[64];
    int number = 0;
    if (std::sscanf(line.c_str(), "inline constexpr Code %63[a-z0-9_]{%d};", name, &number) != 2)
      continue;
    std::replace(std::begin(name), std::end(name), '_', '-');
    numbers.insert(number);
    const Row* row = find_row(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->code.number, number) << name;
    EXPECT_EQ(find_row(id(row->code)), row);
  }
  EXPECT_GT(numbers.size(), 40u);
  EXPECT_EQ(numbers.size(), table().size()) << "a row that no code of the header has";
}

TEST(Codes, RowsAreComplete) {
  int last = 0;
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    EXPECT_GT(row.code.number, last) << "rows stand in the order of their numbers";
    last = row.code.number;
    EXPECT_GT(row.explanation.size(), 30u);
    EXPECT_EQ(row.failing.empty(), row.mended.empty());
    EXPECT_TRUE(row.failing.empty() || row.failing != row.mended);
    bool warning = row.code.number / 100 == 8;
    EXPECT_EQ(row.severity, warning ? Severity::warning : Severity::error);
  }
}

TEST(Codes, UnknownIdsAreNotFound) {
  EXPECT_EQ(id(unknown_name), "STN0201");
  EXPECT_EQ(find_row("STN9999"), nullptr);
  EXPECT_EQ(find_row(""), nullptr);
}

// The text of one diagnostic at `at` in `text`.
std::string shown(std::string text, Range at) {
  Sources sources = {{"a.stn", std::move(text)}};
  return render_gnu({unknown_name, Severity::error, at, "unknown name", {}, {}}, sources, false);
}

Diagnostic with_remarks() {
  Diagnostic d{unknown_name, Severity::error, {16, 17, 0}, "unknown name `v`", {}, {}};
  d.note("`u` is declared here", {6, 7, 0}).note("names are case-sensitive");
  d.help("did you mean `u`?", {16, 17, 0}, "u").help("replace it", {16, 17, 0}, "u");
  return d;
}
const Sources two_lines = {{"a.stn", "field u;\n u[t] = v + 1;\n"}};

TEST(RenderGnu, PlaceTextExcerptAndRemarks) {
  EXPECT_EQ(render_gnu(with_remarks(), two_lines, false),
            R"(a.stn:2:8: error: unknown name `v` [STN0201]
   2 |  u[t] = v + 1;
     |        ^
a.stn:1:7: note: `u` is declared here
   1 | field u;
     |       ^
  note: names are case-sensitive
  help: did you mean `u`?
  help: replace it: `u`
)");
}

TEST(RenderGnu, ColoursAsClangDoes) {
  Diagnostic d{unused_name, Severity::warning, {0, 5, 0}, "unused", {}, {}};
  d.note("why");
  EXPECT_EQ(render_gnu(d, two_lines, true),
            "\033[1ma.stn:1:1: \033[0m\033[0;1;35mwarning: \033[0m\033[1munused\033[0m [STN0801]\n"
            "   1 | field u;\n"
            "     | \033[0;1;32m^~~~~\033[0m\n"
            "  \033[0;1;36mnote: \033[0mwhy\n");
}

TEST(RenderGnu, TabsAreExpanded) {
  EXPECT_EQ(shown("\ta\tbc", {3, 5, 0}),
            "a.stn:1:4: error: unknown name [STN0201]\n"
            "   1 |     a   bc\n"
            "     |         ^~\n");
}

TEST(RenderGnu, ControlBytesAndBrokenUtf8AreEscaped) {
  EXPECT_EQ(shown(std::string("a\0b\x1b\x7f\xff\xc3z\xc3\xa9!", 11), {7, 8, 0}),
            "a.stn:1:8: error: unknown name [STN0201]\n"
            "   1 | a\\x00b\\x1b\\x7f\\xff\\xc3z\xc3\xa9!\n"
            "     |                       ^\n");
}

TEST(RenderGnu, ARangeOverLinesShowsTheFirst) {
  EXPECT_EQ(shown("ab cd\r\nef\n", {3, 9, 0}),
            "a.stn:1:4: error: unknown name [STN0201]\n"
            "   1 | ab cd\n"
            "     |    ^~\n");
}

TEST(RenderGnu, TheEndOfTheText) {
  EXPECT_EQ(shown("ab\n", {3, 3, 0}),
            "a.stn:2:1: error: unknown name [STN0201]\n"
            "   2 | \n"
            "     | ^\n");
  EXPECT_EQ(shown("", {0, 0, 0}),
            "a.stn:1:1: error: unknown name [STN0201]\n"
            "   1 | \n"
            "     | ^\n");
}

TEST(RenderGnu, LongLinesAreClippedAroundTheCaret) {
  std::string line = std::string(50'000, 'a') + "VW" + std::string(50'000, 'b');
  EXPECT_EQ(shown(line, {50'000, 50'002, 0}),
            "a.stn:1:50001: error: unknown name [STN0201]\n"
            "   1 | " +
                std::string(100, 'a') + "VW" + std::string(98, 'b') +
                "\n"
                "     | " +
                std::string(100, ' ') + "^~\n");
  EXPECT_EQ(shown(line, {0, 90'000, 0}),
            "a.stn:1:1: error: unknown name [STN0201]\n"
            "   1 | " +
                std::string(200, 'a') +
                "\n"
                "     | ^" +
                std::string(199, '~') + "\n");
}

TEST(RenderJson, HasTheFieldsOfRustc) {
  std::string line = render_json(with_remarks(), two_lines);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  auto json = nlohmann::json::parse(line);
  const std::pair<const char*, nlohmann::json> fields[] = {
      {"/message", "unknown name `v`"},
      {"/level", "error"},
      {"/code/code", "STN0201"},
      {"/code/explanation", row(unknown_name).explanation},
      {"/rendered", render_gnu(with_remarks(), two_lines, false)},
      {"/spans/0/file_name", "a.stn"},
      {"/spans/0/byte_start", 16},
      {"/spans/0/byte_end", 17},
      {"/spans/0/line_start", 2},
      {"/spans/0/line_end", 2},
      {"/spans/0/column_start", 8},
      {"/spans/0/column_end", 9},
      {"/spans/0/is_primary", true},
      {"/spans/0/text/0/text", " u[t] = v + 1;"},
      {"/spans/0/text/0/highlight_start", 8},
      {"/spans/0/text/0/highlight_end", 9},
      {"/children/0/level", "note"},
      {"/children/0/spans/0/line_start", 1},
      {"/children/1/spans", nlohmann::json::array()},
      {"/children/2/level", "help"},
      {"/children/2/spans/0/suggested_replacement", "u"}};
  for (const auto& [at, expected] : fields)
    EXPECT_EQ(json.at(nlohmann::json::json_pointer(at)), expected) << at;
  EXPECT_EQ(json["children"].size(), 4u);
}

TEST(RenderJson, IsValidWhateverTheSourceHolds) {
  Sources sources = {{"\xff.stn", std::string("\0\xff\"\\\n", 5)}};
  Diagnostic d{bad_character, Severity::error, {1, 2, 0}, "byte \xff", {}, {}};
  EXPECT_TRUE(nlohmann::json::accept(render_json(d, sources)));
}

}  // namespace
}  // namespace stencilc::diag
