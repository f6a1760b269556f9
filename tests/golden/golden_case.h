// A golden case is a folder: in.stn, the options in `flags` where there are any, and beside them
// what stencilc makes of it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace stencilc::test {

struct Outcome {
  int status = 0;
  // Name -> text: out.cu or out.cpp, out.h, stdout.txt, and diag.txt for what it said on stderr.
  // Nothing empty.
  std::map<std::string, std::string> files;
};

// The folder of a case.
std::filesystem::path golden_folder(const std::string& name);

// Runs stencilc on the case, in the folder of the case, with the output elsewhere.
Outcome golden_outcome(const std::string& name);

// What lies in the folder beside the input.
std::map<std::string, std::string> golden_expectation(const std::string& name);

// Makes the folder hold `files` beside the input, and nothing else.
void rewrite_golden(const std::string& name, const std::map<std::string, std::string>& files);

}  // namespace stencilc::test
