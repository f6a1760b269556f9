#include "run/agreed.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "driver/fnv.h"

namespace stencilc::run_test {
namespace {

namespace fs = std::filesystem;

// Of all files that decide what a run gives, once a process.
const std::string& hash_of_judges() {
  static const std::string hash = [] {
    std::istringstream files(STENCILC_JUDGES);
    std::string all;
    for (std::string file; std::getline(files, file, ':');) {
      std::ifstream in(file, std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      all += fmt::format("{:016x} ", driver::fnv1a(text.str()));
    }
    return all;
  }();
  return hash;
}

}  // namespace

Agreed::Agreed(const std::string& how) {
  const char* folder = std::getenv("STENCILC_AGREED");
  if (!folder || !*folder) return;
  folder_ = folder;
  surroundings_ = hash_of_judges() + how;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
}

bool Agreed::has(const driver::Compiled& compiled, const std::vector<driver::Case>& cases) const {
  std::error_code ignored;
  return !folder_.empty() && fs::exists(file_of(compiled, cases), ignored);
}

void Agreed::add(const driver::Compiled& compiled, const std::vector<driver::Case>& cases) const {
  if (!folder_.empty()) std::ofstream(file_of(compiled, cases)).put('\n');
}

fs::path Agreed::file_of(const driver::Compiled& compiled,
                         const std::vector<driver::Case>& cases) const {
  std::string key = surroundings_ + ir::print(compiled.stencil) + compiled.source +
                    compiled.header + compiled.host_call;
  for (const driver::Case& test : cases) key += '\n' + driver::print(test);
  return folder_ / fmt::format("{:016x}", driver::fnv1a(key));
}

}  // namespace stencilc::run_test
