// What a compiler has accepted, remembered in the build folder, program by program: nobody compiles
// it again until it, the command, the compiler or a header of the runtime changes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stencilc::test {

// The folder of the runtime's headers.
std::filesystem::path runtime_include();

// What a command reads besides the programs.
std::string surroundings_of(const std::vector<std::string>& command);

// What a compiler sees of an emitted program: without the remarks at the heads, which tell how the
// files are called. Golden cases and examples have the same where their kernels are the same.
std::string code_of(const std::string& source, const std::string& header);

// How nvcc compiles emitted programs, with all that it does for speed.
std::vector<std::string> nvcc_command(const std::string& arch);

class Accepted {
 public:
  // By a command without names of files.
  explicit Accepted(const std::vector<std::string>& command);
  bool has(const std::string& code) const;
  void add(const std::string& code) const;

 private:
  std::filesystem::path file_of(const std::string& code) const;
  std::string surroundings_;
};

}  // namespace stencilc::test
