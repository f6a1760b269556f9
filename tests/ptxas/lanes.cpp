// The rules on what the lanes of a warp do together.
#include <algorithm>
#include <set>

#include "ptxas/rules.h"
#include "ptxas/values.h"

namespace stencilc::ptxas {
namespace {

using Names = std::set<std::string>;

bool is_access(const Instruction& instruction) {
  return instruction.opcode.starts_with("ld.global.") ||
         instruction.opcode.starts_with("st.global.");
}
bool is_branch(const Instruction& instruction) {
  return instruction.opcode == "bra" || instruction.opcode.starts_with("bra.");
}

// "@!%p1": "%p1".
std::string predicate_of(const Instruction& instruction) {
  return instruction.guard.substr(instruction.guard.find('%'));
}

// The names of the thread's number along x: itself, and the registers that hold nothing else.
Names numbers_along_x(const Kernel& kernel) {
  Names names = {"%tid.x"};
  for (const Block& block : kernel.blocks)
    for (const Instruction& one : block.instructions)
      if (one.opcode.starts_with("mov.") && one.operands.size() == 2 && one.operands[1] == "%tid.x")
        names.insert(one.operands[0]);
  return names;
}

// The registers that the number of the lane has a part in. What is loaded is the same for none, but
// no matter of the place.
Names by_lane(const Kernel& kernel) {
  const auto moves = [](const Names& names, const Instruction& one) {
    if (!defines(one) || one.opcode.starts_with("ld.")) return false;
    for (size_t i = 1; i < one.operands.size(); ++i)
      for (const std::string& from : registers_of(one.operands[i]))
        if (from == "%tid.x" || from == "%laneid" || names.count(from) != 0) return true;
    return false;
  };
  Names names;
  for (size_t before = 1, now = 0; before != now;) {
    before = now;
    for (const Block& block : kernel.blocks)
      for (const Instruction& one : block.instructions)
        if (moves(names, one))
          for (const std::string& to : registers_of(one.operands[0])) names.insert(to);
    now = names.size();
  }
  return names;
}

// The blocks from which control may come to a block, and itself.
std::set<size_t> leading_to(const Kernel& kernel, size_t block) {
  std::set<size_t> found = {block};
  for (size_t before = 0; before != found.size();) {
    before = found.size();
    for (size_t b = 0; b < kernel.blocks.size(); ++b)
      for (const size_t next : kernel.blocks[b].next)
        if (found.count(next) != 0) found.insert(b);
  }
  return found;
}

std::vector<size_t> busiest(const Kernel& kernel) {
  std::vector<size_t> blocks;
  std::pair<int64_t, int64_t> most = {1, INT64_MIN};
  for (size_t b = 0; b < kernel.blocks.size(); ++b) {
    // However wide: with 64-bit indices nvcc stores value by value.
    const auto [widest, bytes, stores] = business(kernel.blocks[b]);
    const std::pair here(bytes, stores);
    if (here < most) continue;
    if (here > most) blocks.clear();
    most = here;
    blocks.push_back(b);
  }
  return blocks;
}

Findings diverging_on_the_way(const Kernel& kernel, size_t block, const Names& lanes) {
  Findings found;
  for (const Instruction& one : kernel.blocks[block].instructions)
    if (!one.guard.empty() && !is_branch(one) && lanes.count(predicate_of(one)) != 0)
      found.push_back(shown(one));
  const std::set<size_t> way = leading_to(kernel, block);
  for (const size_t at : way) {
    if (kernel.blocks[at].instructions.empty()) continue;
    const Instruction& last = kernel.blocks[at].instructions.back();
    if (!is_branch(last) || last.guard.empty() || lanes.count(predicate_of(last)) == 0) continue;
    const auto& next = kernel.blocks[at].next;
    if (std::all_of(next.begin(), next.end(), [&](size_t to) { return way.count(to) != 0; }))
      found.push_back(shown(last));
  }
  return found;
}

}  // namespace

Findings scattered_accesses(const Kernel& kernel, int bytes) {
  const std::vector<size_t> blocks = busiest(kernel);
  if (blocks.empty()) return {};
  Findings found;
  const Names numbers = numbers_along_x(kernel);
  Values values(kernel);
  BlockValues here(values);
  for (const Instruction& one : kernel.blocks[blocks[0]].instructions) {
    if (is_access(one)) {
      const bool load = one.opcode.starts_with("ld.");
      int64_t apart = 0;
      if (const auto at = here.address_of(one.operands.at(load ? 1 : 0)))
        for (const auto& [name, factor] : at->terms)
          if (numbers.count(name) != 0) apart += factor;
      if (std::abs(apart) > bytes) found.push_back(shown(one));
    }
    here.pass(one);
  }
  return found;
}

Findings diverging_lanes(const Kernel& kernel) {
  const Names lanes = by_lane(kernel);
  Findings fewest;
  bool first = true;
  for (const size_t block : busiest(kernel)) {
    Findings found = diverging_on_the_way(kernel, block, lanes);
    if (first || found.size() < fewest.size()) fewest = std::move(found);
    first = false;
  }
  return fewest;
}

Findings scalar_branches_in_loops(const Kernel& kernel) {
  Values values(kernel);
  Findings found;
  for (size_t b = 0; b < kernel.blocks.size(); ++b)
    for (const Instruction& one : kernel.blocks[b].instructions)
      if (is_branch(one) && !one.guard.empty() && values.is_scalar(predicate_of(one)) &&
          in_loop(kernel, b))
        found.push_back(shown(one));
  return found;
}

}  // namespace stencilc::ptxas
