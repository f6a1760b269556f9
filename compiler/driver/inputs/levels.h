// Names of levels of fields in `--in`: "u", "u[t]", "u[t-1]".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace stencilc::driver {

struct LevelName {
  std::string field;
  std::optional<int> level;  // 1: t-1; empty: all levels of the field
};
// Nothing for text with brackets that is not of that form.
std::optional<LevelName> level_name(const std::string& text);

// The levels of a field that a run starts with, the newest first.
int first_levels(const ir::Field& field);

// "u" of a field with one level, else "u[t]" or "u[t-1]".
std::string print_level(const ir::Field& field, int level);

// The names of levels by the field that they are of: "u" where all levels of it are listed.
// `listed` tells for each field and level whether it is.
std::vector<std::string> names_of_levels(const ir::Stencil& stencil,
                                         const std::vector<std::vector<bool>>& listed);

}  // namespace stencilc::driver
