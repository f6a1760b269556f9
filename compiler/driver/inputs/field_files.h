// The files that `stencilc run` reads for its fields, and how their names must end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/array.h"
#include "diag/diagnostic.h"
#include "ir/ir.h"

namespace stencilc::driver {

// In capitals too: .PNG.
bool ends_in(const std::string& file, std::string_view ending);
bool is_file(const std::string& what);  // .png or .npy

// Of what is neither a file that can be read nor looks like the name of a generator: what is read
// instead; or "".
std::string unread_file(const std::string& what);

// Of a name for a file that holds `%d` or the like; or "".
std::string numbered_file(const std::string& path);

// The array of a file in the type of the field. What is converted is said in a note; what the type
// cannot hold, or with `strict` what it rounds, is reported.
std::optional<data::Array> read_field(const std::string& file, const ir::Field& field, bool strict,
                                      std::vector<std::string>& notes, diag::Engine& engine);

}  // namespace stencilc::driver
