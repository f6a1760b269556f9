#include "plan/syntax/schedule_block.h"

#include <algorithm>
#include <map>
#include <span>

#include "diag/codes.h"
#include "plan/syntax/parse_schedule.h"

namespace stencilc::plan {
namespace {

using Words = std::span<const ir::ScheduleBlock::Word>;

constexpr const char* kCpu = "cpu";

std::string joined(Words parts) {
  std::string text;
  for (const ir::ScheduleBlock::Word& part : parts) text += (text.empty() ? "" : ",") + part.text;
  return text;
}

bool names(const ir::ScheduleBlock& block, const std::string& target) {
  return std::any_of(block.targets.begin(), block.targets.end(),
                     [&](const auto& word) { return word.text == target; });
}

// Reports a target that an earlier block already has.
void take(const std::string& target, diag::Range at, std::map<std::string, diag::Range>& taken,
          diag::Engine& engine) {
  const auto [first, fresh] = taken.try_emplace(target, at);
  if (fresh) return;
  const std::string whose = target.empty() ? "every GPU" : "`" + target + "`";
  engine.report(diag::bad_schedule, at, "there is a second schedule for " + whose)
      .note("the first is here", first->second);
}

bool is_known(const std::string& target) { return target == kCpu || find_device(target); }

void refuse(const ir::ScheduleBlock::Word& target, diag::Engine& engine) {
  diag::Diagnostic& report = report_unknown_device(target.text, target.at, kCpu, engine);
  if (!nearest_device(target.text)) report.help("a schedule without `for` is for every GPU");
}

void check_targets(const ir::Stencil& stencil, diag::Engine& engine) {
  std::map<std::string, diag::Range> taken;
  for (const ir::ScheduleBlock& block : stencil.schedules) {
    if (block.targets.empty()) take("", block.at, taken, engine);
    for (const ir::ScheduleBlock::Word& target : block.targets)
      if (is_known(target.text))
        take(target.text, target.at, taken, engine);
      else
        refuse(target, engine);
  }
}

// Returns true after it has reported a problem.
bool refused(const ir::ScheduleBlock& block, const ir::Stencil& stencil, Target target,
             const Device& device, bool of_device, diag::Engine& engine) {
  const auto [choice, at] = parse(block, stencil, target, device);
  if (choice.problem.empty() || (choice.of_device && !of_device)) return false;
  engine.report(diag::bad_schedule, at, choice.problem);
  return true;
}

void check_parts(const ir::ScheduleBlock& block, const ir::Stencil& stencil, diag::Engine& engine) {
  if (block.targets.empty()) refused(block, stencil, Target::cuda, devices().back(), false, engine);
  for (const ir::ScheduleBlock::Word& word : block.targets) {
    const Device* device = find_device(word.text);
    if (!device && word.text != kCpu) continue;
    if (refused(block, stencil, device ? Target::cuda : Target::cpu,
                device ? *device : any_device(), true, engine))
      return;  // reported once
  }
}

}  // namespace

void check_blocks(const ir::Stencil& stencil, diag::Engine& engine) {
  check_targets(stencil, engine);
  for (const ir::ScheduleBlock& block : stencil.schedules) check_parts(block, stencil, engine);
}

const ir::ScheduleBlock* block_for(const ir::Stencil& stencil, Target target,
                                   const Device& device) {
  const std::string wanted = target == Target::cpu ? kCpu : name(device);
  const ir::ScheduleBlock* found = nullptr;
  for (const ir::ScheduleBlock& block : stencil.schedules) {
    if (names(block, wanted)) return &block;
    if (block.targets.empty() && target == Target::cuda) found = &block;
  }
  return found;
}

std::string text_of(const ir::ScheduleBlock& block) { return joined(block.parts); }

BlockChoice parse(const ir::ScheduleBlock& block, const ir::Stencil& stencil, Target target,
                  const Device& device) {
  BlockChoice result{parse(text_of(block), stencil, target, device), block.at};
  Choice& choice = result.choice;
  choice.schedule.line = block.line;
  choice.schedule.reason = "set by `" + ir::head(block) + "`";
  if (block.line != 0) choice.schedule.reason += " in line " + std::to_string(block.line);
  if (choice.problem.empty()) return result;
  // Bisects for the first part with which the problem appears.
  const Words parts = block.parts;
  size_t well = 0, problem = parts.size();
  while (well + 1 < problem) {
    const size_t count = (well + problem) / 2;
    const Choice shorter = parse(joined(parts.first(count)), stencil, target, device);
    (shorter.problem == choice.problem ? problem : well) = count;
  }
  result.at = parts[problem - 1].at;
  return result;
}

}  // namespace stencilc::plan
