// The form of each kind of statement.
#include <gtest/gtest.h>

#include "format/format.h"

namespace stencilc::format {
namespace {

std::string form(std::string_view text) { return formatted(text).value_or("no tokens"); }

// The form of a statement in a stencil, without the stencil around it.
std::string statement(const std::string& text) {
  const std::string whole = form("stencil s{" + text + "}");
  const size_t begin = whole.find('\n') + 1;
  return whole.substr(begin, whole.rfind("}") - begin);
}

TEST(Layout, AStatementIsALineAndABlockIsIndented) {
  EXPECT_EQ(form("stencil a{axes x;field f32 u;u[t+1]=2*u;}"),
            "stencil a {\n  axes  x;\n  field f32 u;\n  u[t+1] = 2*u;\n}\n");
  EXPECT_EQ(form("\n\nuse \"a.stn\" ;\r\nfn f ( a,b )=a+b ;\n\n\n\nconst f32 k=1;"),
            "use \"a.stn\";\nfn f(a, b) = a + b;\n\nconst f32 k = 1;\n");
  EXPECT_EQ(form(""), "");
  EXPECT_EQ(form("\xEF\xBB\xBFstencil a { }"), "stencil a {\n}\n");
}

TEST(Layout, BlankLines) {
  EXPECT_EQ(form("stencil a {\n\n axes x;\n\n\n\n let b = 1; let c = 2;\n\n}\nstencil b {\n}"),
            "stencil a {\n  axes  x;\n\n  let b = 1;\n  let c = 2;\n}\n\nstencil b {\n}\n");
}

TEST(Layout, Products) {
  EXPECT_EQ(statement("a=2*u-u[t-1]+(dt*c)^2*lap;"), "  a = 2*u - u[t-1] + (dt*c)^2 * lap;\n");
  EXPECT_EQ(statement("a=q-0.5*c*d1+0.5*c^2*d2;"), "  a = q - 0.5*c*d1 + 0.5*c^2*d2;\n");
  EXPECT_EQ(statement("a=0.25*(u[x-1]+u[x+1]);"), "  a = 0.25 * (u[x-1] + u[x+1]);\n");
  EXPECT_EQ(statement("a=u*v*v; b=u*v*v*w; c=w[i]*w[j];"),
            "  a = u*v*v;\n  b = u * v * v * w;\n  c = w[i] * w[j];\n");
  EXPECT_EQ(statement("a=f(1/2,u[x]/2)%2;"), "  a = f(1/2, u[x] / 2) % 2;\n");
}

TEST(Layout, Sums) {
  EXPECT_EQ(statement("a=F*(1-u)+(a-u[x+1])*(a+b+c+d)*(2*a-b);"),
            "  a = F*(1-u) + (a - u[x+1])*(a + b + c + d)*(2*a - b);\n");
  EXPECT_EQ(statement("a=b<nx-1&&c-f(x)>=2?d-1:e;"),
            "  a = b < nx-1 && c - f(x) >= 2 ? d - 1 : e;\n");
  EXPECT_EQ(statement("a=u[x-2*r,y+(i+j)*2];"), "  a = u[x-2*r, y+(i+j)*2];\n");
  EXPECT_EQ(statement("a=sum(i in -r+1..r-1,j in 0..1:u[x+i]);"),
            "  a = sum(i in -r+1..r-1, j in 0..1 : u[x+i]);\n");
}

TEST(Layout, Prefixes) {
  EXPECT_EQ(statement("a=-b*-c- -d+ +e;"), "  a = -b*-c - -d + +e;\n");
  EXPECT_EQ(statement("a=!b&&!!c==--d;"), "  a = !b && !!c == - -d;\n");
  EXPECT_EQ(statement("a=2^-1+u[x- -1];"), "  a = 2^-1 + u[x- -1];\n");
  EXPECT_EQ(statement("a=dx(u,order=2,side=-1,at=+1/2);"),
            "  a = dx(u, order = 2, side = -1, at = +1/2);\n");
}

TEST(Layout, NumbersAndPointsStayApart) {
  EXPECT_EQ(statement("const f32 w[1. .. .5]=1;"), "  const f32 w[1. .. .5] = 1;\n");
  EXPECT_EQ(statement("const f32 w[-1 .. 1]=1;"), "  const f32 w[-1..1] = 1;\n");
  EXPECT_EQ(statement("a=1e-4-1E5;"), "  a = 1e-4 - 1E5;\n");
}

TEST(Layout, Declarations) {
  EXPECT_EQ(statement("field f16 sx ( x ),u (x,y)readonly compute f32;"),
            "  field f16 sx(x), u(x, y) readonly compute f32;\n");
  EXPECT_EQ(statement("param f32 a=1,b;weights f32 w[-2..2],v[ -1..1 ];"),
            "  param f32 a = 1, b;\n  weights f32 w[-2..2], v[-1..1];\n");
  EXPECT_EQ(statement("points src,rec linear;series f32 amp (src),trace(rec);"),
            "  points src, rec linear;\n  series f32 amp(src), trace(rec);\n");
}

TEST(Layout, ClausesAreSetOffAndAlignedWithTheirLike) {
  EXPECT_EQ(statement("field f32 u boundary clamp;field f32 img in boundary constant -1;"),
            "  field f32 u       boundary clamp;\n  field f32 img in  boundary constant -1;\n");
  EXPECT_EQ(statement("u[t+1]=a*(b+u) on x>=1,y<ny-1 where m>0;u[t+1]=1 on x==0;u[t+1]=2 where m;"),
            "  u[t+1] = a * (b+u)  on x >= 1, y < ny-1 where m > 0;\n"
            "  u[t+1] = 1          on x == 0;\n"
            "  u[t+1] = 2  where m;\n");
  EXPECT_EQ(statement("reduce r=max(u)on x>0;"), "  reduce r = max(u)  on x > 0;\n");
}

TEST(Layout, OtherStatements) {
  EXPECT_EQ(statement("iterate until-res<tol,check every 50,limit 20000;iterate(n)times;"),
            "  iterate until -res < tol, check every 50, limit 20000;\n  iterate (n) times;\n");
  EXPECT_EQ(statement("color red,black by(x+y+z)%2;"), "  color red, black by (x+y+z) % 2;\n");
  EXPECT_EQ(statement("inject u[t+1]+=amp[t]at src;sample trace[t]=u at rec;u/=2;"),
            "  inject u[t+1] += amp[t] at src;\n  sample trace[t] = u at rec;\n  u /= 2;\n");
}

TEST(Layout, PartsOfASchedule) {
  EXPECT_EQ(statement("schedule{coarsened,threads=32x8,coarsen=y4};"),
            "  schedule { coarsened, threads = 32x8, coarsen = y4 };\n");
  EXPECT_EQ(statement("schedule for sm_90 ,cpu\n{\nloops,\n}"),
            "  schedule for sm_90, cpu { loops, }\n");
  EXPECT_EQ(statement("schedule{coarsened,a=1,// why\n\nb=2 /* what */,c}let d=1;"),
            "  schedule {\n    coarsened,\n    a = 1,  // why\n\n    b = 2 /* what */,\n    c\n"
            "  }\n  let d = 1;\n");
  const std::string name(40, 'n');
  EXPECT_EQ(statement("schedule{" + name + "=1," + name + "=2};"),
            "  schedule {\n    " + name + " = 1,\n    " + name + " = 2\n  };\n");
}

TEST(Layout, SidesStandOnALineIfTheyFit) {
  EXPECT_EQ(
      statement("field f32 u boundary{x:periodic;y.lo:expr-x*2+1;y.hi:clamp};boundary v{x:zero;}"),
      "  field f32 u  boundary { x: periodic; y.lo: expr -x*2 + 1; y.hi: clamp };\n"
      "  boundary v { x: zero; }\n");
  const std::string name(80, 'u');
  EXPECT_EQ(statement("boundary " + name + "{x:expr a?b:c;y.lo:constant -1;}"),
            "  boundary " + name + " {\n    x: expr a ? b : c;\n    y.lo: constant -1;\n  }\n");
  EXPECT_EQ(statement("field f32 u boundary{x:zero;//low\ny:clamp};"),
            "  field f32 u  boundary {\n    x: zero;  //low\n    y: clamp\n  };\n");
}

TEST(Layout, WeightsKeepTheirRows) {
  EXPECT_EQ(statement("const f32 w[-1..1,0..1]={1,-20,3,\n4,5,a+b}/4;"),
            "  const f32 w[-1..1, 0..1] = { 1, -20,     3,\n"
            "                               4,   5, a + b } / 4;\n");
  EXPECT_EQ(statement("const f32 w[0..1]={\n10,\n2\n};"),
            "  const f32 w[0..1] = { 10,\n                         2 };\n");
  EXPECT_EQ(statement("const f32 w[0..1]={1,//one\n2};"),
            "  const f32 w[0..1] = { 1,  //one\n                        2 };\n");
  EXPECT_EQ(statement("const f32 w[0..1]={//both\n1,\n2};"),
            "  const f32 w[0..1] = {  //both\n                        1,\n"
            "                        2 };\n");
}

TEST(Layout, WeightsThatDoNotFitGetRows) {
  std::string list = "1000";
  for (int i = 0; i < 29; ++i) list += ",1";
  EXPECT_EQ(statement("const f32 w[0..29]={" + list + "};"),
            "  const f32 w[0..29] = { 1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,\n"
            "                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,\n"
            "                            1, 1, 1, 1, 1, 1 };\n");
}

TEST(Layout, LongStatementsAreBrokenBehindTheWeakestOperator) {
  const std::string term = "weight*(field[x-1] + field[x+1])";
  const std::string long_term = term + "*sqrt(field)";
  EXPECT_EQ(statement("let a = " + term + "+" + term + "+" + long_term + ";"),
            "  let a = " + term + " + " + term + " +\n      " + long_term + ";\n");
  const std::string name(40, 'a');
  EXPECT_EQ(statement("u=f(" + name + "," + name + "+" + name + ");"),
            "  u = f(" + name + ",\n      " + name + " + " + name + ");\n");
  EXPECT_EQ(statement("u=" + name + "+" + name + " on x>0 where " + name + ">0;"),
            "  u = " + name + " + " + name + "\n      on x > 0 where " + name + " > 0;\n");
  const std::string whole(120, 'a');
  EXPECT_EQ(statement("u=" + whole + ";"), "  u =\n      " + whole + ";\n");
}

TEST(Layout, CommentsStayWhereTheyAre) {
  EXPECT_EQ(
      form("// a\n# b   \n\n\n/* c */stencil s{//d\naxes x;/* e */let b=1;// f\n//g\n}//h\n// i"),
      "// a\n# b\n\n/* c */ stencil s {  //d\n  axes  x;    /* e */\n  let b = 1;  // f\n"
      "  //g\n}  //h\n\n// i\n");
  EXPECT_EQ(statement("a=b/*c*/+/* d */(/* e */f)/*g*/;"),
            "  a = b /*c*/ + /* d */ (/* e */ f) /*g*/;\n");
  EXPECT_EQ(statement("a = b +  // the first\nc +\n// the second\nd;"),
            "  a = b +  // the first\n      c +\n      // the second\n      d;\n");
}

TEST(Layout, TrailingCommentsAreAligned) {
  EXPECT_EQ(statement("let a=1;// a\nlet bcd=2;// b\n\nlet c=3;// c\n"),
            "  let a = 1;    // a\n  let bcd = 2;  // b\n\n  let c = 3;  // c\n");
}

TEST(Layout, StarsOfACommentStandBelowEachOther) {
  EXPECT_EQ(statement("\n/* a \n* b\n      */\naxes x;"), "  /* a\n   * b\n   */\n  axes  x;\n");
  EXPECT_EQ(statement("\n/* a \n b\n      */\naxes x;"), "  /* a\n b\n      */\n  axes  x;\n");
}

TEST(Layout, WhatIsNotMadeOfTokensHasNone) {
  for (const char* text : {"/* a", "use \"a\n;", "a @ b", "a \xC3\x97 b", "a \x01 b"})
    EXPECT_FALSE(formatted(text)) << text;
}

}  // namespace
}  // namespace stencilc::format
