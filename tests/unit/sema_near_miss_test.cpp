// What the analysis only just refuses, and what it only just takes; and the examples of the table
// of codes, which `--explain` shows.
#include <map>

#include "support/analysed.h"
#include "support/near_miss.h"

namespace stencilc {
namespace {

using testing::framed;
using testing::NearMiss;

testing::Parsed analysed(const std::string& text) { return testing::analysed(text).parsed; }

bool is_of_lint(diag::Code code) {
  return (code.number >= diag::unstable.number && code.number <= diag::separable_weights.number) ||
         code == diag::late_widening;
}

// The failing examples fail as they say, the mended ones do not. The planner reads what a
// `schedule` says.
TEST(SemaCodes, ExamplesReportTheirCodeOrNothing) {
  testing::expect_examples(analysed, [](diag::Code code) {
    return !is_of_lint(code) && code != diag::bad_schedule && code != diag::bad_arch;
  });
}

constexpr const char* kNames = R"(
unknown-name case | update | {{U => u}}
unknown-name axis | xy | field f32 u; u[t+1] = u * {{nz => ny}};
unknown-name window | update | sum(i in -1..1 : u[x+i]{{) + i =>  + i)}}
unknown-name function | file | fn f(a{{ => , b}}) = a + b; stencil s { axes x; field f32 u boundary clamp; u[t+1] = f(u{{ => , u}}); }
unknown-name difference | file | stencil s { axes x{{ => , y}}; field f32 u boundary clamp; u[t+1] = dy(u); }
duplicate-name window | smooth | {{let i = u;  => }}let i = u; u[t+1] = i{{ =>  + sum(i in -1..1 : u[x+i])}};
duplicate-name argument | file | fn f(a, {{a) = a => u) = a + u}}; stencil s { axes x; field f32 u boundary clamp; u[t+1] = f(u, u); }
duplicate-name stencil | update | u[x-1]; }{{ =>  }}stencil {{s => r}} { axes x; field f32 u{{ boundary clamp => }}; u[t+1] = u{{[x+1] => }}
reserved-name time | smooth | let {{t => T}} = u[x-1]; u[t+1] = {{u => T}};
reserved-name extent | smooth | let {{nx => ny}} = u[x-1]; u[t+1] = {{u => ny}};
reserved-name function | smooth | param f32 {{sqrt => sqrt2}}; u[t+1] = {{ => sqrt2 * }}u;
reserved-name type | smooth | param f32 {{f16 => f15}}; u[t+1] = {{ => f15 * }}u;
reserved-name operator | smooth | param f32 {{laplacian => dx}}; u[t+1] = u{{ =>  / dx}};
bad-axes four | file | stencil s { axes a, b, c{{, d => }}; field f32 u; u[t+1] = u; }
bad-axes order | xy | field f32 c({{y, x => x, y}}) in; field f32 u; u[t+1] = u * c;
bad-axes twice | x | {{axes y; field f32 u; u[t+1] = u => field f32 y; y[t+1] = y}};
wrong-arity two | update | min(u{{ => , u}})
wrong-arity one | update | sqrt(u{{, u => }})
wrong-arity window | update | sum(i in 1..{{0 => 1}} : u[x+i])
wrong-arity index | smooth | const f32 w[0..1] = { 1, 2 }; u[t+1] = w[0{{, 1 => }}] * u;
wrong-arity named | update | laplacian(u, {{at = +1/ => order = }}2)
not-a-function bracket | update | u{{(x-1) => [x-1]}}
not-a-function difference | smooth | param f32 {{dx => h}}; u[t+1] = dx(u){{ =>  / h}};
not-a-function argument | file | fn f(u, {{dx => h}}) = dx(u){{ =>  * h}}; stencil s { axes x; field f32 u boundary clamp; u[t+1] = f(u, u); }
not-assignable neighbour | smooth | u[t+1, x+{{1 => 0}}] = u;
not-assignable role | x | field f32 u {{in => inout}}; field f32 p out; p = u; u[t+1] = u;
not-assignable let | smooth | {{let v = u => field f32 v out}}; u[t+1] = v; v = u;
double-assignment series | points | {{ => series f32 more(rec); }}inject u[t+1] += amp[t] at src; sample trace[t] = u at rec; sample {{trace => more}}[t] = u at rec;
no-update reduction | x | field f32 u in;{{ =>  reduce r = sum(u);}}
bad-role domain | x | field f32 u in; field f32 p out, q out; p = u on x >{{ => =}} 0; q = p;
bad-role axes | xy | field f32 s(x{{ => , y}}); s[t+1] = s;
bad-role unassigned | smooth | field f32 v{{ inout => }}; u[t+1] = u + v;
unknown-type digit | x | field {{f31 => f32}} u boundary clamp; u[t+1] = u;
unknown-boundary letter | x | field f32 u boundary {{ghosts => ghost}}; u[t+1] = u[x-1];
recursive-function itself | file | fn f(a) = {{f(a) => a}} / 2; stencil s { axes x; field f32 u boundary clamp; u[t+1] = f({{u => f(u)}}); }
recursive-function order | file | fn f(a) = g(a); fn g(a) = {{f(a) => a}}; stencil s { axes x; field f32 u boundary clamp; u[t+1] = f(u); }
bad-reduction level | smooth | reduce r = max(u{{[t+1] => }}); u[t+1] = u / r;
bad-reduction type | x | field i32 u in; reduce r = norm2({{u => f32(u)}});
bad-reduction kind | x | field f32 u in; reduce r = {{norm => norm2}}(u);
bad-iterate none | update | u; iterate {{0 => 1}} times
bad-iterate limit | reduced | iterate until r < 1{{ => , limit 1}};
bad-iterate twice | update | u; iterate 1 times{{; iterate 1 times => }}
bad-iterate cell | reduced | {{ => param f32 tol; }}iterate until r < {{u => tol}}, limit 9;
bad-iterate steps | x | field f32 u {{in => boundary clamp}}; field f32 p out; p = u; {{ => u[t+1] = u; }}iterate 1 times;
bad-points time | points | inject u[t+1] += amp[t-{{1 => 0}}] at src;
bad-points cell | points | inject u[t+1] += u[x-{{1 => 0}}] * amp[t] at src;
bad-points list | points | inject u[t+1] += amp[t] at {{rec => src}};
bad-points both | points | inject u[t+1] += amp[t] at src; sample {{amp => trace}}[t] = u at {{src => rec}};
)";
const testing::Frames kNameFrames = {
    {"reduced",
     "stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; "
     "reduce r = max(abs(u[t+1] - u)); * }"},
    {"points",
     "stencil s { axes x; field f32 u boundary clamp; points src, rec; "
     "series f32 amp(src), trace(rec); u[t+1] = u[x-1]; * }"}};

constexpr const char* kValues = R"(
type-clash condition | update | u {{ => != 0 }}&& u > 0 ? 1 : 0
type-clash remainder | x | field {{f32 => i32}} u boundary clamp; u[t+1] = u % 2;
type-clash compute | x | field {{f32 => f16}} u compute {{f16 => f32}}; u[t+1] = u;
type-clash bool | x | field bool u boundary clamp; u[t+1] = u + u{{ =>  != 0}};
type-clash idiv | x | field {{f32 => i32}} u boundary clamp; u[t+1] = idiv(u, 2);
type-clash neighbour | smooth | {{param f32 a => field f32 a boundary zero}}; u[t+1] = a[x-1] * u;
narrowing sign | x | field {{i16 => u8}} u in; field u16 p out; p = u;
narrowing sum | x | field u8 u boundary clamp; u[t+1] = {{u + u[x-1] => max(u, u[x-1])}};
narrowing real | x | field {{f64 => f32}} c in; field {{f32 => f64}} u; u[t+1] = u * c;
narrowing compute | x | field {{f64 => f32}} u compute f32; u[t+1] = u;
not-constant param | smooth | {{param i32 k => const i32 k = 3}}; u[t+1] = u^k;
not-constant whole | update | sum(i in 0..{{3 => 4}}/2 : u[x+i])
integer-division whole | x | field i32 u boundary clamp; u[t+1] = u {{/ 2 => * (4 / 2)}};
integer-division real | x | field i32 k in; field f32 u; u[t+1] = u + k / 2{{ => .0}};
literal-range u8 | x | field u8 u boundary clamp; u[t+1] = {{256 => 255}};
literal-range sign | x | field u8 u boundary clamp; u[t+1] = -{{1 => 0}};
literal-range i8 | x | field i8 u boundary clamp; u[t+1] = -{{129 => 128}};
literal-range i16 | x | field i16 u boundary clamp; u[t+1] = {{32768 => 32767}};
literal-range u16 | x | field u16 u boundary clamp; u[t+1] = {{65536 => 65535}};
literal-range i32 | x | field i32 u boundary clamp; u[t+1] = {{2147483648 => 2147483647}};
literal-range i64 | x | field i64 u boundary clamp; u[t+1] = {{9223372036854775807 => 9223372036854775806}} + 1;
literal-range least | x | field i64 u boundary clamp; u[t+1] = -9223372036854775807 - {{2 => 1}};
literal-range power | x | field i64 u boundary clamp; u[t+1] = {{2 => (-2)}}^63;
literal-range bool | x | field bool u boundary clamp; u[t+1] = {{2 => 1}};
literal-range f16 | x | field f16 u; u[t+1] = {{ => k * }}u; const f16 k = {{65520 => 65519}};
literal-range f32 | update | u + 3.{{402824e38 => 4028235e38}}
weight-count values | smooth | const f32 w[-1..{{1 => 0}}] = { 1, 2 }; u[t+1] = w[0] * u;
weight-count empty | smooth | weights w[1..{{0 => 1}}]; u[t+1] = {{ => w[1] * }}u;
weight-count long | smooth | weights w[0..{{1001 => 1000}}]; u[t+1] = {{ => w[1000] * }}u;
weight-index above | smooth | weights w[-1..1]; u[t+1] = w[{{2 => 1}}] * u;
weight-index below | smooth | weights w[-1..1]; u[t+1] = w[-{{2 => 1}}] * u;
division-by-zero literal | update | u / {{0.0 => 1e-45}}
division-by-zero constant | smooth | const f32 k = 1 - {{1 => 2}}; u[t+1] = u / k;
division-by-zero idiv | x | const i32 k = {{0 => -1}}; field i32 u; u[t+1] = idiv(u, k);
division-by-zero literals | x | field i32 u boundary clamp; u[t+1] = idiv({{7, 0 => 0, 7}});
division-by-zero weights | smooth | const f32 w[0..0] = { {{1 } / 0 => 0 } / 1}}; u[t+1] = {{ => w[0] * }}u;
bad-order odd | update | laplacian(u, order = {{3 => 4}})
bad-order least | update | dx(u, order = {{0 => 2}})
bad-order greatest | update | dx(u, order = {{18 => 16}})
bad-order sided | update | dx(u, order = {{9 => 8}}, side = -1)
bad-order upwind | update | dx(u, order = {{0 => 1}}, upwind = 1)
bad-difference place | update | dx(u, at = 1/{{3 => 2}})
bad-difference side | update | dx(u, side = {{2 => 1}})
bad-difference mixed | xy | field f32 u boundary zero; u[t+1] = {{dxy => dxx}}(u, side = 1){{ =>  + dxy(u)}};
)";

constexpr const char* kGrids = R"(
offset-not-constant param | smooth | {{param i32 k => const i32 k = 1}}; u[t+1] = u[x+k];
offset-not-constant fraction | update | u[x + 3/{{2 => 3}}]
offset-not-constant sign | update | u[1 {{- => +}} x]
offset-not-constant negative | update | u[x + {{7 => 6}}/-2]
offset-wrong-axis twice | xy | field f32 u boundary clamp; u[t+1] = u[x-1, {{x => y}}+1];
offset-wrong-axis positional | xy | field f32 u boundary clamp; u[t+1] = u[1{{ => , 0}}];
offset-wrong-axis lower | xy | field f32 c(y) in boundary clamp; field f32 u; u[t+1] = u * c[{{x => y}}-1];
time-index new | smooth | {{ => field f32 v; v[t+1] = u; }}u[t+1] = {{u[t+2 => v[t+1}}];
time-index old | update | u[t-{{17 => 16}}]
time-index input | smooth | field f32 c in; u[t+1] = u * c[t{{-1 => }}];
time-index assigned | smooth | {{u => field f32 p out; p}} = u[x-1];
time-index let | smooth | let v = u{{ => [t-1]}}; u[t+1] = v{{[t-1] => }};
missing-boundary offset | x | field f32 u; u[t+1] = u[x-{{1 => 0}}];
missing-boundary side | x | field f32 u boundary { x.lo: clamp }; u[t+1] = u[x{{+ => -}}1];
missing-boundary axis | xy | field f32 u boundary { x: clamp }; u[t+1] = u[x-1{{, y+1 => }}];
cycle level | x | field f32 u, v; u[t+1] = v[t+1]; v[t+1] = u{{[t+1] => }};
cycle itself | update | u{{ => ; u[t+1] = u}}[t+1] + u
cycle neighbour | update | u[t{{+1 => }}, x-1] + u
cycle let | smooth | let a = b + u; let b = {{a => u}}; u[t+1] = {{b => a}};
boundary-unusable value | x | field f32 u boundary constant{{ =>  0}}; u[t+1] = u[x-1];
boundary-unusable superfluous | x | field f32 u boundary zero{{ 1 => }}; u[t+1] = u[x-1];
boundary-unusable updated | x | field f32 c in boundary {{fixed => none}}; field f32 u; u[t+1] = c[x-1];
boundary-unusable ends | x | field f32 u boundary { x.lo: periodic; x.hi: {{clamp => periodic}} }; u[t+1] = u[x-1];
boundary-unusable place | x | field f32 u boundary constant {{x => nx}}; u[t+1] = u[x-1];
boundary-unusable floats | x | field {{i32 => f16}} u boundary neumann 0; u[t+1] = u[x-1];
boundary-unusable cells | x | field f32 u boundary expr {{u => t}}; u[t+1] = u[x-1];
boundary-unusable second | x | field f32 u{{ boundary clamp => , v}}; boundary u{{ => , v}} clamp; u{{ => [t+1] = v[x-1]; v}}[t+1] = u[x-1];
radius-limit offset | update | u[x+{{65 => 64}}]
radius-limit let | smooth | let a = u[x-40]; u[t+1] = a[x-{{25 => 24}}];
radius-limit window | update | sum(i in -{{65 => 64}}..0 : u[x+i])
bad-domain field | update | u on {{ => x > 0 where }}u > 0
bad-domain axis | xy | field f32 u; u[t+1] = u on x > {{y => ny}};
bad-domain side | update | u on x {{- 1 > 0 => > 0 + 1}}
bad-domain comparison | update | u {{on x % 2 => where x % 2 == 0}}
bad-colors distance | xy | field f32 p boundary zero; color a, b by (x+y) % 2; p = p[x-1, y-{{1 => 2}}];
bad-colors boundary | xy | field f32 p boundary clamp; color a, b by (x+y) % 2; p = p[x-1{{, y-2 => }}];
bad-colors names | xy | field f32 p boundary zero; color a, b{{ => , c}} by (x+y) % 3; p = p[x-1];
bad-colors form | xy | field f32 p boundary zero; color a, b by (x*{{y => 3}}) % 2; p = p[x-1];
not-in-this-version type | x | field {{f128 => f64}} u boundary clamp; u[t+1] = u;
size-limit weights | smooth | weights w[0..63, 0..63{{], v[0..0 => }}]; u[t+1] = w[0, 0] * {{v[0] *  => }}u;
size-limit height | update | max(i in 0..{{10500 => 10499}} : u)
size-limit unrolled | update | {{sum(i in 0..99, j in 0..0 : sum(k in 0..999 : u^(i + k))) => u}}
unused-name param | x | {{ => param f32 a; }}field f32 u boundary {{clamp; param f32 => constant}} a; u[t+1] = u[x-1];
unused-name function | file | fn f(a) = a; stencil s { axes x; field f32 u boundary clamp; u[t+1] = {{u[x-1] => f(u[x-1])}}; }
unused-name field | smooth | field f32 c {{in => out}}; u[t+1] = u[x-1];{{ =>  c = u;}}
boundary-unused offset | update | u[x-{{0 => 1}}]
boundary-unused shared | x | field f32 u, v boundary clamp; u[t+1] = 2*u + v; v[t+1] = v + u[x-{{0 => 1}}];
boundary-unused item | x | field f32 u, v; boundary u, v clamp; u[t+1] = 2*u + v; v[t+1] = v + u[x-{{0 => 1}}];
boundary-unused reduction | update | u; reduce r = sum(u{{ => [x-1]}})
)";

std::string on_x(const std::string& items) {
  return framed(testing::common_frames().at("x"), items);
}
std::string smooth(const std::string& items) {
  return framed(testing::common_frames().at("smooth"), items);
}

std::string fields(int count) {
  std::string items;
  for (int f = 0; f < count; ++f) {
    const std::string name = "v" + std::to_string(f);
    items += "field f32 " + name + "; " + name + "[t+1] = " + name + "; ";
  }
  return on_x(items);
}

// Functions that call each other, `count` deep.
std::string calls(int count) {
  std::string text = "fn g1(a) = a; ";
  for (int f = 2; f <= count; ++f)
    text += "fn g" + std::to_string(f) + "(a) = g" + std::to_string(f - 1) + "(a); ";
  return text + smooth("u[t+1] = g" + std::to_string(count) + "(u);");
}

// Names for expressions, each made of the one before; the update needs the last.
std::string lets(int count) {
  std::string items = "let a1 = u; ";
  for (int i = 2; i <= count; ++i)
    items += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "; ";
  return smooth(items + "u[t+1] = a" + std::to_string(count) + ";");
}

std::string many_colors(int count) {
  std::string names = "c0";
  for (int c = 1; c < count; ++c) names += ", c" + std::to_string(c);
  return on_x("field f32 p boundary zero; color " + names + " by x % " + std::to_string(count) +
              "; p = p[x-1];");
}

// `count` of what stands between, with its number in place of each `#`.
std::string numbered(int count, const std::string& row) {
  std::string text;
  for (int i = 0; i < count; ++i)
    for (const char c : row) text += c == '#' ? std::to_string(i) : std::string(1, c);
  return text;
}

// Of each kind of which there may be so many.
NearMiss most(const std::string& row, const std::string& before, const std::string& update,
              int count) {
  return {diag::size_limit, row, smooth(before + numbered(count + 1, row) + update),
          smooth(before + numbered(count, row) + update)};
}

std::vector<NearMiss> grids() {
  std::vector<NearMiss> rows = testing::near_misses(kGrids);
  rows.push_back({diag::bad_colors, "number", many_colors(65), many_colors(64)});
  rows.push_back({diag::nesting_limit, "calls", calls(65), calls(64)});
  rows.push_back({diag::nesting_limit, "lets", lets(2000), lets(1999)});
  rows.push_back({diag::size_limit, "fields", fields(257), fields(256)});
  const std::string update = "u[t+1] = u;";
  rows.push_back(most("points p#; ", "", update, 256));
  rows.push_back(most("series f32 q#(p); ", "points p; ", update, 256));
  rows.push_back(most("reduce r# = sum(u); ", "", update, 256));
  rows.push_back(most("param f32 a#; ", "", update, 4096));
  rows.push_back(most("inject u[t+1] += 1 at p; ", "points p; ", update, 256));
  const auto taking = [](int count) {
    return "fn f(b" + numbered(count - 1, ", a#") + ") = b; " +
           smooth("u[t+1] = f(u" + numbered(count - 1, ", u") + ");");
  };
  rows.push_back({diag::size_limit, "parameters", taking(257), taking(256)});
  const auto stencils = [](int count) {
    return numbered(count, "stencil s# { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; } ");
  };
  rows.push_back({diag::size_limit, "stencils", stencils(257), stencils(256)});
  return rows;
}

// What no text of a program raises, and why.
const std::map<int, const char*> kElsewhere = {
    {diag::bad_schedule.number, "of the planner"},
    {diag::bad_tuning.number, "of files that the driver reads"},
    {diag::bad_arch.number, "of the planner"},
    {diag::bad_choice.number, "of the command line"},
    {diag::one_piece.number, "of the command line"},
    {diag::cannot_read.number, "of the file system"},
    {diag::cannot_write.number, "of the file system"},
    {diag::bad_input_data.number, "of the data of a run"},
    {diag::build_failed.number, "of another compiler"},
    {diag::tool_missing.number, "of what is installed"},
    {diag::run_failed.number, "of a run"},
    {diag::memory_limit.number, "of the size of a run"},
    {diag::check_failed.number, "of the emitted text"},
};

TEST(SemaNearMiss, OfNames) {
  const std::vector<NearMiss> rows = testing::near_misses(kNames, kNameFrames);
  testing::expect_borders(rows, analysed);
  testing::expect_all_codes(rows, [](diag::Code code) {
    return code.number / 100 == 2 && code != diag::bad_define;  // of the command line
  });
}

TEST(SemaNearMiss, OfValues) {
  const std::vector<NearMiss> rows = testing::near_misses(kValues);
  testing::expect_borders(rows, analysed);
  testing::expect_all_codes(rows, [](diag::Code code) { return code.number / 100 == 3; });
}

TEST(SemaNearMiss, OfGridsAndSizes) {
  testing::expect_borders(grids(), analysed);
  testing::expect_all_codes(grids(), [](diag::Code code) {
    const bool of_others =
        code.number / 100 == 8 && code != diag::unused_name && code != diag::boundary_unused;
    return code.number >= 400 && !of_others && kElsewhere.count(code.number) == 0;
  });
}

}  // namespace
}  // namespace stencilc
