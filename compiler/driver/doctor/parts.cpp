#include "driver/doctor/parts.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "check/plugin/plugin.h"
#include "data/files/netcdf.h"
#include "driver/system/build_cache.h"
#include "driver/system/cache_limit.h"
#include "driver/system/memory.h"
#include "driver/system/process.h"
#include "runtime/include/stencil/nccl_place.h"

namespace stencilc::driver {
namespace {

// The first number with a dot in a text, such as 12.2.0 in "g++ (Debian 12.2.0-14) 12.2.0".
// `after`: only behind this word.
std::string version_in(const std::string& text, const std::string& after = "") {
  size_t begin = after.empty() ? 0 : text.find(after);
  if (begin == std::string::npos) return "";
  for (begin += after.size(); begin < text.size(); ++begin) {
    const auto digit = [&](size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (!digit(begin)) continue;
    size_t end = begin;
    bool dotted = false;
    while (digit(end) || (end < text.size() && text[end] == '.' && digit(end + 1))) {
      dotted = dotted || text[end] == '.';
      ++end;
    }
    if (dotted) return text.substr(begin, end - begin);
    begin = end;
  }
  return "";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A program of the PATH that says its version.
Part program(const std::string& name, const std::string& option, const std::string& after = "") {
  Part part;
  part.name = name;
  part.place = find_program(name);
  part.found = !part.place.empty();
  if (!part.found) return part;
  std::string output;
  const int status = run_process({name, option}, output);
  part.version = version_in(output, after);
  if (status != 0)
    part.problem = fmt::format("`{} {}` fails: {}", name, option,
                               output.empty() ? "it says nothing" : first_line(output));
  return part;
}

// Where a file of g++ is; "" if it has none of that name.
std::string file_of_gxx(const std::string& name) {
  std::string output;
  if (run_process({"g++", "-print-file-name=" + name}, output) != 0) return "";
  const std::string path = first_line(output);
  return path.starts_with('/') ? path : "";
}

Part gxx() {
  Part part = program("g++", "--version", ")");
  part.without = "programs do not run on the CPU, and `nvcc` has no host compiler";
  part.package = "apt-get install g++";
  return part;
}

Part openmp(const Part& compiler) {
  Part part{"OpenMP"};
  part.without = "programs do not run on the CPU";
  part.package = "apt-get install g++, which brings libgomp";
  if (!compiler.works()) return part;
  part.place = file_of_gxx("libgomp.so");
  part.found = !part.place.empty();
  if (part.found) {
    std::error_code unknown;
    const auto real = std::filesystem::canonical(part.place, unknown);
    if (!unknown) part.place = real.string();
    if (file_of_gxx("include/omp.h").empty())
      part.problem = "`g++` has the library, but not the header omp.h";
  }
  return part;
}

// The GPUs and their driver, as nvidia-smi shows them.
std::pair<Part, Part> gpus() {
  Part gpu{"GPU"}, driver{"driver"};
  gpu.without = "programs run on the CPU";
  gpu.package = "a GPU of NVIDIA from Turing (sm_75) on";
  driver.without = "a GPU is not used";
  driver.package = "apt-get install nvidia-driver, of `non-free`";
  driver.place = find_program("nvidia-smi");
  const bool device = ::access("/dev/nvidia0", F_OK) == 0;
  if (driver.place.empty()) {
    gpu.found = device;
    if (device) gpu.place = "/dev/nvidia0";
    if (device) gpu.problem = "`nvidia-smi` is not on the PATH, which names it";
    return {gpu, driver};
  }
  std::string output;
  const int status = run_process(
      {"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"}, output);
  driver.found = true;
  if (status != 0) {
    driver.problem = fmt::format("`nvidia-smi` fails: {}", first_line(output));
    return {gpu, driver};
  }
  std::vector<std::pair<std::string, int>> names;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t comma = line.find(", ");
    if (comma == std::string::npos) continue;
    driver.version = line.substr(comma + 2);
    const std::string name = line.substr(0, comma);
    if (names.empty() || names.back().first != name) names.emplace_back(name, 0);
    ++names.back().second;
  }
  gpu.found = !names.empty();
  for (const auto& [name, count] : names)
    gpu.version += fmt::format("{}{}{}", gpu.version.empty() ? "" : ", ",
                               count == 1 ? "" : fmt::format("{} x ", count), name);
  return {gpu, driver};
}

Part nvcc() {
  Part part = program("nvcc", "--version", "release");
  part.without =
      "CUDA code is emitted, but not built: no `run`, `bench`, `tune` or `--emit=so` on a GPU";
  part.package = "the CUDA Toolkit 12.8 or later (developer.nvidia.com/cuda-downloads)";
  return part;
}

Part ncu() {
  Part part = program("ncu", "--version", "Version");
  part.without = "no `stencilc bench --ncu`, which counts instructions";
  part.package = "the CUDA Toolkit, which brings Nsight Compute";
  return part;
}

Part clang() {
  Part part{"Clang"};
  part.without = "no `--check`, and `stencilc verify` runs CUDA code on a GPU only";
  part.package = "build stencilc after `./scripts/bootstrap`, which installs LLVM/Clang 22";
  std::string why;
  const check::CheckApi* const api = check::load_check_api(why);
  part.found = api != nullptr;
  if (api == nullptr) return part;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(api->load), &info) != 0 && info.dli_fname != nullptr)
    part.place = info.dli_fname;
  return part;
}

Part mpi() {
  Part part = program("mpicxx", "--version");
  part.name = "MPI";
  part.without = "no `stencilc run --mpi`; `--tcp` needs no MPI";
  part.package = "apt-get install libopenmpi-dev openmpi-bin";
  if (!part.works()) return part;
  // What mpicxx says is the version of its compiler.
  std::string output;
  part.version = run_process({"mpirun", "--version"}, output) == 0 ? version_in(output) : "";
  if (find_program("mpirun").empty())
    part.problem = "`mpirun`, which starts the processes, is not on the PATH";
  return part;
}

Part nccl() {
  Part part{"NCCL"};
  part.without = "processes exchange planes through MPI or TCP";
  part.package = "pip install nvidia-nccl-cu13, or apt-get install libnccl2";
  std::string missing;
  void* const library = stencil::nccl_place::open_nccl(missing);
  part.found = library != nullptr;
  if (!part.found) return part;
  void* const function = ::dlsym(library, "ncclGetVersion");
  Dl_info info{};
  if (function != nullptr && ::dladdr(function, &info) != 0 && info.dli_fname != nullptr)
    part.place = info.dli_fname;
  int version = 0;
  if (function == nullptr || reinterpret_cast<int (*)(int*)>(function)(&version) != 0)
    part.problem = "`ncclGetVersion` fails";
  else
    part.version = fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  return part;
}

Part netcdf() {
  Part part{"NetCDF"};
  part.without = "no .nc and .h5 files in `stencilc run`";
  part.package = "apt-get install libnetcdf19";
  std::string why;
  const data::NetcdfLibrary* const library = data::netcdf_library(why);
  part.found = library != nullptr;
  if (!part.found) {
    // A library that is named or too old is no missing package.
    if (why.find("not installed") == std::string::npos) {
      part.found = true;
      part.problem = why;
    }
    return part;
  }
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(library->strerror), &info) != 0 &&
      info.dli_fname != nullptr) {
    part.place = info.dli_fname;
    void* const handle = ::dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    void* const versions = handle == nullptr ? nullptr : ::dlsym(handle, "nc_inq_libvers");
    if (versions != nullptr)
      part.version = version_in(reinterpret_cast<const char* (*)()>(versions)());
  }
  return part;
}

Part ffmpeg() {
  Part part = program("ffmpeg", "-version", "version");
  part.without = "no films as .mp4";
  part.package = "apt-get install ffmpeg";
  return part;
}

Part cache() {
  const UsualCache usual = usual_cache();
  Part part{"cache", true, "", usual.folder.string(), usual.problem};
  part.without = "each command builds its programs again";
  part.package = "XDG_CACHE_HOME may name a folder that belongs to you alone";
  if (!usual.problem.empty()) return part;
  uint64_t bytes = 0;
  for (const CacheEntry& entry : cache_entries(usual.folder)) bytes += entry.bytes;
  const uint64_t limit = cache_limit(usual.folder);
  part.version = print_bytes(static_cast<double>(bytes));
  if (limit != kNoCacheLimit) part.version += " of " + print_bytes(static_cast<double>(limit));
  return part;
}

}  // namespace

std::vector<Part> find_parts() {
  std::vector<Part> parts;
  parts.push_back(gxx());
  parts.push_back(openmp(parts[0]));
  auto [gpu, driver] = gpus();
  parts.push_back(std::move(gpu));
  parts.push_back(std::move(driver));
  for (Part (*const find)() : {nvcc, ncu, clang, mpi, nccl, netcdf, ffmpeg, cache})
    parts.push_back(find());
  return parts;
}

}  // namespace stencilc::driver
