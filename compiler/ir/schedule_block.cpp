#include "ir/schedule_block.h"

namespace stencilc::ir {

std::string head(const ScheduleBlock& block) {
  std::string text = "schedule";
  for (const ScheduleBlock::Word& target : block.targets)
    text += (&target == block.targets.data() ? " for " : ", ") + target.text;
  return text;
}

}  // namespace stencilc::ir
