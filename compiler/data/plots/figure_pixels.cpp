// before: a figure; after: its pixels, drawn at twice the size and averaged for smooth edges.
#include <algorithm>
#include <cmath>

#include "data/plots/figure.h"

namespace stencilc::data {
namespace {

constexpr int64_t scale = 2;  // pixels per unit
constexpr int64_t fine = 2;   // factor of the size at which it is drawn
constexpr auto dots = static_cast<double>(scale * fine);
constexpr Color background{255, 255, 255};

int64_t at(double units) { return std::lround(units * dots); }
// The start of a pixel, so that letters are sharp.
int64_t whole(int64_t place) { return place / fine * fine; }

void draw(Pixels& canvas, const Box& box) {
  fill_box(canvas, at(box.x), at(box.y), at(box.x + box.width) - at(box.x),
           at(box.y + box.height) - at(box.y), box.color);
}

void draw(Pixels& canvas, const Disc& disc) {
  fill_disc(canvas, disc.x * dots, disc.y * dots, disc.radius * dots, disc.color);
}

void draw(Pixels& canvas, const Line& line) {
  const double half = line.width / 2;
  if (line.x0 == line.x1 || line.y0 == line.y1) {
    const double along_x = line.y0 == line.y1 ? 0 : half, along_y = line.x0 == line.x1 ? 0 : half;
    const double left = std::min(line.x0, line.x1), top = std::min(line.y0, line.y1);
    draw(canvas, Box{left - along_x, top - along_y, std::fabs(line.x1 - line.x0) + 2 * along_x,
                     std::fabs(line.y1 - line.y0) + 2 * along_y, line.color});
    return;
  }
  const double length = std::max(std::fabs(line.x1 - line.x0), std::fabs(line.y1 - line.y0));
  const int64_t steps = at(length) + 1;
  for (int64_t s = 0; s <= steps; ++s) {
    const double part = static_cast<double>(s) / static_cast<double>(steps);
    draw(canvas, Disc{line.x0 + (line.x1 - line.x0) * part, line.y0 + (line.y1 - line.y0) * part,
                      half, line.color});
  }
}

void draw(Pixels& canvas, const Text& text) {
  const int dot = static_cast<int>(std::lround(text.dot * dots));
  const int64_t along = text_width(text.text, dot), high = text_height(dot);
  const int64_t back = text.anchor == Anchor::start    ? 0
                       : text.anchor == Anchor::middle ? along / 2
                                                       : along;
  if (!text.upwards) {
    draw_text(canvas, whole(at(text.x) - back), whole(at(text.y) - high / 2), text.text, dot,
              text.color);
    return;
  }
  const int64_t all = high + 2 * dot;  // with the tails of letters
  const int64_t left = whole(at(text.x) - high / 2), bottom = whole(at(text.y) + back) - 1;
  Pixels flat = make_canvas(along, all, background);
  draw_text(flat, 0, 0, text.text, dot, text.color);
  for (int64_t y = 0; y < all; ++y)
    for (int64_t x = 0; x < along; ++x) {
      const uint16_t* from = &flat.samples[static_cast<size_t>((y * along + x) * 3)];
      const bool inked =
          from[0] != background.red || from[1] != background.green || from[2] != background.blue;
      if (inked) set_pixel(canvas, left + y, bottom - x, text.color);
    }
}

void draw(Pixels& canvas, const Image& image) {
  const uint16_t* from = image.pixels.samples.data();
  for (int64_t row = 0; row < image.pixels.height; ++row)
    for (int64_t column = 0; column < image.pixels.width; ++column, from += 3)
      draw(canvas, Box{image.x + static_cast<double>(column) * image.side,
                       image.y + static_cast<double>(row) * image.side, image.side, image.side,
                       Color{static_cast<uint8_t>(from[0]), static_cast<uint8_t>(from[1]),
                             static_cast<uint8_t>(from[2])}});
}

Pixels averaged(const Pixels& from) {
  Pixels to = make_canvas(from.width / fine, from.height / fine, background);
  for (int64_t y = 0; y < to.height; ++y)
    for (int64_t x = 0; x < to.width; ++x)
      for (int64_t c = 0; c < 3; ++c) {
        int sum = 0;
        for (int64_t row = y * fine; row < (y + 1) * fine; ++row)
          for (int64_t column = x * fine; column < (x + 1) * fine; ++column)
            sum += from.samples[static_cast<size_t>((row * from.width + column) * 3 + c)];
        to.samples[static_cast<size_t>((y * to.width + x) * 3 + c)] =
            static_cast<uint16_t>((sum + fine * fine / 2) / (fine * fine));
      }
  return to;
}

}  // namespace

Pixels pixels_of(const Figure& figure) {
  Pixels canvas = make_canvas(at(figure.width), at(figure.height), background);
  for (const auto& part : figure.parts)
    std::visit([&](const auto& one) { draw(canvas, one); }, part);
  return averaged(canvas);
}

}  // namespace stencilc::data
