#include "docs/markdown.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace stencilc::test {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view fence = "```";

bool is_fence(const std::string& line) { return line.starts_with(fence); }

// Calls visit(line, number, in_code) for each line that is no fence, and open(line, number) for
// each that opens a block.
template <typename Visit, typename Open>
void for_lines(const fs::path& file, Visit visit, Open open) {
  std::ifstream in(file);
  bool in_code = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!is_fence(line)) {
      visit(line, in_code);
      continue;
    }
    in_code = !in_code;
    if (in_code) open(line, number);
  }
}

}  // namespace

std::vector<Block> code_blocks(const fs::path& file) {
  std::vector<Block> blocks;
  for_lines(
      file,
      [&](const std::string& line, bool in_code) {
        if (in_code) blocks.back().text += line + "\n";
      },
      [&](const std::string& line, int number) {
        Block block{file, number, "", "", ""};
        std::istringstream(line.substr(fence.size())) >> block.language >> block.note;
        blocks.push_back(block);
      });
  return blocks;
}

std::string place(const Block& block) {
  return block.file.lexically_relative(STENCILC_SOURCE_DIR).string() + ":" +
         std::to_string(block.line);
}

std::vector<std::string> links(const fs::path& file) {
  static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  std::vector<std::string> targets;
  for_lines(
      file,
      [&](const std::string& line, bool in_code) {
        if (in_code) return;
        for (std::sregex_iterator match(line.begin(), line.end(), link), end; match != end; ++match)
          if (const std::string target = (*match)[1]; target.find("://") == target.npos)
            targets.push_back(target);
      },
      [](const std::string&, int) {});
  return targets;
}

std::vector<fs::path> documents() {
  const fs::path root = STENCILC_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md"};
  for (const char* folder : {"docs", "bench/notes"})
    for (const fs::directory_entry& entry : fs::directory_iterator(root / folder))
      if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace stencilc::test
