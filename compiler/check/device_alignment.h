// Checks of the addresses that device code uses.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace stencilc::check {

// The number of the trap by which a thread ends that used a misaligned address.
inline constexpr unsigned char kMisaligned = 22;

// Lets the function trap at its end if an access whose type asks for multiples of 8 bytes or more
// began at none. This machine hides that where it loads a vector value by value.
void check_alignment(llvm::Function& entry);

}  // namespace stencilc::check
