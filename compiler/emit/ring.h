// Rings of planes in shared memory as text.
#pragma once

#include <functional>
#include <string>

#include "emit/writer.h"
#include "kernel/ring.h"

namespace stencilc::emit {

using TextOf = std::function<std::string(const kernel::ExprPtr&)>;

// The ring's memory; of boxes, the function that asks for a stage, called for the first ones.
void write_ring(Writer& out, const kernel::Ring& ring, const TextOf& text);
// The function by which the threads load a stage, or what of its boxes lies outside the grid,
// called for the first ones.
void write_source(Writer& out, const kernel::Source& source, const TextOf& text);
void write_stage(Writer& out, const kernel::Stage& stage, const TextOf& text);
void write_stage_end(Writer& out, const kernel::StageEnd& end, const TextOf& text);

}  // namespace stencilc::emit
