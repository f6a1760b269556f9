// Files: read whole, written whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stencilc::driver {

// The text of a file ("-": standard input), or why it cannot be read.
struct Text {
  std::string text;
  std::string problem;  // "no such file", "it is a directory", "larger than 64 MiB"
  bool too_large = false;
};
Text read_text(const std::string& path, size_t limit);
inline constexpr size_t kMaxSource = 64u << 20;      // of a .stn
inline constexpr size_t kMaxData = size_t{1} << 40;  // of an array or image

// Writes beside the target and renames: a reader never sees half a file, and an interrupted run
// leaves the old one. A file that holds the same text already keeps its time stamp. "-" is standard
// output. Returns what went wrong, or "".
std::string write_text(const std::string& path, const std::string& text);

// The same for several files: all are written or none is, but by who is killed while they get their
// names. They get them in this order: what asks for another one stands behind it.
struct Output {
  std::string path, text;
};
struct Unwritten {
  std::string path, why;
};
std::optional<Unwritten> write_texts(const std::vector<Output>& outputs);

// Do two paths lead to one file, there already or not yet?
bool same_file(const std::string& a, const std::string& b);

// Why a depfile cannot carry the name of a file: "holds `;`"; or "".
std::string no_dependency(const std::string& name);
// A dependency rule as gcc writes it.
std::string dependency_rule(const std::vector<std::string>& targets,
                            const std::vector<std::string>& inputs, bool phony);

}  // namespace stencilc::driver
