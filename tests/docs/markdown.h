// What the tests need to know of a Markdown file: its code blocks and its links.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stencilc::test {

// ```stn STN0302 and what follows up to the closing ```.
struct Block {
  std::filesystem::path file;
  int line = 0;          // of the opening ```, from 1
  std::string language;  // "stn"
  std::string note;      // "STN0302", or ""
  std::string text;
};
std::vector<Block> code_blocks(const std::filesystem::path& file);
std::string place(const Block& block);  // "docs/cli.md:12"

// Targets of links and pictures outside of code blocks: [text](target), ![text](target). Fragments
// are cut off; what leads into the web is left out.
std::vector<std::string> links(const std::filesystem::path& file);

// README.md and the files of docs and bench/notes.
std::vector<std::filesystem::path> documents();

}  // namespace stencilc::test
