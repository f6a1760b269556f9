#include "driver/run/output_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "data/files/netcdf.h"
#include "driver/inputs/levels.h"
#include "driver/inputs/points.h"
#include "driver/run/film.h"
#include "driver/run/long_run_options.h"
#include "driver/run/numbered.h"
#include "driver/run/plot_options.h"
#include "driver/system/input_errors.h"

namespace stencilc::driver {

int field_index(const ir::Stencil& stencil, const std::string& name) {
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (stencil.fields[f].name == name) return static_cast<int>(f);
  return -1;
}

bool is_one_file(const FileName& file, int64_t every) {
  return every != 0 && file.kind == FileKind::netcdf && !has_number(file.path);
}

bool is_compressed(const FileName& file) { return !file.words.empty(); }

namespace {

bool known_field(const ir::Stencil& stencil, const std::string& name, diag::Engine& engine) {
  if (field_index(stencil, name) >= 0) return true;
  std::vector<std::string> fields;
  for (const ir::Field& field : stencil.fields) fields.push_back(field.name);
  for (const ir::Series& series : stencil.series) fields.push_back(series.name);
  return unknown_of(engine, stencil, "field", name, fields);
}

// What is wrong with the file of an output, or "".
std::string unwritten(const ir::Stencil& stencil, const std::string& names, const FileName& file,
                      int64_t every) {
  const bool series = is_series(stencil, names);
  const size_t fields = split_names(names).size();
  if (file.kind == FileKind::none && file.path != "-")
    return fmt::format("the name has to end in {}", listed_endings());
  if (const std::string why =
          misnumbered(file.path, every != 0 && !series && !is_one_file(file, every));
      !why.empty())
    return why;
  if (series && file.kind != FileKind::npy && file.path != "-")
    return "a series is written as .npy";
  if (fields > 1 && (file.kind == FileKind::npy || file.kind == FileKind::none))
    return fmt::format("a .npy file holds one array, not {}; write them as .npz", fields);
  if (file.kind == FileKind::vti)
    for (const std::string& name : split_names(names))
      if (!ir::has_all_axes(stencil,
                            stencil.fields[static_cast<size_t>(field_index(stencil, name))]))
        return fmt::format("`{}` has not all axes of the grid; write it as .npz", name);
  if (file.kind == FileKind::netcdf)
    if (const std::string why = data::netcdf_problem(); !why.empty()) return why;
  if (is_one_file(file, every))
    for (const char* name : {"time", "step"})
      if (std::ranges::find(stencil.axes, name) != stencil.axes.end() ||
          field_index(stencil, name) >= 0)
        return fmt::format(
            "a file of all snapshots has a variable `{}` of its own, and so has the program; write "
            "a file for each snapshot, with `%06d` in the name",
            name);
  if (fields > 4 && file.kind == FileKind::png)
    return fmt::format("a picture has at most 4 channels, not {}", fields);
  if (file.words.empty() && file.place.empty()) return "";
  if (!holds_names(file.kind))
    return "nothing can be said behind the name; only files of several arrays, such as .npz, can "
           "be `compressed`";
  if (file.words.size() != 1 || file.words[0] != "compressed" || !file.place.empty())
    return "behind the `:` only `compressed` can be said";
  return "";
}

bool check_plot(const ir::Stencil& stencil, const std::string& plot, bool film, bool every,
                diag::Engine& engine) {
  const auto refuse = [&](const std::string& why) {
    return bad_input(engine, fmt::format("`--{} {}`: {}", film ? "animate" : "plot", plot, why));
  };
  const std::string path = plot_path(plot);
  if (film && !is_film(path)) return refuse("the name of a film has to end in .gif or .mp4");
  if (!film && !is_drawing(path) && path != "-")
    return refuse(is_film(path) ? "the name of a picture has to end in .png or .svg; `--animate` "
                                  "makes films"
                                : "the name of a picture has to end in .png or .svg");
  if (const std::string why = film ? film_problem(path) : misnumbered(path, every); !why.empty())
    return refuse(why);
  const auto options = plot_options(plot, stencil);
  if (!options.ok()) return refuse(options.error());
  if (!options->named && field_index(stencil, options->fields[0]) < 0) {
    std::vector<std::string> fields;
    for (const ir::Field& field : stencil.fields) fields.push_back(field.name);
    std::string meant = diag::nearest(options->fields[0], fields);
    if (meant.empty()) meant = stencil.fields[stencil.updates[0].field].name;
    return refuse(fmt::format("there is no field `{}`; write `--{} {}={}`", options->fields[0],
                              film ? "animate" : "plot", meant, path));
  }
  for (const std::string& name : options->fields) {
    if (!known_field(stencil, name, engine)) return false;
    if (field_index(stencil, name) < 0) return refuse(fmt::format("`{}` is a series", name));
    const ir::Field& field = stencil.fields[static_cast<size_t>(field_index(stencil, name))];
    if (options->slice && !ir::has_all_axes(stencil, field))
      return refuse(fmt::format("`{}` has not all axes of the grid; leave out `:slice`", name));
  }
  if (!options->channels) return true;
  if (stencil.rank() - (options->slice ? 1 : 0) < 2)
    return refuse("`:channels` draws planes, and this is a line");
  return true;
}

// Whether --unit names axes, fields or the time, and there is a file to go into.
bool check_units(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  std::vector<std::string> known = stencil.axes;
  for (const ir::Field& field : stencil.fields) known.push_back(field.name);
  known.emplace_back("time");
  for (const auto& [name, unit] : options.units)
    if (std::ranges::find(known, name) == known.end())
      return unknown_input(
          engine,
          fmt::format("`--unit {}={}`: there is no axis and no field `{}`", name, unit, name), name,
          known);
  const bool written = std::ranges::any_of(options.outputs, [](const NameValue& one) {
    return file_name(one.second).kind == FileKind::netcdf;
  });
  return options.units.empty() || written ||
         bad_input(engine, "`--unit` has no effect, because no `--out` names a .nc file");
}

// Whether --spacing and --origin have a number for each axis and a file to go into.
bool check_placement(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  const bool placed = std::ranges::any_of(options.outputs, [](const NameValue& one) {
    return holds_places(file_name(one.second).kind);
  });
  const auto rank = static_cast<size_t>(stencil.rank());
  for (const auto& [option, given] :
       {std::pair{"--spacing", &options.spacing}, std::pair{"--origin", &options.origin}}) {
    if (given->empty()) continue;
    if (given->size() != rank)
      return bad_input(engine,
                       fmt::format("`{}` has {} number{} for {} ax{}s", option, given->size(),
                                   given->size() == 1 ? "" : "s", rank, rank == 1 ? "i" : "e"));
    if (!placed)
      return bad_input(
          engine,
          fmt::format("`{}` has no effect, because no `--out` names a .vti or .nc file", option));
  }
  if (std::ranges::all_of(options.spacing, [](double one) { return one > 0; }))
    return check_units(options, stencil, engine);
  return bad_input(engine, "`--spacing`: the distance of cells has to be more than 0");
}

}  // namespace

bool known_fields(const ir::Stencil& stencil, const char* option,
                  const std::vector<NameValue>& list, diag::Engine& engine) {
  for (const auto& [names, what] : list) {
    if (is_series(stencil, names)) continue;
    std::vector<std::string> seen;
    for (const std::string& name : split_names(names)) {
      if (!known_field(stencil, name, engine)) return false;
      if (std::ranges::find(seen, name) != seen.end())
        return bad_input(engine,
                         fmt::format("`{} {}={}` names `{}` twice", option, names, what, name));
      seen.push_back(name);
    }
  }
  return true;
}

bool known_levels(const ir::Stencil& stencil, const std::vector<NameValue>& list,
                  diag::Engine& engine) {
  for (const auto& [names, what] : list) {
    if (is_series(stencil, names)) continue;
    const auto refuse = [&, names = names, what = what](const std::string& why) {
      return bad_input(engine, fmt::format("`--in {}={}`: {}", names, what, why));
    };
    std::set<std::pair<std::string, int>> seen;
    for (const std::string& text : split_names(names)) {
      const std::optional<LevelName> name = level_name(text);
      if (!name)
        return refuse(fmt::format("`{}` is no level of a field, such as `u[t]` or `u[t-1]`", text));
      if (is_series(stencil, name->field))
        return refuse(fmt::format("`{}` is a series, and so it stands alone", name->field));
      if (!known_field(stencil, name->field, engine)) return false;
      const ir::Field& field =
          stencil.fields[static_cast<size_t>(field_index(stencil, name->field))];
      const int levels = first_levels(field);
      if (name->level && *name->level >= levels)
        return refuse(levels == 1
                          ? fmt::format("a run starts with one level of `{0}`; write "
                                        "`--in {0}={1}`",
                                        field.name, what)
                          : fmt::format("a run starts with the levels `{}` to `{}`",
                                        print_level(field, 0), print_level(field, levels - 1)));
      if (!seen.emplace(field.name, name->level.value_or(-1)).second)
        return bad_input(engine, fmt::format("`--in {}={}` names `{}` twice", names, what, text));
    }
  }
  return true;
}

bool check_outputs(const Options& options, const ir::Stencil& stencil, diag::Engine& engine) {
  if (!known_fields(stencil, "--out", options.outputs, engine)) return false;
  for (const auto& [names, path] : options.outputs)
    if (const std::string why = unwritten(stencil, names, file_name(path), options.long_run.every);
        !why.empty())
      return bad_input(engine, fmt::format("`--out {}={}`: {}", names, path, why));
  const LongRunOptions& more = options.long_run;
  const auto checked = [&](const std::vector<std::string>& plots, bool film) {
    return std::ranges::all_of(plots, [&](const std::string& plot) {
      return check_plot(stencil, plot, film, more.every != 0, engine);
    });
  };
  return checked(options.plots, false) && checked(more.films, true) &&
         check_placement(options, stencil, engine) && check_long_run(options, stencil, engine) &&
         check_names_differ(options, stencil, engine) && check_folders(options, stencil, engine);
}

bool check_plots(const Options& options, const ir::Stencil& stencil, const data::Extents& extents,
                 int channels, diag::Engine& engine) {
  std::vector<std::string> all = options.plots;
  all.insert(all.end(), options.long_run.films.begin(), options.long_run.films.end());
  for (const std::string& text : all) {
    const PlotOptions plot = *plot_options(text, stencil);
    const auto refuse = [&](const std::string& why) {
      return bad_input(
          engine, fmt::format("`--{} {}`: {}", is_film(plot.path) ? "animate" : "plot", text, why));
    };
    if (plot.slice && plot.slice->cell >= extents[plot.slice->axis])
      return refuse(fmt::format("the grid has the cells 0 to {} along {}",
                                extents[plot.slice->axis] - 1, stencil.axes[plot.slice->axis]));
    if (plot.channels && plot.fields.size() * static_cast<size_t>(channels) != 3)
      return refuse(
          channels == 1
              ? "`:channels` takes red, green and blue from 3 fields, or from 1 field if "
                "the program runs on each colour of a picture"
              : "the program runs on each colour of a picture, and so `:channels` takes 1 "
                "field");
  }
  return true;
}

}  // namespace stencilc::driver
