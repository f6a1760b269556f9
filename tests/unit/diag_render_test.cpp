#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diag/codes.h"
#include "diag/render.h"

namespace stencilc::diag {
namespace {

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
