#include "emit/host_call.h"

namespace stencilc::emit {
namespace {

// Each level of each field gets values of its own.
void define_fill(Writer& out, const kernel::Module& module) {
  out.line("const auto fill = [&] {");
  out.indent();
  out.line("stencil::Status filled;");
  int n = 0;
  for (const Slot& slot : slots(module))
    out.line("if (filled.ok()) filled = stencil::bench::fill(grid_" + slot.name +
             ", bench->seed + " + std::to_string(n++) + ");");
  out.line("return filled;");
  out.outdent();
  out.line("};");
}

void define_run(Writer& out, const kernel::Module& module) {
  // One pass has no steps.
  out.line(module.steps ? "const auto run = [&](int64_t steps) {"
                        : "const auto run = [&](int64_t) {");
  out.indent();
  out.line("return " + run_text(module, "steps") + ";");
  out.outdent();
  out.line("};");
}

// What a first run makes of all levels of all fields.
void define_check(Writer& out, const kernel::Module& module) {
  out.line("const auto check = [&] {");
  out.indent();
  out.line("stencil::Status checked = run(bench->checked_steps);");
  for (const Slot& slot : slots(module))
    out.line("if (checked.ok()) checked = stencil::bench::add_checksum(grid_" + slot.name +
             ", *bench->checksum);");
  out.line("return checked;");
  out.outdent();
  out.line("};");
}

}  // namespace

void write_copy_call(Writer& out) {
  out.line("extern \"C\" int stencilc_copy_call(");
  out.line("    stencil_host_call* call, const stencil_bench* bench, int64_t* bytes) {");
  out.line("  return stencil::bench::returned(stencil::bench::time_copies(*bench, bytes), call);");
  out.line("}");
}

std::string bench_call(const kernel::Module& module, const Options& options) {
  if (module.window.given()) return pieces_bench_call(module, options);
  Writer out;
  // First, because a param may be called like a macro of the other headers.
  out.raw("#include \"" + module.header + "\"");
  out.blank();
  out.raw(options.dialect == Dialect::cuda ? "#include <stencil/bench_cuda.h>"
                                           : "#include <stencil/bench_cpu.h>");
  out.blank();
  out.line("extern \"C\" int stencilc_bench_call(");
  out.line("    stencil_host_call* call, const stencil_bench* bench) {");
  out.indent();
  declare_grids(out, module);
  out.line("stencil::Status status;");
  declare_points(out, module);
  copy_points(out, module);
  set_args(out, module);
  define_fill(out, module);
  define_run(out, module);
  define_check(out, module);
  out.line("if (status.ok()) status = fill();");
  out.line("if (status.ok() && bench->checked_steps > 0) status = check();");
  out.line("if (status.ok()) status = stencil::bench::time_rounds(*bench, fill, run);");
  out.line("return stencil::bench::returned(status, call);");
  out.outdent();
  out.line("}");
  out.blank();
  write_copy_call(out);
  return out.take();
}

}  // namespace stencilc::emit
