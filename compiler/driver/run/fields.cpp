#include "driver/run/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/generate.h"
#include "diag/codes.h"
#include "driver/cli/report.h"
#include "driver/inputs/field_files.h"
#include "driver/inputs/points.h"
#include "driver/run/output_names.h"
#include "driver/system/input_errors.h"
#include "runtime/include/stencil/mesh_share.h"

namespace stencilc::driver {

namespace {

class Fields {
 public:
  Fields(const Options& options, const ir::Stencil& stencil, HostData& host, InputFacts& facts,
         diag::Engine& engine)
      : options_(options), stencil_(stencil), host_(host), facts_(facts), engine_(engine) {}

  bool set() {
    return known_names() && read_files() && channels_have_names() && settle_extents() &&
           check_plots(options_, stencil_, host_.extents, facts_.channels, engine_) && fill();
  }

 private:
  bool fail(diag::Code code, const std::string& text) {
    engine_.report(code, diag::nowhere, text);
    return false;
  }
  template <class T>
  bool fail(diag::Code code, const std::string& what, const data::Result<T>& result) {
    return fail(code, what + ": " + result.error());
  }

  // Checks the names of fields and files before anything is built or computed.
  bool known_names() {
    if (!known_fields(stencil_, "--in", options_.inputs, engine_)) return false;
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

  bool read_files() {
    files_.resize(stencil_.fields.size());
    for (const auto& [names, what] : options_.inputs) {
      const FileName file = file_name(what);
      if (file.kind == FileKind::none || is_series(stencil_, names)) continue;
      FieldSource source{file, {}, rank(), fills_one_field(), options_.strict};
      std::vector<int> indices;
      for (const std::string& name : split_names(names)) {
        indices.push_back(field_index(stencil_, name));
        source.fields.push_back(&stencil_.fields[static_cast<size_t>(indices.back())]);
      }
      auto arrays = read_fields(source, facts_, host_.notes, engine_);
      if (!arrays) return false;
      for (size_t i = 0; i < indices.size(); ++i)
        files_[static_cast<size_t>(indices[i])] = std::move((*arrays)[i]);
    }
    return true;
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
  bool adopt(size_t f) {
    const data::Extents halo = halo_of(stencil_, f);
    data::Extents extents = files_[f].extents;
    for (size_t a = 0; a < extents.size(); ++a)
      if ((extents[a] -= 2 * halo[a]) < 1)
        return fail(
            diag::bad_input_data,
            fmt::format(
                "the input of `{0}` is {1}, and its halo of {2} at each end leaves no cells",
                stencil_.fields[f].name, data::to_string(files_[f].extents),
                data::to_string(halo)));
    host_.extents = extents;
    return true;
  }

  // A file needs as many axes as its field.
  bool check_axes(size_t f) {
    const size_t axes = axes_of(stencil_.fields[f]), given = files_[f].extents.size();
    return given == 0 || given == axes ||
           fail(diag::bad_input_data,
                fmt::format("the input of `{}` has {} ax{}s ({}), but the field has {}",
                            stencil_.fields[f].name, given, given == 1 ? "i" : "e",
                            data::to_string(files_[f].extents), axes));
  }

  bool check_extents(size_t f) {
    const data::Extents own = array_extents(stencil_, f, host_.extents);
    return files_[f].extents.empty() || files_[f].extents == own ||
           fail(diag::bad_input_data,
                fmt::format("the input of `{}` is {}, but the grid{} is {}",
                            stencil_.fields[f].name, data::to_string(files_[f].extents),
                            has_halo(f) ? " with its halo" : "", data::to_string(own)));
  }

  // The extents are those of --size, or of the first file of a field with all axes. After that the
  // files of the other fields can be checked.
  bool settle_extents() {
    host_.extents = options_.size;
    if (!host_.extents.empty() && static_cast<int>(host_.extents.size()) != rank())
      return fail(diag::bad_input_data,
                  fmt::format("{} extent{} ({}) for {} ax{}s", host_.extents.size(),
                              host_.extents.size() == 1 ? "" : "s", data::to_string(host_.extents),
                              rank(), rank() == 1 ? "i" : "e"));
    for (size_t f = 0; f < files_.size(); ++f) {
      if (!check_axes(f)) return false;
      const bool whole = static_cast<int>(files_[f].extents.size()) == rank();
      if (host_.extents.empty() && whole && !adopt(f)) return false;
    }
    if (host_.extents.empty()) {
      constexpr int64_t kDefault[] = {1 << 20, 512, 128};
      host_.extents.assign(rank(), kDefault[rank() - 1]);
    }
    for (size_t f = 0; f < files_.size(); ++f)
      if (!check_extents(f)) return false;
    return true;
  }

  // Of several processes each has some planes.
  bool cut() {
    if (host_.communicator == nullptr) return true;
    const int rank = host_.communicator->rank(), size = host_.communicator->size();
    const int64_t all = host_.extents.back(), first = stencil::even_cut(all, size, rank);
    host_.planes = {first, stencil::even_cut(all, size, rank + 1) - first};
    return all >= size ||
           fail(diag::bad_input_data,
                fmt::format("{} processes cannot share {}, which is cut along its last axis", size,
                            data::to_string(host_.extents)));
  }

  bool fill() {
    if (!cut()) return false;
    uint64_t seed = options_.seed;
    std::vector<std::string> made_up;
    for (size_t f = 0; f < stencil_.fields.size(); ++f) {
      const ir::Field& field = stencil_.fields[f];
      std::string what = field.role == ir::Role::output ? "zero" : "gauss";
      bool requested = field.role == ir::Role::output;
      for (const auto& [name, given] : options_.inputs) {
        const std::vector<std::string> names = split_names(name);
        if (std::ranges::find(names, field.name) == names.end()) continue;
        what = given;
        requested = true;
      }
      if (!requested) made_up.push_back(field.name);
      const data::Planes planes = planes_of(stencil_, f, host_);
      const bool given = !files_[f].extents.empty();
      if (given && planes.count < files_[f].extents.back()) {
        auto part = data::part_of(files_[f], planes);
        if (!part.ok())
          return fail(diag::bad_input_data, fmt::format("`--in {}`", field.name), part);
        files_[f] = std::move(*part);
      }
      const int levels = field.role == ir::Role::stepped ? field.levels() : 1;
      for (int level = 0; level < levels; ++level) {
        if (given) {
          host_.buffers.push_back(level + 1 < levels ? files_[f] : std::move(files_[f]));
          continue;
        }
        auto array = data::generate(what, element_of(field.type),
                                    array_extents(stencil_, f, host_.extents), seed, planes);
        if (!array.ok())
          return fail(diag::bad_input_data, fmt::format("`--in {}={}`", field.name, what), array);
        host_.buffers.push_back(std::move(*array));
      }
      ++seed;
    }
    facts_.made_up = made_up;
    if (!made_up.empty())
      host_.notes.push_back(
          fmt::format("there is no `--in` for {}: filled with `gauss`", diag::listed(made_up)));
    return true;
  }

  const Options& options_;
  const ir::Stencil& stencil_;
  HostData& host_;
  InputFacts& facts_;
  diag::Engine& engine_;
  std::vector<data::Array> files_;  // by field; without extents if no file was given
};
}  // namespace

bool set_fields(const Options& options, const ir::Stencil& stencil, HostData& host,
                InputFacts& facts, diag::Engine& engine) {
  return Fields(options, stencil, host, facts, engine).set();
}

}  // namespace stencilc::driver
