#include "golden/golden_unit.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "golden/golden_case.h"
#include "support/process.h"

namespace stencilc::test {
namespace {

const std::string own_header = "#include \"out.h\"\n";

// What follows `head` on the lines that begin with it.
std::set<std::string> after(const std::string& head, const std::string& text) {
  std::set<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(head)) found.insert(line.substr(head.size()));
  return found;
}

}  // namespace

std::vector<GoldenUnit> golden_units(const std::vector<std::string>& cases) {
  std::vector<GoldenUnit> units;
  std::vector<std::set<std::string>> stencils;  // that a unit has
  for (const std::string& name : cases) {
    const std::set<std::string> own = after("namespace ", read(golden_folder(name) / "out.h"));
    size_t best = units.size();
    for (size_t i = 0; i < units.size(); ++i) {
      const bool free = std::none_of(own.begin(), own.end(),
                                     [&](const auto& one) { return stencils[i].contains(one); });
      if (free && (best == units.size() || units[i].size() < units[best].size())) best = i;
    }
    if (best == units.size()) {
      units.emplace_back();
      stencils.emplace_back();
    }
    units[best].push_back(name);
    stencils[best].insert(own.begin(), own.end());
  }
  return units;
}

std::string text_of(const GoldenUnit& unit, const std::string& file, Names names) {
  std::string all;
  for (const std::string& name : unit) {
    std::string text = read(golden_folder(name) / file);
    if (const size_t at = text.find(own_header); at != text.npos)
      text.replace(at, own_header.size(), "#include \"" + name + "/out.h\"\n");
    const std::string path = name + "/" + file;
    all += (names == Names::lines ? "#line 1 \"" + path + "\"" : "// " + path) + "\n" + text;
  }
  return all;
}

std::set<std::string> includes_of(const std::string& text) { return after("#include ", text); }

}  // namespace stencilc::test
