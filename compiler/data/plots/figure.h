// Describes pictures of lines, boxes, discs, text and images, which can be written as SVG or PNG.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "data/images/canvas.h"
#include "data/values/result.h"

namespace stencilc::data {

// In units of the figure, y downwards. Later items are drawn over earlier ones.
struct Line {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Color color;
  double width = 1;
};
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  Color color;
};
struct Disc {
  double x = 0, y = 0, radius = 0;
  Color color;
};
enum class Anchor { start, middle, end };
// Monospaced text; (x, y) is the middle of its height, and the anchor tells which point of its
// length.
struct Text {
  double x = 0, y = 0;
  std::string text;
  Color color;
  Anchor anchor = Anchor::start;
  bool upwards = false;  // rotated to the left
  double dot = 1.5;      // a letter has 6 x 7 dots, including the gap after it
};

// Pixels, at most a million along a side, as squares of this side; (x, y) is the upper left corner.
struct Image {
  double x = 0, y = 0, side = 1;
  Pixels pixels;
};

struct Figure {
  double width = 0, height = 0;
  std::vector<std::variant<Line, Box, Disc, Text, Image>> parts;

  template <class Part>
  void add(Part part) {
    parts.push_back(std::move(part));
  }
};

double width_of(const Text& text);

std::string svg_of(const Figure& figure);

// Two pixels per unit.
Pixels pixels_of(const Figure& figure);

// The contents of a file: SVG if its name ends in .svg, in capitals or not, otherwise PNG.
Result<std::string> figure_file(const Figure& figure, const std::string& path);

}  // namespace stencilc::data
