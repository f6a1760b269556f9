// The translation unit of a shared library that holds its manifest.
#include "emit/emit.h"
#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/writer.h"

namespace stencilc::emit {
namespace {

std::string pointer(const std::string& type, bool is_written) {
  return (is_written ? "" : "const ") + type + "*";
}

// The type that a reader of the manifest gives the argument: docs/cli.md, "The manifest".
std::string type_by_kind(const Argument& one, const kernel::Module& module) {
  switch (one.kind) {
    case Argument::field: {
      const kernel::Grid& grid = module.grids[one.of];
      const std::string type = spell(grid.element);
      return rotates(grid) ? type + "**" : pointer(type, grid.role != kernel::Grid::input);
    }
    case Argument::param:
      return spell(module.params[one.of].type);
    case Argument::weights:
      return pointer(spell(module.weights[one.of].type), false);
    case Argument::points:
      return pointer(module.points[one.of].linear ? "double" : "int32_t", false);
    case Argument::series:
      return pointer(spell(module.series[one.of].type), module.series[one.of].output);
    case Argument::reduction:
    case Argument::partial:
      return pointer(spell(module.reductions[one.of].type), true);
    case Argument::steps_taken:
      return "int64_t*";
    case Argument::workspace:
      return "void*";
    case Argument::workspace_bytes:
      return "size_t";
    case Argument::stream:
      return "cudaStream_t";
    default:
      return "int64_t";
  }
}

}  // namespace

std::string manifest_unit(const std::vector<kernel::Module>& modules, const std::string& manifest,
                          const Options& options) {
  Writer out;
  out.raw("#include \"" + modules[0].header + "\"");
  out.blank();
  const bool is_cpu = options.dialect == Dialect::cpu;
  out.raw(std::string("#include <stencil/") + (is_cpu ? "cpu" : "cuda") + "_callers.h>");
  out.raw("#include <type_traits>");
  out.blank();
  for (const kernel::Module& module : modules) {
    std::vector<std::string> types;
    for (const Argument& one : c_arguments(module, options.dialect))
      types.push_back(type_by_kind(one, module));
    out.list("static_assert(std::is_same_v<decltype(&" + c_name(module) + "), int (*)(", types,
             ")>);");
  }
  for (const kernel::Module& module : modules) {
    if (!module.iterate.until) continue;
    out.blank();
    out.list("extern \"C\" int " + until_name(module) + "(", until_parameters(module), ");");
    write_until(out, module);
  }
  for (const kernel::Module& module : modules) {
    const std::string head =
        "extern \"C\" int " + c_name(module) + "_packed(const stencil_packed* call)";
    out.blank();
    out.line(head + ";");
    out.line(head + " {");
    out.line("  return stencil::callers::run_packed(&" + c_name(module) + ", *call);");
    out.line("}");
  }
  out.blank();
  out.line("extern \"C\" const char* stencil_manifest(void);");
  out.line("extern \"C\" const char* stencil_manifest(void) {");
  out.indent();
  // Compilers limit the length of one literal, and join neighbours.
  out.line("return");
  for (size_t begin = 0; begin < manifest.size();) {
    const size_t end = manifest.find('\n', begin) + 1;
    out.line("    " + emit::quoted(manifest.substr(begin, end == 0 ? end : end - begin)));
    begin = end == 0 ? manifest.size() : end;
  }
  out.line(";");
  out.outdent();
  out.line("}");
  return out.take();
}

}  // namespace stencilc::emit
