// Checks the alignment of addresses in device code.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace stencilc::check {

// Makes the function trap at its end, with the number kMisaligned, if an access that requires a
// multiple of 8 bytes or more was misaligned. This machine would hide that if it loads a vector
// value by value.
void check_alignment(llvm::Function& entry);

}  // namespace stencilc::check
