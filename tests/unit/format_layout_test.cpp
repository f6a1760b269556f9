// The form of each kind of statement.
#include <gtest/gtest.h>

#include "format/format.h"
#include "support/tables.h"

namespace stencilc::format {
namespace {

std::string form(std::string_view text) { return formatted(text).value_or("no tokens"); }

// The form of a statement in a stencil, without the stencil around it.
std::string statement(const std::string& text) {
  const std::string whole = form("stencil s{" + text + "}");
  const size_t begin = whole.find('\n') + 1;
  return whole.substr(begin, whole.rfind("}") - begin);
}
// The same without its indentation.
std::string outdented(const std::string& text) {
  std::string lines = "\n" + statement(text);
  for (size_t at = 0; (at = lines.find("\n  ", at)) != std::string::npos; ++at)
    lines.erase(at + 1, 2);
  return lines.substr(1);
}

TEST(Layout, Statements) {
  testing::expect_rows(outdented, R"(
--- products
a=2*u-u[t-1]+(dt*c)^2*lap; => a = 2*u - u[t-1] + (dt*c)^2 * lap;
a=q-0.5*c*d1+0.5*c^2*d2; => a = q - 0.5*c*d1 + 0.5*c^2*d2;
a=0.25*(u[x-1]+u[x+1]); => a = 0.25 * (u[x-1] + u[x+1]);
a=u*v*v; b=u*v*v*w; c=w[i]*w[j];
=> a = u*v*v;
   b = u * v * v * w;
   c = w[i] * w[j];
a=f(1/2,u[x]/2)%2; => a = f(1/2, u[x] / 2) % 2;
--- sums
a=F*(1-u)+(a-u[x+1])*(a+b+c+d)*(2*a-b); => a = F*(1-u) + (a - u[x+1])*(a + b + c + d)*(2*a - b);
a=b<nx-1&&c-f(x)>=2?d-1:e; => a = b < nx-1 && c - f(x) >= 2 ? d - 1 : e;
a=u[x-2*r,y+(i+j)*2]; => a = u[x-2*r, y+(i+j)*2];
a=sum(i in -r+1..r-1,j in 0..1:u[x+i]); => a = sum(i in -r+1..r-1, j in 0..1 : u[x+i]);
--- prefixes
a=-b*-c- -d+ +e; => a = -b*-c - -d + +e;
a=!b&&!!c==--d; => a = !b && !!c == - -d;
a=2^-1+u[x- -1]; => a = 2^-1 + u[x- -1];
a=dx(u,order=2,side=-1,at=+1/2); => a = dx(u, order = 2, side = -1, at = +1/2);
--- numbers and points stay apart
const f32 w[1. .. .5]=1; => const f32 w[1. .. .5] = 1;
const f32 w[-1 .. 1]=1; => const f32 w[-1..1] = 1;
a=1e-4-1E5; => a = 1e-4 - 1E5;
--- declarations
field f16 sx ( x ),u (x,y)readonly compute f32; => field f16 sx(x), u(x, y) readonly compute f32;
param f32 a=1,b;weights f32 w[-2..2],v[ -1..1 ];
=> param f32 a = 1, b;
   weights f32 w[-2..2], v[-1..1];
points src,rec linear;series f32 amp (src),trace(rec);
=> points src, rec linear;
   series f32 amp(src), trace(rec);
--- clauses are set off and aligned with their like
field f32 u boundary clamp;field f32 img in boundary constant -1;
=> field f32 u       boundary clamp;
   field f32 img in  boundary constant -1;
u[t+1]=a*(b+u) on x>=1,y<ny-1 where m>0;u[t+1]=1 on x==0;u[t+1]=2 where m;
=> u[t+1] = a * (b+u)  on x >= 1, y < ny-1 where m > 0;
   u[t+1] = 1          on x == 0;
   u[t+1] = 2  where m;
reduce r=max(u)on x>0; => reduce r = max(u)  on x > 0;
--- other statements
iterate until-res<tol,check every 50,limit 20000;iterate(n)times;
=> iterate until -res < tol, check every 50, limit 20000;
   iterate (n) times;
color red,black by(x+y+z)%2; => color red, black by (x+y+z) % 2;
inject u[t+1]+=amp[t]at src;sample trace[t]=u at rec;u/=2;
=> inject u[t+1] += amp[t] at src;
   sample trace[t] = u at rec;
   u /= 2;
--- parts of a schedule
schedule{coarsened,threads=32x8,coarsen=y4}; => schedule { coarsened, threads = 32x8, coarsen = y4 };
schedule for sm_90 ,cpu
{
loops,
}
=> schedule for sm_90, cpu { loops, }
--- sides stand on a line if they fit
field f32 u boundary other-1;boundary u,v other-a;boundary w{x:other-a?b:-c;y.lo:other-2}
=> field f32 u  boundary other -1;
   boundary u, v other -a;
   boundary w { x: other -a ? b : -c; y.lo: other -2 }
field f32 u boundary{x:periodic;y.lo:expr-x*2+1;y.hi:clamp};boundary v{x:zero;}
=> field f32 u  boundary { x: periodic; y.lo: expr -x*2 + 1; y.hi: clamp };
   boundary v { x: zero; }
field f32 u boundary{x:zero;//low
y:clamp};
=> field f32 u  boundary {
     x: zero;  //low
     y: clamp
   };
--- weights keep their rows
const f32 w[-1..1,0..1]={1,-20,3,
4,5,a+b}/4;
=> const f32 w[-1..1, 0..1] = { 1, -20,     3,
                                4,   5, a + b } / 4;
const f32 w[0..1]={
10,
2
};
=> const f32 w[0..1] = { 10,
                          2 };
const f32 w[0..1]={1,//one
2};
=> const f32 w[0..1] = { 1,  //one
                         2 };
const f32 w[0..1]={//both
1,
2};
=> const f32 w[0..1] = {  //both
                         1,
                         2 };
--- comments stay where they are
a=b/*c*/+/* d */(/* e */f)/*g*/; => a = b /*c*/ + /* d */ (/* e */ f) /*g*/;
a = b +  // the first
c +
// the second
d;
=> a = b +  // the first
       c +
       // the second
       d;
)");
}

TEST(Layout, LongStatementsAreBrokenBehindTheWeakestOperator) {
  const std::string term = "weight*(field[x-1] + field[x+1])";
  const std::string long_term = term + "*sqrt(field)";
  const std::string a(40, 'a'), n(40, 'n'), u(80, 'u'), whole(120, 'a');
  std::string list = "1000";
  for (int i = 0; i < 29; ++i) list += ",1";
  const std::pair<std::string, std::string> rows[] = {
      {"let a = " + term + "+" + term + "+" + long_term + ";",
       "  let a = " + term + " + " + term + " +\n      " + long_term + ";\n"},
      {"u=f(" + a + "," + a + "+" + a + ");",
       "  u = f(" + a + ",\n      " + a + " + " + a + ");\n"},
      {"u=" + a + "+" + a + " on x>0 where " + a + ">0;",
       "  u = " + a + " + " + a + "\n      on x > 0 where " + a + " > 0;\n"},
      {"u=" + whole + ";", "  u =\n      " + whole + ";\n"},
      {"schedule{" + n + "=1," + n + "=2};",
       "  schedule {\n    " + n + " = 1,\n    " + n + " = 2\n  };\n"},
      {"boundary " + u + "{x:expr a?b:c;y.lo:constant -1;}",
       "  boundary " + u + " {\n    x: expr a ? b : c;\n    y.lo: constant -1;\n  }\n"},
      {"const f32 w[0..29]={" + list + "};",
       "  const f32 w[0..29] = { 1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,\n"
       "                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,\n"
       "                            1, 1, 1, 1, 1, 1 };\n"}};
  for (const auto& [text, expected] : rows) EXPECT_EQ(statement(text), expected);
}

TEST(Layout, BlankLinesAndComments) {
  EXPECT_EQ(form("stencil a{axes x;field f32 u;u[t+1]=2*u;}"),
            "stencil a {\n  axes  x;\n  field f32 u;\n  u[t+1] = 2*u;\n}\n");
  EXPECT_EQ(form("\n\nuse \"a.stn\" ;\r\nfn f ( a,b )=a+b ;\n\n\n\nconst f32 k=1;"),
            "use \"a.stn\";\nfn f(a, b) = a + b;\n\nconst f32 k = 1;\n");
  EXPECT_EQ(form(""), "");
  EXPECT_EQ(form("\xEF\xBB\xBFstencil a { }"), "stencil a {\n}\n");
  EXPECT_EQ(form("stencil a {\n\n axes x;\n\n\n\n let b = 1; let c = 2;\n\n}\nstencil b {\n}"),
            "stencil a {\n  axes  x;\n\n  let b = 1;\n  let c = 2;\n}\n\nstencil b {\n}\n");
  EXPECT_EQ(
      form("// a\n# b   \n\n\n/* c */stencil s{//d\naxes x;/* e */let b=1;// f\n//g\n}//h\n// i"),
      "// a\n# b\n\n/* c */ stencil s {  //d\n  axes  x;    /* e */\n  let b = 1;  // f\n"
      "  //g\n}  //h\n\n// i\n");
  EXPECT_EQ(statement("schedule{coarsened,a=1,// why\n\nb=2 /* what */,c}let d=1;"),
            "  schedule {\n    coarsened,\n    a = 1,  // why\n\n    b = 2 /* what */,\n    c\n"
            "  }\n  let d = 1;\n");
  EXPECT_EQ(statement("let a=1;// a\nlet bcd=2;// b\n\nlet c=3;// c\n"),
            "  let a = 1;    // a\n  let bcd = 2;  // b\n\n  let c = 3;  // c\n");
  // Stars of a comment stand below each other.
  EXPECT_EQ(statement("\n/* a \n* b\n      */\naxes x;"), "  /* a\n   * b\n   */\n  axes  x;\n");
  EXPECT_EQ(statement("\n/* a \n b\n      */\naxes x;"), "  /* a\n b\n      */\n  axes  x;\n");
}

TEST(Layout, WhatIsNotMadeOfTokensHasNone) {
  for (const char* text : {"/* a", "use \"a\n;", "a @ b", "a \xC3\x97 b", "a \x01 b"})
    EXPECT_FALSE(formatted(text)) << text;
}

}  // namespace
}  // namespace stencilc::format
