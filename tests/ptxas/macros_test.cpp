// No name of an emitted program is a macro of a header that it includes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "ptxas/compiled.h"
#include "support/process.h"

namespace stencilc::test {
namespace {

namespace fs = std::filesystem;
using Set = std::set<std::string>;

// The macros that a compiler knows after a header. Those that no name can be, because of an
// underscore in front or of two side by side, or that begin with `cuda` or `STENCIL`, are left out:
// so are such names (lower/context/names.cpp).
Set macros_of(const std::string& header, const std::string& extension,
              std::vector<std::string> command) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/macros";
  fs::create_directories(folder);
  const fs::path file = folder / ("all" + extension);
  std::ofstream(file) << "#include <" << header << ">\n#include <stdbool.h>\n#include <stdint.h>\n";
  for (const std::string& word :
       {"-I" + runtime_include().string(), std::string("-E"), file.string()})
    command.push_back(word);
  const Finished finished = run(folder, command);
  EXPECT_EQ(finished.status, 0) << finished.err;
  Set macros;
  std::istringstream lines(finished.out);
  for (std::string line, define, name; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!(words >> define >> name) || define != "#define") continue;
    name = name.substr(0, name.find('('));
    if (name[0] != '_' && !name.starts_with("cuda") && !name.starts_with("STENCIL") &&
        name.find("__") == name.npos)
      macros.insert(name);
  }
  EXPECT_GT(macros.size(), 300u) << header;
  return macros;
}

TEST(Macros, OfIncludedHeadersAreKnown) {
  Set macros = macros_of("stencil/cpu.h", ".cpp", {"c++", "-std=c++17", "-fopenmp", "-dM"});
#ifdef STENCILC_NVCC
  {
    Set of_device = macros_of("stencil/cuda.h", ".cu",
                              {STENCILC_NVCC, "-std=c++17", "-arch=sm_90", "-Xcompiler", "-dM"});
    EXPECT_TRUE(of_device.contains("CUDART_VERSION"));
    macros.merge(of_device);
  }
#endif
  EXPECT_TRUE(macros.contains("M_PI") && macros.contains("INT_MAX"));
  const fs::path file = fs::path(STENCILC_SOURCE_DIR) / "compiler/lower/context/macros.inc";
  std::istringstream list(read(file));
  Set known;
  for (std::string line; std::getline(list, line);) known.insert(line.substr(1, line.size() - 3));
  Set missing;
  for (const std::string& name : macros)
    if (!known.contains(name)) missing.insert(name);
  if (std::getenv("STENCILC_UPDATE_GOLDEN") !=
      nullptr) {  // other compilers have others: none leaves
    known.merge(missing);
    std::ofstream out(file);
    for (const std::string& name : known) out << '"' << name << "\",\n";
    FAIL() << "wrote " << file << "; look at the change, then test without STENCILC_UPDATE_GOLDEN";
  }
  EXPECT_EQ(missing, Set()) << "STENCILC_UPDATE_GOLDEN=1 adds them to the list";
}

}  // namespace
}  // namespace stencilc::test
