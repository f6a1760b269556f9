// stencilc as people run it: in a folder of its own, which goes away.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace stencilc::test {

class Workplace {
 public:
  Workplace() {
    std::string name = (std::filesystem::temp_directory_path() / "stencilc-cli-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  Workplace(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  // `stencilc words...`, with the cache of built kernels in the folder "cache" of this one.
  Finished stencilc(const std::vector<std::string>& words) const {
    std::vector<std::string> command = {"env", "XDG_CACHE_HOME=" + (path / "cache").string(),
                                        "OMP_NUM_THREADS=2", STENCILC_BINARY};
    command.insert(command.end(), words.begin(), words.end());
    return run(path, command);
  }
  Finished shell(const std::string& line) const { return run(path, {"sh", "-c", line}); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
  void example(const std::string& name) const {
    std::filesystem::copy_file(
        std::filesystem::path(STENCILC_SOURCE_DIR) / "examples" / (name + ".stn"),
        path / (name + ".stn"));
  }
  // The names in the folder, in order.
  std::vector<std::string> files() const { return names_in(path); }
  static std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path path;
};

using Names = std::vector<std::string>;

}  // namespace stencilc::test
