#include "support/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace stencilc::test {
namespace fs = std::filesystem;
namespace {

// A folder that goes away with its owner.
struct Scratch {
  fs::path path;

  Scratch() {
    std::string name = (fs::temp_directory_path() / "stencilc-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path = name;
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word)
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  return text + "'";
}

}  // namespace

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

Finished run(const fs::path& folder, const std::vector<std::string>& words) {
  const Scratch scratch;
  std::string command = "cd " + quoted(folder) + " && exec";
  for (const std::string& word : words) command += " " + quoted(word);
  command += " </dev/null >" + quoted(scratch.path / "out") + " 2>" + quoted(scratch.path / "err");
  const int ended = std::system(command.c_str());
  return {WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended), read(scratch.path / "out"),
          read(scratch.path / "err")};
}

std::string diff(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  const Scratch scratch;
  std::ofstream(scratch.path / "expected", std::ios::binary) << expected;
  std::ofstream(scratch.path / "actual", std::ios::binary) << actual;
  return run(scratch.path,
             {"diff", "-u", "--label", "expected", "--label", "actual", "expected", "actual"})
      .out;
}

}  // namespace stencilc::test
