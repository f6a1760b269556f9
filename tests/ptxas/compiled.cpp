#include "ptxas/compiled.h"

#include <algorithm>
#include <fstream>
#include <functional>

#include "support/process.h"

#ifndef STENCILC_NVCC
#define STENCILC_NVCC ""  // for a build without it, where no test comes as far as to call it
#endif

namespace stencilc::test {
namespace fs = std::filesystem;
namespace {

// From the first line that is code, and is not the #include of the file's own header.
std::string without_names(const std::string& text) {
  size_t at = 0;
  for (size_t end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    const bool remark = text.compare(at, 2, "//") == 0;
    if (end > at && !remark && text.compare(at, 10, "#include \"") != 0) break;
  }
  return text.substr(at);
}

}  // namespace

fs::path runtime_include() { return fs::path(STENCILC_SOURCE_DIR) / "runtime/include"; }

std::string surroundings_of(const std::vector<std::string>& command) {
  std::string all = run(".", {command[0], "--version"}).out;
  for (const std::string& word : command) all += word + "\n";
  std::vector<fs::path> headers(fs::directory_iterator(runtime_include() / "stencil"), {});
  std::sort(headers.begin(), headers.end());
  for (const fs::path& header : headers) all += read(header);
  return all;
}

std::string code_of(const std::string& source, const std::string& header) {
  return without_names(header) + without_names(source);
}

std::vector<std::string> nvcc_command(const std::string& arch) {
  return {STENCILC_NVCC, "-std=c++17", "-Werror", "all-warnings", "-arch=" + arch};
}

Accepted::Accepted(const std::vector<std::string>& command)
    : surroundings_(surroundings_of(command)) {}

bool Accepted::has(const std::string& code) const { return fs::exists(file_of(code)); }

void Accepted::add(const std::string& code) const {
  fs::create_directories(file_of(code).parent_path());
  std::ofstream(file_of(code)).put('\n');
}

fs::path Accepted::file_of(const std::string& code) const {
  const size_t hash = std::hash<std::string>()(surroundings_ + code);
  return fs::path(STENCILC_BINARY_DIR) / "tests/accepted" / std::to_string(hash);
}

}  // namespace stencilc::test
