#include "driver/bench/profile.h"

#include <filesystem>
#include <iostream>

#include "diag/excerpt.h"
#include "driver/measure/resources.h"
#include "driver/system/process.h"

namespace stencilc::driver {
namespace {

constexpr int kWarp = 32;  // threads

// The line that says what went wrong, or else the last line.
std::string complaint(const std::string& output) {
  const size_t error = output.find("ERROR");
  if (error != std::string::npos) return output.substr(error, output.find('\n', error) - error);
  const size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return "ncu printed nothing";
  const size_t begin = output.rfind('\n', end);
  return output.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1);
}

}  // namespace

int64_t profiled_steps(const ir::Stencil& stencil) { return stencil.steps() ? 12 : 1; }

bool counts_instructions(const Options& options) {
  if (!options.bench.ncu) return false;
  const std::string why =
      options.compilation.target == plan::Target::cpu ? "instructions are counted on a GPU only"
      : options.input == "-" ? "instructions are not counted for a stencil from standard input"
      : find_program("ncu").empty() ? "`ncu` is not on the PATH; instructions are not counted"
                                    : "";
  if (!why.empty()) std::cerr << "stencilc: " << diag::printable(why) << "\n";
  return why.empty();
}

std::optional<double> instructions_per_cell(const Options& options, const std::string& schedule,
                                            const ir::Stencil& stencil, double cells,
                                            std::string& problem) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    problem = "cannot find the path of this program: " + error.message();
    return {};
  }
  std::vector<std::string> command = {"ncu", "--csv", "--metrics", "smsp__inst_executed.sum",
                                      program.string()};
  command.insert(command.end(), options.bench.words.begin(), options.bench.words.end());
  command.insert(command.end(), {"--once", "--schedule=" + schedule});
  std::string output;
  run_process(command, output);
  const std::optional<double> warps = read_instructions(output);
  if (!warps) {
    problem = complaint(output);
    return {};
  }
  return *warps * kWarp / (cells * static_cast<double>(profiled_steps(stencil)));
}

}  // namespace stencilc::driver
