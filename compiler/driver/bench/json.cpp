#include "driver/bench/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/system/json_text.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

using nlohmann::ordered_json;

ordered_json context_of(const Place& place) {
  ordered_json context = {{"date", place.date},
                          {"host_name", place.host},
                          {"executable", "stencilc"},
                          {"num_cpus", place.cores},
                          {"mhz_per_cpu", 0},
                          {"cpu_scaling_enabled", false},
                          {"caches", ordered_json::array()},
                          {"load_avg", ordered_json::array()},
                          {"library_version", kVersion},
                          {"library_build_type", "release"},
                          {"json_schema_version", 1},
                          {"device", place.device}};
  if (!place.driver.empty()) context["driver"] = place.driver;
  if (!place.clocks.empty()) context["clocks"] = place.clocks;
  context["compiler"] = place.compiler;
  context["command"] = place.command;
  return context;
}

ordered_json context_of(const Report& report) {
  ordered_json context = context_of(report.place);
  context["stencil"] = report.stencil;
  context["extents"] = report.extents;
  context["bytes_per_cell"] = report.traffic.bytes();
  context["operations_per_cell"] =
      report.arithmetic.real > 0 ? report.arithmetic.real : report.arithmetic.integer;
  context["copy_bytes_per_second"] = report.copy_rate();
  return context;
}

// One family of results: a name, its repetitions and their median.
struct Family {
  std::string name;
  int index = 0;
  const Times& times;
};

ordered_json entry(const Family& family, const std::string& suffix) {
  return {{"name", family.name + suffix},
          {"family_index", family.index},
          {"per_family_instance_index", 0},
          {"run_name", family.name}};
}

void add_times(ordered_json& json, const Family& family, double seconds) {
  const double milliseconds = 1e3 * seconds / static_cast<double>(family.times.steps);
  json["real_time"] = milliseconds;
  json["cpu_time"] = milliseconds;
  json["time_unit"] = "ms";
}

// One repetition per burst, then the median. `more` adds what follows from the seconds of a burst.
template <class More>
void add_family(ordered_json& list, const Family& family, More more) {
  const auto& bursts = family.times.bursts;
  for (size_t n = 0; n < bursts.size(); ++n) {
    ordered_json one = entry(family, "");
    one["run_type"] = "iteration";
    one["repetitions"] = bursts.size();
    one["repetition_index"] = n;
    one["threads"] = 1;
    one["iterations"] = family.times.steps;
    add_times(one, family, bursts[n]);
    more(one, bursts[n]);
    list.push_back(std::move(one));
  }
  ordered_json median = entry(family, "_median");
  median["run_type"] = "aggregate";
  median["repetitions"] = bursts.size();
  median["threads"] = 1;
  median["aggregate_name"] = "median";
  median["aggregate_unit"] = "time";
  median["iterations"] = bursts.size();
  add_times(median, family, family.times.median());
  more(median, family.times.median());
  list.push_back(std::move(median));
}

}  // namespace

std::string json_of(const Report& report) {
  ordered_json list = ordered_json::array();
  int index = 0;
  const auto copied = [&](ordered_json& one, double seconds) {
    one["bytes_per_second"] = static_cast<double>(report.copy_bytes * report.copy.steps) / seconds;
  };
  add_family(list, {"copy", index++, report.copy}, copied);
  const std::string size = fmt::format("{}", fmt::join(report.extents, "x"));
  for (const Result& result : report.results) {
    const auto more = [&](ordered_json& one, double seconds) {
      const double cells = report.rate(result, seconds);
      one["cells_per_second"] = cells;
      one["bytes_per_second"] = cells * report.traffic.bytes();
      if (!report.fits_cache())
        one["fraction_of_copy"] = cells * report.traffic.bytes() / report.copy_rate();
      if (result.resources) {
        one["registers"] = result.resources->registers;
        one["spilled_bytes"] = result.resources->spilled;
        if (result.resources->warps) one["warps_per_multiprocessor"] = *result.resources->warps;
      }
      if (result.instructions) one["instructions_per_cell"] = *result.instructions;
    };
    const std::string name = fmt::format("{}/{}/{}", report.stencil, size, result.schedule);
    add_family(list, {name, index++, result.times}, more);
    if (result.times.sustained <= 0) continue;
    Times sustained = result.times;
    sustained.bursts = {result.times.sustained};
    add_family(list, {name + "/sustained", index++, sustained}, more);
  }
  return json_text({{"context", context_of(report)}, {"benchmarks", list}});
}

std::string json_of(const ScalingReport& report) {
  ordered_json context = context_of(report.place);
  context["stencil"] = report.stencil;
  context["schedule"] = report.schedule;
  context["schedule_of_one"] = report.alone;
  context["pieces_in_memory"] = report.in_memory;
  ordered_json list = ordered_json::array();
  int index = 0;
  for (const Scaled& row : report.rows) {
    const auto more = [&](ordered_json& one, double seconds) {
      one["devices"] = row.devices;
      one["scaling"] = row.kind();
      one["extents"] = row.extents;
      one["cells_per_second"] =
          report.rate(row) * report.step(row) * static_cast<double>(row.times.steps) / seconds;
      one["efficiency"] = report.efficiency(row);
    };
    add_family(list,
               {fmt::format("{}/{}/{}/{}", report.stencil, fmt::join(row.extents, "x"), row.kind(),
                            row.devices),
                index++, row.times},
               more);
  }
  return json_text({{"context", context}, {"benchmarks", list}});
}

}  // namespace stencilc::driver
