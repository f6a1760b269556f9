// What the registers of a kernel hold, as far as it can be said without running it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ptxas/ptx.h"

namespace stencilc::ptxas {

// A sum of registers, each with a factor, and a constant. What address arithmetic makes is one;
// that it does not overflow is taken for granted.
struct Sum {
  std::map<std::string, int64_t> terms;
  int64_t constant = 0;
};

// The registers of a kernel, which outlives this. PTX gives most of them a value in one place;
// those with several are what goes around loops and what joins branches.
class Values {
 public:
  explicit Values(const Kernel& kernel);

  // Is it a constant, or made of nothing but constants and arguments of the kernel?
  bool is_scalar(const std::string& operand);

  bool has_one_value(const std::string& name) const;

  // A register as a sum of registers that are no sums themselves.
  Sum sum_of(const std::string& name);

 private:
  std::map<std::string, const Instruction*> once_;  // of the registers with one value: where from
  std::map<std::string, bool> scalars_;
  std::map<std::string, Sum> sums_;
};

// The same within one block, where registers that get several values are told apart by what they
// held at its beginning and get on the way.
class BlockValues {
 public:
  explicit BlockValues(Values& values) : values_(values) {}

  // Goes on after the next instruction of the block.
  void pass(const Instruction& instruction);

  Sum sum_of(const std::string& name);
  // "[%rd1+4]": none where it is no register and a number.
  std::optional<Sum> address_of(const std::string& operand);

 private:
  Values& values_;
  std::map<std::string, Sum> known_;
  int passed_ = 0;
};

}  // namespace stencilc::ptxas
