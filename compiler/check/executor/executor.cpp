#include "check/executor/executor.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "check/block/times.h"
#include "check/cuda/image.h"
#include "check/executor/device_module.h"
#include "check/front_end/front_end.h"

namespace stencilc::check {

using namespace llvm;
using namespace llvm::orc;

class Executor {
 public:
  ~Executor() {
    remove_image(image);
    if (jit && host != nullptr) consumeError(jit->deinitialize(*host));
  }

  std::unique_ptr<LLJIT> jit;
  JITDylib* device = nullptr;
  JITDylib* host = nullptr;
  Image image;
};

namespace {

struct Side {
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<llvm::Module> module;
};

// Ignores unroll hints that the optimiser does not follow.
void say_errors(const DiagnosticInfo* info, void*) {
  if (info->getSeverity() != DS_Error) return;
  DiagnosticPrinterRawOStream printer(errs());
  info->print(printer);
  errs() << "\n";
}

Side compile_side(const Source& source, Pass pass, std::vector<std::string>& diagnostics) {
  Side side;
  clang::EmitLLVMOnlyAction action(side.context.get());
  diagnostics = run_front_end(source, pass, Warnings::none, action);
  if (diagnostics.empty()) side.module = action.takeModule();
  side.context->setDiagnosticHandlerCallBack(say_errors);
  return side;
}

template <class Table>
Error define(JITDylib& library, LLJIT& jit, const Table& table,
             const std::function<std::string(std::string)>& spell) {
  SymbolMap symbols;
  for (const auto& row : table) {
    symbols[jit.mangleAndIntern(spell(row.name))] = {
        ExecutorAddr::fromPtr(row.address), JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  }
  return library.define(absoluteSymbols(std::move(symbols)));
}

// Device code calls the functions of the executor by another name than the declared one: see
// device_module.cpp.
std::string device_spelling(std::string name) {
  return name.starts_with("__stencil_") ? "executor." + name : name;
}

constexpr const char* device_module = "device";

// Compiles quickly, to slow machine code.
class Compiler : public IRCompileLayer::IRCompiler {
 public:
  explicit Compiler(std::unique_ptr<TargetMachine> machine)
      : IRCompiler(irManglingOptionsFromTargetOptions(machine->Options)),
        machine_(machine.get()),
        compile_(std::move(machine)) {}

  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module& module) override {
    if (module.getModuleIdentifier() == device_module) promote_locals(module, *machine_);
    return compile_(module);
  }

 private:
  TargetMachine* machine_;
  TMOwningSimpleCompiler compile_;
};

Expected<std::unique_ptr<IRCompileLayer::IRCompiler>> make_compiler(
    JITTargetMachineBuilder builder) {
  auto machine = builder.setCodeGenOptLevel(CodeGenOptLevel::None).createTargetMachine();
  if (!machine) return machine.takeError();
  return std::make_unique<Compiler>(std::move(*machine));
}

Error start(Executor& executor, const JITTargetMachineBuilder& machine) {
  auto jit = LLJITBuilder()
                 .setJITTargetMachineBuilder(machine)
                 .setCompileFunctionCreator(make_compiler)
                 .create();
  if (!jit) return jit.takeError();
  executor.jit = std::move(*jit);
  auto device = executor.jit->createJITDylib("device");
  if (!device) return device.takeError();
  auto host = executor.jit->createJITDylib("host");
  if (!host) return host.takeError();
  executor.device = &*device;
  executor.host = &*host;
  if (Error error = define(*executor.device, *executor.jit, device_functions(), device_spelling)) {
    return error;
  }
  return define(*executor.host, *executor.jit, host_functions(),
                [](const std::string& name) { return name; });
}

Error add_device(Executor& executor, Side side, DeviceCode code) {
  LLJIT& jit = *executor.jit;
  side.module->setModuleIdentifier(device_module);
  const ThreadSafeContext context(std::move(side.context));
  executor.image.kernels = std::move(code.kernels);
  for (auto& [name, kernel] : executor.image.kernels) {
    if (Error error =
            jit.addIRModule(*executor.device, {take_kernel(*side.module, name), context})) {
      return error;
    }
    kernel.compile = [&executor, &kernel, symbol = entry_symbol(name)] {
      const Timed timed(Phase::machine_code);
      auto entry = executor.jit->lookup(*executor.device, symbol);
      if (!entry) return kernel.name + ": " + toString(entry.takeError());
      kernel.entry = entry->toPtr<Kernel::Entry>();
      return std::string();
    };
  }
  if (Error error = jit.addIRModule(*executor.device, {std::move(side.module), context})) {
    return error;
  }
  for (const auto& [name, bytes] : code.variables) {
    auto address = jit.lookup(*executor.device, name);
    if (!address) return address.takeError();
    executor.image.variables[name] = {address->toPtr<char*>(), bytes};
  }
  return Error::success();
}

Error add_host(Executor& executor, Side side) {
  LLJIT& jit = *executor.jit;
  if (Error error =
          jit.addIRModule(*executor.host, {std::move(side.module), std::move(side.context)})) {
    return error;
  }
  std::string text;
  add_image(executor.image, [&] {
    if (Error error = jit.initialize(*executor.host)) text = toString(std::move(error));
  });
  return text.empty() ? Error::success() : createStringError(text);
}

// Called first, because a front end in another thread looks up the target and must not find it half
// initialised.
void prepare_llvm() {
  static const bool done = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

// After this the program can be called.
Error build(Executor& executor, Side device, Side host, std::vector<std::string>& findings) {
  auto builder = JITTargetMachineBuilder::detectHost();
  if (!builder) return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine) return machine.takeError();
  DeviceCode code = retarget(*device.module, **machine);
  findings = std::move(code.findings);
  if (!findings.empty()) return Error::success();
  if (Error error = start(executor, *builder)) return error;
  if (Error error = add_device(executor, std::move(device), std::move(code))) return error;
  return add_host(executor, std::move(host));
}

}  // namespace

Loaded load(const Program& program) {
  prepare_llvm();
  Loaded loaded;
  Source source = program.source;
  if (!program.adapter.empty()) source.text += "\n#line 1 \"adapter\"\n" + program.adapter;

  Side device, host;
  {
    const Timed timed(Phase::front_end);
    device = compile_side(source, Pass::cuda_device, loaded.diagnostics);
    if (!loaded.diagnostics.empty()) return loaded;
    host = compile_side(source, Pass::cuda_host, loaded.diagnostics);
    if (!loaded.diagnostics.empty()) return loaded;
  }

  const Timed timed(Phase::machine_code);
  auto executor = std::make_shared<Executor>();
  std::vector<std::string> findings;
  if (Error error = build(*executor, std::move(device), std::move(host), findings)) {
    findings.push_back(toString(std::move(error)));
  }
  for (const auto& finding : findings) loaded.diagnostics.push_back(source.name + ": " + finding);
  if (findings.empty()) loaded.executor = std::move(executor);
  return loaded;
}

void* symbol(Executor& executor, const std::string& name) {
  auto found = executor.jit->lookup(*executor.host, name);
  if (!found) {
    consumeError(found.takeError());
    return nullptr;
  }
  return found->toPtr<void*>();
}

void set_mode(Executor& executor, RunMode mode) { executor.image.mode = mode; }

std::vector<std::string> take_faults(Executor& executor) {
  run_what_is_left();
  std::vector<std::string> faults = std::exchange(executor.image.faults, {});
  for (std::string& wait : take_endless_waits()) faults.push_back(std::move(wait));
  return faults;
}

}  // namespace stencilc::check
