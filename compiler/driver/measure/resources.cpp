#include "driver/measure/resources.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "plan/machine/occupancy.h"

namespace stencilc::driver {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

// The text between the first `open` and the next `close`, or "".
std::string between(const std::string& text, const std::string& open, const std::string& close) {
  const size_t begin = text.find(open);
  if (begin == std::string::npos) return "";
  const size_t end = text.find(close, begin + open.size());
  return end == std::string::npos ? ""
                                  : text.substr(begin + open.size(), end - begin - open.size());
}

// The number before these words, or 0.
int number_before(const std::string& line, const std::string& words) {
  size_t end = line.find(words);
  if (end == std::string::npos) return 0;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

// A kernel, or a function that kernels call: "heat::step<int>" of its mangled name.
std::string short_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  const std::string anonymous = "(anonymous namespace)::";
  for (size_t at; (at = name.find(anonymous)) != std::string::npos;)
    name.erase(at, anonymous.size());
  // Functions are in a namespace of their file.
  if (const size_t at = name.find("_INTERNAL_"); at != std::string::npos)
    name.erase(at, name.find("::", at) + 2 - at);
  name = name.substr(0, name.find('('));
  return name.starts_with("void ") ? name.substr(5) : name;
}

const std::string kFunction = "Function properties for ";

// The kernel of this name in the list, to which it is added if need be.
KernelResources& entry_of(const std::string& name, std::vector<KernelResources>& all) {
  const auto found = std::ranges::find(all, name, &KernelResources::name);
  if (found != all.end()) return *found;
  all.push_back({name});
  return all.back();
}

// Whether a run on a grid of these extents makes the launch. Those of several steps have limits.
bool is_made(const kernel::Launch& launch, const data::Extents& extents) {
  int64_t cells = 1;
  for (size_t a = 0; a < extents.size(); ++a) {
    if (extents[a] < launch.least[a]) return false;
    cells *= extents[a];
  }
  return cells >= launch.least_cells && (launch.most == 0 || extents[0] <= launch.most);
}

// Splits "a","b, c","1,024" into a, b, c and 1,024.
std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> cells = {""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  return std::find(header.begin(), header.end(), name) - header.begin();
}

}  // namespace

std::vector<KernelResources> read_resources(const std::string& log, const std::string& name_space,
                                            bool wide) {
  std::vector<KernelResources> all;
  KernelResources ignored;
  KernelResources* kernel = &ignored;   // the one that was compiled last
  KernelResources* counted = &ignored;  // the one that the next lines count for
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (const std::string mangled = between(line, "Compiling entry function '", "'");
        !mangled.empty()) {
      const std::string full = short_name(mangled);
      const bool ours = full.starts_with(name_space + "::") &&
                        full.find(wide ? "<int" : "<long") == std::string::npos;
      const std::string name = full.substr(full.find("::") + 2);
      kernel = counted = ours ? &entry_of(name.substr(0, name.find('<')), all) : &ignored;
      continue;
    }
    if (const size_t at = line.find(kFunction); at != std::string::npos) {
      const bool near_boundary =
          short_name(line.substr(at + kFunction.size())).find("true") != std::string::npos;
      counted = near_boundary ? &ignored : kernel;
      continue;
    }
    counted->registers = std::max(counted->registers, number_before(line, " registers"));
    counted->spilled = std::max(counted->spilled, number_before(line, " bytes spill stores"));
  }
  return all;
}

std::optional<Resources> resources_of(const std::string& log, const kernel::Module& module,
                                      const data::Extents& extents, const plan::Device* device) {
  const std::vector<KernelResources> kernels =
      read_resources(log, module.name, needs_wide_indices(extents));
  const auto takes_several = [&](const kernel::Launch& launch) {
    return launch.kernel.most_steps > 1 && is_made(launch, extents);
  };
  const auto several = std::ranges::find_if(module.launches, takes_several);
  // Whether it computes cells; launches of several steps leave few steps to the others.
  const auto computes = [&](const kernel::Launch& launch) {
    return several == module.launches.end() ? launch.stage >= 0 : &launch == &*several;
  };
  std::optional<Resources> most;
  for (const kernel::Launch& launch : module.launches) {
    const auto found = std::ranges::find(kernels, launch.kernel.name, &KernelResources::name);
    if (found == kernels.end() || !is_made(launch, extents)) continue;
    if (!most) most.emplace();
    most->registers = std::max(most->registers, found->registers);
    most->spilled = std::max(most->spilled, found->spilled);
    if (!device) continue;
    const int threads = launch.kernel.block_threads();
    const int blocks = plan::occupancy(*device, threads, found->registers, launch.kernel.shared);
    if (blocks == 0) most->unheld = launch.kernel.name;
    const int warps = blocks * plan::warps_of(threads);
    if (computes(launch)) most->warps = std::min(most->warps.value_or(warps), warps);
  }
  return most;
}

bool needs_wide_indices(const data::Extents& extents) {
  double cells = 1;
  for (const int64_t extent : extents) cells *= static_cast<double>(extent);
  return cells > INT32_MAX / 2;
}

std::optional<double> read_instructions(const std::string& table) {
  std::vector<std::string> header;
  std::optional<double> sum;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('"')) continue;  // other output of the profiler and the program
    const std::vector<std::string> columns = columns_of(line);
    if (header.empty()) {
      header = columns;
      continue;
    }
    const size_t kernel = column_of(header, "Kernel Name"),
                 metric = column_of(header, "Metric Name"),
                 value = column_of(header, "Metric Value");
    if (std::max({kernel, metric, value}) >= columns.size()) continue;
    if (columns[metric] != "smsp__inst_executed.sum") continue;
    if (columns[kernel].find("::bench::") != std::string::npos ||
        columns[kernel].find("::probe::") != std::string::npos)
      continue;
    std::string digits = columns[value];
    std::erase(digits, ',');
    sum = sum.value_or(0) + std::strtod(digits.c_str(), nullptr);
  }
  return sum;
}

}  // namespace stencilc::driver
