// Loads the room `check` as a library when it is needed, so that a plain compile does not load
// Clang.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/executor/executor.h"
#include "check/front_end/source.h"

namespace stencilc::check {

// The functions of format.h, syntax.h and executor.h.
struct CheckApi {
  std::vector<std::string> (*format_findings)(std::string_view text);
  std::vector<std::string> (*syntax_findings)(const Source& source);
  Loaded (*load)(const Program& program);
  void* (*symbol)(Executor& executor, const std::string& name);
  void (*set_mode)(Executor& executor, RunMode mode);
  std::vector<std::string> (*take_faults)(Executor& executor);
  void (*set_devices)(const Devices& devices);
};

// Loads ../lib/stencilc/libstencilc_check.so, relative to the folder of the running program. Null
// if that fails, with the reason in `why_not`.
const CheckApi* load_check_api(std::string& why_not);

}  // namespace stencilc::check
