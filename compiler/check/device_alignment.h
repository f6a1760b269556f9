// Checks the alignment of addresses in device code.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace stencilc::check {

// The number of the trap that ends a thread after a misaligned access.
inline constexpr unsigned char kMisaligned = 22;

// Makes the function trap at its end if an access that requires a multiple of 8 bytes or more was
// misaligned. This machine would hide that if it loads a vector value by value.
void check_alignment(llvm::Function& entry);

}  // namespace stencilc::check
