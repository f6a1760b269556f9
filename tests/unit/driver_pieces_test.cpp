// Programs for pieces of a grid on the command line: what is emitted, verified and refused.
#include <gtest/gtest.h>

#include "support/cli.h"

namespace stencilc::test {
namespace {

const char* const kWave =
    "stencil s { axes x, y; field f32 u boundary clamp; field f32 c in; "
    "reduce most = max(u[t+1]); u[t+1] = 2*u - u[t-1] + c*(u[x-1] + u[y+1]); }";

TEST(PiecesOptions, TheHeaderSaysWhatALegReads) {
  const Workplace here("s.stn", kWave);
  const std::string header =
      ended(here.stencilc("s.stn --target=cpu --distributed --emit=header")).out;
  expect_has(header,
             {"s_leg_steps = 1,", "s_step_low = 0,", "s_step_high = 1,", "s_of_u_low = 0,",
              "s_of_u_high = 1,", "s_of_c_high = 0,", "s_wraps = 0,", "int s_leg(",
              "int64_t window_first, int64_t window_end, int64_t origin_y", "int s_fold_most(",
              "int64_t s_parts(int64_t nx, int64_t ny);", "int s_run_on(", "No step changes c."});
  expect_lacks(header, {"s_run(", "struct Args", "s_until"});
  expect_lacks(ended(here.stencilc("s.stn --target=cpu --emit=header")).out,
               {"window", "s_leg", "origin"});
}

TEST(PiecesOptions, VerifyCutsGrids) {
  const Workplace here("s.stn", kWave);
  expect_has(ended(here.stencilc("verify s.stn --target=cpu --pieces 1,3")).out,
             {"runs in 1, 3 pieces with the schedule `loops` agree with the interpreter in every "
              "bit"});
}

TEST(PiecesOptions, WhatCannotBeCutIsRefused) {
  const Workplace here("line.stn",
                       "stencil line { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }");
  for (const char* const words :
       {"line.stn --distributed", "verify line.stn --target=cpu --pieces 2"})
    expect_has(ended(here.stencilc(words), 1).err,
               {"a grid of `line` has the axis `x` alone, and cannot be cut into pieces "
                "[STN0605]"});
  here.write("ends.stn",
             "stencil ends { axes x, y; field f32 u boundary periodic; "
             "field f32 v in boundary { x: clamp; y: ghost; } u[t+1] = u[y-1] + v[y+1]; }");
  expect_has(ended(here.stencilc("ends.stn --distributed"), 1).err,
             {"along `y`, where grids are cut, `u` is periodic and `v` has `ghost` cells of the "
              "caller [STN0605]"});
  ended(here.stencilc("ends.stn -o ends.cu"));
}

TEST(PiecesOptions, WordsThatDoNotGoTogetherAreRefused) {
  const Workplace here("s.stn", kWave);
  expect_has(ended(here.stencilc("s.stn --distributed --emit=manifest"), 2).err,
             {"`--distributed` emits none"});
  for (const char* const words : {"verify s.stn --pieces 0", "verify s.stn --pieces 65",
                                  "verify s.stn --pieces two", "s.stn --pieces 2"})
    ended(here.stencilc(words), 2);
}

}  // namespace
}  // namespace stencilc::test
