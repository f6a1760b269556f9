// Reads files for the fields of `stencilc run`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/array.h"
#include "diag/diagnostic.h"
#include "driver/inputs/input_facts.h"
#include "ir/ir.h"

namespace stencilc::driver {

// Ignores case, so that .PNG works.
bool ends_in(const std::string& file, std::string_view ending);
bool is_file(const std::string& what);  // Whether the name ends in .png or .npy.

// The names of "r,g,b".
std::vector<std::string> split_names(const std::string& list);

// For a name that is neither a readable file nor looks like a generator: what to use instead;
// otherwise "".
std::string unread_file(const std::string& what);

// What is wrong with a file name that contains `%d` or similar; otherwise "".
std::string numbered_file(const std::string& path);

// `--in r,g,b=photo.png`
struct FieldSource {
  std::string file;
  std::vector<const ir::Field*> fields;
  bool by_channel = false;  // may the program run on each colour?
  bool strict = false;      // refuses values that would be rounded
};

// Reads a file and converts its arrays to the types of the fields, with a note to the user. Reports
// values that a type cannot hold, and with `strict` values that it would round. A picture changes
// the facts.
std::optional<std::vector<data::Array>> read_fields(const FieldSource& source, InputFacts& facts,
                                                    std::vector<std::string>& notes,
                                                    diag::Engine& engine);

}  // namespace stencilc::driver
