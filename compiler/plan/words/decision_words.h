// The decisions of a schedule, as text gives them one by one: threads=32x8.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

struct Decision {
  const char* key;
  // Which presets leave it open.
  enum Of { of_coarsened, of_all, of_cpu_too } of;
  // Reads the value into the schedule; a complaint where it does not fit.
  std::string (*read)(const std::string& text, const ir::Stencil& stencil, Schedule& schedule);
};

constexpr int kMaxThreads = 1024;  // of a block, on every device since sm_20
constexpr int kMaxVector = 16;     // and of several steps twice as many, as bits

const Decision* decision(const std::string& key);  // null: there is none
// "did you mean `threads`?", or which there are.
std::string meant_decision(const std::string& key);

// Why decisions do not go together; empty: they do.
std::string conflict(const Schedule& schedule, int rank);
// What the device does not have; empty: nothing.
std::string lacking(const Schedule& schedule, const Device& device);

std::string name(Shared shared);
std::string name(Taps taps);
std::string name(Filling fill);
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace stencilc::plan
