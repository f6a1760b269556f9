// The memory of values: what --explain and the manifest say of it, and how --max-workspace bounds
// it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/pipeline/workspace.h"
#include "support/cli.h"

namespace stencilc::test {
namespace {

using nlohmann::json;

const char* const kTwo =
    "stencil s { axes x, y; field f32 u boundary clamp; field f64 w in boundary { x: ghost; y: "
    "antireflect; } let g = u*u[x+1]; let h = w[x-1]*w; "
    "u[t+1] = g[x+1] - g[x-1] + f32(h[y+1] - h[y-1]); }";

const std::string kFormula =
    "256 + up(up(4 * (nx + (ny - 1) * pitch), 128) + 4 * ((nx + 2) * ny - nx * ny), 256) + "
    "up(up(8 * (nx + (ny - 1) * pitch), 128) + 8 * (nx * (ny + 2) - nx * ny), 256)";

TEST(WorkspaceOptions, ExplainAndTheManifestSayTheSize) {
  const Workplace here("s.stn", kTwo);
  const std::string words = "s.stn --size=100x10 --schedule=naive,global=g+h ";
  // Rows of 100 cells and a halo of one at each end, padded to 128: 9 of them and 100 cells are
  // 1252.
  const int bytes = 256 + (5120 + 80 + 255) / 256 * 256 + (10112 + 1600 + 255) / 256 * 256;
  expect_has(ended(here.stencilc(words + "--explain")).out,
             {"workspace for g, h: " + std::to_string(bytes) + " bytes at 100x10; in general " +
              kFormula + ", where up(n, m) is the next multiple of m"});
  const json explained = json::parse(ended(here.stencilc(words + "--explain=json")).out);
  EXPECT_EQ(
      explained["schedule"]["workspace"],
      json({{"values", {"g", "h"}}, {"bytes", bytes}, {"size", {100, 10}}, {"formula", kFormula}}));
  const json manifest = json::parse(ended(here.stencilc(words + "--emit=manifest")).out);
  EXPECT_EQ(manifest["workspace"], json({{"function", "s_workspace"},
                                         {"arguments", {"workspace", "workspace_bytes"}},
                                         {"values", {"g", "h"}},
                                         {"bytes", kFormula}}));
}

TEST(WorkspaceOptions, SaysWhatIsSetUp) {
  const Workplace here("s.stn",
                       "stencil s { axes x, y; field f32 u boundary clamp; field f32 k in boundary "
                       "clamp; let c = k*k; let g = u*u[x+1]; u[t+1] = c*g + c[x-1]*g[x-1]; }");
  const std::string words = "s.stn --size=100x10 --schedule=naive,setup=c,global=g ";
  const json manifest = json::parse(ended(here.stencilc(words + "--emit=manifest")).out);
  EXPECT_EQ(manifest["workspace"]["values"], json({"c", "g"}));
  EXPECT_EQ(manifest["workspace"]["setup"], json({"c"}));
  EXPECT_EQ(manifest["schedule"], "naive,threads=32x8,setup=c,global=g");
  expect_has(
      ended(here.stencilc(words + "--explain")).out,
      {"set up before the first step of a run: `c`, 4 bytes per cell",
       "kept in memory, computed once per cell: `g`, 4 bytes per cell", "workspace for c, g: "});
  expect_has(ended(here.stencilc(words + "--max-workspace=1000"), 1).err,
             {"`setup=c` with `global=g` keeps", "`--max-workspace` allows 1000"});
  expect_has(ended(here.stencilc("s.stn --distributed --schedule=naive,setup=c"), 1).err,
             {"`setup` is for runs of a whole grid on one device",
              "help: leave `setup` out, or compile without `--distributed`"});
}

TEST(WorkspaceOptions, WhereNothingIsKeptItIsNothing) {
  const Workplace here("s.stn", kTwo);
  expect_lacks(ended(here.stencilc("s.stn --schedule=naive --explain")).out, {"workspace for"});
  const json manifest =
      json::parse(ended(here.stencilc("s.stn --schedule=naive --emit=manifest")).out);
  EXPECT_EQ(manifest["workspace"]["bytes"], "0");
  EXPECT_EQ(manifest["workspace"]["values"], json::array());
  here.write("none.stn", "stencil s { axes x; field f32 u; u[t+1] = 2*u; }");
  EXPECT_FALSE(
      json::parse(ended(here.stencilc("none.stn --emit=manifest")).out).contains("workspace"));
}

TEST(WorkspaceOptions, ASizeThatDoesNotFitIsTheGreatest) {
  ir::Stencil stencil;
  stencil.axes = {"x"};
  ir::Field field;
  field.name = "g";
  stencil.fields.push_back(field);
  EXPECT_EQ(driver::workspace_bytes(stencil, {100, 1, 1}), 0u);
  stencil.fields[0].temporary = true;
  EXPECT_EQ(driver::workspace_bytes(stencil, {100, 1, 1}), 256u + 512u);
  EXPECT_EQ(driver::workspace_bytes(stencil, {int64_t{1} << 62, 1, 1}), UINT64_MAX);
}

TEST(WorkspaceOptions, AScheduleThatKeepsMoreIsRefused) {
  const Workplace here("s.stn", kTwo);
  const std::string words = "s.stn --emit=schedule --size=100x10 ";
  ended(here.stencilc(words + "--schedule=naive,global=g+h --max-workspace=17408"));
  expect_has(
      ended(here.stencilc(words + "--schedule=naive,global=g+h --max-workspace=17407"), 1).err,
      {"`global=g+h` keeps 17408 bytes of values in memory at 100x10, and `--max-workspace` allows "
       "17407",
       "help: keep fewer values, allow more bytes, or say with `--size` which grids are meant"});
  ended(here.stencilc(words + "--schedule=naive,global=g --max-workspace=17407"));
  ended(here.stencilc(words + "--schedule=naive --max-workspace=0"));
  expect_has(ended(here.stencilc(words + "--max-workspace=1k"), 2).err,
             {"`--max-workspace 1k`: write a whole number in decimal digits"});
  expect_has(ended(here.stencilc(words + "--max-workspace=18446744073709551616"), 2).err,
             {"--max-workspace", "18446744073709551615"});
}

TEST(WorkspaceOptions, TheCompilerLeavesOutWhatDoesNotFit) {
  const Workplace here;
  const std::string words = "'" STENCILC_SOURCE_DIR
                            "/examples/apps/tti.stn' --emit=schedule --size=512x512x512 "
                            "--max-workspace=";
  expect_has(ended(here.stencilc(words + "2735476992")).out, {"global=gq+gp+ay+ax+az"});
  const std::string fewer = ended(here.stencilc(words + "2735476991")).out;
  expect_has(fewer, {"global=gq+gp+ay+ax"});
  expect_lacks(fewer, {"az"});
  expect_lacks(ended(here.stencilc(words + "0")).out, {"global"});
}

}  // namespace
}  // namespace stencilc::test
