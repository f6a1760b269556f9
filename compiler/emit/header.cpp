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

void args(Writer& out, const kernel::Module& module) {
  const std::string rank = std::to_string(module.extents.size());
  out.line("struct Args {");
  out.indent();
  for (const kernel::Grid& grid : module.grids) {
    const std::string type = "stencil::Grid<" + spell(grid.element) + ", " + rank + ">& ";
    if (grid.role == kernel::Grid::input)
      remarked(out, "const " + type + grid.name + ";", "Read only.");
    if (grid.role == kernel::Grid::output) remarked(out, type + grid.name + ";", "Written only.");
    if (grid.role != kernel::Grid::stepped) continue;
    for (size_t level = 0; level < grid.level_names.size(); ++level)
      remarked(out, type + grid.level_names[level] + ";",
               level == 0
                   ? "Level t; the newest level after the run."
                   : "Level t-" + std::to_string(level) + "; the one before it after the run.");
  }
  for (const kernel::ScalarParam& param : module.params)
    out.line(spell(param.type) + " " + param.name +
             (param.has_default ? " = " + literal(param.type, param.real, param.integer) : "") +
             ";");
  out.outdent();
  out.line("};");
}

void describe_c(Writer& out, const kernel::Module& module) {
  bool rotating = false;
  std::string levels;
  for (const kernel::Grid& grid : module.grids) {
    if (!rotates(grid)) continue;
    rotating = true;
    levels = grid.name + "[0] is level t";
    for (int level = 1; level < grid.levels; ++level)
      levels +=
          ", " + grid.name + "[" + std::to_string(level) + "] level t-" + std::to_string(level);
    if (grid.buffers > grid.levels)
      levels +=
          ", " + grid.name + "[" + std::to_string(grid.buffers - 1) + "] scratch of the same size";
    break;
  }
  std::string text =
      "The same for C, Fortran and Python: pointers to device memory, extents in cells";
  if (module.extents.size() > 1)
    text += ", the distance of rows" + std::string(module.extents.size() > 2 ? " and planes" : "") +
            " in elements";
  out.comment(text + ".");
  if (rotating)
    out.comment("The pointers of an array rotate: " + levels +
                "; after the run the first is the newest level.");
  out.comment(
      "Returns 0 or a stencil_code; stencil_last_error() then says what is wrong and what helps.");
}

}  // namespace

std::vector<std::string> includes(const kernel::Module& module, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  std::vector<std::string> names = {cuda ? "stencil/cuda.h" : "stencil/cpu.h"};
  if (has_halves(module)) names.emplace_back(cuda ? "stencil/cuda_half.h" : "stencil/half.h");
  return names;
}

std::string header(const kernel::Module& module, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda, halves = has_halves(module);
  Writer out;
  out.comment(harmless(module.header) + ": made by stencilc " + options.version + " from " +
              harmless(module.source.substr(module.source.find_last_of('/') + 1)) +
              "; the code is in " + harmless(module.file) + (cuda ? ".cu." : ".cpp."));
  out.raw("#pragma once");
  out.blank();
  out.raw("#ifdef __cplusplus");
  if (options.runtime_text.empty()) {
    for (const std::string& name : includes(module, options)) out.raw("#include <" + name + ">");
  } else {
    out.raw(options.runtime_text);
  }
  out.blank();
  out.line("namespace " + module.name + " {");
  out.blank();
  args(out, module);
  out.blank();
  out.comment(module.steps ? "Advances the fields by `steps` steps on `stream`, asynchronously. "
                             "Returns the first failure, with its remedy."
                           : "Computes the outputs on `stream`, asynchronously. Returns the first "
                             "failure, with its remedy.");
  std::vector<std::string> parameters = run_parameters(module);
  parameters.back() += " = {}";
  out.list("[[nodiscard]] stencil::Status run(", parameters, ");");
  out.blank();
  out.line("}  // namespace " + module.name);
  out.blank();
  out.line("extern \"C\" {");
  out.raw("#else");
  if (cuda) out.raw("#include <cuda_runtime.h>");
  out.raw("#include <stdbool.h>");
  out.raw("#include <stdint.h>");
  if (halves) {
    out.raw("#ifndef STENCIL_HALF_IN_C");
    out.raw("#define STENCIL_HALF_IN_C");
    out.line("typedef uint16_t stencil_f16;   // IEEE binary16");
    out.line("typedef uint16_t stencil_bf16;  // the upper half of a float");
    out.raw("#endif");
  }
  out.raw("#endif");
  describe_c(out, module);
  out.list("int " + c_name(module) + "(", c_parameters(module, options.dialect), ");");
  out.raw("#ifdef __cplusplus");
  out.line("}");
  out.raw("#endif");
  return out.take();
}

}  // namespace stencilc::emit
