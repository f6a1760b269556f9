// Parses the decisions of a schedule, such as threads=32x8.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.h"

namespace stencilc::plan {

struct Decision {
  const char* key;
  // The presets that leave the decision open.
  enum Of { of_coarsened, of_all, of_cpu_too } of;
  // Reads the value into the schedule; returns what is wrong with it, or an empty string.
  std::string (*read)(const std::string& text, const ir::Stencil& stencil, Schedule& schedule);
};

constexpr int kMaxThreads = 1024;  // per block, on every device since sm_20
constexpr int kMaxVector = 16;     // and twice as many with several steps, packed into bits

const Decision* decision(const std::string& key);  // null if there is none
// "did you mean `threads`?", or the list of all.
std::string meant_decision(const std::string& key);

// Why decisions cannot be combined; or empty.
std::string conflict(const Schedule& schedule, int rank);
// Why launches by the schedule cannot compute a piece of a grid; or empty.
std::string no_pieces(const Schedule& schedule, int rank);
// What the device lacks for the schedule; or empty.
std::string lacking(const Schedule& schedule, const Device& device);

std::string name(Shared shared);
std::string name(Taps taps);
std::string name(Filling fill);
std::vector<std::string> split(const std::string& text, char separator);
// The parts of a schedule, between commas that stand in no parentheses.
std::vector<std::string> parts_of(const std::string& text);
// Whether a part of this name concerns all launches of a step.
bool is_of_whole_step(const std::string& key);

}  // namespace stencilc::plan
