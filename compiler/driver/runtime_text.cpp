#include "driver/runtime_text.h"

#include <set>
#include <sstream>

#include "generated/runtime_files.h"

namespace stencilc::driver {
namespace {

std::string_view find(const std::string& name) {
  for (const RuntimeFile& file : runtime_files())
    if (file.name == name) return file.text;
  return {};
}

void flatten(const std::string& name, std::set<std::string>& seen, std::string& out) {
  if (!seen.insert(name).second) return;
  std::istringstream lines{std::string(find(name))};
  for (std::string line; std::getline(lines, line);) {
    if (line == "#pragma once") continue;
    if (line.starts_with("#include \"")) {
      flatten("stencil/" + line.substr(10, line.find('"', 10) - 10), seen, out);
      continue;
    }
    out += line + "\n";
  }
}

}  // namespace

std::string runtime_text(const std::string& header) {
  std::string out = "#ifndef STENCIL_RUNTIME_HERE\n#define STENCIL_RUNTIME_HERE\n";
  std::set<std::string> seen;
  flatten(header, seen, out);
  return out + "#endif";
}

}  // namespace stencilc::driver
