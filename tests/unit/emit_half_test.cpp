// How f16 and bf16 are spelt, and what the files that hold them bring along.
#include <gtest/gtest.h>

#include <cmath>

#include "driver/compile.h"
#include "emit/spell.h"
#include "kernel/build.h"
#include "support/cli.h"

namespace stencilc::emit {
namespace {

using kernel::Convert;
using kernel::ExprPtr;
using kernel::Type;

const kernel::Buffer kHalf{"u", Type::f16, false};
const kernel::Buffer kBrain{"v", Type::bf16, true};

std::string text(const ExprPtr& expr, Dialect dialect = Dialect::cuda) {
  return spell(expr, dialect, 1);
}
std::string cast(Type to, const ExprPtr& value, bool saturate = false) {
  return text(kernel::make(to, Convert{value, saturate}));
}

TEST(EmitHalf, ConversionsAreCallsOfTheRuntime) {
  const ExprPtr half = kernel::load(kHalf, kernel::var("i"));
  const ExprPtr brain = kernel::load(kBrain, kernel::var("i"));
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
  const ExprPtr negated =
      kernel::make(Type::f32, kernel::Neg{kernel::make(Type::f32, Convert{half})});
  EXPECT_EQ(text(negated), "-st::f32(u[i])");
}

TEST(EmitHalf, LiteralsAreRoundedFloats) {
  EXPECT_EQ(literal(Type::f16, 0.25, 0), "st::f16(0.25f)");
  EXPECT_EQ(literal(Type::bf16, -3, 0), "st::bf16(-3.0f)");
  EXPECT_EQ(literal(Type::f16, NAN, 0), "st::f16(NAN)");
  EXPECT_EQ(literal(Type::bf16, -INFINITY, 0), "st::bf16(-INFINITY)");
  EXPECT_EQ(spell(Type::f16), "stencil::f16");
  EXPECT_EQ(spell(Type::bf16), "stencil::bf16");
}

constexpr const char* kProgram =
    "stencil mix {\n  axes x, y;\n  param bf16 k = 0.5;\n"
    "  field f16 u boundary constant 0.25;\n  field bf16 c in boundary clamp;\n"
    "  u[t+1] = f16(u + k * (u[x-1] + c[y+1]));\n}\n";

class EmitHalfFiles : public ::testing::Test {
 protected:
  driver::Compiled compiled(plan::Target target, bool standalone = false) {
    driver::CompileOptions options;
    options.file = "out";
    options.target = target;
    options.standalone = standalone;
    diag::Engine engine;
    auto result = driver::compile({{"in.stn", kProgram}}, options, engine);
    EXPECT_TRUE(result) << (engine.all().empty() ? "" : engine.all()[0].text);
    return std::move(result.value());
  }
  void expect_builds(const std::vector<std::string>& command) {
    const test::Finished built = test::run(here_.path, command);
    EXPECT_EQ(built.status, 0) << built.err.substr(0, 2000);
  }
  test::Workplace here_;
};

TEST_F(EmitHalfFiles, IncludeTheTypesWhereThereAreAny) {
  const driver::Compiled cuda = compiled(plan::Target::cuda);
  EXPECT_NE(cuda.header.find("#include <stencil/cuda.h>\n#include <stencil/cuda_half.h>\n"),
            std::string::npos);
  EXPECT_NE(cuda.header.find("stencil::Grid<stencil::f16, 2>& u;"), std::string::npos);
  EXPECT_NE(cuda.header.find("stencil::bf16 k = st::bf16(0.5f);"), std::string::npos);
  EXPECT_NE(cuda.header.find("stencil_f16* u[2], const stencil_bf16* c"), std::string::npos);
  EXPECT_NE(cuda.host_call.find("stencil::Grid<stencil::f16, 2> grid_u"), std::string::npos);
  EXPECT_NE(compiled(plan::Target::cpu).header.find("#include <stencil/half.h>\n"),
            std::string::npos);
}

TEST_F(EmitHalfFiles, TheHeaderIsCToo) {
  here_.write("out.h", compiled(plan::Target::cpu).header);
  here_.write("caller.c",
              "#include \"out.h\"\nint main(void) { uint16_t u[4] = {0}, v[4] = {0}, c[4] = {0};\n"
              "  uint16_t* all[2]; all[0] = u; all[1] = v;\n"
              "  return mix_run(all, c, 2, 2, 2, c[0], 1); }\n");
  expect_builds({"cc", "-std=c99", "-Wall", "-Werror", "-fsyntax-only", "caller.c"});
}

TEST_F(EmitHalfFiles, StandaloneOnesMeetInOneFile) {
  const driver::Compiled cpu = compiled(plan::Target::cpu, true);
  EXPECT_EQ(cpu.header.find("#include <stencil/"), std::string::npos);
  here_.write("out.h", cpu.header);
  here_.write("out.cpp", cpu.source);
  driver::CompileOptions options;
  options.file = "plain";
  options.target = plan::Target::cpu;
  options.standalone = true;
  diag::Engine engine;
  const auto plain = driver::compile(
      {{"plain.stn", "stencil plain { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }"}},
      options, engine);
  ASSERT_TRUE(plain);
  here_.write("plain.h", plain->header);
  here_.write("both.cpp", "#include \"plain.h\"\n#include \"out.h\"\n");
  for (const char* file : {"out.cpp", "both.cpp"})
    expect_builds(
        {"g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only", file});
}

TEST_F(EmitHalfFiles, AreAcceptedByNvcc) {
  if (here_.shell("command -v nvcc > /dev/null").status != 0) GTEST_SKIP() << "no nvcc";
  const driver::Compiled cuda = compiled(plan::Target::cuda, true);
  here_.write("out.h", cuda.header);
  here_.write("user.cu",
              "#include \"out.h\"\nvoid use(stencil::Grid<__half, 2>& u,\n"
              "         stencil::Grid<__nv_bfloat16, 2>& c) {\n"
              "  (void)mix::run({u, c}, stencil::Steps{1}); }\n");
  here_.write("out.cu", cuda.source);
  for (const char* file : {"out.cu", "user.cu"})
    expect_builds({"nvcc", "-std=c++17", "-Werror", "all-warnings", "-arch=sm_90", "-c", "-o",
                   "out.o", file});
}

}  // namespace
}  // namespace stencilc::emit
