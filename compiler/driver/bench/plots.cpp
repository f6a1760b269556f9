#include "driver/bench/plots.h"

#include <fmt/format.h>

#include <algorithm>

namespace stencilc::driver {
namespace {

std::string title_of(const Report& report) {
  return fmt::format("{}, {}", report.stencil, data::to_string(report.extents));
}

std::vector<const Result*> fastest_first(const Report& report) {
  std::vector<const Result*> results;
  for (const Result& result : report.results) results.push_back(&result);
  std::stable_sort(results.begin(), results.end(), [&](const Result* a, const Result* b) {
    return report.byte_rate(*a) > report.byte_rate(*b);
  });
  return results;
}

bool is_baseline(const Report& report, const Result& result) {
  return &result == report.naive() && report.results.size() > 1;
}

}  // namespace

data::BarChart bars_of(const Report& report) {
  data::BarChart chart;
  chart.title = title_of(report);
  chart.subtitle = report.place.device;
  chart.axis = "compulsory bytes as a fraction of the copy";
  chart.reference = 1;
  chart.reference_name = fmt::format("copy {:.0f} GB/s", report.copy_rate() * kGiga);
  for (const Result* result : fastest_first(report)) {
    data::Bar bar;
    bar.label = result->schedule;
    bar.value = report.fraction_of_copy(*result);
    const double rate = report.rate(*result, result->times.median()) * kGiga;
    bar.note =
        rate >= 100 ? fmt::format("{:.0f} GCells/s", rate) : fmt::format("{:.3g} GCells/s", rate);
    bar.pale = is_baseline(report, *result);
    if (result->times.sustained > 0) {
      bar.mark = bar.value * result->times.median() / result->times.sustained;
      chart.mark = "sustained";
    }
    chart.bars.push_back(std::move(bar));
  }
  return chart;
}

data::Roofline roofline_of(const Report& report) {
  const bool real = report.arithmetic.real > 0;
  const double operations = real ? report.arithmetic.real : report.arithmetic.integer;
  data::Roofline roofline;
  roofline.title = title_of(report);
  roofline.subtitle = report.place.device;
  roofline.operations = real ? "GFLOP/s" : "10^9 integer operations/s";
  roofline.bandwidth = report.copy_rate() * kGiga;
  roofline.bandwidth_name = fmt::format("copy {:.0f} GB/s", roofline.bandwidth);
  for (const Result* result : fastest_first(report))
    roofline.points.push_back({result->schedule,
                               report.traffic.bytes() > 0 ? operations / report.traffic.bytes() : 0,
                               report.rate(*result, result->times.median()) * operations * kGiga,
                               is_baseline(report, *result)});
  return roofline;
}

}  // namespace stencilc::driver
