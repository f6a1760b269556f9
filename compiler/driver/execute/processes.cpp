#include "driver/execute/processes.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "driver/execute/openmp.h"
#include "runtime/include/stencil/tcp.h"

namespace stencilc::driver {
namespace {

// How a call ended in one process.
struct Outcome {
  int code;
  char message[512], fault[512];
  int64_t leg_steps, steps_taken;
};

// Memory that processes share which come from this one.
class Shared {
 public:
  explicit Shared(size_t bytes)
      : bytes_(bytes + 1),
        at_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (*this) munmap(at_, bytes_);
  }
  explicit operator bool() const { return at_ != MAP_FAILED; }
  std::byte* at(size_t offset) const { return static_cast<std::byte*>(at_) + offset; }

 private:
  size_t bytes_;
  void* at_;
};

size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }
size_t size_of(const std::vector<Written>& all) {
  size_t bytes = 0;
  for (const Written& one : all) bytes += rounded(one.bytes);
  return bytes;
}

// A socket from each process to each other one; -1 from a process to itself.
using Sockets = std::vector<std::vector<int>>;
void close_all(const Sockets& sockets) {
  for (const std::vector<int>& of : sockets)
    for (const int socket : of)
      if (socket >= 0) close(socket);
}
bool connect_all(Sockets& sockets) {
  for (size_t p = 0; p < sockets.size(); ++p)
    for (size_t q = 0; q < p; ++q) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
      sockets[p][q] = pair[0];
      sockets[q][p] = pair[1];
    }
  return true;
}

// Stands for an MPI that takes memory of GPUs, where the host can read that.
class Connected final : public stencil::Tcp {
 public:
  Connected(int rank, const std::vector<int>& sockets, bool device_memory)
      : Tcp(of_sockets(rank, sockets)), device_memory_(device_memory) {}
  bool takes_device_memory() const override { return device_memory_; }

 private:
  bool device_memory_;
};

[[noreturn]] void run_rank(const Machine& machine, stencil_host_call call, int rank,
                           const Sockets& sockets, const std::vector<Written>& results,
                           std::byte* to, Outcome& outcome) {
  constexpr double kDeadline = 30;
  const int processes = static_cast<int>(sockets.size());
  for (size_t p = 0; p < sockets.size(); ++p)
    if (static_cast<int>(p) != rank) close_all({sockets[p]});
  // The executor has no memory for a real one. Tests set another.
  if (machine.shares_memory) setenv("STENCIL_NCCL", "none", 0);
  {
    Connected others(rank, sockets[static_cast<size_t>(rank)],
                     machine.shares_memory && call.extents[0] % 2 == 0);
    if (std::getenv("STENCIL_DEADLINE") == nullptr) others.set_deadline(kDeadline);
    call.communicator = static_cast<stencil_communicator*>(&others);
    call.pieces_here = call.pieces / processes + (rank < call.pieces % processes ? 1 : 0);
    outcome.code = machine.call(&call);
  }
  std::memcpy(outcome.message, call.message, sizeof outcome.message);
  outcome.leg_steps = call.leg_steps;
  outcome.steps_taken = call.steps_taken;
  const std::vector<std::string> faults = machine.faults();
  if (!faults.empty()) snprintf(outcome.fault, sizeof outcome.fault, "%s", faults.front().c_str());
  for (const Written& one : results) {
    std::memcpy(to, one.at, one.bytes);
    to += rounded(one.bytes);
  }
  // What is registered for the end of this program is that of the process that this one comes from.
  _exit(0);
}

int failed(stencil_host_call& call, const std::string& why) {
  snprintf(call.message, sizeof call.message, "%s", why.c_str());
  return STENCIL_LOST_PROCESS;
}

}  // namespace

int call_in_processes(const Machine& machine, stencil_host_call& call, int processes,
                      const std::vector<Written>& arrays, const std::vector<Written>& results) {
  const size_t count = static_cast<size_t>(processes), own = rounded(size_of(results));
  const Shared cells(size_of(arrays)), values(count * own), outcomes(count * sizeof(Outcome));
  if (!cells || !values || !outcomes) return failed(call, "there is no memory for processes");
  const auto outcome = [&](size_t p) {
    return reinterpret_cast<Outcome*>(outcomes.at(p * sizeof(Outcome)));
  };
  std::vector<void*> buffers;
  size_t at = 0;
  for (const Written& one : arrays) {
    buffers.push_back(cells.at(at));
    std::memcpy(buffers.back(), one.at, one.bytes);
    at += rounded(one.bytes);
  }
  stencil_host_call shared = call;
  shared.buffers = buffers.data();
  Sockets sockets(count, std::vector<int>(count, -1));
  std::vector<pid_t> started;
  end_openmp_threads();
  if (connect_all(sockets))
    for (size_t p = 0; p < count; ++p) {
      const pid_t process = fork();
      if (process < 0) break;
      if (process == 0)
        run_rank(machine, shared, static_cast<int>(p), sockets, results, values.at(p * own),
                 *outcome(p));
      started.push_back(process);
    }
  close_all(sockets);
  std::string ended;
  for (size_t p = 0; p < started.size(); ++p) {
    int status = 0;
    waitpid(started[p], &status, 0);
    if (ended.empty() && WIFSIGNALED(status))
      ended = fmt::format("process {} ended by signal {}", p, WTERMSIG(status));
  }
  if (!ended.empty() || started.size() < count)
    return failed(call, ended.empty() ? "processes cannot be started" : ended);
  for (size_t p = 0; p < count; ++p)
    if (outcome(p)->fault[0] != 0) return failed(call, outcome(p)->fault);
  for (size_t p = 0; p < count; ++p)
    if (outcome(p)->code != STENCIL_OK) {
      std::memcpy(call.message, outcome(p)->message, sizeof call.message);
      return outcome(p)->code;
    }
  for (size_t p = 1; p < count; ++p)
    if (std::memcmp(values.at(0), values.at(p * own), own) != 0 ||
        outcome(p)->steps_taken != outcome(0)->steps_taken)
      return failed(call, fmt::format("process {} has other results than process 0", p));
  call.leg_steps = outcome(0)->leg_steps;
  call.steps_taken = outcome(0)->steps_taken;
  for (size_t n = 0; n < arrays.size(); ++n) std::memcpy(arrays[n].at, buffers[n], arrays[n].bytes);
  at = 0;
  for (const Written& one : results) {
    std::memcpy(one.at, values.at(at), one.bytes);
    at += rounded(one.bytes);
  }
  return STENCIL_OK;
}

}  // namespace stencilc::driver
