// The shape of emitted files: what a build relies on, whatever the text around it says.
#include "emit/emit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "emit/spell.h"
#include "emit/writer.h"
#include "support/process.h"

namespace stencilc::emit {
namespace {

namespace fs = std::filesystem;

struct Made {
  std::string source, header, stn;
};
Made made(const std::string& text, driver::CompileOptions options = {},
          const std::string& name = "in.stn") {
  options.file = "out";
  options.command = "stencilc " + name;
  const diag::Sources sources = {{name, text}};
  diag::Engine engine;
  const auto compiled = driver::compile(sources, options, engine);
  EXPECT_TRUE(compiled) << (engine.all().empty() ? "" : engine.all()[0].text);
  return compiled ? Made{compiled->source, compiled->header, text} : Made{};
}
Made example(const std::string& name, const driver::CompileOptions& options = {}) {
  return made(test::read(fs::path(STENCILC_SOURCE_DIR) / "examples" / (name + ".stn")), options);
}
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from), end = text.find(to, begin);
  return begin == std::string::npos || end == std::string::npos ? ""
                                                                : text.substr(begin, end - begin);
}

// A folder that goes away with its owner.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("stencilc-emit-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};
bool has_program(const std::string& name) {
  return test::run("/", {"sh", "-c", "command -v " + name + " >/dev/null"}).status == 0;
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

TEST(Emit, InteriorCodeCallsNoHelperOfBoundaries) {
  for (const char* boundary : {"clamp", "reflect", "mirror", "periodic", "zero"}) {
    const Made file = made(std::string("stencil s { axes x, y; field f32 u boundary ") + boundary +
                           "; u[t+1] = 0.1*laplacian(u); }");
    const std::string interior = between(file.source, "if (interior_", "} else {");
    ASSERT_FALSE(interior.empty()) << file.source;
    for (const char* helper :
         {"st::clamp", "st::reflect", "st::mirror", "st::wrap", "st::inside", " ? "})
      EXPECT_EQ(interior.find(helper), std::string::npos) << interior;
  }
}

TEST(Emit, OneRunPicksTheIndexTypeForAllSizes) {
  for (const auto target : {plan::Target::cuda, plan::Target::cpu}) {
    driver::CompileOptions options;
    options.target = target;
    const std::string text = example("diffusion3d", options).source;
    EXPECT_NE(text.find("fits_32_bits(plane * nz)"), std::string::npos);
    EXPECT_NE(text.find("advance<int>"), std::string::npos);
    EXPECT_NE(text.find("advance<int64_t>"), std::string::npos);
    EXPECT_NE(text.find("template <typename Index>"), std::string::npos);
  }
}

// Indices of 64 bits take registers of their own, and are for grids that no launch bounds help.
TEST(Emit, LaunchBoundsForBlocksAreThoseOfShortIndices) {
  driver::CompileOptions options;
  options.schedule = "coarsened,threads=32x8,coarsen=y4,resident=4";
  EXPECT_NE(example("laplace", options)
                .source.find("__launch_bounds__(256, sizeof(Index) == 4 ? 4 : 1) step("),
            std::string::npos);
  options.schedule = "coarsened,threads=32x8,coarsen=y4";
  EXPECT_NE(example("laplace", options).source.find("__launch_bounds__(256) step("),
            std::string::npos);
}

TEST(Emit, AKernelInPlaceHasOnePointer) {
  const std::string text = made("stencil s { axes x, y; field f32 u; u[t+1] = 2*u; }").source;
  const std::string head = between(text, "step(", ")");
  EXPECT_NE(head.find("float* __restrict__ u,"), std::string::npos) << head;
  EXPECT_EQ(head.find("__restrict__", head.find("__restrict__") + 1), std::string::npos) << head;
  EXPECT_EQ(text.find("rotate"), std::string::npos);
}

TEST(Emit, ProductsAreSpeltSoThatNoCompilerFusesThem) {
  const std::string text = example("wave2d").source;
  const std::string kernel = between(text, "__global__", "// The time loop");
  EXPECT_NE(kernel.find("__fmaf_rn("), std::string::npos);
  for (const std::string& line : lines_of(kernel)) {
    if (line.find("Index") != std::string::npos || line.find('[') != std::string::npos) continue;
    if (line.find("__launch_bounds__") != std::string::npos || line.find("//") != std::string::npos)
      continue;
    if (line.find(" * pitch") != std::string::npos) continue;  // an index
    EXPECT_EQ(line.find(" * "), std::string::npos) << line;
  }
}

TEST(Emit, NoLineIsLongerThanTheStyleSays) {
  for (const char* name : {"laplace", "wave3d", "gray_scott", "conv5x5", "advection"}) {
    const Made file = example(name);
    for (const std::string& text : {file.source, file.header})
      for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
  }
}

// #line N "in.stn" is followed by code of that line; #line N "out.cu" leads back to where one is.
TEST(Emit, LineDirectivesMapBack) {
  for (const auto target : {plan::Target::cuda, plan::Target::cpu}) {
    driver::CompileOptions options;
    options.line_directives = true;
    options.target = target;
    const std::string self = target == plan::Target::cpu ? "\"out.cpp\"" : "\"out.cu\"";
    const Made file = made(
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
    // two updates; the loops of the CPU have them inside and at the rim
    EXPECT_GE(there, target == plan::Target::cpu ? 4 : 2);
    EXPECT_GE(here, there / 2);
  }
}

// Names of files reach the output in a comment, in #line and nowhere else, as text that stays one.
TEST(Emit, HostileNamesOfFilesStayNames) {
  driver::CompileOptions options;
  options.line_directives = true;
  options.target = plan::Target::cpu;
  const std::string text = "stencil s { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }";
  const Folder folder;
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
  const std::string harmless = code(made(text, options).source);
  const std::string names[] = {"a\"b.stn",   "a\\b.stn",    "a\nint x;\n.stn",
                               "a*/b.stn",   "trailing\\",  "\xc3\xa9t\xc3\xa9.stn",
                               "a?\?/b.stn", "a\tb.stn",    "/*.stn",
                               "a%sb.stn",   "\x01\x7f.stn"};
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Made file = made(text, options, name);
    EXPECT_EQ(code(file.source), harmless);
    for (const std::string& part : {file.source, file.header}) {
      for (const std::string& line : lines_of(part)) {
        EXPECT_FALSE(line.ends_with('\\')) << line;
        for (const char c : line)
          EXPECT_TRUE(c >= 0x20 && c < 0x7f) << static_cast<int>(c) << " in " << line;
      }
    }
    // The preprocessor reads the very name back.
    folder.write("line.cpp",
                 "#line 1 " + emit::quoted(name) +
                     "\nconst char* name = __FILE__;\nstatic_assert(sizeof(__FILE__) == " +
                     std::to_string(name.size() + 1) + ");\n");
    EXPECT_EQ(
        test::run(folder.path, {"g++", "-std=c++20", "-fsyntax-only", "-w", "line.cpp"}).status, 0);
  }
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
  using kernel::Type;
  EXPECT_EQ(literal(Type::f32, 0.25, 0), "0.25f");
  EXPECT_EQ(literal(Type::f32, 3, 0), "3.0f");
  EXPECT_EQ(literal(Type::f64, 0.1, 0), "0.1");
  EXPECT_EQ(literal(Type::f32, 1e30, 0), "1e+30f");
  EXPECT_EQ(literal(Type::f32, -0.0, 0), "-0.0f");
  EXPECT_EQ(literal(Type::f32, 1e-45, 0), "1e-45f");
  EXPECT_EQ(literal(Type::i32, 0, INT32_MIN), "(-2147483647 - 1)");
  EXPECT_EQ(literal(Type::boolean, 0, 1), "true");
  EXPECT_EQ(literal(Type::u8, 0, 255), "uint8_t{255}");
}

TEST(Emit, AStandaloneFileNeedsNoRuntimeHeader) {
  const Folder folder;
  driver::CompileOptions options;
  options.standalone = true;
  options.target = plan::Target::cpu;
  const Made cpu = example("wave2d", options);
  EXPECT_EQ(cpu.header.find("#include <stencil/"), std::string::npos);
  folder.write("out.h", cpu.header);
  folder.write("out.cpp", cpu.source);
  folder.write("alone.cpp", "#include \"out.h\"\n#include \"out.h\"\nint main() { return 0; }\n");
  for (const char* file : {"alone.cpp", "out.cpp"}) {
    const test::Finished built = test::run(
        folder.path,
        {"g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only", file});
    EXPECT_EQ(built.status, 0) << built.err;
  }
}

TEST(Emit, AStandaloneCudaFileNeedsNoRuntimeHeader) {
  if (!has_program("nvcc")) GTEST_SKIP() << "no nvcc";
  const Folder folder;
  driver::CompileOptions options;
  options.standalone = true;
  const Made cuda = example("wave2d", options);
  EXPECT_EQ(cuda.header.find("#include <stencil/"), std::string::npos);
  folder.write("out.h", cuda.header);
  folder.write("out.cu", cuda.source);
  folder.write("alone.cu", "#include \"out.h\"\nint main() { return 0; }\n");
  for (const char* file : {"alone.cu", "out.cu"}) {
    const test::Finished built =
        test::run(folder.path, {"nvcc", "-std=c++17", "-Werror", "all-warnings", "-arch=sm_90",
                                "-c", "-o", "out.o", file});
    EXPECT_EQ(built.status, 0) << built.err;
  }
}

TEST(Emit, TheHeaderIsCToo) {
  const Folder folder;
  driver::CompileOptions options;
  options.target = plan::Target::cpu;
  folder.write("out.h", example("wave3d", options).header);
  folder.write("caller.c", "#include \"out.h\"\nint main(void) { return wave3d_run == 0; }\n");
  const test::Finished built = test::run(
      folder.path,
      {"cc", "-std=c99", "-Wall", "-Werror", "-Wno-address", "-fsyntax-only", "caller.c"});
  EXPECT_EQ(built.status, 0) << built.err;
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
  const Folder folder;
  driver::CompileOptions options;
  options.standalone = true;
  options.target = plan::Target::cpu;
  const Made file = made(text, options);
  folder.write("out.h", file.header);
  folder.write("out.cpp", file.source);
  const test::Finished built = test::run(
      folder.path,
      {"g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only", "out.cpp"});
  EXPECT_EQ(built.status, 0) << built.err.substr(0, 3000);
}

}  // namespace
}  // namespace stencilc::emit
