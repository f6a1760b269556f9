#include "emit/ring.h"

#include "emit/producers.h"
#include "emit/ring_parts.h"
#include "emit/spell.h"
#include "emit/tile.h"
#include "kernel/build.h"

namespace stencilc::emit {
namespace {

using kernel::ExprPtr;

// Barriers of the stages, and the function by which one thread asks for the boxes of one, called
// for the first ones.
void write_boxes(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  out.line("__shared__ st::Barrier " + ring.ready + "[" + kernel::spell(ring.depth) + "];");
  write_fetch_of_boxes(out, ring, "threadIdx.x == 0 && threadIdx.y == 0", text);
  out.line("st::begin(" + ring.ready + ", " + ring.leads + ");");
  const std::string& n = ring.n;
  out.line("for (Index " + n + " = 0; " + ring.leads + " && " + n + " < " +
           kernel::spell(ring.ahead) + " && " + n + " < " + text(ring.stages) + "; ++" + n + ") " +
           ring.fetch + "(" + n + ");");
}

// The threads load or copy the first stages.
void write_threads_source(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  write_fetch_by_threads(out, source, text);
  const bool async = ring.kind == kernel::Ring::async;
  const std::string& n = ring.n;
  out.line("for (Index " + n + " = 0; " + n + " < " + kernel::spell(ring.ahead) + "; ++" + n +
           ") {");
  out.line("  if (" + n + " < " + text(ring.stages) + ") " + ring.fetch + "(" + n + ");");
  if (async) out.line("  st::commit();");
  out.line("}");
}

// What of a stage of boxes lies outside the grid: functions that load and store it, called for the
// first stage.
void write_boxes_ghosts(Writer& out, const kernel::Source& of, const TextOf& text) {
  const kernel::Ring& ring = *of.ring;
  out.comment("The ghost cells of a stage are there one stage ahead.");
  write_ghost_functions(out, ring, text);
  if (of.edge) out.line("if (" + text(of.edge) + ") {");
  if (of.edge) out.indent();
  if (ring.loads_ghosts()) out.line(ring.load_ghosts + "(0);");
  out.line(ring.store_ghosts + "(0);");
  if (of.edge) out.outdent();
  if (of.edge) out.line("}");
}

}  // namespace

void write_ring(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  if (ring.is_tile()) return write_tile(out, ring, text);
  const bool boxes = ring.kind == kernel::Ring::boxes;
  out.comment("Stage n, one plane of each grid, lies in slot n % " + kernel::spell(ring.depth) +
              " of the ring; " +
              (ring.producers > 0 ? "threads that compute nothing fill it, at least "
               : boxes            ? "one thread requests it "
                                  : "the block loads it ") +
              ahead_of(ring) + ".");
  for (size_t g = 0; g < ring.grids.size(); ++g) {
    const kernel::Buffer& planes = ring.grids[g].planes;
    out.line("auto& " + planes.name + " = st::shared<st::Plane<" + spell(planes.element) + ", " +
             kernel::spell(planes.rows) + ", " + kernel::spell(planes.registers) + ">[" +
             kernel::spell(ring.depth) + "]>(" + offset_of(ring, g) + ");");
  }
  if (ring.producers > 0)
    write_barriers(out, ring, text);
  else if (boxes)
    write_boxes(out, ring, text);
}

void write_source(Writer& out, const kernel::Source& source, const TextOf& text) {
  if (source.ring->is_tile())
    write_tile_source(out, source, text);
  else if (source.ring->producers > 0)
    write_filling(out, source, text);
  else if (source.ring->kind != kernel::Ring::boxes)
    write_threads_source(out, source, text);
  else if (source.boundary)
    write_boxes_ghosts(out, source, text);
}

namespace {

// The names of planes that the stage and those before it hold.
void write_names(Writer& out, const kernel::Stage& stage, const std::string& n) {
  const kernel::Ring& ring = *stage.ring;
  for (const kernel::Stage::Plane& plane : stage.planes) {
    const std::string which =
        plane.back == 0
            ? n
            : "(" + n + " + " + kernel::spell(kernel::plus(ring.depth, -plane.back)) + ")";
    out.line("const auto& " + plane.buffer.name + " = " + ring.grids[plane.grid].planes.name +
             place_of(ring, which) + ".at;");
  }
}

}  // namespace

void write_stage(Writer& out, const kernel::Stage& stage, const TextOf& text) {
  const kernel::Ring& ring = *stage.ring;
  const std::string n = text(stage.n);
  const auto later = [&](const kernel::Count& count) { return n + " + " + kernel::spell(count); };
  if (ring.producers > 0) {
    write_full(out, stage, text);
    write_names(out, stage, n);
    return;
  }
  if (ring.kind != kernel::Ring::boxes) {
    const bool async = ring.kind == kernel::Ring::async;
    if (async) out.line("st::wait<" + kernel::spell(kernel::plus(ring.ahead, -1)) + ">();");
    out.comment("All of the stage is there, and the slot of a later one is free.");
    out.line("st::sync();");
    out.line("if (" + later(ring.ahead) + " < " + text(ring.stages) + ") " + ring.fetch + "(" +
             later(ring.ahead) + ");");
    if (async) out.line("st::commit();");
    write_names(out, stage, n);
    return;
  }
  out.comment("The next copies may overwrite their slot, and this stage has its ghost cells.");
  out.line("st::sync();");
  out.line("if (" + ring.leads + " && " + later(ring.ahead) + " < " + text(ring.stages) + ") " +
           ring.fetch + "(" + later(ring.ahead) + ");");
  std::string known;  // that boxes can be copied
  if (stage.boundary) {
    if (ring.loads_ghosts())
      out.line("if (" + (stage.edge ? text(stage.edge) + " && " : "") + later(1) + " < " +
               text(ring.stages) + ") " + ring.load_ghosts + "(" + later(1) + ");");
    known = "if (" +
            (stage.edge ? "!" + text(stage.edge) + " || " + text(ring.mapped) : text(ring.mapped)) +
            ") ";
  }
  out.line(known + await(ring, ring.ready, n));
  // A fence of each writer would have it wait for all that it has stored into grids, too.
  if (stage.boundary && ring.writes_ghosts()) {
    out.comment("Ghost cells written before this barrier come before later boxes in their slot.");
    out.line("if (" + (stage.edge ? text(stage.edge) + " && " : "") + ring.leads +
             ") st::fence_copies();");
  }
  write_names(out, stage, n);
}

void write_stage_end(Writer& out, const kernel::StageEnd& end, const TextOf& text) {
  const kernel::Ring& ring = *end.ring;
  if (ring.producers > 0) return write_freed(out, end, text);
  const std::string next = text(end.n) + " + 1";
  out.line("if (" + (end.edge ? text(end.edge) + " && " : "") + next + " < " + text(ring.stages) +
           ") " + ring.store_ghosts + "(" + next + ");");
}

}  // namespace stencilc::emit
