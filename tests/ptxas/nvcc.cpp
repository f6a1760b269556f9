#include "ptxas/nvcc.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <future>
#include <stdexcept>

#include "support/process.h"

#ifndef STENCILC_NVCC
#define STENCILC_NVCC ""  // for a build without it, where no test comes as far as to call it
#endif

namespace stencilc::ptxas {
namespace {

namespace fs = std::filesystem;

const fs::path include_dir = fs::path(STENCILC_SOURCE_DIR) / "runtime/include";

using Texts = std::map<std::string, std::string>;  // of files, by their names

struct Compilation {
  std::string ptx, log;
};

std::string key_of(const std::vector<std::string>& command, const Texts& texts) {
  std::string key = test::run(".", {STENCILC_NVCC, "--version"}).out;
  for (const std::string& word : command) key += word + "\n";
  for (const auto& [file, text] : texts) key += file + "\n" + text;
  std::vector<fs::path> headers(fs::directory_iterator(include_dir / "stencil"), {});
  std::sort(headers.begin(), headers.end());
  for (const fs::path& header : headers) key += test::read(header);
  return key;
}

// Of the file <name>.cu, which is one of the texts.
Compilation compile(const std::string& name, const std::string& arch, const Texts& texts) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/ptxas-compiled" / name;
  // -keep leaves the PTX that ptxas is given, beside what it says.
  const std::vector<std::string> command = {
      STENCILC_NVCC, "-std=c++17",   "-arch=" + arch, "-cubin", "-Xptxas=-v",
      "-keep",       "-keep-dir",    "kept",          "-I",     include_dir,
      "-o",          "kept/a.cubin", name + ".cu"};
  const std::string key = key_of(command, texts);
  const fs::path ptx = folder / (name + ".ptx"), log = folder / "log", passed = folder / "passed";
  if (fs::exists(passed) && test::read(passed) == key) return {test::read(ptx), test::read(log)};

  fs::remove_all(folder);
  fs::create_directories(folder / "kept");
  for (const auto& [file, text] : texts) std::ofstream(folder / file, std::ios::binary) << text;
  const test::Finished finished = test::run(folder, command);
  if (finished.status != 0) throw std::runtime_error(name + ": " + finished.out + finished.err);
  fs::rename(folder / "kept" / ptx.filename(), ptx);
  fs::remove_all(folder / "kept");
  std::ofstream(log, std::ios::binary) << finished.out << finished.err;
  std::ofstream(passed, std::ios::binary) << key;
  return {test::read(ptx), test::read(log)};
}

CompiledUnit read(Unit unit, const Compilation& compilation) {
  return {std::move(unit), read_ptx(compilation.ptx), read_log(compilation.log)};
}

CompiledUnit compile(const Unit& unit) {
  Texts texts;
  std::string& all = texts[unit.name + ".cu"];
  for (const Emitted& program : unit.programs) {
    all += "#include \"" + program.name + ".cu\"\n";
    texts[program.name + ".cu"] = program.source;
    texts[program.name + ".h"] = program.header;
  }
  return read(unit, compile(unit.name, unit.arch, texts));
}

}  // namespace

std::vector<CompiledUnit> compile(const std::vector<Unit>& units) {
  std::vector<CompiledUnit> compiled(units.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < units.size();) compiled[i] = compile(units[i]);
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  return compiled;
}

CompiledUnit compile_text(const std::string& name, const std::string& arch,
                          const std::string& source) {
  return read({name, arch, {}}, compile(name, arch, {{name + ".cu", source}}));
}

}  // namespace stencilc::ptxas
