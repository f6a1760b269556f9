#include "emit/body.h"
#include "emit/host.h"
#include "emit/spell.h"

namespace stencilc::emit {
namespace {

void write_table(Writer& out, const kernel::Table& table) {
  std::vector<std::string> numbers;
  for (const double value : table.values) numbers.push_back(literal(table.type, value, 0));
  out.list("constexpr stencil::Weights<" + spell(table.type) + ", " +
               std::to_string(numbers.size()) + "> " + table.name + " = {",
           numbers, "};");
  out.blank();
}

// One stencil: its namespace and its C entry.
void write_module(Writer& out, const kernel::Module& module, const Options& options,
                  const std::string& self) {
  out.line("namespace " + module.name + " {");
  out.line("namespace {");
  out.blank();
  for (const kernel::Table& table : module.tables)
    if (table.used) write_table(out, table);
  for (const kernel::Launch& launch : module.launches) {
    write_kernel(out, module, launch.kernel, options, self);
    out.blank();
  }
  write_advance(out, module, options.dialect);
  out.blank();
  if (module.window.given()) {
    write_window(out, module, options.dialect);
    out.blank();
  }
  out.line("}  // namespace");
  out.blank();
  if (module.window.given()) {
    write_launch_on(out, module, options.dialect);
    out.blank();
    out.line("}  // namespace " + module.name);
    out.blank();
    write_leg(out, module, options.dialect);
    out.blank();
    write_run_on(out, module, options.dialect);
  } else {
    write_run(out, module, options.dialect);
    out.blank();
    out.line("}  // namespace " + module.name);
    out.blank();
    write_workspace(out, module);
    write_c_entry(out, module, options.dialect);
  }
  out.blank();
  write_prepare(out, module, options.dialect);
}

}  // namespace

std::string source(const std::vector<kernel::Module>& modules, const Options& options) {
  Writer out;
  const std::string self = modules[0].file + (options.dialect == Dialect::cuda ? ".cu" : ".cpp");
  for (const kernel::Module& module : modules)
    for (const std::string& line : module.story) out.comment(line);
  out.blank();
  out.raw("#include \"" + modules[0].header + "\"");
  out.raw("#ifndef " + header_mark(modules, options));
  out.raw("#error the header and this file are from different runs of stencilc: generate both again");
  out.raw("#endif");
  for (const kernel::Module& module : modules) {
    out.blank();
    write_module(out, module, options, self);
  }
  return out.take();
}

}  // namespace stencilc::emit
