#include "emit/ring.h"

#include "emit/signature.h"
#include "emit/spell.h"
#include "emit/tile.h"
#include "kernel/build.h"

namespace stencilc::emit {
namespace {

using kernel::ExprPtr;

std::string place_of(const kernel::Ring& ring, const std::string& n) {
  return "[" + n + " % " + std::to_string(ring.depth) + "]";
}

// The plane of a grid that is stage n: at + n.
ExprPtr along(const kernel::Ring& ring, const kernel::Ring::Grid& grid) {
  const ExprPtr n = kernel::var(ring.n);
  const ExprPtr& at = grid.at.back();
  const auto* sum = kernel::as<kernel::Bin>(at);
  const auto* number = sum ? kernel::as<kernel::Int>(sum->right) : nullptr;
  if (!number) return kernel::add(at, n);
  return kernel::add(kernel::add(sum->left, n),
                     sum->op == kernel::BinOp::sub ? -number->value : number->value);
}

// Where stage n of a grid begins, along an axis.
std::string first_cell(const kernel::Ring& ring, const kernel::Ring::Grid& grid, size_t axis,
                       const TextOf& text) {
  return text(axis + 1 < grid.at.size() ? grid.at[axis] : along(ring, grid));
}

std::string await(const kernel::Ring& ring, const std::string& n) {
  return ring.ready + place_of(ring, n) + ".await(" + n + " / " + std::to_string(ring.depth) +
         " % 2);";
}

// How many stages ahead, in words.
std::string ahead_of(const kernel::Ring& ring) {
  return std::to_string(ring.ahead) + (ring.ahead == 1 ? " stage" : " stages") + " ahead";
}

// Barriers of the stages, and the function by which one thread asks for the boxes of one.
void write_fetch_of_boxes(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  out.line("__shared__ st::Barrier " + ring.ready + "[" + std::to_string(ring.depth) + "];");
  out.assignment("const bool " + ring.leads + " = ",
                 text(ring.mapped) + " && threadIdx.x == 0 && threadIdx.y == 0");
  out.line("const auto " + ring.fetch + " = [&](Index " + ring.n + ") {");
  out.indent();
  std::string bytes;
  for (const kernel::Ring::Grid& grid : ring.grids)
    bytes += (bytes.empty() ? "sizeof " : " + sizeof ") + grid.planes.name + "[0].at";
  const std::string barrier = ring.ready + place_of(ring, ring.n);
  out.line(barrier + ".expect(" + bytes + ");");
  for (const kernel::Ring::Grid& grid : ring.grids) {
    std::vector<std::string> items = {grid.planes.name + place_of(ring, ring.n) + ".at", grid.map};
    for (size_t a = 0; a < grid.at.size(); ++a) items.push_back(first_cell(ring, grid, a, text));
    if (grid.map_along)
      items.back() = text(kernel::call(kernel::Type::index, *grid.map_along,
                                       {along(ring, grid), ring.extents.back()}));
    items.push_back(barrier);
    out.list("st::copy_box(", items, ");");
  }
  out.outdent();
  out.line("};");
  out.line("st::begin(" + ring.ready + ", " + ring.leads + ");");
  const std::string& n = ring.n;
  out.line("for (Index " + n + " = 0; " + ring.leads + " && " + n + " < " +
           std::to_string(ring.ahead) + " && " + n + " < " + text(ring.stages) + "; ++" + n + ") " +
           ring.fetch + "(" + n + ");");
}

void write_plane(Writer& out, const kernel::Ring& ring, const kernel::Ring::Grid& grid,
                 const TextOf& text) {
  out.assignment("const Index " + grid.plane + " = ", text(along(ring, grid)));
}

// The function that gives a cell of the plane wherever it lies.
void write_cell(Writer& out, const kernel::Ring::Grid& grid, const TextOf& text) {
  const std::string at = grid.plane;
  out.line("const auto " + at + "_cell = [&](int row, int column) {");
  out.list("  return " + grid.cell + "(",
           {text(kernel::add(grid.at[0], kernel::var("column"))),
            text(kernel::add(grid.at[1], kernel::var("row"))), at},
           ");");
  out.line("};");
}

void write_rims(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  for (const kernel::Ring::Grid& grid : ring.grids) {
    out.list(rim_type(ring, grid) + " " + grid.rim + "(", rim_place(ring, grid, text), ");");
  }
}

// The function by which all threads load or copy a stage, called for the first ones.
void write_threads_source(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  if (source.rim) write_rims(out, ring, text);
  out.line("const auto " + ring.fetch + " = [&](Index " + ring.n + ") {");
  out.indent();
  for (const kernel::Ring::Grid& grid : ring.grids) {
    write_plane(out, ring, grid, text);
    const std::string plane = grid.planes.name + place_of(ring, ring.n) + ".at";
    if (source.rim) {
      write_cell(out, grid, text);
      const std::string all = grid.rim + ".store_all(" + plane + ", " + grid.plane + "_cell);";
      if (!source.edge) {
        out.line(all);
        continue;
      }
      out.line("if (" + text(source.edge) + ") {");
      out.line("  " + all);
      out.line("} else {");
      out.indent();
    }
    const ExprPtr first = plus(kernel::add(kernel::mul(kernel::var(grid.plane), grid.stride),
                                           kernel::mul(grid.at[1], grid.pitch)),
                               grid.at[0]);
    out.list(plane_function(ring, grid) + "(",
             {plane, place_in(grid.memory, text(first)), text(grid.pitch)}, ");");
    if (source.rim) {
      out.outdent();
      out.line("}");
    }
  }
  out.outdent();
  out.line("};");
  const bool async = ring.kind == kernel::Ring::async;
  const std::string& n = ring.n;
  out.line("for (Index " + n + " = 0; " + n + " < " + std::to_string(ring.ahead) + "; ++" + n +
           ") {");
  out.line("  if (" + n + " < " + text(ring.stages) + ") " + ring.fetch + "(" + n + ");");
  if (async) out.line("  st::commit();");
  out.line("}");
}

void write_boxes_rim(Writer& out, const kernel::Source& source, const TextOf& text);

}  // namespace

void write_ring(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  if (ring.is_tile()) return write_tile(out, ring, text);
  const bool boxes = ring.kind == kernel::Ring::boxes;
  out.comment("Stage n, one plane of each grid, lies in place n % " + std::to_string(ring.depth) +
              " of the ring; " + (boxes ? "one thread asks for it " : "the block loads it ") +
              ahead_of(ring) + ".");
  for (size_t g = 0; g < ring.grids.size(); ++g) {
    const kernel::Buffer& planes = ring.grids[g].planes;
    out.line("auto& " + planes.name + " = st::shared<st::Plane<" + spell(planes.element) + ", " +
             std::to_string(planes.rows) + ", " + std::to_string(planes.registers) + ">[" +
             std::to_string(ring.depth) + "]>(" + std::to_string(ring.place(static_cast<int>(g))) +
             ");");
  }
  if (boxes) write_fetch_of_boxes(out, ring, text);
}

void write_source(Writer& out, const kernel::Source& source, const TextOf& text) {
  if (source.ring->is_tile())
    write_tile_source(out, source, text);
  else if (source.ring->kind != kernel::Ring::boxes)
    write_threads_source(out, source, text);
  else if (source.rim)
    write_boxes_rim(out, source, text);
}

namespace {

// What of a stage of boxes lies beyond the rim: functions that load and store it, called for the
// first stage.
void write_boxes_rim(Writer& out, const kernel::Source& rim, const TextOf& text) {
  const kernel::Ring& ring = *rim.ring;
  const std::string mapped = text(ring.mapped);
  out.comment("What of a stage lies beyond the rim is there a stage ahead.");
  write_rims(out, ring, text);
  if (ring.loads_rim()) {
    out.line("const auto " + ring.load_rim + " = [&](Index " + ring.n + ") {");
    out.indent();
    for (const kernel::Ring::Grid& grid : ring.grids) {
      if (grid.zeros || !grid.from.empty()) continue;
      write_plane(out, ring, grid, text);
      write_cell(out, grid, text);
      out.line(grid.rim + ".load(" + grid.plane + "_cell);");
    }
    out.outdent();
    out.line("};");
  }
  out.line("const auto " + ring.store_rim + " = [&](Index " + ring.n + ") {");
  out.indent();
  out.line("if (" + mapped + ") " + await(ring, ring.n));
  for (const kernel::Ring::Grid& grid : ring.grids) {
    write_plane(out, ring, grid, text);
    write_cell(out, grid, text);
    const std::string plane = grid.planes.name + place_of(ring, ring.n) + ".at";
    const std::string all = grid.rim + ".store_all(" + plane + ", " + grid.plane + "_cell);";
    if (grid.zeros) {
      out.line("if (!" + mapped + ") " + all);
      continue;
    }
    std::string whole = mapped;
    if (grid.from.empty()) whole += " && " + grid.rim + ".fits()";
    if (!grid.map_along)
      whole += " && " + grid.plane + " >= 0 && " + grid.plane + " < " + text(ring.extents.back());
    out.line("if (" + whole + ") {");
    if (grid.from.empty())
      out.line("  " + grid.rim + ".store(" + plane + ");");
    else
      out.line("  " + grid.rim + ".copy(" + plane + ", " + grid.from +
               (grid.beyond ? ", " + text(grid.beyond) : "") + ");");
    out.line("} else {");
    out.line("  " + all);
    out.line("}");
  }
  out.outdent();
  out.line("};");
  if (rim.edge) out.line("if (" + text(rim.edge) + ") {");
  if (rim.edge) out.indent();
  if (ring.loads_rim()) out.line(ring.load_rim + "(0);");
  out.line(ring.store_rim + "(0);");
  if (rim.edge) out.outdent();
  if (rim.edge) out.line("}");
}

// The names of planes that the stage and those before it hold.
void write_names(Writer& out, const kernel::Stage& stage, const std::string& n) {
  const kernel::Ring& ring = *stage.ring;
  for (const kernel::Stage::Plane& plane : stage.planes) {
    const std::string which =
        plane.back == 0 ? n : "(" + n + " + " + std::to_string(ring.depth - plane.back) + ")";
    out.line("const auto& " + plane.buffer.name + " = " + ring.grids[plane.grid].planes.name +
             place_of(ring, which) + ".at;");
  }
}

}  // namespace

void write_stage(Writer& out, const kernel::Stage& stage, const TextOf& text) {
  const kernel::Ring& ring = *stage.ring;
  const std::string n = text(stage.n);
  const auto later = [&](int count) { return n + " + " + std::to_string(count); };
  if (ring.kind != kernel::Ring::boxes) {
    const bool async = ring.kind == kernel::Ring::async;
    if (async) out.line("st::wait<" + std::to_string(ring.ahead - 1) + ">();");
    out.comment("All of the stage is there, and nobody needs what a later one overwrites.");
    out.line("st::sync();");
    out.line("if (" + later(ring.ahead) + " < " + text(ring.stages) + ") " + ring.fetch + "(" +
             later(ring.ahead) + ");");
    if (async) out.line("st::commit();");
    write_names(out, stage, n);
    return;
  }
  out.comment("Nobody needs what the next copies overwrite, and this stage has its rim.");
  out.line("st::sync();");
  out.line("if (" + ring.leads + " && " + later(ring.ahead) + " < " + text(ring.stages) + ") " +
           ring.fetch + "(" + later(ring.ahead) + ");");
  std::string known;  // that boxes can be copied
  if (stage.rim) {
    if (ring.loads_rim())
      out.line("if (" + (stage.edge ? text(stage.edge) + " && " : "") + later(1) + " < " +
               text(ring.stages) + ") " + ring.load_rim + "(" + later(1) + ");");
    known = "if (" +
            (stage.edge ? "!" + text(stage.edge) + " || " + text(ring.mapped) : text(ring.mapped)) +
            ") ";
  }
  out.line(known + await(ring, n));
  // A fence of each writer would have it wait for all that it has stored into grids, too.
  if (stage.rim && ring.writes_rim()) {
    out.comment(
        "Cells beyond the rim, written before this barrier, come before later boxes there.");
    out.line("if (" + (stage.edge ? text(stage.edge) + " && " : "") + ring.leads +
             ") st::fence_copies();");
  }
  write_names(out, stage, n);
}

void write_stage_end(Writer& out, const kernel::StageEnd& end, const TextOf& text) {
  const kernel::Ring& ring = *end.ring;
  const std::string next = text(end.n) + " + 1";
  out.line("if (" + (end.edge ? text(end.edge) + " && " : "") + next + " < " + text(ring.stages) +
           ") " + ring.store_rim + "(" + next + ");");
}

}  // namespace stencilc::emit
