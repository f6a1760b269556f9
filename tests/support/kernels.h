// Programs of several kernels for the executor, each with a text of its own: what takes time is to
// load a program. All kernels are called `test`.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "executor/fixture.h"
#include "support/rows.h"

namespace stencilc::check {

// `beginning`: of each body.
inline std::string kernels_of(const std::vector<std::string>& bodies, const std::string& parameters,
                              const std::string& beginning = "") {
  std::string text;
  for (size_t n = 0; n < bodies.size(); ++n)
    text += "namespace k" + std::to_string(n) + " {\n__global__ void test(" + parameters + ") {\n" +
            beginning + bodies[n] + "\n}\n}\n";
  return text;
}
// Host code that does the same with one of them, of which the variable `which` is the number; the
// kernel is K.
inline std::string for_kernel(const std::vector<std::string>& bodies, const std::string& line) {
  std::string text;
  for (size_t n = 0; n < bodies.size(); ++n) {
    std::string one = line;
    for (size_t at; (at = one.find("K")) != one.npos;)
      one.replace(at, 1, "k" + std::to_string(n) + "::test");
    text += "  if (which == " + std::to_string(n) + ") {\n    " + one + "\n  }\n";
  }
  return text;
}
// What was wrong since it was asked last, without the numbers of kernels.
inline std::vector<std::string> faults_of(const Loaded& loaded) {
  std::vector<std::string> faults = take_faults(*loaded.executor);
  for (std::string& fault : faults)
    if (const size_t at = fault.find("::test"); at != fault.npos) fault.erase(0, at + 2);
  return faults;
}
inline std::string only_of(const std::vector<std::string>& faults) {
  return faults.size() == 1 ? faults[0] : std::to_string(faults.size()) + " faults";
}

// Of a table: the texts of its first column, and what stands in the second one, where HERE is the
// first thread of the first block.
inline std::vector<std::string> bodies_of(const std::vector<testing::Cells>& table) {
  std::vector<std::string> bodies;
  for (const testing::Cells& row : table) bodies.push_back(row.at(0));
  return bodies;
}
inline std::string fault_in(const testing::Cells& row) {
  std::string text = row.at(1);
  if (text.starts_with("HERE")) text.replace(0, 4, "test: block (0,0,0) thread (0,0,0):");
  return text;
}

}  // namespace stencilc::check
