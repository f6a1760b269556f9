// A Gaussian blur of a picture of bytes: whole arithmetic, divided and rounded at the end.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

constexpr int kWeights[5][5] = {
    {1, 4, 7, 4, 1}, {4, 16, 26, 16, 4}, {7, 26, 41, 26, 7}, {4, 16, 26, 16, 4}, {1, 4, 7, 4, 1}};

// The pictures outside the grid: mirrored at the middle of the outermost cells, as often as needed.
int64_t mirrored(int64_t index, int64_t count) {
  if (count == 1) return 0;
  while (index < 0 || index >= count) index = index < 0 ? -index : 2 * (count - 1) - index;
  return index;
}

std::string conv5x5(const std::string& text, const Extents& extents) {
  const Array img = random(extents, 1, 0, 255, true);
  Array dst(extents);
  Example run(text, extents);
  run.set("img", img);
  run.run(1);
  const auto [nx, ny, nz] = extents;
  for (int64_t y = 0; y < ny; ++y)
    for (int64_t x = 0; x < nx; ++x) {
      int sum = 0;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          sum += kWeights[j][i] *
                 static_cast<int>(img(mirrored(x + i - 2, nx), mirrored(y + j - 2, ny)));
      dst(x, y) = (2 * sum + 273) / (2 * 273);  // there is no middle: 273 is odd
    }
  return difference("dst", run.get("dst"), dst, 0);
}

TEST(Conv5x5, EveryByte) {
  const std::string text = example_text("conv5x5");
  for (const Extents& extents : {Extents{1, 1, 1}, {2, 3, 1}, {13, 7, 1}, {43, 31, 1}})
    EXPECT_EQ(conv5x5(text, extents), "");
  EXPECT_NE(conv5x5(edited(text, "41", "45"), {43, 31, 1}), "");
}

}  // namespace
}  // namespace stencilc::programs
