#include <algorithm>

#include "emit/body.h"
#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/step_launches.h"
#include "kernel/build.h"

namespace stencilc::emit {
namespace {

class Entry {
 public:
  Entry(Writer& out, const kernel::Module& module, Dialect dialect)
      : out_(out), module_(module), dialect_(dialect), cuda_(dialect == Dialect::cuda) {}

  void run() {
    out_.list("stencil::Status run(", run_parameters(module_), ") {");
    out_.indent();
    out_.line("stencil::Call<" + std::to_string(rank()) + "> call(\"" + module_.name +
              "\", stream" + (has_halo() ? ", " + halo_text(module_.halo) : "") + ");");
    std::vector<std::string> arguments, levels;
    for (const bool whole : {true, false})  // those with all axes say what the extents are
      for (const kernel::Grid& grid : module_.grids)
        if (has_all_axes(module_, grid) == whole) borrow(grid, levels);
    for (const kernel::Grid& grid : module_.grids)
      arguments.push_back(rotates(grid) ? grid.name + ".at" : grid.name);
    out_.line("if (!call.ok()) return call.status();");
    const std::vector<std::string> extents = {"nx", "ny", "nz"};
    for (int a = 0; a < rank(); ++a) arguments.push_back("call." + extents[a] + "()");
    if (rank() > 1) arguments.push_back("call.pitch()");
    if (rank() > 2) arguments.push_back("call.plane()");
    for (const kernel::Grid& grid : module_.grids)
      if (!grid.pitch.empty()) arguments.push_back("args." + grid.name + ".shape().pitch");
    for (const kernel::ScalarParam& param : module_.params)
      arguments.push_back("args." + param.name);
    for (const kernel::Weights& weights : module_.weights)
      arguments.push_back("args." + weights.name);
    for (const kernel::Points& points : module_.points) {
      arguments.push_back("args." + points.name + ".at");
      arguments.push_back("args." + points.name + ".count");
    }
    for (const kernel::Series& series : module_.series) {
      arguments.push_back("args." + series.name + ".data");
      arguments.push_back("args." + series.name + ".steps");
    }
    for (const kernel::Reduction& reduction : module_.reductions)
      arguments.push_back("args." + reduction.name);
    if (module_.time) arguments.push_back("steps.first");
    if (module_.steps) arguments.push_back("steps.count");
    if (module_.iterate.until) arguments.push_back("args.steps_taken");
    if (has_workspace(module_)) {
      arguments.push_back("args." + module_.workspace + ".data");
      arguments.push_back("args." + module_.workspace + ".bytes");
    }
    if (cuda_) arguments.push_back("stream");
    out_.list("const int code = " + c_name(module_) + "(", arguments, ");");
    levels.insert(levels.begin(), "code");
    out_.list("return call.finish(", levels, ");");
    out_.outdent();
    out_.line("}");
  }

  // What the grids of C++ say of the size.
  void workspace_of_args() {
    out_.line("size_t workspace(const Args& args) {");
    out_.indent();
    const auto whole =
        std::find_if(module_.grids.begin(), module_.grids.end(),
                     [&](const kernel::Grid& grid) { return has_all_axes(module_, grid); });
    out_.line("const stencil::Shape& shape = args." + whole->name + ".shape();");
    const std::vector<std::string> extents = {"shape.nx", "shape.ny", "shape.nz"},
                                   strides = {"shape.pitch", "shape.plane"};
    std::vector<std::string> items(extents.begin(), extents.begin() + rank());
    items.insert(items.end(), strides.begin(), strides.begin() + rank() - 1);
    out_.list("return " + workspace_name(module_) + "(", items, ");");
    out_.outdent();
    out_.line("}");
  }

  // The bytes of the values that launches keep.
  void workspace() {
    const bool some = !module_.temporaries.empty();
    std::vector<std::string> parameters = shape_names(module_, "int64_t ");
    if (!some) parameters.assign(parameters.size(), "int64_t");
    out_.list("size_t " + workspace_name(module_) + "(", parameters, ") {");
    out_.indent();
    if (some) {
      shape();
      out_.line("stencil::WorkspaceSize size(shape);");
      for (const kernel::Temporary& one : module_.temporaries)
        out_.line("size.add(sizeof(" + spell(one.type) + ")" + ghosts_of(one) + ");");
      out_.line("return size.bytes();");
    } else {
      out_.comment("This schedule keeps no values in memory.");
      out_.line("return 0;");
    }
    out_.outdent();
    out_.line("}");
  }

  // What a first run does beside its stream.
  void prepare() {
    out_.line("int " + prepare_name(module_) + "(void) {");
    out_.indent();
    std::vector<std::string> items = {"\"" + module_.name + "\""};
    if (cuda_) {
      bool maps = false;
      for (const kernel::Launch& launch : module_.launches) {
        maps = maps || !launch.map_args.empty();
        for (const std::string& kernel : instances(launch.kernel))
          if (std::find(items.begin(), items.end(), kernel) == items.end()) items.push_back(kernel);
      }
      for (const kernel::Grid& grid : module_.grids) {
        const std::string kernel = "stencil::halo_kernel<" + spell(grid.element) + ">()";
        if (!grid.halo.empty() && rotates(grid) &&
            std::find(items.begin(), items.end(), kernel) == items.end())
          items.push_back(kernel);
      }
      if (maps) out_.line("stencil::prepare_maps();");
      if (!module_.temporaries.empty()) out_.line("stencil::prepare_pool();");
    }
    out_.list("const stencil::Status ready = stencil::prepare(", items, ");");
    out_.line("return stencil::code_of(ready);");
    out_.outdent();
    out_.line("}");
  }

  // Some steps of a piece of the grid, for C.
  void leg() {
    const kernel::Module::Window& window = module_.window;
    out_.list("int " + leg_name(module_) + "(", leg_parameters(module_, dialect_, true), ") {");
    out_.indent();
    const std::string& given = window.grid.empty() ? window.name : window.given_window;
    out_.list("const stencil::Window " + given + " = stencil::window_of(",
              {window.first, window.end, module_.origin, module_.planes, window.taken,
               window.wraps ? "true" : "false"},
              ");");
    std::vector<std::string> items;
    for (const std::string& parameter : leg_parameters(module_, dialect_, false)) {
      const std::string name = parameter.substr(parameter.find_last_of(" *&") + 1);
      items.push_back(name.substr(0, name.find('[')));
    }
    out_.list("const stencil::Status done = " + module_.name + "::" + window.leg + "(", items,
              ");");
    out_.line("return stencil::code_of(done);");
    out_.outdent();
    out_.line("}");
  }

  // What it calls.
  void window() {
    const kernel::Module::Window& window = module_.window;
    out_.comment("Some steps of a window of the grid.");
    out_.list("stencil::Status " + window.leg + "(", leg_parameters(module_, dialect_, false),
              ") {");
    out_.indent();
    if (window.grid.empty()) {
      shape("shape");
      out_.line("const stencil::Shape " + module_.held + " = " + window.name +
                ".piece.of_memory(shape);");
    } else {
      shape(window.grid);
      out_.comment(
          "Nothing depends on where the window is: memory is taken for a grid of its own.");
      out_.line("const stencil::Window " + window.name + " = " + window.given_window +
                ".within_memory();");
      out_.line("const stencil::Shape shape = " + window.given_window + ".piece.of_memory(" +
                window.grid + ");");
    }
    unused();
    checks();
    out_.line("if (!ready.ok()) return ready;");
    for (size_t r = 0; r < module_.reductions.size(); ++r) {
      const kernel::Reduction& one = module_.reductions[r];
      out_.list("const " + window_reduction_type(one, dialect_) + " " + one.partials + "(",
                {window.partials[r], one.every_step ? one.name : "nullptr", "shape", window.name},
                ");");
    }
    if (reduces_on_request(module_)) {
      std::vector<std::string> wanted;
      for (size_t r = 0; r < module_.reductions.size(); ++r)
        if (!module_.reductions[r].every_step) wanted.push_back(window.partials[r] + " != nullptr");
      out_.line("const bool reduces = " + join(wanted, " && ") + ";");
    }
    out_.line("const bool narrow = " + narrow_enough() + ";");
    choose_advance();
    out_.list("return advance(", arguments("steps", ""), ");");
    out_.outdent();
    out_.line("}");
  }

  // What all pieces add to a reduction, in the order of the planes: folded as those of one grid
  // are.
  void fold(const kernel::Reduction& one) {
    const std::string type = spell(one.type);
    out_.blank();
    out_.list("int " + fold_entry_name(module_, one) + "(", fold_parameters(module_, one, dialect_),
              ") {");
    out_.indent();
    out_.line("const stencil::Shape shape = stencil::shape({" + join(module_.extents, ", ") +
              "}, " + module_.extents[0] + ");");
    out_.line("stencil::Reduction<" + type + "> all;");
    out_.line("stencil::Status ready = all.make(\"`" + module_.name + "`\", shape);");
    out_.line("if (!ready.ok()) return stencil::code_of(ready);");
    out_.line("const int64_t count = " + window_reduction_type(one, dialect_) + "::all(shape);");
    out_.line("const size_t bytes = static_cast<size_t>(count) * sizeof(" + type + ");");
    const std::string stream = cuda_ ? "stream" : "{}";
    if (cuda_) {
      out_.line(
          "(void)cudaMemcpyAsync(all.partials(), parts, bytes, cudaMemcpyDeviceToDevice, "
          "stream);");
    } else {
      out_.line("std::memcpy(all.partials(), parts, bytes);");
    }
    out_.line("all.fold<" + fold_name(one.fold) + (one.root ? ", true" : "") + ">(" + stream +
              ");");
    if (cuda_) {
      out_.list(
          "(void)cudaMemcpyAsync(",
          {"value", "all.result()", "sizeof(" + type + ")", "cudaMemcpyDeviceToDevice", "stream"},
          ");");
      out_.line("return stencil::code_of(stencil::launched(\"" + module_.name + "\"));");
    } else {
      out_.line("*value = *all.result();");
      out_.line("return stencil::code_of(stencil::Status());");
    }
    out_.outdent();
    out_.line("}");
  }

  // How many values a plane adds to a reduction, of each alike.
  void parts() {
    out_.blank();
    out_.list("int64_t " + module_.name + "_parts(", extents_as_parameters(module_), ") {");
    out_.indent();
    out_.line("const stencil::Shape shape = stencil::shape({" + join(module_.extents, ", ") +
              "}, " + module_.extents[0] + ");");
    out_.line("return " + window_reduction_type(module_.reductions[0], dialect_) +
              "::plane(shape);");
    out_.outdent();
    out_.line("}");
  }

  // Is the run content?
  void until() {
    out_.blank();
    Writer body;
    body.indent();
    for (const kernel::ScalarParam& param : module_.params)
      if (!in_condition(param.name)) body.line("static_cast<void>(" + param.name + ");");
    for (const kernel::Reduction& one : module_.reductions)
      if (!in_condition(one.value)) body.line("static_cast<void>(" + one.value + ");");
    write_statements(body, module_, module_.iterate.before, Dialect::cpu);
    body.line("return " + spell(module_.iterate.until, Dialect::cpu, rank()) + " ? 1 : 0;");
    out_.function("int " + until_name(module_) + "(", until_parameters(module_), body);
  }

  void c_entry() {
    out_.list("int " + c_name(module_) + "(", c_parameters(module_, dialect_), ") {");
    out_.indent();
    shape();
    unused();
    checks();
    if (!module_.piece.empty())
      out_.line("const stencil::Piece " + module_.piece + " = stencil::Piece::of(shape);");
    out_.line("const bool narrow = " + narrow_enough() + ";");
    choose_advance();
    if (module_.reductions.empty()) {
      out_.list("const stencil::Status done = advance(", arguments(step_count(), ""), ");");
      out_.line("return stencil::code_of(done);");
    } else {
      with_reductions();
    }
    out_.outdent();
    out_.line("}");
  }

 private:
  void choose_advance() {
    const std::string narrow = "const auto advance = narrow ? " + module_.name + "::advance<int>",
                      wide = ": " + module_.name + "::advance<int64_t>;";
    if (out_.column() + narrow.size() + 1 + wide.size() <= kColumns) {
      out_.line(narrow + " " + wide);
    } else {
      out_.line(narrow);
      out_.line(std::string(narrow.find('?'), ' ') + wide);
    }
  }

  int rank() const { return static_cast<int>(module_.extents.size()); }
  // laplace2d::step<int>, laplace2d::step<int64_t>
  std::vector<std::string> instances(const kernel::Kernel& kernel) const {
    std::vector<std::string> steps = {""}, names;
    if (!kernel.steps.empty() && !kernel.any_steps) {
      steps.clear();
      for (const int count : step_counts(module_, kernel))
        steps.push_back(", " + std::to_string(count));
    }
    for (const char* const index : {"int", "int64_t"})
      for (const std::string& count : steps)
        names.push_back(module_.name + "::" + kernel.name + "<" + index + count + ">");
    return names;
  }
  bool has_halo() const { return !module_.halo.empty(); }
  void shape(const std::string& name = "shape") {
    std::vector<std::string> layout = {"{" + join(module_.extents, ", ") + "}"};
    if (rank() == 1) layout.push_back(grown(0));
    layout.insert(layout.end(), module_.strides.begin(), module_.strides.end());
    if (has_halo()) layout.push_back(halo_text(module_.halo));
    out_.list("const stencil::Shape " + name + " = stencil::shape(", layout, ");");
  }
  // As a last argument.
  static std::string ghosts_of(const kernel::Temporary& one) {
    return one.ghosts.empty() ? "" : ", " + halo_text(one.ghosts);
  }
  // An extent with the halo at both ends.
  std::string grown(int axis) const {
    return with_halo(module_.extents[axis], has_halo() ? module_.halo[axis] : 0);
  }
  static std::string with_halo(const std::string& extent, int halo) {
    return extent + (halo == 0 ? "" : " + " + std::to_string(2 * halo));
  }

  void borrow(const kernel::Grid& grid, std::vector<std::string>& levels) {
    const std::string text = "\"" + grid.name + "\"";
    if (rotates(grid)) {
      std::vector<std::string> items = {text};
      for (const std::string& name : grid.level_names) items.push_back("args." + name);
      out_.list("auto " + grid.name + " = call.levels<" + std::to_string(grid.buffers) + ">(",
                items, ");");
      levels.push_back(grid.name);
      return;
    }
    const bool input = grid.role == kernel::Grid::input;
    std::string call = input ? "input" : "output", more;
    if (!has_all_axes(module_, grid)) {
      call = "part";
      std::vector<std::string> axes;
      for (const int axis : grid.axes) axes.push_back(std::to_string(axis));
      more =
          ", {" + join(axes, ", ") + "}" + (grid.halo.empty() ? "" : ", " + halo_text(grid.halo));
    }
    out_.line((input ? "const " : "") + spell(grid.element) + "* " + grid.name + " = call." + call +
              "(" + text + ", args." + grid.name + more + ");");
  }

  std::string cells() const {
    const std::string last = grown(rank() - 1);
    if (rank() == 1) return last;
    return module_.strides.back() + " * " +
           (last == module_.extents.back() ? last : "(" + last + ")");
  }
  // Where indices have 32 bits. CPUs keep what each cell of the grid adds to a fold, and points are
  // sorted by numbers of cells.
  std::string narrow_enough() const {
    const std::string whole = "stencil::fits_32_bits(" + cells() + ")";
    const bool sorted = std::any_of(module_.places.begin(), module_.places.end(),
                                    [](const kernel::Places& places) { return places.sorted; });
    const bool window = module_.window.given();
    if (sorted || (!cuda_ && !module_.reductions.empty())) return whole;
    if (module_.piece.empty() && !window) return whole;
    return "stencil::fits_32_bits(shape, " +
           (window ? module_.window.name + ".piece" : module_.piece) + ")";
  }
  // The number of steps a call asks for, `iterate` resolved.
  std::string step_count() const {
    return !module_.steps                                     ? ""
           : module_.iterate.given && !module_.window.given() ? "limit"
                                                              : "steps";
  }

  void unused() {
    const auto note = [&](const std::string& name) {
      out_.comment("No update reads " + name + ".");
      out_.line("static_cast<void>(" + name + ");");
    };
    for (const kernel::ScalarParam& param : module_.params)
      if (!param.used && (module_.window.given() || !in_condition(param.name))) note(param.name);
    for (const kernel::Weights& weights : module_.weights)
      if (!weights.used) note(weights.name);
    if (!has_workspace(module_) || !module_.temporaries.empty() || module_.window.given()) return;
    out_.comment("This schedule keeps no values in memory.");
    out_.line("static_cast<void>(" + module_.workspace + ");");
    out_.line("static_cast<void>(" + module_.workspace_bytes + ");");
  }
  bool in_condition(const std::string& name) const {
    if (!module_.iterate.until) return false;
    kernel::Body body = module_.iterate.before;
    body.push_back({kernel::Assign{"until", module_.iterate.until}});
    return kernel::used_names(body).count(name) != 0;
  }

  void checks() {
    std::vector<std::string> buffers;
    for (const kernel::Grid& grid : module_.grids) {
      const std::string what =
          grid.role == kernel::Grid::input ? "buffers.read(\"" : "buffers.written(\"";
      for (int b = 0; b < grid.buffers; ++b) {
        const std::string name =
            rotates(grid) ? grid.name + "[" + std::to_string(b) + "]" : grid.name;
        buffers.push_back(what + name + "\", " + name + part_cells(grid) + ");");
      }
    }
    if (!module_.temporaries.empty() && !module_.window.given())
      buffers.push_back("buffers.scratch(\"" + module_.workspace + "\", " + module_.workspace +
                        ", " + module_.workspace_bytes + ");");
    const bool window = module_.window.given();
    const std::string count =
        "const stencil::Steps count{" + (module_.steps ? step_count() : std::string("1")) + "};";
    if (window) {
      out_.line(count);
      out_.line("stencil::Status ready;");
      out_.line("if (!" + module_.window.name + ".checked) {");
      out_.indent();
    }
    out_.line("stencil::Buffers<" + std::to_string(buffers.size()) + "> buffers;");
    for (const std::string& buffer : buffers) out_.line(buffer);
    if (module_.iterate.given && !window) {
      out_.comment("Without a number of steps, the run goes on as `iterate` says.");
      out_.line("const int64_t limit = steps == stencil::kIterate ? " +
                std::to_string(module_.iterate.limit) + " : steps;");
    }
    if (!window) out_.line(count);
    const bool more = !module_.multiples.empty() || !module_.weights.empty() ||
                      !module_.points.empty() || !module_.temporaries.empty();
    const std::string declared = window                                ? ""
                                 : more || !module_.reductions.empty() ? "stencil::Status "
                                                                       : "const stencil::Status ";
    out_.line(declared + "ready = stencil::check(\"" + module_.name + "\", " + memory_shape() +
              ", count, buffers);");
    if (window) {
      check_window();
      out_.outdent();
      out_.line("}");
    }
    for (size_t a = 0; a < module_.multiples.size(); ++a)
      if (module_.multiples[a] > 1)
        if_ready("stencil::check_multiple(",
                 {"\"" + module_.name + "\"", "\"" + module_.extents[a] + "\"", module_.extents[a],
                  std::to_string(module_.multiples[a])});
    for (const kernel::Weights& weights : module_.weights) {
      if (!weights.used) continue;
      out_.line("stencil::Weights<" + spell(weights.type) + ", " + std::to_string(weights.held()) +
                "> " + weights.name + "_values;");
      const std::string row = std::to_string(weights.row), pitch = std::to_string(weights.pitch);
      if_ready(weights.columns != 0
                   ? "stencil::take_columns<" + std::to_string(weights.columns) + ", " + row + ">("
               : weights.pitch != weights.row ? "stencil::take_rows<" + row + ", " + pitch + ">("
                                              : "stencil::take(",
               {"\"" + module_.name + "\"", "\"" + weights.name + "\"", weights.name,
                weights.name + "_values"});
    }
    points();
    temporaries();
    if (module_.reductions.empty() && !window)
      out_.line("if (!ready.ok()) return stencil::code_of(ready);");
  }

  // What arrays have in memory.
  std::string memory_shape() const {
    return module_.window.given() && module_.window.grid.empty() ? module_.held : "shape";
  }

  // Does memory hold what the steps read beside the window?
  void check_window() {
    const kernel::Module::Window& window = module_.window;
    int beside = 0;
    for (const kernel::Grid& grid : module_.grids)
      if (grid.used) beside = std::max({beside, grid.beside.low, grid.beside.high});
    const int more = std::max(window.step.low, window.step.high);
    std::string planes = std::to_string(beside);
    if (module_.steps && more != 0)
      planes += std::string(" + ") + (more == 1 ? "" : std::to_string(more) + " * ") +
                "(steps > 0 ? steps - 1 : 0)";
    const bool own = !window.grid.empty();
    if_ready("stencil::check_window(", {"\"" + module_.name + "\"", own ? window.grid : "shape",
                                        own ? window.given_window : window.name, planes});
  }

  // The next check, unless one failed.
  void if_ready(const std::string& callee, const std::vector<std::string>& items) {
    const std::string call = "ready = " + callee + join(items, ", ") + ");";
    if (out_.column() + call.size() + 16 <= kColumns) return out_.line("if (ready.ok()) " + call);
    out_.line("if (ready.ok())");
    out_.indent();
    out_.list("ready = " + callee, items, ");");
    out_.outdent();
  }

  // Lists of points, and what is known of a series before the run.
  void points() {
    const std::string name = "\"" + module_.name + "\"";
    for (const kernel::Points& one : module_.points)
      if_ready("stencil::check_points(", {name, "\"" + one.name + "\"", one.name, one.count});
    for (const kernel::Series& one : module_.series) {
      const std::string& count = module_.points[one.points].count;
      if (one.used)
        out_.line("const " + series_type(one) + " " + one.name + "_values{" + one.name + ", " +
                  one.steps + ", " + count + "};");
      if_ready("stencil::check_series(",
               {name, "\"" + one.name + "\"", one.name, count, one.steps, "first", "count.count"});
    }
    for (const kernel::Places& one : module_.places) {
      const kernel::Points& list = module_.points[one.points];
      out_.line(places_type(module_, one) + " " + one.name + ";");
      if_ready(one.name + ".make(",
               {"\"`" + module_.name + "`\"",
                points_type(list) + "{" + list.name + ", " + list.count + "}", "shape",
                one.chained ? "true" : "false", cuda_ ? "stream" : "{}"});
      if (one.sorted)
        if_ready(one.name + ".sort(", {"\"`" + module_.name + "`\"", "shape", "stream"});
    }
  }

  // The memory of values that launches keep.
  void temporaries() {
    if (module_.temporaries.empty()) return;
    const std::string stream = cuda_ ? "stream" : "{}", who = "\"`" + module_.name + "`\"";
    out_.line("stencil::Workspace " + module_.workspace_left + ";");
    const bool window = module_.window.given();  // its values are in memory of their own
    if (!window)
      if_ready("stencil::begin_workspace(",
               {who, "{" + module_.workspace + ", " + module_.workspace_bytes + "}",
                workspace_name(module_) + "(" + join(shape_names(module_, ""), ", ") + ")",
                "&" + module_.workspace_left});
    for (const kernel::Temporary& one : module_.temporaries) {
      out_.line("stencil::Temporary<" + spell(one.type) + "> " + one.name + "(" + stream + ");");
      std::vector<std::string> args = {who, "\"" + one.name + "\"", memory_shape(),
                                       module_.workspace_left};
      if (!one.ghosts.empty()) args.push_back(halo_text(one.ghosts));
      if (window && !one.ghosts.empty()) args.push_back("shape");
      if_ready(one.name + ".make(", args);
    }
  }

  // The elements of an array without all axes, as a last argument.
  std::string part_cells(const kernel::Grid& grid) const {
    if (has_all_axes(module_, grid)) return "";
    const bool cut = module_.window.given() && grid.axes.back() == rank() - 1;
    const std::string last =
        cut ? module_.window.name + ".piece.planes" : module_.extents[grid.axes.back()];
    const std::string count = with_halo(last, grid.halo.empty() || cut ? 0 : grid.halo.back());
    std::vector<std::string> front;
    if (!grid.halo.empty() && grid.halo[0] != 0 && !(cut && grid.axes.size() == 1))
      front.push_back(std::to_string(grid.halo[0]));
    std::string text = ", " + count;
    if (grid.axes.size() == 2) {
      text = ", " + grid.pitch + " * " + (count == last ? count : "(" + count + ")");
      if (count != last) front.push_back(std::to_string(grid.halo[1]) + " * " + grid.pitch);
    }
    return text + (front.empty() ? "" : ", " + join(front, " + "));
  }

  std::vector<std::string> arguments(const std::string& steps, const std::string& done) const {
    std::vector<std::string> items;
    for (const kernel::Grid& grid : module_.grids)
      if (grid.used) items.push_back(grid.name);
    items.push_back("shape");
    if (module_.window.given())
      items.push_back(module_.window.name);
    else if (!module_.piece.empty())
      items.push_back(module_.piece);
    for (const kernel::Grid& grid : module_.grids)
      if (grid.used && !grid.pitch.empty()) items.push_back(grid.pitch);
    for (const kernel::ScalarParam& param : module_.params)
      if (param.used) items.push_back(param.name);
    for (const kernel::Weights& weights : module_.weights)
      if (weights.used) items.push_back(weights.name + "_values");
    for (const kernel::Places& places : module_.places) items.push_back(places.name);
    for (const kernel::Series& series : module_.series)
      if (series.used) items.push_back(series.name + "_values");
    for (const kernel::Reduction& reduction : module_.reductions)
      items.push_back(reduction.partials);
    for (const kernel::Temporary& one : module_.temporaries) items.push_back(one.name);
    if (module_.time) items.push_back(done.empty() ? "first" : "first + " + done);
    if (takes_steps(module_)) items.push_back(steps);
    if (!module_.sets_up.empty()) items.push_back(done.empty() ? "true" : done + " == 0");
    if (reduces_on_request(module_)) items.push_back("reduces");
    if (cuda_) items.push_back("stream");
    return items;
  }

  // The run in pieces between two looks at the condition; without one, in one piece.
  void with_reductions() {
    const std::string stream = cuda_ ? "stream" : "{}";
    const bool until = module_.iterate.until != nullptr;
    const std::string quoted_name = "\"`" + module_.name + "`\"";
    std::vector<std::string> wanted;
    for (const kernel::Reduction& one : module_.reductions) {
      out_.line("stencil::Reduction<" + spell(one.type) + "> " + one.partials + ";");
      wanted.push_back(one.name + " != nullptr");
    }
    if (until) {
      out_.line("const bool looks = steps == stencil::kIterate;");
      wanted.insert(wanted.begin(), "looks");
    }
    if (reduces_on_request(module_))
      out_.line("const bool reduces = " + join(wanted, " || ") + ";");
    for (const kernel::Reduction& one : module_.reductions)
      out_.line(std::string("if (ready.ok()") + (one.every_step ? "" : " && reduces") +
                ") ready = " + one.partials + ".make(" + quoted_name + ", shape);");
    out_.line("if (!ready.ok()) return stencil::code_of(ready);");
    for (const kernel::Reduction& one : module_.reductions)
      out_.line(spell(one.type) + " " + one.value + " = " + fold_name(one.fold) + "::identity<" +
                spell(one.type) + ">();");
    if (until) {
      out_.line("int64_t done = 0;");
      out_.line("while (done < limit) {");
      out_.indent();
      out_.line("const int64_t most = looks ? " + std::to_string(module_.iterate.every) +
                " : limit;");
      out_.line("const int64_t piece = most < limit - done ? most : limit - done;");
      out_.list("ready = advance(", arguments("piece", "done"), ");");
      out_.line("done += piece;");
      read_all(stream);
      out_.line("if (!ready.ok()) return stencil::code_of(ready);");
      write_statements(out_, module_, module_.iterate.before, Dialect::cpu);
      out_.line("if (looks && " + within_and(module_.iterate.until) + ") break;");
      out_.outdent();
      out_.line("}");
      out_.line("if (steps_taken != nullptr) *steps_taken = done;");
    } else {
      out_.list("ready = advance(", arguments(step_count(), ""), ");");
      if (module_.steps) {
        out_.line("if (" + step_count() + " > 0) {");
        out_.indent();
      }
      read_all(stream);
      if (module_.steps) {
        out_.outdent();
        out_.line("}");
      }
      out_.line("if (!ready.ok()) return stencil::code_of(ready);");
    }
    for (const kernel::Reduction& one : module_.reductions)
      out_.line("if (" + one.name + " != nullptr) *" + one.name + " = " + one.value + ";");
    out_.line("return stencil::code_of(ready);");
  }

  void read_all(const std::string& stream) {
    for (const kernel::Reduction& one : module_.reductions)
      out_.line(std::string("if (ready.ok()") +
                (!one.every_step         ? " && reduces"
                 : module_.iterate.until ? " && (looks || " + one.name + " != nullptr)"
                                         : " && " + one.name + " != nullptr") +
                ") ready = " + one.partials + ".read(&" + one.value + ", " + stream + ");");
  }

  // As an operand of &&.
  std::string within_and(const kernel::ExprPtr& expr) const {
    const std::string text = spell(expr, Dialect::cpu, rank());
    const auto* node = kernel::as<kernel::Bin>(expr);
    return node && node->op == kernel::BinOp::or_ ? "(" + text + ")" : text;
  }

  Writer& out_;
  const kernel::Module& module_;
  const Dialect dialect_;
  const bool cuda_;
};

}  // namespace

void write_run(Writer& out, const kernel::Module& module, Dialect dialect) {
  if (has_workspace(module)) {
    Entry(out, module, dialect).workspace_of_args();
    out.blank();
  }
  Entry(out, module, dialect).run();
}

void write_prepare(Writer& out, const kernel::Module& module, Dialect dialect) {
  Entry(out, module, dialect).prepare();
}

void write_window(Writer& out, const kernel::Module& module, Dialect dialect) {
  Entry(out, module, dialect).window();
}

void write_leg(Writer& out, const kernel::Module& module, Dialect dialect) {
  Entry entry(out, module, dialect);
  entry.leg();
  for (const kernel::Reduction& one : module.reductions) entry.fold(one);
  if (!module.reductions.empty()) entry.parts();
  if (module.iterate.until) entry.until();
}

void write_until(Writer& out, const kernel::Module& module) {
  Entry(out, module, Dialect::cpu).until();
}

void write_workspace(Writer& out, const kernel::Module& module) {
  if (!has_workspace(module)) return;
  Entry(out, module, Dialect::cpu).workspace();
  out.blank();
}

void write_c_entry(Writer& out, const kernel::Module& module, Dialect dialect) {
  Entry(out, module, dialect).c_entry();
}

}  // namespace stencilc::emit
