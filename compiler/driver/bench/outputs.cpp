#include "driver/bench/outputs.h"

#include <fmt/format.h>

#include <iostream>

#include "diag/codes.h"
#include "driver/bench/json.h"
#include "driver/bench/plots.h"
#include "driver/measure/table.h"
#include "driver/system/files.h"

namespace stencilc::driver {
namespace {

void write(const std::string& path, const std::string& text, diag::Engine& engine) {
  if (path.empty()) return;
  if (const std::string why = write_text(path, text); !why.empty())
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, why));
}

template <class Chart>
void write_picture(const std::string& path, const Chart& chart, diag::Engine& engine) {
  if (path.empty()) return;
  const data::Result<std::string> file = data::figure_file(data::draw(chart), path);
  if (file.ok())
    write(path, *file, engine);
  else
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, file.error()));
}

}  // namespace

void write_report(const Options& options, const Report& report, diag::Engine& engine) {
  const BenchOptions& bench = options.bench;
  if (bench.json != "-") std::cout << table(report);
  if (!bench.json.empty()) write(bench.json, json_of(report), engine);
  write_picture(bench.plot, bars_of(report), engine);
  write_picture(bench.roofline, roofline_of(report), engine);
}

void write_report(const Options& options, const ScalingReport& report, diag::Engine& engine) {
  const BenchOptions& bench = options.bench;
  if (bench.json != "-") std::cout << table(report);
  if (!bench.json.empty()) write(bench.json, json_of(report), engine);
  write_picture(bench.plot, bars_of(report), engine);
}

}  // namespace stencilc::driver
