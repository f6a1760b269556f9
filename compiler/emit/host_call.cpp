#include "emit/host_call.h"

#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/writer.h"

namespace stencilc::emit {

std::vector<Slot> slots(const kernel::Module& module) {
  std::vector<Slot> result;
  for (const kernel::Grid& grid : module.grids) {
    std::vector<std::string> extents;
    for (const int axis : grid.axes)
      extents.push_back("call->extents[" + std::to_string(axis) + "]");
    const auto argument = [](const std::vector<int>& halo) {
      return halo.empty() ? "" : ", " + halo_text(halo);
    };
    const bool whole = has_all_axes(module, grid);
    for (const std::string& level : grid.level_names)
      result.push_back(
          {level, "<" + spell(grid.element) + ", " + std::to_string(grid.axes.size()) + ">",
           spell(grid.element), join(extents, ", "), argument(whole ? module.halo : grid.halo),
           argument(grid.halo), grid.role != kernel::Grid::input});
  }
  return result;
}

void declare_grids(Writer& out, const kernel::Module& module) {
  for (const Slot& slot : slots(module))
    out.line("stencil::Grid" + slot.type + " grid_" + slot.name + "({" + slot.extents + "}" +
             slot.halo + ");");
}

namespace {

std::string value_of(const std::string& list, size_t n, const std::string& type) {
  return "*static_cast<const " + type + "*>(call->" + list + "[" + std::to_string(n) + "])";
}

std::string array_of(const kernel::Module& module, size_t series) {
  return "series_" + module.series[series].name;
}
std::string place_type(const kernel::Points& points) {
  return points.linear ? "double" : "int32_t";
}

}  // namespace

// The members of Args after the grids and params, which have defaults, are set one by one.
void set_args(Writer& out, const kernel::Module& module) {
  std::vector<std::string> items;
  for (const Slot& slot : slots(module)) items.push_back("grid_" + slot.name);
  for (size_t p = 0; p < module.params.size(); ++p)
    items.push_back(value_of("params", p, spell(module.params[p].type)));
  const bool more = !module.weights.empty() || !module.reductions.empty() || !module.points.empty();
  out.list(std::string(more ? "" : "const ") + module.name + "::Args args{", items, "};");
  for (size_t w = 0; w < module.weights.size(); ++w) {
    const kernel::Weights& weights = module.weights[w];
    out.line("for (int i = 0; i < " + std::to_string(weights.count) + "; ++i)");
    out.line("  args." + weights.name + "[i] = static_cast<const " + spell(weights.type) +
             "*>(call->weights[" + std::to_string(w) + "])[i];");
  }
  for (size_t r = 0; r < module.reductions.size(); ++r) {
    const kernel::Reduction& reduction = module.reductions[r];
    out.line("if (call->reductions != nullptr)");
    out.line("  args." + reduction.name + " = static_cast<" + spell(reduction.type) +
             "*>(call->reductions[" + std::to_string(r) + "]);");
  }
  for (const kernel::Points& points : module.points)
    out.line("args." + points.name + " = {points_" + points.name + ".data(), count_" + points.name +
             "};");
  for (const kernel::Series& series : module.series)
    out.line("args." + series.name + " = {series_" + series.name + ".data(), call->series_steps};");
  if (module.iterate.until) out.line("args.steps_taken = &call->steps_taken;");
}

void declare_points(Writer& out, const kernel::Module& module) {
  for (size_t p = 0; p < module.points.size(); ++p) {
    const kernel::Points& points = module.points[p];
    out.line("const int64_t count_" + points.name + " = call->point_counts[" + std::to_string(p) +
             "];");
    out.line("stencil::Array<" + place_type(points) + "> points_" + points.name + "(" +
             std::to_string(module.extents.size()) + " * count_" + points.name + ");");
  }
  for (const kernel::Series& series : module.series) {
    out.line("const int64_t size_" + series.name + " = call->series_steps * count_" +
             module.points[series.points].name + ";");
    out.line("stencil::Array<" + spell(series.type) + "> series_" + series.name + "(size_" +
             series.name + ");");
  }
}

void copy_points(Writer& out, const kernel::Module& module) {
  for (size_t p = 0; p < module.points.size(); ++p) {
    const kernel::Points& points = module.points[p];
    out.line("if (status.ok()) status = points_" + points.name + ".copy_from(static_cast<const " +
             place_type(points) + "*>(call->points[" + std::to_string(p) + "]), " +
             std::to_string(module.extents.size()) + " * count_" + points.name + ");");
  }
  for (size_t s = 0; s < module.series.size(); ++s)
    out.line("if (status.ok()) status = " + array_of(module, s) + ".copy_from(static_cast<const " +
             spell(module.series[s].type) + "*>(call->series[" + std::to_string(s) + "]), size_" +
             module.series[s].name + ");");
}

std::string run_text(const kernel::Module& module, const std::string& steps,
                     const std::string& first) {
  return module.name + "::run(args" +
         (module.time    ? ", stencil::Steps{" + steps + ", " + first + "}"
          : module.steps ? ", stencil::Steps{" + steps + "}"
                         : "") +
         ")";
}

namespace {

// A lambda of the function as a function pointer with its context.
void let(Writer& out, const std::string& name, const std::string& context) {
  out.line("call->" + name + " = [](void* " + context + ") {");
  out.line("  return static_cast<int32_t>((*static_cast<decltype(" + name + ")*>(" + context +
           "))());");
  out.line("};");
  out.line("call->" + context + " = const_cast<void*>(static_cast<const void*>(&" + name + "));");
}

}  // namespace

void let_fetch(Writer& out) { let(out, "fetch", "fetching"); }

void begin_parts(Writer& out) {
  out.line("int64_t done = 0;");
  out.line("int64_t part = call->next == nullptr ? call->steps : call->next(call, 0);");
}

void end_part(Writer& out, const kernel::Module& module, const std::string& failed) {
  out.line("if (call->next == nullptr || " + failed + ") break;");
  out.line("done += part;");
  if (module.iterate.until) {
    std::vector<std::string> items;
    for (size_t p = 0; p < module.params.size(); ++p)
      items.push_back(value_of("params", p, spell(module.params[p].type)));
    for (size_t r = 0; r < module.reductions.size(); ++r)
      items.push_back(value_of("reductions", r, spell(module.reductions[r].type)));
    out.list("call->content = " + until_name(module) + "(", items, ");");
  }
  out.line("part = call->next(call, done);");
  out.line("if (part == 0) break;");
}

namespace {

void timed_run(Writer& out, const kernel::Module& module, bool cuda) {
  set_args(out, module);
  const std::string run = "status = " + run_text(module, "part", "call->first + done") + ";";
  if (cuda) {
    out.line("cudaEvent_t begin = nullptr, end = nullptr;");
    out.line("(void)cudaEventCreate(&begin);");
    out.line("(void)cudaEventCreate(&end);");
    out.line("(void)cudaEventRecord(begin);");
    out.line(run);
    out.line("(void)cudaEventRecord(end);");
    out.line("late.launched();");
    out.line("if (status.ok()) status = stencil::synchronize(nullptr);");
    out.line("float milliseconds = 0;");
    out.line("(void)cudaEventElapsedTime(&milliseconds, begin, end);");
    out.line("(void)cudaEventDestroy(begin);");
    out.line("(void)cudaEventDestroy(end);");
    out.line("call->seconds[repeat] += milliseconds * 1e-3;");
    return;
  }
  out.line("timespec begin{}, end{};");
  out.line("clock_gettime(CLOCK_MONOTONIC, &begin);");
  out.line(run);
  out.line("clock_gettime(CLOCK_MONOTONIC, &end);");
  out.line("call->seconds[repeat] += static_cast<double>(end.tv_sec - begin.tv_sec) +");
  out.line("                         static_cast<double>(end.tv_nsec - begin.tv_nsec) * 1e-9;");
}

}  // namespace

std::string host_call(const kernel::Module& module, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  Writer out;
  // First, because a param may be called like a macro of the other headers.
  out.raw("#include \"" + module.header + "\"");
  out.blank();
  if (cuda) out.raw("#include <stencil/cuda_snapshot.h>");
  out.raw("#include <stencil/host_call.h>");
  out.raw("#include <stdio.h>");
  if (!cuda) out.raw("#include <time.h>");
  out.blank();
  if (module.iterate.until) {
    // A name of this file alone.
    out.list("static int " + until_name(module) + "(", until_parameters(module), ");");
    write_until(out, module);
    out.blank();
  }
  out.line("extern \"C\" int stencilc_host_call(stencil_host_call* call) {");
  out.indent();
  const std::vector<Slot> all = slots(module);
  declare_grids(out, module);
  out.line("stencil::Status status;");
  declare_points(out, module);
  if (cuda) out.line("stencil::LateCopies<" + std::to_string(all.size()) + "> late;");
  out.line("const auto fetch = [&] {");
  out.indent();
  const auto fetched = [&](const std::string& from, const std::string& type, const std::string& to,
                           const std::string& more) {
    out.line("if (status.ok() && " + to + " != nullptr)");
    out.line("  status = " + from + "static_cast<" + type + "*>(" + to + ")" + more + ");");
  };
  for (size_t s = 0; s < all.size(); ++s) {
    if (!all[s].written) continue;
    const std::string grid = "grid_" + all[s].name, slot = std::to_string(s);
    fetched(grid + ".copy_to(", all[s].element, "call->buffers[" + slot + "]", all[s].copied);
  }
  for (size_t s = 0; s < module.series.size(); ++s)
    if (module.series[s].output)
      fetched(array_of(module, s) + ".copy_to(", spell(module.series[s].type),
              "call->series[" + std::to_string(s) + "]", ", size_" + module.series[s].name);
  out.line("return static_cast<int32_t>(status.code());");
  out.outdent();
  out.line("};");
  let_fetch(out);
  if (cuda) {
    out.line("const auto depart = [&] {");
    out.indent();
    out.line("bool departs = status.ok() && late.begin();");
    for (size_t s = 0; s < all.size(); ++s) {
      if (!all[s].written) continue;
      const std::string slot = std::to_string(s);
      out.line("if (departs && call->buffers[" + slot + "] != nullptr)");
      out.line("  departs = late.add(" + slot + ", grid_" + all[s].name + all[s].copied + ");");
    }
    out.line("return departs && late.depart();");
    out.outdent();
    out.line("};");
    let(out, "depart", "departing");
    out.line("call->arrive = [](void* arriving, void* const* buffers) {");
    out.line(
        "  return "
        "static_cast<int32_t>(static_cast<decltype(late)*>(arriving)->arrive(buffers).code());");
    out.line("};");
    out.line("call->arriving = &late;");
  }
  out.line("call->steps_taken = call->steps;");
  out.line("for (int32_t repeat = 0; repeat < call->repeats && status.ok(); ++repeat) {");
  out.indent();
  for (size_t s = 0; s < all.size(); ++s)
    out.line("if (status.ok()) status = grid_" + all[s].name + ".copy_from(static_cast<const " +
             all[s].element + "*>(call->buffers[" + std::to_string(s) + "])" + all[s].copied +
             ");");
  copy_points(out, module);
  out.line("call->seconds[repeat] = 0;");
  begin_parts(out);
  out.line("while (status.ok()) {");
  out.indent();
  timed_run(out, module, cuda);
  end_part(out, module, "!status.ok()");
  out.outdent();
  out.line("}");
  out.line("if (call->next != nullptr) call->steps_taken = done;");
  out.outdent();
  out.line("}");
  out.line("if (status.ok()) (void)fetch();");
  out.line("snprintf(call->message, sizeof call->message, \"%s\", status.message());");
  out.line("return static_cast<int>(status.code());");
  out.outdent();
  out.line("}");
  return out.take();
}

}  // namespace stencilc::emit
