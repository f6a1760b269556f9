#include "check/format.h"
#include "check/plugin.h"
#include "check/syntax.h"

// The symbol that load_check_api looks up.
extern "C" const stencilc::check::CheckApi* stencilc_check_api() {
  using namespace stencilc::check;
  static constexpr CheckApi api = {format_findings, syntax_findings, load,
                                   symbol,          set_mode,        take_faults};
  return &api;
}
