#include "rooms/includes.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace stencilc::rooms {
namespace fs = std::filesystem;
namespace {

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// An #include in a raw string is text to emit, and none of ours; line numbers stay as they are.
std::string without_raw_strings(std::string text) {
  for (size_t at = 0; (at = text.find("R\"", at)) != std::string::npos;) {
    const size_t open = text.find('(', at);
    if (open == std::string::npos) break;
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const size_t end = std::min(text.find(close, open), text.size());
    for (size_t i = open; i < end; ++i)
      if (text[i] != '\n') text[i] = ' ';
    at = end;
  }
  return text;
}

// compiler/<room>/... is that room, compiler/main.cpp is `main`, and grammar/ and runtime/ are
// rooms of their own.
std::string room_of(const fs::path& file) {
  auto part = file.begin();
  if (*part != "compiler") return part->string();
  ++part;
  return std::next(part) == file.end() ? part->stem().string() : part->string();
}

// compiler/lower/cell/weights.cpp stands in the folder lower/cell; a file in a room itself, or in
// one that has no rows for its folders, in none.
std::string folder_of(const fs::path& file, const Table& table) {
  const std::string parent = file.parent_path().generic_string();
  const std::string top = "compiler/";
  if (!parent.starts_with(top) || parent.find('/', top.size()) == std::string::npos) return "";
  const std::string folder = parent.substr(top.size());
  const std::string room = folder.substr(0, folder.find('/') + 1);
  const auto row = table.lower_bound(room);
  return row != table.end() && row->first.starts_with(room) ? folder : "";
}

bool is_standard(const std::string& name) {
  return name.find_first_of("./") == std::string::npos || name == "stddef.h" || name == "stdint.h";
}

bool is_posix(const std::string& name) {
  static const std::set<std::string> headers = {
      "dlfcn.h",  "fcntl.h",    "poll.h", "signal.h", "spawn.h",   "errno.h",  "fenv.h", "stdlib.h",
      "unistd.h", "ucontext.h", "link.h", "sched.h",  "pthread.h", "cxxabi.h", "glob.h", "netdb.h"};
  return headers.count(name) != 0 || name.starts_with("sys/") || name.starts_with("netinet/") ||
         name.starts_with("arpa/");
}

// What the table calls the thing that an #include names.
std::string provider(const std::string& name) {
  if (is_posix(name)) return "posix";
  const std::string first = name.substr(0, name.find('/'));
  return first == "stencil" ? "runtime" : first;
}

}  // namespace

Table read_table(const fs::path& file) {
  Table table;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string room, arrow, name;
    words >> room >> arrow;
    std::set<std::string>& allowed = table[room];
    while (words >> name) allowed.insert(name);
  }
  return table;
}

std::vector<fs::path> source_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (const char* top : {"compiler", "grammar", "runtime"}) {
    if (!fs::exists(root / top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().parent_path().filename() == "shim")
        continue;  // stands in for CUDA's headers
      const fs::path kind = entry.path().extension();
      if (kind == ".h" || kind == ".hpp" || kind == ".cpp" || kind == ".cu")
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> violations(const fs::path& root, const Table& table) {
  static const std::regex include("\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
  std::vector<std::string> found;
  for (const fs::path& path : source_files(root)) {
    const fs::path file = fs::relative(path, root);
    const std::string room = room_of(file);
    const auto row = table.find(room);
    if (row == table.end()) {
      found.push_back(file.string() + ": the room `" + room + "` has no row");
      continue;
    }
    const std::string folder = folder_of(file, table);
    const auto inner = table.find(folder);
    if (!folder.empty() && inner == table.end()) {
      found.push_back(file.string() + ": the folder `" + folder + "` has no row");
      continue;
    }
    std::istringstream text(without_raw_strings(read(path)));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      const std::string name = match[2];
      const std::string where = file.string() + ":" + std::to_string(number) + ": ";
      const bool bare = match[1] == "\"" && name.find('/') == std::string::npos;
      if (bare && room == "runtime") continue;  // installed headers find each other by their folder
      if (bare)
        found.push_back(where + "`" + name + "` does not name its room");
      else if (!(match[1] == "<" && is_standard(name)) && provider(name) != room &&
               row->second.count(provider(name)) == 0)
        found.push_back(where + "`" + room + "` may not include `" + name + "`");
      else if (!folder.empty() && provider(name) == room) {
        const std::string other = fs::path(name).parent_path().generic_string();
        if (other != folder && inner->second.count(other) == 0)
          found.push_back(where + "`" + folder + "` may not include `" + name + "`");
      }
    }
  }
  return found;
}

}  // namespace stencilc::rooms
