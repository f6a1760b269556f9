// Rings of planes in shared memory as text.
#pragma once

#include <functional>
#include <string>

#include "emit/writer.h"
#include "kernel/ring.h"

namespace stencilc::emit {

using TextOf = std::function<std::string(const kernel::ExprPtr&)>;

// The ring's memory and barriers, the function that asks for a stage, and the first stages.
void write_ring(Writer& out, const kernel::Ring& ring, const TextOf& text);
// The functions that load and store what of a stage lies beyond the rim, called for the first one.
void write_rim(Writer& out, const kernel::Rim& rim, const TextOf& text);
void write_stage(Writer& out, const kernel::Stage& stage, const TextOf& text);
void write_stage_end(Writer& out, const kernel::StageEnd& end, const TextOf& text);

}  // namespace stencilc::emit
