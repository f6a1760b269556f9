// Turns the device side of a program, as Clang emits it for nvptx64, into code for this machine.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/block/block.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace stencilc::check {

struct DeviceCode {
  std::map<std::string, Kernel> kernels;  // by mangled name; without addresses of entries
  std::map<std::string, size_t>
      variables;  // __constant__ and __device__ variables: bytes by mangled name
  std::vector<std::string> findings;  // what the executor cannot run
};

// The symbol of the function that runs one thread of the kernel `name`.
std::string entry_symbol(const std::string& name);

// Rewrites the module. Each kernel becomes a function void(void** arguments, const ThreadView*
// self):
// - all device functions are inlined into it;
// - thread and block indices are loads from `self`; barriers and __stencil_* functions get `self`
// and the number of the call site;
// - __shared__ variables are at fixed offsets from self->shared, with gaps between them.
// From here on there is nothing of nvptx.
DeviceCode retarget(llvm::Module& module, llvm::TargetMachine& machine);

// Moves the kernel with that mangled name from a retargeted module into a module of its own, in
// which variables are declared. A kernel that is never launched therefore costs almost nothing.
std::unique_ptr<llvm::Module> take_kernel(llvm::Module& module, const std::string& name);

// Promotes memory to values. More optimisation costs more than it saves: a kernel runs for
// milliseconds, and machine code at -O1 took five times as long to make.
void promote_locals(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace stencilc::check
