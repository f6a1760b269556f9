// A text run through parser and analysis, for tests: its stencil IR, canonical or as analysed.
#pragma once

#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "ir/ir.h"
#include "ir/numerics.h"
#include "passes/canonicalise.h"
#include "sema/sema.h"
#include "support/parsed.h"

namespace stencilc::testing {

struct Analysed {
  Parsed parsed;
  std::optional<ir::Stencil> stencil;
};

inline Analysed analysed(std::string text, const sema::Defines& defines = {}) {
  Analysed result{testing::parsed(std::move(text)), {}};
  auto stencils = sema::analyse(result.parsed.program, defines, result.parsed.engine);
  if (!stencils.empty()) result.stencil = std::move(stencils[0]);
  return result;
}

// The stencil of a text without errors, its roundings fixed.
inline ir::Stencil canonical(std::string text, ir::Numerics numerics = {}) {
  Analysed result = analysed(std::move(text));
  if (!result.stencil) throw std::runtime_error(rendered(result.parsed));
  passes::canonicalise(*result.stencil, numerics);
  ir::infer_levels(*result.stencil);
  return std::move(*result.stencil);
}

// The value of the first update of such a stencil, as the IR prints it.
inline std::string value_of(std::string text, ir::Numerics numerics = {}) {
  const ir::Stencil stencil = canonical(std::move(text), numerics);
  return ir::print(stencil.updates.at(0).cases.at(0).value, stencil);
}

// What such a stencil does, as the IR prints it: one line for each statement, without declarations.
inline std::string statements_of(std::string text) {
  const ir::Stencil stencil = canonical(std::move(text), {ir::Numerics::source, false});
  const std::string all = ir::print(stencil);
  std::string result;
  for (size_t begin = all.find('\n') + 1, end; (end = all.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string line = all.substr(begin, end - begin);
    bool declares = line == "}";
    for (const char* word : {"  param ", "  field ", "  weights ", "  points ", "  series "})
      declares |= line.starts_with(word);
    if (!declares) result += line.substr(2) + "\n";
  }
  return result;
}

// What the analysis of a text says of it, as people see it.
inline std::string complaints(std::string text) {
  return rendered(analysed(std::move(text)).parsed);
}

// The same in short: errors, notes and helps, a line each, without places and excerpts.
inline std::string messages(std::string text) {
  std::istringstream all(complaints(std::move(text)));
  std::string result;
  for (std::string line; std::getline(all, line);)
    for (const std::string mark : {" error: ", " note: ", " help: "})
      if (const size_t at = line.find(mark); at != std::string::npos)
        result += line.substr(at + (mark == " error: " ? mark.size() : 1)) + "\n";
  return result;
}

}  // namespace stencilc::testing
