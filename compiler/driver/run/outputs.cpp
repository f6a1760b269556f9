#include "driver/run/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "data/files/netcdf.h"
#include "data/files/npy.h"
#include "data/files/npz.h"
#include "data/files/vti.h"
#include "data/images/png.h"
#include "data/plots/plot.h"
#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/params.h"
#include "driver/inputs/points.h"
#include "driver/pipeline/param_values.h"
#include "driver/run/numbered.h"
#include "driver/run/output_names.h"
#include "driver/run/plot_options.h"
#include "driver/system/files.h"

namespace stencilc::driver {

size_t newest_slot(const ir::Stencil& stencil, int field) {
  size_t slot = 0;
  for (int f = 0; f < field; ++f)
    slot += stencil.fields[f].role == ir::Role::stepped ? stencil.fields[f].levels() : 1;
  return slot;
}
const data::Array& newest(const ir::Stencil& stencil, const HostData& host, int field) {
  return host.buffers[newest_slot(stencil, field)];
}

data::Array without_halo(const data::Array& array, const data::Extents& halo) {
  return without_halo(array, halo, halo);
}
data::Array without_halo(const data::Array& array, const data::Extents& low,
                         const data::Extents& high) {
  data::Extents extents = array.extents;
  for (size_t a = 0; a < extents.size(); ++a) extents[a] -= low[a] + high[a];
  data::Array cells = *data::make_array(array.element, extents);
  const auto size = static_cast<size_t>(data::size_of(array.element));
  const auto before = [&](size_t a) { return a < low.size() ? low[a] : 0; };
  std::byte* to = cells.bytes.data();
  for (int64_t z = 0; z < cells.extent(2); ++z)
    for (int64_t y = 0; y < cells.extent(1); ++y) {
      const int64_t row = (z + before(2)) * array.extent(1) + y + before(1);
      const std::byte* from =
          array.bytes.data() + static_cast<size_t>(row * array.extent(0) + before(0)) * size;
      to = std::copy_n(from, static_cast<size_t>(cells.extent(0)) * size, to);
    }
  return cells;
}

namespace {

// `cells` follow the file.
void save(const std::string& path, const data::Result<std::string>& file, bool quiet,
          diag::Engine& engine, std::string_view cells = {}) {
  if (!file.ok()) {
    engine.report(diag::bad_input_data, diag::nowhere, fmt::format("`{}`: {}", path, file.error()));
    return;
  }
  const std::string why = write_text(path, *file, cells);
  if (!why.empty())
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, why));
  else if (path != "-" && !quiet)
    std::cout << fmt::format("wrote {}\n", diag::printable(path));
}

// The newest levels of some fields, or of one field in the run of each channel.
// What a step takes by the param `dt`, also if it is a constant of `-D`. Its digits are those that
// were written: 100 steps of `0.2` are the time 20, which they are not by the bits of f32.
std::optional<long double> step_of_time(const Options& options, const ir::Stencil& stencil,
                                        const HostData& run) {
  for (size_t p = 0; p < stencil.params.size(); ++p)
    if (stencil.params[p].name == "dt" && ir::is_float(stencil.params[p].type))
      return as_written(run.params[p]);
  for (const auto& [name, text] : options.compilation.defines) {
    char* end = nullptr;
    const long double value = std::strtold(text.c_str(), &end);
    if (name == "dt" && *end == 0 && std::isfinite(value)) return value;
  }
  return {};
}

class Results {
 public:
  Results(const Options& options, const ir::Stencil& stencil, const std::vector<HostData>& runs,
          const InputFacts& facts)
      : options_(options), stencil_(stencil), runs_(runs), facts_(facts) {}

  std::vector<const data::Array*> arrays_of(const std::string& names) const {
    std::vector<const data::Array*> arrays;
    for (const data::NamedArray& one : named(names)) arrays.push_back(one.array);
    return arrays;
  }

  // Gray and colours get the alpha of the input if it has their size.
  data::Result<std::string> picture(const std::string& names) const {
    std::vector<const data::Array*> channels = arrays_of(names);
    if (channels.size() % 2 == 1 && facts_.alpha && facts_.alpha->extents == channels[0]->extents)
      channels.push_back(&*facts_.alpha);
    return data::png_file(channels, facts_.depth);
  }

  // Arrays by the names of their fields, in the run of a channel `u_red`.
  std::vector<data::NamedArray> named(const std::string& names) const {
    std::vector<data::NamedArray> arrays;
    for (const std::string& name : split_names(names))
      for (size_t run = 0; run < runs_.size(); ++run) {
        const auto colour = InputFacts::colour(static_cast<int>(run));
        arrays.push_back(
            {runs_.size() == 1 ? name : fmt::format("{}_{}", name, data::name_of(colour)),
             &newest(stencil_, runs_[run], field_index(stencil_, name))});
      }
    return arrays;
  }

  // The channels of a picture are the slowest axis.
  data::Result<std::string> array(const std::string& name) const {
    const std::vector<const data::Array*> channels = arrays_of(name);
    if (channels.size() == 1) return data::npy_file(*channels[0]);
    data::Extents extents = channels[0]->extents;
    extents.push_back(static_cast<int64_t>(channels.size()));
    auto all = data::make_array(channels[0]->element, extents);
    if (!all.ok()) return data::Error{all.error()};
    std::byte* to = all->bytes.data();
    for (const data::Array* channel : channels) to = std::ranges::copy(channel->bytes, to).out;
    return data::npy_file(*all);
  }

  // An array that is in memory as in a .npy file of it, or null: it is written without a copy.
  const data::Array* as_in_file(const std::string& names, const FileName& file) const {
    if (file.kind != FileKind::npy) return nullptr;
    const std::vector<const data::Array*> arrays = arrays_of(names);
    return arrays.size() > 1 || arrays[0]->element == data::Element::bf16 ? nullptr : arrays[0];
  }

  // What files of grids show: the cells without the halo. `cells` keeps those that are copied.
  std::vector<data::NamedArray> without_halos(const std::string& names,
                                              std::vector<data::Array>& cells) const {
    std::vector<data::NamedArray> arrays = named(names);
    cells.reserve(arrays.size());
    for (size_t i = 0; i < arrays.size(); ++i) {
      const data::Extents halo = halo_of(stencil_, field_of(names, i));
      if (std::ranges::all_of(halo, [](int64_t width) { return width == 0; })) continue;
      cells.push_back(without_halo(*arrays[i].array, halo));
      arrays[i].array = &cells.back();
    }
    return arrays;
  }

  data::Placement placement() const {
    data::Placement placement = facts_.placement.value_or(data::Placement());
    std::ranges::copy(options_.spacing, placement.spacing.begin());
    std::ranges::copy(options_.origin, placement.origin.begin());
    return placement;
  }

  data::Result<std::string> vti(const std::string& names, bool compressed) const {
    std::vector<data::Array> cells;
    return data::vti_file(without_halos(names, cells), placement(), compressed);
  }

  data::Result<std::string> netcdf(const std::string& names, bool compressed) const {
    std::vector<data::Array> cells;
    return data::netcdf_file(netcdf_contents(names, compressed, cells));
  }

  // Of arrays that this has, or `cells`.
  data::NetcdfFile netcdf_contents(const std::string& names, bool compressed,
                                   std::vector<data::Array>& cells) const {
    data::NetcdfFile file;
    file.title = stencil_.name;
    file.compressed = compressed;
    const data::Placement places = placement();
    for (size_t a = 0; a < stencil_.axes.size(); ++a)
      file.axes.push_back(
          {stencil_.axes[a], runs_[0].extents[a], places.origin[a], places.spacing[a]});
    for (const data::NamedArray& array : without_halos(names, cells)) {
      const ir::Field& field = stencil_.fields[field_of(names, file.variables.size())];
      std::vector<std::string> axes;
      for (size_t a = 0; a < stencil_.axes.size(); ++a)
        if (field.along[a]) axes.push_back(stencil_.axes[a]);
      file.variables.push_back({array, axes, field.role == ir::Role::input});
      if (const std::string* unit = find(options_.units, field.name))
        file.units[array.name] = *unit;
    }
    for (const std::string& name : stencil_.axes)
      if (const std::string* unit = find(options_.units, name)) file.units[name] = *unit;
    if (const std::string* unit = find(options_.units, "time")) file.units["time"] = *unit;
    const auto is_free = [&](const std::string& name) {
      return std::ranges::find(stencil_.axes, name) == stencil_.axes.end() &&
             field_index(stencil_, name) < 0;
    };
    const int64_t steps = options_.first + runs_[0].steps_taken;
    if (is_free("step")) file.step = steps;
    if (is_free("time") && step_of_time(options_, stencil_, runs_[0]))
      file.time = time_of(options_, stencil_, runs_[0], steps);
    return file;
  }

  // A panel for each array, or one in colour.
  data::Plot plot(const PlotOptions& options, std::vector<data::Array>& cells) const {
    const std::vector<data::NamedArray> arrays =
        without_halos(fmt::format("{}", fmt::join(options.fields, ",")), cells);
    data::Plot plot{{}, options.style, stencil_.axes};
    for (const data::NamedArray& one : arrays) {
      if (options.channels && !plot.panels.empty())
        plot.panels[0].arrays.push_back(one.array);
      else
        plot.panels.push_back({{one.array}, arrays.size() > 1 ? one.name : "", options.slice});
    }
    if (options.channels) plot.panels[0].title = "";
    if (options_.long_run.every != 0) plot.notes.push_back(moment());
    if (!facts_.made_up.empty())
      plot.notes.push_back(fmt::format("{} {} made up (gauss)", fmt::join(facts_.made_up, ", "),
                                       facts_.made_up.size() == 1 ? "is" : "are"));
    if (!facts_.made_up_points.empty())
      plot.notes.push_back(fmt::format("{} {} made up (one point in the middle)",
                                       fmt::join(facts_.made_up_points, ", "),
                                       facts_.made_up_points.size() == 1 ? "is" : "are"));
    return plot;
  }

  data::Result<std::string> contents(const std::string& names, const FileName& file) const {
    switch (file.kind) {
      case FileKind::png:
        return picture(names);
      case FileKind::npz:
        return data::npz_file(named(names), is_compressed(file));
      case FileKind::vti:
        return vti(names, is_compressed(file));
      case FileKind::netcdf:
        return netcdf(names, is_compressed(file));
      default:
        return array(names);
    }
  }

 private:
  // Of a snapshot.
  std::string moment() const {
    const int64_t step = options_.first + runs_[0].steps_taken;
    std::string text = fmt::format("step {}", step);
    if (step_of_time(options_, stencil_, runs_[0]))
      text += fmt::format(", time {:.6g}", time_of(options_, stencil_, runs_[0], step));
    return text;
  }

  // The field of the array of this index.
  size_t field_of(const std::string& names, size_t index) const {
    return static_cast<size_t>(field_index(stencil_, split_names(names)[index / runs_.size()]));
  }

  const Options& options_;
  const ir::Stencil& stencil_;
  const std::vector<HostData>& runs_;
  const InputFacts& facts_;
};

}  // namespace

void write_outputs(const Options& options, const ir::Stencil& stencil,
                   const std::vector<HostData>& runs, const InputFacts& facts,
                   diag::Engine& engine) {
  const bool quiet = options.long_run.quiet;
  const Results results(options, stencil, runs, facts);
  for (const auto& [names, text] : options.outputs) {
    const FileName file = file_name(text);
    if (is_series(stencil, names))
      save(file.path, data::npy_file(series_array(stencil, runs[0], names)), quiet, engine);
    else if (const data::Array* const array = results.as_in_file(names, file); array != nullptr)
      save(file.path, data::npy_header(array->element, array->extents), quiet, engine,
           {reinterpret_cast<const char*>(array->bytes.data()), array->bytes.size()});
    else
      save(file.path, results.contents(names, file), quiet, engine);
  }
  for (const std::string& text : options.plots) {
    const PlotOptions plot = *plot_options(text, stencil);
    std::vector<data::Array> cells;
    save(plot.path, data::plot_file(results.plot(plot, cells), plot.path), quiet, engine);
  }
}

std::string write_in_series(const std::string& names, const FileName& file, bool first,
                            const Options& options, const ir::Stencil& stencil,
                            const std::vector<HostData>& runs, const InputFacts& facts) {
  std::vector<data::Array> cells;
  data::NetcdfFile snapshot =
      Results(options, stencil, runs, facts).netcdf_contents(names, is_compressed(file), cells);
  snapshot.step = options.first + runs[0].steps_taken;
  snapshot.time = time_of(options, stencil, runs[0], *snapshot.step);
  return first ? data::begin_netcdf_series(file.path, snapshot)
               : data::add_to_netcdf(file.path, snapshot);
}

data::Pixels picture_of(const PlotOptions& plot, const Options& options, const ir::Stencil& stencil,
                        const std::vector<HostData>& runs, const InputFacts& facts) {
  std::vector<data::Array> cells;
  data::Plot picture = Results(options, stencil, runs, facts).plot(plot, cells);
  picture.steady = true;
  return data::plot_pixels(picture);
}

std::string collection_name(const std::string& path) {
  const std::string plain = without_number(path);
  return plain.substr(0, plain.rfind('.')) + ".pvd";
}

double time_of(const Options& options, const ir::Stencil& stencil, const HostData& run,
               int64_t steps) {
  return static_cast<double>(static_cast<long double>(steps) *
                             step_of_time(options, stencil, run).value_or(1));
}

}  // namespace stencilc::driver
