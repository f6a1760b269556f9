// Reads files for the fields of `stencilc run`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/array.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::driver {

// Ignores case, so that .PNG works.
bool ends_in(const std::string& file, std::string_view ending);
bool is_file(const std::string& what);  // Whether the name ends in .png or .npy.

// For a name that is neither a readable file nor looks like a generator: what to use instead;
// otherwise "".
std::string unread_file(const std::string& what);

// What is wrong with a file name that contains `%d` or similar; otherwise "".
std::string numbered_file(const std::string& path);

// Reads a file and converts the array to the type of the field, with a note to the user. Reports
// values that the type cannot hold, and with `strict` values that it would round.
std::optional<data::Array> read_field(const std::string& file, const ir::Field& field, bool strict,
                                      std::vector<std::string>& notes, diag::Engine& engine);

}  // namespace stencilc::driver
