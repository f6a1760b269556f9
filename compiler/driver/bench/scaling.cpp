#include "driver/bench/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "diag/codes.h"
#include "driver/bench/outputs.h"
#include "driver/measure/bench_inputs.h"
#include "driver/measure/build_libraries.h"
#include "driver/measure/machine.h"
#include "driver/measure/measure.h"
#include "driver/pipeline/compile.h"
#include "driver/system/progress.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

// The numbers in ascending order, one among them: it is what the others are compared with.
std::vector<int> counts_of(const std::vector<int>& given) {
  std::vector<int> counts = given;
  counts.push_back(1);
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// A line of the table that is to be measured, and its data.
struct Planned {
  Scaled row;
  BenchData data;
};

class Scaling {
 public:
  Scaling(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
          diag::Engine& engine)
      : options_(options), stencil_(stencil), sources_(sources), engine_(engine) {}

  void go() {
    if (!compile() || !plan()) return;
    libraries_ = build_all(compiled_, options_.compilation.target, options_.archs);
    if (!all_built(libraries_, engine_) || options_.bench.build_only) return;
    const ScalingReport report = measured();
    if (!engine_.has_errors()) write_report(options_, report, engine_);
  }

 private:
  // For the whole grid and for pieces, with the same schedule where both have it.
  bool compile() {
    CompileOptions own = options_.compilation;
    if (!options_.bench.schedules.empty()) own.schedule = options_.bench.schedules[0];
    for (const bool pieces : {false, true}) {
      own.distributed = pieces;
      own.gpus = counts_of(options_.bench.devices).back();
      std::optional<Compiled> one = back_end(stencil_, sources_, own, engine_);
      if (!one) return false;
      compiled_.push_back(std::move(*one));
    }
    return true;
  }

  // All lines, so that what is missing for one of them is said before anything is built.
  bool plan() {
    const BenchOptions& bench = options_.bench;
    for (const bool weak : {false, true}) {
      if ((bench.strong || bench.weak) && !(weak ? bench.weak : bench.strong)) continue;
      for (const int devices : counts_of(bench.devices)) {
        Planned& one = planned_.emplace_back();
        if (!make_bench_data(options_, compiled_[0], one.data, engine_)) return false;
        if (weak && devices > 1) {
          Options larger = options_;
          larger.size = one.data.host.extents;
          larger.size.back() *= devices;
          one.data = {};
          if (!make_bench_data(larger, compiled_[0], one.data, engine_)) return false;
        }
        one.data.timing.sustained = 0;
        for (const kernel::Launch& launch : compiled_[0].module.launches)
          one.data.timing.launch =
              std::max<int64_t>(one.data.timing.launch, launch.kernel.most_steps);
        if (devices > 1) {
          one.data.host.devices.resize(static_cast<size_t>(devices));
          std::iota(one.data.host.devices.begin(), one.data.host.devices.end(), 0);
        }
        one.row = {weak, devices, one.data.host.extents, {}};
      }
    }
    return true;
  }

  const Library& library_of(const Planned& one) const {
    return libraries_[one.row.devices > 1 ? 1 : 0];
  }
  bool fail(const Planned& one, const std::string& why) {
    engine_.report(
        diag::run_failed, diag::nowhere,
        fmt::format("on {} device{}, {}: {}", one.row.devices, one.row.devices == 1 ? "" : "s",
                    data::to_string(one.row.extents), why));
    return false;
  }

  ScalingReport measured() {
    ScalingReport report;
    report.place = place_of(options_.compilation.target, options_.bench.words);
    report.stencil = stencil_.name;
    report.alone = plan::print(compiled_[0].plan.schedule, stencil_);
    report.schedule = plan::print(compiled_[1].plan.schedule, stencil_);
    report.in_memory = options_.compilation.target == plan::Target::cpu;
    // Devices or memory may be missing, or pieces may be too thin.
    for (const Planned& one : planned_)
      if (const std::string why = make_grids(library_of(one), one.data.host);
          !why.empty() && !fail(one, why))
        return report;
    Progress progress("timing");
    for (Planned& one : planned_) {
      progress.at(static_cast<int64_t>(report.rows.size()) + 1,
                  static_cast<int64_t>(planned_.size()));
      if (const std::string why =
              measure(library_of(one), one.data.host, one.data.timing, one.row.times);
          !why.empty() && !fail(one, why))
        return report;
      report.rows.push_back(one.row);
    }
    return report;
  }

  const Options& options_;
  const ir::Stencil& stencil_;
  const diag::Sources& sources_;
  diag::Engine& engine_;
  std::vector<Compiled> compiled_;  // for the whole grid, and for pieces
  std::vector<Library> libraries_;
  std::vector<Planned> planned_;
};

}  // namespace

void bench_devices(const Options& options, const ir::Stencil& stencil, const diag::Sources& sources,
                   diag::Engine& engine) {
  Scaling(options, stencil, sources, engine).go();
}

}  // namespace stencilc::driver
