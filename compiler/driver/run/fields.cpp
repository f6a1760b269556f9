#include "driver/run/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "data/values/generate.h"
#include "diag/codes.h"
#include "driver/cli/report.h"
#include "driver/inputs/field_files.h"
#include "driver/inputs/levels.h"
#include "driver/inputs/points.h"
#include "driver/run/output_names.h"
#include "driver/system/input_errors.h"
#include "driver/system/memory.h"
#include "runtime/include/stencil/mesh_share.h"

namespace stencilc::driver {

namespace {

class Levels {
 public:
  Levels(const Options& options, const ir::Stencil& stencil, LevelSources& levels, HostData& host,
         InputFacts& facts, diag::Engine& engine)
      : options_(options),
        stencil_(stencil),
        levels_(levels),
        host_(host),
        facts_(facts),
        engine_(engine) {}

  bool read() {
    return known_names() && choose() && read_files() && channels_have_names() && settle_extents() &&
           check_plots(options_, stencil_, host_.extents, facts_.channels, engine_) && cut();
  }

 private:
  bool fail(diag::Code code, const std::string& text) {
    engine_.report(code, diag::nowhere, text);
    return false;
  }

  // Checks the names of fields and files before anything is built or computed.
  bool known_names() {
    if (!known_levels(stencil_, options_.inputs, engine_)) return false;
    for (const auto& [names, what] : options_.inputs)
      if (const std::string why = unread_input(names, file_name(what)); !why.empty())
        return fail(diag::bad_input_data, fmt::format("`--in {}={}`: {}", names, what, why));
    return check_outputs(options_, stencil_, engine_);
  }

  // Why an input cannot be read from what is given, or "".
  std::string unread_input(const std::string& names, const FileName& file) {
    if (file.kind == FileKind::none) return unread_file(file.path);
    if (is_series(stencil_, names) && file.kind != FileKind::npy)
      return "a series is read from a .npy file";
    if (file.kind == FileKind::npy && split_names(names).size() > 1)
      return "a .npy file holds one array, so it fills one field";
    if (!file.words.empty() && !holds_names(file.kind))
      return "only files of several arrays, such as .npz, take names behind the `:`";
    return "";
  }

  // What each level starts with, before files are read. What names a level goes before what names
  // the field.
  bool choose() {
    levels_.clear();
    for (const ir::Field& field : stencil_.fields) {
      const bool output = field.role == ir::Role::output;
      levels_.emplace_back(static_cast<size_t>(first_levels(field)),
                           LevelSource{nullptr, {}, "", output ? "zero" : "gauss", !output});
    }
    for (const bool exact : {false, true})
      for (const auto& [names, what] : options_.inputs) {
        if (is_series(stencil_, names)) continue;
        const bool generated = file_name(what).kind == FileKind::none;
        for (const std::string& text : split_names(names)) {
          const LevelName name = *level_name(text);
          if (name.level.has_value() != exact) continue;
          for (LevelSource* level : named(name))
            *level = {nullptr, {}, generated ? "" : what, generated ? what : "", false};
        }
      }
    std::vector<std::vector<bool>> made_up;
    for (const std::vector<LevelSource>& field : levels_) {
      made_up.emplace_back();
      for (const LevelSource& level : field) made_up.back().push_back(level.made_up);
    }
    facts_.made_up = names_of_levels(stencil_, made_up);
    note_same_levels();
    return true;
  }

  std::vector<LevelSource*> named(const LevelName& name) {
    std::vector<LevelSource>& field =
        levels_[static_cast<size_t>(field_index(stencil_, name.field))];
    if (name.level) return {&field[static_cast<size_t>(*name.level)]};
    std::vector<LevelSource*> all;
    for (LevelSource& level : field) all.push_back(&level);
    return all;
  }

  // A run that begins at a later step begins with other levels before it.
  void note_same_levels() {
    if (options_.first == 0 || !options_.long_run.resume.empty()) return;
    for (size_t f = 0; f < levels_.size(); ++f) {
      const LevelSource& newest = levels_[f].front();
      if (levels_[f].size() == 1 || newest.file.empty() || levels_[f][1].file != newest.file ||
          named_exactly(stencil_.fields[f].name))
        continue;
      host_.notes.push_back(fmt::format(
          "all levels of `{0}` start with `{1}`; `--in '{2}=...'` gives the one before the first "
          "step",
          stencil_.fields[f].name, newest.file, print_level(stencil_.fields[f], 1)));
    }
  }
  bool named_exactly(const std::string& field) const {
    for (const auto& [names, what] : options_.inputs)
      for (const std::string& text : split_names(names))
        if (const auto name = level_name(text); name && name->field == field && name->level)
          return true;
    return false;
  }

  // Whether the files that are read fit into memory.
  bool files_fit() {
    double bytes = 0;
    for (const auto& [names, what] : options_.inputs) {
      std::error_code unknown;
      const auto size = std::filesystem::file_size(file_name(what).path, unknown);
      const bool in_parts = host_.communicator != nullptr && file_name(what).kind == FileKind::npy;
      if (!unknown)
        bytes += static_cast<double>(size) / (in_parts ? host_.communicator->size() : 1);
    }
    const std::optional<double> left = host_memory_left();
    return !left || bytes <= *left ||
           fail(diag::memory_limit,
                fmt::format("the files of `--in` have {}, and {} of memory are left",
                            print_bytes(bytes), print_bytes(*left)));
  }

  bool read_files() {
    if (!files_fit()) return false;
    for (const auto& [names, what] : options_.inputs) {
      const FileName file = file_name(what);
      if (file.kind == FileKind::none || is_series(stencil_, names)) continue;
      FieldSource source{file, {}, {}, rank(), fills_one_field(), options_.strict};
      std::vector<LevelName> taken;
      for (const std::string& text : split_names(names)) {
        taken.push_back(*level_name(text));
        source.fields.push_back(
            &stencil_.fields[static_cast<size_t>(field_index(stencil_, taken.back().field))]);
        source.levels.push_back(taken.back().level);
      }
      const auto give = [&](size_t i, data::Array array, const data::Extents& extents) {
        const auto shared = std::make_shared<data::Array>(std::move(array));
        for (LevelSource* level : named(taken[i]))
          if (level->file == what) {
            level->array = shared;
            level->extents = extents;
          }
      };
      if (auto part = part_here(source)) {
        give(0, std::move(part->array), part->whole);
        continue;
      }
      auto arrays = read_fields(source, facts_, host_.notes, engine_);
      if (!arrays) return false;
      for (size_t i = 0; i < taken.size(); ++i) {
        const data::Extents extents = (*arrays)[i].extents;
        give(i, std::move((*arrays)[i]), extents);
      }
    }
    return true;
  }

  // Of several processes each reads its planes alone, where a file has them one after the other.
  std::optional<FilePart> part_here(const FieldSource& source) const {
    const size_t cut = static_cast<size_t>(rank()) - 1;
    if (host_.communicator == nullptr || source.file.kind != FileKind::npy ||
        source.file.path == "-" || !source.fields[0]->along[cut])
      return {};
    const auto f = static_cast<size_t>(source.fields[0] - stencil_.fields.data());
    return read_part(source.file.path, element_of(source.fields[0]->type),
                     [&](const data::Extents& extents) -> data::Planes {
                       HostData grid;
                       grid.communicator = host_.communicator;
                       grid.extents.assign(cut + 1, 1);
                       grid.extents[cut] = extents.back() - 2 * halo_of(stencil_, f).back();
                       return share(grid) ? planes_of(stencil_, f, grid) : data::Planes();
                     });
  }
  // The planes of this process; has each of them some?
  static bool share(HostData& host) {
    const int rank = host.communicator->rank(), size = host.communicator->size();
    const int64_t all = host.extents.back(), first = stencil::even_cut(all, size, rank);
    host.planes = {first, stencil::even_cut(all, size, rank + 1) - first};
    return all >= size;
  }

  // Whether the program computes on one picture: it may then run on each of its colours.
  bool fills_one_field() const {
    return stencil_.points.empty() &&
           std::ranges::count_if(stencil_.fields, [](const ir::Field& field) {
             return field.role != ir::Role::output;
           }) == 1;
  }

  // A run on each colour makes a picture of one field.
  bool channels_have_names() {
    if (!facts_.by_channel()) return true;
    for (const auto& [names, path] : options_.outputs)
      if (split_names(names).size() > 1)
        return fail(diag::bad_input_data,
                    fmt::format("`--out {}={}`: the program runs on each colour of the input, and "
                                "so a single field comes out in colour; name one",
                                names, path));
    return true;
  }

  int rank() const { return stencil_.rank(); }

  size_t axes_of(const ir::Field& field) const {
    return static_cast<size_t>(std::count(field.along.begin(), field.along.begin() + rank(), true));
  }

  bool has_halo(size_t f) const {
    return ir::ghost_halo(stencil_, static_cast<int>(f)) != ir::Offset{};
  }

  // The extents of the grid are those of the file without the halo.
  bool adopt(size_t f, const data::Extents& file) {
    const data::Extents halo = halo_of(stencil_, f);
    data::Extents extents = file;
    for (size_t a = 0; a < extents.size(); ++a)
      if ((extents[a] -= 2 * halo[a]) < 1)
        return fail(
            diag::bad_input_data,
            fmt::format(
                "the input of `{0}` is {1}, and its halo of {2} at each end leaves no cells",
                stencil_.fields[f].name, data::to_string(file), data::to_string(halo)));
    host_.extents = extents;
    return true;
  }

  // A file needs as many axes as its field.
  bool check_axes(size_t f, int level, const data::Extents& file) {
    const size_t axes = axes_of(stencil_.fields[f]), given = file.size();
    return given == axes || fail(diag::bad_input_data,
                                 fmt::format("the input of `{}` has {} ax{}s ({}), but the field "
                                             "has {}",
                                             print_level(stencil_.fields[f], level), given,
                                             given == 1 ? "i" : "e", data::to_string(file), axes));
  }

  bool check_extents(size_t f, int level, const data::Extents& file) {
    const data::Extents own = array_extents(stencil_, f, host_.extents);
    return file == own ||
           fail(diag::bad_input_data,
                fmt::format("the input of `{}` is {}, but the grid{} is {}",
                            print_level(stencil_.fields[f], level), data::to_string(file),
                            has_halo(f) ? " with its halo" : "", data::to_string(own)));
  }

  // Calls `check(field, level, extents)` for each level with a file, until one is false.
  template <class Check>
  bool for_files(Check check) {
    for (size_t f = 0; f < levels_.size(); ++f)
      for (size_t level = 0; level < levels_[f].size(); ++level)
        if (const LevelSource& from = levels_[f][level]; from.array != nullptr)
          if (!check(f, static_cast<int>(level), from.extents)) return false;
    return true;
  }

  // The extents are those of --size, or of the first file of a field with all axes. After that the
  // files of the other fields can be checked.
  bool settle_extents() {
    host_.extents = options_.size;
    if (!host_.extents.empty() && !has_axes(engine_, host_.extents, rank())) return false;
    const bool adopted = for_files([&](size_t f, int level, const data::Extents& file) {
      if (!check_axes(f, level, file)) return false;
      const bool whole = static_cast<int>(file.size()) == rank();
      return !host_.extents.empty() || !whole || adopt(f, file);
    });
    if (!adopted) return false;
    if (host_.extents.empty()) {
      constexpr int64_t kDefault[] = {1 << 20, 512, 128};
      host_.extents.assign(rank(), kDefault[rank() - 1]);
    }
    return for_files([&](size_t f, int level, const data::Extents& file) {
      return check_extents(f, level, file);
    });
  }

  // Of several processes each has some planes.
  bool cut() {
    return host_.communicator == nullptr || share(host_) ||
           fail(diag::bad_input_data,
                fmt::format("{} processes cannot share {}, which is cut along its last axis",
                            host_.communicator->size(), data::to_string(host_.extents)));
  }

  const Options& options_;
  const ir::Stencil& stencil_;
  LevelSources& levels_;
  HostData& host_;
  InputFacts& facts_;
  diag::Engine& engine_;
};

bool cannot_fill(const std::string& level, const std::string& what, const std::string& why,
                 diag::Engine& engine) {
  return bad_input(engine,
                   fmt::format("`--in {}{}`: {}", level, what.empty() ? "" : "=" + what, why));
}

}  // namespace

bool read_levels(const Options& options, const ir::Stencil& stencil, LevelSources& levels,
                 HostData& host, InputFacts& facts, diag::Engine& engine) {
  return Levels(options, stencil, levels, host, facts, engine).read();
}

bool fill_levels(const Options& options, const ir::Stencil& stencil, LevelSources levels,
                 HostData& host, diag::Engine& engine) {
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const data::Planes planes = planes_of(stencil, f, host);
    for (size_t level = 0; level < levels[f].size(); ++level) {
      const LevelSource from = std::move(levels[f][level]);
      const std::string name = print_level(field, static_cast<int>(level));
      if (from.array == nullptr) {
        auto array =
            data::generate(from.generator, element_of(field.type),
                           array_extents(stencil, f, host.extents), options.seed + f, planes);
        if (!array.ok()) return cannot_fill(name, from.generator, array.error(), engine);
        host.buffers.push_back(std::move(*array));
      } else if (planes.count < from.array->extents.back()) {  // of which all were read
        auto part = data::part_of(*from.array, planes);
        if (!part.ok()) return cannot_fill(name, "", part.error(), engine);
        host.buffers.push_back(std::move(*part));
      } else {
        // The last level that shares the array takes it.
        host.buffers.push_back(from.array.use_count() == 1 ? std::move(*from.array) : *from.array);
      }
    }
  }
  return true;
}

}  // namespace stencilc::driver
