// Reads whole files, and writes them completely or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stencilc::driver {

// The text of a file ("-": standard input), or why it cannot be read.
struct Text {
  std::string text;
  std::string problem;  // "no such file", "it is a directory", "it is larger than 64 MiB"
  bool too_large = false;
};
Text read_text(const std::string& path, size_t limit);
inline constexpr size_t kMaxSource = 64u << 20;      // bytes of a .stn file
inline constexpr size_t kMaxData = size_t{1} << 40;  // bytes of an array or image

// Writes to a temporary file and renames it: a reader never sees half a file, and an interrupted
// run leaves the old one. A file that already holds the text keeps its time stamp. "-" is standard
// output. Returns what went wrong, or "". `more` is what follows, for texts that are not in one
// piece of memory.
std::string write_text(const std::string& path, std::string_view text, std::string_view more = {});

// The same for several files: all or none are written, unless the process is killed during the
// renames. Files are renamed in order, so a file that needs another one comes after it.
struct Output {
  std::string path, text;
};
struct Unwritten {
  std::string path, why;
};
std::optional<Unwritten> write_texts(const std::vector<Output>& outputs);

// Whether two paths lead to the same file, even if it does not exist yet.
bool same_file(const std::string& a, const std::string& b);

// Why a dependency file cannot contain the name of a file, such as "holds `;`"; or "".
std::string no_dependency(const std::string& name);
// A dependency rule as gcc writes it.
std::string dependency_rule(const std::vector<std::string>& targets,
                            const std::vector<std::string>& inputs, bool phony);

}  // namespace stencilc::driver
