// stencilc-growth                     the shapes, each with the sizes that are measured and the
// largest one stencilc-growth SHAPE N             the program with N of them stencilc-growth count
// FOLDER SHAPE:N...   compiles each of them, with -O0, or with a schedule that the compiler chooses
// where
//                                     `:planned` follows; under callgrind it says what each took
//
// What callgrind counts are the instructions of this process: those of the compiler, which is
// linked in, after the command line was read. A process for each program would spend most of its
// time on what valgrind does at its start.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "driver/compile/compile_command.h"
#include "driver/parse_options.h"
#include "growth/shapes.h"

#ifdef STENCILC_HAS_VALGRIND
#include <valgrind/valgrind.h>
#else
#define VALGRIND_MONITOR_COMMAND(command) (command)
#endif

namespace stencilc::growth {
namespace {

const Shape* find(const std::string& name) {
  for (const Shape& shape : shapes())
    if (shape.name == name) return &shape;
  std::cerr << "there is no shape " << name << "\n";
  return nullptr;
}

// What the command line of a program says; its words are the same for all programs.
driver::Options options_for(bool planned, const std::filesystem::path& folder) {
  std::vector<std::string> words = {"stencilc", folder / "in.stn", "-o", folder / "out.cu"};
  if (!planned) words.push_back("-O0");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  driver::Options options;
  if (driver::parse_options(static_cast<int>(words.size()), argv.data(), options)) std::abort();
  return options;
}

int compile(const Shape& shape, int n, const driver::Options& options) {
  std::ofstream(options.input) << shape.text(n);
  return driver::compile_command(options);
}

// What no compiler may do, to see that it is seen.
void square(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) sum = sum + k;
}

// Has callgrind say how many instructions there were so far.
void say() { (void)VALGRIND_MONITOR_COMMAND("status internal"); }

int count(const std::filesystem::path& folder, const std::vector<std::string>& programs) {
  // Messages are made, and read by nobody.
  const int said = open("/dev/null", O_WRONLY);
  dup2(said, STDERR_FILENO);
  const driver::Options options[] = {options_for(false, folder), options_for(true, folder)};
  say();
  for (const std::string& program : programs) {
    const size_t colon = program.find(':');
    const std::string name = program.substr(0, colon);
    const int n = std::atoi(program.c_str() + colon + 1);
    if (name == "squares") {
      square(n);
    } else {
      const Shape* shape = find(name);
      if (!shape) return 1;
      const int status = compile(*shape, n, options[program.ends_with(":planned")]);
      if ((status != 0) != (shape->kind == Shape::refused)) {
        std::cout << program << " ends with status " << status << "\n";
        return 1;
      }
    }
    say();
  }
  return 0;
}

}  // namespace
}  // namespace stencilc::growth

int main(int argc, char** argv) {
  using namespace stencilc::growth;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    for (const Shape& shape : shapes())
      std::printf("%s %d %d\n", shape.name, shape.size, shape.most);
    return 0;
  }
  if (words[0] == "count" && words.size() > 2)
    return count(words[1], {words.begin() + 2, words.end()});
  const Shape* shape = words.size() == 2 ? find(words[0]) : nullptr;
  if (!shape) return 2;
  std::cout << shape->text(std::stoi(words[1]));
  return 0;
}
