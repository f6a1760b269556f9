// Reads files for the fields of `stencilc run`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/values/array.h"
#include "diag/diagnostic.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/input_facts.h"
#include "ir/ir.h"

namespace stencilc::driver {

// `--in r,g,b=photo.png`
struct FieldSource {
  FileName file;
  std::vector<const ir::Field*> fields;
  std::vector<std::optional<int>> levels;  // of each field: that it fills; empty: all
  int rank = 1;                            // of the grid
  bool by_channel = false;                 // may the program run on each colour?
  bool strict = false;                     // refuses values that would be rounded
};

// Reads a file and converts its arrays to the types of the fields, with a note to the user. Reports
// values that a type cannot hold, and with `strict` values that it would round. A picture changes
// the facts.
std::optional<std::vector<data::Array>> read_fields(const FieldSource& source, InputFacts& facts,
                                                    std::vector<std::string>& notes,
                                                    diag::Engine& engine);

// Those planes of a .npy file alone that `planes` chooses by its extents. Nothing where the file
// has to be read whole: its values are of another type or in another order, it is damaged, or there
// are no planes.
struct FilePart {
  data::Array array;
  data::Extents whole;  // of the file
};
std::optional<FilePart> read_part(const std::string& path, data::Element element,
                                  const std::function<data::Planes(const data::Extents&)>& planes);

}  // namespace stencilc::driver
