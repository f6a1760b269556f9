#include "driver/measure/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#include "driver/execute/library.h"
#include "driver/system/process.h"

namespace stencilc::driver {
namespace {

// 2026-01-31T12:00:00+01:00
std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm local{};
  localtime_r(&time, &local);
  char text[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local);
  std::string date = text;
  return date.size() > 2 ? date.insert(date.size() - 2, ":") : date;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "CPU";
}

// Bytes of the last level; if the C library does not know them, from Linux.
int64_t largest_cache() {
  int64_t bytes = 0;
  for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
    bytes = std::max<int64_t>(bytes, sysconf(level));
  for (int index = 0; bytes <= 0 && index < 5; ++index) {
    std::ifstream size(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
    int64_t kilobytes = 0;
    if (size >> kilobytes) bytes = std::max(bytes, kilobytes << 10);
  }
  return bytes;
}

// The line of the output of `--version` that contains the version.
std::string version_of(const std::string& compiler) {
  std::string output;
  run_process({compiler, "--version"}, output);
  std::istringstream lines(output);
  std::string first, line;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find("release") != std::string::npos) return compiler + ": " + line;
  }
  return first;
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \n"), end = text.find_last_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

void read_gpu(const std::string& line, Place& place) {
  std::vector<std::string> cells;
  std::istringstream parts(line.substr(0, line.find('\n')));
  for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(trimmed(cell));
  if (cells.size() != 5) return;
  place.device = cells[0];
  place.driver = cells[1];
  place.clocks = fmt::format("at most {} SM, {} memory, {}", cells[2], cells[3], cells[4]);
}

Place place_of(plan::Target target, const std::vector<std::string>& words) {
  Place place;
  place.date = now();
  place.host = host_name();
  place.cores = static_cast<int>(std::thread::hardware_concurrency());
  place.compiler = version_of(compiler_for(target, {}).command[0]);
  place.command = "stencilc";
  for (const std::string& word : words) place.command += " " + word;
  if (target == plan::Target::cpu) {
    place.device = fmt::format("{}, {} threads", cpu_name(), place.cores);
    place.cache = largest_cache();
    return place;
  }
  place.device = "GPU";
  std::string output;
  run_process(
      {"nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm,clocks.max.memory,power.limit",
       "--format=csv,noheader"},
      output);
  read_gpu(output, place);
  return place;
}

}  // namespace stencilc::driver
