// Pictures made of lines, boxes, discs and text, to be written as SVG or as PNG.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "data/canvas.h"
#include "data/result.h"

namespace stencilc::data {

// In units of the figure, y downwards. What comes later lies above.
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
// Letters of one width; (x, y) is the middle of their height, and along it what the anchor says.
struct Text {
  double x = 0, y = 0;
  std::string text;
  Color color;
  Anchor anchor = Anchor::start;
  bool upwards = false;  // turned to the left
  double dot = 1.5;      // a letter is 6 x 7 dots, the gap behind it included
};

struct Figure {
  double width = 0, height = 0;
  std::vector<std::variant<Line, Box, Disc, Text>> parts;

  template <class Part>
  void add(Part part) {
    parts.push_back(std::move(part));
  }
};

double width_of(const Text& text);

std::string svg_of(const Figure& figure);

// Two pixels for each unit.
Pixels pixels_of(const Figure& figure);

// The text of a file: .svg, or else a PNG.
Result<std::string> figure_file(const Figure& figure, const std::string& path);

}  // namespace stencilc::data
