// Memory that a caller gives for values: its size, and how values share it.
#include <gtest/gtest.h>
#include <stencil/workspace.h>

#include <cstdint>

#include "runtime/expect.h"

namespace stencil {
namespace {

size_t size_of(const Shape& shape, size_t element, const Halo<3>& ghosts = {}) {
  WorkspaceSize size(shape);
  size.add(element, ghosts);
  return size.bytes();
}

TEST(RuntimeWorkspace, SizeCountsCellsAndGhostCells) {
  // 256 bytes align the first value. Cells end at a multiple of 128, values at one of 256.
  EXPECT_EQ(size_of(shape({1}, 1), 4), 512u);
  EXPECT_EQ(size_of(shape({64}, 64), 4), 512u);
  EXPECT_EQ(size_of(shape({65}, 65), 4), 768u);
  EXPECT_EQ(size_of(shape({64}, 64), 8), 768u);
  // 10 rows of 100 and 12 * 14 ghost cells: 3,968 and 688 bytes.
  EXPECT_EQ(size_of(shape({12, 10}, 100), 4), 256u + 3840u);
  EXPECT_EQ(size_of(shape({12, 10}, 100), 4, {1, 1}), 256u + 4096u);
  EXPECT_EQ(size_of(shape({5, 4, 3}, 8, 40), 8, {2, 0, 1}), 256u + 2048u);
  WorkspaceSize two(shape({64}, 64));
  two.add(4);
  two.add(4, {1});
  EXPECT_EQ(two.bytes(), 256u + 256u + 512u);
}

TEST(RuntimeWorkspace, SizeOfWhatDoesNotFit) {
  EXPECT_EQ(size_of(shape({0, 4}, 8), 4), SIZE_MAX);
  EXPECT_EQ(size_of(shape({8, -4}, 8), 4), SIZE_MAX);
  EXPECT_EQ(size_of(shape({8, 4}, 7), 4), SIZE_MAX);
  EXPECT_EQ(size_of(shape({8, 4, 2}, 8, 31), 4), SIZE_MAX);
  EXPECT_EQ(size_of(shape({int64_t{1} << 31, int64_t{1} << 31}, int64_t{1} << 31), 8), SIZE_MAX);
  // The cells fit, and with their ghost cells they do not.
  EXPECT_NE(size_of(shape({1, int64_t{1} << 59}, 1), 8), SIZE_MAX);
  EXPECT_EQ(size_of(shape({1, int64_t{1} << 59}, 1), 8, {1, 1}), SIZE_MAX);
  WorkspaceSize two(shape({int64_t{1} << 60}, int64_t{1} << 60));
  two.add(4);
  EXPECT_EQ(two.bytes(), (uint64_t{1} << 62) + 256);
  two.add(4);
  EXPECT_EQ(two.bytes(), SIZE_MAX);
  two.add(1);
  EXPECT_EQ(two.bytes(), SIZE_MAX);
}

TEST(RuntimeWorkspace, NoneIsGood) {
  Workspace left{&left, 1};
  EXPECT_TRUE(begin_workspace("`s`", {}, 1000, &left).ok());
  EXPECT_EQ(left.data, nullptr);
  EXPECT_EQ(next_part(left, 256), nullptr);
}

TEST(RuntimeWorkspace, ValuesBeginAtMultiplesWhereverTheMemoryBegins) {
  alignas(256) static char memory[2048];
  for (const size_t begin : {size_t{0}, size_t{1}, size_t{255}}) {
    Workspace left;
    const size_t needed = 256 + 512 + 256;
    ASSERT_TRUE(begin_workspace("`s`", {memory + begin, needed}, needed, &left).ok());
    char* const first = static_cast<char*>(next_part(left, 512));
    char* const second = static_cast<char*>(next_part(left, 256));
    EXPECT_EQ(first, memory + (begin == 0 ? 0 : 256)) << begin;
    EXPECT_EQ(second, first + 512);
    EXPECT_LE(second + 256, memory + begin + needed);
  }
}

TEST(RuntimeWorkspace, TooSmallAndNull) {
  char memory[8];
  Workspace left;
  expect_failure(begin_workspace("`s`", {memory, 8}, 1024, &left), Code::small_workspace,
                 "`s`: the workspace has 8 bytes, and values need 1024; ask for the size with the "
                 "same extents, pitch and schedule, or pass none");
  EXPECT_EQ(left.data, nullptr);
  expect_failure(begin_workspace("`s`", {memory, 0}, 1, &left), Code::small_workspace,
                 "`s`: the workspace has 0 bytes, and values need 1; ask for the size with the "
                 "same extents, pitch and schedule, or pass none");
  expect_failure(begin_workspace("`s`", {nullptr, 1024}, 1024, &left), Code::null_pointer,
                 "`s`: the workspace of 1024 bytes is a null pointer; pass memory, or 0 bytes for "
                 "that of a pool");
}

TEST(RuntimeWorkspace, SharesNoMemoryWithArrays) {
  alignas(64) static float cells[1024];
  Buffers<2> buffers;
  buffers.written("u", cells);
  buffers.scratch("workspace", cells + 63, 1024);
  expect_failure(check_arguments("`s`", shape({8, 8}, 8), {1}, buffers), Code::aliasing,
                 "`s`: `u` and `workspace` share memory and `u` is written; give each its own");
  Buffers<2> apart;
  apart.written("u", cells);
  apart.scratch("workspace", cells + 64, SIZE_MAX);
  EXPECT_TRUE(check_arguments("`s`", shape({8, 8}, 8), {1}, apart).ok());
  Buffers<2> none;
  none.written("u", cells);
  none.scratch("workspace", nullptr, 0);
  none.scratch("workspace", cells, 0);
  EXPECT_TRUE(check_arguments("`s`", shape({8, 8}, 8), {1}, none).ok());
}

}  // namespace
}  // namespace stencil
