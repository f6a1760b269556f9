// Compares emitted code with the interpreter, bit for bit.
#pragma once

#include <string>

#include "driver/verify/cases.h"
#include "interp/interpreter.h"

namespace stencilc::driver {

// The result of the interpreter.
interp::State expected(const ir::Stencil& stencil, const Case& test);

// Runs the case on the machine and compares every cell of every level with the expected one.
// Returns the first difference, or "". All NaNs count as equal. `tolerance` is the relative error
// allowed for machines with other functions for exp, sin, ...; 0 requires the same bits.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    const interp::State& expected, double tolerance);
// The same, with the result of the interpreter for the compiled stencil.
std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    double tolerance);

// Whether it uses exp, log, sin, cos, tan, tanh or pow, which give the same bits on one machine
// only.
bool is_transcendental(const ir::Stencil& stencil);

}  // namespace stencilc::driver
