#include "emit/producers.h"

#include "emit/ring_parts.h"
#include "kernel/build.h"

namespace stencilc::emit {

void write_barriers(Writer& out, const kernel::Ring& ring, const TextOf& text) {
  const std::string depth = "[" + std::to_string(ring.depth) + "]";
  out.comment(
      "Of the stage in a place: its boxes have arrived; with what lies beyond the rim it is whole; "
      "all warps that compute have read it, and its place is free.");
  out.line("__shared__ st::Barrier " + ring.ready + depth + ", " + ring.whole + depth + ", " +
           ring.freed + depth + ";");
  const std::string first = std::to_string(ring.first_producer());
  out.line("const bool " + ring.fills + " = st::thread_of_block() >= " + first + ";");
  write_fetch_of_boxes(out, ring, "st::thread_of_block() == " + first, text);
  out.line("st::begin<" + std::to_string(ring.producers) + ", " + std::to_string(ring.warps) +
           ">(" + ring.ready + ", " + ring.whole + ", " + ring.freed + ");");
}

void write_filling(Writer& out, const kernel::Source& source, const TextOf& text) {
  const kernel::Ring& ring = *source.ring;
  const std::string &n = ring.n, &next = ring.next, stages = text(ring.stages);
  const std::string ahead = std::to_string(ring.ahead), depth = std::to_string(ring.depth);
  out.line("if (" + ring.fills + ") {");
  out.indent();
  if (source.rim) write_rim_functions(out, ring, text);
  out.line("for (Index " + n + " = 0; " + ring.leads + " && " + n + " < " + ahead + " && " + n +
           " < " + stages + "; ++" + n + ") " + ring.fetch + "(" + n + ");");
  out.line("for (Index " + n + " = 0; " + n + " < " + stages + "; ++" + n + ") {");
  out.indent();
  if (source.rim) {
    if (source.edge) {
      out.line("if (" + text(source.edge) + ") {");
      out.indent();
    }
    if (ring.loads_rim()) out.line(ring.load_rim + "(" + n + ");");
    out.line(ring.store_rim + "(" + n + ");");
    out.line(ring.whole + place_of(ring, n) + ".arrive();");
    if (source.edge) {
      out.outdent();
      out.line("}");
    }
  }
  out.line("const Index " + next + " = " + n + " + " + ahead + ";");
  out.line("if (" + next + " >= " + stages + ") continue;");
  out.comment("Who reads the plane that was there before has gone on.");
  out.line("if (" + next + " >= " + depth + ") " + ring.freed + place_of(ring, next) + ".await((" +
           next + " / " + depth + " + 1) % 2);");
  if (source.rim && ring.writes_rim())
    out.line("if (" + (source.edge ? text(source.edge) + " && " : "") + ring.leads +
             ") st::fence_copies();");
  out.line("if (" + ring.leads + ") " + ring.fetch + "(" + next + ");");
  out.outdent();
  out.line("}");
  out.line("return;");
  out.outdent();
  out.line("}");
}

void write_full(Writer& out, const kernel::Stage& stage, const TextOf& text) {
  const kernel::Ring& ring = *stage.ring;
  const std::string barriers =
      !stage.rim   ? ring.ready
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
