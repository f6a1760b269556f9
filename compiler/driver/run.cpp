// stencilc run: data in, steps, data and pictures out.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <iostream>

#include "data/generate.h"
#include "data/npy.h"
#include "data/plot.h"
#include "data/png.h"
#include "diag/codes.h"
#include "driver/compare.h"
#include "driver/driver.h"
#include "driver/files.h"
#include "driver/progress.h"
#include "driver/report.h"
#include "driver/run_points.h"

namespace stencilc::driver {
namespace {

bool is_file(const std::string& what) { return what.ends_with(".png") || what.ends_with(".npy"); }

int field_index(const ir::Stencil& stencil, const std::string& name) {
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (stencil.fields[f].name == name) return static_cast<int>(f);
  return -1;
}

// Where a field's newest level stands among the buffers.
size_t first_slot(const ir::Stencil& stencil, int field) {
  size_t slot = 0;
  for (int f = 0; f < field; ++f)
    slot += stencil.fields[f].role == ir::Role::stepped ? stencil.fields[f].levels() : 1;
  return slot;
}

class Run {
 public:
  Run(const Options& options, const Compiled& compiled, diag::Engine& engine)
      : options_(options), stencil_(compiled.stencil), compiled_(compiled), engine_(engine) {}

  void go() {
    if (!known_names() || !read_files() || !settle_extents() || !fill() || !set_params()) return;
    const bool by_itself = !options_.steps_given && stencil_.iterate.given;
    if (!set_points(options_, stencil_, by_itself ? stencil_.iterate.limit : options_.steps, host_,
                    engine_))
      return;
    const Machine machine = build_machine();
    if (!machine.call) return;
    const bool iterates = !options_.steps_given && stencil_.iterate.given;
    const int64_t steps = !compiled_.module.steps ? 1 : iterates ? -1 : options_.steps;
    // Without steps the same is computed three times, so that the last time holds no loading of
    // code.
    std::vector<double> seconds(3);
    const std::string failed = compiled_.module.steps && !iterates
                                   ? call_in_pieces(machine, steps, seconds)
                                   : call_once(machine, steps, seconds);
    if (!failed.empty()) {
      engine_.report(diag::run_failed, diag::nowhere, failed);
      return;
    }
    report(machine, iterates ? host_.steps_taken : steps, seconds.back());
    write_outputs();
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

  bool known_field(const std::string& name) {
    if (field_index(stencil_, name) >= 0) return true;
    std::vector<std::string> fields;
    for (const ir::Field& field : stencil_.fields) fields.push_back(field.name);
    diag::Diagnostic& d =
        engine_.report(diag::bad_input_data, diag::nowhere,
                       fmt::format("the stencil `{}` has no field `{}`", stencil_.name, name));
    const std::string close = diag::nearest(name, fields);
    if (!close.empty()) d.help(fmt::format("did you mean `{}`?", close));
    return false;
  }

  // What is asked for exists, before anything is built or computed for it.
  bool known_names() {
    for (const auto* list : {&options_.inputs, &options_.outputs})
      for (const auto& [name, what] : *list)
        if (!is_series(stencil_, name) && !known_field(name)) return false;
    for (const auto& [name, path] : options_.outputs)
      if (!is_file(path) && path != "-")
        return fail(diag::bad_input_data,
                    fmt::format("`--out {}={}`: the file ends in .npy or .png", name, path));
    for (const std::string& plot : options_.plots)
      if (const size_t equals = plot.find('=');
          equals != std::string::npos && !known_field(plot.substr(0, equals)))
        return false;
    return true;
  }

  bool read_files() {
    files_.resize(stencil_.fields.size());
    for (const auto& [name, what] : options_.inputs) {
      if (!is_file(what) || is_series(stencil_, name)) continue;
      const int f = field_index(stencil_, name);
      const Text text = read_text(what, kMaxData);
      if (!text.problem.empty())
        return fail(diag::cannot_read, fmt::format("cannot read `{}`: {}", what, text.problem));
      const data::Element wanted = element_of(stencil_.fields[f].type);
      auto array =
          what.ends_with(".png") ? data::parse_png(text.text, wanted) : data::parse_npy(text.text);
      if (!array.ok()) return fail(diag::bad_input_data, fmt::format("`{}`", what), array);
      // NumPy has no bf16, and f16 seldom is what it computes in: they are read from f32 too.
      const bool half = wanted == data::Element::f16 || wanted == data::Element::bf16;
      if (half && array->element == data::Element::f32) array = data::converted(*array, wanted);
      if (!array.ok()) return fail(diag::bad_input_data, fmt::format("`{}`", what), array);
      if (array->element != wanted)
        return fail(diag::bad_input_data,
                    fmt::format("`{}` holds {} values and the field `{}` is {}", what,
                                data::name_of(array->element), name, data::name_of(wanted)));
      files_[f] = std::move(*array);
    }
    return true;
  }

  bool has_all_axes(const ir::Field& field) const {
    return extents_of(field, data::Extents(stencil_.rank(), 1)).size() ==
           static_cast<size_t>(stencil_.rank());
  }

  bool settle_extents() {
    host_.extents = options_.size;
    for (size_t f = 0; f < files_.size(); ++f) {
      if (files_[f].extents.empty()) continue;
      if (host_.extents.empty() && has_all_axes(stencil_.fields[f]))
        host_.extents = files_[f].extents;
      if (host_.extents.empty()) continue;
      const data::Extents own = extents_of(stencil_.fields[f], host_.extents);
      if (files_[f].extents != own)
        return fail(
            diag::bad_input_data,
            fmt::format("the input of `{}` is {}, and the grid is {}", stencil_.fields[f].name,
                        data::to_string(files_[f].extents), data::to_string(own)));
    }
    if (host_.extents.empty()) {
      constexpr int64_t kDefault[] = {1 << 20, 512, 128};
      host_.extents.assign(stencil_.rank(), kDefault[stencil_.rank() - 1]);
    }
    if (static_cast<int>(host_.extents.size()) != stencil_.rank())
      return fail(diag::bad_input_data,
                  fmt::format("{} extent{} ({}) for {} ax{}s", host_.extents.size(),
                              host_.extents.size() == 1 ? "" : "s", data::to_string(host_.extents),
                              stencil_.rank(), stencil_.rank() == 1 ? "i" : "e"));
    return true;
  }

  bool fill() {
    uint64_t seed = options_.seed;
    for (size_t f = 0; f < stencil_.fields.size(); ++f) {
      const ir::Field& field = stencil_.fields[f];
      std::string what = field.role == ir::Role::output ? "zero" : "gauss";
      for (const auto& [name, given] : options_.inputs)
        if (name == field.name) what = given;
      for (int level = 0; level < (field.role == ir::Role::stepped ? field.levels() : 1); ++level) {
        if (!files_[f].extents.empty()) {
          host_.buffers.push_back(files_[f]);
          continue;
        }
        auto array =
            data::generate(what, element_of(field.type), extents_of(field, host_.extents), seed);
        if (!array.ok())
          return fail(diag::bad_input_data, fmt::format("`--in {}={}`", field.name, what), array);
        host_.buffers.push_back(std::move(*array));
      }
      ++seed;
    }
    return true;
  }

  bool is_weights(const std::string& name) const {
    for (const ir::Weights& weights : stencil_.weights)
      if (weights.name == name) return true;
    return false;
  }

  bool set_params() {
    for (const ir::Param& param : stencil_.params) host_.params.push_back(param.value);
    std::vector<bool> set;
    for (const ir::Param& param : stencil_.params) set.push_back(param.has_default);
    for (const auto& [name, text] : options_.params) {
      size_t p = 0;
      while (p < stencil_.params.size() && stencil_.params[p].name != name) ++p;
      if (p == stencil_.params.size() && is_weights(name)) continue;
      if (p == stencil_.params.size())
        return fail(diag::bad_input_data,
                    fmt::format("the stencil `{}` has no param `{}`", stencil_.name, name));
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size())
        return fail(diag::bad_input_data,
                    fmt::format("`--param {}={}` gives no number", name, text));
      const ir::Type type = stencil_.params[p].type;
      host_.params[p] = ir::convert(ir::Scalar{ir::Type::f64, value, 0}, type);
      if (!ir::is_float(type) && static_cast<double>(host_.params[p].integer) != value)
        return fail(diag::bad_input_data,
                    fmt::format("`--param {}={}` does not fit `{}`", name, text, ir::name(type)));
      set[p] = true;
    }
    for (const ir::Reduction& reduction : stencil_.reductions)
      host_.reductions.push_back(interp::identity(reduction));
    for (const ir::Weights& weights : stencil_.weights)
      if (!set_weights(weights)) return false;
    for (size_t p = 0; p < set.size(); ++p)
      if (!set[p])
        return fail(diag::bad_input_data,
                    fmt::format("the param `{0}` has no value; give it by `--param {0}=...`",
                                stencil_.params[p].name));
    return true;
  }

  // `--param w=1,2,1`: the values of run-time weights, the last index fastest.
  bool set_weights(const ir::Weights& weights) {
    for (const auto& [name, text] : options_.params) {
      if (name != weights.name) continue;
      std::vector<ir::Scalar> values;
      const char *at = text.data(), *end = at + text.size();
      for (;;) {
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || (next != end && *next != ','))
          return fail(diag::bad_input_data,
                      fmt::format("`--param {}={}`: numbers with commas between them are expected",
                                  name, text));
        values.push_back(ir::convert(ir::Scalar{ir::Type::f64, value, 0}, weights.type));
        if (next == end) break;
        at = next + 1;
      }
      if (static_cast<int>(values.size()) != weights.count())
        return fail(diag::bad_input_data, fmt::format("{} values for `{}`, which holds {}",
                                                      values.size(), name, weights.count()));
      host_.weights.push_back(std::move(values));
      return true;
    }
    return fail(diag::bad_input_data,
                fmt::format("the weights `{0}` have no values; give them by `--param {0}=...`",
                            weights.name));
  }

  Machine build_machine() {
    Progress progress("building");
    Machine machine = build(compiled_, options_.compilation.target, options_.archs);
    if (!machine.call)
      engine_.report(machine.tool_missing ? diag::tool_missing : diag::build_failed, diag::nowhere,
                     machine.problem);
    return machine;
  }

  std::string call_once(const Machine& machine, int64_t steps, std::vector<double>& seconds) {
    if (steps < 0) seconds.resize(1);  // each would go on from where the one before ended
    return call(machine, host_, steps, seconds);
  }

  // On a terminal a long run is cut into pieces, so that the progress has something to say; the
  // bits do not depend on it.
  std::string call_in_pieces(const Machine& machine, int64_t steps, std::vector<double>& total) {
    total.assign(1, 0.0);
    Progress progress("steps");
    const bool cut = progress.shown() && steps > 1;
    int64_t piece = cut ? 1 : steps;
    for (int64_t done = 0; done < steps || steps == 0;) {
      std::vector<double> seconds(1);
      const std::string failed = call(machine, host_, piece, seconds);
      if (!failed.empty() || steps == 0) return failed;
      total[0] += seconds[0];
      done += piece;
      host_.first += piece;
      progress.at(done, steps);
      piece = std::min(steps - done, seconds[0] < 0.5 ? piece * 4 : piece);
    }
    return "";
  }

  void report(const Machine& machine, int64_t steps, double seconds) {
    double cells = 1;
    for (const int64_t extent : host_.extents) cells *= static_cast<double>(extent);
    std::cout << fmt::format("{}: {} on {}, schedule {}\n", stencil_.name,
                             data::to_string(host_.extents), machine.description,
                             plan::print(compiled_.schedule, stencil_));
    std::cout << fmt::format(
        "{} step{}, {:.4g} s, {:.3f} GCells/s\n", steps, steps == 1 ? "" : "s", seconds,
        seconds > 0 ? cells * static_cast<double>(steps) / seconds * 1e-9 : 0.0);
    for (size_t r = 0; r < stencil_.reductions.size(); ++r)
      std::cout << fmt::format("{} = {}\n", stencil_.reductions[r].name,
                               ir::print(host_.reductions[r]));
  }

  void save(const std::string& path, const std::string& bytes) {
    const std::string why = write_text(path, bytes);
    if (!why.empty())
      fail(diag::cannot_write, fmt::format("cannot write `{}`: {}", path, why));
    else if (path != "-")
      std::cout << fmt::format("wrote {}\n", path);
  }

  void write_outputs() {
    for (const auto& [name, path] : options_.outputs) {
      if (is_series(stencil_, name)) {
        save(path, data::npy_file(series_array(stencil_, host_, name)));
        continue;
      }
      const data::Array& array = host_.buffers[first_slot(stencil_, field_index(stencil_, name))];
      if (!path.ends_with(".png")) {
        save(path, data::npy_file(array));
        continue;
      }
      // Floats from 0 to 1 become grays, as they do on the way in.
      const bool direct = array.element == data::Element::u8 ||
                          array.element == data::Element::u16 ||
                          array.element == data::Element::boolean;
      data::Array gray = array;
      if (!direct) {
        auto made = data::make_array(data::Element::u8, array.extents);
        if (!made.ok()) return void(fail(diag::bad_input_data, fmt::format("`{}`", path), made));
        gray = std::move(*made);
        const bool real = data::is_real(array.element);
        for (int64_t i = 0; i < array.count(); ++i)
          gray.as<uint8_t>()[i] = static_cast<uint8_t>(
              ir::saturate({ir::Type::f64, data::value_at(array, i) * (real ? 255 : 1), 0},
                           ir::Type::u8)
                  .integer);
      }
      const auto file = data::png_file(gray);
      if (!file.ok()) return void(fail(diag::bad_input_data, fmt::format("`{}`", path), file));
      save(path, *file);
    }
    for (const std::string& plot : options_.plots) {
      const size_t equals = plot.find('=');
      const std::string path = equals == std::string::npos ? plot : plot.substr(equals + 1);
      // u.png is a picture of u where there is a field u, otherwise of the first field the stencil
      // writes.
      const std::string name = equals == std::string::npos
                                   ? std::filesystem::path(plot).stem().string()
                                   : plot.substr(0, equals);
      int field = field_index(stencil_, name);
      if (field < 0) field = stencil_.updates[0].field;
      const auto file = data::plot_file(host_.buffers[first_slot(stencil_, field)]);
      if (!file.ok()) return void(fail(diag::bad_input_data, fmt::format("`{}`", path), file));
      save(path, *file);
    }
  }

  const Options& options_;
  const ir::Stencil& stencil_;
  const Compiled& compiled_;
  diag::Engine& engine_;
  std::vector<data::Array> files_;  // by field; without extents where none was given
  HostData host_;
};

}  // namespace

int run_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  if (!read_input(options, sources, engine)) return finish(engine, sources, options);
  Options named = options;
  named.compilation.file = "stencil";
  named.compilation.command = "stencilc " + options.input;  // the data make no other code
  // Without a word the GPU is used where there is one.
  if (options.target_name.empty() && !has_gpu()) named.compilation.target = plan::Target::cpu;
  const auto compiled = compile(sources, named.compilation, engine);
  if (compiled) Run(named, *compiled, engine).go();
  return finish(engine, sources, options);
}

}  // namespace stencilc::driver
