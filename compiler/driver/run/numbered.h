// Names of files with the number of a step: `u_%06d.npy`.
#pragma once

#include <cstdint>
#include <string>

namespace stencilc::driver {

// Whether a text holds `%d` or `%06d`.
bool has_number(const std::string& text);
// The text with the step in the place of the number; the same if it holds none.
std::string numbered(const std::string& text, int64_t step);
// The text without the number and what separates it: `u_%06d.vti` becomes `u.vti`.
std::string without_number(const std::string& text);

// What is wrong with the name of a file that is written once, or with `every` step of a snapshot;
// otherwise "".
std::string misnumbered(const std::string& path, bool every);

}  // namespace stencilc::driver
