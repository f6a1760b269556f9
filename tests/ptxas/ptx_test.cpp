#include "ptxas/ptx.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stencilc::ptxas {
namespace {

const char* const loop = R"(
.version 9.0
.func (.param .b64 result) helper(.param .b64 given) { .local .b8 own[8]; ret; }
.visible .entry first(
	.param .u64 first_param_0 // { not a brace
)
.maxntid 32, 4, 2
.minnctapersm 1
{
	.reg .b32 	%r<4>;
	mov.u32 	%r1, 0;
$L__BB0_1:
	.pragma "nounroll";
	ld.global.nc.v2.u32 	{%r2, %r3}, [%rd1+-8];
	add.s32 	%r1, %r1, 1;
	{ cvt.f32.f16 %f1, %rs1;}
	setp.lt.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_1;
	bra.uni 	$L__BB0_2;
$L__BB0_2:
	ret;
}
.entry second()
{
	.local .align 4 .b8 	__local_depot1[64];
	ret;
}
)";

TEST(ptx, kernels_have_their_names_threads_and_local_arrays) {
  const std::vector<Kernel> kernels = read_ptx(loop);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "first");
  EXPECT_EQ(kernels[0].threads, 32 * 4 * 2);
  EXPECT_FALSE(kernels[0].local);
  EXPECT_EQ(kernels[1].name, "second");
  EXPECT_EQ(kernels[1].threads, 0);
  EXPECT_TRUE(kernels[1].local);
}

TEST(ptx, instructions_have_guards_and_operands) {
  const Kernel kernel = read_ptx(loop)[0];
  const std::vector<Instruction>& body = kernel.blocks.at(1).instructions;
  ASSERT_EQ(body.size(), 5u);
  EXPECT_EQ(body[0].opcode, "ld.global.nc.v2.u32");
  EXPECT_EQ(body[0].operands, (std::vector<std::string>{"{%r2, %r3}", "[%rd1+-8]"}));
  EXPECT_EQ(registers_of(body[0].operands[0]), (std::vector<std::string>{"%r2", "%r3"}));
  EXPECT_EQ(registers_of(body[0].operands[1]), (std::vector<std::string>{"%rd1"}));
  EXPECT_EQ(body[2].opcode, "cvt.f32.f16");
  EXPECT_EQ(body[4].guard, "@%p1");
  EXPECT_EQ(body[4].opcode, "bra");
}

TEST(ptx, parts_of_an_opcode_are_whole_words) {
  const Instruction load = {"", "ld.global.nc.v2.f64", {"%fd1", "[%rd1]"}};
  EXPECT_TRUE(has_part(load, "f64"));
  EXPECT_TRUE(has_part(load, "ld"));
  EXPECT_FALSE(has_part(load, "f6"));
  EXPECT_FALSE(has_part(load, "n"));
}

TEST(ptx, stores_define_nothing) {
  EXPECT_TRUE(defines({"", "ld.global.f32", {"%f1", "[%rd1]"}}));
  EXPECT_FALSE(defines({"", "st.global.f32", {"[%rd1]", "%f1"}}));
  EXPECT_FALSE(defines({"", "bar.sync", {"0"}}));
}

TEST(ptx, a_block_is_in_a_loop_where_control_comes_back) {
  const Kernel kernel = read_ptx(loop)[0];
  EXPECT_EQ(kernel.blocks.at(0).next, std::vector<size_t>{1});
  EXPECT_EQ(kernel.blocks.at(1).next, (std::vector<size_t>{1, 2}));
  EXPECT_FALSE(in_loop(kernel, 0));
  EXPECT_TRUE(in_loop(kernel, 1));
  EXPECT_FALSE(in_loop(kernel, 2));
}

TEST(ptx, a_jump_backwards_to_code_that_ends_is_no_loop) {
  const Kernel kernel = read_ptx(
      ".entry k() { bra.uni $L2; $L1: add.s32 %r1, %r2, 1; ret; $L2: @%p1 bra $L1; bra.uni $L1; }")
      [0];
  for (size_t i = 0; i < kernel.blocks.size(); ++i) EXPECT_FALSE(in_loop(kernel, i)) << i;
}

TEST(ptx, what_is_not_read_is_an_error) {
  EXPECT_THROW(read_ptx(".entry k() { ret;"), std::runtime_error);
  EXPECT_THROW(read_ptx(".entry k() { brx.idx %r1, table; }"), std::runtime_error);
}

}  // namespace
}  // namespace stencilc::ptxas
