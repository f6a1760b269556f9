#include "driver/pipeline/runtime_text.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "generated/runtime_files.h"

namespace stencilc::driver {
namespace {

std::string_view header_text(const std::string& name) {
  for (const RuntimeFile& file : runtime_files())
    if (file.name == name) return file.text;
  return {};
}

void flatten(const std::string& name, std::set<std::string>& seen, std::string& out) {
  if (!seen.insert(name).second) return;
  std::istringstream lines{std::string(header_text(name))};
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

std::string runtime_text(const std::vector<std::string>& headers) {
  std::string out;
  std::set<std::string> seen;
  for (const std::string& header : headers) {
    std::string guard = "STENCIL_HERE_" + header.substr(header.find('/') + 1);
    std::replace(guard.begin(), guard.end(), '.', '_');
    out += (out.empty() ? "#ifndef " : "\n#ifndef ") + guard + "\n#define " + guard + "\n";
    flatten(header, seen, out);
    out += "#endif";
  }
  return out;
}

}  // namespace stencilc::driver
