// What the parser only just refuses, and what it only just takes.
#include "parse/expressions.h"
#include "support/near_miss.h"

namespace stencilc {
namespace {

using testing::NearMiss;
using testing::on_x;

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

std::string update(const std::string& value) { return testing::of_type("f64", value); }

std::string nested(int levels) {
  return update(repeated("(", levels) + "u" + repeated(")", levels));
}

std::string prefixed(int levels) { return update(repeated("-", levels) + "u"); }

std::string terms(int count) { return update("u" + repeated(" + u", count - 1)); }

const std::vector<NearMiss>& rows() {
  static const std::vector<NearMiss> all = {
      {diag::syntax, "chain", update("0 < u < 1 ? 1 : 2"), update("(0 < u) == (u < 1) ? 1 : 2")},
      {diag::syntax, "power", update("u ** u"), update("u * +u")},
      {diag::syntax, "separator",
       on_x("field f32 u boundary { x.lo: clamp x.hi: zero }; u[t+1] = u[x-1];"),
       on_x("field f32 u boundary { x.lo: clamp; x.hi: zero }; u[t+1] = u[x-1];")},
      {diag::syntax, "keyword", on_x("field f32 u; field f32 where in; u[t+1] = u;"),
       on_x("field f32 u; field f32 wheres in; u[t+1] = u;")},
      {diag::syntax, "order", on_x("field f32 u; u[t+1] = u where u > 0 on x > 0;"),
       on_x("field f32 u; u[t+1] = u on x > 0 where u > 0;")},
      {diag::bad_character, "comment", update("u × 2"), update("u /* × */ * 2")},
      {diag::bad_character, "quote", update("u - u'"), update("u - u // u'\n")},
      {diag::unterminated_comment, "overlap", update("u") + " /*/", update("u") + " /**/"},
      {diag::unterminated_comment, "nesting", update("u") + " /* /* */ /*",
       update("u") + " /* /* */ //*"},
      {diag::empty_file, "comment", "fn half(a) = a / 2; // " + update("u"),
       "fn half(a) = a / 2; //\n" + update("u")},
      {diag::bad_number, "i64", update("u + 9223372036854775808"),
       update("u + 9223372036854775807")},
      {diag::bad_number, "f64", update("u + 1.8e308"), update("u + 1.7976931348623157e308")},
      {diag::bad_number, "tiny", update("u + 1e-324"), update("u + 5e-324")},
      {diag::bad_number, "suffix", update("u + 0.5f"), update("u + 0.5")},
      {diag::bad_number, "hexadecimal", update("u + 0x10"), update("u + 010")},
      {diag::unbalanced, "comment", update("(u // )\n"), update("u // (\n")},
      {diag::unbalanced, "closed", update("u") + " }", update("u") + " // }"},
      {diag::syntax, "part", on_x("field f32 u; u[t+1] = u; schedule { coarsened; rows = 2 }"),
       on_x("field f32 u; u[t+1] = u; schedule { coarsened, rows = 2, }")},
      {diag::nesting_limit, "brackets", nested(parse::max_nesting + 1), nested(parse::max_nesting)},
      {diag::nesting_limit, "prefixes", prefixed(parse::max_nesting + 1),
       prefixed(parse::max_nesting)},
      {diag::size_limit, "terms", terms(parse::max_height + 1), terms(parse::max_height)},
  };
  return all;
}

TEST(ParseNearMiss, EachBorderIsWhereTheRowSays) {
  testing::expect_borders(rows(), [](const std::string& text) { return testing::parsed(text); });
}

TEST(ParseNearMiss, EveryCodeOfTheParserHasARow) {
  testing::expect_all_codes(rows(), [](diag::Code code) {
    return code.number < 200 || code == diag::nesting_limit || code == diag::size_limit;
  });
}

}  // namespace
}  // namespace stencilc
