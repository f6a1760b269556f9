// The adapter of host_call.h around a program for pieces of a grid: a run on a mesh of as many
// pieces as the call says, in one process.
#include "emit/host_call.h"
#include "emit/signature.h"
#include "emit/spell.h"

namespace stencilc::emit {
namespace {

class PiecesCall {
 public:
  PiecesCall(Writer& out, const kernel::Module& module, bool cuda)
      : out_(out), module_(module), cuda_(cuda) {}

  void write() {
    out_.line("extern \"C\" int stencilc_host_call(stencil_host_call* call) {");
    out_.indent();
    out_.line("auto* const processes = static_cast<stencil::Communicator*>(call->communicator);");
    out_.line("stencil::Mesh mesh = processes == nullptr");
    out_.line("    ? stencil::Mesh::in_pieces(call->pieces)");
    out_.line("    : stencil::Mesh::in_pieces(*processes, call->pieces_here);");
    out_.line("mesh.cut_at(call->cuts).legs_of(call->leg_steps).forgetful(call->forgets != 0);");
    // All forms are tried: by some extents one, by others another.
    if (cuda_) {
      out_.line("const bool apart = call->extents[0] % 2 != 0;  // by launches of their own");
      out_.line("mesh.in_form(apart ? stencil::MeshForm::borders : stencil::MeshForm::automatic);");
      out_.line("mesh.fed_by(stencil::MeshFeed::graph);");
    }
    out_.line("stencil::Status status = mesh.status();");
    grids();
    run();
    for (const Level& level : levels_)
      if (level.written)
        out_.line("if (status.ok()) status = " + level.grid + ".copy_to(" + level.items + ");");
    out_.line("snprintf(call->message, sizeof call->message, \"%s\", status.message());");
    out_.line("return static_cast<int>(status.code());");
    out_.outdent();
    out_.line("}");
  }

 private:
  struct Level {
    std::string grid, items;
    bool written;
  };

  static std::string given(const std::string& list, size_t n, const std::string& type) {
    return "static_cast<" + type + "*>(call->" + list + "[" + std::to_string(n) + "])";
  }

  void grids() {
    std::vector<std::string> extents;
    for (size_t a = 0; a < module_.extents.size(); ++a)
      extents.push_back("call->extents[" + std::to_string(a) + "]");
    size_t slot = 0;
    for (const kernel::Grid& grid : module_.grids) {
      const std::string type = spell(grid.element), name = "grid_" + grid.name;
      out_.line("stencil::MeshGrid<" + type + "> " + name + "(mesh, " + module_.name +
                "::fields::" + grid.name + ", {" + join(extents, ", ") + "});");
      out_.line("if (status.ok()) status = " + name + ".status();");
      // The array of the host has the halo that the program reads of it.
      std::string halo;
      if (!grid.halo.empty()) {
        std::vector<int> cells(3, 0);
        for (size_t k = 0; k < grid.axes.size(); ++k)
          cells[static_cast<size_t>(grid.axes[k])] = grid.halo[k];
        halo = ", " + halo_text(cells);
      }
      for (size_t b = 0; b < grid.level_names.size(); ++b, ++slot)
        levels_.push_back({name,
                           name + ".part_of(" + given("buffers", slot, type) + halo + "), " +
                               std::to_string(b) + halo,
                           grid.role != kernel::Grid::input});
    }
    for (const Level& level : levels_)
      out_.line("if (status.ok()) status = " + level.grid + ".copy_from(" + level.items + ");");
    out_.line("call->leg_steps = grid_" + module_.grids[0].name + ".plan().steps;");
  }

  void run() {
    std::vector<std::string> items = {"mesh.handle()"};
    for (const kernel::Grid& grid : module_.grids)
      items.push_back("grid_" + grid.name + ".handle()");
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
    if (module_.time) items.push_back("call->first");
    if (module_.steps) items.push_back("call->steps");
    if (module_.iterate.until) items.push_back("&call->steps_taken");
    out_.line("if (status.ok())");
    out_.indent();
    out_.list("status = stencil::status_of(" + run_on_name(module_) + "(", items, "));");
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
  out.blank();
  PiecesCall(out, module, options.dialect == Dialect::cuda).write();
  return out.take();
}

}  // namespace stencilc::emit
