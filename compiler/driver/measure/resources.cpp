#include "driver/measure/resources.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <vector>

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

std::optional<Resources> read_resources(const std::string& log, const std::string& name_space,
                                        bool wide) {
  std::optional<Resources> most;
  bool ours = false;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (const std::string name = between(line, "Compiling entry function '", "'"); !name.empty()) {
      const std::string kernel = " " + demangled(name);
      ours = kernel.find(" " + name_space + "::") != std::string::npos &&
             kernel.find(wide ? "<int" : "<long") == std::string::npos;
      continue;
    }
    if (!ours) continue;
    const int registers = number_before(line, " registers");
    const int spilled =
        number_before(line, " bytes spill stores") + number_before(line, " bytes spill loads");
    if (registers == 0 && spilled == 0) continue;
    if (!most) most.emplace();
    most->registers = std::max(most->registers, registers);
    most->spilled = std::max(most->spilled, spilled);
  }
  return most;
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
