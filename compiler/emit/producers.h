// Rings that threads of their own fill (kernel/ring.h), as text.
#pragma once

#include "emit/ring.h"

namespace stencilc::emit {

// The barriers, and the function that asks for a stage.
void write_barriers(Writer& out, const kernel::Ring& ring, const TextOf& text);
// What these threads do. The others go on after it.
void write_filling(Writer& out, const kernel::Source& source, const TextOf& text);
// A stage is there.
void write_full(Writer& out, const kernel::Stage& stage, const TextOf& text);
// A warp has read all that it reads in the place of a stage.
void write_freed(Writer& out, const kernel::StageEnd& end, const TextOf& text);

}  // namespace stencilc::emit
