#include "driver/cli/archs.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "diag/codes.h"
#include "driver/execute/library.h"
#include "driver/system/process.h"

namespace stencilc::driver {
namespace {

std::vector<std::string> installed_archs() {
  std::string output;
  run_process({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"}, output);
  return archs_of(output);
}

bool all_known(const std::vector<std::string>& archs) {
  return std::all_of(archs.begin(), archs.end(),
                     [](const std::string& arch) { return plan::find_device(arch) != nullptr; });
}

// Reports the first name that is no known device.
bool check_known(const std::vector<std::string>& archs, diag::Engine& engine) {
  for (const std::string& arch : archs) {
    if (plan::find_device(arch)) continue;
    plan::report_unknown_device(arch, diag::nowhere, "native", engine);
    return false;
  }
  return true;
}

// The names, with `native` replaced by the GPUs of this machine; nothing after an error.
std::vector<std::string> without_native(const std::vector<std::string>& archs,
                                        diag::Engine& engine) {
  std::vector<std::string> named;
  for (const std::string& arch : archs) {
    if (arch != "native") {
      named.push_back(arch);
      continue;
    }
    const std::vector<std::string> installed = installed_archs();
    if (installed.empty() || !all_known(installed)) {
      engine
          .report(
              diag::bad_arch, diag::nowhere,
              "`--arch=native` means the GPU of this machine, but " +
                  (installed.empty() ? "`nvidia-smi` shows none"
                                     : fmt::format("that is {}, which this stencilc does not know",
                                                   fmt::join(installed, ", "))))
          .help("name an architecture, such as `--arch=sm_90`");
      return {};
    }
    named.insert(named.end(), installed.begin(), installed.end());
  }
  return named;
}

}  // namespace

std::vector<std::string> archs_of(const std::string& capabilities) {
  std::vector<std::string> archs;
  std::istringstream lines(capabilities);
  for (std::string line; std::getline(lines, line);) {
    const size_t dot = line.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 2 != line.size()) continue;
    line.erase(dot, 1);
    const bool number =
        std::all_of(line.begin(), line.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) archs.push_back("sm_" + line);
  }
  return archs;
}

bool find_devices(Options& options, diag::Engine& engine) {
  std::vector<std::string>& archs = options.archs;
  if (options.compilation.target == plan::Target::cpu) {
    std::erase(archs, "native");
  } else if (!archs.empty()) {
    archs = without_native(archs, engine);
    if (archs.empty()) return false;
  } else if (options.command != Options::compile && has_gpu()) {
    archs = installed_archs();
    if (!all_known(archs)) archs.clear();  // nvcc may know them
  }
  if (!check_known(archs, engine)) return false;
  std::vector<std::string> once;
  for (const std::string& arch : archs)
    if (std::find(once.begin(), once.end(), arch) == once.end()) once.push_back(arch);
  archs = once;
  options.compilation.devices_named = !archs.empty();
  if (!archs.empty()) options.compilation.devices.clear();
  for (const std::string& arch : archs)
    options.compilation.devices.push_back(*plan::find_device(arch));
  return true;
}

bool has_machine(const Options& options, const char* does, diag::Engine& engine) {
  if (options.compilation.target == plan::Target::cpu || has_gpu()) return true;
  engine.report(diag::tool_missing, diag::nowhere, gpu_missing())
      .help(fmt::format("`--target=cpu` {} the CPU version", does));
  return false;
}

}  // namespace stencilc::driver
