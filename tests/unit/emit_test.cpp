// The shape of emitted files: what a build relies on, whatever the text around it says.
#include "emit/emit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "emit/body.h"
#include "emit/spell.h"
#include "emit/writer.h"
#include "kernel/build.h"
#include "support/emitted.h"
#include "support/rows.h"

namespace stencilc::emit {
namespace {

using driver::Compiled;
using kernel::Type;
using plan::Target;
using test::Workplace;
using testing::emitted;
using testing::expect_builds;
using testing::expect_has;
using testing::expect_lacks;
using testing::expect_parses;
using testing::lines_of;
using testing::options_for;

std::string text_of(const std::string& name) {
  return test::read(STENCILC_SOURCE_DIR "/examples/" + name + ".stn");
}
Compiled example(const std::string& name, const driver::CompileOptions& options = {}) {
  return emitted(text_of(name), options);
}
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from), end = text.find(to, begin);
  return begin == std::string::npos || end == std::string::npos ? ""
                                                                : text.substr(begin, end - begin);
}
bool has_nvcc(const Workplace& here) {
  return here.shell("command -v nvcc >/dev/null").status == 0;
}

std::string loop_of(const std::string& list) {
  Writer out;
  out.indent();
  out.loop("Index e = " + list + ".first(key)", "e >= 0", "e = " + list + ".next(e)");
  return out.take();
}

TEST(Emit, LoopsAreBrokenBehindTheirParts) {
  EXPECT_EQ(loop_of("points"),
            "  for (Index e = points.first(key); e >= 0; e = points.next(e)) {\n");
  const std::string wide(40, 'p'), wider(65, 'p');
  EXPECT_EQ(loop_of(wide), "  for (Index e = " + wide + ".first(key); e >= 0;\n       e = " + wide +
                               ".next(e)) {\n");
  EXPECT_EQ(loop_of(wider), "  for (Index e = " + wider +
                                ".first(key);\n       e >= 0; e = " + wider + ".next(e)) {\n");
}

TEST(Emit, ConditionsThatAllHoldFillLines) {
  Writer out;
  const std::string a(30, 'a'), b(30, 'b'), c(30, 'c');
  out.assignment("const bool all = ", a + " && " + b + " && " + c);
  EXPECT_EQ(out.take(),
            "const bool all = " + a + " && " + b + " &&\n                 " + c + ";\n");
  out.assignment("const bool all = ", "(" + a + " && " + b + ") && " + c);
  EXPECT_EQ(out.take(),
            "const bool all = (" + a + " && " + b + ") &&\n                 " + c + ";\n");
}

// u1 = u0 * u0, u2 = u1 * u1, ...; or each from the one before and `step`.
std::vector<std::string> lines_of_chain(int length, bool twice, Dialect dialect) {
  kernel::Body body;
  for (int n = 1; n <= length; ++n) {
    const kernel::ExprPtr before = kernel::var("u" + std::to_string(n - 1), Type::i32);
    const kernel::ExprPtr other = twice ? before : kernel::var("step", Type::i32);
    body.push_back(
        {kernel::Let{"u" + std::to_string(n), kernel::bin(kernel::BinOp::mul, before, other)}});
  }
  Writer out;
  write_statements(out, kernel::Module(), body, dialect);
  return lines_of(out.take());
}

TEST(Emit, VariablesThatNvccWouldEvaluateLongAreNoConstants) {
  const auto constants = [](int length, bool twice, Dialect dialect) {
    const std::vector<std::string> lines = lines_of_chain(length, twice, dialect);
    const auto is_constant = [](const std::string& line) { return line.rfind("const ", 0) == 0; };
    EXPECT_EQ(lines.size(), static_cast<size_t>(length));
    // All that follow from the first other one on are none, too.
    EXPECT_TRUE(std::is_partitioned(lines.begin(), lines.end(), is_constant));
    return std::count_if(lines.begin(), lines.end(), is_constant);
  };
  EXPECT_EQ(constants(9, true, Dialect::cuda), 9);   // 511 initialisers at most
  EXPECT_EQ(constants(40, true, Dialect::cuda), 9);  // and then 2^40 of them
  EXPECT_EQ(constants(900, false, Dialect::cuda), 900);
  EXPECT_EQ(constants(2000, true, Dialect::cuda), 9);  // more than fit into any integer
  EXPECT_EQ(constants(40, true, Dialect::cpu), 40);    // other compilers remember results
}

TEST(Emit, InteriorCodeCallsNoHelperOfBoundaries) {
  for (const std::string boundary : {"clamp", "reflect", "mirror", "periodic", "zero"}) {
    const Compiled file = emitted("stencil s { axes x, y; field f32 u boundary " + boundary +
                                  "; u[t+1] = 0.1*laplacian(u); }");
    const std::string interior = between(file.source, "if (interior_", "} else {");
    ASSERT_FALSE(interior.empty()) << file.source;
    expect_lacks(interior,
                 {"st::clamp", "st::reflect", "st::mirror", "st::wrap", "st::inside", " ? "});
  }
}

TEST(Emit, OneRunPicksTheIndexTypeForAllSizes) {
  for (const Target target : {Target::cuda, Target::cpu})
    expect_has(example("diffusion3d", options_for(target)).source,
               {"fits_32_bits(plane * nz)", "advance<int>", "advance<int64_t>",
                "template <typename Index>"});
}

// Indices of 64 bits take registers of their own, and are for grids that no launch bounds help.
TEST(Emit, LaunchBoundsForBlocksAreThoseOfShortIndices) {
  driver::CompileOptions options;
  options.schedule = "coarsened,threads=32x8,coarsen=y4,resident=4";
  expect_has(example("laplace", options).source,
             {"__launch_bounds__(256, sizeof(Index) == 4 ? 4 : 1) step("});
  options.schedule = "coarsened,threads=32x8,coarsen=y4";
  expect_has(example("laplace", options).source, {"__launch_bounds__(256) step("});
}

TEST(Emit, AKernelInPlaceHasOnePointer) {
  const std::string text = emitted("stencil s { axes x, y; field f32 u; u[t+1] = 2*u; }").source;
  const std::string head = between(text, "step(", ")");
  expect_has(head, {"float* __restrict__ u,"});
  EXPECT_EQ(testing::count(head, "__restrict__"), 1) << head;
  expect_lacks(text, {"rotate"});
}

TEST(Emit, ProductsAreSpeltSoThatNoCompilerFusesThem) {
  const std::string kernel = between(example("wave2d").source, "__global__", "// The time loop");
  expect_has(kernel, {"__fmaf_rn("});
  for (const std::string& line : lines_of(kernel)) {
    bool of_places = false;  // or a comment
    for (const char* word : {"Index", "[", "__launch_bounds__", "//", " * pitch"})
      of_places |= testing::has(line, word);
    if (!of_places) expect_lacks(line, {" * "});
  }
}

TEST(Emit, NoLineIsLongerThanTheStyleSays) {
  for (const char* name : {"laplace", "wave3d", "gray_scott", "conv5x5", "advection"}) {
    const Compiled file = example(name);
    for (const std::string& text : {file.source, file.header})
      for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
  }
}

// #line N "in.stn" is followed by code of that line; #line N "out.cu" leads back to where one is.
TEST(Emit, LineDirectivesMapBack) {
  for (const Target target : {Target::cuda, Target::cpu}) {
    driver::CompileOptions options = options_for(target);
    options.line_directives = true;
    const std::string self = target == Target::cpu ? "\"out.cpp\"" : "\"out.cu\"";
    const Compiled file = emitted(
        "stencil s {\n  axes x, y;\n  field f32 u, v boundary clamp;\n\n"
        "  u[t+1] = 0.25*u[x-1] + v;\n  v[t+1] = u*v;\n}\n",
        options);
    const std::vector<std::string> lines = lines_of(file.source);
    int here = 0, there = 0;
    bool in_source = false;
    for (size_t i = 0; i < lines.size(); ++i) {
      std::istringstream words(lines[i]);
      std::string directive, name;
      size_t number = 0;
      if (!(words >> directive) || directive != "#line") continue;
      words >> number >> name;
      if (name == self) {
        ++here;
        EXPECT_EQ(number, i + 2) << lines[i];
      } else {
        ++there;
        EXPECT_EQ(name, "\"in.stn\"");
        EXPECT_TRUE(number == 5 || number == 6) << lines[i];
      }
      in_source = name == self;
    }
    EXPECT_TRUE(in_source);  // the rest of the file is its own
    // two updates; the loops of the CPU have them inside and at the boundary
    EXPECT_GE(there, target == Target::cpu ? 4 : 2);
    EXPECT_GE(here, there / 2);
  }
}

// Names of files reach the output in a comment, in #line and nowhere else, as text that stays one.
TEST(Emit, HostileNamesOfFilesStayNames) {
  driver::CompileOptions options = options_for(Target::cpu);
  options.line_directives = true;
  const std::string text = "stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }";
  const Workplace here;
  // Without its comments and #line the text is that of a harmless name.
  const auto code = [](const std::string& source) {
    std::string result;
    for (const std::string& line : lines_of(source))
      if (line.find_first_not_of(' ') != std::string::npos &&
          line.substr(line.find_first_not_of(' ')).rfind("//", 0) != 0 &&
          line.rfind("#line", 0) != 0)
        result += line + "\n";
    return result;
  };
  const std::string harmless = code(emitted(text, options).source);
  const std::string names[] = {"a\"b.stn",   "a\\b.stn",    "a\nint x;\n.stn",
                               "a*/b.stn",   "trailing\\",  "\xc3\xa9t\xc3\xa9.stn",
                               "a?\?/b.stn", "a\tb.stn",    "/*.stn",
                               "a%sb.stn",   "\x01\x7f.stn"};
  std::string lines;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Compiled file = emitted(text, options, name);
    EXPECT_EQ(code(file.source), harmless);
    for (const std::string& part : {file.source, file.header}) {
      for (const std::string& line : lines_of(part)) {
        EXPECT_FALSE(line.ends_with('\\')) << line;
        for (const char c : line)
          EXPECT_TRUE(c >= 0x20 && c < 0x7f) << static_cast<int>(c) << " in " << line;
      }
    }
    // The preprocessor reads the very name back.
    lines += "#line 1 " + emit::quoted(name) +
             "\nstatic_assert(sizeof(__FILE__) == " + std::to_string(name.size() + 1) + ");\n";
  }
  here.write("lines.cpp", lines);
  expect_builds(here, "g++ -std=c++20 -fsyntax-only -w lines.cpp");
}

TEST(Emit, QuotedAndHarmlessText) {
  EXPECT_EQ(emit::quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(emit::quoted("a\nb"), "\"a\\012b\"");
  EXPECT_EQ(emit::quoted("\xc3\xa9"), "\"\\303\\251\"");
  EXPECT_EQ(emit::quoted("a?\?/"), "\"a\\077\\077/\"");
  EXPECT_EQ(harmless("laplace 2.stn"), "laplace 2.stn");
  EXPECT_EQ(harmless("a*/b"), "a*%2Fb");
  EXPECT_EQ(harmless("a\nb\\"), "a%0Ab%5C");
}

TEST(Emit, LiteralsReadBackAsTheyWere) {
  struct {
    Type type;
    double real;
    int64_t integer;
    const char* text;
  } const rows[] = {
      {Type::f32, 0.25, 0, "0.25f"},
      {Type::f32, 3, 0, "3.0f"},
      {Type::f64, 0.1, 0, "0.1"},
      {Type::f32, 1e30, 0, "1e+30f"},
      {Type::f32, -0.0, 0, "-0.0f"},
      {Type::f32, 1e-45, 0, "1e-45f"},
      {Type::i32, 0, INT32_MIN, "(-2147483647 - 1)"},
      {Type::boolean, 0, 1, "true"},
      {Type::u8, 0, 255, "uint8_t{255}"},
      {Type::f16, 0.25, 0, "st::f16(0.25f)"},
      {Type::bf16, -3, 0, "st::bf16(-3.0f)"},
      {Type::f16, NAN, 0, "st::f16(NAN)"},
      {Type::bf16, -INFINITY, 0, "st::bf16(-INFINITY)"},
  };
  for (const auto& row : rows) EXPECT_EQ(literal(row.type, row.real, row.integer), row.text);
}

// A folder with the files of a stencil.
class Files : public Workplace {
 public:
  Files(const std::string& text, Target target) {
    const Compiled made = emitted(text, options_for(target, true));
    expect_lacks(made.header, {"#include <stencil/"});
    write("out.h", made.header);
    write(target == Target::cpu ? "out.cpp" : "out.cu", made.source);
  }
};

constexpr const char* kMix =
    "stencil mix {\n  axes x, y;\n  param bf16 k = 0.5;\n"
    "  field f16 u boundary constant 0.25;\n  field bf16 c in boundary clamp;\n"
    "  u[t+1] = f16(u + k * (u[x-1] + c[y+1]));\n}\n";

TEST(Emit, AStandaloneFileNeedsNoRuntimeHeader) {
  const Files here(text_of("wave2d"), Target::cpu);
  here.write("alone.cpp", "#include \"out.h\"\n#include \"out.h\"\nint main() { return 0; }\n");
  for (const char* file : {"alone.cpp", "out.cpp"}) expect_parses(here, file);
}

TEST(EmitNvcc, AStandaloneCudaFileNeedsNoRuntimeHeader) {
  const Files half(kMix, Target::cuda);
  if (!has_nvcc(half)) GTEST_SKIP() << "no nvcc";
  // Whether it is taken is the question, not how fast it runs.
  const bool quick = half.shell("nvcc --help").out.find("-Ofc") != std::string::npos;
  const std::string nvcc = "nvcc -std=c++17 -Werror all-warnings -arch=sm_90 -c -o out.o " +
                           std::string(quick ? "-Ofc=max " : "");
  expect_builds(half, nvcc + "out.cu");
#ifdef STENCILC_ALL_TESTS
  half.write("user.cu",
             "#include \"out.h\"\nvoid use(stencil::Grid<__half, 2>& u,\n"
             "         stencil::Grid<__nv_bfloat16, 2>& c) {\n"
             "  (void)mix::run({u, c}, stencil::Steps{1}); }\n");
  expect_builds(half, nvcc + "user.cu");
  const Files here(text_of("wave2d"), Target::cuda);
  here.write("alone.cu", "#include \"out.h\"\nint main() { return 0; }\n");
  for (const std::string file : {"alone.cu", "out.cu"}) expect_builds(here, nvcc + file);
#endif
}

TEST(Emit, TheHeaderIsCToo) {
  const Workplace here;
  const auto parse = [&](const std::string& text, const std::string& flags,
                         const std::string& caller) {
    for (const bool standalone : {false, true}) {
      here.write("out.h", emitted(text, options_for(Target::cpu, standalone)).header);
      here.write("caller.c", "#include \"out.h\"\nint main(void) {" + caller + "}\n");
      expect_builds(here, "cc -std=c99 -Wall -Werror -fsyntax-only caller.c" + flags +
                              (standalone ? "" : " -I'" STENCILC_SOURCE_DIR "/runtime/include'"));
    }
  };
  // What the header recommends is declared in it.
  parse(text_of("laplace"), "",
        " enum stencil_code code = STENCIL_BAD_EXTENTS;\n"
        "  float cells[2][4] = {{0}}, *u[2]; u[0] = cells[0]; u[1] = cells[1];\n"
        "  if (laplace2d_run(u, 2, 2, 2, 1) == STENCIL_OK) return 0;\n"
        "  return stencil_last_error()[0] == 0 || code == STENCIL_NO_DEVICE; ");
  parse(text_of("wave3d"), " -Wno-address", " return wave3d_run == 0; ");
  parse(kMix, "",
        " uint16_t u[4] = {0}, v[4] = {0}, c[4] = {0};\n"
        "  uint16_t* all[2]; all[0] = u; all[1] = v;\n"
        "  return mix_run(all, c, 2, 2, 2, c[0], 1); ");
  parse(
      "stencil s { axes x, y; field f32 u boundary clamp; let g = u*u; u[t+1] = g[x+1] - g[x-1]; }",
      "",
      " float cells[2][4] = {{0}}, *u[2] = {cells[0], cells[1]};\n"
      "  size_t bytes = s_workspace(2, 2, 2);\n"
      "  return bytes == SIZE_MAX || s_run(u, 2, 2, 2, 1, 0, 0); ");
}

// A caller in C gives memory for values, or none, or too little.
TEST(Emit, ACallerGivesMemoryForValues) {
  const Workplace here;
  driver::CompileOptions options = options_for(Target::cpu);
  options.schedule = "loops,global=g+h";
  const driver::Compiled compiled = emitted(
      "stencil s { axes x, y; field f32 u boundary clamp; let g = u*u[x+1]; let h = u*u[y+1]; "
      "u[t+1] = 0.25*(g[x+1] - g[x-1] + h[y+1] - h[y-1]); }",
      options);
  here.write("out.h", compiled.header);
  here.write("out.cpp", compiled.source);
  here.write("main.c", R"(#include "out.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { NX = 9, NY = 7, PITCH = 12 };
static float cells[3][PITCH * NY];
static int run(int n, void* workspace, size_t bytes) {
  int i;
  for (i = 0; i < PITCH * NY; ++i) cells[n][i] = (float)(i % 11) / 11;
  return s_run(cells[n], NX, NY, PITCH, 4, workspace, bytes);
}
static int differ(int a, int b) {
  int y, bad = 0;
  for (y = 0; y < NY; ++y)
    bad |= memcmp(&cells[a][y * PITCH], &cells[b][y * PITCH], NX * sizeof(float)) != 0;
  return bad;
}
int main(void) {
  const size_t bytes = s_workspace(NX, NY, PITCH);
  char* memory = malloc(bytes + 1);
  if (bytes == 0 || bytes % 256 != 0 || s_workspace(NX, 0, PITCH) != SIZE_MAX) return 1;
  if (run(0, NULL, 0) != STENCIL_OK) return 2;
  if (run(1, memory, bytes) != STENCIL_OK || differ(0, 1)) return 3;
  if (run(1, memory + 1, bytes) != STENCIL_OK || differ(0, 1)) return 4;
  if (run(2, memory, bytes - 1) != STENCIL_SMALL_WORKSPACE) return 5;
  puts(stencil_last_error());
  if (cells[2][1] != 1.0f / 11) return 6;  /* nothing ran */
  if (run(2, NULL, bytes) != STENCIL_NULL_POINTER) return 7;
  if (run(2, cells[2], bytes) != STENCIL_ALIASING) return 8;
  return 0;
}
)");
  expect_builds(here,
                "g++ -std=c++17 -Wall -Wextra -Werror -fopenmp -ffp-contract=off -c out.cpp "
                "-I'" STENCILC_SOURCE_DIR "/runtime/include'");
  expect_builds(here,
                "cc -std=c99 -Wall -Werror -c main.c -I'" STENCILC_SOURCE_DIR "/runtime/include'");
  expect_builds(here, "g++ -fopenmp main.o out.o -o main");
  const test::Finished done = here.shell("./main");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.out.find("`s`: the workspace has "), 0u) << done.out;
}

// Fields, params and axes may be called as the emitted code calls its own things.
TEST(Emit, NamesOfTheProgramCollideWithNothingOfTheFile) {
  std::string fields, updates, params, sum = "0";
  for (const char* word :
       {"args",  "advance",    "shape",   "buffers", "count",  "ready",    "narrow", "done", "code",
        "call",  "stream",     "steps",   "threads", "blocks", "blocks_x", "left",   "run",  "Args",
        "Index", "interior_x", "block_x", "status",  "copy",   "free",     "printf"}) {
    fields += std::string(fields.empty() ? "" : ", ") + word;
    updates += std::string("  ") + word + "[t+1] = " + word + "[first-1] * scale;\n";
  }
  for (const char* word : {"step", "i", "k", "sum", "plane", "pitch", "value", "u_new", "y0",
                           "grid", "dim3", "errno", "signal", "state"}) {
    params += std::string(params.empty() ? "" : ", ") + word;
    sum += std::string(" + ") + word;
  }
  const std::string text = "stencil main {\n  axes first, stdin;\n  param f32 scale = 2, " +
                           params + ";\n  field f32 " + fields +
                           " boundary clamp;\n  field f32 result out;\n" + updates +
                           "  result = args[stdin+1] * (" + sum + ");\n}\n";
  expect_parses(Files(text, Target::cpu), "out.cpp");
}

std::string text(const kernel::ExprPtr& expr) { return spell(expr, Dialect::cuda, 1); }
std::string cast(Type to, const kernel::ExprPtr& value, bool saturate = false) {
  return text(kernel::make(to, kernel::Convert{value, saturate}));
}

TEST(EmitHalf, ConversionsAreCallsOfTheRuntime) {
  const kernel::ExprPtr half = kernel::load({"u", Type::f16, false}, kernel::var("i"));
  const kernel::ExprPtr brain = kernel::load({"v", Type::bf16, true}, kernel::var("i"));
  EXPECT_EQ(text(half), "u[i]");
  EXPECT_EQ(cast(Type::f32, half), "st::f32(u[i])");
  EXPECT_EQ(cast(Type::f64, brain), "st::f64(v[i])");
  EXPECT_EQ(cast(Type::bf16, half), "st::bf16(st::f32(u[i]))");
  EXPECT_EQ(cast(Type::boolean, half), "st::f32(u[i]) != 0.0f");
  EXPECT_EQ(cast(Type::i32, brain), "st::convert<int32_t>(v[i])");
  EXPECT_EQ(cast(Type::u8, half, true), "st::saturate<uint8_t>(u[i])");
  for (const Type from : {Type::boolean, Type::u8, Type::i32, Type::i64, Type::f32, Type::f64})
    for (const bool saturate : {false, true}) {
      EXPECT_EQ(cast(Type::f16, kernel::var("a", from), saturate), "st::f16(a)");
      EXPECT_EQ(cast(Type::bf16, kernel::var("a", from), saturate), "st::bf16(a)");
    }
  EXPECT_EQ(
      text(kernel::make(Type::f32, kernel::Neg{kernel::make(Type::f32, kernel::Convert{half})})),
      "-st::f32(u[i])");
  EXPECT_EQ(spell(Type::f16), "stencil::f16");
  EXPECT_EQ(spell(Type::bf16), "stencil::bf16");
}

TEST(EmitNumbers, TheTypeIsNamedOfWhatCppTakesForWiderThanItIs) {
  const auto load = [](const char* name, Type type) {
    return kernel::load({name, type, false}, kernel::var("i"));
  };
  const kernel::ExprPtr byte = load("g", Type::u8);
  const kernel::ExprPtr least = kernel::make(Type::u8, kernel::Call{kernel::Fn::min, {byte, byte}});
  const auto pick = [&](const kernel::ExprPtr& yes, const kernel::ExprPtr& no) {
    return kernel::make(yes->type, kernel::Pick{kernel::var("c", Type::boolean), yes, no});
  };
  const kernel::ExprPtr three = kernel::make(Type::u8, kernel::Int{3});
  EXPECT_EQ(cast(Type::f32, byte), "st::f32(g[i])");
  EXPECT_EQ(cast(Type::f32, least), "st::f32<uint8_t>(st::min(g[i], g[i]))");
  EXPECT_EQ(cast(Type::f32, pick(byte, byte)), "st::f32(c ? g[i] : g[i])");
  EXPECT_EQ(cast(Type::f32, pick(byte, least)), "st::f32<uint8_t>(c ? g[i] : st::min(g[i], g[i]))");
  EXPECT_EQ(cast(Type::f32, pick(three, byte)), "st::f32(c ? uint8_t{3} : g[i])");
  EXPECT_EQ(cast(Type::f32, kernel::make(Type::i8, kernel::Convert{load("h", Type::i32)})),
            "st::f32(static_cast<int8_t>(h[i]))");
  EXPECT_EQ(cast(Type::i32, least), "st::min(g[i], g[i])");
  EXPECT_EQ(cast(Type::f64, least), "static_cast<double>(st::min(g[i], g[i]))");
}

// Of a thread that streams two columns: three rows of `g` are kept, which need no moves if three
// passes are unrolled, where that divides their number; cells move as vectors, where those are not
// aligned one by one, and so near the boundary.
TEST(Emit, StreamsOfTwoColumns) {
  const auto kernel = [](const std::string& schedule) {
    driver::CompileOptions options;
    options.schedule = "coarsened,threads=32x4," + schedule + ",stream=g";
    return emitted(
               "stencil s { axes x, y; field f32 u boundary clamp; let g = u*u[x+1]; "
               "u[t+1] = g[x-1] + g[y-1] - g[x+1, y+1]; }",
               options)
        .source;
  };
  const std::string three = kernel("vector=2,coarsen=y6");
  expect_has(three, {"#pragma unroll 3\n", "const bool updates = lane >= 1 && lane < 31;",
                     "const Index x = block_x + (lane - 1) * width;",
                     "if (interior_x && interior_y && aligned) {", "} else if (interior_x",
                     "st::load<width>(u_yp2_cells, &u[i + 2 * pitch]);",
                     "const float g_xm1 = st::from_left(g_xp1, 1);",
                     "const float g_xp2_yp1 = st::from_right(g_yp1, 1);",
                     "st::store<width>(&u_new[i], u_out);", "const Index x1 = x + 1;"});
  expect_has(kernel("vector=2,coarsen=y16"), {"#pragma unroll 2\n"});
  expect_has(kernel("vector=1,coarsen=y6"), {"#pragma unroll 2\n"});
}

// Three lanes to the right of those that update cells load `u` three columns further, too.
TEST(Emit, LanesThatUpdateNothingLoadInsideTheGrid) {
  driver::CompileOptions options;
  options.schedule = "coarsened,threads=32x2,vector=1,coarsen=y3,stream=all";
  const std::string text = emitted(
                               "stencil s { axes x, y; field f32 u, w boundary clamp; "
                               "let a = u[x+3]*u; let g = w*w; "
                               "u[t+1] = a + a[y-1] + g[x+3]; w[t+1] = 0.5*w + u; }",
                               options)
                               .source;
  expect_has(text, {"const bool interior_x = block_x + block_cells + 6 <= nx;"});
}

TEST(EmitHalf, FilesIncludeTheTypesWhereThereAreAny) {
  const Compiled cuda = emitted(kMix);
  expect_has(cuda.header,
             {"#include <stencil/cuda.h>\n#include <stencil/cuda_half.h>\n",
              "stencil::Grid<stencil::f16, 2>& u;", "stencil::bf16 k = st::bf16(0.5f);",
              "stencil_f16* u[2], const stencil_bf16* c"});
  expect_has(cuda.host_call, {"stencil::Grid<stencil::f16, 2> grid_u"});
  expect_has(emitted(kMix, options_for(Target::cpu)).header, {"#include <stencil/half.h>\n"});
}

TEST(EmitHalf, StandaloneFilesMeetInOneFile) {
  const Files here(kMix, Target::cpu);
  driver::CompileOptions options = options_for(Target::cpu, true);
  options.file = "plain";
  here.write("plain.h",
             emitted("stencil plain { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }",
                     options, "plain.stn")
                 .header);
  here.write("both.cpp", "#include \"plain.h\"\n#include \"out.h\"\n");
  for (const char* file : {"out.cpp", "both.cpp"}) expect_parses(here, file);
}

}  // namespace
}  // namespace stencilc::emit
