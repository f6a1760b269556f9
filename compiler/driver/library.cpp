#include "driver/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "check/plugin.h"
#include "driver/files.h"
#include "driver/fnv.h"
#include "driver/process.h"
#include "generated/runtime_files.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return fs::path(cache) / "stencilc";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "stencilc";
  return fs::temp_directory_path() / fmt::format("stencilc-{}", getuid());
}

// What -march=native means here.
std::string cpu_features() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("flags")) return line;
  return "";
}

// The text of a file, or "" where there is none.
std::string content(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Writes the sources to a fresh folder, builds, and renames the folder to its place: another
// process sees all of it or nothing.
std::string build_into(const fs::path& place, const Compiled& compiled,
                       const std::string& adapter_text, const Compiler& compiler,
                       const std::string& key) {
  static std::atomic<int> builds = 0;  // several threads may build the same
  fs::path work = place;
  work += fmt::format(".{}.{}.tmp", getpid(), builds++);
  std::error_code error;
  fs::remove_all(work, error);
  fs::create_directories(work / "stencil", error);
  if (error) return fmt::format("cannot make the folder `{}`: {}", work.string(), error.message());
  fs::permissions(place.parent_path(), fs::perms::owner_all, error);
  for (const RuntimeFile& file : runtime_files())
    write_text(work / file.name, std::string(file.text));
  const std::string source = work / (compiled.module.file + compiler.extension),
                    adapter = work / ("host_call" + compiler.extension);
  write_text(source, compiled.source);
  write_text(work / compiled.module.header, compiled.header);
  write_text(adapter, adapter_text);
  std::vector<std::string> command = compiler.command;
  for (const std::string& word : {std::string("-I"), work.string(), std::string("-o"),
                                  (work / "library.so").string(), source, adapter})
    command.push_back(word);
  std::string output;
  if (run_process(command, output) != 0) {
    fs::remove_all(work, error);
    return fmt::format("`{}` failed:\n{}", command[0], output);
  }
  write_text(work / "log", output);
  write_text(work / "key", key);
  for (int tries = 0; tries < 3; ++tries) {
    fs::rename(work, place, error);
    if (!error) return "";
    if (content(place / "key") == key) {  // somebody else was quicker
      fs::remove_all(work, error);
      return "";
    }
    std::error_code ignored;
    fs::remove_all(place, ignored);  // of another key, or not complete
  }
  return fmt::format("cannot make the folder `{}`: {}", place.string(), error.message());
}

}  // namespace

Compiler compiler_for(plan::Target target, const std::vector<std::string>& archs) {
  // GCC's search for instructions to combine grows with the square of a cell's taps; pairs are
  // enough.
  if (target == plan::Target::cpu)
    return {{"g++", "-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fopenmp", "-fPIC",
             "-shared", "-w", "--param=max-combine-insns=2"},
            ".cpp",
            "install g++"};
  Compiler nvcc{{"nvcc", "-std=c++17", "-O3", "-Xcompiler", "-fPIC", "-shared", "-w", "-Xptxas=-v"},
                ".cu",
                "install the CUDA Toolkit, or use --target=cpu"};
  if (archs.empty()) {
    nvcc.command.push_back("-arch=native");
    return nvcc;
  }
  for (const std::string& arch : archs) {
    const std::string number = arch.substr(3);
    nvcc.command.push_back(fmt::format("-gencode=arch=compute_{0},code=sm_{0}", number));
  }
  return nvcc;
}

void add_runtime_files(std::vector<check::MemoryFile>& files) {
  for (const RuntimeFile& file : runtime_files())
    files.push_back({std::string(file.name), std::string(file.text)});
}

bool has_nvcc() { return !find_program("nvcc").empty(); }

bool has_gpu() {
  return has_nvcc() && (::access("/dev/nvidia0", F_OK) == 0 || !find_program("nvidia-smi").empty());
}

Library build_library(const Compiled& compiled, const std::string& adapter, plan::Target target,
                      const std::vector<std::string>& archs) {
  const Compiler compiler = compiler_for(target, archs);
  Library library;
  if (find_program(compiler.command[0]).empty()) {
    library.problem =
        fmt::format("`{}` is not on the PATH; {}", compiler.command[0], compiler.missing);
    library.tool_missing = true;
    return library;
  }
  std::string version;
  run_process({compiler.command[0], "--version"}, version);
  std::string key = version + compiled.source + compiled.header + adapter +
                    (target == plan::Target::cpu ? cpu_features() : "");
  for (const std::string& word : compiler.command) key += word + "\n";
  for (const RuntimeFile& file : runtime_files()) key += std::string(file.text);
  if (target == plan::Target::cuda && compiler.command.back() == "-arch=native") {
    std::string gpu;
    run_process({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"}, gpu);
    key += gpu;
  }
  // The hash names the folder; what is in it is compared in full.
  const fs::path place =
      cache_folder() / fmt::format("{}-{:016x}", compiled.module.name, fnv1a(key));
  if (content(place / "key") != key)
    library.problem = build_into(place, compiled, adapter, compiler, key);
  library.path = place / "library.so";
  library.log = content(place / "log");
  return library;
}

void* find_function(const Library& library, const char* name, std::string& problem) {
  void* handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    problem = dlerror();
    return nullptr;
  }
  void* function = dlsym(handle, name);
  if (!function) problem = fmt::format("the library has no `{}`", name);
  return function;
}

std::string description_of(plan::Target target) {
  return target == plan::Target::cpu
             ? fmt::format("CPU, {} threads", std::thread::hardware_concurrency())
             : "GPU";
}

Machine build(const Compiled& compiled, plan::Target target,
              const std::vector<std::string>& archs) {
  const Library library = build_library(compiled, compiled.host_call, target, archs);
  Machine machine;
  machine.problem = library.problem;
  machine.tool_missing = library.tool_missing;
  if (!machine.problem.empty()) return machine;
  if (void* entry = find_function(library, "stencilc_host_call", machine.problem))
    machine.call = reinterpret_cast<int (*)(stencil_host_call*)>(entry);
  machine.description = description_of(target);
  return machine;
}

Machine execute(const Compiled& compiled, bool late, bool descending) {
  Machine machine;
  const check::CheckApi* api = check::load_check_api(machine.problem);
  if (!api) {
    machine.tool_missing = true;
    return machine;
  }
  check::Program program;
  program.source.name = compiled.module.file + ".cu";
  program.source.text = compiled.source;
  program.source.files.push_back({compiled.module.header, compiled.header});
  add_runtime_files(program.source.files);
  program.source.prelude = kExecutorPrelude;
  program.adapter = compiled.host_call;
  check::Loaded loaded = api->load(program);
  if (!loaded.executor) {
    machine.problem =
        loaded.diagnostics.empty() ? "the executor cannot load it" : loaded.diagnostics.front();
    return machine;
  }
  machine = machine_of(loaded.executor, *api, "stencilc_host_call");
  machine.set_mode(late, descending);
  return machine;
}

Machine machine_of(const std::shared_ptr<check::Executor>& executor, const check::CheckApi& api,
                   const std::string& entry) {
  Machine machine;
  machine.set_mode = [executor, &api](bool copies_late, bool threads_descending) {
    api.set_mode(*executor, {copies_late ? check::CopyMode::late : check::CopyMode::eager,
                             threads_descending ? check::ThreadOrder::descending
                                                : check::ThreadOrder::ascending});
  };
  auto* function = reinterpret_cast<int (*)(stencil_host_call*)>(api.symbol(*executor, entry));
  machine.call = [executor, function](stencil_host_call* call) { return function(call); };
  machine.faults = [executor, &api] { return api.take_faults(*executor); };
  machine.description = "executor";
  return machine;
}

}  // namespace stencilc::driver
