// Prints diagnostics in the forms of --diagnostics-format.
#pragma once

#include <string>

#include "diag/diagnostic.h"

namespace stencilc::diag {

// file:line:col: error: text [STN0201]
//    4 |   u[t+1] = 0.25 * v[x-1];
//      |                   ^
//    note: ... (with an excerpt where it has a place)
//    help: ...
// Control bytes of the source print as \xNN; excerpts are clipped to 200 columns around the caret.
std::string render_gnu(const Diagnostic& diagnostic, const Sources& sources, bool color);

// One JSON object on one line, with the field names of rustc (message, code{code,explanation},
// level, spans, children, rendered).
std::string render_json(const Diagnostic& diagnostic, const Sources& sources);

}  // namespace stencilc::diag
