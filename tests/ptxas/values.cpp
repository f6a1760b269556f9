#include "ptxas/values.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <regex>

namespace stencilc::ptxas {
namespace {

using SumOf = std::function<std::optional<Sum>(const std::string& name)>;

Sum scaled(Sum sum, int64_t factor) {
  for (auto& [name, of] : sum.terms) of *= factor;
  sum.constant *= factor;
  return sum;
}

Sum added(Sum left, const Sum& right) {
  for (const auto& [name, factor] : right.terms)
    if ((left.terms[name] += factor) == 0) left.terms.erase(name);
  left.constant += right.constant;
  return left;
}

// Of a register or a whole number.
std::optional<Sum> operand_sum(const std::string& operand, const SumOf& sum_of) {
  static const std::regex number("-?[0-9]{1,18}");
  if (operand.starts_with('%')) return sum_of(operand);
  if (std::regex_match(operand, number)) return Sum{{}, std::stoll(operand)};
  return std::nullopt;
}

std::optional<Sum> product(const Sum& left, const Sum& right) {
  if (right.terms.empty()) return scaled(left, right.constant);
  if (left.terms.empty()) return scaled(right, left.constant);
  return std::nullopt;
}

// What an instruction of whole numbers computes; none: no sum.
std::optional<Sum> computed(const Instruction& instruction, const SumOf& sum_of) {
  const std::string& opcode = instruction.opcode;
  const std::string name = opcode.substr(0, opcode.find('.'));
  const std::string type = opcode.substr(opcode.rfind('.') + 1);
  const bool whole = type == "s32" || type == "u32" || type == "b32" || type == "s64" ||
                     type == "u64" || type == "b64";
  if (!instruction.guard.empty() || !whole) return std::nullopt;
  std::vector<Sum> of;
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    const std::optional<Sum> sum = operand_sum(instruction.operands[i], sum_of);
    if (!sum) return std::nullopt;
    of.push_back(*sum);
  }
  const bool low =
      opcode.find(".lo.") != std::string::npos || opcode.find(".wide.") != std::string::npos;
  if (of.size() == 1 && (name == "mov" || name == "cvt" || name == "cvta")) return of[0];
  if (of.size() == 2 && name == "add") return added(of[0], of[1]);
  if (of.size() == 2 && name == "sub") return added(of[0], scaled(of[1], -1));
  if (of.size() == 2 && name == "mul" && low) return product(of[0], of[1]);
  if (of.size() == 2 && name == "shl" && of[1].terms.empty() && of[1].constant < 32)
    return scaled(of[0], int64_t{1} << of[1].constant);
  if (of.size() == 3 && name == "mad" && low)
    if (const std::optional<Sum> factors = product(of[0], of[1])) return added(*factors, of[2]);
  return std::nullopt;
}

Sum itself(const std::string& name) { return {{{name, 1}}, 0}; }

}  // namespace

Values::Values(const Kernel& kernel) {
  for (const Block& block : kernel.blocks)
    for (const Instruction& instruction : block.instructions) {
      if (!defines(instruction)) continue;
      for (const std::string& name : registers_of(instruction.operands[0])) {
        const bool first = once_.emplace(name, &instruction).second;
        if (!first || !instruction.guard.empty()) once_[name] = nullptr;
      }
    }
}

bool Values::is_scalar(const std::string& operand) {
  const std::vector<std::string> names = registers_of(operand);
  // A number; a name is a predicate of inline assembly, or an address.
  if (names.empty())
    return std::isdigit(static_cast<unsigned char>(operand[0])) != 0 || operand[0] == '-';
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    if (const auto known = scalars_.find(name); known != scalars_.end()) return known->second;
    if (!has_one_value(name)) return false;  // nor has %tid.x
    scalars_[name] = false;                  // in what it is made of itself from
    const Instruction& instruction = *once_.at(name);
    const std::string memory = instruction.operands.size() > 1 ? instruction.operands[1] : "";
    bool scalar = false;
    if (memory.starts_with('[')) {
      scalar = has_part(instruction, "param") && memory.find("_param_") != std::string::npos;
    } else {
      scalar = std::all_of(instruction.operands.begin() + 1, instruction.operands.end(),
                           [&](const std::string& from) { return is_scalar(from); });
    }
    return scalars_[name] = scalar;
  });
}

bool Values::has_one_value(const std::string& name) const {
  const auto from = once_.find(name);
  return from != once_.end() && from->second != nullptr;
}

Sum Values::sum_of(const std::string& name) {
  if (const auto known = sums_.find(name); known != sums_.end()) return known->second;
  std::optional<Sum> sum;
  if (has_one_value(name))
    sum = computed(*once_.at(name), [&](const std::string& part) -> std::optional<Sum> {
      // One with several values may hold another one by now.
      if (!has_one_value(part)) return std::nullopt;
      return sum_of(part);
    });
  return sums_[name] = sum.value_or(itself(name));
}

void BlockValues::pass(const Instruction& instruction) {
  ++passed_;
  if (!defines(instruction)) return;
  const std::optional<Sum> sum =
      computed(instruction, [&](const std::string& name) { return sum_of(name); });
  const std::vector<std::string> written = registers_of(instruction.operands[0]);
  for (const std::string& name : written)
    if (sum && written.size() == 1)
      known_[name] = *sum;
    else if (!values_.has_one_value(name))
      known_[name] = itself(name + " behind " + std::to_string(passed_));
}

Sum BlockValues::sum_of(const std::string& name) {
  const auto known = known_.find(name);
  return known != known_.end() ? known->second : values_.sum_of(name);
}

std::optional<Sum> BlockValues::address_of(const std::string& operand) {
  static const std::regex form("\\[\\s*(%\\w+)\\s*(?:\\+\\s*(-?[0-9]+))?\\s*\\]");
  std::smatch found;
  if (!std::regex_match(operand, found, form)) return std::nullopt;
  Sum sum = sum_of(found[1]);
  if (found[2].matched) sum.constant += std::stoll(found[2]);
  return sum;
}

}  // namespace stencilc::ptxas
