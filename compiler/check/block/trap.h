// Numbers the traps by which generated code ends a thread.
#pragma once

namespace stencilc::check {

// After a misaligned access.
inline constexpr unsigned char kMisaligned = 22;

}  // namespace stencilc::check
