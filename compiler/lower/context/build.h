// Statements that all parts of the lowering make: declarations and loops over registers.
#pragma once

#include <string>

#include "kernel/build.h"
#include "lower/context/names.h"

namespace stencilc::lower {

// const TYPE name = value; with the variable for it.
kernel::ExprPtr declare(const std::string& wanted, const kernel::ExprPtr& value, Names& names,
                        kernel::Body& body, bool changes = false);

// An unrolled loop over name = first .. end-1 of type index; fill in the body.
kernel::For unrolled(const std::string& name, int first, int end);
kernel::For unrolled(const std::string& name, int first, const kernel::Count& end);
kernel::For unrolled(const std::string& name, int first, const kernel::ExprPtr& end);
// The same over 0 .. count-1.
kernel::For counted(kernel::For::Mark mark, const std::string& name, const kernel::ExprPtr& count);

// Marks the unrolled loop over `cells` cells of a thread as rolled, where its code would be so long
// that it is faster in a loop (bench/notes/one-step.md, "Long code in loops").
void roll_if_long(kernel::For& loop, int cells, bool along_z);

}  // namespace stencilc::lower
