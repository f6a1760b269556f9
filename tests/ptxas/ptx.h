// PTX as far as the rules of rules.h need it: kernels, their blocks of straight-line code, and
// where control goes from each.
#pragma once

#include <string>
#include <vector>

namespace stencilc::ptxas {

struct Instruction {
  std::string guard;  // "@%p1" or "@!%p1"; empty: executed always
  std::string opcode;
  std::vector<std::string> operands;  // "{%r1, %r2}" and "[%rd1+4]" are one each
};

struct Block {
  std::vector<Instruction> instructions;
  std::vector<size_t> next;  // blocks that may come after it
};

struct Kernel {
  std::string name;           // as kernel_name() gives it
  int threads = 0;            // that a block may have, by .maxntid or .reqntid; 0: not said
  bool local = false;         // does it declare an array of local memory?
  std::vector<Block> blocks;  // the first one is the entry
};

// The kernels of a file, in its order.
std::vector<Kernel> read_ptx(const std::string& text);

// Does control come back from the block to itself?
bool in_loop(const Kernel& kernel, size_t block);

// The registers that an operand names, in order.
std::vector<std::string> registers_of(const std::string& operand);

// Does the instruction write its first operand, and nothing else?
bool defines(const Instruction& instruction);

// As one line: "@%p1 mov.u32 %r1, %r2".
std::string shown(const Instruction& instruction);

// Is `part` one of the words between the dots of the opcode?
bool has_part(const Instruction& instruction, const std::string& part);

}  // namespace stencilc::ptxas
