#include "driver/measure/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace stencilc::driver {
namespace {

// The number of decimals that shows three or four digits of a number like the largest.
int places_for(double largest) { return largest >= 100 ? 1 : largest >= 10 ? 2 : 3; }

std::string fixed(double value, int places) { return fmt::format("{:.{}f}", value, places); }

using Row = std::vector<std::string>;
struct Column {
  std::string head;
  std::function<std::string(const Result&)> cell;
};

std::vector<Column> columns(const Report& report) {
  const auto any = [&](auto has) {
    return std::any_of(report.results.begin(), report.results.end(), has);
  };
  double largest = 0;
  for (const Result& result : report.results)
    largest = std::max(largest, report.rate(result, result.times.best()) * kGiga);
  const int places = places_for(largest);
  const auto rate = [&report, places](const Result& result, double seconds) {
    return seconds > 0 ? fixed(report.rate(result, seconds) * kGiga, places) : "-";
  };
  std::vector<Column> list = {
      {"schedule", [](const Result& r) { return r.schedule; }},
      {"GCells/s", [rate](const Result& r) { return rate(r, r.times.median()); }},
      {"lowest", [rate](const Result& r) { return rate(r, r.times.worst()); }},
      {"highest", [rate](const Result& r) { return rate(r, r.times.best()); }}};
  if (any([](const Result& r) { return r.times.sustained > 0; }))
    list.push_back({"sustained", [rate](const Result& r) { return rate(r, r.times.sustained); }});
  const int byte_places = places_for(largest * report.traffic.bytes()) - 1;
  list.push_back({"GB/s", [&report, byte_places](const Result& r) {
                    return fixed(report.byte_rate(r) * kGiga, byte_places);
                  }});
  if (!report.fits_cache())
    list.push_back(
        {"of copy", [&report](const Result& r) { return fixed(report.fraction_of_copy(r), 3); }});
  if (const Result* naive = report.naive(); naive && report.results.size() > 1) {
    const double base = report.rate(*naive, naive->times.median());
    list.push_back({"x naive", [&report, base](const Result& r) {
                      return fixed(base > 0 ? report.rate(r, r.times.median()) / base : 0, 2);
                    }});
  }
  if (any([](const Result& r) { return r.resources.has_value(); })) {
    list.push_back({"registers", [](const Result& r) {
                      return r.resources ? std::to_string(r.resources->registers) : "-";
                    }});
    list.push_back({"spilled", [](const Result& r) {
                      return r.resources ? std::to_string(r.resources->spilled) : "-";
                    }});
  }
  if (any([](const Result& r) { return r.resources && r.resources->warps; }))
    list.push_back({"warps", [](const Result& r) {
                      const bool known = r.resources && r.resources->warps;
                      return known ? std::to_string(*r.resources->warps) : "-";
                    }});
  if (any([](const Result& r) { return r.instructions.has_value(); }))
    list.push_back({"instr/cell", [](const Result& r) {
                      return r.instructions ? fixed(*r.instructions, 1) : "-";
                    }});
  return list;
}

std::string operations(const ir::Arithmetic& arithmetic) {
  if (arithmetic.real == 0) return fmt::format("{} integer operations", arithmetic.integer);
  return fmt::format("{} floating-point operations", arithmetic.real);
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t c = 0; c < row.size(); ++c)
      text += c == 0 ? fmt::format("{:<{}}", row[c], widths[c])
                     : fmt::format("  {:>{}}", row[c], widths[c]);
    text += '\n';
  }
  return text;
}

std::string table(const Report& report) {
  std::string text = fmt::format("{}: {} on {}\n", report.stencil, data::to_string(report.extents),
                                 report.place.device);
  text +=
      fmt::format("per cell and step: {} bytes ({} read, {} stored), {}\n", report.traffic.bytes(),
                  report.traffic.read, report.traffic.stored, operations(report.arithmetic));
  text += fmt::format("copy: {:.0f} GB/s (bytes read plus bytes written)\n{}\n",
                      report.copy_rate() * kGiga, report.cache_note());
  const std::vector<Column> all = columns(report);
  std::vector<Row> rows(1);
  for (const Column& column : all) rows[0].push_back(column.head);
  for (const Result& result : report.results) {
    rows.emplace_back();
    for (const Column& column : all) rows.back().push_back(column.cell(result));
  }
  return text + aligned(rows);
}

}  // namespace stencilc::driver
