// What tests of the runtime share: what a call is refused with, and what nvcc takes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>

namespace stencil {

template <class Status, class Code>
void expect_failure(const Status& status, Code code, const std::string& message) {
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), code);
  EXPECT_EQ(status.message(), message);
}

// nvcc, or an empty string.
inline std::string find_nvcc() {
  for (const char* candidate : {"nvcc", "/usr/local/cuda/bin/nvcc"})
    if (std::system((std::string(candidate) + " --version > /dev/null 2>&1").c_str()) == 0)
      return candidate;
  return "";
}

// A file of tests/ compiles without a warning for each of the architectures.
inline void expect_nvcc_takes(const std::string& file, std::initializer_list<int> architectures) {
  std::string command =
      find_nvcc() + " -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror";
  for (const int arch : architectures)
    command +=
        " -gencode arch=compute_" + std::to_string(arch) + ",code=sm_" + std::to_string(arch);
  command += " -c -o /dev/null '-I" STENCILC_SOURCE_DIR "/runtime/include' '-I" STENCILC_SOURCE_DIR
             "/tests' '" STENCILC_SOURCE_DIR "/tests/" +
             file + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace stencil
