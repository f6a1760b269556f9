#include "driver/system/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "driver/system/process.h"

namespace stencilc::driver {
namespace {

// The number behind a word in a file of lines "MemAvailable:  1234 kB".
std::optional<double> number_behind(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double number = 0;
    if (words >> name >> number && (name == word || name == word + ":")) return number;
  }
  return {};
}

std::optional<double> first_number(const std::string& path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number) return number;
  return {};
}

// Pages that the kernel can take back do not count as used.
std::optional<double> of_container() {
  const std::string folder = "/sys/fs/cgroup";
  const auto most = first_number(folder + "/memory.max");  // "max": no limit
  if (!most) return {};
  return std::max(0.0, *most - number_behind(folder + "/memory.stat", "anon").value_or(0));
}

std::optional<double> of_machine() {
  const auto free = number_behind("/proc/meminfo", "MemAvailable");
  if (!free) return {};
  return 1024 * (*free + number_behind("/proc/meminfo", "SwapFree").value_or(0));
}

std::optional<double> lesser(std::optional<double> a, std::optional<double> b) {
  return !a ? b : !b ? a : std::min(*a, *b);
}

}  // namespace

std::optional<double> machine_memory_left() { return lesser(of_machine(), of_container()); }

std::optional<double> process_memory_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const double used =
      first_number("/proc/self/statm").value_or(0) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

std::optional<double> host_memory_left() {
  return lesser(machine_memory_left(), process_memory_left());
}

std::optional<double> gpu_memory_left() {
  std::string output;
  if (find_program("nvidia-smi").empty() ||
      run_process({"nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits"},
                  output) != 0)
    return {};
  std::optional<double> most;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    int64_t mebibytes = 0;
    const char* const end = line.data() + line.size();
    const auto [next, error] = std::from_chars(line.data(), end, mebibytes);
    if (error != std::errc() || next != end) return {};
    most = std::max(most.value_or(0), static_cast<double>(mebibytes) * 1048576);
  }
  return most;
}

std::string print_bytes(double bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.{}f} {}", bytes, bytes < 99.95 ? 1 : 0, kUnits[unit]);
}

}  // namespace stencilc::driver
