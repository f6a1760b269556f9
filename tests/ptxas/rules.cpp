#include "ptxas/rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "ptxas/values.h"

namespace stencilc::ptxas {
namespace {

template <class Is>
Findings instructions(const Kernel& kernel, const Is& is) {
  Findings found;
  for (const Block& block : kernel.blocks)
    for (const Instruction& instruction : block.instructions)
      if (is(instruction)) found.push_back(shown(instruction));
  return found;
}

// Their divisor is the last operand.
bool is_division(const Instruction& instruction) {
  static const std::regex form("(div|rcp)\\..*\\.(f32|f64)");
  return std::regex_match(instruction.opcode, form);
}
bool is_slow(const Instruction& instruction) {
  static const std::regex form("(div|rem|rcp|sqrt|rsqrt)\\..*");
  return std::regex_match(instruction.opcode, form);
}

bool is_load(const Instruction& instruction) {
  return instruction.opcode.starts_with("ld.global.");
}
bool is_store(const Instruction& instruction) {
  return instruction.opcode.starts_with("st.global.");
}

// May it change global memory, or wait for others that do?
bool may_change_memory(const Instruction& instruction) {
  static const std::regex form("(st|atom|red|bar|barrier|membar|fence|call|cp|mbarrier)(\\..*)?");
  return std::regex_match(instruction.opcode, form) &&
         !instruction.opcode.starts_with("st.shared") &&
         !instruction.opcode.starts_with("st.local") && !instruction.opcode.starts_with("st.param");
}

// ld.global.nc.v4.u32: 16.
int bytes_of(const Instruction& instruction) {
  static const std::regex form(".*\\.[busf](8|16|32|64|128)");
  std::smatch found;
  if (!std::regex_match(instruction.opcode, found, form)) return 0;
  const int lanes = has_part(instruction, "v2") ? 2 : has_part(instruction, "v4") ? 4 : 1;
  return lanes * std::stoi(found[1]) / 8;
}

struct Access {
  std::map<std::string, int64_t> terms;  // of the address
  int64_t begin = 0, end = 0;
  bool constant = false;  // does nobody write there while the kernel runs? (.nc)
  std::string text;
};

// The access of a load or a store, where it is made always and its address is a sum.
std::optional<Access> access_of(const Instruction& instruction, BlockValues& values) {
  if (!instruction.guard.empty()) return std::nullopt;
  const auto at = values.address_of(instruction.operands.at(is_load(instruction) ? 1 : 0));
  if (!at) return std::nullopt;
  return Access{at->terms, at->constant, at->constant + bytes_of(instruction),
                has_part(instruction, "nc"), shown(instruction)};
}

const Block& busiest(const Kernel& kernel) {
  return *std::max_element(
      kernel.blocks.begin(), kernel.blocks.end(),
      [&](const Block& left, const Block& right) { return business(left) < business(right); });
}

Findings repeated_loads(const Block& block, Values& values) {
  Findings found;
  std::vector<Access> earlier;
  BlockValues here(values);
  for (const Instruction& instruction : block.instructions) {
    if (may_change_memory(instruction))
      std::erase_if(earlier, [](const Access& load) { return !load.constant; });
    if (is_load(instruction)) {
      if (const auto load = access_of(instruction, here)) {
        for (const Access& other : earlier)
          if (other.terms == load->terms && other.begin < load->end && load->begin < other.end)
            found.push_back(load->text + " after " + other.text);
        earlier.push_back(*load);
      }
    }
    here.pass(instruction);
  }
  return found;
}

}  // namespace

Findings doubles(const Kernel& kernel) {
  return instructions(kernel,
                      [](const Instruction& instruction) { return has_part(instruction, "f64"); });
}

Findings wide_products(const Kernel& kernel) {
  static const std::regex form("(mul\\.lo|mul\\.hi|mad\\.lo|mad\\.hi|div|rem)\\.[bsu]64");
  return instructions(kernel, [](const Instruction& instruction) {
    return std::regex_match(instruction.opcode, form);
  });
}

Findings scalar_divisions(const Kernel& kernel) {
  Values values(kernel);
  return instructions(kernel, [&](const Instruction& instruction) {
    const auto& operands = instruction.operands;
    // The quotient of two scalars is made once, and is a scalar itself.
    return is_division(instruction) && values.is_scalar(operands.back()) &&
           !values.is_scalar(operands.at(1));
  });
}

Findings scalars_in_loops(const Kernel& kernel) {
  Values values(kernel);
  Findings found;
  for (size_t i = 0; i < kernel.blocks.size(); ++i)
    for (const Instruction& instruction : kernel.blocks[i].instructions) {
      if (!is_slow(instruction)) continue;
      const auto& operands = instruction.operands;
      const bool scalar = std::all_of(operands.begin() + 1, operands.end(),
                                      [&](const std::string& of) { return values.is_scalar(of); });
      if (scalar && in_loop(kernel, i)) found.push_back(shown(instruction));
    }
  return found;
}

Findings repeated_loads(const Kernel& kernel) {
  Values values(kernel);
  Findings found;
  for (const Block& block : kernel.blocks)
    for (const std::string& line : repeated_loads(block, values)) found.push_back(line);
  return found;
}

Findings split_stores(const Kernel& kernel) {
  Values values(kernel);
  BlockValues here(values);
  Findings found;
  std::vector<Access> stores;
  for (const Instruction& instruction : busiest(kernel).instructions) {
    if (is_store(instruction) && bytes_of(instruction) < 16)
      if (const auto store = access_of(instruction, here)) stores.push_back(*store);
    here.pass(instruction);
  }
  for (const Access& store : stores)
    for (const Access& other : stores)
      if (store.terms == other.terms && store.end == other.begin)
        found.push_back(store.text + " and " + other.text);
  return found;
}

std::array<int64_t, 3> business(const Block& block) {
  int64_t widest = 0, bytes = 0, stores = 0;
  for (const Instruction& one : block.instructions)
    if (is_store(one)) {
      widest = std::max<int64_t>(widest, bytes_of(one));
      bytes += bytes_of(one);
      ++stores;
    }
  return {widest, bytes, -stores};
}

Accesses busiest_block(const Kernel& kernel) {
  const auto& all = busiest(kernel).instructions;
  return {static_cast<int>(std::count_if(all.begin(), all.end(), is_load)),
          static_cast<int>(std::count_if(all.begin(), all.end(), is_store))};
}

}  // namespace stencilc::ptxas
