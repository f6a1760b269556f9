// Stencils and their schedules, made of texts.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "plan/schedule/schedule.h"
#include "plan/search/choose.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "support/analysed.h"

namespace stencilc::testing {

inline const plan::Device& gpu(const std::string& arch = "sm_90") {
  return *plan::find_device(arch);
}

// The stencil with axes such as "x, y".
inline ir::Stencil on(const std::string& axes, const std::string& items) {
  return canonical("stencil s { axes " + axes + "; " + items + " }");
}
// A file of this repository.
inline std::string content(const std::string& path) {
  std::ifstream file(STENCILC_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// With another text at all places of the first.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// What a schedule is, which has to be legal.
inline plan::Schedule scheduled(const std::string& text, const ir::Stencil& stencil,
                                const plan::Device& device = gpu()) {
  plan::Choice choice = plan::parse(text, stencil, plan::Target::cuda, device);
  EXPECT_EQ(choice.problem, "") << text;
  return std::move(choice.schedule);
}

}  // namespace stencilc::testing
