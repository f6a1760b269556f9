#include "data/plots/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/plots/figure_style.h"

namespace stencilc::data {
namespace {

constexpr double left = 110, top = 84, plot_width = 760, plot_height = 460,
                 bottom = top + plot_height;
constexpr double label_gap = 18, leader = 34;
constexpr size_t few = 8;

// The ranges of both axes, which are logarithmic.
struct Axes {
  double low_x = 0.1, high_x = 10, low_y = 1, high_y = 1000;

  double x(double value) const {
    return left + plot_width * std::log(value / low_x) / std::log(high_x / low_x);
  }
  double y(double value) const {
    return bottom - plot_height * std::log(value / low_y) / std::log(high_y / low_y);
  }
};

bool drawable(const RooflinePoint& point) { return point.intensity > 0 && point.rate > 0; }

// A decade to the left of the points, and more to the right for their labels.
Axes axes_of(const Roofline& roofline) {
  double low = 0, high = 0, slowest = 0, fastest = 0;
  for (const RooflinePoint& point : roofline.points) {
    if (!drawable(point)) continue;
    low = low == 0 ? point.intensity : std::min(low, point.intensity);
    high = std::max(high, point.intensity);
    slowest = slowest == 0 ? point.rate : std::min(slowest, point.rate);
    fastest = std::max(fastest, point.rate);
  }
  if (low == 0) return {};
  Axes axes;
  axes.low_x = low / 8;
  axes.high_x = high * 20;
  const double roof = roofline.bandwidth * high;
  axes.low_y = std::min(slowest, roofline.bandwidth > 0 ? roof : slowest) / 4;
  axes.high_y = std::max({fastest, roof, roofline.peak}) * 4;
  return axes;
}

void draw_axes(Figure& figure, const Roofline& roofline, const Axes& axes) {
  for (const double tick : log_ticks(axes.low_x, axes.high_x)) {
    const double x = axes.x(tick);
    figure.add(Line{x, top, x, bottom, grid_color, 1});
    figure.add(Text{x, bottom + 16, fmt::format("{:g}", tick), soft_ink, Anchor::middle});
  }
  for (const double tick : log_ticks(axes.low_y, axes.high_y)) {
    const double y = axes.y(tick);
    figure.add(Line{left, y, left + plot_width, y, grid_color, 1});
    figure.add(Text{left - 8, y, fmt::format("{:g}", tick), soft_ink, Anchor::end});
  }
  figure.add(Line{left, top, left, bottom, ink_color, 1.5});
  figure.add(Line{left, bottom, left + plot_width, bottom, ink_color, 1.5});
  figure.add(Text{left + plot_width / 2, bottom + 44, "operations per byte of compulsory traffic",
                  ink_color, Anchor::middle});
  figure.add(Text{24, top + plot_height / 2, roofline.operations, ink_color, Anchor::middle, true});
}

void draw_boxed(Figure& figure, const Text& text) {
  const double width = width_of(text);
  const double x = text.anchor == Anchor::start    ? text.x
                   : text.anchor == Anchor::middle ? text.x - width / 2
                                                   : text.x - width;
  figure.add(Box{x - 3, text.y - 8, width + 6, 16, white});
  figure.add(text);
}

void draw_roofs(Figure& figure, const Roofline& roofline, const Axes& axes) {
  if (roofline.bandwidth > 0) {
    const double most = roofline.peak > 0 ? std::min(axes.high_y, roofline.peak) : axes.high_y;
    const double from = std::max(axes.low_x, axes.low_y / roofline.bandwidth),
                 to = std::min(axes.high_x, most / roofline.bandwidth);
    figure.add(Line{axes.x(from), axes.y(from * roofline.bandwidth), axes.x(to),
                    axes.y(to * roofline.bandwidth), roof_color, 2.5});
    const double at = axes.low_x * 4;  // to the left of the points
    draw_boxed(figure, {axes.x(at), axes.y(at * roofline.bandwidth) - 20, roofline.bandwidth_name,
                        roof_color, Anchor::end});
  }
  if (roofline.peak > 0 && roofline.bandwidth > 0) {
    const double ridge = std::max(axes.low_x, roofline.peak / roofline.bandwidth);
    const double y = axes.y(roofline.peak);
    if (ridge < axes.high_x)
      figure.add(Line{axes.x(ridge), y, left + plot_width, y, roof_color, 2.5});
    figure.add(Text{left + plot_width, y - 14,
                    fmt::format("{:.4g} {}", roofline.peak, roofline.operations), roof_color,
                    Anchor::end});
  }
}

// The points with a label, the fastest first. If there are many, those for comparison, and those at
// least a label's height below the one before.
std::vector<RooflinePoint> labelled(const Roofline& roofline, const Axes& axes) {
  std::vector<RooflinePoint> points, chosen;
  for (const RooflinePoint& point : roofline.points)
    if (drawable(point)) points.push_back(point);
  std::stable_sort(points.begin(), points.end(),
                   [](const RooflinePoint& a, const RooflinePoint& b) { return a.rate > b.rate; });
  for (const RooflinePoint& point : points)
    if (points.size() <= few || chosen.empty() || point.pale ||
        axes.y(point.rate) - axes.y(chosen.back().rate) >= label_gap)
      chosen.push_back(point);
  return chosen;
}

void draw_points(Figure& figure, const Roofline& roofline, const Axes& axes) {
  const std::vector<RooflinePoint> named = labelled(roofline, axes);
  std::vector<double> heights;
  for (const RooflinePoint& point : named) heights.push_back(axes.y(point.rate));
  heights = spread(heights, label_gap, top + 10, bottom - 10);
  for (size_t n = 0; n < named.size(); ++n) {
    const double x = axes.x(named[n].intensity), y = axes.y(named[n].rate);
    figure.add(Line{x, y, x + leader, heights[n], pale_color, 1});
    draw_boxed(figure, {x + leader + 4, heights[n], named[n].label, ink_color});
  }
  for (const RooflinePoint& point : roofline.points)
    if (drawable(point))
      figure.add(Disc{axes.x(point.intensity), axes.y(point.rate), 6,
                      point.pale ? pale_color : bar_color});
}

}  // namespace

std::vector<double> log_ticks(double low, double high) {
  std::vector<double> list;
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10, power) <= high;
       ++power)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) list.push_back(tick);
    }
  return list;
}

std::vector<double> spread(std::vector<double> heights, double apart, double top_end,
                           double bottom_end) {
  // Downwards from the top; then upwards from the bottom for labels that are too low.
  for (size_t n = 0; n < heights.size(); ++n)
    heights[n] = std::max(heights[n], n == 0 ? top_end : heights[n - 1] + apart);
  for (size_t n = heights.size(); n-- > 0;)
    heights[n] =
        std::min(heights[n], n + 1 == heights.size() ? bottom_end : heights[n + 1] - apart);
  return heights;
}

Figure draw(const Roofline& roofline) {
  const Axes axes = axes_of(roofline);
  double width = left + plot_width + 40;
  for (const RooflinePoint& point : labelled(roofline, axes))
    width =
        std::max(width, axes.x(point.intensity) + leader + 28 + width_of({0, 0, point.label, {}}));
  Figure figure{width, bottom + 68, {}};
  add_titles(figure, roofline.title, roofline.subtitle);
  draw_axes(figure, roofline, axes);
  draw_roofs(figure, roofline, axes);
  draw_points(figure, roofline, axes);
  return figure;
}

}  // namespace stencilc::data
