// What holds for the form of every text: it is its own form, it has the tokens and comments of the
// text, it means the same, and blanks do not change it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "diag/codes.h"
#include "docs/markdown.h"
#include "format/format.h"
#include "format/tokens.h"
#include "run/random_program.h"
#include "support/parsed.h"
#include "support/process.h"

namespace stencilc::format {
namespace {

namespace fs = std::filesystem;
const fs::path root = STENCILC_SOURCE_DIR;

using Random = std::mt19937;

size_t below(Random& random, size_t limit) { return random() % limit; }

// Every kind of statement there is.
constexpr const char* all_statements = R"(use "other.stn";
const f32 k=3,w[-1..1]={1,2,1}/4;
fn mean(a,b)=0.5*(a+b);   // of two
stencil all {
axes x,y; param f32 tol=1e-4,dt;
field f16 sx(x) readonly compute f32 boundary {x:periodic;y.lo:constant -1;y.hi:clamp};
field f32 u,v, verylongnameofafieldthatisnotread boundary { x: periodic; y.lo: expr -x*2+1; y.hi: neumann g; };
boundary u,v clamp; boundary u { x: mirror;y:reflect }
/* a comment
 * of two lines */
u[t+1]=mean(u,v)*2 on x>=1,nx-2>y where v>0&&u>-1; u[t+1]+=-v where !(u==1); u[t+1] = 0 on x == 0;
weights f32 q[-2..2],r[-1..1];
reduce res=norm2(u[t+1]-u)on x>0 where u>0;
iterate until res<tol,check every 50,limit 20000; iterate 100 times;
color red,black by(x+y)%2; points src,rec linear; series f32 amp(src),trace(rec);
inject u[t+1]+=amp[t]*dt^2 at src; sample trace[t]=u at rec;
let d=dx(u,order=4,side=-1)-dx(u,at=+1/2)*v--v/+dt;  // the difference

# of all
let sum_of_all=u[x-1]*u[x+1]+u[y-1]*u[y+1]+u[x-1]*u[y+1]+u[x+1]*u[y-1]+max(u[x-1],u[x+1],u[y-1],u[y+1])*min(u,v);
const i32 table[-1..1,0..2]={1,-20,3,
4,5,600,
7,8,9}/273;
schedule for sm_90 { tile x 128, y 4; stream z; }
}
)";

#ifdef STENCILC_ALL_TESTS
constexpr int kChanges = 20;
#else  // of each text; all texts together have some thousand
constexpr int kChanges = 5;
#endif

std::vector<std::string> corpus() {
  std::vector<std::string> texts = {all_statements};
  texts.push_back(test::read(root / "tests/unit/language_examples.stn"));
  for (const char* folder : {"examples", "tests/golden"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".stn") texts.push_back(test::read(entry.path()));
  for (const fs::path& page : test::documents())
    for (const test::Block& block : test::code_blocks(page))
      if (block.language == "stn" && tokens_of(block.text)) texts.push_back(block.text);
  for (uint64_t seed = 1; seed <= 60; ++seed)
    texts.push_back(run_test::random_program(seed, seed % 2 == 0).text);
  return texts;
}

void expect_form(const std::string& text) {
  const auto form = formatted(text);
  ASSERT_TRUE(form) << text;
  EXPECT_TRUE(same_tokens(text, *form)) << text << "\nbecame\n" << *form;
  EXPECT_EQ(formatted(*form), form) << "of\n" << text;
}

// The tree of a text and what is wrong with it, without places.
std::string meaning(const std::string& text) {
  const stencilc::testing::Parsed parsed = stencilc::testing::parsed(text);
  std::string result = ast::print(parsed.program);
  for (const diag::Diagnostic& d : parsed.engine.all()) result += diag::id(d.code) + d.text + "\n";
  return result;
}

std::string random_blanks(Random& random) {
  std::string text;
  while (below(random, 3) != 0) text += " \t"[below(random, 2)];
  return text;
}

// The same tokens with other blanks. Line breaks stay where they say something: beside comments,
// between statements and between weights.
std::string respaced(const std::string& text, Random& random) {
  const auto tokens = tokens_of(text);
  std::string result;
  bool list = false, behind_equals = false;
  for (size_t i = 0; i < tokens->size(); ++i) {
    const Token& token = (*tokens)[i];
    const Token* before = i > 0 ? &(*tokens)[i - 1] : nullptr;
    if (token.text == "}") list = false;
    const bool told = !before || list || is_comment(token) || is_comment(*before) ||
                      before->text == ";" || before->text == "{" || before->text == "}" ||
                      token.text == "}";
    const int lines = told ? token.lines_before : static_cast<int>(below(random, 6)) / 4;
    std::string gap = random_blanks(random);
    for (int line = 0; line < lines; ++line)
      gap += (below(random, 4) == 0 ? "\r\n" : "\n") + random_blanks(random);
    if (gap.empty() && before && run_together(*before, token)) gap = " ";
    result += gap;
    result += token.text;
    if (token.text == "{" && behind_equals) list = true;
    if (!is_comment(token)) behind_equals = token.text == "=";
  }
  return result + random_blanks(random);
}

std::string with_comments(const std::string& text, Random& random) {
  static constexpr const char* comments[] = {
      " /* in */ ",  "\n/* above */\n", "  // behind\n",           "\n\n// own line\n",
      " # hash  \n", " /**/",           "\n/* one \n   * two\n*/", " /* a\nb */ "};
  const auto tokens = tokens_of(text);
  std::string result;
  const size_t rarity = 2 + below(random, 30);
  for (const Token& token : *tokens) {
    while (below(random, rarity) == 0) result += comments[below(random, std::size(comments))];
    result += std::string(static_cast<size_t>(token.lines_before), '\n') + " ";
    result += token.text;
    if (token.kind == Token::line_comment) result += '\n';
  }
  return result + (below(random, 2) == 0 ? " // end" : "");
}

// Tokens that are lost, doubled or in another place.
std::string damaged(const std::string& text, Random& random) {
  auto tokens = *tokens_of(text);
  for (size_t damages = 1 + below(random, 5); damages > 0 && !tokens.empty(); --damages) {
    const size_t i = below(random, tokens.size()), j = below(random, tokens.size());
    switch (below(random, 3)) {
      case 0:
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case 1:
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens[j]);
        break;
      default:
        std::swap(tokens[i], tokens[j]);
    }
  }
  std::string result;
  bool comment = false;  // to the end of the line
  for (const Token& token : tokens) {
    const int lines = comment ? std::max(token.lines_before, 1) : token.lines_before;
    result += std::string(static_cast<size_t>(lines), '\n') + " ";
    result += token.text;
    comment = token.kind == Token::line_comment;
  }
  return result;
}

TEST(Property, TheFormKeepsWhatATextSays) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GT(texts.size(), 150u);
  for (const std::string& text : texts) {
    expect_form(text);
    EXPECT_EQ(meaning(text), meaning(*formatted(text))) << text;
  }
}

TEST(Property, BlanksDoNotChangeTheForm) {
  Random random(1);
  for (const std::string& text : corpus())
    for (int i = 0; i < kChanges; ++i) {
      const std::string other = respaced(text, random);
      ASSERT_TRUE(same_tokens(text, other)) << other;
      ASSERT_EQ(formatted(other), formatted(text)) << "of\n" << other;
    }
}

TEST(Property, CommentsAreKeptWhereverTheyStand) {
  Random random(2);
  for (const std::string& text : corpus())
    for (int i = 0; i < kChanges; ++i) {
      const std::string other = with_comments(text, random);
      expect_form(other);
      // What is read of a text with errors depends on where its lines end.
      if (const std::string said = meaning(text); i == 0 && said.find("STN") == said.npos) {
        EXPECT_EQ(meaning(*formatted(other)), said) << other;
      }
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Property, TextsThatAreWrongHaveAFormToo) {
  Random random(3);
  for (const std::string& text : corpus())
    for (int i = 0; i < kChanges; ++i) {
      expect_form(damaged(text, random));
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Property, DeepAndLongTextsHaveAForm) {
  for (const char* open : {"(", "[", "{", "f(", "- ", "a?", "= {"}) {
    const bool indents = std::string_view(open).ends_with('{');
    std::string text = "a = ";
    for (int i = 0; i < (indents ? 1000 : 20000); ++i) text += open;
    expect_form(text);
  }
  std::string sum = "stencil s { a = b";
  for (int i = 0; i < 20000; ++i) sum += "+c*d";
  expect_form(sum + "; }");
}

TEST(Property, TheExamplesHaveTheirForm) {
  for (const auto& entry : fs::recursive_directory_iterator(root / "examples"))
    if (entry.path().extension() == ".stn") {
      const std::string text = test::read(entry.path());
      EXPECT_EQ(test::diff(text, formatted(text).value_or("")), "") << entry.path();
    }
}

}  // namespace
}  // namespace stencilc::format
