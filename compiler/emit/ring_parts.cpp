#include "emit/ring_parts.h"

#include "emit/spell.h"
#include "emit/tile.h"
#include "kernel/build.h"

namespace stencilc::emit {

using kernel::ExprPtr;

std::string plane_type(const kernel::Buffer& planes) {
  return "st::Plane<" + spell(planes.element) + ", " + kernel::spell(planes.rows) + ", " +
         kernel::spell(planes.registers) + ">";
}

// The name of a tile is that of its cells, without what aligns the next one.
std::string offset_of(const kernel::Ring& ring, size_t grid) {
  std::string bytes;
  for (size_t g = 0; g < grid; ++g) {
    const kernel::Buffer& planes = ring.grids[g].planes;
    bytes += bytes.empty() ? "" : " + ";
    bytes += ring.is_tile() ? "sizeof(" + plane_type(planes) + ")" : "sizeof " + planes.name;
  }
  return bytes.empty() ? "0" : bytes;
}

std::string place_of(const kernel::Ring& ring, const std::string& n) {
  return "[" + n + " % " + kernel::spell(ring.depth) + "]";
}

ExprPtr along(const kernel::Ring& ring, const kernel::Ring::Grid& grid) {
  const ExprPtr n = kernel::var(ring.n);
  const ExprPtr& at = grid.at.back();
  const auto* sum = kernel::as<kernel::Bin>(at);
  const auto* number = sum ? kernel::as<kernel::Int>(sum->right) : nullptr;
  if (!number) return kernel::add(at, n);
  return kernel::add(kernel::add(sum->left, n),
                     sum->op == kernel::BinOp::sub ? -number->value : number->value);
}

std::string await(const kernel::Ring& ring, const std::string& barriers, const std::string& n) {
  return barriers + place_of(ring, n) + ".await(" + n + " / " + kernel::spell(ring.depth) +
         " % 2);";
}

std::string ahead_of(const kernel::Ring& ring) {
  return std::to_string(ring.ahead) + (ring.ahead == 1 ? " stage" : " stages") + " ahead";
}

void write_plane(Writer& out, const kernel::Ring& ring, const kernel::Ring::Grid& grid,
                 const TextOf& text) {
  out.assignment("const Index " + grid.plane + " = ", text(along(ring, grid)));
}

void write_cell(Writer& out, const kernel::Ring::Grid& grid, const TextOf& text) {
  const std::string at = grid.plane;
  out.line("const auto " + at + "_cell = [&](int row, int column) {");
  out.list("  return " + grid.cell + "(",
           {text(kernel::add(grid.at[0], kernel::var("column"))),
            text(kernel::add(grid.at[1], kernel::var("row"))), at},
           ");");
  out.line("};");
}

void write_all_ghosts(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  for (const kernel::Ring::Grid& grid : ring.grids) {
    out.list(ghosts_type(ring, grid) + " " + grid.ghosts + "(", ghosts_arguments(ring, grid, text),
             ");");
  }
}

namespace {

// Where stage n of a grid begins, along an axis.
std::string first_cell(const kernel::Ring& ring, const kernel::Ring::Grid& grid, size_t axis,
                       const TextOf& text) {
  return text(axis + 1 < grid.at.size() ? grid.at[axis] : in_memory(ring, along(ring, grid)));
}

}  // namespace

void write_fetch_of_boxes(Writer& out, const kernel::Ring& ring, const std::string& leads,
                          const TextOf& text) {
  out.assignment("const bool " + ring.leads + " = ", text(ring.mapped) + " && " + leads);
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
      items.back() = text(in_memory(ring,
                                    kernel::call(kernel::Type::index, *grid.map_along,
                                                 {along(ring, grid), ring.extents.back()}),
                                    true));
    items.push_back(barrier);
    out.list("st::copy_box(", items, ");");
  }
  out.outdent();
  out.line("};");
}

void write_ghost_functions(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  const std::string mapped = text(ring.mapped);
  write_all_ghosts(out, ring, text);
  if (ring.loads_ghosts()) {
    out.line("const auto " + ring.load_ghosts + " = [&](Index " + ring.n + ") {");
    out.indent();
    for (const kernel::Ring::Grid& grid : ring.grids) {
      if (grid.zeros || !grid.from.empty()) continue;
      write_plane(out, ring, grid, text);
      write_cell(out, grid, text);
      out.line(grid.ghosts + ".load(" + grid.plane + "_cell);");
    }
    out.outdent();
    out.line("};");
  }
  out.line("const auto " + ring.store_ghosts + " = [&](Index " + ring.n + ") {");
  out.indent();
  out.line("if (" + mapped + ") " + await(ring, ring.ready, ring.n));
  for (const kernel::Ring::Grid& grid : ring.grids) {
    write_plane(out, ring, grid, text);
    write_cell(out, grid, text);
    const std::string plane = grid.planes.name + place_of(ring, ring.n) + ".at";
    const std::string all = grid.ghosts + ".store_all(" + plane + ", " + grid.plane + "_cell);";
    if (grid.zeros) {
      out.line("if (!" + mapped + ") " + all);
      continue;
    }
    std::string whole = mapped;
    if (grid.from.empty()) whole += " && " + grid.ghosts + ".fits()";
    if (!grid.map_along)
      whole += " && " + grid.plane + " >= 0 && " + grid.plane + " < " + text(ring.extents.back());
    out.line("if (" + whole + ") {");
    if (grid.from.empty())
      out.line("  " + grid.ghosts + ".store(" + plane + ");");
    else
      out.line("  " + grid.ghosts + ".copy(" + plane + ", " + grid.from +
               (grid.ghost ? ", " + text(grid.ghost) : "") + ");");
    out.line("} else {");
    out.line("  " + all);
    out.line("}");
  }
  out.outdent();
  out.line("};");
}

void write_fetch_by_threads(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  if (source.boundary) write_all_ghosts(out, ring, text);
  out.line("const auto " + ring.fetch + " = [&](Index " + ring.n + ") {");
  out.indent();
  for (const kernel::Ring::Grid& grid : ring.grids) {
    write_plane(out, ring, grid, text);
    const std::string plane = grid.planes.name + place_of(ring, ring.n) + ".at";
    if (source.boundary) {
      write_cell(out, grid, text);
      const std::string all = grid.ghosts + ".store_all(" + plane + ", " + grid.plane + "_cell);";
      if (!source.edge) {
        out.line(all);
        continue;
      }
      out.line("if (" + text(source.edge) + ") {");
      out.line("  " + all);
      out.line("} else {");
      out.indent();
    }
    const ExprPtr at = in_memory(ring, kernel::var(grid.plane));
    const ExprPtr first = plus(
        kernel::add(kernel::mul(at, grid.stride), kernel::mul(grid.at[1], grid.pitch)), grid.at[0]);
    out.list(plane_function(ring, grid) + "(",
             {plane, place_in(grid.memory, text(first)), text(grid.pitch)}, ");");
    if (source.boundary) {
      out.outdent();
      out.line("}");
    }
  }
  out.outdent();
  out.line("};");
}

}  // namespace stencilc::emit
