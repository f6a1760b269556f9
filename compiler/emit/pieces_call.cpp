// The adapters of host_call.h and bench_call.h around a program for pieces of a grid: runs on a
// mesh.
#include "emit/host_call.h"
#include "emit/signature.h"
#include "emit/spell.h"

namespace stencilc::emit {
namespace {

class PiecesCall {
 public:
  PiecesCall(Writer& out, const kernel::Module& module, bool cuda)
      : out_(out), module_(module), cuda_(cuda) {}

  // stencilc_host_call.
  void write_host_call() {
    out_.line("extern \"C\" int stencilc_host_call(stencil_host_call* call) {");
    out_.indent();
    out_.line("stencil_mesh* mesh = nullptr;");
    out_.line("int code = STENCIL_OK;");
    mesh();
    grids();
    out_.line("const bool whole = call->communicator == nullptr || call->pieces > 0;");
    out_.line("const auto fetch = [&] {");
    out_.indent();
    for (const Level& level : levels_)
      if (level.written) {
        out_.line("if (code == STENCIL_OK && " + level.array + " != nullptr)");
        out_.line("  code = stencil::copy_to_array(" + level.items + ");");
      }
    out_.line("return code;");
    out_.outdent();
    out_.line("};");
    let_fetch(out_);
    out_.line("for (int32_t repeat = 0; repeat < call->repeats && code == STENCIL_OK; ++repeat) {");
    out_.indent();
    for (const Level& level : levels_) if_ok("stencil::copy_from_array(" + level.items + ")");
    out_.line("call->seconds[repeat] = 0;");
    begin_parts(out_);
    out_.line("while (code == STENCIL_OK) {");
    out_.indent();
    out_.line("timespec begin{}, end{};");
    out_.line("clock_gettime(CLOCK_MONOTONIC, &begin);");
    run("call->first + done", "part");
    if_ok("stencil_mesh_synchronize(mesh)");
    out_.line("clock_gettime(CLOCK_MONOTONIC, &end);");
    out_.line("call->seconds[repeat] += static_cast<double>(end.tv_sec - begin.tv_sec) +");
    out_.line("                         static_cast<double>(end.tv_nsec - begin.tv_nsec) * 1e-9;");
    end_part(out_, module_, "code != STENCIL_OK");
    out_.outdent();
    out_.line("}");
    out_.line("if (call->next != nullptr) call->steps_taken = done;");
    out_.outdent();
    out_.line("}");
    if_ok("fetch()");
    out_.line("snprintf(call->message, sizeof call->message, \"%s\",");
    out_.line("         code == STENCIL_OK ? \"\" : stencil_last_error());");
    close();
    out_.line("return code;");
    out_.outdent();
    out_.line("}");
  }

  // stencilc_bench_call.
  void write_bench_call() {
    out_.line("extern \"C\" int stencilc_bench_call(");
    out_.line("    stencil_host_call* call, const stencil_bench* bench) {");
    out_.indent();
    out_.line("stencil_mesh* mesh = nullptr;");
    out_.line("int code = STENCIL_OK;");
    mesh();
    grids();
    out_.line("const auto fill = [&] {");
    out_.indent();
    out_.line("stencil::Status filled;");
    for (size_t n = 0; n < levels_.size(); ++n) {
      const Level& level = levels_[n];
      out_.line("if (filled.ok())");
      out_.line("  filled = stencil::bench::fill_pieces<" + level.type + ", stencil::Mesh>(" +
                level.handle + ", " + level.number + ", bench->seed + " + std::to_string(n) + ");");
    }
    out_.line("return filled;");
    out_.outdent();
    out_.line("};");
    out_.line("const auto run_on = [&](int64_t steps) {");
    out_.indent();
    out_.line("call->steps = steps;");
    run();
    if_ok("stencil_mesh_synchronize(mesh)");
    out_.line("return stencil::status_of(code);");
    out_.outdent();
    out_.line("};");
    out_.line("const auto check = [&] {");
    out_.indent();
    out_.line("stencil::Status checked = run_on(bench->checked_steps);");
    for (const Level& level : levels_) {
      out_.line("if (checked.ok())");
      out_.line("  checked = stencil::bench::add_checksum_of_pieces<" + level.type +
                ", stencil::Mesh>(" + level.handle + ", " + level.number + ", *bench->checksum);");
    }
    out_.line("return checked;");
    out_.outdent();
    out_.line("};");
    out_.line("stencil::Status status = stencil::status_of(code);");
    out_.line("if (status.ok()) status = fill();");
    out_.line("if (status.ok() && bench->checked_steps > 0) status = check();");
    out_.line("if (status.ok()) status = stencil::bench::time_rounds(*bench, fill, run_on);");
    close();
    out_.line("return stencil::bench::returned(status, call);");
    out_.outdent();
    out_.line("}");
  }

 private:
  struct Level {
    std::string handle, number, type;
    std::string items;  // the arguments of a copy
    std::string array;  // of the host
    bool written;
  };

  void close() {
    out_.line("for (stencil_mesh_grid* grid : grids) (void)stencil_mesh_grid_close(grid);");
    out_.line("(void)stencil_mesh_close(mesh);");
  }

  static std::string given(const std::string& list, size_t n, const std::string& type) {
    return "static_cast<" + type + "*>(call->" + list + "[" + std::to_string(n) + "])";
  }
  static std::string extent(int axis) { return "call->extents[" + std::to_string(axis) + "]"; }
  void if_ok(const std::string& call) { out_.line("if (code == STENCIL_OK) code = " + call + ";"); }

  // All meshes of `run`, `verify` and `bench` are made here: of several processes, on the devices
  // that the call lists, or for tests in pieces.
  void mesh() {
    out_.line("auto* const processes = static_cast<stencil_communicator*>(call->communicator);");
    out_.line("if (processes != nullptr && call->pieces == 0) {");
    out_.line(
        cuda_ ? "  code = stencil_cuda_mesh_across(processes, call->devices, call->device_count, "
                "&mesh);"
              : "  code = stencil_cpu_mesh_across(processes, &mesh);");
    out_.line("} else if (call->device_count > 0) {");
    out_.line(cuda_ ? "  code = stencil_cuda_mesh_of(call->devices, call->device_count, &mesh);"
                    : "  code = stencil_cpu_mesh_in_pieces(call->device_count, &mesh);");
    out_.line("} else {");
    out_.indent();
    out_.line("code = stencil::open_mesh(&mesh, [&] {");
    out_.indent();
    out_.line("stencil::Mesh made = processes == nullptr");
    out_.line("    ? stencil::Mesh::in_pieces(call->pieces)");
    out_.line("    : stencil::Mesh::in_pieces(");
    out_.line("          *static_cast<stencil::Communicator*>(processes), call->pieces_here);");
    out_.line("made.cut_at(call->cuts).legs_of(call->leg_steps).forgetful(call->forgets != 0);");
    // All forms are tried: by some extents one, by others another.
    if (cuda_) {
      out_.line("const bool apart = call->extents[0] % 2 != 0;  // by launches of their own");
      out_.line("made.in_form(apart ? stencil::MeshForm::borders : stencil::MeshForm::automatic);");
      out_.line("made.fed_by(stencil::MeshFeed::graph);");
    }
    out_.line("return made;");
    out_.outdent();
    out_.line("});");
    out_.outdent();
    out_.line("}");
  }

  void grids() {
    std::vector<std::string> extents;
    for (size_t a = 0; a < module_.extents.size(); ++a)
      extents.push_back(extent(static_cast<int>(a)));
    out_.line("stencil_mesh_grid* grids[" + std::to_string(module_.grids.size()) + "] = {};");
    size_t slot = 0;
    for (size_t g = 0; g < module_.grids.size(); ++g) {
      const kernel::Grid& grid = module_.grids[g];
      const std::string handle = "grids[" + std::to_string(g) + "]";
      if_ok(mesh_grid_name(module_) + "(mesh, \"" + grid.name + "\", " + join(extents, ", ") +
            ", &" + handle + ")");
      // The array of the host has the halo that the program reads of it.
      std::vector<int> around(3, 0);
      for (size_t k = 0; k < grid.axes.size() && !grid.halo.empty(); ++k)
        around[static_cast<size_t>(grid.axes[k])] = grid.halo[k];
      std::string halo = "nullptr";
      if (!grid.halo.empty()) {
        halo = "halo_" + grid.name;
        out_.line("const int64_t " + halo + "[3] = " + halo_text(around) + ";");
      }
      for (size_t b = 0; b < grid.level_names.size(); ++b, ++slot)
        levels_.push_back({handle, std::to_string(b), spell(grid.element),
                           handle + ", call->buffers[" + std::to_string(slot) + "], whole, " +
                               std::to_string(b) + ", " + halo,
                           "call->buffers[" + std::to_string(slot) + "]",
                           grid.role != kernel::Grid::input});
    }
    out_.line("if (code == STENCIL_OK)");
    out_.line("  call->leg_steps =");
    out_.line("      static_cast<stencil::BasicMeshGrid<stencil::Mesh>*>(grids[0])->plan().steps;");
  }

  void run(const std::string& first = "call->first", const std::string& steps = "call->steps") {
    std::vector<std::string> items = {"mesh"};
    for (size_t g = 0; g < module_.grids.size(); ++g)
      items.push_back("grids[" + std::to_string(g) + "]");
    for (size_t p = 0; p < module_.params.size(); ++p)
      items.push_back("*" + given("params", p, "const " + spell(module_.params[p].type)));
    for (size_t w = 0; w < module_.weights.size(); ++w)
      items.push_back(given("weights", w, "const " + spell(module_.weights[w].type)));
    for (size_t p = 0; p < module_.points.size(); ++p) {
      items.push_back(
          given("points", p, module_.points[p].linear ? "const double" : "const int32_t"));
      items.push_back("call->point_counts[" + std::to_string(p) + "]");
    }
    for (size_t s = 0; s < module_.series.size(); ++s) {
      items.push_back(given("series", s, spell(module_.series[s].type)));
      items.push_back("call->series_steps");
    }
    for (size_t r = 0; r < module_.reductions.size(); ++r)
      items.push_back("call->reductions == nullptr ? nullptr : " +
                      given("reductions", r, spell(module_.reductions[r].type)));
    if (module_.time) items.push_back(first);
    if (module_.steps) items.push_back(steps);
    if (module_.iterate.until) items.push_back("&call->steps_taken");
    out_.line("if (code == STENCIL_OK)");
    out_.indent();
    out_.list("code = " + run_on_name(module_) + "(", items, ");");
    out_.outdent();
    if (!module_.iterate.until)
      out_.line(std::string("call->steps_taken = ") + (module_.steps ? "call->steps" : "0") + ";");
  }

  Writer& out_;
  const kernel::Module& module_;
  const bool cuda_;
  std::vector<Level> levels_;
};

}  // namespace

std::string pieces_call(const kernel::Module& module, const Options& options) {
  Writer out;
  out.raw("#include \"" + module.header + "\"");
  out.blank();
  out.raw("#include <stencil/host_call.h>");
  out.raw("#include <stdio.h>");
  out.raw("#include <time.h>");
  out.blank();
  PiecesCall(out, module, options.dialect == Dialect::cuda).write_host_call();
  return out.take();
}

std::string pieces_bench_call(const kernel::Module& module, const Options& options) {
  const bool cuda = options.dialect == Dialect::cuda;
  Writer out;
  out.raw("#include \"" + module.header + "\"");
  out.blank();
  out.raw(cuda ? "#include <stencil/bench_cuda.h>" : "#include <stencil/bench_cpu.h>");
  out.raw("#include <stencil/bench_mesh.h>");
  out.blank();
  PiecesCall(out, module, cuda).write_bench_call();
  out.blank();
  write_copy_call(out);
  return out.take();
}

}  // namespace stencilc::emit
