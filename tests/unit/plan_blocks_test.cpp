// Blocks of a text: which of them counts, and what is said of those that are wrong.
#include <gtest/gtest.h>

#include "diag/codes.h"
#include "plan/syntax/schedule_block.h"
#include "support/near_miss.h"
#include "support/planned.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::plan {
namespace {

std::string with(const std::string& blocks) {
  return "stencil s { axes x, y, z; field f32 u boundary clamp; u[t+1] = u[x-1] + u[z+4];\n" +
         blocks + "\n}";
}

testing::Parsed checked(std::string text) {
  testing::Analysed analysed = testing::analysed(std::move(text));
  if (analysed.stencil) check_blocks(*analysed.stencil, analysed.parsed.engine);
  return std::move(analysed.parsed);
}

// The text of the block that counts on a device; nothing where none does.
std::string counting(const ir::Stencil& stencil, Target target, const std::string& name) {
  const ir::ScheduleBlock* block = block_for(stencil, target, testing::gpu(name));
  return block ? text_of(*block) : "";
}

TEST(PlanBlocks, TheBlockOfTheDeviceComesBeforeThatForEveryGpu) {
  const ir::Stencil all = testing::canonical(
      with("schedule { coarsened, threads = 32x8 }\n"
           "schedule for sm_90, sm_100 { naive }\nschedule for cpu { loops, stages = split }"));
  EXPECT_EQ(counting(all, Target::cuda, "sm_80"), "coarsened,threads=32x8");
  EXPECT_EQ(counting(all, Target::cuda, "sm_90"), "naive");
  EXPECT_EQ(counting(all, Target::cuda, "sm_100"), "naive");
  EXPECT_EQ(counting(all, Target::cpu, "sm_90"), "loops,stages=split");
  const ir::Stencil gpus = testing::canonical(with("schedule { naive }"));
  EXPECT_EQ(counting(gpus, Target::cpu, "sm_75"), "") << "it says nothing about the CPU";
  const ir::Stencil hopper = testing::canonical(with("schedule for sm_90 { naive }"));
  EXPECT_EQ(counting(hopper, Target::cuda, "sm_100"), "");
}

TEST(PlanBlocks, ABlockIsReadAsTheCommandLineIs) {
  const std::string parts = "coarsened,threads=32x4,vector=4,rows=2,coarsen=z16,shared=boxes";
  const ir::Stencil stencil = testing::canonical(
      with("schedule for sm_90 { coarsened, threads = 32x4, vector = 4, rows = 2, coarsen = z16, "
           "shared = boxes }"));
  const ir::ScheduleBlock& block = stencil.schedules.at(0);
  EXPECT_EQ(text_of(block), parts);
  EXPECT_EQ(ir::head(block), "schedule for sm_90");
  const BlockChoice read = parse(block, stencil, Target::cuda, testing::gpu());
  const Choice requested = parse(parts, stencil, Target::cuda, testing::gpu());
  EXPECT_EQ(read.choice.problem, "");
  EXPECT_EQ(print(read.choice.schedule, stencil), print(requested.schedule, stencil));
  EXPECT_EQ(read.choice.schedule.reason, "set by `schedule for sm_90`");
  EXPECT_EQ(requested.schedule.reason, "set by --schedule");
}

TEST(PlanBlocks, WhatIsComputedIsTheSameWithABlock) {
  const ir::Stencil with_block = testing::canonical(with("schedule for cpu { loops }"));
  EXPECT_EQ(ir::print(with_block), ir::print(testing::canonical(with(""))));
}

// What is reported for blocks: a line each, with the text that is marked.
std::string findings(const std::string& blocks) {
  const testing::Parsed result = checked(with(blocks));
  std::string text;
  for (const diag::Diagnostic& d : result.engine.all()) {
    text += diag::id(d.code) + " " +
            result.sources[0].text.substr(d.at.begin, d.at.end - d.at.begin) + ": " + d.text + "\n";
    for (const diag::Note& note : d.notes)
      text += "  " + result.sources[0].text.substr(note.at.begin, note.at.end - note.at.begin) +
              ": " + note.text + "\n";
  }
  return text;
}

TEST(PlanBlocks, AProblemIsMarkedAtItsPart) {
  const auto finding = [](const std::string& block) {
    std::string all = findings(block);
    if (!all.empty()) all.pop_back();  // of the only line
    return all;
  };
  testing::expect_rows(finding, R"(
    schedule { tiled, threads = 32x8 }
      => STN0601 tiled: there is no schedule `tiled`; the schedules are naive and coarsened
    schedule { naive, threads = 64x32, stages = split }
      => STN0601 threads = 64x32: a block of 2048 threads is too large; the limit is 1024
    schedule { coarsened, coarsen = q4, rows = 2 }
      => STN0601 coarsen = q4: `coarsen=q4`: write an axis and a number, such as `coarsen=z4`
    schedule { coarsened, rows = 2, stages = split, vector = 1, rows = 4 }
      => STN0601 rows = 4: `rows` needs a `vector` of two cells or more
    schedule for cpu { naive } => STN0601 naive: there is no schedule `naive` for the CPU; write `loops`
    // A block is checked on what it names; without a name some GPU can run it.
    schedule for sm_90 { coarsened, shared = boxes, vector = 4 } =>
    schedule { coarsened, shared = boxes, vector = 4 }           =>
    schedule for sm_90, sm_80, sm_75 { coarsened, shared = boxes, vector = 4 }
      => STN0601 shared = boxes: `shared=boxes` needs sm_90 or newer, and the target is sm_80
  )");
  testing::expect_begins(findings("schedule { coarsened, treads = 32x8, rows = 2 }"),
                         "STN0601 treads = 32x8: a schedule has no part");
}

TEST(PlanBlocks, AnArchitectureHasOneBlock) {
  EXPECT_EQ(findings("schedule { naive }\nschedule { coarsened }"),
            "STN0601 schedule { coarsened }: there is a second schedule for every GPU\n"
            "  schedule { naive }: the first is here\n");
  EXPECT_EQ(findings("schedule for sm_80, sm_90 { naive } schedule for cpu, sm_90, cpu { loops }"),
            "STN0601 sm_90: there is a second schedule for `sm_90`\n  sm_90: the first is here\n"
            "STN0601 cpu: there is a second schedule for `cpu`\n  cpu: the first is here\n"
            "STN0601 loops: there is no schedule `loops`; the schedules are naive and coarsened\n");
}

TEST(PlanBlocks, AnArchitectureThatDoesNotExist) {
  const testing::Parsed near = checked(with("schedule for sm_91 { naive }"));
  ASSERT_EQ(near.engine.all().size(), 1u) << testing::rendered(near);
  const diag::Diagnostic& d = near.engine.all()[0];
  EXPECT_EQ(d.text, "there is no architecture `sm_91`");
  EXPECT_EQ(d.helps.at(0).text, "the nearest is `sm_90`");
  EXPECT_EQ(d.helps.at(0).replacement, "sm_90");
  testing::expect_has(testing::rendered(checked(with("schedule for gpu { naive }"))),
                      {"a schedule without `for` is for every GPU"});
}

TEST(PlanBlocks, BordersOfItsCodes) {
  const std::vector<testing::NearMiss> rows = {
      {diag::bad_schedule, "device", with("schedule for sm_75 { naive, resident = 5 }"),
       with("schedule for sm_75 { naive, resident = 4 }")},
      {diag::bad_schedule, "twice", with("schedule { naive } schedule { naive }"),
       with("schedule { naive } schedule for sm_75 { naive }")},
      {diag::bad_arch, "digit", with("schedule for sm_81 { naive }"),
       with("schedule for sm_80 { naive }")},
      {diag::bad_schedule, "example", std::string(diag::row(diag::bad_schedule).failing),
       std::string(diag::row(diag::bad_schedule).mended)},
      {diag::bad_arch, "example", std::string(diag::row(diag::bad_arch).failing),
       std::string(diag::row(diag::bad_arch).mended)},
  };
  testing::expect_borders(rows, checked);
}

}  // namespace
}  // namespace stencilc::plan
