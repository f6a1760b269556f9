#include "ptxas/nvcc.h"

#include <fstream>
#include <regex>
#include <stdexcept>

#include "ptxas/compiled.h"
#include "support/process.h"

namespace stencilc::ptxas {
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;  // of files, by their names

struct Compilation {
  std::string ptx, log;
};

// Of the file <name>.cu, which is one of the texts: to a cubin, or with the host's side.
Compilation compile(const std::string& name, const std::string& arch, const Texts& texts,
                    bool with_host) {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/ptxas-compiled" / name;
  std::vector<std::string> command = test::nvcc_command(arch);
  // -keep leaves the PTX that ptxas is given, beside what it says.
  for (const std::string& word :
       {std::string(with_host ? "-c" : "-cubin"), std::string("-Xptxas=-v"), std::string("-keep"),
        std::string("-keep-dir"), std::string("kept"), std::string("-I"),
        test::runtime_include().string(), std::string("-o"), std::string("kept/out"), name + ".cu"})
    command.push_back(word);
  std::string key = test::surroundings_of(command);
  for (const auto& [file, text] : texts) key += file + "\n" + text;
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

// The source without its kernels for indices of 64 bits, which only two functions name.
std::string narrowed(const std::string& source) {
  static const std::regex wide(R"(: \w+::advance<int64_t>;)");
  static const std::regex loaded(R"(,\s+\w+::\w+<int64_t[^>]*>)");  // by NAME_prepare
  std::string result = std::regex_replace(source, wide, ": nullptr;");
  if (result == source) throw std::runtime_error("no indices of 64 bits in\n" + source);
  const std::string call = "stencil::prepare(";
  for (size_t at = result.find(call); at != std::string::npos; at = result.find(call, at + 1)) {
    const size_t end = result.find(");", at);
    const std::string kernels = result.substr(at, end - at);
    result.replace(at, end - at, std::regex_replace(kernels, loaded, ""));
  }
  return result;
}

CompiledUnit read(Unit unit, const Compilation& compilation) {
  return {std::move(unit), read_ptx(compilation.ptx), read_log(compilation.log)};
}

CompiledUnit compile(const Unit& unit) {
  Texts texts;
  std::string& all = texts[unit.name + ".cu"];
  // One text: of files that are included nvcc does not say what is unused.
  for (const Emitted& program : unit.programs) {
    all += unit.extent == Extent::narrow_kernels ? narrowed(program.source) : program.source;
    texts[program.name + ".h"] = program.header;
  }
  CompiledUnit compiled =
      read(unit, compile(unit.name, unit.arch, texts, unit.extent == Extent::all));
  if (unit.extent == Extent::all) {
    const test::Accepted accepted(test::nvcc_command(unit.arch));
    for (const Emitted& program : unit.programs)
      accepted.add(test::code_of(program.source, program.header));
  }
  return compiled;
}

}  // namespace

std::vector<CompiledUnit> compile(const std::vector<Unit>& units) {
  std::vector<CompiledUnit> compiled;
  for (const Unit& unit : units) compiled.push_back(compile(unit));
  return compiled;
}

CompiledUnit compile_text(const std::string& name, const std::string& arch,
                          const std::string& source) {
  return read({name, arch, {}, Extent::kernels},
              compile(name, arch, {{name + ".cu", source}}, false));
}

}  // namespace stencilc::ptxas
