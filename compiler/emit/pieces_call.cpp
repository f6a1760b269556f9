// The adapter of host_call.h around a program for pieces of a grid (runtime/include/stencil/
// pieces_call.h): legs of one piece after the other, and what is between them.
#include <algorithm>

#include "emit/host_call.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/step_launches.h"

namespace stencilc::emit {
namespace {

class PiecesCall {
 public:
  PiecesCall(Writer& out, const kernel::Module& module, Dialect dialect)
      : out_(out), module_(module), cuda_(dialect == Dialect::cuda) {}

  void write() {
    out_.line("extern \"C\" int stencilc_host_call(stencil_host_call* call) {");
    out_.indent();
    program();
    out_.line("stencil::Status status;");
    declare_points(out_, module_);
    copy_points(out_, module_);
    for (const kernel::Weights& weights : module_.weights) {
      const size_t n = &weights - module_.weights.data();
      out_.line("const " + spell(weights.type) + "* const weights_" + weights.name +
                " = static_cast<const " + spell(weights.type) + "*>(call->weights[" +
                std::to_string(n) + "]);");
    }
    reductions();
    out_.line("const int64_t most = pieces.steps_of_legs(call->leg_steps);");
    out_.line("if (status.ok() && most < 1)");
    out_.line(
        "  status = stencil::failure(stencil::Code::bad_extents, \"a piece is thinner than what "
        "its neighbours read of it\");");
    out_.line("call->leg_steps = most;");
    out_.line("if (status.ok()) status = pieces.make(most);");
    leg();
    if (module_.steps)
      run();
    else
      pass();
    finish();
    out_.outdent();
    out_.line("}");
  }

 private:
  static std::string value_of(const std::string& list, size_t n, const std::string& type) {
    return "*static_cast<const " + type + "*>(call->" + list + "[" + std::to_string(n) + "])";
  }
  int rank() const { return static_cast<int>(module_.extents.size()); }
  bool reduces() const { return !module_.reductions.empty(); }
  std::string extents() const {
    std::string text;
    for (int a = 0; a < rank(); ++a)
      text += (a == 0 ? "call->extents[" : ", call->extents[") + std::to_string(a) + "]";
    return text;
  }

  void program() {
    std::vector<std::string> arrays;
    for (const kernel::Grid& grid : module_.grids) {
      const bool whole = has_all_axes(module_, grid);
      int64_t around[3] = {}, halo[3] = {};
      std::string along[3] = {"false", "false", "false"};
      for (size_t k = 0; k < grid.axes.size(); ++k) {
        const int a = grid.axes[k];
        along[a] = "true";
        halo[a] = grid.halo.empty() ? 0 : grid.halo[k];
        around[a] = whole ? (module_.halo.empty() ? 0 : module_.halo[a]) : halo[a];
      }
      const auto list = [](const int64_t* values) {
        return "{" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + ", " +
               std::to_string(values[2]) + "}";
      };
      const std::string prefix = module_.name + "_of_" + grid.name;
      arrays.push_back(
          "{sizeof(" + spell(grid.element) + "), " + std::to_string(grid.level_names.size()) +
          ", " + std::to_string(grid.buffers) + ", {" + along[0] + ", " + along[1] + ", " +
          along[2] + "}, " + list(around) + ", " + list(halo) + ", " +
          (grid.changes ? "true" : "false") + ", " +
          (grid.role != kernel::Grid::input ? "true" : "false") + ", " +
          (grid.used ? prefix + "_low, " + prefix + "_high" : std::string("0, 0")) + "}");
    }
    out_.line("const stencil::PieceArray arrays[] = {");
    out_.indent();
    for (const std::string& one : arrays) out_.line(one + ",");
    out_.outdent();
    out_.line("};");
    out_.line("const stencil::PieceProgram program{\"" + module_.name + "\", arrays, " +
              module_.name + "_step_low, " + module_.name + "_step_high, " + module_.name +
              "_wraps != 0};");
    out_.line(std::string("stencil::Pieces<stencil::") + (cuda_ ? "DeviceMemory" : "HostMemory") +
              ", " + std::to_string(module_.grids.size()) + "> pieces(program, *call);");
  }

  // What all pieces add, and the values.
  void reductions() {
    if (!reduces()) return;
    out_.line("const int64_t plane_parts = " + module_.name + "_parts(" + extents() + ");");
    for (const kernel::Reduction& one : module_.reductions) {
      const std::string type = spell(one.type);
      out_.line("stencil::Array<" + type + "> parts_" + one.name + "(plane_parts * call->extents[" +
                std::to_string(rank() - 1) + "]), value_" + one.name + "(1);");
      out_.line(type + " now_" + one.name + " = " + fold_name(one.fold) + "::identity<" + type +
                ">();");
      out_.line("if (status.ok()) status = value_" + one.name + ".copy_from(&now_" + one.name +
                ", 1);");
    }
  }

  void leg() {
    std::vector<std::string> items;
    for (size_t g = 0; g < module_.grids.size(); ++g) {
      const kernel::Grid& grid = module_.grids[g];
      const std::string type = spell(grid.element),
                        levels = "pieces.levels(p, " + std::to_string(g) + ")";
      items.push_back(rotates(grid) ? "reinterpret_cast<" + type + "**>(" + levels + ")"
                                    : "static_cast<" + type + "*>(" + levels + "[0])");
    }
    items.push_back(extents());
    const auto whole =
        std::find_if(module_.grids.begin(), module_.grids.end(),
                     [&](const kernel::Grid& grid) { return has_all_axes(module_, grid); });
    const std::string first = std::to_string(whole - module_.grids.begin());
    if (rank() > 1) items.push_back("pieces.pitch(" + first + ")");
    if (rank() > 2) items.push_back("pieces.plane(" + first + ")");
    for (size_t g = 0; g < module_.grids.size(); ++g)
      if (!module_.grids[g].pitch.empty())
        items.push_back("pieces.pitch(" + std::to_string(g) + ")");
    for (size_t p = 0; p < module_.params.size(); ++p)
      items.push_back(value_of("params", p, spell(module_.params[p].type)));
    for (const kernel::Weights& weights : module_.weights)
      items.push_back("weights_" + weights.name);
    for (const kernel::Points& points : module_.points) {
      items.push_back("points_" + points.name + ".data()");
      items.push_back("count_" + points.name);
    }
    for (const kernel::Series& series : module_.series) {
      items.push_back("series_" + series.name + ".data()");
      items.push_back("call->series_steps");
    }
    for (const kernel::Reduction& one : module_.reductions) {
      items.push_back("reduce ? parts_" + one.name + ".data() + pieces.first(p) * plane_parts" +
                      " : nullptr");
      if (one.every_step) items.push_back("value_" + one.name + ".data()");
    }
    if (module_.time) items.push_back("call->first + done");
    if (takes_steps(module_)) items.push_back("steps");
    for (const char* const name : {"first", "end", "origin", "held"})
      items.push_back(std::string("pieces.") + name + "(p)");
    items.push_back("done");
    if (cuda_) items.push_back("nullptr");
    out_.line("// One piece after the other.");
    out_.line("const auto leg = [&](int64_t done, int64_t steps, bool reduce) {");
    out_.indent();
    out_.line("static_cast<void>(steps), static_cast<void>(reduce);");
    out_.line("for (int p = 0; p < pieces.count() && status.ok(); ++p)");
    out_.indent();
    out_.list("if (" + leg_name(module_) + "(", items, ") != 0)");
    out_.line(
        "  status = stencil::failure(stencil::Code::bad_extents, \"%s\", stencil_last_error());");
    out_.outdent();
    out_.outdent();
    out_.line("};");
    for (const kernel::Reduction& one : module_.reductions) {
      out_.line("const auto fold_" + one.name + " = [&] {");
      out_.indent();
      out_.line("if (status.ok() && " + fold_entry_name(module_, one) + "(parts_" + one.name +
                ".data(), " + extents() + ", value_" + one.name + ".data()" +
                (cuda_ ? ", nullptr" : "") + ") != 0)");
      out_.line(
          "  status = stencil::failure(stencil::Code::bad_extents, \"%s\", "
          "stencil_last_error());");
      out_.line("if (status.ok()) status = value_" + one.name + ".copy_to(&now_" + one.name +
                ", 1);");
      out_.outdent();
      out_.line("};");
    }
  }

  void fold(bool every_step) {
    for (const kernel::Reduction& one : module_.reductions)
      if (one.every_step == every_step) out_.line("fold_" + one.name + "();");
  }

  void pass() {
    if (folds_first(module_)) {
      out_.line("leg(0, 0, true);");
      fold(true);
    }
    out_.line(std::string("leg(0, 1, ") + (reduces() ? "true" : "false") + ");");
    fold(false);
    out_.line("call->steps_taken = 0;");
  }

  void run() {
    const kernel::Module::Iterate& iterate = module_.iterate;
    const bool until = iterate.until != nullptr, first = folds_first(module_);
    out_.line(iterate.given ? "const int64_t limit = call->steps == stencil::kIterate ? " +
                                  std::to_string(iterate.limit) + " : call->steps;"
                            : std::string("const int64_t limit = call->steps;"));
    if (until) out_.line("const bool looks = call->steps == stencil::kIterate;");
    out_.line("int64_t done = 0;");
    out_.line("while (status.ok() && done < limit) {");
    out_.indent();
    out_.line(until ? "const int64_t every = looks ? " + std::to_string(iterate.every) + " : limit;"
                    : std::string("const int64_t every = limit;"));
    out_.line("const int64_t until = limit - done < every ? limit : done + every;");
    out_.line("while (status.ok() && done < until) {");
    out_.indent();
    const std::string at_most = first ? "1" : "most";
    out_.line("const int64_t steps = until - done < " + at_most + " ? until - done : " + at_most +
              ";");
    out_.line("if (done > 0) status = pieces.exchange(steps);");
    if (first) {
      out_.line("leg(done, 0, true);");
      fold(true);
    }
    out_.line(std::string("leg(done, steps, ") + (reduces() ? "done + steps == until" : "false") +
              ");");
    out_.line("done += steps;");
    out_.outdent();
    out_.line("}");
    fold(false);
    if (until) {
      std::vector<std::string> items;
      for (size_t p = 0; p < module_.params.size(); ++p)
        items.push_back(value_of("params", p, spell(module_.params[p].type)));
      for (const kernel::Reduction& one : module_.reductions) items.push_back("now_" + one.name);
      out_.list("if (looks && status.ok() && " + until_name(module_) + "(", items,
                ") != 0) break;");
    }
    out_.outdent();
    out_.line("}");
    out_.line("call->steps_taken = done;");
  }

  void finish() {
    out_.line("if (status.ok()) status = pieces.finish();");
    for (size_t r = 0; r < module_.reductions.size(); ++r) {
      const kernel::Reduction& one = module_.reductions[r];
      out_.line("if (status.ok() && call->reductions != nullptr)");
      out_.line("  *static_cast<" + spell(one.type) + "*>(call->reductions[" + std::to_string(r) +
                "]) = now_" + one.name + ";");
    }
    for (size_t s = 0; s < module_.series.size(); ++s) {
      const kernel::Series& one = module_.series[s];
      if (one.output)
        out_.line("if (status.ok()) status = series_" + one.name + ".copy_to(static_cast<" +
                  spell(one.type) + "*>(call->series[" + std::to_string(s) + "]), size_" +
                  one.name + ");");
    }
    out_.line("snprintf(call->message, sizeof call->message, \"%s\", status.message());");
    out_.line("return static_cast<int>(status.code());");
  }

  Writer& out_;
  const kernel::Module& module_;
  const bool cuda_;
};

}  // namespace

std::string pieces_call(const kernel::Module& module, const Options& options) {
  Writer out;
  out.raw("#include \"" + module.header + "\"");
  out.blank();
  out.raw("#include <stencil/pieces_call.h>");
  out.raw("#include <stdio.h>");
  out.blank();
  PiecesCall(out, module, options.dialect).write();
  return out.take();
}

}  // namespace stencilc::emit
