#include "emit/tile.h"

#include "emit/ring_parts.h"
#include "emit/spell.h"
#include "kernel/build.h"

namespace stencilc::emit {

using kernel::ExprPtr;
using kernel::Ring;

namespace {

// The first of the threads that fill the planes.
std::string first_of(const Ring& ring) {
  return ring.producers > 0 ? kernel::spell(ring.first_producer) : "0";
}

}  // namespace

std::string ghosts_type(const Ring& ring, const Ring::Grid& grid) {
  std::string type = "st::Ghosts<" + spell(grid.planes.element) + ", Index";
  for (const kernel::Count& number :
       {grid.planes.rows, ring.cells(grid), kernel::Count(grid.reach[0]),
        kernel::Count(grid.reach[1]), ring.threads})
    type += ", " + kernel::spell(number);
  if (ring.producers > 0 || grid.spread != 0) type += ", " + first_of(ring);
  if (grid.spread != 0) type += ", " + kernel::spell(grid.spread);
  return type + ">";
}

// Of one axis, the plane is a row of a grid of one row.
std::vector<std::string> ghosts_arguments(const Ring& ring, const Ring::Grid& grid,
                                          const TextOf& text) {
  const bool rows = ring.extents.size() > 1;
  std::vector<std::string> items = {text(grid.at[0]), rows ? text(grid.at[1]) : "0",
                                    text(ring.extents[0]), rows ? text(ring.extents[1]) : "1"};
  if (!grid.from.empty()) items.push_back(grid.from);
  return items;
}

ExprPtr in_memory(const Ring& ring, const ExprPtr& at, bool any) {
  if (!ring.origin) return at;
  return any ? kernel::call(kernel::Type::index, kernel::Fn::held,
                            {at, ring.origin, ring.planes, ring.extents.back()})
             : kernel::bin(kernel::BinOp::sub, at, ring.origin);
}

ExprPtr plus(const ExprPtr& a, const ExprPtr& b) {
  const auto* sum = kernel::as<kernel::Bin>(b);
  const auto* number = sum ? kernel::as<kernel::Int>(sum->right) : nullptr;
  if (!number) return kernel::add(a, b);
  if (!number->name.empty()) return kernel::bin(sum->op, kernel::add(a, sum->left), sum->right);
  return kernel::add(kernel::add(a, sum->left),
                     sum->op == kernel::BinOp::sub ? -number->value : number->value);
}

std::string plane_function(const Ring& ring, const Ring::Grid& grid) {
  const bool copies = ring.kind == Ring::async && grid.copied > 0;
  std::string text = std::string(copies ? "st::copy_" : "st::load_") +
                     (ring.own ? "parts<" : "plane<") + kernel::spell(ring.threads);
  if (copies) text += ", " + kernel::spell(grid.copied);
  const std::string spread = grid.spread != 0 ? ", " + kernel::spell(grid.spread) : "";
  if (ring.producers > 0 || (!ring.own && grid.spread != 0)) text += ", " + first_of(ring);
  if (!ring.own) return text + spread + ">";
  text += ", st::Own<";
  for (const kernel::Count& number : {ring.own->column, ring.own->row, ring.own->columns})
    text += kernel::spell(number) + ", ";
  return text + kernel::spell(ring.own->rows) + ">" + spread + ">";
}

namespace {

bool copies(const Ring& ring) {
  if (ring.kind != Ring::async) return false;
  for (const Ring::Grid& grid : ring.grids)
    if (grid.copied > 0) return true;
  return false;
}

// All threads load the tile, which lies inside.
void write_loads(Writer& out, const Ring& ring, const TextOf& text) {
  for (const Ring::Grid& grid : ring.grids) {
    const bool rows = ring.extents.size() > 1;
    const ExprPtr first =
        rows ? plus(kernel::mul(in_memory(ring, grid.at[1]), grid.pitch), grid.at[0]) : grid.at[0];
    std::vector<std::string> items = {grid.planes.name, place_in(grid.memory, text(first))};
    if (rows) items.push_back(text(grid.pitch));
    out.list(plane_function(ring, grid) + "(", items, ");");
  }
  if (!copies(ring)) return;
  out.line("st::commit();");
  out.line("st::wait<0>();");
}

void write_ghosts(Writer& out, const Ring& ring, const Ring::Grid& grid, const TextOf& text) {
  const bool rows = ring.extents.size() > 1;
  out.line("const auto " + grid.plane + " = [&](int" + (rows ? " row" : "") + ", int column) {");
  std::vector<std::string> items = {text(kernel::add(grid.at[0], kernel::var("column")))};
  if (rows) items.push_back(text(kernel::add(grid.at[1], kernel::var("row"))));
  out.list("  return " + grid.cell + "(", items, ");");
  out.line("};");
  out.list(ghosts_type(ring, grid) + " " + grid.ghosts + "(", ghosts_arguments(ring, grid, text),
           ");");
}

// Where the tile may lie outside the grid: all threads load all of it, cell by cell, or the box has
// come and lacks these cells.
void write_tile_ghosts(Writer& out, const Ring& ring, const TextOf& text) {
  const bool boxes = ring.kind == Ring::boxes;
  for (const Ring::Grid& grid : ring.grids) write_ghosts(out, ring, grid, text);
  const auto all = [](const Ring::Grid& grid) {
    return grid.ghosts + ".store_all(" + grid.planes.name + ", " + grid.plane + ");";
  };
  if (!boxes) {
    for (const Ring::Grid& grid : ring.grids) out.line(all(grid));
    return;
  }
  const std::string mapped = text(ring.mapped);
  for (const Ring::Grid& grid : ring.grids)
    if (!grid.zeros && grid.from.empty()) out.line(grid.ghosts + ".load(" + grid.plane + ");");
  out.line("if (" + mapped + ") " + ring.ready + ".await(0);");
  for (const Ring::Grid& grid : ring.grids) {
    if (grid.zeros) {
      out.line("if (!" + mapped + ") " + all(grid));
      continue;
    }
    const bool checks_fit = grid.from.empty();
    out.line("if (" + mapped + (checks_fit ? " && " + grid.ghosts + ".fits()" : "") + ") {");
    if (checks_fit)
      out.line("  " + grid.ghosts + ".store(" + grid.planes.name + ");");
    else
      out.line("  " + grid.ghosts + ".copy(" + grid.planes.name + ", " + grid.from +
               (grid.ghost ? ", " + text(grid.ghost) : "") + ");");
    out.line("} else {");
    out.line("  " + all(grid));
    out.line("}");
  }
}

}  // namespace

void write_tile(Writer& out, const Ring& ring, const TextOf& text) {
  const bool boxes = ring.kind == Ring::boxes;
  out.comment(std::string("The cells of the block and those around it, in shared memory: ") +
              (boxes      ? "one thread requests them."
               : ring.own ? "some warps load those beside it along x, some those along y, all "
                            "others its own."
                          : "its threads load them together."));
  for (size_t g = 0; g < ring.grids.size(); ++g) {
    const kernel::Buffer& planes = ring.grids[g].planes;
    out.line("auto& " + planes.name + " = st::shared<st::Plane<" + spell(planes.element) + ", " +
             kernel::spell(planes.rows) + ", " + kernel::spell(planes.registers) + ">>(" +
             offset_of(ring, g) + ").at;");
  }
  if (!boxes) return;
  out.line("__shared__ st::Barrier " + ring.ready + ";");
  std::string first = " && threadIdx.x == 0";
  if (ring.extents.size() > 1) first += " && threadIdx.y == 0";
  out.assignment("const bool " + ring.leads + " = ", text(ring.mapped) + first);
  out.line("st::begin(" + ring.ready + ", " + ring.leads + ");");
  out.line("if (" + ring.leads + ") {");
  out.indent();
  std::string bytes;
  for (const Ring::Grid& grid : ring.grids)
    bytes += (bytes.empty() ? "sizeof " : " + sizeof ") + grid.planes.name;
  out.line(ring.ready + ".expect(" + bytes + ");");
  for (const Ring::Grid& grid : ring.grids) {
    std::vector<std::string> items = {grid.planes.name, grid.map};
    for (const ExprPtr& at : grid.at)
      items.push_back(text(&at == &grid.at.back() ? in_memory(ring, at) : at));
    items.push_back(ring.ready);
    out.list("st::copy_box(", items, ");");
  }
  out.outdent();
  out.line("}");
}

void write_tile_source(Writer& out, const kernel::Source& source, const TextOf& text) {
  const Ring& ring = *source.ring;
  const bool boxes = ring.kind == Ring::boxes;
  const bool either = source.boundary && source.edge;
  if (either) {
    out.line("if (" + text(source.edge) + ") {");
    out.indent();
  }
  if (source.boundary) write_tile_ghosts(out, ring, text);
  if (source.boundary && boxes) out.line("st::sync();");
  if (either) {
    out.outdent();
    out.line("} else {");
    out.indent();
  }
  if (!source.boundary || either) {
    if (boxes)
      out.line(ring.ready + ".await(0);");
    else
      write_loads(out, ring, text);
  }
  if (either) {
    out.outdent();
    out.line("}");
  }
  if (!boxes) out.line("st::sync();");
}

}  // namespace stencilc::emit
