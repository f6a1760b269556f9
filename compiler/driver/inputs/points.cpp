#include "driver/inputs/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "data/files/npy.h"
#include "data/values/generate.h"
#include "diag/codes.h"
#include "driver/cli/report.h"
#include "driver/execute/call.h"
#include "driver/inputs/file_names.h"
#include "driver/system/files.h"
#include "driver/system/input_errors.h"
#include "driver/system/memory.h"

namespace stencilc::driver {
namespace {

using Coordinates = std::array<double, ir::kMaxRank>;

constexpr double kMostCell = 2147483647;  // indices of 32 bits

// Reads a .npy file of at most two axes; x is the faster one.
std::optional<data::Array> read_array(const std::string& path, diag::Engine& engine) {
  const Text text = read_text(path, kMaxData);
  if (!text.problem.empty()) {
    engine.report(diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", path, text.problem));
    return {};
  }
  auto array = data::parse_npy(text.text, true);
  if (array.ok()) return std::move(*array);
  bad_input(engine, fmt::format("`{}`: {}", path, array.error()));
  return {};
}

// Reads "12,20;40.5,8".
bool parse_places(const std::string& text, int rank, std::vector<Coordinates>& places) {
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    Coordinates place = {};
    for (int a = 0; a < rank; ++a) {
      const auto [next, error] = std::from_chars(at, end, place[a]);
      if (error != std::errc()) return false;
      at = next;
      const char wanted = a + 1 < rank ? ',' : ';';
      if (at == end) {
        if (a + 1 < rank) return false;
      } else if (*at++ != wanted) {
        return false;
      }
    }
    places.push_back(place);
  }
  return true;
}

bool read_places(const ir::Points& list, const std::string& what, int rank,
                 std::vector<Coordinates>& places, diag::Engine& engine) {
  if (ends_in(what, ".npy")) {
    const auto array = read_array(what, engine);
    if (!array) return false;
    if (array->extents.size() != 2 || array->extents[0] != rank)
      return bad_input(
          engine, fmt::format("`{}` is {}; an array of points has the shape (points, {})", what,
                              data::to_string(array->extents), rank));
    for (int64_t p = 0; p < array->extents[1]; ++p) {
      Coordinates place = {};
      for (int a = 0; a < rank; ++a) place[a] = data::value_at(*array, p * rank + a);
      places.push_back(place);
    }
  } else if (!parse_places(what, rank, places)) {
    return bad_input(
        engine,
        fmt::format("`--points {}={}`: write {} numbers for each point, and `;` between points",
                    list.name, what, rank));
  }
  for (const Coordinates& place : places)
    for (int a = 0; a < rank; ++a)
      if (list.linear && !std::isfinite(place[a]))
        return bad_input(engine, fmt::format("`{}` holds {}, which is not a valid position",
                                             list.name, place[a]));
  for (const Coordinates& place : places)
    for (int a = 0; a < rank && !list.linear; ++a)
      if (place[a] != std::floor(place[a]))
        return bad_input(
            engine,
            fmt::format("`{}` holds whole cells, but {} is between two; declare it `linear`",
                        list.name, place[a]));
  for (const Coordinates& place : places)
    for (int a = 0; a < rank && !list.linear; ++a)
      if (std::abs(place[a]) > kMostCell)
        return bad_input(engine, fmt::format("`{}` holds whole cells, but there is no cell {:.0f}",
                                             list.name, place[a]));
  return true;
}

// Before there is memory for them.
bool series_fit(const ir::Stencil& stencil, const HostData& host, diag::Engine& engine) {
  double bytes = 0;
  std::vector<std::string> names;
  for (const ir::Series& series : stencil.series) {
    bytes += static_cast<double>(host.points[static_cast<size_t>(series.points)].size()) *
             static_cast<double>(host.series_steps) * ir::bytes(series.type);
    names.push_back(series.name);
  }
  const std::optional<double> left = host_memory_left();
  if (!left || bytes <= *left) return true;
  engine.report(
      diag::memory_limit, diag::nowhere,
      fmt::format("the series {} {} in {} steps, and {} of memory are left", diag::listed(names),
                  (names.size() == 1 ? "has " : "have ") + print_bytes(bytes), host.series_steps,
                  print_bytes(*left)));
  return false;
}

bool fill_series(const Options& options, const ir::Series& series, size_t count, HostData& host,
                 InputFacts& facts, diag::Engine& engine) {
  std::string what = series.output ? "zero" : "gauss";
  bool requested = series.output;
  for (const auto& [name, given] : options.inputs) {
    if (name != series.name) continue;
    what = given;
    requested = true;
  }
  const data::Extents extents = {static_cast<int64_t>(count), host.series_steps};
  std::optional<data::Array> array;
  host.series.push_back({series.type, {}});
  const bool none = extents[0] == 0 || extents[1] == 0;
  if (none && !ends_in(what, ".npy")) return true;
  if (!requested) facts.made_up.push_back(series.name);
  if (ends_in(what, ".npy")) {
    array = read_array(what, engine);
    if (!array) return false;
    const bool line = array->extents.size() == 1 && count == 1;
    if (line) array->extents.insert(array->extents.begin(), 1);
    if (array->extents.size() != 2 || array->extents[0] != extents[0] ||
        array->extents[1] < extents[1])
      return bad_input(
          engine, fmt::format("`{}` is {}, and the series `{}` needs {} points in {} steps", what,
                              data::to_string(array->extents), series.name, count, extents[1]));
  } else {
    auto made = data::generate(what, element_of(series.type), extents, options.seed);
    if (!made.ok())
      return bad_input(engine, fmt::format("`--in {}={}`: {}", series.name, what, made.error()));
    array = std::move(*made);
  }
  SeriesValues& values = host.series.back();
  const auto needed = static_cast<size_t>(extents[0] * extents[1]);
  if (array->element == element_of(series.type)) {
    values.bytes = std::move(array->bytes);
    values.bytes.resize(needed * static_cast<size_t>(ir::bytes(series.type)));
    return true;
  }
  values.bytes.reserve(needed * static_cast<size_t>(ir::bytes(series.type)));
  for (size_t i = 0; i < needed; ++i)
    values.push_back(
        ir::convert(ir::make_real(ir::Type::f64, data::value_at(*array, static_cast<int64_t>(i))),
                    series.type));
  return true;
}

}  // namespace

bool is_series(const ir::Stencil& stencil, const std::string& name) {
  for (const ir::Series& series : stencil.series)
    if (series.name == name) return true;
  return false;
}

bool set_points(const Options& options, const ir::Stencil& stencil, int64_t steps, HostData& host,
                InputFacts& facts, diag::Engine& engine) {
  for (const auto& [name, what] : options.points) {
    std::vector<std::string> known;
    for (const ir::Points& list : stencil.points) known.push_back(list.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      return unknown_of(engine, stencil, "points", name, known);
  }
  host.series_steps = host.first + steps;
  for (const ir::Points& list : stencil.points) {
    std::vector<Coordinates> places;
    bool given = false;
    for (const auto& [name, what] : options.points) {
      if (name != list.name) continue;
      given = true;
      if (!read_places(list, what, stencil.rank(), places, engine)) return false;
    }
    if (!given) {
      Coordinates middle = {};
      for (int a = 0; a < stencil.rank(); ++a) middle[a] = static_cast<double>(host.extents[a] / 2);
      places.push_back(middle);
      facts.made_up_points.push_back(list.name);
    }
    host.points.push_back(std::move(places));
    host.linear.push_back(list.linear);
  }
  if (!series_fit(stencil, host, engine)) return false;
  for (const ir::Series& series : stencil.series)
    if (!fill_series(options, series, host.points[series.points].size(), host, facts, engine))
      return false;
  return true;
}

data::Array series_array(const ir::Stencil& stencil, const HostData& host,
                         const std::string& name) {
  for (size_t s = 0; s < stencil.series.size(); ++s) {
    const ir::Series& series = stencil.series[s];
    if (series.name != name) continue;
    data::Array array{element_of(series.type),
                      {static_cast<int64_t>(host.points[series.points].size()), host.series_steps},
                      {}};
    array.bytes = host.series[s].bytes;
    return array;
  }
  return {};
}

}  // namespace stencilc::driver
