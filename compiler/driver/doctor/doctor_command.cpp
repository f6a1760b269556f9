#include "driver/doctor/doctor_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "diag/excerpt.h"
#include "driver/cli/option_words.h"
#include "driver/doctor/parts.h"
#include "driver/system/exit_codes.h"
#include "driver/system/json_text.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

// Where programs can run.
struct Targets {
  bool cpu = false, cuda = false;
};

Targets targets_of(const std::vector<Part>& parts) {
  const auto works = [&](const char* name) {
    return std::ranges::any_of(parts,
                               [&](const Part& one) { return one.name == name && one.works(); });
  };
  return {works("g++") && works("OpenMP"), works("g++") && works("GPU") && works("nvcc")};
}

bool is_well(const std::vector<Part>& parts, const Targets& targets) {
  return (targets.cpu || targets.cuda) &&
         std::ranges::all_of(parts, [](const Part& one) { return one.problem.empty(); });
}

nlohmann::ordered_json json_of(const std::vector<Part>& parts, const Targets& targets) {
  nlohmann::ordered_json json;
  json["schema"] = 1;
  json["stencilc"] = kVersion;
  json["well"] = is_well(parts, targets);
  json["runs_on"] = {{"cpu", targets.cpu}, {"cuda", targets.cuda}};
  for (const Part& part : parts) {
    nlohmann::ordered_json one;
    one["name"] = part.name;
    one["found"] = part.found;
    one["works"] = part.works();
    if (!part.version.empty()) one["version"] = part.version;
    if (!part.place.empty()) one["place"] = part.place;
    if (!part.problem.empty()) one["problem"] = part.problem;
    one["without"] = part.without;
    one["package"] = part.package;
    json["parts"].push_back(one);
  }
  return json;
}

void print(const std::vector<Part>& parts, const Targets& targets) {
  std::cout << fmt::format("stencilc {}\n", kVersion);
  const auto more = [](const std::string& word, const std::string& text) {
    std::cout << fmt::format("{:17} {}: {}\n", "", word, diag::printable(text));
  };
  for (const Part& part : parts) {
    const char* const state = !part.found ? "missing" : part.works() ? "found" : "broken";
    std::string text = part.version;
    if (!part.place.empty() && part.place != text) text += (text.empty() ? "" : ", ") + part.place;
    if (!part.found) text = part.without;
    std::cout << fmt::format("{:8} {:8} {}\n", part.name, state, diag::printable(text));
    if (!part.problem.empty()) more("problem", part.problem);
    if (part.found && !part.works()) more("without it", part.without);
    if (!part.works()) more("remedy", part.package);
  }
  std::cout << fmt::format("Programs {} on the CPU, and {} on a GPU.\n",
                           targets.cpu ? "run" : "do not run", targets.cuda ? "run" : "do not run");
}

}  // namespace

std::optional<int> parse_doctor_options(const std::vector<std::string>& words, Options& options) {
  options.command = Options::examine;
  CLI::App app(
      "Says which compilers, GPUs and libraries are found, and what each missing one disables.\n"
      "Ends with 0 if programs can run, on the CPU or on a GPU, and all that is found works.",
      "stencilc doctor");
  app.add_flag("--json", options.json, "Print JSON");
  return parse_words(app, {words.begin() + 1, words.end()}, "stencilc doctor");
}

int doctor_command(const Options& options) {
  const std::vector<Part> parts = find_parts();
  const Targets targets = targets_of(parts);
  if (options.json)
    std::cout << json_text(json_of(parts, targets));
  else
    print(parts, targets);
  return is_well(parts, targets) ? kOk : kDiagnostics;
}

}  // namespace stencilc::driver
