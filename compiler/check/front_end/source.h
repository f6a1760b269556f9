// Describes texts for Clang: the text to check and headers that exist only in memory.
#pragma once

#include <string>
#include <vector>

namespace stencilc::check {

struct MemoryFile {
  std::string path;  // as written in the #include: "laplace2d.h"
  std::string text;
};

struct Source {
  std::string name;  // the name of the text in diagnostics: "laplace2d.cu"
  std::string text;
  std::vector<MemoryFile> files;          // headers that are searched before include_dirs
  std::vector<std::string> include_dirs;  // folders on disk
  // Includes of `files` at the start of many texts. A process keeps what Clang makes of these
  // headers; a text that does not include them is compiled with them as well.
  std::string prelude;
};

}  // namespace stencilc::check
