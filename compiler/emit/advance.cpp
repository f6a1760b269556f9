#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "emit/call_arguments.h"
#include "emit/host.h"
#include "emit/leaps.h"
#include "emit/signature.h"
#include "emit/spell.h"

namespace stencilc::emit {
namespace {

class Advance {
 public:
  Advance(Writer& out, const kernel::Module& module, Dialect dialect)
      : out_(out), module_(module), cuda_(dialect == Dialect::cuda) {}

  void write() {
    out_.comment(
        module_.steps
            ? (std::any_of(module_.grids.begin(), module_.grids.end(), rotates)
                   ? "The time loop: each step writes the last buffer of a field, which then "
                     "becomes the first."
                   : "The time loop.")
        : module_.launches.size() == 1 ? "One launch computes everything."
                                       : "The launches of the one pass.");
    out_.line("template <typename Index>");
    out_.list("stencil::Status advance(", advance_parameters(module_, dialect()), ") {");
    out_.indent();
    const std::vector<std::string> members = {"nx", "ny", "nz"};
    for (int a = 0; a < rank(); ++a) index_value(module_.extents[a], "shape." + members[a]);
    const std::vector<std::string> strides = {"pitch", "plane"};
    for (size_t n = 0; n < module_.strides.size(); ++n)
      index_value(module_.strides[n], "shape." + strides[n]);
    for (const kernel::Places& places : module_.places) {
      index_value(module_.points[places.points].count, places.name + ".points()");
      index_value(places.name + "_count", places.name + ".count()");
    }
    if (module_.vector > 1) alignment();
    if (!module_.mapped.empty()) maps();
    textures();
    shared();
    if (cuda_) launch_shapes();
    if (module_.time)
      out_.line(counts_steps(module_) ? "int64_t t = first;" : "static_cast<void>(first);");
    if (module_.steps) {
      const kernel::Launch* several = leap_of(module_);
      const bool apart = several && several->after_a_step;
      if (several) out_.line("int64_t left = steps;");
      if (several && !apart) leaps();
      out_.line(several ? "for (; left > 0; --left) {"
                        : "for (int64_t left = steps; left > 0; --left) {");
      out_.indent();
      if (apart) {
        out_.comment("What the first step has made has few values, which further ones count on.");
        out_.line("if (left < steps) {");
        out_.indent();
        leaps();
        out_.line("if (left == 0) break;");
        out_.outdent();
        out_.line("}");
      }
      if (asks(module_)) out_.line("const bool asks = asked && left == 1;");
    }
    launches();
    rotate_all();
    if (module_.time && module_.steps && counts_steps(module_)) out_.line("++t;");
    if (module_.steps) {
      out_.outdent();
      out_.line("}");
    }
    out_.line(cuda_ ? "return stencil::launched(\"" + module_.name + "\");" : "return {};");
    out_.outdent();
    out_.line("}");
  }

 private:
  int rank() const { return static_cast<int>(module_.extents.size()); }

  void rotate_all(bool several = false) {  // several steps store as many levels as there are
    const auto rotate = [&](const kernel::Grid& grid, const std::string& name) {
      const std::string count = std::to_string(grid.buffers - (several ? 0 : grid.spare));
      for (int n = several ? -grid.spare : 0; n <= 0; ++n)
        out_.line("stencil::rotate<" + count + ">(" + name + ");");
    };
    for (const kernel::Grid& grid : module_.grids)
      if (rotates(grid)) rotate(grid, grid.name);
    for (const auto& [name, map] : maps_)
      if (rotates(module_.grids[map.grid])) rotate(module_.grids[map.grid], name);
    for (const kernel::Grid& grid : module_.grids)
      if (rotates(grid) && declared_.count(grid.textures)) rotate(grid, grid.textures + ".at");
  }

  // Launches of several steps: as many as are left, then of fewer.
  void leaps() {
    for (const kernel::Launch& one : module_.launches) {
      if (one.kernel.steps.empty()) continue;
      const std::string large = large_enough(one, cuda_ ? shapes_.at(shape_of(one.kernel)) : "");
      if (one.least_blocks > 1)
        out_.comment(
            takes_any_steps(module_)
                ? "Fewer blocks leave most of a card idle: smaller ones take the steps then."
                : "Fewer blocks leave most of a card idle: steps are taken one by one then.");
      if (!large.empty()) {
        out_.line("if (" + large + ") {");
        out_.indent();
      }
      // Reductions are taken of a single step.
      const std::string ready = asks(module_) ? "left - asked" : "left";
      if (one.kernel.any_steps) {
        const std::string most = std::to_string(one.kernel.most_steps);
        leap(one, "while (" + ready + " > 1) {", one.kernel.steps, ready, most);
      } else {
        for (const int count : step_counts(module_, one.kernel)) {
          const std::string text = std::to_string(count);
          leap(one, "for (; " + ready + " >= " + text + "; left -= " + text + ") {", text, "", "");
        }
      }
      if (!large.empty()) {
        out_.outdent();
        out_.line("}");
      }
    }
  }

  // Launches of `count` steps; or of what is `ready`, up to the most.
  void leap(const kernel::Launch& one, const std::string& loop, const std::string& count,
            const std::string& ready, const std::string& most) {
    out_.line(loop);
    out_.indent();
    if (!ready.empty())
      out_.line("const Index " + count + " = static_cast<Index>(" + ready + " < " + most + " ? " +
                ready + " : " + most + ");");
    call(one, ready.empty() ? ", " + count : "");
    rotate_all(true);
    if (module_.time && counts_steps(module_)) out_.line("t += " + count + ";");
    if (!ready.empty()) out_.line("left -= " + count + ";");
    out_.outdent();
    out_.line("}");
  }

  Dialect dialect() const { return cuda_ ? Dialect::cuda : Dialect::cpu; }

  void index_value(const std::string& name, const std::string& value) {
    for (const kernel::Launch& launch : module_.launches)
      for (const kernel::Param& param : launch.kernel.params)
        if (param.name == name)
          return once(name)
                     ? out_.line("const Index " + name + " = static_cast<Index>(" + value + ");")
                     : void();
  }
  bool once(const std::string& name) { return declared_.insert(name).second; }

  // Wide accesses need rows and buffers that begin at multiples of their size.
  void alignment() {
    std::vector<std::string> items = {"shape"};
    for (const kernel::Grid& grid : module_.grids) {
      if (!grid.used || !has_all_axes(module_, grid)) continue;
      if (!rotates(grid)) items.push_back(grid.name);
      for (int n = 0; n < grid.buffers && rotates(grid); ++n)
        items.push_back(grid.name + "[" + std::to_string(n) + "]");
    }
    out_.list("const bool " + module_.aligned + " = stencil::aligned<" +
                  std::to_string(module_.vector) + ">(",
              items, ");");
  }

  // Maps of the grids whose boxes kernels ask for, and the shared memory they are copied to.
  void maps() {
    std::string device;
    for (const kernel::Launch& launch : module_.launches) {
      const std::string kernel = launch.kernel.name + "<Index>";
      if (launch.map_args.empty() || !once(kernel)) continue;
      if (device.empty()) device = "stencil::copies_boxes(" + kernel + ")";
      for (size_t m = 0; m < launch.map_args.size(); ++m)
        maps_.try_emplace(launch.map_args[m].maps,
                          Maps{launch.map_args[m].grid, launch.kernel.maps[m]});
    }
    out_.line("bool " + module_.mapped + " = " + device + ";");
    for (const auto& [name, map] : maps_) {
      const kernel::Grid& grid = module_.grids[map.grid];
      out_.line("st::Map " + name + "[" + std::to_string(rotates(grid) ? grid.buffers : 1) + "];");
      std::vector<std::string> box;
      for (int a = 0; a < rank(); ++a) box.push_back(std::to_string(map.map.box[a]));
      out_.assignment(module_.mapped + " = ", module_.mapped + " && stencil::map_boxes(" + name +
                                                  ", " + (rotates(grid) ? "" : "&") + grid.name +
                                                  ", shape, {" + join(box, ", ") + "})");
    }
  }

  // Textures over the grids that kernels fetch from.
  void textures() {
    for (const kernel::Launch& launch : module_.launches)
      for (size_t b = 0; b < launch.kernel.buffers.size(); ++b) {
        const kernel::Buffer& buffer = launch.kernel.buffers[b];
        const kernel::Grid& grid = module_.grids[launch.buffer_args[b].index];
        if (buffer.texel == 0 || !once(grid.textures)) continue;
        const bool several = rotates(grid);
        out_.list("stencil::Textures<" + texture_arguments(buffer) + ", " +
                      std::to_string(several ? grid.buffers : 1) + "> " + grid.textures + "(",
                  {"\"" + module_.name + "\"", (several ? "" : "&") + grid.name, "shape", "stream"},
                  ");");
        out_.line("if (!" + grid.textures + ".status().ok()) return " + grid.textures +
                  ".status();");
      }
  }

  // Blocks ask for more shared memory than they have without a word.
  void shared() {
    for (const kernel::Launch& launch : module_.launches) {
      if (launch.kernel.shared == 0 || !once(launch.kernel.name)) continue;
      std::vector<std::string> kernels = {""};
      if (!launch.kernel.steps.empty() && !launch.kernel.any_steps) {
        kernels.clear();
        for (const int count : step_counts(module_, launch.kernel))
          kernels.push_back(std::to_string(count));
      }
      for (const std::string& steps : kernels) {
        const std::string fits = launch.kernel.name + (steps.empty() ? "" : "_" + steps) + "_fits";
        out_.assignment("const stencil::Status " + fits + " = ",
                        "stencil::allow_shared(\"" + module_.name + "\", " + launch.kernel.name +
                            "<Index" + (steps.empty() ? "" : ", " + steps) + ">, " +
                            std::to_string(launch.kernel.shared) + ")");
        out_.line("if (!" + fits + ".ok()) return " + fits + ";");
      }
    }
  }

  // The shapes of the sweeps: one for all, but for folds under a schedule without whole warps.
  void launch_shapes() {
    for (const kernel::Launch& launch : module_.launches) {
      if (launch.places >= 0 || !shapes_.try_emplace(shape_of(launch.kernel), "").second) continue;
      std::string& suffix = shapes_[shape_of(launch.kernel)];
      if (shapes_.size() > 1) suffix = "_" + std::to_string(shapes_.size());
      launch_shape(launch.kernel, suffix);
    }
  }
  static std::vector<int> shape_of(const kernel::Kernel& kernel) {
    std::vector<int> shape(kernel.threads, kernel.threads + 3);
    shape.insert(shape.end(), kernel.tile, kernel.tile + 3);
    shape.push_back(kernel.last_axis_first);
    shape.push_back(kernel.producers);
    return shape;
  }

  void launch_shape(const kernel::Kernel& kernel, const std::string& suffix) {
    std::vector<std::string> threads, blocks;
    const std::vector<std::string> members = {"shape.nx", "shape.ny", "shape.nz"};
    for (int a = 0; a < rank(); ++a) {
      threads.push_back(std::to_string(kernel.threads[a] + (a == 1 ? kernel.producers : 0)));
      const int tile = kernel.tile[a];
      blocks.push_back("blocks_" + std::string(1, "xyz"[a]) + suffix);
      out_.line("const int64_t " + blocks.back() + " = " +
                (tile == 1 ? members[a]
                           : "stencil::blocks(" + members[a] + ", " + std::to_string(tile) + ")") +
                ";");
    }
    if (kernel.last_axis_first) std::reverse(blocks.begin(), blocks.end());
    out_.line("const dim3 threads" + suffix + "(" + join(threads, ", ") + ");");
    out_.line("const dim3 blocks" + suffix + " = stencil::grid_of(" + join(blocks, ", ") + ");");
  }

  // Launches that run only with or without reductions stand in the arms of one `if`.
  void launches() {
    const std::string condition = module_.steps ? "asks" : "asked";
    for (size_t n = 0; n < module_.launches.size(); ++n) {
      const kernel::Launch& one = module_.launches[n];
      if (!one.kernel.steps.empty()) continue;
      halos(one);
      if (one.when == kernel::Launch::always) {
        launch(one);
        continue;
      }
      const bool pair = one.when == kernel::Launch::unasked;  // its other half follows
      out_.line("if (" + condition + ") {");
      inside(module_.launches[pair ? n + 1 : n]);
      if (pair) {
        out_.line("} else {");
        inside(one);
        ++n;
      }
      out_.line("}");
    }
  }
  // Before the first launch that stores t+1 of a field: its halo, which is that of level t. After
  // as many steps as there are other buffers all of them have it.
  void halos(const kernel::Launch& one) {
    bool said = false;
    for (size_t b = 0; b < one.buffer_args.size(); ++b) {
      const kernel::BufferArg& arg = one.buffer_args[b];
      if (arg.kind != kernel::BufferArg::grid || !one.kernel.buffers[b].writable) continue;
      const kernel::Grid& grid = module_.grids[arg.index];
      if (grid.halo.empty() || !rotates(grid) || !once(grid.name + "[t+1]")) continue;
      const std::string steps = std::to_string(grid.buffers - 1);
      if (!std::exchange(said, true))
        out_.comment("What the caller put beyond the rim of level t lies beyond that of t+1.");
      out_.line("if (steps - left < " + steps + ") stencil::copy_halo(" + grid.name + "[" + steps +
                "], " + grid.name + "[0], shape, " + (cuda_ ? "stream" : "{}") + ");");
    }
  }

  void inside(const kernel::Launch& one) {
    out_.indent();
    launch(one);
    out_.outdent();
  }

  void launch(const kernel::Launch& one) {
    const bool colored = module_.colors != 0 && one.folds.empty() && one.places < 0;
    if (colored) {
      out_.line("for (Index color = 0; color < " + std::to_string(module_.colors) + "; ++color) {");
      out_.indent();
    }
    call(one);
    if (colored) {
      out_.outdent();
      out_.line("}");
    }
    for (const int r : one.folds) {
      const kernel::Reduction& reduction = module_.reductions[r];
      out_.line(reduction.partials + ".fold<" + fold_name(reduction.fold) +
                (reduction.root ? ", true" : "") + ">(" + (cuda_ ? "stream" : "{}") + ");");
    }
  }

  // `steps`: of a launch of several, ", 8".
  void call(const kernel::Launch& one, const std::string& steps = "") {
    const std::vector<std::string> items = call_arguments(module_, one);
    const std::string callee = one.kernel.name + "<Index" + steps + ">";
    if (!cuda_) return out_.list(callee + "(", items, ");");
    // Where the call is too long for a line, clang-format breaks it in front of the launch
    // configuration if the rest then fits.
    std::string shape;
    if (one.places < 0) {
      const std::string& suffix = shapes_.at(shape_of(one.kernel));
      shape = "blocks" + suffix + ", threads" + suffix;
    } else {
      const std::string& places = module_.places[one.places].name;
      shape = "stencil::blocks_of(" + places + (one.per_point ? ".points()" : ".count()") + ", " +
              std::to_string(one.kernel.threads[0]) + "), " + std::to_string(one.kernel.threads[0]);
    }
    if (one.kernel.early) {
      std::vector<std::string> all = {callee, shape, std::to_string(one.kernel.shared), "stream"};
      all.insert(all.end(), items.begin(), items.end());
      return out_.list("stencil::launch_early(", all, ");");
    }
    const std::string configuration =
        "<<<" + shape + ", " + std::to_string(one.kernel.shared) + ", stream>>>(";
    const int width = static_cast<int>((configuration + join(items, ", ") + ");").size());
    if (out_.column() + static_cast<int>(callee.size()) + width <= kColumns ||
        out_.column() + 4 + width > kColumns)
      return out_.list(callee + configuration, items, ");");
    out_.line(callee);
    out_.line("    " + configuration + join(items, ", ") + ");");
  }

  Writer& out_;
  const kernel::Module& module_;
  const bool cuda_;
  std::set<std::string> declared_;
  struct Maps {
    int grid = 0;
    kernel::Kernel::Map map;
  };
  std::map<std::string, Maps> maps_;                // by the name of the array
  std::map<std::vector<int>, std::string> shapes_;  // and what their names end in
};

}  // namespace

void write_advance(Writer& out, const kernel::Module& module, Dialect dialect) {
  Advance(out, module, dialect).write();
}

}  // namespace stencilc::emit
