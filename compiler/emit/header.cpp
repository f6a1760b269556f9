#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "diag/fnv.h"
#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/writer.h"

namespace stencilc::emit {
namespace {

// A line with a remark, or the remark on a line of its own where both are too long.
void remarked(Writer& out, const std::string& code, const std::string& remark) {
  out.comment(remark);
  out.line(code);
}

void grid_args(Writer& out, const kernel::Module& module, const kernel::Grid& grid) {
  const std::string type =
      "stencil::Grid<" + spell(grid.element) + ", " + std::to_string(grid.axes.size()) + ">& ";
  std::string along;
  for (const int axis : grid.axes)
    along += (along.empty() ? " On the axes " : ", ") + module.extents[axis];
  if (has_all_axes(module, grid)) along.clear();
  if (!grid.halo.empty())
    out.comment("The caller fills its halo" +
                (has_all_axes(module, grid) ? "" : " of " + halo_text(grid.halo)) + ".");
  if (grid.role == kernel::Grid::input)
    remarked(out, "const " + type + grid.name + ";",
             "Read only." + (along.empty() ? "" : along + "."));
  if (grid.role == kernel::Grid::output) remarked(out, type + grid.name + ";", "Written only.");
  if (grid.role == kernel::Grid::in_place)
    remarked(out, type + grid.name + ";", "Updated in place.");
  if (grid.role != kernel::Grid::stepped) return;
  for (size_t level = 0; level < grid.level_names.size(); ++level)
    remarked(out, type + grid.level_names[level] + ";",
             level == 0
                 ? "Level t; the newest level after the run."
                 : "Level t-" + std::to_string(level) + "; the one before it after the run.");
}

void args(Writer& out, const kernel::Module& module, Dialect dialect) {
  const std::string where = dialect == Dialect::cuda ? ", in device memory." : ".";
  out.line("struct Args {");
  out.indent();
  if (!module.halo.empty())
    out.comment("The grids on all axes have a halo of " + halo_text(module.halo) +
                " or more, the same in each.");
  for (const kernel::Grid& grid : module.grids) grid_args(out, module, grid);
  for (const kernel::ScalarParam& param : module.params)
    out.line(spell(param.type) + " " + param.name +
             (param.has_default ? " = " + literal(param.type, param.real, param.integer) : "") +
             ";");
  for (const kernel::Weights& weights : module.weights)
    remarked(
        out,
        spell(weights.type) + " " + weights.name + "[" + std::to_string(weights.count) + "] = {};",
        "Run-time weights, the last index fastest.");
  for (const kernel::Points& points : module.points)
    remarked(out, points_type(points) + " " + points.name + ";",
             (points.linear ? "Places between the cells" : "Cells") + where);
  for (const kernel::Series& series : module.series)
    remarked(out, series_type(series) + " " + series.name + ";",
             std::string(series.output ? "Filled: a" : "A") + " value for each step and each of " +
                 module.points[series.points].name + where);
  for (const kernel::Reduction& reduction : module.reductions)
    remarked(out, spell(reduction.type) + "* " + reduction.name + " = nullptr;",
             dialect == Dialect::cuda
                 ? "Receives the value of the last step, on the host. The call then waits for it."
                 : "Receives the value of the last step.");
  if (module.iterate.until)
    remarked(out, "int64_t* steps_taken = nullptr;", "Receives how many steps the run took.");
  if (has_workspace(module))
    remarked(out, "stencil::Workspace " + module.workspace + " = {};",
             "Memory for values, of workspace() bytes or more" + where +
                 " By default the run takes some for itself.");
  out.outdent();
  out.line("};");
}

std::string describe_run(const kernel::Module& module, Dialect dialect) {
  const std::string first = "Returns the first failure, with its remedy.";
  if (dialect == Dialect::cpu)
    return (!module.steps ? "Computes the outputs. "
            : module.iterate.until
                ? "Advances the fields by `steps` steps; by default until `iterate` is content. "
                : "Advances the fields by `steps` steps. ") +
           first;
  if (!module.steps) return "Computes the outputs on `stream`, asynchronously. " + first;
  if (module.iterate.until)
    return "Advances the fields by `steps` steps on `stream`, asynchronously; by default until "
           "`iterate` is content, waiting every " +
           std::to_string(module.iterate.every) + " steps to look. " + first;
  return "Advances the fields by `steps` steps on `stream`, asynchronously. " + first;
}

std::string describe_workspace(const kernel::Module& module) {
  std::string names;
  for (const kernel::Temporary& one : module.temporaries)
    names += (names.empty() ? "" : ", ") + one.name;
  return names.empty()
             ? "The bytes of memory for values that a run needs: 0, because this schedule "
               "keeps none."
             : "The bytes of memory for values that a run needs. This schedule keeps " + names +
                   ".";
}

// (nx + 2) * ny
std::string elements(const kernel::Module& module, const std::vector<int>& axes,
                     const std::vector<int>& halo) {
  std::vector<std::string> factors;
  for (size_t a = 0; a < axes.size(); ++a) {
    const std::string& extent = module.extents[axes[a]];
    const std::string more = halo[a] == 0 ? "" : extent + " + " + std::to_string(2 * halo[a]);
    factors.push_back(more.empty() ? extent : axes.size() == 1 ? more : "(" + more + ")");
  }
  return join(factors, " * ");
}

// How large arrays with a halo are, and who fills it.
void describe_halos(Writer& out, const kernel::Module& module) {
  std::string text;
  std::vector<std::string> filled;
  for (const kernel::Grid& grid : module.grids) {
    if (grid.halo.empty()) continue;
    filled.push_back(grid.name);
    if (!has_all_axes(module, grid))
      text += " " + grid.name + " holds " + elements(module, grid.axes, grid.halo) + ".";
  }
  if (filled.empty()) return;
  std::vector<int> axes(module.halo.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (!axes.empty())
    text = " Each array on all axes holds " + elements(module, axes, module.halo) + " elements." +
           text;
  out.comment("A halo lies around the cells, and pointers are to the first cell after it." + text +
              " The caller fills the halo of " + join(filled, ", ") +
              "; a run reads it and writes it only in scratch and older levels.");
}

void describe_c(Writer& out, const kernel::Module& module, Dialect dialect) {
  bool rotating = false;
  std::string levels;
  for (const kernel::Grid& grid : module.grids) {
    if (!rotates(grid)) continue;
    rotating = true;
    levels = grid.name + "[0] is level t";
    for (int level = 1; level < grid.levels; ++level)
      levels +=
          ", " + grid.name + "[" + std::to_string(level) + "] level t-" + std::to_string(level);
    for (int n = grid.levels; n < grid.buffers; ++n)
      levels += (n == grid.levels ? ", " : " and ") + grid.name + "[" + std::to_string(n) + "]";
    if (grid.buffers > grid.levels) levels += " scratch of the same size";
    break;
  }
  std::string text =
      dialect == Dialect::cuda
          ? "The same for C, Fortran and Python: pointers to device memory, extents in cells"
          : "The same for C, Fortran and Python: pointers to arrays, extents in cells";
  if (module.extents.size() > 1)
    text += ", the distance of rows" + std::string(module.extents.size() > 2 ? " and planes" : "") +
            " in elements";
  out.comment(text + ".");
  describe_halos(out, module);
  if (rotating)
    out.comment("The pointers of an array rotate: " + levels +
                "; after the run the first is the newest level.");
  out.comment(
      "Returns STENCIL_OK, which is 0, or another stencil_code; stencil_last_error() then says "
      "what "
      "is wrong and what helps.");
}

}  // namespace

std::vector<std::string> c_includes(const std::vector<kernel::Module>& modules) {
  std::vector<std::string> names = {"stencil/codes.h"};
  if (modules[0].window.given()) names.emplace_back("stencil/mesh_c.h");
  return names;
}

std::vector<std::string> includes(const std::vector<kernel::Module>& modules,
                                  const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  std::vector<std::string> names = {cuda ? "stencil/cuda.h" : "stencil/cpu.h"};
  if (std::any_of(modules.begin(), modules.end(), has_halves))
    names.emplace_back(cuda ? "stencil/cuda_half.h" : "stencil/half.h");
  if (modules[0].window.given())
    names.emplace_back(cuda ? "stencil/mesh_cuda.h" : "stencil/mesh_cpu.h");
  return names;
}

namespace {

// One stencil: its C++ entry for C++, and its C entry for everybody.
void declare(Writer& out, const kernel::Module& module, Dialect dialect) {
  out.line("namespace " + module.name + " {");
  out.blank();
  args(out, module, dialect);
  out.blank();
  if (has_workspace(module)) {
    out.comment(describe_workspace(module));
    out.line("[[nodiscard]] size_t workspace(const Args& args);");
    out.blank();
  }
  out.comment(describe_run(module, dialect));
  std::vector<std::string> parameters = run_parameters(module);
  if (module.iterate.given) parameters[1] += " = {stencil::kIterate}";
  parameters.back() += " = {}";
  out.list("[[nodiscard]] stencil::Status run(", parameters, ");");
  out.blank();
  out.line("}  // namespace " + module.name);
  out.blank();
}

// The call for a piece of the grid, and what its caller has to know.
void declare_leg(Writer& out, const kernel::Module& module, Dialect dialect) {
  const bool cuda = dialect == Dialect::cuda;
  constexpr const char* kPlanes[] = {"cells", "rows", "planes"};
  const kernel::Module::Window& window = module.window;
  const std::string planes = kPlanes[module.extents.size() - 1], &last = module.extents.back();
  std::string exchanged, once;
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.used || grid.axes.back() != static_cast<int>(module.extents.size()) - 1) continue;
    std::string& list = grid.changes ? exchanged : once;
    list += (list.empty() ? "" : ", ") + grid.name;
  }
  out.comment("A leg: some steps of a piece of the grid, which is cut along " + last +
              ". The call computes the " + planes + " from " + window.first + " to before " +
              window.end + ". In memory are " + module.planes + " " + planes + " from " +
              module.origin +
              " on, to the first of which pointers point. All extents, coordinates and points are "
              "those of the whole grid.");
  out.comment(
      "A leg of m steps reads of each array, in front of the " + planes +
      " that it computes, low + (m - 1) * step_low, and behind them high + (m - 1) * "
      "step_high. In memory are on either side as many as the most of these numbers, as "
      "far as the grid and its halo reach" +
      std::string(window.wraps ? "; around the periodic axis those of the other end follow" : "") +
      ".");
  if (!exchanged.empty())
    out.comment("After a leg the other " + planes +
                " have no value. Before the next one the caller "
                "copies them from the neighbours, all levels of " +
                exchanged + ".");
  if (!once.empty()) out.comment("No step changes " + once + ".");
  if (!module.halo.empty())
    out.comment("The ghost cells that the caller set for level t lie beside the " + planes +
                " in memory, and as " + planes + " beyond the ends of the grid.");
  out.line("enum {");
  out.indent();
  const auto number = [&](const std::string& name, int value, const std::string& remark) {
    if (!remark.empty()) out.comment(remark);
    out.line(module.name + "_" + name + " = " + std::to_string(value) + ",");
  };
  number("leg_steps", window.steps, "The steps of one launch: so many a leg are fast.");
  number("step_low", window.step.low, "");
  number("step_high", window.step.high, "");
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.used) continue;
    number("of_" + grid.name + "_low", grid.beside.low, "");
    number("of_" + grid.name + "_high", grid.beside.high, "");
  }
  number("wraps", window.wraps ? 1 : 0, "Is the axis periodic?");
  out.outdent();
  out.line("};");
  out.comment(window.taken + " is how many steps of the run the legs before took.");
  std::string text;
  for (size_t r = 0; r < module.reductions.size(); ++r)
    text += (r == 0 ? "" : ", ") + window.partials[r];
  if (!text.empty()) {
    std::string first;
    for (const kernel::Reduction& one : module.reductions)
      if (one.every_step) first += (first.empty() ? "" : ", ") + one.name;
    out.comment(text +
                " receive what the window adds to the reductions in the last step: " + module.name +
                "_parts() values for each of its " + planes + ". Those of all " + planes +
                ", in order, give a reduction. All may be null, where nobody asks for them.");
    if (!first.empty())
      out.comment("The updates read " + first +
                  ": a leg has one step. Before it, a call with 0 steps fills their parts alone; "
                  "then they are folded, and the leg is given the values" +
                  (cuda ? ", in device memory." : "."));
  }
  out.list("int " + leg_name(module) + "(", leg_parameters(module, dialect, true), ");");
  for (const kernel::Reduction& one : module.reductions)
    out.list("int " + fold_entry_name(module, one) + "(", fold_parameters(module, one, dialect),
             ");");
  if (!module.reductions.empty()) {
    out.list("int64_t " + module.name + "_parts(", extents_as_parameters(module), ");");
  }
  std::string names;
  for (const kernel::Grid& grid : module.grids)
    names += (names.empty() ? "\"" : ", \"") + grid.name + "\"";
  out.comment("Makes a grid of a mesh for an array of the program: " + names +
              ". stencil/mesh_c.h declares how it is filled, read and closed.");
  out.list("int " + mesh_grid_name(module) + "(", mesh_grid_parameters(module), ");");
  out.comment(
      "A run on the pieces of a mesh, asynchronous where the mesh is. Points, series and "
      "reductions are on the host.");
  out.list("int " + run_on_name(module) + "(", run_on_parameters(module), ");");
  if (module.iterate.until) {
    out.comment("Whether the values end a run, 1 or 0; to be asked every " +
                std::to_string(module.iterate.every) + " steps, of " +
                std::to_string(module.iterate.limit) + " at most.");
    out.list("int " + until_name(module) + "(", until_parameters(module), ");");
  }
}

void declare_halves(Writer& out) {
  out.raw("#ifndef STENCIL_HALF_IN_C");
  out.raw("#define STENCIL_HALF_IN_C");
  out.line("typedef uint16_t stencil_f16;   // IEEE binary16");
  out.line("typedef uint16_t stencil_bf16;  // the upper half of a float");
  out.raw("#endif");
}

}  // namespace

namespace {

// All but its first lines, which tell its name and where it is from.
std::string code_of_header(const std::vector<kernel::Module>& modules, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  Writer out;
  out.raw("#ifdef __cplusplus");
  if (options.runtime_text.empty()) {
    for (const std::string& name : includes(modules, options)) out.raw("#include <" + name + ">");
  } else {
    out.raw(options.runtime_text);
  }
  out.blank();
  for (const kernel::Module& module : modules)
    if (!module.window.given()) declare(out, module, options.dialect);
  out.line("extern \"C\" {");
  out.raw("#else");
  if (cuda) out.raw("#include <cuda_runtime.h>");
  out.raw("#include <stdbool.h>");
  out.raw("#include <stdint.h>");
  if (options.c_text.empty()) {
    for (const std::string& name : c_includes(modules)) out.raw("#include <" + name + ">");
  } else {
    out.raw(options.c_text);
  }
  if (std::any_of(modules.begin(), modules.end(), has_halves)) declare_halves(out);
  out.raw("#endif");
  if (options.runtime_text.empty()) {
    out.raw("#if STENCIL_RUNTIME != " + std::to_string(kRuntimeVersion));
    out.raw("#error the runtime headers are those of another stencilc: emit this file again");
    out.raw("#endif");
  }
  for (const kernel::Module& module : modules) {
    describe_c(out, module, options.dialect);
    if (module.window.given())
      declare_leg(out, module, options.dialect);
    else
      out.list("int " + c_name(module) + "(", c_parameters(module, options.dialect), ");");
    out.comment(
        "Does what a first run does beside its " +
        std::string(options.dialect == Dialect::cuda
                        ? "stream, on the current device. Then a run can be captured into a "
                          "graph."
                        : "arrays: tests how this file was compiled."));
    out.line("int " + prepare_name(module) + "(void);");
    if (has_workspace(module) && !module.window.given()) {
      out.comment(describe_workspace(module) + " " + module.workspace +
                  " is null, with 0 bytes, or memory of so many or more; SIZE_MAX: the extents are "
                  "no grid's.");
      out.list("size_t " + workspace_name(module) + "(", shape_names(module, "int64_t "), ");");
    }
  }
  out.raw("#ifdef __cplusplus");
  out.line("}");
  for (const kernel::Module& module : modules) {
    if (!module.window.given()) continue;
    out.blank();
    out.line("namespace " + module.name + " {");
    declare_mesh(out, module, options.dialect);
    out.line("}  // namespace " + module.name);
  }
  out.raw("#endif");
  return out.take();
}

}  // namespace

std::string header_mark(const std::vector<kernel::Module>& modules, const Options& options) {
  return fmt::format("STENCILC_HEADER_{:016x}", diag::fnv1a(code_of_header(modules, options)));
}

std::string header(const std::vector<kernel::Module>& modules, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  const kernel::Module& first = modules[0];
  Writer out;
  out.comment(harmless(first.header) + ": generated by stencilc " + options.version + " from " +
              harmless(first.source.substr(first.source.find_last_of('/') + 1)) +
              "; the code is in " + harmless(first.file) + (cuda ? ".cu." : ".cpp."));
  out.raw("#pragma once");
  out.raw("#define " + header_mark(modules, options) + "  // which the code asks for");
  out.blank();
  return out.take() + code_of_header(modules, options);
}

}  // namespace stencilc::emit
