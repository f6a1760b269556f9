// Plots are looked at as pixels: what is where, in which colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/canvas.h"
#include "data/colormap.h"
#include "data/generate.h"
#include "data/pixels.h"
#include "data/plot.h"
#include "data/plot_text.h"

namespace stencilc::data {
namespace {

Color at(const Pixels& pixels, int64_t x, int64_t y) {
  const uint16_t* samples = &pixels.samples[static_cast<size_t>((y * pixels.width + x) * 3)];
  return {static_cast<uint8_t>(samples[0]), static_cast<uint8_t>(samples[1]),
          static_cast<uint8_t>(samples[2])};
}
int64_t count(const Pixels& pixels, Color color) {
  int64_t found = 0;
  for (int64_t y = 0; y < pixels.height; ++y)
    for (int64_t x = 0; x < pixels.width; ++x) found += at(pixels, x, y) == color;
  return found;
}
Pixels plotted(const Array& array) {
  const Result<std::string> file = plot_file(array);
  EXPECT_TRUE(file.ok());
  Result<Pixels> pixels = decode_png(*file);
  EXPECT_TRUE(pixels.ok());
  return std::move(*pixels);
}
// Whether the text stands somewhere, dot by dot, in the right half of the picture.
bool shows_text(const Pixels& pixels, const std::string& text) {
  const int64_t width = text_width(text, font_scale), height = text_height(font_scale);
  Pixels wanted = make_canvas(width, height, paper);
  draw_text(wanted, 0, 0, text, font_scale, ink);
  for (int64_t top = 0; top + height <= pixels.height; ++top)
    for (int64_t left = 0; left + width <= pixels.width; ++left) {
      bool same = true;
      for (int64_t y = 0; y < height && same; ++y)
        for (int64_t x = 0; x < width && same; ++x)
          same = at(pixels, left + x, top + y) == at(wanted, x, y);
      if (same) return true;
    }
  return false;
}

TEST(Colormap, GoesThroughItsAnchors) {
  EXPECT_EQ(color_at(Palette::viridis, 0), (Color{0x44, 0x01, 0x54}));
  EXPECT_EQ(color_at(Palette::viridis, 1), (Color{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(color_at(Palette::viridis, 3.0 / 9), (Color{0x31, 0x68, 0x8e}));
  EXPECT_EQ(color_at(Palette::gray, 0.5), (Color{128, 128, 128}));
  double last = -1;
  for (int i = 0; i <= 100; ++i) {  // lightness only grows
    const Color c = color_at(Palette::viridis, i / 100.0);
    const double light = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    EXPECT_GT(light, last) << i;
    last = light;
  }
}

TEST(Colormap, PlacesValuesInTheirRange) {
  EXPECT_EQ(part_of({-2, 2}, -2), 0);
  EXPECT_EQ(part_of({-2, 2}, 1), 0.75);
  EXPECT_EQ(part_of({3, 3}, 3), 0.5);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(part_of({-most, most}, 0), 0.5);
  EXPECT_EQ(part_of({-most, most}, most), 1);
}

TEST(Plot, EnlargesSmallPlanesByWholeFactors) {
  const Array ramp = *generate("ramp", Element::f32, {4, 2});
  const Pixels picture = plotted(ramp);
  // 512 / 4 = 128 pixels a cell: the two ends of the palette, in the plane alone and in the bar's
  // end rows
  EXPECT_NEAR(static_cast<double>(count(picture, color_at(Palette::viridis, 0))), 128 * 128, 60);
  EXPECT_NEAR(static_cast<double>(count(picture, color_at(Palette::viridis, 1))), 128 * 128, 60);
  const int64_t left = margin + text_width("1", font_scale) + gap;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 2; ++y)
      EXPECT_EQ(at(picture, left + x * 128 + 64, margin + y * 128 + 64),
                color_at(Palette::viridis, (y * 4 + x) / 7.0));
}

TEST(Plot, LabelsTheBarWithTheSmallestAndLargestFiniteValue) {
  Array array = *generate("constant:0.25", Element::f64, {8, 8});
  array.as<double>()[3] = -1.5e-7;
  array.as<double>()[9] = 1234.5;
  array.as<double>()[10] = std::numeric_limits<double>::infinity();
  const Pixels picture = plotted(array);
  EXPECT_TRUE(shows_text(picture, "-1.5e-07"));
  EXPECT_TRUE(shows_text(picture, "1234"));
  EXPECT_FALSE(shows_text(picture, "0.25"));
  EXPECT_EQ(count(picture, not_finite), 64 * 64);  // one cell of 512 / 8 pixels a side
}

TEST(Plot, AveragesLargePlanes) {
  Array array = *generate("zero", Element::u8, {2048, 1100});
  array.as<uint8_t>()[0] = 200;  // three zeros beside it: the dot shows 50 of 200
  const Pixels picture = plotted(array);
  const int64_t left = margin + text_width("1099", font_scale) + gap;
  EXPECT_EQ(at(picture, left, margin), color_at(Palette::gray, 0.25));
  EXPECT_EQ(at(picture, left + 1, margin), color_at(Palette::gray, 0));
  EXPECT_EQ(at(picture, left + 1023, margin + 549), color_at(Palette::gray, 0));
  EXPECT_EQ(at(picture, left + 1024, margin), ink);  // the frame
  EXPECT_TRUE(shows_text(picture, "2047"));
}

TEST(Plot, ShowsTheMiddlePlaneOfAVolume) {
  Array array = *generate("zero", Element::f32, {2, 2, 5});
  for (int z = 0; z < 5; ++z) array.as<float>()[z * 4] = static_cast<float>(z);
  const Pixels picture = plotted(array);
  EXPECT_TRUE(shows_text(picture, "z=2"));
  EXPECT_TRUE(shows_text(picture, "2"));
  EXPECT_FALSE(shows_text(picture, "4"));
  EXPECT_FALSE(shows_text(plotted(*generate("zero", Element::f32, {2, 2})), "z=0"));
}

TEST(Plot, DrawsALineThroughTheValues) {
  Array array = *generate("ramp", Element::f32, {5});
  const Pixels picture = plotted(array);
  const int64_t left = margin + text_width("0", font_scale) + gap;
  const Color blue{0x31, 0x68, 0x8e};
  const auto first = [&](int64_t x) {  // the topmost line pixel of a column
    for (int64_t y = margin; y < picture.height; ++y)
      if (at(picture, x, y) == blue) return y;
    return int64_t{-1};
  };
  EXPECT_LT(first(left + 760), first(left + 400));
  EXPECT_LT(first(left + 400), first(left + 8));
  EXPECT_TRUE(shows_text(picture, "1"));
  EXPECT_EQ(count(picture, not_finite), 0);
  array.as<float>()[2] = NAN;
  EXPECT_GT(count(plotted(array), not_finite), 5);
}

TEST(Plot, KeepsASingleSpikeOfALongLine) {
  Array array = *generate("zero", Element::f32, {200000});
  array.as<float>()[123456] = 5;
  const Pixels picture = plotted(array);
  EXPECT_TRUE(shows_text(picture, "5"));
  const int64_t left = margin + text_width("5", font_scale) + gap;
  const int64_t column = left + 123456 * 768 / 200000;
  int64_t marked = 0;
  for (int64_t y = margin + 30; y < margin + 350; ++y)
    for (int64_t x = column - 2; x <= column + 2; ++x) marked += at(picture, x, y).red < 200;
  EXPECT_GE(marked, 320);
}

TEST(Plot, DrawsEveryShapeAndContent) {
#ifdef STENCILC_ALL_TESTS
  constexpr bool all = true;
#else  // what f64 holds beyond f32 is in the wild; to draw a long line of noise takes a second
  constexpr bool all = false;
#endif
  for (const std::string what : {"zero", "wild", "constant:nan", "constant:-inf", "random"})
    for (const Extents& extents :
         {Extents{1}, Extents{2}, Extents{all || what != "random" ? 7000 : 300}, Extents{1, 1},
          Extents{3000, 1}, Extents{1, 1500}, Extents{1, 1, 1}, Extents{3, 2, 9}})
      for (const Element element : {Element::f32, Element::f64}) {
        if (!all && element == Element::f64 && what != "wild") continue;
        const Result<Array> array = generate(what, element, extents);
        ASSERT_TRUE(array.ok());
        const Pixels picture = plotted(*array);
        EXPECT_LE(picture.width, 1024 + 300);
        EXPECT_LE(picture.height, 1024 + 100);
      }
  EXPECT_TRUE(shows_text(plotted(*generate("constant:nan", Element::f32, {2, 2})), "nan"));
}

}  // namespace
}  // namespace stencilc::data
