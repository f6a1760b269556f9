// Charts as what they are made of: texts and places, and that no text lies on another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/images/pixels.h"
#include "data/plots/bar_chart.h"
#include "data/plots/figure.h"
#include "data/plots/roofline.h"

namespace stencilc::data {
namespace {

std::vector<Text> texts(const Figure& figure) {
  std::vector<Text> list;
  for (const auto& part : figure.parts)
    if (const auto* text = std::get_if<Text>(&part)) list.push_back(*text);
  return list;
}
template <class Part>
std::vector<Part> parts(const Figure& figure, Color color) {
  std::vector<Part> list;
  for (const auto& part : figure.parts)
    if (const auto* one = std::get_if<Part>(&part); one && one->color == color)
      list.push_back(*one);
  return list;
}
const Color kBar{0x31, 0x68, 0x8e};

struct Area {
  double left, right, top, bottom;
};
Area area_of(const Text& text) {
  const double along = width_of(text), high = 7 * text.dot;
  const double back = text.anchor == Anchor::start    ? 0
                      : text.anchor == Anchor::middle ? along / 2
                                                      : along;
  if (text.upwards)
    return {text.x - high / 2, text.x + high / 2, text.y + back - along, text.y + back};
  return {text.x - back, text.x - back + along, text.y - high / 2, text.y + high / 2};
}
// Every text lies on the page, and none on another.
void expect_legible(const Figure& figure) {
  const std::vector<Text> list = texts(figure);
  for (size_t a = 0; a < list.size(); ++a) {
    const Area one = area_of(list[a]);
    EXPECT_TRUE(one.left >= 0 && one.right <= figure.width && one.top >= 0 &&
                one.bottom <= figure.height)
        << list[a].text;
    for (size_t b = a + 1; b < list.size(); ++b) {
      const Area other = area_of(list[b]);
      EXPECT_TRUE(one.right <= other.left || other.right <= one.left || one.bottom <= other.top ||
                  other.bottom <= one.top)
          << list[a].text << " lies on " << list[b].text;
    }
  }
}
bool says(const Figure& figure, const std::string& words) {
  const std::vector<Text> list = texts(figure);
  return std::any_of(list.begin(), list.end(),
                     [&](const Text& text) { return text.text == words; });
}

BarChart bars(int count) {
  BarChart chart{"heat, 64 x 64", "a device", "of the copy", "sustained", 1, "copy 4000 GB/s", {}};
  for (int n = 0; n < count; ++n)
    chart.bars.push_back({"coarsened,threads=128x" + std::to_string(n), 1.2 / (n + 1),
                          n % 2 ? 0.9 / (n + 1) : 0, std::to_string(n) + " GCells/s", n == 3});
  return chart;
}

TEST(Ticks, AreRoundAndReachTheHighest) {
  EXPECT_EQ(ticks(1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(7.4, 6), (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(ticks(300, 6), (std::vector<double>{0, 50, 100, 150, 200, 250, 300}));
  EXPECT_EQ(ticks(0, 6), (std::vector<double>{0, 1}));
  EXPECT_EQ(ticks(NAN, 6), (std::vector<double>{0, 1}));
  for (double highest = 1e-7; highest < 1e9; highest *= 1.37) {
    const std::vector<double> list = ticks(highest, 6);
    EXPECT_GE(list.back(), highest * (1 - 1e-9));
    EXPECT_LE(list.size(), 7u) << highest;
    EXPECT_GE(list.size(), 3u) << highest;
  }
}

TEST(Ticks, OfLogarithmsAreOneTwoAndFive) {
  EXPECT_EQ(log_ticks(0.1, 10), (std::vector<double>{0.1, 0.2, 0.5, 1, 2, 5, 10}));
  EXPECT_EQ(log_ticks(3, 40), (std::vector<double>{5, 10, 20}));
}

TEST(Spread, MovesOnlyWhatIsTooClose) {
  const auto moved = [](std::vector<double> heights) {
    return spread(std::move(heights), 10, 0, 100);
  };
  EXPECT_EQ(moved({10, 30, 50}), (std::vector<double>{10, 30, 50}));
  EXPECT_EQ(moved({10, 12, 50}), (std::vector<double>{10, 20, 50}));
  EXPECT_EQ(moved({-5, 99, 99}), (std::vector<double>{0, 90, 100}));
  EXPECT_EQ(moved({}), std::vector<double>());
}

TEST(BarChart, BarsAreAsLongAsTheirValues) {
  const Figure figure = draw(bars(4));
  const std::vector<Box> boxes = parts<Box>(figure, kBar);
  ASSERT_EQ(boxes.size(), 3u);  // the fourth is pale
  EXPECT_NEAR(boxes[1].width / boxes[0].width, 0.5, 1e-9);
  EXPECT_EQ(boxes[0].x, boxes[1].x);
  const std::vector<Line> roof = parts<Line>(figure, {0xb8, 0x3a, 0x4b});
  ASSERT_EQ(roof.size(), 1u);
  EXPECT_NEAR((roof[0].x0 - boxes[0].x) / boxes[0].width, 1 / 1.2, 1e-9);
  EXPECT_TRUE(says(figure, "copy 4000 GB/s"));
  EXPECT_TRUE(says(figure, "of the copy"));
  EXPECT_TRUE(says(figure, "heat, 64 x 64"));
}

TEST(BarChart, IsLegibleForAnyNumberOfBars) {
  for (const int count : {1, 2, 7, 40}) expect_legible(draw(bars(count)));
  BarChart wide = bars(2);
  wide.title = std::string(120, 'm');
  expect_legible(draw(wide));
}

Roofline roofline(int count, double fastest = 3000) {
  Roofline chart{"heat", "a device", "GFLOP/s", 4000, "copy 4000 GB/s", 0, {}};
  for (int n = 0; n < count; ++n)
    chart.points.push_back(
        {"schedule " + std::to_string(n), 0.875, fastest * (1 - 0.02 * n), false});
  return chart;
}

TEST(Roofline, PointsLieUnderTheRoofByWhatTheyMiss) {
  Roofline chart = roofline(1, 0.875 * 4000);
  const Figure figure = draw(chart);
  const std::vector<Disc> discs = parts<Disc>(figure, kBar);
  const std::vector<Line> roof = parts<Line>(figure, {0xb8, 0x3a, 0x4b});
  ASSERT_EQ(discs.size(), 1u);
  ASSERT_EQ(roof.size(), 1u);
  const double part = (discs[0].x - roof[0].x0) / (roof[0].x1 - roof[0].x0);
  EXPECT_NEAR(roof[0].y0 + part * (roof[0].y1 - roof[0].y0), discs[0].y, 1e-6);
  chart.points[0].rate /= 2;
  EXPECT_GT(parts<Disc>(draw(chart), kBar)[0].y, discs[0].y);
}

TEST(Roofline, IsLegible) {
  for (const int count : {0, 1, 2, 8, 9, 40}) {
    expect_legible(draw(roofline(count)));
    expect_legible(draw(roofline(count, 30000)));  // above the roof
  }
  EXPECT_TRUE(says(draw(roofline(8)), "schedule 7"));
  EXPECT_TRUE(says(draw(roofline(40)), "schedule 0"));
}

TEST(Roofline, AFlatRoofIsDrawnWhereThereIsOne) {
  Roofline chart = roofline(2);
  chart.peak = 6000;
  const Figure figure = draw(chart);
  EXPECT_EQ(parts<Line>(figure, {0xb8, 0x3a, 0x4b}).size(), 2u);
  EXPECT_TRUE(says(figure, "6000 GFLOP/s"));
  expect_legible(figure);
}

TEST(Figure, SvgEscapesWhatMarkupIsMadeOf) {
  Figure figure{100, 50, {}};
  figure.add(Text{5, 10, "a<b> & \"c\"\n", {1, 2, 3}});
  figure.add(Text{5, 30, "up", {255, 255, 255}, Anchor::middle, true});
  figure.add(Box{1, 2.5, 3, 4, {255, 0, 16}});
  const std::string svg = svg_of(figure);
  EXPECT_NE(svg.find(">a&lt;b&gt; &amp; \"c\"</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("fill=\"#010203\""), std::string::npos);
  EXPECT_NE(svg.find("transform=\"rotate(-90 5 30)\">up</text>"), std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"1\" y=\"2.5\" width=\"3\" height=\"4\" fill=\"#ff0010\"/>"),
            std::string::npos);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

TEST(Figure, PixelsAreTwoForAUnit) {
  Figure figure{40, 30, {}};
  figure.add(Box{10, 5, 4, 3, {255, 0, 0}});
  figure.add(Text{20, 20, "I", {0, 0, 255}});
  const Pixels pixels = pixels_of(figure);
  EXPECT_EQ(pixels.width, 80);
  EXPECT_EQ(pixels.height, 60);
  const auto red_only = [&](int64_t x, int64_t y) {
    const uint16_t* at = &pixels.samples[static_cast<size_t>((y * 80 + x) * 3)];
    return at[0] == 255 && at[1] == 0 && at[2] == 0;
  };
  EXPECT_TRUE(red_only(20, 10));
  EXPECT_TRUE(red_only(27, 15));
  EXPECT_FALSE(red_only(28, 15));
  EXPECT_FALSE(red_only(27, 16));
  int blue = 0;
  for (size_t i = 0; i < pixels.samples.size(); i += 3)
    blue += pixels.samples[i] == 0 && pixels.samples[i + 2] == 255;
  EXPECT_GT(blue, 50);
}

TEST(Figure, TextThatIsTurnedHasTheSameInk) {
  const auto ink = [](bool upwards) {
    Figure figure{80, 80, {}};
    figure.add(Text{40, 40, "gap", {0, 0, 0}, Anchor::middle, upwards});
    const Pixels pixels = pixels_of(figure);
    return std::count(pixels.samples.begin(), pixels.samples.end(), 0);
  };
  EXPECT_GT(ink(false), 0);
  EXPECT_EQ(ink(false), ink(true));
}

TEST(Figure, FilesAreSvgOrPng) {
  const Figure figure = draw(bars(2));
  EXPECT_TRUE((*figure_file(figure, "a.svg")).starts_with("<svg "));
  EXPECT_TRUE(decode_png(*figure_file(figure, "a.png")).ok());
}

}  // namespace
}  // namespace stencilc::data
