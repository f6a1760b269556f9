#include "emit/producers.h"

#include "emit/ring_parts.h"
#include "kernel/build.h"

namespace stencilc::emit {

void write_barriers(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  const bool boxes = ring.kind == kernel::Ring::boxes;
  const std::string depth = "[" + kernel::spell(ring.depth) + "]";
  out.comment(
      std::string("Barriers of a slot: ") +
      (boxes ? "its boxes have arrived; with its ghost cells it is whole; " : "it has arrived; ") +
      "all warps that compute have read it, and its slot is free.");
  out.line("__shared__ st::Barrier " + ring.ready + depth + ", " +
           (boxes ? ring.whole + depth + ", " : "") + ring.freed + depth + ";");
  const std::string first = kernel::spell(ring.first_producer);
  out.line("const bool " + ring.fills + " = st::thread_of_block() >= " + first + ";");
  if (boxes) write_fetch_of_boxes(out, ring, "st::thread_of_block() == " + first, text);
  out.line("st::begin<" + kernel::spell(ring.producers) + ", " + kernel::spell(ring.warps) + ">(" +
           ring.ready + ", " + (boxes ? ring.whole + ", " : "") + ring.freed + ");");
}

namespace {

// Waits until those who read what was in the place of stage n before have gone on.
std::string await_freed(const kernel::Ring& ring, const std::string& n) {
  const std::string depth = kernel::spell(ring.depth);
  return "if (" + n + " >= " + depth + ") " + ring.freed + place_of(ring, n) + ".await((" + n +
         " / " + depth + " + 1) % 2);";
}

void write_copies(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  const std::string& n = ring.n;
  write_fetch_by_threads(out, source, text);
  out.line("for (Index " + n + " = 0; " + n + " < " + text(ring.stages) + "; ++" + n + ") {");
  out.indent();
  out.comment("All warps have read the plane that was in the slot.");
  out.line(await_freed(ring, n));
  out.line(ring.fetch + "(" + n + ");");
  out.line("st::arrive_copied(" + ring.ready + place_of(ring, n) + ");");
  out.outdent();
  out.line("}");
}

// Boxes on their way, and one stage after the other the cells outside the grid.
void write_boxes(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  const std::string &n = ring.n, &next = ring.next, stages = text(ring.stages);
  const std::string ahead = kernel::spell(ring.ahead);
  if (source.boundary) write_ghost_functions(out, ring, text);
  out.line("for (Index " + n + " = 0; " + ring.leads + " && " + n + " < " + ahead + " && " + n +
           " < " + stages + "; ++" + n + ") " + ring.fetch + "(" + n + ");");
  out.line("for (Index " + n + " = 0; " + n + " < " + stages + "; ++" + n + ") {");
  out.indent();
  if (source.boundary) {
    if (source.edge) {
      out.line("if (" + text(source.edge) + ") {");
      out.indent();
    }
    if (ring.loads_ghosts()) out.line(ring.load_ghosts + "(" + n + ");");
    out.line(ring.store_ghosts + "(" + n + ");");
    out.line(ring.whole + place_of(ring, n) + ".arrive();");
    if (source.edge) {
      out.outdent();
      out.line("}");
    }
  }
  out.line("const Index " + next + " = " + n + " + " + ahead + ";");
  out.line("if (" + next + " >= " + stages + ") continue;");
  out.comment("All warps have read the plane that was in the slot.");
  out.line(await_freed(ring, next));
  if (source.boundary && ring.writes_ghosts())
    out.line("if (" + (source.edge ? text(source.edge) + " && " : "") + ring.leads +
             ") st::fence_copies();");
  out.line("if (" + ring.leads + ") " + ring.fetch + "(" + next + ");");
  out.outdent();
  out.line("}");
}

}  // namespace

void write_filling(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  out.line("if (" + ring.fills + ") {");
  out.indent();
  if (ring.kind == kernel::Ring::boxes)
    write_boxes(out, source, text);
  else
    write_copies(out, source, text);
  out.line("return;");
  out.outdent();
  out.line("}");
}

void write_full(Writer& out, const kernel::Stage& stage, const TextOf& text) {
  const kernel::Ring& ring = *stage.ring;
  const std::string barriers =
      !stage.boundary || ring.kind != kernel::Ring::boxes ? ring.ready
      : stage.edge ? "(" + text(stage.edge) + " ? " + ring.whole + " : " + ring.ready + ")"
                   : ring.whole;
  out.line(await(ring, barriers, text(stage.n)));
}

void write_freed(Writer& out, const kernel::StageEnd& end, const TextOf& text) {
  const kernel::Ring& ring = *end.ring;
  const std::string n = text(end.n), back = std::to_string(ring.back());
  if (ring.back() == 0)
    out.line("st::release(" + ring.freed + place_of(ring, n) + ");");
  else
    out.line("if (" + n + " >= " + back + ") st::release(" + ring.freed +
             place_of(ring, "(" + n + " - " + back + ")") + ");");
}

}  // namespace stencilc::emit
