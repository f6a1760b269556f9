// The programs of this folder: loaded, with or without a fault planted, and run in every mode.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "check/executor/executor.h"
#include "executor/reference.h"

namespace stencilc::check {

// What every fixture calls `run`: reads and writes host arrays, `wide` picks the 64-bit
// instantiation, returns a cudaError_t.
using RunFunction = int (*)(const float* in, float* out, int nx, int ny, int nz, int wide);

inline std::string fixture_text(const std::string& name) {
  std::ifstream file(STENCILC_SOURCE_DIR "/tests/executor/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Replaces the one occurrence of `from`.
inline std::string plant(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  EXPECT_EQ(text.find(from, at + 1), text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

inline Loaded load_text(const std::string& name, const std::string& text,
                        const std::string& adapter = "") {
  Loaded loaded = load({{name, text, {}, {STENCILC_SOURCE_DIR "/runtime/include"}}, adapter});
  for (const auto& diagnostic : loaded.diagnostics) ADD_FAILURE() << diagnostic;
  return loaded;
}

inline std::vector<RunMode> all_modes() {
  std::vector<RunMode> modes;
  for (const CopyMode copies : {CopyMode::eager, CopyMode::late}) {
    for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending})
      modes.push_back({copies, order});
  }
  return modes;
}

inline std::string mode_name(RunMode mode) {
  return std::string(mode.copies == CopyMode::eager ? "eager" : "late") +
         (mode.order == ThreadOrder::ascending ? ", ascending" : ", descending");
}

// What one run did: no fault and the bits of `expected`, or else why not.
inline std::string verdict(const Loaded& loaded, RunMode mode, Size size, bool wide,
                           const std::vector<float>& in, const std::vector<float>& expected) {
  const auto run = reinterpret_cast<RunFunction>(symbol(*loaded.executor, "run"));
  if (run == nullptr) return "no function `run`";
  set_mode(*loaded.executor, mode);
  std::vector<float> out(size.cells(), 12345.0f);
  const int error = run(in.data(), out.data(), size.nx, size.ny, size.nz, wide ? 1 : 0);
  const auto faults = take_faults(*loaded.executor);
  if (!faults.empty()) return faults.front();
  if (error != 0) return "error " + std::to_string(error);
  for (size_t i = 0; i < out.size(); ++i) {
    if (std::memcmp(&out[i], &expected[i], sizeof(float)) != 0) {
      return "cell " + std::to_string(i) + " is " + std::to_string(out[i]) + ", not " +
             std::to_string(expected[i]);
    }
  }
  return "";
}

}  // namespace stencilc::check
