#include "driver/bench/scaling_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/measure/table.h"

namespace stencilc::driver {

double ScalingReport::step(const Scaled& row) const {
  return row.times.steps > 0 ? row.times.median() / static_cast<double>(row.times.steps) : 0;
}

double ScalingReport::rate(const Scaled& row) const {
  double cells = 1;
  for (const int64_t extent : row.extents) cells *= static_cast<double>(extent);
  return step(row) > 0 ? cells / step(row) : 0;
}

double ScalingReport::efficiency(const Scaled& row) const {
  const auto one = std::ranges::find_if(
      rows, [&](const Scaled& other) { return other.weak == row.weak && other.devices == 1; });
  if (one == rows.end() || step(row) <= 0) return 0;
  return step(*one) / step(row) / (row.weak ? 1 : row.devices);
}

std::string table(const ScalingReport& report) {
  std::string text =
      fmt::format("{} on {}, schedule {}\n", report.stencil, report.place.device, report.schedule);
  if (report.alone != report.schedule)
    text += fmt::format("on one device: schedule {}\n", report.alone);
  if (report.in_memory)
    text +=
        "the pieces are in memory, and are computed one after the other: this is no measure of "
        "several devices\n";
  std::vector<std::vector<std::string>> rows = {
      {"scaling", "devices", "grid", "ms a step", "lowest", "highest", "GCells/s", "efficiency"}};
  for (const Scaled& row : report.rows) {
    const double steps = static_cast<double>(std::max<int64_t>(row.times.steps, 1));
    rows.push_back({row.kind(), std::to_string(row.devices), data::to_string(row.extents),
                    fmt::format("{:.4g}", 1e3 * report.step(row)),
                    fmt::format("{:.4g}", 1e3 * row.times.best() / steps),
                    fmt::format("{:.4g}", 1e3 * row.times.worst() / steps),
                    fmt::format("{:.4g}", kGiga * report.rate(row)),
                    fmt::format("{:.1f} %", 100 * report.efficiency(row))});
  }
  return text + "\n" + aligned(rows);
}

data::BarChart bars_of(const ScalingReport& report) {
  data::BarChart chart;
  chart.title = report.stencil;
  chart.subtitle = report.place.device;
  chart.axis = "efficiency";
  chart.reference = 1;
  chart.reference_name = "one device";
  for (const Scaled& row : report.rows) {
    data::Bar bar;
    bar.label = fmt::format("{}, {} device{}, {}", row.kind(), row.devices,
                            row.devices == 1 ? "" : "s", data::to_string(row.extents));
    bar.value = report.efficiency(row);
    bar.note = fmt::format("{:.1f} %, {:.4g} GCells/s", 100 * bar.value, kGiga * report.rate(row));
    bar.pale = row.devices == 1;
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

}  // namespace stencilc::driver
