// Sets the params and run-time weights of a run, and makes room for its reductions.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"

namespace stencilc::driver {

// What to do with params and weights without a value: report an error, or take a small number if
// only the time of a run matters.
enum class Missing { refused, made_up };

// Sets them from --param; false after an error.
bool set_params(const std::vector<NameValue>& given, const ir::Stencil& stencil, Missing missing,
                HostData& host, diag::Engine& engine);

// A value with the digits that were written: 0.2, also where it is the number of f32 beside that.
// Its multiples are exact enough to be rounded to those of the digits.
long double as_written(const ir::Scalar& value);

// Notes where a param `dx` differs from the spacing along x that --spacing or a file brings, and so
// for each axis.
void compare_spacing(const Options& options, const ir::Stencil& stencil, const InputFacts& facts,
                     HostData& host);

}  // namespace stencilc::driver
