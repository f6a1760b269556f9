#include "driver/execute/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "check/plugin/plugin.h"
#include "diag/fnv.h"
#include "driver/system/build_cache.h"
#include "driver/system/cache_limit.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "generated/runtime_files.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

// What -march=native means on this machine.
std::string cpu_features() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("flags")) return line;
  return "";
}

// Creates a folder for an entry and writes the sources into it. Returns what went wrong, or "".
std::string prepare(const fs::path& work, const std::vector<Output>& sources) {
  std::error_code error;
  fs::remove_all(work, error);
  if (::mkdir(work.c_str(), S_IRWXU) != 0 || ::mkdir((work / "stencil").c_str(), S_IRWXU) != 0)
    return std::strerror(errno);
  for (const Output& source : sources)
    if (const std::string why = write_text(work / source.path, source.text); !why.empty())
      return why;
  return "";
}

// Renames a complete entry to its final path, so that another process sees all of it or nothing.
std::string put(const fs::path& work, const fs::path& place, const std::string& key) {
  std::string why;
  for (int tries = 0; tries < 3; ++tries) {
    why = place_entry(work, place);
    if (why.empty()) return "";
    if (hold_entry(place) && is_complete(place, key)) return "";  // another process was faster
    std::error_code ignored;
    fs::remove_all(place, ignored);  // it belongs to another key, or is damaged
  }
  return why;
}

// What went wrong: the folder cannot be written, or the compiler failed.
struct Failure {
  std::string unwritten, uncompiled;
};

// Builds an entry in a new folder.
Failure build_in(const fs::path& work, const std::vector<Output>& sources, const Compiler& compiler,
                 const std::string& key) {
  if (const std::string why = prepare(work, sources); !why.empty()) return {why, ""};
  std::vector<std::string> command = compiler.command;
  for (const std::string& word :
       {std::string("-I"), work.string(), std::string("-o"), (work / "library.so").string()})
    command.push_back(word);
  for (const Output& source : sources)
    if (source.path.ends_with(compiler.extension)) command.push_back(work / source.path);
  std::string output;
  if (run_process(command, output) != 0)
    return {"", fmt::format("`{}` failed:\n{}", command[0], output)};
  if (const std::string why = write_text(work / "log", output); !why.empty()) return {why, ""};
  return {seal(work, key), ""};
}

// Removes folders that processes which no longer exist left behind, if they are an hour old: a
// process of another container looks as if it did not exist.
void sweep(const fs::path& folder) {
  std::error_code error, ignored;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    // NAME.PROCESS.NUMBER.tmp
    const std::string name = it->path().filename().string();
    const size_t number = name.ends_with(".tmp") ? name.rfind('.', name.size() - 5) : name.npos;
    const size_t process =
        number == name.npos || number == 0 ? name.npos : name.rfind('.', number - 1);
    if (process == name.npos) continue;
    const int id = std::atoi(name.c_str() + process + 1);
    if (id > 0 && ::kill(id, 0) != 0 && errno == ESRCH && it->last_write_time(ignored) < old)
      fs::remove_all(it->path(), ignored);
  }
}

// Builds in a folder beside the entry and renames it.
Failure build_at(const fs::path& place, const std::vector<Output>& sources,
                 const Compiler& compiler, const std::string& key) {
  static std::atomic<int> builds = 0;  // several threads may build the same entry
  sweep(place.parent_path());
  fs::path work = place;
  work += fmt::format(".{}.{}.tmp", getpid(), builds++);
  Failure failure = build_in(work, sources, compiler, key);
  if (failure.unwritten.empty() && failure.uncompiled.empty())
    failure.unwritten = put(work, place, key);
  std::error_code ignored;
  fs::remove_all(work, ignored);
  return failure;
}

}  // namespace

Compiler compiler_for(plan::Target target, const std::vector<std::string>& archs, int64_t lines) {
  // GCC's search for instructions to combine grows with the square of the taps of a cell; combining
  // pairs is enough. For 25,000 lines it takes nine minutes at -O3 and one at -O1.
  constexpr int64_t kMostAtO3 = 10000;
  if (target == plan::Target::cpu)
    return {
        {"g++", "-std=c++20", lines > kMostAtO3 ? "-O1" : "-O3", "-march=native",
         "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared", "-w", "--param=max-combine-insns=2"},
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

std::string gpu_missing() {
  if (has_nvcc()) return "there is no GPU: neither /dev/nvidia0 nor `nvidia-smi` exists";
  return fmt::format("`nvcc` is not on the PATH; {}", compiler_for(plan::Target::cuda, {}).missing);
}

namespace {

// Builds the library of sources, or finds it in the cache.
Library build_sources(const std::string& name, std::string key, std::vector<Output> sources,
                      const Compiler& compiler) {
  Library library;
  if (find_program(compiler.command[0]).empty()) {
    library.problem =
        fmt::format("`{}` is not on the PATH; {}", compiler.command[0], compiler.missing);
    library.tool_missing = true;
    return library;
  }
  std::string version;
  run_process({compiler.command[0], "--version"}, version);
  key = version + key;
  for (const std::string& word : compiler.command) key += word + "\n";
  for (const RuntimeFile& file : runtime_files()) {
    key += std::string(file.text);
    sources.push_back({std::string(file.name), std::string(file.text)});
  }
  if (compiler.command.back() == "-arch=native") {
    std::string gpu;
    run_process({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"}, gpu);
    key += gpu;
  }
  // The hash names the folder; the contents are compared in full.
  const std::string entry = fmt::format("{}-{:016x}", name, diag::fnv1a(key));
  fs::path folder = cache_folder();
  Failure failure;
  // It is held first: what is complete then stays.
  if (!folder.empty() && !(hold_entry(folder / entry) && is_complete(folder / entry, key))) {
    failure = build_at(folder / entry, sources, compiler, key);
    (void)trim_cache(folder, cache_limit(folder));
  }
  if (!folder.empty() && !failure.unwritten.empty()) {
    folder = temporary_cache(failure.unwritten);
    failure = folder.empty() ? Failure() : build_at(folder / entry, sources, compiler, key);
  }
  library.problem = folder.empty()              ? "there is no folder for temporary files"
                    : failure.unwritten.empty() ? failure.uncompiled
                                                : fmt::format("cannot write to `{}`: {}",
                                                              folder.string(), failure.unwritten);
  library.path = folder / entry / "library.so";
  library.log = content(folder / entry / "log");
  return library;
}

}  // namespace

Library build_library(const Compiled& compiled, const std::string& adapter, plan::Target target,
                      const std::vector<std::string>& archs) {
  return build_library({compiled.module.name, compiled.module.file, compiled.source,
                        compiled.module.header, compiled.header, "host_call", adapter},
                       target, archs);
}

Library build_library(const Sources& given, plan::Target target,
                      const std::vector<std::string>& archs) {
  const int64_t lines = std::count(given.source.begin(), given.source.end(), '\n');
  const Compiler compiler = compiler_for(target, archs, lines);
  return build_sources(given.name,
                       given.source + given.header + given.adapter +
                           (target == plan::Target::cpu ? cpu_features() : ""),
                       {{given.file + compiler.extension, given.source},
                        {given.adapter_file + compiler.extension, given.adapter},
                        {given.header_name, given.header}},
                       compiler);
}

Library build_plugin(const std::string& name, const std::string& source, const Compiler& compiler) {
  return build_sources(name, source, {{name + compiler.extension, source}}, compiler);
}

namespace {

// Lets waiting OpenMP threads sleep after spinning for some microseconds. On a busy machine,
// threads that keep spinning hold up the others. OpenMP reads the environment when the first
// library is loaded. Settings of the user are kept.
void let_waiting_threads_sleep() {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  setenv("OMP_WAIT_POLICY", "passive", 0);
  setenv("GOMP_SPINCOUNT", "1000", 0);
}

}  // namespace

void* find_function(const Library& library, const char* name, std::string& problem) {
  static std::once_flag once;
  std::call_once(once, let_waiting_threads_sleep);
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

Machine load(const Library& library, plan::Target target) {
  Machine machine;
  machine.problem = library.problem;
  machine.tool_missing = library.tool_missing;
  if (!machine.problem.empty()) return machine;
  if (void* entry = find_function(library, "stencilc_host_call", machine.problem))
    machine.call = reinterpret_cast<int (*)(stencil_host_call*)>(entry);
  machine.description = description_of(target);
  return machine;
}

Machine build(const Compiled& compiled, plan::Target target,
              const std::vector<std::string>& archs) {
  return load(build_library(compiled, compiled.host_call, target, archs), target);
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
  program.source.prelude = executor_prelude(compiled.module.window.given());
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
  machine.set_devices = [&api](int count, uint64_t seed) {
    const check::StreamMode streams =
        seed == 0 ? check::StreamMode::at_once : check::StreamMode::later;
    api.set_devices(count == 0 ? check::Devices{} : check::Devices{count, streams, seed});
  };
  auto* function = reinterpret_cast<int (*)(stencil_host_call*)>(api.symbol(*executor, entry));
  machine.call = [executor, function](stencil_host_call* call) { return function(call); };
  machine.faults = [executor, &api] { return api.take_faults(*executor); };
  machine.shares_memory = true;
  machine.description = "executor";
  return machine;
}

}  // namespace stencilc::driver
