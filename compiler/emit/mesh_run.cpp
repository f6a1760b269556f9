// NAME_run_on(): a run on the pieces of a mesh (runtime/include/stencil/mesh.h), NAME_grid(), which
// makes grids of a mesh for callers in C, and what the mesh has to know of the program.
#include <algorithm>

#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/step_launches.h"
#include "kernel/pieces.h"

namespace stencilc::emit {
namespace {

class MeshCall {
 public:
  MeshCall(Writer& out, const kernel::Module& module, Dialect dialect)
      : out_(out), module_(module), cuda_(dialect == Dialect::cuda) {}

  // In the namespace of the program, for C++.
  void declare() {
    out_.comment("What stencil::Mesh has to know of the program.");
    out_.line("stencil::MeshLaunch launch_on(const stencil::Shape& shape, int64_t planes);");
    out_.line("inline constexpr stencil::MeshArray mesh_arrays[] = {");
    out_.indent();
    out_.indent();
    for (const kernel::Grid& grid : module_.grids) array(grid);
    out_.outdent();
    out_.outdent();
    out_.line("};");
    out_.list(
        "inline constexpr stencil::MeshProgram mesh_program = stencil::mesh_program_of(",
        {"\"" + module_.name + "\"", std::to_string(rank()), "mesh_arrays",
         module_.name + "_step_low", module_.name + "_step_high", truth(module_.window.wraps),
         truth(kernel::one_step_splits(module_)), truth(kernel::several_steps_split(module_)),
         truth(kernel::legs_repeat(module_)), truth(!module_.window.grid.empty()), "launch_on"},
        ");");
    out_.blank();
    out_.comment("For stencil::MeshGrid: stencil::MeshGrid<" + spell(module_.grids[0].element) +
                 "> " + module_.grids[0].name + "(mesh, " + module_.name + "::fields::" +
                 module_.grids[0].name + ", {" + join(module_.extents, ", ") + "}).");
    out_.line("namespace fields {");
    for (size_t g = 0; g < module_.grids.size(); ++g)
      out_.line("inline constexpr stencil::MeshField<" + spell(module_.grids[g].element) + ", " +
                std::to_string(rank()) + "> " + module_.grids[g].name + "{&mesh_program, " +
                std::to_string(g) + "};");
    out_.line("}  // namespace fields");
    out_.blank();
    args();
    out_.blank();
    run_of_args();
  }

  // In the namespace of the program, in its source.
  void launch_on() {
    bool by_shape = false, by_planes = false;
    for (const kernel::Launch& one : module_.launches) {
      if (one.kernel.steps.empty()) continue;
      const std::string large = large_enough(one, "planes");
      by_shape = by_shape || large.find("shape.") != std::string::npos;
      by_planes = by_planes || large.find("planes") != std::string::npos;
    }
    out_.comment(
        "A launch on a piece of so many planes: its steps, and whether it can count border "
        "planes.");
    Writer body;
    body.indent();
    bool ends = false;
    for (const kernel::Launch& one : module_.launches) {
      if (one.kernel.steps.empty() || ends) continue;
      const std::string large = large_enough(one, "planes"),
                        result = "return {" + std::to_string(one.kernel.most_steps) + ", " +
                                 truth(!one.kernel.partition.borders.empty()) + "};";
      const std::string head = large.empty() ? "" : "if (" + large + ")";
      if (body.column() + head.size() + 1 + result.size() <= kColumns) {
        body.line(head.empty() ? result : head + " " + result);
      } else {
        body.line(head);
        body.indent();
        body.line(result);
        body.outdent();
      }
      ends = large.empty();
    }
    if (!ends) body.line("return {1, " + truth(kernel::one_step_counts(module_)) + "};");
    out_.function("stencil::MeshLaunch launch_on(",
                  {std::string("const stencil::Shape&") + (by_shape ? " shape" : ""),
                   std::string("int64_t") + (by_planes ? " planes" : "")},
                  body);
  }

  // NAME_grid().
  void grid() {
    out_.list("int " + mesh_grid_name(module_) + "(", mesh_grid_parameters(module_), ") {");
    out_.indent();
    out_.list("return stencil::open_mesh_grid<stencil::Mesh>(",
              {module_.name + "::mesh_program", "mesh", "array",
               "{" + join(module_.extents, ", ") + "}", "grid"},
              ");");
    out_.outdent();
    out_.line("}");
  }

  // NAME_run_on().
  void run() {
    out_.list("int " + run_on_name(module_) + "(", run_on_parameters(module_), ") {");
    out_.indent();
    const std::string type = "stencil::MeshRun<" + std::to_string(module_.grids.size()) + ">";
    std::vector<std::string> items = {module_.name + "::mesh_program", module_.window.mesh};
    for (const kernel::Grid& grid : module_.grids) items.push_back(grid.name);
    out_.list(type + " run(", items, ");");
    if (module_.steps && !module_.iterate.given) out_.line("run.check_steps(steps);");
    compare();
    out_.line("if (!run.ok()) return stencil::code_of(run.status());");
    copies();
    reductions();
    call(type);
    if (module_.steps)
      legs();
    else
      pass();
    finish();
    out_.outdent();
    out_.line("}");
  }

 private:
  static std::string truth(bool value) { return value ? "true" : "false"; }
  int rank() const { return static_cast<int>(module_.extents.size()); }
  bool reduces() const { return !module_.reductions.empty(); }

  void array(const kernel::Grid& grid) {
    const bool whole = has_all_axes(module_, grid);
    const std::vector<int>& halo = whole ? module_.halo : grid.halo;
    std::string axes;
    int around[3] = {};
    for (size_t k = 0; k < grid.axes.size(); ++k) {
      axes += "xyz"[grid.axes[k]];
      around[grid.axes[k]] = halo.empty() ? 0 : halo[whole ? static_cast<size_t>(grid.axes[k]) : k];
    }
    const std::string prefix = module_.name + "_of_" + grid.name;
    std::vector<std::string> items = {"\"" + grid.name + "\"",
                                      "\"" + axes + "\"",
                                      std::to_string(grid.level_names.size()),
                                      std::to_string(grid.buffers),
                                      truth(grid.changes),
                                      grid.used ? prefix + "_low" : "0",
                                      grid.used ? prefix + "_high" : "0"};
    // A leg reads fewer planes of t-1 where a step reads only the cell itself there.
    const bool fewer = grid.used && grid.level_names.size() > 1 &&
                       (grid.before.low != grid.beside.low || grid.before.high != grid.beside.high);
    if (fewer)
      for (const int planes : {grid.before.low, grid.before.high})
        items.push_back(std::to_string(planes));
    for (int a = 0; a < 3 && !halo.empty(); ++a) items.push_back(std::to_string(around[a]));
    out_.list(std::string("stencil::") + (fewer ? "mesh_levels" : "mesh_array") + "<" +
                  spell(grid.element) + ">(",
              items, "),");
  }

  // What a caller in C++ gives to a run.
  void args() {
    out_.line("struct Args {");
    out_.indent();
    for (const kernel::Grid& grid : module_.grids)
      out_.line("stencil::MeshGrid<" + spell(grid.element) + ">& " + grid.name + ";");
    for (const kernel::ScalarParam& param : module_.params)
      out_.line(spell(param.type) + " " + param.name +
                (param.has_default ? " = " + literal(param.type, param.real, param.integer) : "") +
                ";");
    for (const kernel::Weights& weights : module_.weights)
      out_.line(spell(weights.type) + " " + weights.name + "[" + std::to_string(weights.count) +
                "] = {};");
    const bool lists = !module_.points.empty();
    if (lists) out_.comment("On the host.");
    for (const kernel::Points& points : module_.points)
      out_.line(points_type(points) + " " + points.name + ";");
    for (const kernel::Series& series : module_.series)
      out_.line(series_type(series) + " " + series.name + ";");
    for (const kernel::Reduction& one : module_.reductions) {
      if (&one == module_.reductions.data())
        out_.comment("Where the host wants the values of the last step.");
      out_.line(spell(one.type) + "* " + one.name + " = nullptr;");
    }
    if (module_.iterate.until) out_.line("int64_t* steps_taken = nullptr;");
    out_.outdent();
    out_.line("};");
  }

  void run_of_args() {
    const std::string& mesh = module_.window.mesh;
    std::vector<std::string> parameters = {"const Args& args"};
    if (module_.steps || module_.time) parameters.emplace_back("stencil::Steps steps");
    parameters.push_back("stencil::Mesh& " + mesh);
    out_.comment(!module_.steps
                     ? "Computes the outputs on all pieces. Asynchronous where the mesh is."
                     : "Advances all pieces by `steps` steps. Asynchronous where the "
                       "mesh is; reductions and series wait for it.");
    out_.list("[[nodiscard]] inline stencil::Status run(", parameters, ") {");
    out_.indent();
    std::vector<std::string> items = {mesh + ".handle()"};
    for (const kernel::Grid& grid : module_.grids)
      items.push_back("args." + grid.name + ".handle()");
    for (const kernel::ScalarParam& param : module_.params) items.push_back("args." + param.name);
    for (const kernel::Weights& weights : module_.weights) items.push_back("args." + weights.name);
    for (const kernel::Points& points : module_.points) {
      items.push_back("args." + points.name + ".at");
      items.push_back("args." + points.name + ".count");
    }
    for (const kernel::Series& series : module_.series) {
      items.push_back("args." + series.name + ".data");
      items.push_back("args." + series.name + ".steps");
    }
    for (const kernel::Reduction& one : module_.reductions) items.push_back("args." + one.name);
    if (module_.time) items.push_back("steps.first");
    if (module_.steps) items.push_back("steps.count");
    if (module_.iterate.until) items.push_back("args.steps_taken");
    out_.list("const int code = " + run_on_name(module_) + "(", items, ");");
    out_.line("return stencil::status_of(code);");
    out_.outdent();
    out_.line("}");
  }

  std::string size_of(const kernel::Points& points) const {
    return points.count + " * " + std::to_string(rank());
  }
  std::string size_of(const kernel::Series& series) const {
    return series.steps + " * " + module_.points[static_cast<size_t>(series.points)].count;
  }
  // What all processes have to be given alike.
  void compare() {
    const auto one = [&](const std::string& name, const std::string& count,
                         const char* how = "compare") {
      std::vector<std::string> items = {"\"" + name + "\""};
      if (count.empty() || how == std::string_view("compare")) items.push_back(name);
      if (!count.empty()) items.push_back(count);
      out_.list(std::string("run.") + how + "(", items, ");");
    };
    for (const kernel::ScalarParam& param : module_.params) one(param.name, "");
    for (const kernel::Weights& weights : module_.weights)
      one(weights.name, std::to_string(weights.count));
    for (const kernel::Points& points : module_.points) one(points.name, size_of(points));
    for (const kernel::Series& series : module_.series)
      one(series.name, size_of(series), series.output ? "compare_count" : "compare");
    if (module_.time) one("first", "");
    if (module_.iterate.given) one("steps", "");
  }
  // Points and series, for each piece.
  void copies() {
    const auto copy = [&](const std::string& type, const std::string& name,
                          const std::string& count, bool fills) {
      out_.list("stencil::MeshCopies<" + type + ", stencil::Mesh> all_" + name + "(",
                {"run.mesh()", name, count, truth(fills)}, ");");
      out_.line("run.take(all_" + name + ".status());");
    };
    for (const kernel::Points& points : module_.points)
      copy(points.linear ? "const double" : "const int32_t", points.name, size_of(points), false);
    for (const kernel::Series& series : module_.series)
      copy((series.output ? "" : "const ") + spell(series.type), series.name, size_of(series),
           series.output);
  }

  void reductions() {
    for (const kernel::Reduction& one : module_.reductions) {
      const std::string type = spell(one.type);
      std::vector<std::string> extents;
      for (int a = 0; a < rank(); ++a) extents.push_back("run.extent(" + std::to_string(a) + ")");
      out_.line("const int64_t parts_of_" + one.name + " = " + module_.name + "_parts(" +
                join(extents, ", ") + ");");
      out_.list("stencil::MeshReduction<" + type + ", stencil::Mesh> all_" + one.name + "(",
                {"run.mesh()", "run.plan()", "parts_of_" + one.name,
                 fold_name(one.fold) + "::identity<" + type + ">()"},
                ");");
      out_.line("run.take(all_" + one.name + ".status());");
      extents.insert(extents.begin(), "parts");
      extents.push_back("value");
      if (cuda_) extents.push_back("stream");
      out_.line("const auto fold_" + one.name + " = [&](auto* parts, auto* value, stencil::Stream" +
                (cuda_ ? " stream" : "") + ") {");
      out_.indent();
      out_.list("return " + fold_entry_name(module_, one) + "(", extents, ");");
      out_.outdent();
      out_.line("};");
    }
  }

  void call(const std::string& type) {
    const std::string& part = module_.window.part;
    std::vector<std::string> items;
    for (size_t g = 0; g < module_.grids.size(); ++g) {
      const kernel::Grid& grid = module_.grids[g];
      items.push_back(part + (rotates(grid) ? ".levels<" : ".only<") + spell(grid.element) + ">(" +
                      std::to_string(g) + ")");
    }
    for (int a = 0; a < rank(); ++a) items.push_back("run.extent(" + std::to_string(a) + ")");
    const auto whole =
        std::find_if(module_.grids.begin(), module_.grids.end(),
                     [&](const kernel::Grid& grid) { return has_all_axes(module_, grid); });
    const std::string first = std::to_string(whole - module_.grids.begin());
    if (rank() > 1) items.push_back("run.pitch(" + first + ")");
    if (rank() > 2) items.push_back("run.plane(" + first + ")");
    for (size_t g = 0; g < module_.grids.size(); ++g)
      if (!module_.grids[g].pitch.empty()) items.push_back("run.pitch(" + std::to_string(g) + ")");
    for (const kernel::ScalarParam& param : module_.params) items.push_back(param.name);
    for (const kernel::Weights& weights : module_.weights) items.push_back(weights.name);
    const std::string here = ".data(" + part + ".piece)";
    for (const kernel::Points& points : module_.points) {
      items.push_back("all_" + points.name + here);
      items.push_back(points.count);
    }
    for (const kernel::Series& series : module_.series) {
      items.push_back("all_" + series.name + here);
      items.push_back(series.steps);
    }
    for (const kernel::Reduction& one : module_.reductions) {
      items.push_back(part + ".reduces ? all_" + one.name + ".parts(" + part + ".piece) : nullptr");
      if (one.every_step) items.push_back("all_" + one.name + ".value(" + part + ".piece)");
    }
    if (module_.time) items.push_back("first + " + part + ".window.taken");
    if (takes_steps(module_)) items.push_back(part + ".steps");
    items.push_back(part + ".window");
    if (cuda_) items.push_back(part + ".stream");
    out_.line("const auto call = [&](const " + type + "::Leg& " + part + ") {");
    out_.indent();
    out_.list("return " + module_.name + "::" + module_.window.leg + "(", items, ");");
    out_.outdent();
    out_.line("};");
  }

  void fold(bool every_step) {
    for (const kernel::Reduction& one : module_.reductions)
      if (one.every_step == every_step)
        out_.line("if (run.ok()) run.take(all_" + one.name + ".fold(fold_" + one.name + "));");
  }
  void before_step() {
    if (!folds_first(module_)) return;
    out_.line("run.before_step(call);");
    fold(true);
  }

  void pass() {
    before_step();
    out_.line("run.legs(1, " + truth(reduces()) + ", call);");
    fold(false);
  }

  void legs() {
    const kernel::Module::Iterate& iterate = module_.iterate;
    const bool until = iterate.until != nullptr, each = folds_first(module_);
    if (!until && !each && !reduces()) {
      std::string limit = "steps";
      if (iterate.given)
        limit = "steps == stencil::kIterate ? " + std::to_string(iterate.limit) + " : steps";
      out_.line("run.legs(" + limit + ", false, call);");
      return;
    }
    if (iterate.given)
      out_.line("const int64_t limit = steps == stencil::kIterate ? " +
                std::to_string(iterate.limit) + " : steps;");
    else
      out_.line("const int64_t limit = steps;");
    if (until) out_.line("const bool looks = steps == stencil::kIterate;");
    out_.line("while (run.ok() && run.taken() < limit) {");
    out_.indent();
    out_.line("const int64_t left = limit - run.taken();");
    if (until)
      out_.line("const int64_t some = looks && left > " + std::to_string(iterate.every) + " ? " +
                std::to_string(iterate.every) + " : left;");
    const std::string some = until ? "some" : "left";
    if (each) {
      out_.comment("Each step reads a reduction of all pieces.");
      out_.line("for (int64_t n = 0; n < " + some + " && run.ok(); ++n) {");
      out_.indent();
      before_step();
      out_.line("run.legs(1, n + 1 == " + some + ", call);");
      out_.outdent();
      out_.line("}");
    } else {
      out_.line("run.legs(" + some + ", true, call);");
    }
    fold(false);
    if (until) {
      std::vector<std::string> items;
      for (const kernel::ScalarParam& param : module_.params) items.push_back(param.name);
      for (const kernel::Reduction& one : module_.reductions)
        items.push_back("all_" + one.name + ".now");
      out_.list("if (looks && run.ok() && " + until_name(module_) + "(", items, ") != 0) break;");
    }
    out_.outdent();
    out_.line("}");
    if (until) out_.line("if (steps_taken != nullptr) *steps_taken = run.taken();");
  }

  void finish() {
    for (const kernel::Series& one : module_.series)
      if (one.output) {
        const std::string& points = module_.points[static_cast<size_t>(one.points)].count;
        out_.line("if (run.ok()) {");
        out_.indent();
        out_.list("run.take(all_" + one.name + ".finish(",
                  {"first * " + points, "run.taken() * " + points}, "));");
        out_.outdent();
        out_.line("}");
      }
    for (const kernel::Reduction& one : module_.reductions)
      out_.line("if (" + one.name + " != nullptr) *" + one.name + " = all_" + one.name + ".now;");
    out_.line("return stencil::code_of(run.status());");
  }

  Writer& out_;
  const kernel::Module& module_;
  const bool cuda_;
};

}  // namespace

std::string mesh_grid_name(const kernel::Module& module) { return module.name + "_grid"; }
std::vector<std::string> mesh_grid_parameters(const kernel::Module& module) {
  std::vector<std::string> items = extents_as_parameters(module);
  items.insert(items.begin(), {"stencil_mesh* mesh", "const char* array"});
  items.emplace_back("stencil_mesh_grid** grid");
  return items;
}

std::string run_on_name(const kernel::Module& module) { return module.name + "_run_on"; }
void declare_mesh(Writer& out, const kernel::Module& module, Dialect dialect) {
  MeshCall(out, module, dialect).declare();
}
void write_launch_on(Writer& out, const kernel::Module& module, Dialect dialect) {
  MeshCall(out, module, dialect).launch_on();
}
void write_run_on(Writer& out, const kernel::Module& module, Dialect dialect) {
  MeshCall(out, module, dialect).grid();
  out.blank();
  MeshCall(out, module, dialect).run();
}

}  // namespace stencilc::emit
