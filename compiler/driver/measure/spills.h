// Judges machine code by how much it spills, before it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/measure/result.h"

namespace stencilc::driver {

// The bytes per thread that a kernel may spill, by the spill stores that ptxas counts; schedules
// above this limit run only if there is none below.
inline constexpr int kMostSpilled = 64;

// Whether it spills more. What is not known is not held against it.
bool spills_too_much(const std::optional<Resources>& resources);

// For each of these schedules, whether to leave it out: it spills too much, and one of them does
// not, or one that was seen before (`seen`, which is updated).
std::vector<bool> left_out(const std::vector<std::optional<Resources>>& all, bool& seen);

// The index of the one that spills least; of several, the first. There is at least one.
size_t least_spilling(const std::vector<std::optional<Resources>>& all);

// "308 bytes of registers per thread"
std::string spilled_text(const Resources& resources);

}  // namespace stencilc::driver
