#include "check/front_end/format.h"
#include "check/front_end/syntax.h"
#include "check/plugin/plugin.h"

// The symbol that load_check_api looks up.
extern "C" const stencilc::check::CheckApi* stencilc_check_api() {
  using namespace stencilc::check;
  static constexpr CheckApi api = {format_findings, syntax_findings, load,       symbol,
                                   set_mode,        take_faults,     set_devices};
  return &api;
}
