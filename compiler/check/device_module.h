// The device side of a program, from what Clang emits for nvptx64 to code for this machine.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/block.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace stencilc::check {

struct DeviceCode {
  std::map<std::string, Kernel> kernels;  // by mangled name; the entry's address is not known yet
  std::map<std::string, size_t>
      variables;  // __constant__ and __device__ variables: bytes by mangled name
  std::vector<std::string> findings;  // what the executor cannot run
};

// The symbol of the function that runs one thread of the kernel called `name`.
std::string entry_symbol(const std::string& name);

// Rewrites the module. Each kernel becomes a function void(void** arguments, const
// ThreadView* self):
//   - all device functions are inlined into it;
//   - thread and block indices are loads from `self`, barriers and __stencil_* functions get `self`
//   and the call site's number;
//   - __shared__ variables lie at fixed distances from self->shared, with gaps between them.
// Beyond this point nothing knows of nvptx.
DeviceCode retarget(llvm::Module& module, llvm::TargetMachine& machine);

// Takes the kernel of that mangled name out of a module that was retargeted, into one of its own,
// for which variables are declared. So a kernel that is never launched costs next to nothing.
std::unique_ptr<llvm::Module> take_kernel(llvm::Module& module, const std::string& name);

// Makes values of what Clang keeps in memory. More optimization costs more than it saves: a kernel
// runs for milliseconds, and its machine code at -O1 took five times as long to make.
void promote_locals(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace stencilc::check
