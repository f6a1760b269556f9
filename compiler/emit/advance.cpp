#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "emit/advance_parts.h"
#include "emit/call_arguments.h"
#include "emit/host.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/step_launches.h"

namespace stencilc::emit {
namespace {

class Advance : AdvanceParts {
 public:
  using AdvanceParts::AdvanceParts;

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
    launch_values();
    if (module_.vector > 1) alignment();
    piece();
    if (!module_.mapped.empty()) maps();
    textures();
    shared();
    sampled();
    if (cuda_) launch_shapes();
    boxes();
    set_up();
    if (module_.time)
      out_.line(counts_steps(module_) ? "int64_t t = first;" : "static_cast<void>(first);");
    if (folds_first(module_)) {
      out_.comment("With 0 steps: what the next one reads of the grid.");
      out_.line("if (steps == 0) {");
      out_.indent();
      for (const kernel::Launch& one : module_.launches)
        if (folds_every_step(module_, one)) call(one, "", "0");
      finish();
    }
    if (module_.steps) {
      const kernel::Launch* several = launch_of_steps(module_);
      const bool apart = several && several->after_a_step;
      const bool again = cuda_ && can_replay_steps(module_);
      if (several || again) out_.line("int64_t left = steps;");
      if (several && !apart) launches_of_steps();
      if (again) {
        begin_replayed("step_on", "");
        launches();
        end_replayed("step_on", false, "1", blocks_of(first_of_step(module_)));
        out_.line("for (; left > 0; --left) step_on(1, stream);");
        return finish();
      }
      out_.line(several ? "for (; left > 0; --left) {"
                        : "for (int64_t left = steps; left > 0; --left) {");
      out_.indent();
      if (apart) {
        out_.comment(
            "The first step leaves only a few distinct values; the further steps rely on that.");
        out_.line(module_.window.given() ? "if (left < " + module_.window.name + ".taken + steps) {"
                                         : "if (left < steps) {");
        out_.indent();
        launches_of_steps();
        out_.line("if (left == 0) break;");
        out_.outdent();
        out_.line("}");
      }
      if (reduces_on_request(module_)) out_.line("const bool reduce_now = reduces && left == 1;");
    }
    launches();
    rotate_all();
    if (module_.time && module_.steps && counts_steps(module_)) out_.line("++t;");
    if (module_.steps) {
      out_.outdent();
      out_.line("}");
    }
    finish();
  }

 private:
  void finish() {
    out_.line(cuda_ ? "return stencil::launched(\"" + module_.name + "\");" : "return {};");
    out_.outdent();
    out_.line("}");
  }
  // What is the same in every step of the run.
  void set_up() {
    std::vector<const kernel::Launch*> all;
    for (const kernel::Launch& one : module_.launches)
      if (one.before_steps) all.push_back(&one);
    if (all.empty()) return;
    out_.comment("The same in every step, before the first one.");
    if (!module_.sets_up.empty()) {
      out_.line("if (" + module_.sets_up + ") {");
      out_.indent();
    }
    for (const kernel::Launch* one : all) call(*one, "", "0");
    if (module_.sets_up.empty()) return;
    out_.outdent();
    out_.line("}");
  }
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
  void launches_of_steps() {
    for (const kernel::Launch& one : module_.launches) {
      if (one.kernel.steps.empty()) continue;
      const std::string large = large_enough(
          one, module_.window.given() ? module_.window.name + ".planes" : std::string());
      if (one.least_cells > 1)
        out_.comment(
            takes_any_steps(module_)
                ? "Smaller grids are mostly computed twice: smaller blocks take the steps then."
                : "Smaller grids are mostly computed twice: steps are taken one by one then.");
      if (!large.empty()) {
        out_.line("if (" + large + ") {");
        out_.indent();
      }
      // Reductions are taken of a single step.
      const std::string ready = reduces_on_request(module_) ? "left - reduces" : "left";
      if (one.kernel.any_steps) {
        any_steps(one, ready);
      } else {
        for (const int count : step_counts(module_, one.kernel)) {
          const std::string text = std::to_string(count);
          loop_of_launches(one, "for (; " + ready + " >= " + text + "; left -= " + text + ") {",
                           text);
        }
      }
      if (!large.empty()) {
        out_.outdent();
        out_.line("}");
      }
    }
  }

  void after_steps() {
    for (const kernel::Launch& one : module_.launches)
      if (one.after_steps) call(one, "", "0");
  }

  // Launches of `count` steps.
  void loop_of_launches(const kernel::Launch& one, const std::string& loop,
                        const std::string& count) {
    out_.line(loop);
    out_.indent();
    call(one, ", " + count, "left - " + count);
    after_steps();
    rotate_all(true);
    if (module_.time && counts_steps(module_)) out_.line("t += " + count + ";");
    out_.outdent();
    out_.line("}");
  }

  // Launches of what is `ready`, up to the most.
  void any_steps(const kernel::Launch& one, const std::string& ready) {
    const std::string most = std::to_string(one.kernel.most_steps), count = one.kernel.steps;
    const std::string replayed = can_replay(module_, one) ? one.kernel.name + "_on" : "";
    if (!replayed.empty()) {
      begin_replayed(replayed, count);
      call(one, "", "0");
      end_replayed(replayed, true, most, blocks_of(one));
    }
    out_.line("while (" + ready + " > 1) {");
    out_.indent();
    out_.line("const Index " + count + " = static_cast<Index>(" + ready + " < " + most + " ? " +
              ready + " : " + most + ");");
    if (replayed.empty()) {
      call(one, "", "left - " + count);
      after_steps();
      rotate_all(true);
      if (module_.time && counts_steps(module_)) out_.line("t += " + count + ";");
    } else {
      out_.line(replayed + "(" + count + ", stream);");
    }
    out_.line("left -= " + count + ";");
    out_.outdent();
    out_.line("}");
  }

  // A function of what is launched, of `count` steps, on a stream; and calls of it, of the most
  // steps, that are replayed.
  void begin_replayed(const std::string& name, const std::string& count) {
    out_.comment(
        "Many short launches are recorded, and replayed faster than the host launches them.");
    out_.line("const auto " + name + " = [&](Index" + (count.empty() ? "" : " " + count) +
              ", auto on) {");
    out_.indent();
    stream_ = "on";
  }
  void end_replayed(const std::string& name, bool several, const std::string& most,
                    const std::string& blocks) {
    rotate_all(several);
    out_.outdent();
    out_.line("};");
    stream_ = "stream";
    out_.list("stencil::replay(",
              {"left", reduces_on_request(module_) ? "reduces" : "0", most,
               std::to_string(period(module_, several)), blocks, "stream", name},
              ");");
  }

  // Launches that run only with or without reductions stand in the arms of one `if`.
  void launches() {
    const std::string condition = module_.steps ? "reduce_now" : "reduces";
    for (size_t n = 0; n < module_.launches.size(); ++n) {
      const kernel::Launch& one = module_.launches[n];
      if (!one.kernel.steps.empty() || one.after_steps || one.before_steps) continue;
      if (module_.window.given() && folds_every_step(module_, one)) continue;
      halos(one);
      if (one.when == kernel::Launch::always) {
        launch(one);
        continue;
      }
      const bool pair = one.when == kernel::Launch::without_reductions;  // its other half follows
      out_.line("if (" + condition + ") {");
      // What lies beside a window is no part of what it adds to the reductions.
      inside(module_.launches[pair ? n + 1 : n]);
      if (pair && module_.window.given() && is_grown(one)) inside(one, Planes::others);
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
        out_.comment("The ghost cells that the caller set for level t are those of t+1.");
      const std::string copy = grid.name + "[" + steps + "], " + grid.name + "[0], shape, ",
                        stream = cuda_ ? "stream" : "{}";
      if (module_.window.given()) {
        const std::string& window = module_.window.name;
        out_.line("if (" + window + ".taken + steps - left < " + steps + ")");
        out_.line(std::string("  stencil::copy_ghosts<stencil::") +
                  (cuda_ ? "DeviceMemory" : "HostMemory") + ">(" + copy + window + ", " + stream +
                  ");");
        continue;
      }
      out_.line("if (steps - left < " + steps + ") stencil::copy_halo(" + copy + stream + ");");
    }
  }

  static bool is_grown(const kernel::Launch& one) {
    return one.beside_window.low != 0 || one.beside_window.high != 0;
  }

  void inside(const kernel::Launch& one, Planes which = Planes::all) {
    out_.indent();
    launch(one, which);
    out_.outdent();
  }

  void launch(const kernel::Launch& one, Planes which = Planes::all) {
    const bool colored = module_.colors != 0 && one.folds.empty() && one.places < 0;
    if (colored) {
      out_.line("for (Index color = 0; color < " + std::to_string(module_.colors) + "; ++color) {");
      out_.indent();
    }
    call(one, "", module_.steps ? "left - 1" : "0", one.folds.empty() ? which : Planes::window);
    if (colored) {
      out_.outdent();
      out_.line("}");
    }
    if (module_.window.given()) return;  // the caller folds those of all pieces
    for (const int r : one.folds) {
      const kernel::Reduction& reduction = module_.reductions[r];
      out_.line(reduction.partials + ".fold<" + fold_name(reduction.fold) +
                (reduction.root ? ", true" : "") + ">(" + (cuda_ ? "stream" : "{}") + ");");
    }
  }

  // `steps`: of a launch of several, ", 8". `left`: the steps after the launch.
  void call(const kernel::Launch& one, const std::string& steps, const std::string& left,
            Planes which = Planes::all) {
    if (one.is_cut()) begin_box(one, left, which);
    const kernel::Kernel::Partition& partition = one.kernel.partition;
    if (!partition.borders.empty())
      out_.line("const st::Borders " + partition.borders + " = " + module_.window.name +
                ".borders.of(" + (partition.name.empty() ? layers(one.kernel) : partition.name) +
                ");");
    call_kernel(one, steps);
    if (!one.is_cut()) return;
    out_.outdent();
    out_.line("}");
  }

  // Of the blocks that begin_box() has declared.
  static std::string layers(const kernel::Kernel& kernel) {
    return "st::Layers{int64_t{blocks.x} * blocks.y, " + std::to_string(kernel.tile[2]) + "}";
  }

  void call_kernel(const kernel::Launch& one, const std::string& steps) {
    const std::vector<std::string> items = call_arguments(module_, one);
    const std::string callee = one.kernel.name + "<Index" + steps + ">";
    if (!cuda_) return out_.list(callee + "(", items, ");");
    // Where the call is too long for a line, clang-format breaks it in front of the launch
    // configuration if the rest then fits.
    std::string shape;
    if (!one.kernel.partition.name.empty()) {
      const std::string& partition = one.kernel.partition.name;
      const std::string warps = std::to_string(one.kernel.threads[1]);
      const std::string borders =
          one.kernel.partition.borders.empty() ? "" : ", " + one.kernel.partition.borders;
      shape = (one.kernel.rank == 3 && borders.empty()
                   ? "stencil::grid_of(" + partition + ".blocks())"
                   : "stencil::blocks_of(" + partition + borders +
                         (one.kernel.rank == 3 ? "" : ", " + warps) + ")") +
              ", dim3(32, " + warps + ")";
    } else if (!one.ghosts_of.empty()) {
      shape = ghost_blocks_.at(one.kernel.name) + ", " + std::to_string(one.kernel.threads[0]);
    } else if (one.is_cut() && one.places < 0) {
      shape = box_shape(one.kernel);
    } else if (one.places < 0) {
      const std::string& suffix = shapes_.at(shape_of(one));
      shape = "blocks" + suffix + ", threads" + suffix;
    } else {
      const std::string& places = module_.places[one.places].name;
      shape = "stencil::blocks_of(" + places + (one.per_point ? ".points()" : ".count()") + ", " +
              std::to_string(one.kernel.threads[0]) + "), " + std::to_string(one.kernel.threads[0]);
    }
    if (one.kernel.early) {
      std::vector<std::string> all = {callee, shape, std::to_string(one.kernel.shared), stream_};
      all.insert(all.end(), items.begin(), items.end());
      return out_.list("stencil::launch_early(", all, ");");
    }
    const std::string configuration =
        "<<<" + shape + ", " + std::to_string(one.kernel.shared) + ", " + stream_ + ">>>(";
    const int width = static_cast<int>((configuration + join(items, ", ") + ");").size());
    const int opened = static_cast<int>(callee.size() + configuration.size());
    if (out_.column() + opened > kColumns) {  // the arguments stand on lines of their own
      out_.line(callee);
      out_.indent();
      out_.indent();
      if (out_.column() + static_cast<int>(configuration.size()) <= kColumns) {
        out_.list(configuration, items, ");");
      } else {
        out_.line("<<<" + shape + ", " + std::to_string(one.kernel.shared) + ",");
        out_.list("   " + stream_ + ">>>(", items, ");");
      }
      out_.outdent();
      out_.outdent();
      return;
    }
    if (out_.column() + static_cast<int>(callee.size()) + width <= kColumns ||
        out_.column() + 4 + width > kColumns)
      return out_.list(callee + configuration, items, ");");
    out_.line(callee);
    out_.line("    " + configuration + join(items, ", ") + ");");
  }

  std::string stream_ = "stream";  // that is launched on
};

}  // namespace

void write_advance(Writer& out, const kernel::Module& module, Dialect dialect) {
  Advance(out, module, dialect).write();
}

}  // namespace stencilc::emit
