// Emitted code against the interpreter, bit for bit.
#pragma once

#include <string>

#include "driver/verify/cases.h"
#include "interp/interpreter.h"

namespace stencilc::driver {

// What the interpreter makes of the case.
interp::State expected(const ir::Stencil& stencil, const Case& test);

// Runs the case on the machine and compares every cell of every level with what is expected.
// Returns the first difference, or "". NaNs count as equal whatever their payload. `tolerance` is
// for machines whose exp, sin, ... are not the interpreter's: 0 asks for the same bits, otherwise
// the relative error allowed.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    const interp::State& expected, double tolerance);
// With what the interpreter makes of the compiled stencil itself.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    double tolerance);

// exp, log, sin, cos, tan, tanh or pow: the same bits on one machine only.
bool is_transcendental(const ir::Stencil& stencil);

}  // namespace stencilc::driver
