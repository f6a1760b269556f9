#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stencilc::test {

struct Finished {
  int status = 0;  // the exit status, or 128 + the signal that ended the process
  std::string out;
  std::string err;
};

// Runs a program in `folder` without input and waits for it. `words[0]` is looked up in PATH.
Finished run(const std::filesystem::path& folder, const std::vector<std::string>& words);

// The text of a file, which must exist.
std::string read(const std::filesystem::path& file);

// What `diff -u` says about two texts; empty when they are equal.
std::string diff(const std::string& expected, const std::string& actual);

}  // namespace stencilc::test
