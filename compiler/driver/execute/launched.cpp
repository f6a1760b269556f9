#include "driver/execute/launched.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "driver/execute/library.h"
#include "driver/system/process.h"
#include "runtime/include/stencil/tcp.h"

namespace stencilc::driver {
namespace {

// Compiled where it is used, because each MPI has types and constants of its own.
constexpr const char* kMpiSource = R"(#include <stencil/mpi.h>

extern "C" int stencilc_open_mpi(stencil_communicator** processes) {
  int ready = 0;
  (void)MPI_Initialized(&ready);
  if (ready == 0) (void)MPI_Init(nullptr, nullptr);
  return stencil_mpi_open(static_cast<int>(MPI_Comm_c2f(MPI_COMM_WORLD)), processes);
}
extern "C" void stencilc_close_mpi(stencil_communicator* processes, int code) {
  (void)stencil_communicator_close(processes);
  if (code != 0)
    MPI_Abort(MPI_COMM_WORLD, code);
  else
    MPI_Finalize();
}
extern "C" const char* stencilc_mpi_error(void) { return stencil_last_error(); }
)";

// The same in all processes of a machine, and of a container that has a name of its own.
std::array<char, 256> name_of_machine() {
  char name[128] = "";
  (void)::gethostname(name, sizeof name - 1);
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  const std::string text =
      name + std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  std::array<char, 256> same = {};
  std::memcpy(same.data(), text.data(), std::min(text.size(), same.size()));
  return same;
}

}  // namespace

Launched::Launched(Launcher launcher) {
  if (launcher == Launcher::mpi) open_mpi();
  if (launcher == Launcher::environment) {
    own_ = std::make_unique<stencil::Tcp>(stencil::Tcp::from_environment());
    problem_ = own_->status().message();
    if (problem_.empty()) processes_ = own_.get();
  }
  count_here();
}

// A process that is lost here is noticed by what comes next.
void Launched::count_here() {
  if (processes_ == nullptr) return;
  const auto mine = name_of_machine();
  std::vector<std::array<char, 256>> names(static_cast<size_t>(size()));
  (void)processes_
      ->gather(mine.data(), names.data(), std::vector<int64_t>(names.size(), int64_t{sizeof mine}))
      .ok();
  (void)processes_->broadcast(names.data(), static_cast<int64_t>(names.size() * sizeof mine)).ok();
  here_ = std::max(1, static_cast<int>(std::ranges::count(names, mine)));
  first_is_here_ = names[0] == mine;
}

Launched::~Launched() { leave(1); }

void Launched::open_mpi() {
  const Compiler mpicxx = {
      {"mpicxx", "-std=c++20", "-O2", "-fPIC", "-shared", "-w"},
      ".cpp",
      "install an MPI and its compiler, such as Debian's openmpi-bin and libopenmpi-dev"};
  // mpicxx of another MPI is another compiler, by what it calls.
  std::string command;
  if (!find_program(mpicxx.command[0]).empty()) run_process({mpicxx.command[0], "-show"}, command);
  const Library library = build_plugin("mpi", std::string(kMpiSource) + "// " + command, mpicxx);
  problem_ = library.problem;
  tool_missing_ = library.tool_missing;
  if (!problem_.empty()) return;
  using Open = int (*)(stencil_communicator**);
  using Error = const char* (*)();
  const auto open = reinterpret_cast<Open>(find_function(library, "stencilc_open_mpi", problem_));
  const auto error =
      reinterpret_cast<Error>(find_function(library, "stencilc_mpi_error", problem_));
  close_mpi_ = reinterpret_cast<void (*)(stencil_communicator*, int)>(
      find_function(library, "stencilc_close_mpi", problem_));
  if (!problem_.empty()) return;
  stencil_communicator* made = nullptr;
  if (open(&made) != STENCIL_OK)
    problem_ = error();
  else
    processes_ = static_cast<stencil::Communicator*>(made);
}

void Launched::first_of_machine_first(const std::function<void()>& work) const {
  const bool first = processes_ == nullptr || processes_->local_rank() == 0;
  if (first) work();
  if (processes_ != nullptr) (void)processes_->agree({}, "the build").ok();
  if (!first) work();
}

void Launched::leave(int code) {
  if (processes_ != nullptr && close_mpi_ != nullptr)
    close_mpi_(processes_, processes_->status().ok() ? 0 : std::max(code, 1));
  processes_ = nullptr;
  own_ = nullptr;
}

}  // namespace stencilc::driver
