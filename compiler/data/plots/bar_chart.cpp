#include "data/plots/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/plots/figure_style.h"

namespace stencilc::data {
namespace {

constexpr double row = 28, thickness = 18;
constexpr double bars_width = 480;
constexpr double top = 100, border = 24, space = 10;
constexpr int most_ticks = 6;

// Positions on the page, from the widest texts.
struct Layout {
  double left = 0, width = 0, bottom = 0;
  double highest = 1;  // of the axis
  double x(double value) const { return left + bars_width * value / highest; }
};

Layout layout_of(const BarChart& chart) {
  Layout layout;
  double labels = 0, notes = 0, highest = chart.reference;
  for (const Bar& bar : chart.bars) {
    labels = std::max(labels, width_of({0, 0, bar.label, {}}));
    notes = std::max(notes, width_of({0, 0, bar.note, {}}));
    highest = std::max({highest, bar.value, bar.mark});
  }
  layout.left = border + labels + space;
  layout.highest = ticks(highest, most_ticks).back();
  const double titles = std::max(width_of({0, 0, chart.title, {}, Anchor::start, false, title_dot}),
                                 width_of({0, 0, chart.subtitle, {}}));
  layout.width = std::max(layout.left + bars_width + space + notes, border + titles) + border;
  layout.bottom = top + row * static_cast<double>(chart.bars.size());
  return layout;
}

void draw_axis(Figure& figure, const BarChart& chart, const Layout& layout) {
  for (const double tick : ticks(layout.highest, most_ticks)) {
    const double x = layout.x(tick);
    figure.add(Line{x, top, x, layout.bottom, grid_color, 1});
    figure.add(Text{x, layout.bottom + 16, fmt::format("{:.4g}", tick), soft_ink, Anchor::middle});
  }
  figure.add(Text{layout.left + bars_width / 2, layout.bottom + 44, chart.axis, ink_color,
                  Anchor::middle});
}

void draw_bar(Figure& figure, const Bar& bar, const Layout& layout, double y) {
  figure.add(Text{layout.left - space, y, bar.label, ink_color, Anchor::end});
  figure.add(Box{layout.left, y - thickness / 2, layout.x(bar.value) - layout.left, thickness,
                 bar.pale ? pale_color : bar_color});
  if (bar.mark > 0) {
    const double x = layout.x(bar.mark);
    figure.add(Line{x, y - thickness / 2 - 3, x, y + thickness / 2 + 3, mark_color, 3});
  }
  figure.add(Text{layout.left + bars_width + space, y, bar.note, ink_color});
}

}  // namespace

std::vector<double> ticks(double highest, int most) {
  if (!(highest > 0) || !std::isfinite(highest)) return {0, 1};
  double step = std::pow(10, std::floor(std::log10(highest / most)));
  for (const double factor : {2.0, 2.5, 2.0})  // 1, 2, 5, 10
    if (highest / step > most * (1 + 1e-9)) step *= factor;
  std::vector<double> list = {0};
  for (int n = 1; list.back() < highest * (1 - 1e-9); ++n) list.push_back(n * step);
  return list;
}

Figure draw(const BarChart& chart) {
  const Layout layout = layout_of(chart);
  Figure figure{layout.width, layout.bottom + 64 + (chart.mark.empty() ? 0 : 22), {}};
  add_titles(figure, chart.title, chart.subtitle);
  draw_axis(figure, chart, layout);
  double y = top + row / 2;
  for (const Bar& bar : chart.bars) {
    draw_bar(figure, bar, layout, y);
    y += row;
  }
  figure.add(Line{layout.left, top, layout.left, layout.bottom, ink_color, 1.5});
  if (chart.reference > 0) {
    const double x = layout.x(chart.reference);
    figure.add(Line{x, top - 6, x, layout.bottom, roof_color, 2});
    figure.add(Text{x, top - 16, chart.reference_name, roof_color, Anchor::middle});
  }
  if (!chart.mark.empty()) {
    const double base = layout.bottom + 66;
    const Text legend{layout.left + bars_width / 2, base, chart.mark, soft_ink, Anchor::middle};
    const double x = legend.x - width_of(legend) / 2 - 8;
    figure.add(Line{x, base - 8, x, base + 8, mark_color, 3});
    figure.add(legend);
  }
  return figure;
}

}  // namespace stencilc::data
