#include "golden/golden_case.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "support/process.h"

namespace stencilc::test {
namespace fs = std::filesystem;
namespace {

bool is_input(const fs::path& file) {
  return file.extension() == ".stn" || file.filename() == "flags";
}

std::vector<std::string> flags_of(const fs::path& folder) {
  if (!fs::exists(folder / "flags")) return {};
  std::istringstream words(read(folder / "flags"));
  return {std::istream_iterator<std::string>(words), {}};
}

bool has(const std::vector<std::string>& flags, const std::string& flag) {
  for (const std::string& each : flags)
    if (each == flag) return true;
  return false;
}

bool prints_a_stage(const std::vector<std::string>& flags) {
  for (const std::string& each : flags)
    if (each.starts_with("--emit=") || each == "--explain") return true;
  return false;
}

}  // namespace

fs::path golden_folder(const std::string& name) {
  return fs::path(STENCILC_SOURCE_DIR) / "tests/golden" / name;
}

Outcome golden_outcome(const std::string& name) {
  const fs::path made = fs::path(STENCILC_BINARY_DIR) / "tests/golden" / name;
  fs::remove_all(made);
  fs::create_directories(made);
  const std::vector<std::string> flags = flags_of(golden_folder(name));
  std::vector<std::string> words = {STENCILC_BINARY, "in.stn"};
  if (!prints_a_stage(flags)) {
    words.push_back("-o");
    words.push_back(made / (has(flags, "--target=cpu") ? "out.cpp" : "out.cu"));
  }
  words.insert(words.end(), flags.begin(), flags.end());

  const Finished finished = run(golden_folder(name), words);
  Outcome outcome{finished.status, {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(made))
    outcome.files[entry.path().filename()] = read(entry.path());
  if (!finished.out.empty()) outcome.files["stdout.txt"] = finished.out;
  if (!finished.err.empty()) outcome.files["diag.txt"] = finished.err;
  return outcome;
}

std::map<std::string, std::string> golden_expectation(const std::string& name) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(golden_folder(name)))
    if (!is_input(entry.path())) files[entry.path().filename()] = read(entry.path());
  return files;
}

void rewrite_golden(const std::string& name, const std::map<std::string, std::string>& files) {
  const std::map<std::string, std::string> before = golden_expectation(name);
  for (const auto& [file, text] : before)
    if (files.count(file) == 0) fs::remove(golden_folder(name) / file);
  for (const auto& [file, text] : files)
    std::ofstream(golden_folder(name) / file, std::ios::binary) << text;
}

}  // namespace stencilc::test
