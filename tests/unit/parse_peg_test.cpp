// grammar/stencil.peg, run as it is written, accepts what the parser accepts: examples, and
// thousands of damaged ones.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <tao/pegtl/contrib/analyze.hpp>

#include "diag/codes.h"
#include "grammar/rules.hpp"
#include "support/parsed.h"
#include "support/peg.h"

namespace stencilc {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(STENCILC_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// True where the parser finds nothing against the grammar itself. What the grammar of people does
// not say: which comparisons chain, which numbers are too great, and that a file wants a stencil.
bool parser_accepts(const std::string& text) {
  testing::Parsed result = testing::parsed(text);
  for (const diag::Diagnostic& diagnostic : result.engine.all()) {
    bool beyond = diagnostic.code == diag::empty_file ||
                  diagnostic.text == "comparisons do not chain" ||
                  diagnostic.text.find("out of the range") != std::string::npos;
    if (!beyond) return false;
  }
  return true;
}

const std::string program = R"(# all forms
use "a b.stn" ;
const f32 g = 9.81, h[0..1] = { 1, g };
fn half(a) = a / 2.;
stencil s {
  axes x, y;
  param f32 a = 1, b, c = -2.5e-3;
  const i32 n = 2, m = n^2^-1;
  const f32 w[-1..1, 0..n] = { 1, .5, (3 + 4) % 2 } / 273;
  field f64 u inout, v in, r(x) readonly  boundary constant -1;
  field u8 q out boundary clamp;
  field f32 p  /* none */;
  fn f(a, b) = a < b && !(b >= a) || a != b ? true : false;
  let e = sum(i in -1..1, j in 0..n : w[i,j] * u[x+i, y-j]) + f(a, b = 3) - g();
  u[t+1] = half(e) * -u[t-1] + u[-1, 0] ^ 2;  // update
  q = laplacian(u, order = 4) + min(a, max(b, c));
  field f16 s(y) in compute f32 boundary { x: constant n; y.lo: clamp; };
  boundary u, p { x.hi : neumann 2 }
  boundary q mirror;
  weights ww[-1..1];
  weights f64 v[0..1, 0..2], z[0..n];
  points src, rec linear, linear;
  series f32 amp(src), trace(rec);
  p[t+1] *= a on x >= 1, y < ny where u > 0;
  q -= 1 where p > 0;
  inject u[t+1] += amp[t] at src;
  inject u[t+1] -= amp[t] at src;
  sample trace[t] = dx(u, at = +1/2) at rec;
  reduce r = max(abs(u)) on x < 3 where a;
  iterate until r < a, check every limit, limit 20;
  iterate 2 * n times;
  color red, black by (x + y) % 2;
  schedule { coarsened, threads = 32x8 , }
  schedule for sm_90, cpu { loops } ;
})";

// Pieces that stand for tokens, now and then one that does not fit where it lands; two blanks part
// them.
constexpr const char* kPieces = R"x(
{  }  (  )  [  ]  ;  ,  :  ?  =  ==  <  <=  !  !=  &&  ||  +  -  *  /  %  ^  ..  .  1  0.5  .5
1.  1e5  1e  2x  true  in  x  u  sum  f(a)  u[x]  axes  boundary  stencil  color  on  where  at
by  times  until  limit  linear  for  schedule  "  weights  iterate  inject  sample  +=  -=
readonly
min(i in 1..2 : i)  param f32  const f32  field f32  boundary clamp  boundary constant 2
let a = 1;  fn f(a) = a;  on x > 1  where a > 1  compute f32  { x: clamp }  check every 2
{ a, b = 3x4, }  boundary u clamp;  reduce r = sum(u);  use "b";  const f32 k = 1;  /* c */
)x";

std::vector<std::string> pieces() {
  std::vector<std::string> all = {" ", "\n", "// c\n", "# c\n", "a = "};
  std::string text = kPieces;
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "  ");
  for (size_t begin = 0, end; (end = text.find("  ", begin)) != std::string::npos; begin = end + 2)
    if (end > begin) all.push_back(text.substr(begin, end - begin));
  return all;
}

#ifdef STENCILC_ALL_TESTS
constexpr int kRounds = 4000;
#else  // some twelve of each piece
constexpr int kRounds = 1000;
#endif

class PegTest : public ::testing::Test {
 protected:
  bool accepts(const std::string& text) const { return testing::peg_accepts(rules_, text); }

  std::vector<testing::Peg> rules_ = testing::read_peg(contents("grammar/stencil.peg"));
};

TEST(Grammar, HasNoLoopThatConsumesNothing) { EXPECT_EQ(grammar::p::analyze<grammar::file>(), 0u); }

TEST_F(PegTest, TakesAllForms) {
  ASSERT_TRUE(parser_accepts(program)) << testing::diagnostics(program);
  EXPECT_TRUE(accepts(program));
  EXPECT_TRUE(accepts("\xEF\xBB\xBF"));
  EXPECT_FALSE(accepts(program + "}"));
}

TEST_F(PegTest, TakesAndRefusesWhatTheParserDoes) {
  std::mt19937 random(1);
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::vector<std::string> all = pieces();
  ASSERT_EQ(all.size(), 86u);
  int taken = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string text = program;
    for (size_t changes = 1 + below(2); changes > 0; --changes) {
      size_t at = below(text.size());
      if (below(2) == 0) text.erase(at, 1 + below(3));
      if (below(3) != 0) text.insert(std::min(at, text.size()), all[below(all.size())]);
    }
    bool by_parser = parser_accepts(text);
    taken += by_parser;
    ASSERT_EQ(accepts(text), by_parser) << text << "\n" << testing::diagnostics(text);
  }
  EXPECT_GT(taken, kRounds / 10) << "too few changes were harmless to say much";
  EXPECT_LT(taken, kRounds * 9 / 10) << "too few changes were harmful to say much";
}

}  // namespace
}  // namespace stencilc
