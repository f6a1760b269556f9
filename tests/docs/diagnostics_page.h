// docs/diagnostics.md, made from the table of codes.
#pragma once

#include <string>

namespace stencilc::test {

std::string diagnostics_page();

}  // namespace stencilc::test
