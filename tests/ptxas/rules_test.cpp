// On text of a few instructions; planted_test.cpp has nvcc make the same breaches.
#include "ptxas/rules.h"

#include <gtest/gtest.h>

namespace stencilc::ptxas {
namespace {

Kernel kernel_of(const std::string& body) {
  return read_ptx(".entry k() { " + body + " ret; }")[0];
}

TEST(ptx_rules, doubles) {
  EXPECT_EQ(doubles(kernel_of("cvt.f64.f32 %fd1, %f1; mul.f32 %f2, %f1, %f1;")),
            Findings{"cvt.f64.f32 %fd1, %f1"});
  EXPECT_TRUE(doubles(kernel_of("ld.param.b64 %rd1, [k_param_0];")).empty());
}

TEST(ptx_rules, wide_products) {
  for (const char* wide : {"mul.lo.s64", "mad.lo.s64", "div.s64", "rem.u64", "mul.hi.u64"})
    EXPECT_EQ(wide_products(kernel_of(wide + std::string(" %rd1, %rd2, %rd3;"))).size(), 1u)
        << wide;
  for (const char* other : {"mul.wide.s32", "add.s64", "shl.b64", "mul.lo.s32", "div.rn.f64"})
    EXPECT_TRUE(wide_products(kernel_of(other + std::string(" %rd1, %rd2, %rd3;"))).empty())
        << other;
}

TEST(ptx_rules, scalar_divisions) {
  const std::string values = "ld.param.f32 %f1, [k_param_0]; ld.global.f32 %f2, [%rd1];";
  EXPECT_EQ(scalar_divisions(kernel_of(values + "div.rn.f32 %f3, %f2, %f1;")).size(), 1u);
  EXPECT_EQ(scalar_divisions(kernel_of(values + "div.full.f32 %f3, %f2, 0f40400000;")).size(), 1u);
  EXPECT_TRUE(scalar_divisions(kernel_of(values + "div.rn.f32 %f3, %f1, %f2;")).empty());
  EXPECT_TRUE(scalar_divisions(kernel_of(values + "div.rn.f32 %f3, %f1, %f1;")).empty());
  EXPECT_TRUE(scalar_divisions(kernel_of(values + "mul.rn.f32 %f3, %f2, %f1;")).empty());
}

TEST(ptx_rules, scalars_in_loops) {
  const std::string values = "ld.param.f32 %f1, [k_param_0]; ld.global.f32 %f2, [%rd1];";
  const std::string quotient = "rcp.rn.f32 %f3, %f1;", other = "rcp.rn.f32 %f3, %f2;";
  const std::string back = " @%p1 bra $L1;";
  EXPECT_EQ(scalars_in_loops(kernel_of(values + "$L1: " + quotient + back)).size(), 1u);
  EXPECT_TRUE(scalars_in_loops(kernel_of(values + quotient + "$L1: " + back)).empty());
  EXPECT_TRUE(scalars_in_loops(kernel_of(values + "$L1: " + other + back)).empty());
}

Findings loads(const std::string& first, const std::string& between, const std::string& second) {
  return repeated_loads(kernel_of("add.s64 %rd2, %rd1, 8; ld.global." + first + ";" + between +
                                  "ld.global." + second + ";"));
}

TEST(ptx_rules, repeated_loads_meet_in_a_byte) {
  EXPECT_EQ(loads("nc.f32 %f1, [%rd1+8]", "", "nc.f32 %f2, [%rd2]").size(), 1u);
  EXPECT_TRUE(loads("nc.f32 %f1, [%rd1+4]", "", "nc.f32 %f2, [%rd2]").empty());
  EXPECT_EQ(loads("nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]", "", "nc.u32 %r5, [%rd2+4]").size(), 1u);
  EXPECT_TRUE(loads("nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]", "", "nc.u32 %r5, [%rd2+8]").empty());
  EXPECT_TRUE(loads("nc.f32 %f1, [%rd1]", "", "nc.f32 %f2, [%rd3]").empty());
}

TEST(ptx_rules, what_others_may_have_written_is_loaded_again) {
  const std::string address = "f32 %f1, [%rd1+8]";
  EXPECT_EQ(loads(address, "", address).size(), 1u);
  EXPECT_TRUE(loads(address, "st.global.f32 [%rd9], %f3;", address).empty());
  EXPECT_TRUE(loads(address, "bar.sync 0;", address).empty());
  EXPECT_EQ(loads(address, "st.shared.f32 [%rd9], %f3;", address).size(), 1u);
  EXPECT_EQ(loads("nc." + address, "st.global.f32 [%rd9], %f3;", "nc." + address).size(), 1u);
}

TEST(ptx_rules, a_load_in_another_block_or_under_a_guard_is_another) {
  EXPECT_TRUE(loads("nc.f32 %f1, [%rd2]", "$L1: ", "nc.f32 %f2, [%rd2]").empty());
  EXPECT_TRUE(repeated_loads(kernel_of("ld.global.nc.f32 %f1, [%rd1];"
                                       "@%p1 ld.global.nc.f32 %f1, [%rd1];"))
                  .empty());
}

TEST(ptx_rules, split_stores) {
  const std::string next = "st.global.f32 [%rd1+4], %f2;";
  EXPECT_EQ(split_stores(kernel_of("st.global.f32 [%rd1], %f1;" + next)).size(), 1u);
  EXPECT_TRUE(split_stores(kernel_of("st.global.f32 [%rd1+12], %f1;" + next)).empty());
  EXPECT_TRUE(
      split_stores(kernel_of("st.global.v4.f32 [%rd1+8], {%f1, %f1, %f1, %f1};" + next)).empty());
}

TEST(ptx_rules, scattered_accesses) {
  const auto found = [](const std::string& address) {
    return scattered_accesses(kernel_of("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;" + address +
                                        "st.global.f32 [%rd1], %f1;"),
                              32);
  };
  EXPECT_TRUE(found("mul.wide.s32 %rd1, %r1, 4;").empty());
  EXPECT_TRUE(found("mul.wide.s32 %rd1, %r1, 32;").empty());
  EXPECT_EQ(found("mul.wide.s32 %rd1, %r1, 4096;").size(), 1u);
  EXPECT_EQ(found("mad.lo.s32 %r3, %r1, 100, %r2; mul.wide.s32 %rd1, %r3, 4;").size(), 1u);
  EXPECT_TRUE(found("mad.lo.s32 %r3, %r2, 100, %r1; mul.wide.s32 %rd1, %r3, 4;").empty());
}

TEST(ptx_rules, diverging_lanes) {
  const std::string lane = "mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 5;";
  const std::string block = "mov.u32 %r1, %ctaid.x; setp.lt.s32 %p1, %r1, 5;";
  const std::string around = "@%p1 bra $L1; add.s32 %r2, %r2, 1; $L1: st.global.f32 [%rd1], %f1;";
  EXPECT_EQ(diverging_lanes(kernel_of(lane + around)), Findings{"@%p1 bra $L1"});
  EXPECT_TRUE(diverging_lanes(kernel_of(block + around)).empty());
  // Some lanes end.
  EXPECT_TRUE(
      diverging_lanes(kernel_of(lane + "@%p1 bra $L1; st.global.f32 [%rd1], %f1; $L1:")).empty());
  EXPECT_EQ(diverging_lanes(kernel_of(lane + "@%p1 st.global.f32 [%rd1], %f1;")).size(), 1u);
  // One of two variants is free of it.
  EXPECT_TRUE(
      diverging_lanes(
          kernel_of(block + "@%p1 bra $L2; st.global.f32 [%rd1], %f1; ret; $L2:" + lane + around))
          .empty());
}

TEST(ptx_rules, scalar_branches_in_loops) {
  const std::string values = "ld.param.u32 %r1, [k_param_0]; mov.u32 %r2, %tid.x;";
  const std::string by_argument = "setp.eq.s32 %p1, %r1, 0;", by_lane = "setp.eq.s32 %p1, %r2, 0;";
  const std::string around = "@%p1 bra $L2; add.s32 %r3, %r3, 1; $L2: setp.lt.s32 %p2, %r3, %r2;";
  const std::string back = " @%p2 bra $L1;";
  EXPECT_EQ(
      scalar_branches_in_loops(kernel_of(values + by_argument + "$L1: " + around + back)).size(),
      1u);
  EXPECT_TRUE(
      scalar_branches_in_loops(kernel_of(values + by_lane + "$L1: " + around + back)).empty());
  EXPECT_TRUE(scalar_branches_in_loops(kernel_of(values + by_argument + around)).empty());
}

TEST(ptx_rules, the_busiest_block_stores_the_most_bytes_in_the_fewest_stores) {
  const Accesses most = busiest_block(
      kernel_of("ld.global.f32 %f1, [%rd1]; ld.global.f32 %f1, [%rd2]; st.global.f32 [%rd3], %f1;"
                "$L1: ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd3], %f1;"
                "st.global.v2.f32 [%rd4], {%f1, %f1};"));
  EXPECT_EQ(most.loads, 1);
  EXPECT_EQ(most.stores, 2);
  const Accesses whole = busiest_block(
      kernel_of("st.global.f32 [%rd4], %f1; st.global.f32 [%rd4+4], %f1; "
                "$L1: ld.global.f32 %f1, [%rd1]; st.global.v2.f32 [%rd4], {%f1, %f1};"));
  EXPECT_EQ(whole.stores, 1);
}

}  // namespace
}  // namespace stencilc::ptxas
