// Passes over kernels: what goes, and what has to stay.
#include <gtest/gtest.h>

#include "kernel/build.h"
#include "kernel/ring.h"
#include "passes/dead_code.h"
#include "passes/early_launch.h"
#include "passes/prune_variants.h"
#include "passes/texture_loads.h"
#include "passes/unused_arguments.h"

namespace stencilc::passes {
namespace {

using namespace kernel;

const Buffer kRead{"a", Type::f32, false}, kWritten{"c", Type::f32, true};
const ExprPtr kX = var("x");

Stmt stored(ExprPtr value) { return {Store{kWritten, kX, std::move(value)}}; }
ExprPtr flag(const std::string& name) { return var(name, Type::boolean); }
ExprPtr if_flag(const std::string& name) { return pick(flag(name), index(1), index(0)); }

// A kernel with two flags, of which the body asks for these.
Module variants(const std::vector<std::string>& requested, bool apart) {
  Variants variants{"cells", "edge", flag("inside"), {}, ""};
  variants.further = {"corner"};
  variants.cases = {{flag("rows_inside"), {true, false}}};
  variants.apart = apart;
  variants.takes = {"first", "last"};
  variants.body.push_back({Let{"first_again", var("first")}});
  for (const std::string& name : requested)
    variants.body.push_back({Let{"at_" + name, if_flag(name)}});
  ExprPtr at = kX;
  for (const std::string& name : requested) at = add(at, var("at_" + name));
  variants.body.push_back({Store{kWritten, at, load(kRead, add(kX, var("last")))}});
  Module module;
  module.launches.emplace_back();
  module.launches[0].kernel.body.push_back({std::move(variants)});
  prune_variants(module);
  return module;
}
const Variants* variants_of(const Module& module) {
  return std::get_if<Variants>(&module.launches[0].kernel.body[0].node);
}

TEST(PruneVariants, FlagsThatAreAskedForStay) {
  const Module module = variants({"edge", "corner"}, true);
  const Variants* variants = variants_of(module);
  ASSERT_NE(variants, nullptr);
  EXPECT_EQ(variants->flag, "edge");
  EXPECT_EQ(variants->further, std::vector<std::string>{"corner"});
  ASSERT_EQ(variants->cases.size(), 1u);
  EXPECT_EQ(variants->cases[0].second, (std::vector<bool>{true, false}));
  EXPECT_EQ(variants->takes, std::vector<std::string>{"last"}) << "only dead code reads the other";
  EXPECT_EQ(variants->body.size(), 3u);
}

TEST(PruneVariants, AVariantThatDoesNotDifferGoes) {
  for (const std::string name : {"edge", "corner"}) {
    const Module module = variants({name}, true);
    const Variants* variants = variants_of(module);
    ASSERT_NE(variants, nullptr);
    EXPECT_EQ(variants->flag, name);
    EXPECT_TRUE(variants->further.empty());
    EXPECT_TRUE(variants->cases.empty());
  }
}

TEST(PruneVariants, WithoutAFlagTheBodyIsAllThatIsLeft) {
  const Module module = variants({}, false);
  EXPECT_EQ(variants_of(module), nullptr);
  EXPECT_EQ(module.launches[0].kernel.body.size(), 1u);
}

TEST(DeadCode, WhatOnlyADroppedValueReadGoesToo) {
  Body body = {{Let{"a1", load(kRead, kX)}},
               {Let{"a2", var("a1", Type::f32)}},
               {Let{"used", load(kRead, kX)}},
               stored(var("used", Type::f32))};
  body = without_dead_code(std::move(body));
  ASSERT_EQ(body.size(), 2u);
  EXPECT_EQ(std::get<Let>(body[0].node).name, "used");
}

TEST(EarlyLaunch, TheWaitComesFirstAndOnce) {
  Module module;
  for (const bool early : {true, false}) {
    module.launches.emplace_back();
    module.launches.back().kernel.early = early;
    module.launches.back().kernel.body = {stored(load(kRead, kX))};
  }
  for (int times = 0; times < 2; ++times) wait_for_previous_launch(module);
  ASSERT_EQ(module.launches[0].kernel.body.size(), 2u);
  EXPECT_NE(std::get_if<Follow>(&module.launches[0].kernel.body[0].node), nullptr);
  EXPECT_EQ(module.launches[1].kernel.body.size(), 1u);
}

// A launch whose kernel has these buffers of grids on x and y, the last one on y alone.
Module with_texels(int texel, const std::vector<Buffer>& buffers, Body body) {
  Module module;
  module.extents = {"nx", "ny"};
  Launch launch;
  launch.kernel.texel = texel;
  launch.kernel.buffers = buffers;
  launch.kernel.body = std::move(body);
  for (const Buffer& buffer : buffers) {
    launch.buffer_args.push_back({BufferArg::grid, static_cast<int>(module.grids.size()), 0});
    module.grids.push_back({"grid_" + buffer.name, buffer.element});
    module.grids.back().axes = {0, 1};
  }
  module.grids.back().axes = {1};
  module.launches.push_back(std::move(launch));
  fetch_through_textures(module);
  return module;
}
const Buffer kLine{"line", Type::f32, false};

TEST(FetchThroughTextures, ReadsOfGridsThatNothingStoresTo) {
  const ExprPtr shared = add(kX, 1);
  const auto ring = std::make_shared<Ring>();
  ring->grids.resize(1);
  ring->grids[0].memory = kRead;
  const Module module = with_texels(
      8, {kWritten, kRead, kLine},
      {{RingPtr(ring)}, {Source{ring}}, stored(load(kRead, shared)), stored(load(kLine, shared))});
  const Kernel& kernel = module.launches[0].kernel;
  EXPECT_EQ(kernel.buffers[0].texel, 0);
  EXPECT_EQ(kernel.buffers[1].texel, 4) << "16 bytes";
  EXPECT_EQ(kernel.buffers[2].texel, 0);
  const auto& changed = std::get<RingPtr>(kernel.body[0].node);
  EXPECT_EQ(changed->grids[0].memory.texel, 4);
  EXPECT_EQ(std::get<Source>(kernel.body[1].node).ring, changed) << "one ring stays one";
  EXPECT_EQ(ring->grids[0].memory.texel, 0) << "others may hold the old one";
  const auto* read = as<Load>(std::get<Store>(kernel.body[2].node).value);
  EXPECT_EQ(read->buffer.texel, 4);
  EXPECT_EQ(read->at, shared);
  EXPECT_EQ(std::get<Store>(kernel.body[2].node).buffer.texel, 0);
  EXPECT_EQ(as<Load>(std::get<Store>(kernel.body[3].node).value)->buffer.texel, 0);
  EXPECT_EQ(module.launches[0].loaded, "`grid_line` does not have all axes");
}

TEST(FetchThroughTextures, ALoadOfWhatIsStoredStays) {
  const Module module = with_texels(2, {kWritten, kLine}, {stored(load(kWritten, kX))});
  EXPECT_EQ(module.launches[0].loaded, "it stores into the memory of `grid_c` that it reads");
}

TEST(FetchThroughTextures, KernelsThatDoNotAskForItKeepTheirLoads) {
  const Module module = with_texels(0, {kRead, kLine}, {stored(load(kRead, kX))});
  EXPECT_EQ(module.launches[0].kernel.buffers[0].texel, 0);
  EXPECT_EQ(module.launches[0].loaded, "");
}

TEST(UnusedArguments, GoAndTheModuleKnowsTheOthers) {
  Module module;
  module.grids.resize(2);
  for (Grid& grid : module.grids) grid.used = false;
  module.params = {{"used", Type::f32}, {"unused", Type::f32}};
  for (ScalarParam& param : module.params) param.used = false;
  Launch launch;
  launch.kernel.buffers = {kWritten, {"b", Type::f32, false}, kRead};
  launch.buffer_args = {{BufferArg::grid, 0, 1}, {BufferArg::grid, 1, 0}, {BufferArg::grid, 0, 0}};
  launch.kernel.params = {{"unused", Type::f32}, {"used", Type::f32}, {"x", Type::index}};
  launch.kernel.body = {stored(bin(BinOp::mul, var("used", Type::f32), load(kRead, kX)))};
  module.launches.push_back(launch);
  drop_unused_arguments(module);
  const Launch& left = module.launches[0];
  ASSERT_EQ(left.kernel.buffers.size(), 2u);
  EXPECT_EQ(left.kernel.buffers[1].name, "a");
  EXPECT_EQ(left.buffer_args[1].slot, 0);
  EXPECT_EQ(left.kernel.params.size(), 2u);
  EXPECT_TRUE(module.grids[0].used && !module.grids[1].used);
  EXPECT_TRUE(module.params[0].used && !module.params[1].used);
}

}  // namespace
}  // namespace stencilc::passes
