#include "driver/driver.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "diag/codes.h"
#include "diag/diagnostic.h"
#include "driver/bench/bench_command.h"
#include "driver/cache/cache_command.h"
#include "driver/cli/option_words.h"
#include "driver/cli/report.h"
#include "driver/compile/compile_command.h"
#include "driver/complete/complete.h"
#include "driver/doctor/doctor_command.h"
#include "driver/explain/explain_code.h"
#include "driver/format/format_command.h"
#include "driver/parse_options.h"
#include "driver/run/run_command.h"
#include "driver/system/exit_codes.h"
#include "driver/tune/tune_command.h"
#include "driver/verify/verify_command.h"

namespace stencilc::driver {
namespace {

// Expressions are walked by recursion, and 10,000 terms can be nested. Linux lets the stack of the
// first thread grow up to the current limit, and keeps 128 MiB free below it.
void allow_deep_expressions() {
  constexpr rlim_t kStack = rlim_t{96} << 20;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStack) return;
  stack.rlim_cur = std::min(kStack, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
}

int run(int argc, char** argv) {
  try {
    Options options;
    if (const auto code = parse_options(argc, argv, options)) return *code;
    if (!options.generate.empty()) {
      std::cout << generated_text(options.generate, all_commands());
      return kOk;
    }
    if (options.explain) return explain_code(options.explain_code);
    if (const std::string unknown = unknown_warning(options.warnings); !unknown.empty()) {
      std::vector<std::string> known = {"all", "error"};
      for (const diag::Row& row : diag::table())
        if (row.severity == diag::Severity::warning) known.emplace_back(row.name);
      return unknown_word("warning", unknown, known, "language.md");
    }
    switch (options.command) {
      case Options::compile:
        return compile_command(options);
      case Options::run:
        return run_command(options);
      case Options::verify:
        return verify_command(options);
      case Options::bench_schedules:
        return bench_command(options);
      case Options::tune_schedules:
        return tune_command(options);
      case Options::reformat:
        return format_command(options);
      case Options::examine:
        return doctor_command(options);
      case Options::keep_cache:
        return cache_command(options);
    }
  } catch (const std::bad_alloc&) {
    std::cerr << "stencilc: error: there is not enough memory\n";
    return kLimit;
  } catch (const std::exception& error) {
    std::cerr << "stencilc: internal error: " << error.what()
              << "\nstencilc: this is a bug in the compiler; please report it with the .stn file\n";
  }
  return kInternal;
}

}  // namespace

int main(int argc, char** argv) {
  allow_deep_expressions();
  const int code = run(argc, argv);
  errno = 0;
  if (std::cout.flush()) return code;
  std::cerr << "stencilc: error: cannot write to standard output"
            << (errno != 0 ? fmt::format(": {}", std::strerror(errno)) : "") << "\n";
  return code == kOk ? kInputOutput : code;
}

}  // namespace stencilc::driver
