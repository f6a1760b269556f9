// What the time loop finds declared: numbers of the call, maps, textures, shapes of launches.
#include "emit/advance_parts.h"

#include <algorithm>
#include <utility>

#include "emit/call_arguments.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/step_launches.h"

namespace stencilc::emit {

void AdvanceParts::index_value(const std::string& name, const std::string& value) {
  for (const kernel::Launch& launch : module_.launches)
    for (const kernel::Param& param : launch.kernel.params)
      if (param.name == name)
        return once(name)
                   ? out_.line("const Index " + name + " = static_cast<Index>(" + value + ");")
                   : void();
}

// What is the same in every cell of the run.
void AdvanceParts::launch_values() {
  if (module_.launch_values.empty()) return;
  out_.comment("The same in every cell.");
  out_.line("const stencil::host::DefaultRounding rounding;");
  for (const kernel::Let& let : module_.launch_values)
    out_.assignment("const " + spell(let.value->type) + " " + let.name + " = ",
                    spell_on_host(let.value));
}

// Wide accesses need rows and buffers that begin at multiples of their size.
void AdvanceParts::alignment() {
  out_.list("const bool " + module_.aligned + " = stencil::aligned<" +
                std::to_string(module_.vector) + ">(",
            aligned_items(module_), ");");
}

// What kernels and maps have to know of the piece of the grid that is in memory.
void AdvanceParts::piece() {
  if (module_.piece.empty()) return;
  const bool windows = module_.window.given();
  const std::string piece = windows ? module_.window.name + ".piece" : module_.piece;
  if (!windows) index_value(module_.origin, piece + ".first");
  index_value(module_.planes, piece + ".planes");
  const bool has_textures = std::any_of(
      module_.launches.begin(), module_.launches.end(), [](const kernel::Launch& launch) {
        const std::vector<kernel::Buffer>& all = launch.kernel.buffers;
        return std::any_of(all.begin(), all.end(),
                           [](const kernel::Buffer& buffer) { return buffer.texel != 0; });
      });
  if (!module_.mapped.empty() || has_textures)
    out_.line("const stencil::Shape " + module_.held + " = " + piece + ".of_memory(shape);");
}

std::string AdvanceParts::shape_of_memory() const {
  return module_.piece.empty() ? "shape" : module_.held;
}

// Maps of the grids whose boxes kernels ask for, and the shared memory they are copied to.
void AdvanceParts::maps() {
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
                                                ", " + shape_of_memory() + ", {" + join(box, ", ") +
                                                "})");
  }
}

// Textures over the grids that kernels fetch from.
void AdvanceParts::textures() {
  for (const kernel::Launch& launch : module_.launches)
    for (size_t b = 0; b < launch.kernel.buffers.size(); ++b) {
      const kernel::Buffer& buffer = launch.kernel.buffers[b];
      if (buffer.texel == 0) continue;
      const kernel::Grid& grid = module_.grids[launch.buffer_args[b].index];
      if (!once(grid.textures)) continue;
      const bool several = rotates(grid);
      out_.list("stencil::Textures<" + texture_arguments(buffer) + ", " +
                    std::to_string(several ? grid.buffers : 1) + "> " + grid.textures + "(",
                {"\"" + module_.name + "\"", (several ? "" : "&") + grid.name, shape_of_memory(),
                 "stream"},
                ");");
      out_.line("if (!" + grid.textures + ".status().ok()) return " + grid.textures + ".status();");
    }
}

// What a block may have without asking.
constexpr int kSharedByDefault = 48 * 1024;

// Blocks ask for more shared memory than they have without a word.
void AdvanceParts::shared() {
  for (const kernel::Launch& launch : module_.launches) {
    const bool few =
        !launch.kernel.partition.name.empty() && launch.kernel.shared <= kSharedByDefault;
    if (launch.kernel.shared == 0 || few || !once(launch.kernel.name)) continue;
    std::vector<std::string> kernels = {""};
    if (!launch.kernel.steps.empty() && !launch.kernel.any_steps) {
      kernels.clear();
      for (const int count : step_counts(module_, launch.kernel))
        kernels.push_back(std::to_string(count));
    }
    for (const std::string& steps : kernels) {
      const std::string fits = launch.kernel.name + (steps.empty() ? "" : "_" + steps) + "_fits";
      out_.assignment(
          "const stencil::Status " + fits + " = ",
          "stencil::allow_shared(\"" + module_.name + "\", " + launch.kernel.name + "<Index" +
              (steps.empty() ? "" : ", " + steps) + ">, " + std::to_string(launch.kernel.shared) +
              (module_.window.given() ? ", " + module_.window.name + ".checked)" : ")"));
      out_.line("if (!" + fits + ".ok()) return " + fits + ";");
    }
  }
}

// What launches of several steps store for samples.
void AdvanceParts::sampled() {
  for (const kernel::Sampled& one : module_.sampled) {
    out_.line("stencil::Array<" + spell(one.type) + "> " + one.name + "(" +
              module_.places[one.places].name + ".count() * " + std::to_string(one.steps) + ");");
    out_.line("if (!" + one.name + ".status().ok()) return " + one.name + ".status();");
  }
}

// The shapes of the sweeps: one for all, but for folds under a schedule without whole warps.
void AdvanceParts::launch_shapes() {
  for (const kernel::Launch& launch : module_.launches) {
    if (!launch.ghosts_of.empty()) ghost_blocks(launch);
    if (!launch.kernel.partition.name.empty() && !launch.is_cut())
      partition(launch.kernel, rank() == 3 ? "shape.nz" : "shape.ny");
    if (launch.places >= 0 || !launch.ghosts_of.empty() || launch.is_cut() ||
        !launch.kernel.partition.name.empty() || !shapes_.try_emplace(shape_of(launch), "").second)
      continue;
    std::string& suffix = shapes_[shape_of(launch)];
    if (shapes_.size() > 1) suffix = "_" + std::to_string(shapes_.size());
    launch_shape(launch, suffix);
  }
}

// The boxes that launches compute, one by one.
void AdvanceParts::boxes() {
  if (module_.window.given()) return;
  if (std::none_of(module_.launches.begin(), module_.launches.end(),
                   [](const kernel::Launch& one) { return one.is_cut(); }))
    return;
  out_.line("const stencil::Box " + module_.boxes + "[] = {stencil::Box::of(shape)};");
}

// A row of blocks for the ghost cells of each temporary of a launch.
void AdvanceParts::ghost_blocks(const kernel::Launch& launch) {
  std::string& name = ghost_blocks_[launch.kernel.name];
  if (!name.empty()) return;
  name = "ghost_blocks";
  if (ghost_blocks_.size() > 1) name += "_" + std::to_string(ghost_blocks_.size());
  std::vector<std::string> counts;
  for (const int temporary : launch.ghosts_of)
    counts.push_back(ghost_cells(module_, module_.temporaries[temporary], "int64_t"));
  counts.insert(counts.begin(), std::to_string(launch.kernel.threads[0]));
  out_.list("const dim3 " + name + " = stencil::rows_of_blocks(", counts, ");");
}

// The parts of the window, and of what lies beside it, that a launch computes.
std::string AdvanceParts::grown(const kernel::Launch& launch, const std::string& left,
                                Planes which) const {
  const kernel::Module::Window& window = module_.window;
  const bool colored = module_.colors != 0 && launch.places < 0 && launch.folds.empty();
  const bool stores = launch.stage >= 0 || launch.injects || !launch.ghosts_of.empty() ||
                      !launch.kernel.steps.empty();
  const auto planes = [&](int kernel::Planes::*side) {
    std::vector<std::string> terms;
    const auto add = [&](int count, const std::string& times) {
      if (count == 0 || times == "0") return;
      if (times.empty())
        terms.push_back(std::to_string(count));
      else
        terms.push_back(count == 1 ? times : std::to_string(count) + " * " + times);
    };
    if (which == Planes::window || !stores) return std::string("0");
    if (launch.kernel.steps.empty()) add(launch.beside_window.*side, "");
    const bool several = window.step.*side > 1 && left.find(' ') != std::string::npos;
    add(window.step.*side, several ? "(" + left + ")" : left);
    if (colored)
      add(launch.for_color.*side, "(" + std::to_string(module_.colors - 1) + " - color)");
    return terms.empty() ? std::string("0") : join(terms, " + ");
  };
  return window.name + (which == Planes::others ? ".beside(" : ".grown(") +
         join({"shape", planes(&kernel::Planes::low), planes(&kernel::Planes::high)}, ", ") + ")";
}

// A launch for each box that has cells.
void AdvanceParts::begin_box(const kernel::Launch& launch, const std::string& left, Planes which) {
  if (module_.window.given()) {
    const std::string head = "for (const stencil::WindowPart& " + module_.box + " :",
                      parts = grown(launch, left, which) + ") {";
    if (out_.column() + head.size() + 1 + parts.size() <= kColumns) {
      out_.line(head + " " + parts);
    } else {
      out_.line(head);
      out_.line("     " + parts);
    }
    out_.indent();
    for (const kernel::Param& param : launch.kernel.params)
      if (param.name == module_.origin)
        out_.line("const Index " + module_.origin + " = static_cast<Index>(" + module_.box +
                  ".origin);");
  } else {
    out_.line("for (const stencil::Box& " + module_.box + " : " + module_.boxes + ") {");
    out_.indent();
    out_.line("if (" + module_.box + ".empty()) continue;");
  }
  for (int a = 0; a < rank(); ++a)
    for (const bool end : {false, true}) {
      const std::string& name = end ? launch.cuts[a].end : launch.cuts[a].first;
      for (const kernel::Param& param : launch.kernel.params)
        if (param.name == name)
          out_.line("const Index " + name + " = static_cast<Index>(" + module_.box +
                    (end ? ".end[" : ".first[") + std::to_string(a) + "]);");
    }
  if (!launch.kernel.partition.name.empty())
    return partition(launch.kernel, module_.box + ".cells(" + std::to_string(rank() - 1) + ")");
  if (!cuda_ || launch.places >= 0 || !launch.ghosts_of.empty()) return;
  std::vector<std::string> blocks;
  for (int a = 0; a < rank(); ++a)
    blocks.push_back("stencil::blocks(" + module_.box + ".cells(" + std::to_string(a) + "), " +
                     std::to_string(launch.kernel.tile[a]) + ")");
  out_.list("const dim3 blocks = stencil::grid_of(", blocks, ");");
}

std::string AdvanceParts::box_shape(const kernel::Kernel& kernel) const {
  std::vector<std::string> threads;
  for (int a = 0; a < rank(); ++a)
    threads.push_back(std::to_string(kernel.threads[a] + (a == 1 ? kernel.producers : 0)));
  return "blocks, dim3(" + join(threads, ", ") + ")";
}

std::vector<int> AdvanceParts::shape_of(const kernel::Launch& launch) {
  const kernel::Kernel& kernel = launch.kernel;
  std::vector<int> shape(kernel.threads, kernel.threads + 3);
  shape.insert(shape.end(), kernel.tile, kernel.tile + 3);
  shape.push_back(kernel.producers);
  shape.insert(shape.end(), launch.beside, launch.beside + 2);
  return shape;
}

void AdvanceParts::launch_shape(const kernel::Launch& launch, const std::string& suffix) {
  const kernel::Kernel& kernel = launch.kernel;
  std::vector<std::string> threads, blocks;
  const std::vector<std::string> members = {"shape.nx", "shape.ny", "shape.nz"};
  for (int a = 0; a < rank(); ++a) {
    threads.push_back(std::to_string(kernel.threads[a] + (a == 1 ? kernel.producers : 0)));
    const int tile = kernel.tile[a];
    blocks.push_back("blocks_" + std::string(1, "xyz"[a]) + suffix);
    std::string rows;
    if (a == 1 && !launch.edge_rows.empty()) {
      out_.comment("Rows of blocks for cells near the boundary come before the others.");
      out_.list("const int64_t " + launch.edge_rows + " = stencil::edge_rows(",
                {"shape", std::to_string(launch.beside[0]), std::to_string(launch.beside[1]),
                 std::to_string(kernel.tile[0]), std::to_string(kernel.tile[1])},
                ");");
      rows = launch.edge_rows + " + ";
    }
    out_.line("const int64_t " + blocks.back() + " = " + rows +
              (tile == 1 ? members[a]
                         : "stencil::blocks(" + members[a] + ", " + std::to_string(tile) + ")") +
              ";");
  }
  out_.line("const dim3 threads" + suffix + "(" + join(threads, ", ") + ");");
  out_.line("const dim3 blocks" + suffix + " = stencil::grid_of(" + join(blocks, ", ") + ");");
}

// Of rows that vectors fill the one, else the other.
std::string AdvanceParts::of_rows(const kernel::Kernel::Partition& partition,
                                  const std::string& filled, const std::string& ragged) const {
  if (filled == ragged) return filled;
  return module_.aligned + " && shape.nx % " + std::to_string(partition.vector) + " == 0 ? " +
         filled + " : " + ragged;
}

// How the warps of a kernel share out so many rows of tiles, or planes.
void AdvanceParts::partition(const kernel::Kernel& kernel, const std::string& planes) {
  const std::string streamed = between_borders(planes);
  if (kernel.rank == 3) return columns(kernel, streamed);
  const kernel::Kernel::Partition& partition = kernel.partition;
  const std::string less =
      partition.first_less > 0 ? " + " + std::to_string(partition.first_less) : std::string();
  const std::string vector = std::to_string(partition.vector);
  const std::string cells = partition.filled_up
                                ? "stencil::blocks(shape.nx, " + vector + ") * " + vector
                                : std::string("shape.nx");
  const std::string tiles_x =
      "stencil::blocks(" + cells + less + ", " + std::to_string(kernel.tile[0]) + ")";
  const std::string head = "const st::Partition " + partition.name + " = ";
  if (partition.length > 0)
    return out_.assignment(head, "st::chunks_of(" + tiles_x + ", " + streamed + ", " +
                                     std::to_string(partition.length) + ")");
  const auto text = [](const kernel::Kernel::Partition::Cost& cost) {
    return "st::PartitionCost{" + std::to_string(cost.beside) + ", " + std::to_string(cost.ends) +
           ", " + std::to_string(cost.boundary) + "}";
  };
  out_.comment("Chunks of rows that fill the GPU; slower ones have fewer rows.");
  out_.assignment("const st::PartitionCost " + partition.cost + " = ",
                  of_rows(partition, text(partition.filled), text(partition.ragged)));
  out_.list(head + "stencil::partition_of(",
            with_borders({kernel.name + "<Index, " + std::to_string(kernel.most_steps) + ">",
                          std::to_string(kernel.block_threads()), std::to_string(kernel.shared),
                          tiles_x, streamed, partition.cost}),
            ");");
}

// Of a window: what is shared out beside its border planes, and how much has places before.
std::string AdvanceParts::between_borders(const std::string& planes) const {
  if (!module_.window.given()) return planes;
  return planes + " - " + module_.window.name + ".borders.early.high";
}
std::vector<std::string> AdvanceParts::with_borders(std::vector<std::string> items) const {
  if (module_.window.given()) items.push_back(module_.window.name + ".borders.busy()");
  return items;
}

// How its blocks do.
void AdvanceParts::columns(const kernel::Kernel& kernel, const std::string& streamed) {
  const kernel::Kernel::Partition& partition = kernel.partition;
  const auto tiles = [&](int axis) {
    const std::string cells = "shape.n" + std::string(1, "xyz"[axis]);
    const std::string size = std::to_string(kernel.tile[axis]);
    return partition.more[axis] == 0 ? "stencil::blocks(" + cells + ", " + size + ")"
                                     : "stencil::tiles(" + cells + ", " + size + ", " +
                                           std::to_string(partition.more[axis]) + ")";
  };
  const std::string head = "const st::Columns " + partition.name + " = ";
  if (partition.length > 0)
    return out_.list(head + "st::columns_of(",
                     {tiles(0), tiles(1), streamed, std::to_string(partition.length)}, ");");
  const auto text = [](const kernel::Kernel::Partition::ColumnCost& cost) {
    return "st::ColumnCost{" + std::to_string(cost.beside) + ", " + std::to_string(cost.first) +
           ", " + std::to_string(cost.last) +
           (cost.tile == 100 && cost.apart == 0 ? "" : ", " + std::to_string(cost.tile)) +
           (cost.apart == 0 ? "" : ", " + std::to_string(cost.apart)) + "}";
  };
  out_.comment("Columns, and pieces of them, that fill the GPU; slower ones are shorter.");
  out_.assignment(
      "const st::ColumnCost " + partition.cost + " = ",
      of_rows(partition, text(partition.columns_filled), text(partition.columns_ragged)));
  out_.list(head + "stencil::columns_of(",
            with_borders({kernel.name + "<Index, " + std::to_string(kernel.most_steps) + ">",
                          std::to_string(kernel.block_threads()), std::to_string(kernel.shared),
                          tiles(0), tiles(1), streamed, partition.cost}),
            ");");
}

std::string AdvanceParts::blocks_of(const kernel::Launch& one) const {
  return "blocks" + shapes_.at(shape_of(one));
}

}  // namespace stencilc::emit
