// Texts that Clang reads: the one to judge and the headers that exist only in memory.
#pragma once

#include <string>
#include <vector>

namespace stencilc::check {

struct MemoryFile {
  std::string path;  // as written in the #include: "laplace2d.h"
  std::string text;
};

struct Source {
  std::string name;  // what diagnostics call the text: "laplace2d.cu"
  std::string text;
  std::vector<MemoryFile> files;          // headers found before those of include_dirs
  std::vector<std::string> include_dirs;  // folders on disk
  // Includes of `files` that many texts begin with. Of these headers a process keeps what Clang
  // makes of them: a text that includes none of them reads them all the same.
  std::string prelude;
};

}  // namespace stencilc::check
