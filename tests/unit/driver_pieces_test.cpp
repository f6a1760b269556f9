// Programs for pieces of a grid on the command line: what is emitted, verified and refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
              "int64_t s_parts(int64_t nx, int64_t ny);", "No step changes c."});
  expect_has(header, {"stencil_mesh* mesh, stencil_mesh_grid* u, stencil_mesh_grid* c, float* most",
                      "stencil::mesh_levels<float>(\"u\", \"xy\", 2, 2, true, s_of_u_low, "
                      "s_of_u_high, 0, 0),",
                      "stencil::MeshGrid<float>& u;", "inline stencil::Status run("});
  expect_lacks(header, {"s_run(", "s_until"});
  expect_lacks(ended(here.stencilc("s.stn --target=cpu --emit=header")).out,
               {"window", "s_leg", "origin"});
}

TEST(PiecesOptions, TheManifestSaysWhatALegReads) {
  const Workplace here("s.stn", kWave);
  const auto manifest = nlohmann::ordered_json::parse(
      ended(here.stencilc("s.stn --target=cpu --distributed --emit=manifest")).out);
  const auto kinds = [](const nlohmann::ordered_json& call) {
    std::string all;
    for (const auto& one : call) all += one["kind"].get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(manifest["c_entry"], "s_run_on");
  EXPECT_EQ(kinds(manifest["call"]), "mesh mesh_grid mesh_grid reduction steps ");
  EXPECT_EQ(manifest["call"][2]["of"], "c");
  const auto& pieces = manifest["pieces"];
  EXPECT_EQ(kinds(pieces["leg_call"]),
            "field field extent extent stride partial steps window_first window_end held_first "
            "held_planes taken ");
  EXPECT_EQ(pieces["reads"].dump(), R"([{"of":"u","low":0,"high":1,"exchanged":true},)"
                                    R"({"of":"c","low":0,"high":0,"exchanged":false}])");
  EXPECT_EQ(pieces["each_further_step"].dump(), R"({"low":0,"high":1})");
  EXPECT_EQ(pieces["folds"].dump(), R"(["s_fold_most"])");
  EXPECT_EQ(pieces["leg"], "s_leg");
  EXPECT_EQ(pieces["grid"], "s_grid");
  EXPECT_EQ(pieces["wraps"], false);
}

TEST(PiecesOptions, VerifyCutsGrids) {
  const Workplace here("s.stn", kWave);
  expect_has(ended(here.stencilc("verify s.stn --target=cpu --pieces 1,3")).out,
             {"runs in 1, 3 pieces with the schedule `loops` agree with the interpreter in every "
              "bit"});
}

TEST(PiecesOptions, WhatCannotBeCutIsRefused) {
  const Workplace here("line.stn",
                       "stencil line { axes x; field f32 u boundary clamp; "
                       "reduce all = sum(u); u[t+1] = u[x-1]; }");
  for (const char* const words :
       {"line.stn --distributed", "verify line.stn --target=cpu --pieces 2"})
    expect_has(ended(here.stencilc(words), 1).err,
               {"a grid of `line` has the axis `x` alone, and reductions, which add whole rows "
                "[STN0605]"});
  here.write("ends.stn",
             "stencil ends { axes x, y; field f32 u boundary periodic; "
             "field f32 v in boundary { x: clamp; y: ghost; } u[t+1] = u[y-1] + v[y+1]; }");
  expect_has(ended(here.stencilc("ends.stn --distributed"), 1).err,
             {"along `y`, where grids are cut, `u` is periodic and `v` has `ghost` cells of the "
              "caller [STN0605]"});
  ended(here.stencilc("ends.stn -o ends.cu"));
}

// A piece of it begins at any cell: vectors and tiles of shared memory do not.
TEST(PiecesOptions, AGridOfOneAxisIsCutBySomeSchedules) {
  const Workplace here("line.stn",
                       "stencil line { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }");
  expect_has(ended(here.stencilc("line.stn --distributed -o -")).out,
             {"// Schedule: naive,threads=256\n"
              "//   a piece of a grid of one axis begins at any cell\n"});
  expect_has(ended(here.stencilc("line.stn --distributed --emit=header")).out,
             {"The call computes the cells from", "int64_t nx, int64_t steps,"});
  const auto refusal = [&](const std::string& schedule) {
    return ended(here.stencilc("line.stn --distributed --schedule=" + schedule), 1).err;
  };
  const std::string whole =
      " is for whole rows, and a piece of a grid of one axis begins at any "
      "cell; leave it out";
  expect_has(refusal("coarsened,threads=32,vector=4,steps=3"), {"`steps=3`" + whole});
  expect_has(refusal("coarsened,vector=4"), {"`vector=4`" + whole + ", and write `vector=1`"});
  expect_has(refusal("coarsened,vector=1,shared=loads"), {"`shared=loads`" + whole});
  ended(here.stencilc("line.stn --schedule=coarsened,vector=4 -o line.cu"));
  expect_has(ended(here.stencilc("verify line.stn --target=cpu --pieces 3")).out, {"agree"});
}

TEST(PiecesOptions, WordsThatDoNotGoTogetherAreRefused) {
  const Workplace here("s.stn", kWave);
  for (const char* const words : {"verify s.stn --pieces 0", "verify s.stn --pieces 65",
                                  "verify s.stn --pieces two", "s.stn --pieces 2"})
    ended(here.stencilc(words), 2);
}

}  // namespace
}  // namespace stencilc::test
