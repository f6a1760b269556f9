#include "ptxas/values.h"

#include <gtest/gtest.h>

namespace stencilc::ptxas {
namespace {

Kernel kernel_of(const std::string& body) {
  return read_ptx(".entry k() { " + body + " ret; }")[0];
}

using Terms = std::map<std::string, int64_t>;

TEST(ptx_values, addresses_are_sums_of_registers) {
  const Kernel kernel = kernel_of(
      "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [k_param_0]; ld.param.u32 %r2, [k_param_1];"
      "shl.b32 %r3, %r1, 2; add.s32 %r4, %r3, -1; mul.wide.s32 %rd2, %r4, 4;"
      "cvta.to.global.u64 %rd3, %rd1; add.s64 %rd4, %rd3, %rd2; mad.lo.s32 %r5, %r1, 3, %r2;"
      "mul.lo.s32 %r6, %r1, %r2; sub.s32 %r7, %r5, %r6;");
  Values values(kernel);
  EXPECT_EQ(values.sum_of("%rd4").terms, (Terms{{"%rd1", 1}, {"%r1", 16}}));
  EXPECT_EQ(values.sum_of("%rd4").constant, -4);
  EXPECT_EQ(values.sum_of("%r7").terms, (Terms{{"%r1", 3}, {"%r2", 1}, {"%r6", -1}}));
}

TEST(ptx_values, a_register_of_several_values_is_told_apart_by_place) {
  const Kernel kernel = kernel_of(
      "mov.u32 %r1, 0; add.s32 %r2, %r1, 4; add.s32 %r1, %r1, 8;"
      "add.s32 %r3, %r1, 4; ld.global.u32 %r1, [%rd1];"
      "add.s32 %r4, %r1, 4;");
  Values values(kernel);
  EXPECT_EQ(values.sum_of("%r2").terms, (Terms{{"%r2", 1}}));
  BlockValues here(values);
  for (const Instruction& instruction : kernel.blocks[0].instructions) here.pass(instruction);
  EXPECT_EQ(here.sum_of("%r2").constant, 4);
  EXPECT_EQ(here.sum_of("%r3").constant, 12);
  EXPECT_EQ(here.sum_of("%r4").terms, here.sum_of("%r1").terms);
  EXPECT_EQ(here.sum_of("%r4").constant, 4);
  EXPECT_NE(here.sum_of("%r4").terms, here.sum_of("%r3").terms);
}

TEST(ptx_values, offsets_of_addresses_count) {
  const Kernel kernel = kernel_of("ld.param.u64 %rd1, [k_param_0]; add.s64 %rd2, %rd1, 16;");
  Values values(kernel);
  BlockValues here(values);
  EXPECT_EQ(here.address_of("[%rd2]")->constant, 16);
  EXPECT_EQ(here.address_of("[%rd2+-4]")->constant, 12);
  EXPECT_FALSE(here.address_of("[shared_array+4]"));
}

TEST(ptx_values, scalars_are_made_of_arguments_alone) {
  const Kernel kernel = kernel_of(
      "ld.param.f32 %f1, [k_param_2]; mov.f32 %f2, 0f3F800000; mul.rn.f32 %f3, %f1, %f2;"
      "mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f4, %r1; ld.global.f32 %f5, [%rd1];"
      "ld.param.f32 %f6, [retval0+0]; mov.f32 %f7, %f1; mov.f32 %f7, %f2;"
      "fma.rn.f32 %f8, %f3, %f1, %f5;");
  Values values(kernel);
  for (const char* scalar : {"%f1", "%f2", "%f3", "0f40000000"})
    EXPECT_TRUE(values.is_scalar(scalar)) << scalar;
  for (const char* other : {"%f4", "%f5", "%f6", "%f7", "%f8", "%tid.x"})
    EXPECT_FALSE(values.is_scalar(other)) << other;
}

}  // namespace
}  // namespace stencilc::ptxas
