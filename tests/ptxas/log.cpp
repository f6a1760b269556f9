#include "ptxas/log.h"

#include <cxxabi.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace stencilc::ptxas {
namespace {

std::string without(std::string text, const std::string& part) {
  for (size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
  return text;
}

}  // namespace

std::string kernel_name(const std::string& mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  name = without(name, "(anonymous namespace)::");
  // A function that kernels call stands in a namespace of its file.
  if (const size_t at = name.find("_INTERNAL_"); at != std::string::npos)
    name.erase(at, name.find("::", at) + 2 - at);
  name = name.substr(0, name.find('('));
  return name.starts_with("void ") ? name.substr(5) : name;
}

std::vector<Resources> read_log(const std::string& log) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  static const std::regex function("Function properties for (\\S+)");
  static const std::regex frame(
      "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  static const std::regex used("Used (\\d+) registers"), local("(\\d+) bytes lmem");
  std::vector<Resources> all;
  bool framed = true, counted = true;  // has the last kernel had both its lines?
  const auto finish = [&] {
    if (!framed || !counted)
      throw std::runtime_error("the log does not tell the resources of " + all.back().kernel);
  };
  std::istringstream lines(log);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, entry)) {
      finish();
      all.push_back({.kernel = kernel_name(found[1])});
      framed = counted = false;
    } else if (framed && std::regex_search(line, found, function) &&
               is_called(kernel_name(found[1]))) {
      finish();
      all.push_back({.kernel = kernel_name(found[1])});
      framed = false;
    } else if (!framed && std::regex_search(line, found, frame)) {
      all.back().stack = std::stoi(found[1]);
      all.back().spill_stores = std::stoi(found[2]);
      all.back().spill_loads = std::stoi(found[3]);
      framed = true;
    } else if (!counted && std::regex_search(line, found, used)) {
      all.back().registers = std::stoi(found[1]);
      if (std::regex_search(line, found, local)) all.back().local = std::stoi(found[1]);
      counted = true;
    }
  }
  finish();
  return all;
}

bool is_called(const std::string& kernel) {
  return kernel.find("::advance_rows<") != std::string::npos ||
         kernel.find("::advance_planes<") != std::string::npos;
}

std::string memory_of(const Resources& resources) {
  return std::to_string(resources.stack) + " bytes of stack, " +
         std::to_string(resources.spill_stores) + " of spill stores, " +
         std::to_string(resources.spill_loads) + " of spill loads, " +
         std::to_string(resources.local) + " local";
}

}  // namespace stencilc::ptxas
