// Plots are looked at as pixels: what is where, in which colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/images/canvas.h"
#include "data/images/colormap.h"
#include "data/images/pixels.h"
#include "data/plots/plot.h"
#include "data/plots/plot_sheet.h"
#include "data/values/generate.h"

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
Pixels plotted(const Plot& plot) {
  const Result<std::string> file = plot_file(plot, "a.png");
  EXPECT_TRUE(file.ok());
  Result<Pixels> pixels = decode_png(*file);
  EXPECT_TRUE(pixels.ok());
  return std::move(*pixels);
}
Pixels plotted(const Array& array, const PlotStyle& style = {}) {
  return plotted(Plot{{{{&array}}}, style});
}
// Whether the text stands somewhere, dot by dot.
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
  // One cell of 512 / 8 pixels a side, and the square in front of the note.
  EXPECT_EQ(count(picture, not_finite), 64 * 64 + 14 * 14);
  EXPECT_TRUE(shows_text(picture, "1 cell is not finite"));
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

TEST(Plot, CellsOutsideOfTheRangeHaveColoursAndAreCounted) {
  Array array = *generate("ramp", Element::f32, {16, 16});  // from 0 to 1 in steps of 1/255
  array.as<float>()[128] = NAN;
  const Pixels picture = plotted(array, {.range = ValueRange{0.1, 0.5}});
  EXPECT_TRUE(shows_text(picture, "1 cell is not finite"));
  EXPECT_TRUE(shows_text(picture, "127 cells are above the range"));
  EXPECT_TRUE(shows_text(picture, "26 cells are below the range"));
  EXPECT_TRUE(shows_text(picture, "0.5"));
  const int64_t cell = 32 * 32;  // pixels
  EXPECT_NEAR(static_cast<double>(count(picture, above_range)), 127 * cell, 2 * cell);
  EXPECT_NEAR(static_cast<double>(count(picture, below_range)), 26 * cell, cell);
  EXPECT_NEAR(static_cast<double>(count(picture, not_finite)), cell, cell / 2);
  const Pixels whole = plotted(array);
  EXPECT_EQ(count(whole, above_range) + count(whole, below_range), 0);
}

TEST(Plot, ScalesAreLogarithmicOrSymmetric) {
  Array array = *generate("zero", Element::f64, {4, 1});
  const std::vector<double> values = {0.01, 1, 100, -3};
  std::copy(values.begin(), values.end(), array.as<double>());
  const Scale powers = scale_of(array, {.logarithmic = true});
  EXPECT_EQ(powers.range.low, 0.01);
  EXPECT_NEAR(powers.part(1), 0.5, 1e-12);
  EXPECT_EQ(powers.below, 1);
  EXPECT_EQ(powers.color(-3), below_range);
  const Pixels picture = plotted(array, {.logarithmic = true});
  EXPECT_TRUE(shows_text(picture, "1 cell is not positive"));
  EXPECT_TRUE(shows_text(picture, "1"));  // in the middle of the bar
  const Scale sides = scale_of(array, {.diverging = true});
  EXPECT_EQ(sides.range.low, -100);
  EXPECT_EQ(sides.middle(), 0);
  EXPECT_FALSE(scale_of(array, {}).middle());
  EXPECT_EQ(sides.color(0), (Color{0xf7, 0xf7, 0xf7}));
  EXPECT_EQ(sides.color(-100), (Color{0x05, 0x30, 0x61}));
  EXPECT_EQ(scale_of(array, {.palette = Palette::magma, .diverging = true}).palette,
            Palette::magma);
  for (const std::string& name : palette_names()) EXPECT_TRUE(palette_named(name)) << name;
  EXPECT_FALSE(palette_named("jet"));
}

TEST(Plot, CutsAlongEveryAxis) {
  Array array = *make_array(Element::i32, {3, 4, 5});
  for (int i = 0; i < 60; ++i) array.as<int32_t>()[i] = i % 3 + 10 * (i / 3 % 4) + 100 * (i / 12);
  const Array x = slice_of(array, {0, 2}), y = slice_of(array, {1, 3}), z = slice_of(array, {2, 1});
  EXPECT_EQ(x.extents, (Extents{4, 5}));
  EXPECT_EQ(x.as<int32_t>()[4 * 2 + 1], 212);
  EXPECT_EQ(y.extents, (Extents{3, 5}));
  EXPECT_EQ(y.as<int32_t>()[3 * 4 + 1], 431);
  EXPECT_EQ(z.extents, (Extents{3, 4}));
  EXPECT_EQ(z.as<int32_t>()[3 * 2 + 1], 121);
  EXPECT_EQ(slice_of(z, {1, 2}).as<int32_t>()[0], 120);
  EXPECT_TRUE(shows_text(plotted(Plot{{{{&array}, "", Slice{1, 3}}}}), "y=3"));
}

TEST(Plot, SeveralPanelsAndColoursAreInOneFigure) {
  const Array a = *generate("ramp", Element::f32, {8, 8}),
              b = *generate("gauss", Element::f32, {8, 8});
  const Array zero = *generate("zero", Element::f32, {8, 8}),
              one = *generate("constant:1", Element::f32, {8, 8});
  const Pixels alone = plotted(a);
  Plot plot{{{{&a}, "first"}, {{&b}, "second"}, {{&one, &zero, &one}, "colours"}}};
  plot.notes = {"u is made up"};
  const Pixels all = plotted(plot);
  EXPECT_GT(all.width, 2 * alone.width);
  for (const std::string text : {"first", "second", "colours", "u is made up"})
    EXPECT_TRUE(shows_text(all, text)) << text;
  EXPECT_EQ(count(all, {255, 0, 255}), 512 * 512);
  plot.panels.push_back(plot.panels[0]);
  EXPECT_GT(plotted(plot).height, 2 * alone.height);
  const std::string svg = *plot_file(plot, "a.SVG");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find(">u is made up</text>"), std::string::npos);
  EXPECT_NE(svg.find("href=\"data:image/png;base64,iVBORw0KGgo"), std::string::npos);
}

// What the values are, and how many of them are counted, does not move the pictures of a film.
TEST(Plot, PicturesOfAFilmHaveOneSize) {
  Array made = *generate("constant:-1.23456e-30", Element::f32, {9, 2});
  made.as<float>()[3] = NAN;
  const Array lost = made, ramp = *generate("ramp", Element::f32, {9, 2});
  const Array line = slice_of(ramp, {1, 0}), lost_line = slice_of(lost, {1, 0});
  for (const PlotStyle& style :
       {PlotStyle{}, PlotStyle{.range = ValueRange{0, 0.5}}, PlotStyle{.logarithmic = true}})
    for (const auto& [one, other] : {std::pair{&ramp, &lost}, std::pair{&line, &lost_line}}) {
      const auto picture = [&](const Array* array) {
        return plot_pixels({{{{array}, "left"}, {{array}, "right"}}, style, {"x", "y"}, {}, true});
      };
      const Pixels first = picture(one), second = picture(other);
      EXPECT_EQ(first.width, second.width);
      EXPECT_EQ(first.height, second.height);
    }
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
