#include "ir/schedule_block.h"

namespace stencilc::ir {
namespace {

std::string joined(const std::vector<ScheduleBlock::Word>& words) {
  std::string text;
  for (const ScheduleBlock::Word& word : words) text += (text.empty() ? "" : ", ") + word.text;
  return text;
}

}  // namespace

std::string head(const ScheduleBlock& block) {
  return block.targets.empty() ? "schedule" : "schedule for " + joined(block.targets);
}

std::string print(const ScheduleBlock& block) {
  return head(block) + " { " + joined(block.parts) + " }";
}

}  // namespace stencilc::ir
