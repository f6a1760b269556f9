#include "run/batch.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "check/plugin/plugin.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "emit/emit.h"

namespace stencilc::run_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPoisonedMalloc = R"(#include <cuda_runtime.h>
namespace {
template <typename T>
cudaError_t poisoned_malloc(T** out, size_t bytes) {
  const cudaError_t error = cudaMalloc(out, bytes);
  return error == cudaSuccess ? cudaMemset(*out, 0xFF, bytes) : error;
}
}  // namespace
#define cudaMalloc poisoned_malloc
)";

std::string entry_name(size_t member) { return fmt::format("stencilc_host_call_{}", member); }
std::string bench_name(size_t member) { return fmt::format("stencilc_bench_call_{}", member); }

// All members in one file, each with an entry of its own name.
std::string unity(const std::vector<const driver::Compiled*>& stencils,
                  const std::string& extension, const Adapters& adapters) {
  std::string text = adapters.poison && extension == ".cu" ? kPoisonedMalloc : "";
  text += "#include <stencil/host_call.h>\n";
  for (size_t m = 0; m < stencils.size(); ++m) {
    const std::string& file = stencils[m]->module.file;
    text +=
        fmt::format("#define stencilc_host_call {}\n#include \"{}{}\"\n#include \"{}_call{}\"\n",
                    entry_name(m), file, extension, file, extension);
    text += "#undef stencilc_host_call\n";
    if (adapters.benches)
      text += fmt::format(
          "#define stencilc_bench_call {}\n#define stencilc_copy_call stencilc_copy_call_{}\n"
          "#include \"{}_bench{}\"\n#undef stencilc_bench_call\n#undef stencilc_copy_call\n",
          bench_name(m), m, file, extension);
  }
  return text;
}

std::string compile(const std::vector<const driver::Compiled*>& stencils, const fs::path& folder,
                    const driver::Compiler& compiler, const std::string& main, bool benches) {
  const emit::Options emit{
      compiler.extension == ".cu" ? emit::Dialect::cuda : emit::Dialect::cpu, false, {}, {}};
  std::error_code error;
  fs::create_directories(folder / "stencil", error);
  if (error) return fmt::format("cannot make `{}`: {}", folder.string(), error.message());
  std::vector<check::MemoryFile> files;
  driver::add_runtime_files(files);
  for (const driver::Compiled* stencil : stencils) {
    const std::string& file = stencil->module.file;
    files.push_back({file + compiler.extension, stencil->source});
    files.push_back({file + ".h", stencil->header});
    files.push_back({file + "_call" + compiler.extension, stencil->host_call});
    if (benches)
      files.push_back(
          {file + "_bench" + compiler.extension, emit::bench_call(stencil->module, emit)});
  }
  files.push_back({"all" + compiler.extension, main});
  for (const check::MemoryFile& file : files) {
    const std::string why = driver::write_text((folder / file.path).string(), file.text);
    if (!why.empty()) return fmt::format("cannot write `{}`: {}", file.path, why);
  }
  std::vector<std::string> command = compiler.command;
  for (const std::string& word :
       {std::string("-I"), folder.string(), std::string("-o"), (folder / "library.so").string(),
        (folder / ("all" + compiler.extension)).string()})
    command.push_back(word);
  std::string output;
  if (driver::run_process(command, output) == 0) return "";
  return fmt::format("{}\nfailed:\n{}", fmt::join(command, " "), output);
}

// All that the library is made of.
std::string key_of(const std::vector<const driver::Compiled*>& stencils,
                   const driver::Compiler& compiler, const std::string& main) {
  std::vector<check::MemoryFile> files;
  driver::add_runtime_files(files);
  std::string key = fmt::format("{}\n{}", fmt::join(compiler.command, " "), main);
  for (const check::MemoryFile& file : files) key += file.text;
  for (const driver::Compiled* stencil : stencils)
    key += stencil->source + stencil->header + stencil->host_call;
  return key;
}

}  // namespace

Batch execute_batch(const std::vector<const driver::Compiled*>& stencils) {
  Batch batch;
  const check::CheckApi* api = check::load_check_api(batch.problem);
  if (!api) return batch;
  check::Program program;
  program.source.name = "all.cu";
  program.source.prelude = driver::executor_prelude(
      std::any_of(stencils.begin(), stencils.end(),
                  [](const driver::Compiled* stencil) { return stencil->module.window.given(); }));
  program.source.text = unity(stencils, ".cu", {false, false});
  driver::add_runtime_files(program.source.files);
  for (const driver::Compiled* stencil : stencils) {
    const std::string& file = stencil->module.file;
    program.source.files.push_back({file + ".cu", stencil->source});
    program.source.files.push_back({file + ".h", stencil->header});
    program.source.files.push_back({file + "_call.cu", stencil->host_call});
  }
  const check::Loaded loaded = api->load(program);
  if (!loaded.executor) {
    batch.problem = loaded.diagnostics.empty() ? "not loaded" : loaded.diagnostics.front();
    return batch;
  }
  for (size_t m = 0; m < stencils.size(); ++m)
    batch.machines.push_back(driver::machine_of(loaded.executor, *api, entry_name(m)));
  return batch;
}

driver::Compiler unoptimized(driver::Compiler compiler) {
  std::replace(compiler.command.begin(), compiler.command.end(), std::string("-O3"),
               std::string("-O0"));
  // Not on a machine that has this program alone.
  const fs::path quick = STENCILC_SOURCE_DIR "/tests/quick/g++";
  std::error_code ignored;
  if (fs::exists(quick, ignored)) {
    setenv("STENCILC_QUICK", STENCILC_BINARY_DIR "/tests/quick", 0);
    compiler.command[0] = quick;
  }
  return compiler;
}

Batch build_batch(const std::vector<const driver::Compiled*>& stencils, const fs::path& folder,
                  const driver::Compiler& compiler, const Adapters& adapters, bool load) {
  Batch batch;
  const std::string main = unity(stencils, compiler.extension, adapters);
  const std::string key = key_of(stencils, compiler, main);
  std::ifstream known(folder / "key", std::ios::binary);
  std::ostringstream old;
  old << known.rdbuf();
  if (!known || old.str() != key) {
    std::error_code ignored;
    fs::remove(folder / "key", ignored);
    batch.problem = compile(stencils, folder, compiler, main, adapters.benches);
    if (batch.problem.empty()) batch.problem = driver::write_text(folder / "key", key);
  }
  if (!batch.problem.empty() || !load) return batch;
  void* library = dlopen((folder / "library.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    batch.problem = dlerror();
    return batch;
  }
  for (size_t m = 0; m < stencils.size(); ++m) {
    driver::Machine machine;
    void* entry = dlsym(library, entry_name(m).c_str());
    machine.call = reinterpret_cast<int (*)(stencil_host_call*)>(entry);
    if (!entry) batch.problem = "the library lacks " + entry_name(m);
    batch.machines.push_back(std::move(machine));
    if (!adapters.benches) continue;
    void* bench = dlsym(library, bench_name(m).c_str());
    if (!bench) batch.problem = "the library lacks " + bench_name(m);
    batch.benches.push_back(reinterpret_cast<BenchCall>(bench));
  }
  return batch;
}

}  // namespace stencilc::run_test
