#include "ptxas/log.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stencilc::ptxas {
namespace {

TEST(ptxas_log, names_are_without_what_does_not_tell_kernels_apart) {
  EXPECT_EQ(kernel_name("_ZN7laplace12_GLOBAL__N_14stepIiEEvPfPKfT_"), "laplace::step<int>");
  EXPECT_EQ(kernel_name("_ZN7laplace12_GLOBAL__N_14stepIlEEvPfPKfT_"), "laplace::step<long>");
  EXPECT_EQ(kernel_name("plain_c"), "plain_c");
}

const char* const two_kernels = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN7laplace12_GLOBAL__N_14stepIiEEvPfPKfT_' for 'sm_90'
ptxas info    : Function properties for _ZN7laplace12_GLOBAL__N_14stepIiEEvPfPKfT_
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 8 bytes cumulative stack size, 1088 bytes smem
ptxas info    : Compile time = 42.139 ms
ptxas info    : Compiling entry function 'plain_c' for 'sm_90'
ptxas info    : Function properties for plain_c
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 18 registers, used 0 barriers, 24 bytes lmem, 380 bytes cmem[0]
ptxas info    : Function properties for __internal_accurate_pow
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
)";

TEST(ptxas_log, resources_are_those_of_their_kernel) {
  const std::vector<Resources> all = read_log(two_kernels);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].kernel, "laplace::step<int>");
  EXPECT_EQ(all[0].registers, 64);
  EXPECT_EQ(memory_of(all[0]), "8 bytes of stack, 4 of spill stores, 12 of spill loads, 0 local");
  EXPECT_EQ(all[1].kernel, "plain_c");
  EXPECT_EQ(all[1].registers, 18);
  EXPECT_EQ(memory_of(all[1]), "0 bytes of stack, 0 of spill stores, 0 of spill loads, 24 local");
}

TEST(ptxas_log, each_kind_of_local_memory_counts) {
  EXPECT_TRUE((Resources{"k", 9, 0, 0, 0, 0}).without_local_memory());
  EXPECT_FALSE((Resources{"k", 9, 1, 0, 0, 0}).without_local_memory());
  EXPECT_FALSE((Resources{"k", 9, 0, 1, 0, 0}).without_local_memory());
  EXPECT_FALSE((Resources{"k", 9, 0, 0, 1, 0}).without_local_memory());
  EXPECT_FALSE((Resources{"k", 9, 0, 0, 0, 1}).without_local_memory());
}

TEST(ptxas_log, another_wording_is_an_error) {
  EXPECT_TRUE(read_log("").empty());
  EXPECT_THROW(read_log("ptxas info : Compiling entry function 'k' for 'sm_90'\n"),
               std::runtime_error);
  EXPECT_THROW(read_log("ptxas info : Compiling entry function 'k' for 'sm_90'\n"
                        "ptxas info : Used 18 registers\n"),
               std::runtime_error);
}

}  // namespace
}  // namespace stencilc::ptxas
