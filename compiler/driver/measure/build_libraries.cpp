#include "driver/measure/build_libraries.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "diag/codes.h"
#include "driver/system/progress.h"

namespace stencilc::driver {

int jobs_of(int requested) {
  return requested > 0 ? requested
                       : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::vector<Library> build_all(const std::vector<Compiled>& list, plan::Target target,
                               const std::vector<std::string>& archs, int jobs) {
  const emit::Options emit{
      target == plan::Target::cpu ? emit::Dialect::cpu : emit::Dialect::cuda, false, {}, {}};
  std::vector<Library> libraries(list.size());
  std::atomic<size_t> next = 0, done = 0;
  const auto work = [&] {
    for (size_t n; (n = next++) < list.size(); ++done)
      libraries[n] = build_library(list[n], emit::bench_call(list[n].module, emit), target, archs);
  };
  Progress progress("building");
  std::vector<std::thread> threads;
  const size_t workers = std::min(static_cast<size_t>(jobs_of(jobs)), list.size());
  for (size_t n = 0; n < workers; ++n) threads.emplace_back(work);
  while (done < list.size()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress.at(static_cast<int64_t>(done), static_cast<int64_t>(list.size()));
  }
  for (std::thread& thread : threads) thread.join();
  return libraries;
}

bool all_built(const std::vector<Library>& libraries, diag::Engine& engine) {
  for (const Library& library : libraries) {
    if (library.problem.empty()) continue;
    engine.report(library.tool_missing ? diag::tool_missing : diag::build_failed, diag::nowhere,
                  library.problem);
    return false;
  }
  return true;
}

}  // namespace stencilc::driver
