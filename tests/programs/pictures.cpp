// Filters of pictures, cell by cell.
#include <gtest/gtest.h>

#include "programs/example.h"

namespace stencilc::programs {
namespace {

const std::vector<Extents> kSizes = {{1, 1, 1}, {2, 3, 1}, {7, 5, 1}, {33, 18, 1}};

int64_t clamped(int64_t i, int64_t n) { return std::min(std::max<int64_t>(i, 0), n - 1); }
int64_t reflected(int64_t i, int64_t n) {  // b a | a b c | c b
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}
int64_t mirrored(int64_t i, int64_t n) {  // c b | a b c | b a
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}
double byte(double value) { return std::min(255.0, std::max(0.0, std::nearbyint(value))); }

Array picture(const Extents& extents) { return random(extents, 7, 0, 255, true); }

// What `text` makes of the picture, against `filter(x, y)`.
template <class Filter>
std::string filtered(const std::string& text, const Array& img, double tolerance, Filter filter) {
  Example run(text, img.extents);
  run.set("img", img);
  run.run(1);
  Array wanted(img.extents);
  each(img.extents, [&](int64_t x, int64_t y, int64_t) { wanted(x, y) = filter(x, y); });
  return difference("dst", run.get("dst"), wanted, tolerance);
}

std::string sobel(const std::string& text, const Array& img) {
  const auto [nx, ny, nz] = img.extents;
  const int across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  return filtered(text, img, 0, [&, nx = nx, ny = ny](int64_t x, int64_t y) {
    double gx = 0, gy = 0;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const double value = img(clamped(x + i - 1, nx), clamped(y + j - 1, ny));
        gx += across[j][i] * value;
        gy += across[i][j] * value;
      }
    return byte(std::hypot(gx, gy));
  });
}

TEST(Pictures, Sobel) {
  const std::string text = example_text("sobel");
  for (const Extents& size : kSizes) EXPECT_EQ(sobel(text, picture(size)), "");
  EXPECT_NE(sobel(edited(text, "{ 1, 2, 1 }", "{ 1, 1, 2 }"), picture({7, 5, 1})), "");
}

// Pascal's triangle twice: the product of both passes in one.
std::string gaussian(const std::string& text, const Array& img) {
  const auto [nx, ny, nz] = img.extents;
  const double w[] = {1, 6, 15, 20, 15, 6, 1};
  return filtered(text, img, 0, [&, nx = nx, ny = ny](int64_t x, int64_t y) {
    double sum = 0;
    for (int j = -3; j <= 3; ++j)
      for (int i = -3; i <= 3; ++i)
        sum += w[i + 3] * w[j + 3] * img(mirrored(x + i, nx), mirrored(y + j, ny));
    return byte(sum / 4096);
  });
}

TEST(Pictures, GaussianInTwoPasses) {
  const std::string text = example_text("gaussian");
  for (const Extents& size : kSizes) EXPECT_EQ(gaussian(text, picture(size)), "");
  EXPECT_NE(gaussian(edited(text, "rows[y+j]", "rows[x+j]"), picture({7, 5, 1})), "");
}

std::string bilateral(const std::string& text, const Array& img) {
  const auto [nx, ny, nz] = img.extents;
  return filtered(text, img, 1e-5, [&, nx = nx, ny = ny](int64_t x, int64_t y) {
    double sum = 0, total = 0;
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        const double value = img(reflected(x + i, nx), reflected(y + j, ny));
        const double distance = std::hypot(i, j) / 1.5, contrast = (value - img(x, y)) / 0.2;
        const double weight =
            std::exp(-distance * distance / 2) * std::exp(-contrast * contrast / 2);
        sum += weight * value;
        total += weight;
      }
    return sum / total;
  });
}

TEST(Pictures, Bilateral) {
  const std::string text = example_text("bilateral");
  for (const Extents& size : kSizes) EXPECT_EQ(bilateral(text, random(size, 8)), "");
  EXPECT_NE(bilateral(edited(text, "range = 0.2", "range = 0.25"), random({7, 5, 1}, 8)), "");
}

std::string median(const std::string& text, const Array& img) {
  const auto [nx, ny, nz] = img.extents;
  return filtered(text, img, 0, [&, nx = nx, ny = ny](int64_t x, int64_t y) {
    std::vector<double> values;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        values.push_back(img(reflected(x + i, nx), reflected(y + j, ny)));
    std::sort(values.begin(), values.end());
    return values[4];
  });
}

TEST(Pictures, Median) {
  const std::string text = example_text("median");
  for (const Extents& size : kSizes) EXPECT_EQ(median(text, picture(size)), "");
  EXPECT_NE(median(edited(text, "min(high[x-1]", "max(high[x-1]"), picture({7, 5, 1})), "");
}

std::string erosion(const std::string& text, const Array& img) {
  const auto [nx, ny, nz] = img.extents;
  return filtered(text, img, 0, [&, nx = nx, ny = ny](int64_t x, int64_t y) {
    double least = 255;
    for (int64_t j = std::max<int64_t>(y - 2, 0); j <= std::min(y + 2, ny - 1); ++j)
      for (int64_t i = std::max<int64_t>(x - 2, 0); i <= std::min(x + 2, nx - 1); ++i)
        if ((i - x) * (i - x) + (j - y) * (j - y) <= 5) least = std::min(least, img(i, j));
    return least;
  });
}

TEST(Pictures, Erosion) {
  const std::string text = example_text("erosion");
  for (const Extents& size : kSizes) EXPECT_EQ(erosion(text, picture(size)), "");
  EXPECT_NE(erosion(edited(text, "constant 255", "constant 0"), picture({7, 5, 1})), "");
}

std::string convolution(const std::string& text, const Array& img, double bias) {
  const auto [nx, ny, nz] = img.extents;
  const Array w = random({5, 5, 1}, 9, -1, 1);  // the second index of the weights is x here
  Example run(text, img.extents);
  run.set("img", img);
  run.weights("w", w.cells);
  run.param("bias", bias);
  run.run(1);
  Array wanted(img.extents);
  each(img.extents, [&, nx = nx, ny = ny](int64_t x, int64_t y, int64_t) {
    double sum = bias;
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i)
        sum += w(j + 2, i + 2) * img(reflected(x + i, nx), reflected(y + j, ny));
    wanted(x, y) = sum > 0 ? sum : 0;
  });
  return difference("dst", run.get("dst"), wanted, 1e-5);
}

TEST(Pictures, WeightsOfTheRun) {
  const std::string text = example_text("convolution");
  for (const Extents& size : kSizes)
    EXPECT_EQ(convolution(text, random(size, 10, -1, 1), 0.25), "");
  EXPECT_NE(convolution(edited(text, "w[i, j] *", "w[j, i] *"), random({7, 5, 1}, 10), 0), "");
}

}  // namespace
}  // namespace stencilc::programs
