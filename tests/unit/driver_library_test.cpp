// --emit=so: a shared library with its header and its manifest.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "data/files/npy.h"
#include "emit/emit.h"
#include "kernel/module.h"
#include "support/cli.h"

namespace stencilc::test {
namespace {

using nlohmann::json;

const char* const kDouble = "stencil s { axes x; param f32 k; field f32 u; u[t+1] = k*u; }";

TEST(SharedLibrary, HoldsTheFunctionsAndTheManifest) {
  const Workplace here("s.stn", kDouble);
  ended(here.stencilc("s.stn --target=cpu --emit=so -MD"));
  EXPECT_EQ(here.files(), (Names{"s.d", "s.h", "s.so", "s.stn"}));
  EXPECT_EQ(here.read("s.d"), "s.so: s.stn\n");
  expect_has(here.read("s.h"), {"int s_run(float* u, int64_t nx, float k, int64_t steps);"});

  void* library = dlopen((here.path / "s.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto run =
      reinterpret_cast<int (*)(float*, int64_t, float, int64_t)>(dlsym(library, "s_run"));
  const auto manifest = reinterpret_cast<const char* (*)()>(dlsym(library, "stencil_manifest"));
  const auto last_error = reinterpret_cast<const char* (*)()>(dlsym(library, "stencil_last_error"));
  ASSERT_TRUE(run && manifest && last_error);
  float u[] = {1, 2, 3};
  EXPECT_EQ(run(u, 3, 2, 4), 0);
  EXPECT_EQ(u[2], 48);
  EXPECT_EQ(run(u, 3, 2, -1), 7);
  expect_has(last_error(), {"the step count is -1"});
  EXPECT_EQ(manifest(), ended(here.stencilc("s.stn --target=cpu --emit=manifest")).out);

  // The same with the arguments in words: see stencil_packed of stencil/callers.h.
  const auto run_packed = reinterpret_cast<int (*)(const void*)>(dlsym(library, "s_run_packed"));
  ASSERT_NE(run_packed, nullptr);
  const float k = 0.5;
  int64_t words[] = {reinterpret_cast<intptr_t>(u), 3, -1, 4};  // the upper half of k is not read
  std::memcpy(&words[2], &k, sizeof k);
  const int64_t call[] = {0, 0, reinterpret_cast<intptr_t>(words), 1};
  EXPECT_EQ(run_packed(call), 0);
  EXPECT_EQ(u[2], 3);
  words[3] = -2;
  EXPECT_EQ(run_packed(call), 7);
  expect_has(last_error(), {"the step count is -2"});
}

TEST(SharedLibrary, HoldsAllStencilsOfAFile) {
  const Workplace here;
  here.example("conjugate_gradient");
  ended(here.stencilc("conjugate_gradient.stn --target=cpu --emit=so -o cg.so -H cg_of_mine.h"));
  EXPECT_EQ(here.files(), (Names{"cg.so", "cg_of_mine.h", "conjugate_gradient.stn"}));
  void* library = dlopen((here.path / "cg.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto manifest = reinterpret_cast<const char* (*)()>(dlsym(library, "stencil_manifest"));
  ASSERT_NE(manifest, nullptr);
  for (const json& one : json::parse(manifest()))
    EXPECT_NE(dlsym(library, one["c_entry"].get<std::string>().c_str()), nullptr) << one["c_entry"];
}

TEST(SharedLibrary, OfStandardInputHasAName) {
  const Workplace here("s.stn", kDouble);
  ended(here.stencilc("- --target=cpu --emit=so < s.stn"));
  EXPECT_EQ(here.files(), (Names{"s.stn", "stencil.h", "stencil.so"}));
}

TEST(SharedLibrary, IsAFile) {
  const Workplace here("s.stn", kDouble);
  const Finished finished = here.stencilc("s.stn --target=cpu --emit=so -o -");
  EXPECT_EQ(finished.status, 3);
  expect_has(finished.err, {"cannot write a shared library to `-`", "-o laplace.so"});
  expect_has(ended(here.stencilc("s.stn --distributed --emit=so"), 2).err,
             {"`--emit=so` builds a library for callers with the whole grid"});
  EXPECT_EQ(here.files(), Names{"s.stn"});
}

TEST(SharedLibrary, IsNotWrittenWhereItsCompilerFails) {
  const Workplace here("s.stn", kDouble);
  here.program("g++", "case $* in *--version*) echo 1 ;; *) echo no room; exit 1 ;; esac\n");
  const Finished finished =
      here.shell("PATH=\"$PWD:$PATH\" '" STENCILC_BINARY "' s.stn --target=cpu --emit=so");
  EXPECT_EQ(finished.status, 1);
  expect_has(finished.err, {"`g++` failed:\nno room"});
  EXPECT_EQ(here.files(), (Names{"g++", "s.stn"}));
}

// The commands in the comment at the head of a program, as a user types them, in the folder
// `callers`. Compilers warn of everything, and a warning is an error.
std::string commands_of(const std::string& program) {
  std::string lines = "set -e; cd callers\n";
  int found = 0;
  for (std::string line : testing::lines_of(program)) {
    const size_t begin = line.find("   ");
    if (begin == line.npos || begin > 2) continue;
    line.erase(0, begin + 3);
    for (const char* const compiler : {"gcc ", "g++ ", "gfortran "})
      if (line.starts_with(compiler))
        line.insert(std::string(compiler).size(), "-Wall -Wextra -Wpedantic -Werror ");
    if (line.starts_with("stencilc ")) line.replace(0, 8, "'" STENCILC_BINARY "'");
    lines += line + "\n";
    if (++found == 3) return lines;
  }
  ADD_FAILURE() << "three commands are missing";
  return lines;
}

// The programs of examples/callers print what a run of the same program computes.
TEST(SharedLibrary, IsCalledFromCAndCxxAndFortran) {
  const Workplace here;
  here.example("wave2d");
  data::Array bump = *data::make_array(data::Element::f32, {64, 48});
  bump.as<float>()[20 * 64 + 30] = 1;
  here.write("bump.npy", data::npy_file(bump));
  ended(here.stencilc("run wave2d.stn --target=cpu --in u=bump.npy --steps 100 --out u=u.npy"));
  const auto result = data::parse_npy(here.read("u.npy"));
  ASSERT_TRUE(result.ok());
  const float* const u = result->as<float>();
  const std::string expected =
      fmt::format("u(30,20) = {:.6f}, u(0,0) = {:.6f}\n", u[20 * 64 + 30], u[0]) +
      "code 7, as expected: `wave2d`: the step count is -1; it must be at least 0\n";
  const fs::path examples = fs::path(STENCILC_SOURCE_DIR) / "examples" / "callers";
  fs::create_directory(here.path / "callers");
  for (const char* const name : {"wave.c", "wave.cpp", "wave.f90"}) {
    SCOPED_TRACE(name);
    fs::copy_file(examples / name, here.path / "callers" / name);
    const Finished finished = ended(here.shell(commands_of(test::read(examples / name))));
    EXPECT_EQ(finished.out, expected);
    EXPECT_EQ(finished.err, "");
  }
}

// Where the function takes something else than the manifest says, the unit of the manifest does not
// compile.
TEST(SharedLibrary, ChecksTheManifest) {
  kernel::Module module;
  module.name = "s";
  module.header = "s.h";
  module.extents = {"nx"};
  kernel::Grid grid;
  grid.name = "u";
  grid.role = kernel::Grid::stepped;
  grid.buffers = 2;
  grid.axes = {0};
  module.grids.push_back(grid);
  const std::string unit = emit::manifest_unit({module}, "{}\n", {.dialect = emit::Dialect::cpu});
  const Workplace here("unit.cpp", unit);
  fs::create_directories(here.path / "stencil");
  here.write("stencil/cpu_callers.h",
             "struct stencil_packed;\n"
             "namespace stencil::callers {\n"
             "template <typename Run> int run_packed(Run run, const stencil_packed& call);\n"
             "}\n");
  const auto compiles = [&](const std::string& parameters) {
    here.write("s.h", "#include <cstdint>\nextern \"C\" int s_run(" + parameters + ");\n");
    return here.shell("g++ -std=c++20 -fsyntax-only -I. unit.cpp").status == 0;
  };
  EXPECT_TRUE(compiles("float* u[2], int64_t nx, int64_t steps"));
  EXPECT_FALSE(compiles("float* u, int64_t nx, int64_t steps"));
  EXPECT_FALSE(compiles("float* u[2], int64_t nx, int64_t ny, int64_t steps"));
  EXPECT_FALSE(compiles("double* u[2], int64_t nx, int64_t steps"));
}

}  // namespace
}  // namespace stencilc::test
