// Turns faults of device code into messages: the signal handler makes the interrupted fiber
// continue in a function that ends the launch.
#include "check/block/trap.h"

#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "check/block/fiber_block.h"
#include "check/memory/device_memory.h"

namespace stencilc::check {
namespace {

#if !defined(__x86_64__)
#error "the executor runs on x86-64"
#endif

struct Trap {
  FiberBlock* block = nullptr;
  int signal = 0;
  void* address = nullptr;
};
thread_local Trap trap;

constexpr int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous[NSIG];

// Whether this is the instruction by which check_alignment() ends a thread: ud1 with its number.
bool checks_alignment(const void* instruction) {
  constexpr unsigned char ending[] = {0x67, 0x0f, 0xb9, 0x40, kMisaligned};
  return std::memcmp(instruction, ending, sizeof ending) == 0;
}

// Where a fiber continues after a signal.
void landing() {
  FiberBlock& block = *trap.block;
  switch (trap.signal) {
    case SIGFPE:
      block.fail("an integer division by zero");
    case SIGILL:
      block.fail(checks_alignment(trap.address) ? "a misaligned access" : "a trap");
    default: {
      if (block.stacks().overflowed(trap.address) != nullptr)
        block.fail("more local memory than the " + std::to_string(Stacks::size / 1024) +
                   " KB that a thread has here");
      std::string where = device_memory::describe(trap.address);
      if (!where.empty()) block.fail("an illegal access " + std::move(where));
      const bool low = reinterpret_cast<uintptr_t>(trap.address) < 65536;
      block.fail(low ? "an access through a null pointer"
                     : "an illegal access outside of all allocations");
    }
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (trap.block == nullptr) {  // not ours: the previous handler decides
    sigaction(signal, &previous[signal], nullptr);
    return;
  }
  trap.signal = signal;
  trap.address = info->si_addr;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // A full stack starts again from the top, since no frame on it is returned to.
  if (char* top = signal == SIGSEGV ? trap.block->stacks().overflowed(trap.address) : nullptr)
    registers[REG_RSP] = reinterpret_cast<greg_t>(top);
  // Below the red zone of the interrupted function, aligned as after a call.
  registers[REG_RSP] = ((registers[REG_RSP] - 256) & ~greg_t{15}) - 8;
  registers[REG_RIP] = reinterpret_cast<greg_t>(&landing);
}

void install_handlers() {
  for (const int signal : caught) {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(signal, &action, &previous[signal]);
  }
}

// Fibers may have run out of stack, so handlers need one of their own.
struct SignalStack {
  SignalStack() {
    const stack_t stack = {bytes, 0, sizeof(bytes)};
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    const stack_t none = {nullptr, SS_DISABLE, 0};
    sigaltstack(&none, nullptr);
  }
  char bytes[64 * 1024];
};

}  // namespace

TrapScope::TrapScope(FiberBlock& block) {
  static std::once_flag installed;
  std::call_once(installed, install_handlers);
  thread_local SignalStack stack;
  trap.block = &block;
}

TrapScope::~TrapScope() { trap.block = nullptr; }

}  // namespace stencilc::check
