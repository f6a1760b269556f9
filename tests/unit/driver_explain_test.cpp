// --explain and --explain=json: what they say of a stencil, and that they say the same.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/cli.h"

namespace stencilc {
namespace {

using nlohmann::json;
using test::Finished;
using test::Names;
using test::Workplace;

class Explained : public Workplace {
 public:
  explicit Explained(const std::string& stencil) { write("s.stn", stencil); }

  std::string text(const Names& options = {"--arch=sm_90"}) const {
    return said("--explain", options);
  }
  json as_json(const Names& options = {"--arch=sm_90"}) const {
    return json::parse(said("--explain=json", options));
  }

 private:
  std::string said(const std::string& how, const Names& options) const {
    Names words = {"s.stn", how};
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = stencilc(words);
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(files(), Names{"s.stn"}) << "nothing is written";
    return finished.out;
  }
};

const std::string kHeat =
    "stencil heat {\n  axes  x, y;\n  field f32 u  boundary clamp;\n"
    "  u[t+1] = u + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u);\n}\n";
// With its several steps a launch, and with one.
const Names kSingle = {"--arch=sm_90", "--schedule=coarsened"};
const std::string kDivided =
    "stencil s {\n  axes  x;\n  param f32 h, k;\n  field f32 u;\n"
    "  u[t+1] = u*u/3 + u*u/(h*k) + u*u/16;\n}\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Explain, SaysWhatIsPredictedByAModelThatDoesNotKnowIt) {
  const std::string shots =
      "stencil s {\n  axes  x, y, z;\n  field f32 u  boundary zero;\n  points at;\n  series f32 "
      "pulse(at);\n  u[t+1] = u + 0.1*laplacian(u);\n  inject u[t+1] += pulse[t] at at;\n}\n";
  const std::string text = Explained(shots).text();
  EXPECT_TRUE(has(text,
                  "\n  a launch takes one step: tiles that take sources and receivers gained "
                  "nothing where they were timed; a schedule may ask for them\n"))
      << text;
  EXPECT_FALSE(has(Explained(kHeat).text(kSingle), "by a model")) << text;
}

TEST(Explain, SaysWhatACellTakesAndWhatEachLevelOfMemoryMoves) {
  const std::string text = Explained(kHeat).text(kSingle);
  EXPECT_TRUE(has(text,
                  "\nA cell of a step takes at least 8 bytes (4 read, 4 stored), and 1 "
                  "multiplication, 4 fused multiply-adds; 9 flop, 1.1 a byte\n"))
      << text;
  EXPECT_TRUE(has(text, "\nPredicted for H200 SXM5 at 16384x16384: ")) << text;
  EXPECT_TRUE(has(text, " of the roofline, limited by the memory\n")) << text;
  EXPECT_TRUE(has(text, " registers a thread, with which a multiprocessor holds ")) << text;
  EXPECT_TRUE(has(text, " bytes are loaded by threads, ")) << text;
  EXPECT_TRUE(has(text, "\n  not naive,threads=32x8: ")) << text;
  EXPECT_TRUE(has(text, "\n  not weighed, because the model is not fitted to them: sides=lanes, "))
      << text;
  EXPECT_TRUE(has(text, "\nWhat would help\n  bytes are the limit, and f16 or bf16 take half"))
      << text;
}

TEST(Explain, JsonHoldsWhatTheTextSays) {
  const Explained here(kHeat);
  const json all = here.as_json(kSingle);
  const std::string text = here.text(kSingle);
  EXPECT_EQ(all["schema"], 1);
  EXPECT_EQ(all["stencil"], "heat");
  EXPECT_EQ(all["fields"][0]["reads"], json::parse(R"([{"level": 0, "points": 5}])"));
  EXPECT_EQ(all["fields"][0]["boundary"], "clamp");
  EXPECT_TRUE(has(text, "\nSchedule " + all["schedule"]["text"].get<std::string>() + "\n  " +
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
  const json& launch = prediction["kernels"][0];
  EXPECT_EQ(launch["kernel"], "step");
  EXPECT_NEAR(launch["occupancy"].get<double>(),
              launch["warps"].get<double>() / launch["of_warps"].get<double>(), 1e-3);
  EXPECT_GE(launch["bytes_per_cell"]["loaded_by_threads"], launch["bytes_per_cell"]["from_l2"]);
  EXPECT_GE(launch["bytes_per_cell"]["from_l2"], launch["bytes_per_cell"]["from_memory"]);
  EXPECT_GE(launch["bytes_per_cell"]["from_memory"], 4);
  for (const json& other : prediction["rejected"])
    EXPECT_TRUE(has(text, "\n  not " + other["schedule"].get<std::string>() + ": ")) << text;
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
  collect_members(Explained(kHeat + kDivided).as_json(), names);
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
  EXPECT_EQ(here.as_json({"--stencil=heat"})["stencil"], "heat");
}

TEST(Explain, TheSizeIsThatOfTheGrids) {
  const Explained here(kHeat);
  const Names one_step = {"--arch=sm_90", "--size=64x32", "--schedule=coarsened"};
  const json small = here.as_json(one_step)["devices"][0]["prediction"];
  EXPECT_EQ(small["size"], json::parse("[64, 32]"));
  const std::string text = here.text(one_step);
  EXPECT_TRUE(has(text, "\nPredicted for H200 SXM5 at 64x32: ")) << text;
  EXPECT_TRUE(has(text, "\n  the grids fit in its L2, ")) << text;
  EXPECT_TRUE(has(text, " % of the time pass between launches\n")) << text;
  EXPECT_TRUE(has(text, " % of the card at once, ")) << text;
}

TEST(Explain, AFasterKindThanTheOneThatIsAskedForIsNamed) {
  const std::string text = Explained(kHeat).text({"--arch=sm_90", "--schedule=naive,threads=32x1"});
  const size_t at = text.find("\n  by the model `--schedule=coarsened,");
  ASSERT_NE(at, text.npos) << text;
  EXPECT_TRUE(has(text.substr(at), " times as fast\n")) << text;
  EXPECT_FALSE(has(Explained(kHeat).text(), "\n  by the model `")) << "of its own choice";
}

TEST(Explain, DivisionsThatCouldBeProductsAreNamedAndPowersOfTwoAreProducts) {
  const Explained here(kDivided);
  const std::string text = here.text();
  EXPECT_TRUE(has(text, "\n  divisions by `3`, what is made of `h`, `k`, the same for all cells, "))
      << text;
  EXPECT_EQ(here.as_json()["cell"]["operations"]["divisions"], 2);
  EXPECT_FALSE(has(Explained(kHeat).text(), "divisions"));
}

TEST(Explain, KernelsThatAreNotPredictedAreNamed) {
  const Explained here(
      "stencil s {\n  axes  x, y;\n  field f32 u  boundary clamp;\n"
      "  reduce total = sum(u);\n  u[t+1] = u - total;\n}\n");
  const std::string text = here.text();
  EXPECT_TRUE(has(text, "\n  reduce: ")) << text;
  EXPECT_TRUE(has(text, "\n  without `reduce`, which is not predicted\n")) << text;
  const json all = here.as_json();
  EXPECT_EQ(all["kernels"].size(), 2u);
  EXPECT_EQ(all["devices"][0]["prediction"]["kernels"].size(), 1u);
  const Explained asked(
      "stencil s {\n  axes  x, y;\n  field f32 u  boundary clamp;\n"
      "  u[t+1] = 0.5*u[x-1] + 0.5*u[x+1];\n  reduce total = sum(u[t+1]);\n}\n");
  EXPECT_TRUE(has(asked.text(), " for a step without reductions; `")) << asked.text();
}

TEST(Explain, WhereBytesAreTheLimitTheWidestFieldsAreNamed) {
  const Explained here(
      "stencil s {\n  axes  x, y;\n  field f64 u;\n  field f64 c in;\n  field f32 d in;\n"
      "  u[t+1] = u + c*d;\n}\n");
  EXPECT_TRUE(has(here.text(), "f32 takes half of those of f64: `u`, `c`\n")) << here.text();
}

TEST(Explain, WhereWaitingIsTheLimitMoreWarpsAreNamed) {
  const auto resident = [](const std::string& stencil, const std::string& schedule, int& blocks) {
    const Explained here(stencil);
    const Names options = {"--arch=sm_90", "--schedule=" + schedule};
    const json prediction = here.as_json(options)["devices"][0]["prediction"];
    EXPECT_EQ(prediction["limit"], "latency") << schedule;
    blocks = prediction["kernels"][0]["blocks"];
    return has(here.text(options), "`resident=" + std::to_string(blocks + 1) + "` asks for ");
  };
  int blocks = 0;
  const std::string star =
      "stencil s {\n  axes  x, y, z;\n  field f32 u  boundary clamp;\n"
      "  u[t+1] = sum(i in -4..4 : u[x+i] + u[y+i] + u[z+i]);\n}\n";
  EXPECT_TRUE(resident(star, "coarsened,threads=64x4,vector=2,coarsen=y4", blocks));
  EXPECT_LT(blocks, 8);
  EXPECT_FALSE(resident(kHeat, "naive,threads=32x8", blocks));
  EXPECT_EQ(blocks, 8) << "no more fit";
}

TEST(Explain, BlocksAtTheRimAreCountedWhereTheyAreMany) {
  const std::string begin =
      "stencil s {\n  axes  x, y, z;\n  field f32 u  boundary clamp;\n"
      "  u[t+1] = 0.4*u + 0.1*(u[x-1] + u[x+1] + u[z-1] + u[z+1])";
  const Names one_step = {"--arch=sm_90", "--schedule=coarsened"};
  const std::string everywhere = Explained(begin + ";\n}\n").text(one_step);
  EXPECT_TRUE(has(everywhere, "more instructions than others; beyond `ghost` sides, "))
      << everywhere;
  const std::string inside = Explained(begin + "  on z >= 1, z < nz-1;\n}\n").text(one_step);
  EXPECT_TRUE(has(inside, " more instructions than others\n")) << inside;
  EXPECT_FALSE(has(Explained(kHeat).text(), "the rim"));
  EXPECT_TRUE(has(Explained(kHeat).text({"--arch=sm_90", "--size=64x64", "--schedule=coarsened"}),
                  "the rim"));
}

TEST(Explain, WhatTheModelIsNotFittedToIsSaidOfTheScheduleItself) {
  const auto text = [](const std::string& schedule) {
    return Explained(kHeat).text({"--arch=sm_90", "--schedule=coarsened," + schedule});
  };
  const std::string lanes = text("threads=32x8,vector=2,coarsen=y1,sides=lanes");
  EXPECT_TRUE(has(lanes, "\n  the model is not fitted to `sides=lanes`\n")) << lanes;
  EXPECT_FALSE(has(text("threads=32x8,vector=2,coarsen=y1"), "\n  the model is not fitted"));
}

TEST(Explain, LaunchesOfSeveralStepsArePredictedAndOthersOfMoreAndFewerBeside) {
  const Explained here(kHeat);
  const Names options = {"--arch=sm_90",
                         "--schedule=coarsened,threads=32x4,vector=2,coarsen=y16,steps=4"};
  const json all = here.as_json(options);
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
  const std::string text = here.text(options);
  EXPECT_TRUE(has(text, ": up to 4 steps a launch, ")) << text;
  EXPECT_TRUE(has(text, "\n  for runs of many steps; `step`, which takes what is left of them, is"))
      << text;
  EXPECT_TRUE(has(text, "\n    for a cell and a step ")) << text;
  EXPECT_TRUE(has(text, "\n    strips and chunks overlap: ")) << text;
  EXPECT_TRUE(has(text, ",steps=16,resident=8: ")) << text;
}

TEST(Explain, WhyALaunchTakesOneStepIsSaid) {
  const Explained wave(
      "stencil s {\n  axes  x, y;\n  field f32 u  boundary clamp;\n"
      "  u[t+1] = u[x-1] + u[x+1] - u[t-2];\n}\n");
  EXPECT_TRUE(has(wave.text(), "\n  a launch takes one step: `u` is read at 3 time levels\n"));
  EXPECT_EQ(wave.as_json()["schedule"]["one_step_because"], "`u` is read at 3 time levels");
  EXPECT_FALSE(has(Explained(kHeat).text(), "a launch takes one step"));
  EXPECT_FALSE(Explained(kHeat).as_json()["schedule"].contains("one_step_because"));
}

TEST(Explain, GridsOfKnownSizeGetWhatIsFastestThere) {
  const auto taken = [](const std::string& size) {
    const std::string text =
        Explained(kHeat).as_json({"--arch=sm_90", "--size=" + size})["schedule"]["text"];
    return has(text, ",rows=");
  };
  EXPECT_TRUE(taken("200x200")) << "a tile";
  EXPECT_FALSE(taken("16384x16384")) << "strips";
}

TEST(Explain, ColoursAreLaunchesOfTheirOwn) {
  const std::string text = Explained(
                               "stencil s {\n  axes  x, y;\n  field f32 p  boundary zero;\n"
                               "  color red, black by (x + y) % 2;\n  p = 0.25*(p[x-1] + p[x+1] + "
                               "p[y-1] + p[y+1]);\n}\n")
                               .text();
  EXPECT_TRUE(has(text, "\n  for all cells at once; the 2 colours are launches of their own, "))
      << text;
}

TEST(Explain, TheCpuHasNoKernelsAndNoDevices) {
  const Explained here(kHeat);
  const json all = here.as_json({"--target=cpu"});
  EXPECT_EQ(all["schedule"]["text"], "loops");
  EXPECT_TRUE(all["kernels"].empty());
  EXPECT_TRUE(all["devices"].empty());
}

TEST(Explain, JsonNeedsAnInputAndErrorsGiveNone) {
  const Explained here("stencil s { axes x; field f32 u; u[t+1] = v; }\n");
  const Finished wrong = here.stencilc({"s.stn", "--explain=json"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.out, "");
  const Finished none = here.stencilc({"--explain=json"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, "no input file")) << none.err;
}

}  // namespace
}  // namespace stencilc
