// --explain and --explain=json: what they say of a stencil, and that they say the same.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/cli.h"

namespace stencilc {
namespace {

using nlohmann::json;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::Finished;
using test::has;
using test::Names;
using test::Workplace;

class Explained : public Workplace {
 public:
  explicit Explained(const std::string& stencil) : Workplace("s.stn", stencil) {}

  std::string text(const std::string& options = "--arch=sm_90") const {
    return said("--explain " + options);
  }
  json as_json(const std::string& options = "--arch=sm_90") const {
    return json::parse(said("--explain=json " + options));
  }

 private:
  std::string said(const std::string& words) const {
    const Finished finished = ended(stencilc("s.stn " + words));
    EXPECT_EQ(files(), Names{"s.stn"}) << "nothing is written";
    return finished.out;
  }
};
// A stencil of a field with a boundary on axes such as "x, y".
std::string clamped(const std::string& axes, const std::string& items) {
  return "stencil s {\n  axes  " + axes + ";\n  field f32 u  boundary clamp;\n  " + items + "\n}\n";
}

const std::string kHeat =
    "stencil heat {\n  axes  x, y;\n  field f32 u  boundary clamp;\n"
    "  u[t+1] = u + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u);\n}\n";
// With its several steps per launch, and with one.
const std::string kSingle = "--arch=sm_90 --schedule=coarsened",
                  kFourSteps =
                      "--arch=sm_90 --schedule=coarsened,threads=32x4,vector=2,coarsen=y16,steps=4";
const std::string kDivided =
    "stencil s {\n  axes  x;\n  param f32 h, k;\n  field f32 u;\n"
    "  u[t+1] = u*u/3 + u*u/(h*k) + u*u/16;\n}\n";

// A program, options, and lines of the explanation (`/` parts lines that stand one after the
// other); `lacks:`: what no line holds.
constexpr const char* kRows = R"(
  // Of its own choice.
  HEAT => => lacks: the model predicts => lacks: divisions => lacks: touch the boundary => lacks: one step per launch:
  // What a cell takes, and what each level of memory moves.
  HEAT => --schedule=coarsened
    => Cost per cell and step: at least 8 bytes of memory traffic (4 read, 4 stored); 1 multiplication, 4 fused
       multiply-adds; 9 flop, 1.1 flop per byte
    => Predicted for H200 SXM5 at 16384x16384: ... => ... times the roofline, limited by memory bandwidth
    => ... registers per thread, so that a multiprocessor holds ... => bytes per cell: ...
    => rejected: naive,threads=32x8: predicted ... => not considered, because the model was not fitted to them:
       sides=lanes, ...
    => What would help / memory traffic is the limit; fields of f16 or bf16 instead of f32... => lacks: by a model
  // A model that does not know it.
  stencil s { axes x, y, z; field f32 u boundary zero; points at; series f32 pulse(at); u[t+1] = u +
    0.1*laplacian(u); inject u[t+1] += pulse[t] at at; } =>
    => one step per launch: with sources or receivers, several steps per launch were no faster in measurements in
       1-D and 3-D; a schedule can still ask for them
  // And its advice says so.
  stencil s { axes x, y; field f64 u boundary zero; points at; series f64 pulse(at); u[t+1] = u + 0.1*laplacian(u)/(1 +
    u*u)/(2 + u*u)/(3 + u*u); inject u[t+1] += pulse[t] at at; } =>
    => one step per launch: the performance model does not cover several steps per launch with divisions...
    => ...times as fast, but it was not fitted to this kind: `stencilc bench` measures both
  CLAMPED u[t+1] = u[x-1] + u[x+1] - u[t-2]; } => => one step per launch: `u` is read at 3 time levels
  // A faster kind than the one that is asked for.
  HEAT => --schedule=naive,threads=32x1 => the model predicts that `--schedule=coarsened,... => ... times as fast
  // Divisions that could be products.
  DIVIDED => => all cells divide by the same numbers (`3`; an expression of `h`, `k`): a product with...
  // Kernels that are not predicted.
  CLAMPED reduce total = sum(u); u[t+1] = u - total; } => => reduce: ... => this leaves out `reduce`
  CLAMPED u[t+1] = 0.5*u[x-1] + 0.5*u[x+1]; reduce total = sum(u[t+1]); } =>
    => ...`, which takes the steps with reductions
  // Where bytes are the limit, the widest fields.
  stencil s { axes x, y; field f64 u; field f64 c in; field f32 d in; u[t+1] = u + c*d; } =>
    => ...fields of f32 instead of f64 would halve it: `u`, `c`
  // Blocks at the boundary, where they are many.
  SPACE u[t+1] = 0.4*u + 0.1*(u[x-1] + u[x+1] + u[z-1] + u[z+1]); } => --schedule=coarsened
    => ...take more instructions; with `ghost` sides, ...
  SPACE u[t+1] = 0.4*u + 0.1*(u[x-1] + u[x+1] + u[z-1] + u[z+1]) on z >= 1, z < nz-1; } => --schedule=coarsened
    => ... take more instructions
  HEAT => --size=64x64 --schedule=coarsened => ...touch the boundary...
  HEAT => --size=64x32 --schedule=coarsened
    => Predicted for H200 SXM5 at 64x32: ... => the grids fit in its L2 cache, ...
    => ... % of the time passes between launches => ... % of the GPU: use smaller blocks ...
  // What the model is not fitted to, of the schedule itself.
  HEAT => --schedule=coarsened,threads=32x8,vector=2,coarsen=y1,sides=lanes
    => the model was not fitted to `sides=lanes`
  HEAT => --schedule=coarsened,threads=32x8,vector=2,coarsen=y1 => lacks: the model was not fitted to `
  // Launches of several steps.
  HEAT => --schedule=coarsened,threads=32x4,vector=2,coarsen=y16,steps=4
    => ...: up to 4 steps per launch; ... => this leaves out `step`, which takes the steps that remain at the end of...
    => bytes per cell and step: ... => tiles overlap by their halos: ... => ...,steps=16,resident=8: ...
  // Colours are launches of their own.
  stencil s { axes x, y; field f32 p boundary zero; color red, black by (x + y) % 2; p = 0.25*(p[x-1] + p[x+1] +
    p[y-1] + p[y+1]); } => => this takes all cells in one launch; each of the 2 colours is a launch of its own, ...
)";

TEST(Explain, TheTextSaysWhatWasDecidedAndWhatIsPredicted) {
  const std::pair<std::string, std::string> names[] = {
      {"HEAT", kHeat},
      {"DIVIDED", kDivided},
      {"CLAMPED", "stencil s { axes x, y; field f32 u boundary clamp; "},
      {"SPACE", "stencil s { axes x, y, z; field f32 u boundary clamp; "}};
  for (const testing::Cells& row : testing::rows(kRows)) {
    SCOPED_TRACE(row[0] + " " + row[1]);
    std::string stencil = row[0];
    for (const auto& [name, text] : names)
      if (stencil.starts_with(name)) stencil.replace(0, name.size(), text);
    const std::string text = Explained(stencil).text("--arch=sm_90 " + row[1]);
    for (size_t n = 2; n < row.size(); ++n)
      if (row[n].starts_with("lacks: "))
        expect_lacks(text, {row[n].substr(7)});
      else
        test::expect_lines(text, testing::parts_of(row[n], " / "));
  }
}

TEST(Explain, JsonHoldsWhatTheTextSays) {
  const Explained here(kHeat);
  const json all = here.as_json(kSingle);
  const std::string text = here.text(kSingle);
  EXPECT_EQ(all["schema"], 2);
  EXPECT_EQ(all["stencil"], "heat");
  EXPECT_EQ(all["fields"][0]["reads"], json::parse(R"([{"level": 0, "points": 5}])"));
  EXPECT_EQ(all["fields"][0]["boundary"], "clamp");
  EXPECT_TRUE(has(text, "\nSchedule: " + all["schedule"]["text"].get<std::string>() + "\n  " +
                            all["schedule"]["reason"].get<std::string>() + "\n"))
      << text;
  EXPECT_EQ(all["cell"]["flops"], 9);
  EXPECT_EQ(all["cell"]["operations"]["fused"], 4);
  EXPECT_EQ(all["cell"]["bytes"], json::parse(R"({"read": 4, "stored": 4})"));
  const json& kernel = all["kernels"][0];
  EXPECT_EQ(kernel["name"], "step");
  EXPECT_EQ(kernel["points"], 5);
  EXPECT_EQ(kernel["if_registers_allow"][0]["arch"], "sm_90");
  const json& device = all["devices"][0];
  EXPECT_EQ(device["roofline"]["cells_per_second_by_memory"], 530e9);
  const json& prediction = device["prediction"];
  EXPECT_EQ(prediction["size"], json::parse("[16384, 16384]"));
  const double rate = prediction["cells_per_second"];
  EXPECT_NEAR(prediction["seconds_per_step"].get<double>() * rate, 16384.0 * 16384, 1e6);
  EXPECT_NEAR(prediction["of_roofline"].get<double>(), rate / 530e9, 1e-3);
  EXPECT_EQ(prediction["limit"], "memory");
  // Without an architecture, too, the roofline is that of the card of the prediction.
  const json any = Explained(kHeat).as_json("")["devices"][0];
  EXPECT_EQ(any["roofline"]["cells_per_second_by_memory"], 530e9) << any["card"];
  const json& launch = prediction["kernels"][0];
  EXPECT_EQ(launch["kernel"], "step");
  EXPECT_NEAR(launch["occupancy"].get<double>(),
              launch["warps"].get<double>() / launch["of_warps"].get<double>(), 1e-3);
  EXPECT_GE(launch["bytes_per_cell"]["loaded_by_threads"], launch["bytes_per_cell"]["from_l2"]);
  EXPECT_GE(launch["bytes_per_cell"]["from_l2"], launch["bytes_per_cell"]["from_memory"]);
  EXPECT_GE(launch["bytes_per_cell"]["from_memory"], 4);
  for (const json& other : prediction["rejected"])
    EXPECT_TRUE(has(text, "\n  rejected: " + other["schedule"].get<std::string>() + ": ")) << text;
  for (const json& advice : device["advice"])
    EXPECT_TRUE(has(text, "\n  " + advice.get<std::string>() + "\n")) << text;
}

void collect_members(const json& value, std::set<std::string>& names) {
  for (const auto& [name, member] : value.items()) {
    if (value.is_object()) names.insert(name);
    if (member.is_structured()) collect_members(member, names);
  }
}

TEST(Explain, EveryMemberIsInTheCommandLinesGuide) {
  std::set<std::string> names;
  collect_members(Explained(kHeat + kDivided).as_json("--arch=sm_90 --devices=2"), names);
  collect_members(Explained(kHeat).as_json("--arch=sm_90 --devices=64 --size=64x64"), names);
  EXPECT_GT(names.size(), 50u);
  const std::string guide = test::read(std::string(STENCILC_SOURCE_DIR) + "/docs/cli.md");
  for (const std::string& name : names) EXPECT_TRUE(has(guide, "`" + name + "`")) << name;
}

TEST(Explain, SeveralStencilsAreAList) {
  const Explained here(kHeat + kDivided);
  const json all = here.as_json();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["stencil"], "heat");
  EXPECT_EQ(all[1]["stencil"], "s");
  EXPECT_EQ(here.as_json("--stencil=heat")["stencil"], "heat");
}

TEST(Explain, JsonKnowsSizesDivisionsAndKernelsThatAreNotPredicted) {
  const Explained heat(kHeat);
  EXPECT_EQ(
      heat.as_json(
          "--arch=sm_90 --size=64x32 --schedule=coarsened")["devices"][0]["prediction"]["size"],
      json::parse("[64, 32]"));
  EXPECT_EQ(Explained(kDivided).as_json()["cell"]["operations"]["divisions"], 2);
  const json reduced =
      Explained(clamped("x, y", "reduce total = sum(u);\n  u[t+1] = u - total;")).as_json();
  EXPECT_EQ(reduced["kernels"].size(), 2u);
  EXPECT_EQ(reduced["devices"][0]["prediction"]["kernels"].size(), 1u);
  const json late = Explained(clamped("x, y", "u[t+1] = u[x-1] + u[x+1] - u[t-2];")).as_json();
  EXPECT_EQ(late["schedule"]["one_step_because"], "`u` is read at 3 time levels");
  EXPECT_FALSE(heat.as_json()["schedule"].contains("one_step_because"));
  const json cpu = heat.as_json("--target=cpu");
  EXPECT_EQ(cpu["schedule"]["text"], "loops");
  EXPECT_TRUE(cpu["kernels"].empty());
  EXPECT_TRUE(cpu["devices"].empty());
}

TEST(Explain, WhereWaitingIsTheLimitMoreWarpsAreNamed) {
  const auto resident = [](const std::string& stencil, const std::string& schedule,
                           const std::string& limit, int& blocks) {
    const Explained here(stencil);
    const std::string options = "--arch=sm_90 --schedule=" + schedule;
    const json prediction = here.as_json(options)["devices"][0]["prediction"];
    EXPECT_EQ(prediction["limit"], limit) << schedule;
    blocks = prediction["kernels"][0]["blocks"];
    return has(here.text(options),
               "`resident=" + std::to_string(blocks + 1) + "` limits each thread to ");
  };
  int blocks = 0;
  const std::string star =
      "stencil wide {\n  axes  x, y, z;\n  field f64 u  boundary clamp;\n"
      "  u[t+1] = sum(i in -4..4 : u[x+i] + u[y+i] + u[z+i]);\n}\n";
  EXPECT_TRUE(resident(star, "coarsened,threads=64x4,vector=2,coarsen=y4", "latency", blocks));
  EXPECT_LT(blocks, 8);
  EXPECT_FALSE(resident(kHeat, "naive,threads=32x8", "memory", blocks));
  EXPECT_EQ(blocks, 8) << "no more fit";
}

TEST(Explain, LaunchesOfSeveralStepsArePredictedAndOthersOfMoreAndFewerBeside) {
  const Explained here(kHeat);
  const json all = here.as_json(kFourSteps);
  ASSERT_EQ(all["kernels"].size(), 2u) << all;
  EXPECT_EQ(all["kernels"][0]["most_steps"], 4);
  EXPECT_EQ(all["kernels"][1]["most_steps"], 1);
  const json& prediction = all["devices"][0]["prediction"];
  ASSERT_EQ(prediction["kernels"].size(), 1u);
  const json& launch = prediction["kernels"][0];
  EXPECT_EQ(launch["kernel"], all["kernels"][0]["name"]);
  EXPECT_EQ(launch["steps"], 4);
  EXPECT_GT(launch["computed_per_cell"], 1.3) << "chunks of 16 rows overlap by 8";
  EXPECT_EQ(launch["bytes_per_cell"]["stored"], 1) << "of a step";
  std::set<int> degrees;
  for (const json& other : prediction["rejected"]) {
    const std::string schedule = other["schedule"];
    const size_t at = schedule.find(",steps=");
    degrees.insert(at == std::string::npos ? 1 : std::stoi(schedule.substr(at + 7)));
  }
  EXPECT_TRUE(degrees.count(1) && degrees.count(2) && degrees.count(12)) << prediction["rejected"];
  EXPECT_FALSE(degrees.count(4)) << "what is taken is not rejected";
}

TEST(Explain, GridsOfKnownSizeGetWhatIsFastestThere) {
  const auto taken = [](const std::string& size) {
    const std::string text =
        Explained(kHeat).as_json("--arch=sm_90 --size=" + size)["schedule"]["text"];
    return has(text, ",rows=");
  };
  EXPECT_TRUE(taken("200x200")) << "a tile";
  EXPECT_FALSE(taken("16384x16384")) << "warps that stream";
}

TEST(Explain, JsonNeedsAnInputAndErrorsGiveNone) {
  const Explained here("stencil s { axes x; field f32 u; u[t+1] = v; }\n");
  EXPECT_EQ(ended(here.stencilc("s.stn --explain=json"), 1).out, "");
  expect_has(ended(here.stencilc("--explain=json"), 2).err, {"no input file"});
}

}  // namespace
}  // namespace stencilc
