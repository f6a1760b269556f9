// Runs other programs.
#pragma once

#include <string>
#include <vector>

namespace stencilc::driver {

// Runs a program from the PATH, without a shell, and waits. `output` gets what it prints.
int run_process(const std::vector<std::string>& arguments, std::string& output);

// A program that reads what this one writes, such as ffmpeg.
class Piped {
 public:
  // `problem()` tells whether it runs. What it prints is kept.
  explicit Piped(const std::vector<std::string>& arguments);
  Piped(const Piped&) = delete;
  ~Piped();  // ends it, unless it was finished
  const std::string& problem() const { return problem_; }
  // False once it reads no more. A thread that calls this must have SIGPIPE blocked or ignored.
  bool write(const std::string& bytes);
  // Waits until it ends. Returns what it printed if it failed, or "".
  std::string finish();

 private:
  int input_ = -1, output_ = -1, child_ = -1;  // output: a file without a name
  std::string problem_;
};

// The path of a program on the PATH, or "".
std::string find_program(const std::string& name);

}  // namespace stencilc::driver
