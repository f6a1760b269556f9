#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace stencilc::rooms {

using Table = std::map<std::string, std::set<std::string>>;  // room -> what it may include

// Reads the rows `room -> name name ...`; lines that start with `#` and empty lines are skipped.
Table read_table(const std::filesystem::path& file);

// The source files of compiler/, grammar/ and runtime/ under `root`, sorted. Folders called shim
// are left out: their headers stand in for CUDA's and are texts for Clang.
std::vector<std::filesystem::path> source_files(const std::filesystem::path& root);

// One line for each #include under `root` that the table does not allow, and for each room and each
// folder of a room with rows for its folders that has no row.
std::vector<std::string> violations(const std::filesystem::path& root, const Table& table);

}  // namespace stencilc::rooms
