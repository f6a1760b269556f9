// The compiler as a program.
#pragma once

#include "diag/diagnostic.h"
#include "driver/cli/options.h"

namespace stencilc::driver {

int main(int argc, char** argv);

int compile_command(const Options& options);  // stencilc x.stn -o x.cu
int run_command(const Options& options);      // stencilc run x.stn
int verify_command(const Options& options);   // stencilc verify x.stn
int bench_command(const Options& options);    // stencilc bench x.stn
int tune_command(const Options& options);     // stencilc tune x.stn

// Reads the input into sources[0] and its tune file into the next, where there is one and the
// command takes it, and finds the devices that --arch names; false after a report.
bool read_input(Options& options, diag::Sources& sources, diag::Engine& engine);

}  // namespace stencilc::driver
