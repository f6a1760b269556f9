#include "check/executor/device_module.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <string_view>

#include "check/executor/device_alignment.h"

namespace stencilc::check {
namespace {

using namespace llvm;

constexpr unsigned shared_space = 3;
constexpr size_t shared_gap = 128;

// The offset in ThreadView of what an intrinsic returns, or -1.
int view_offset(StringRef intrinsic) {
  if (!intrinsic.consume_front("llvm.nvvm.read.ptx.sreg.")) return -1;
  const int axis = intrinsic.back() - 'x';
  if (intrinsic.starts_with("tid."))
    return static_cast<int>(offsetof(ThreadView, thread)) + 4 * axis;
  if (intrinsic.starts_with("ctaid."))
    return static_cast<int>(offsetof(ThreadView, block)) + 4 * axis;
  if (intrinsic.starts_with("ntid."))
    return static_cast<int>(offsetof(ThreadView, block_size)) + 4 * axis;
  if (intrinsic.starts_with("nctaid."))
    return static_cast<int>(offsetof(ThreadView, grid_size)) + 4 * axis;
  return -1;
}

bool is_barrier(StringRef intrinsic) {
  return intrinsic == "llvm.nvvm.barrier0" || intrinsic == "llvm.nvvm.barrier.cta.sync.aligned.all";
}

// Whether this function of the executor involves other threads of the block.
bool is_shared_work(StringRef name) {
  return name != "__stencil_copy_async" && name != "__stencil_commit" && name != "__stencil_wait";
}

Value* load_view(IRBuilder<>& at, Value* self, Type* type, int offset) {
  LoadInst* load = at.CreateLoad(
      type, at.CreateConstInBoundsGEP1_32(at.getInt8Ty(), self, static_cast<unsigned>(offset)));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(at.getContext(), {}));
  return load;
}

// The managers refer to each other, so the last declared must be destroyed first.
struct Analyses {
  explicit Analyses(PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
};

// ---- before: functions that call each other; after: kernels only ----

void forget_target(Module& module, TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
    if (GlobalVariable* list = module.getGlobalVariable(name)) list->eraseFromParent();
  }
  if (NamedMDNode* notes = module.getNamedMetadata("nvvm.annotations")) notes->eraseFromParent();
  for (Function& function : module) {
    for (const char* name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer"})
      function.removeFnAttr(name);
    function.removeFnAttr(Attribute::Convergent);
  }
}

void inline_all(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() == CallingConv::PTX_Kernel) continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  PassBuilder builder;
  Analyses analyses(builder);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules);
}

// ---- before: void kernel(int n, float* u); after: void entry(void** arguments, const ThreadView*
// self) ----

Function& make_entry(Function& kernel, std::vector<size_t>& argument_bytes) {
  LLVMContext& context = kernel.getContext();
  Type* pointer = PointerType::get(context, 0);
  auto* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function* entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                     entry_symbol(kernel.getName().str()), kernel.getParent());
  entry->addFnAttr(Attribute::NoUnwind);
  entry->addFnAttr("probe-stack",
                   "inline-asm");  // no frame may skip the guard page below its stack
  entry->splice(entry->begin(), &kernel);
  IRBuilder<> at(&*entry->getEntryBlock().getFirstInsertionPt());
  for (Argument& argument : kernel.args()) {
    Value* place = at.CreateLoad(
        pointer, at.CreateConstInBoundsGEP1_32(pointer, entry->getArg(0), argument.getArgNo()));
    Type* by_value = argument.getParamByValType();
    Value* value = nullptr;
    argument_bytes.push_back(kernel.getDataLayout().getTypeAllocSize(
        by_value != nullptr ? by_value : argument.getType()));
    if (by_value != nullptr) {  // the kernel can change its copy
      AllocaInst* own = at.CreateAlloca(by_value);
      own->setAlignment(std::max(own->getAlign(), argument.getParamAlign().valueOrOne()));
      value = own;
      at.CreateMemCpy(value, MaybeAlign(), place, MaybeAlign(), argument_bytes.back());
    } else {
      value = at.CreateLoad(argument.getType(), place);
    }
    argument.replaceAllUsesWith(value);
  }
  return *entry;
}

// ---- before: intrinsics of nvptx; after: loads from the view and calls of the executor ----

class ThreadOperations {
 public:
  ThreadOperations(Function& entry, Kernel& kernel, uint32_t& sites,
                   std::vector<std::string>& findings)
      : entry_(entry), kernel_(kernel), sites_(sites), findings_(findings) {}

  void rewrite() {
    std::vector<CallInst*> calls;
    for (Instruction& instruction : instructions(entry_)) {
      if (auto* call = dyn_cast<CallInst>(&instruction)) calls.push_back(call);
    }
    for (CallInst* call : calls) rewrite(*call);
  }

 private:
  void rewrite(CallInst& call) {
    if (auto* text = dyn_cast<InlineAsm>(call.getCalledOperand())) {
      if (!text->getAsmString().empty()) refuse("inline assembly");
      return;
    }
    Function* callee = call.getCalledFunction();
    if (callee == nullptr) return refuse("a call through a pointer");
    const StringRef name = callee->getName();
    if (!callee->isDeclaration())
      return refuse("a call of `" + demangle(name.str()) + "` that cannot be inlined");
    IRBuilder<> at(&call);
    if (const int offset = view_offset(name); offset >= 0) {
      return replace(call, load_view(at, entry_.getArg(1), call.getType(), offset));
    }
    if (is_barrier(name)) {
      kernel_.waits = true;
      return replace(call, call_executor(at, "__stencil_barrier", at.getVoidTy(), {}));
    }
    if (name.starts_with("__stencil_")) {
      if (is_shared_work(name)) kernel_.waits = true;
      const std::vector<Value*> arguments(call.arg_begin(), call.arg_end());
      return replace(call, call_executor(at, name, call.getType(), arguments));
    }
    if (name.starts_with("llvm.nvvm.")) refuse("`" + name.str() + "`");
  }

  // The declaration in the module lacks the first two parameters; calls go to another one that has
  // them.
  CallInst* call_executor(IRBuilder<>& at, StringRef name, Type* result,
                          std::vector<Value*> arguments) {
    arguments.insert(arguments.begin(), {entry_.getArg(1), at.getInt32(sites_++)});
    std::vector<Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    auto* type = FunctionType::get(result, types, false);
    return at.CreateCall(entry_.getParent()->getOrInsertFunction("executor." + name.str(), type),
                         arguments);
  }

  void replace(CallInst& call, Value* value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }
  void refuse(const std::string& what) {
    findings_.push_back("the executor cannot run " + what + " in `" + kernel_.name + "`");
  }

  Function& entry_;
  Kernel& kernel_;
  uint32_t& sites_;
  std::vector<std::string>& findings_;
};

// ---- before: variables in space 3; after: offsets from self->shared ----

void place_shared(Function& entry, Kernel& kernel) {
  const DataLayout& layout = entry.getDataLayout();
  std::vector<GlobalVariable*> dynamic;
  IRBuilder<> at(&*entry.getEntryBlock().getFirstInsertionPt());
  Value* base = nullptr;
  auto put = [&](GlobalVariable& variable, size_t offset) {
    if (base == nullptr)
      base = load_view(at, entry.getArg(1), PointerType::get(entry.getContext(), shared_space),
                       offsetof(ThreadView, shared));
    Value* address = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), base, offset);
    variable.replaceUsesWithIf(address, [&](Use& use) {
      auto* user = dyn_cast<Instruction>(use.getUser());
      return user != nullptr && user->getFunction() == &entry;
    });
  };
  auto used_here = [&](const GlobalVariable& variable) {
    return any_of(variable.users(), [&](const User* user) {
      auto* instruction = dyn_cast<Instruction>(user);
      return instruction != nullptr && instruction->getFunction() == &entry;
    });
  };
  size_t end = 0;
  for (GlobalVariable& variable : entry.getParent()->globals()) {
    if (variable.getAddressSpace() != shared_space || !used_here(variable)) continue;
    if (variable.isDeclaration()) {
      dynamic.push_back(&variable);
      continue;
    }
    const size_t bytes = layout.getTypeAllocSize(variable.getValueType());
    const size_t offset = alignTo(end + (end == 0 ? 0 : shared_gap),
                                  std::max<uint64_t>(variable.getAlign().valueOrOne().value(), 16));
    kernel.shared.push_back({offset, bytes});
    kernel.static_bytes += bytes;
    end = offset + bytes;
    put(variable, offset);
  }
  kernel.dynamic_offset = alignTo(end + (end == 0 ? 0 : shared_gap), 1024);
  for (GlobalVariable* variable : dynamic) put(*variable, kernel.dynamic_offset);
}

// A variable that several kernels use is shared; of constants, each kernel can have its own copy.
bool is_own_constant(const GlobalVariable& variable) {
  return variable.hasInitializer() && variable.isConstant() && variable.hasLocalLinkage();
}

void share(GlobalVariable& variable) {
  variable.setLinkage(GlobalValue::ExternalLinkage);
  variable.setVisibility(GlobalValue::DefaultVisibility);
}

// "tiled<int>": without parameters, result and unnamed namespaces.
std::string readable_name(const std::string& mangled) {
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction()) return mangled;
  char* text = demangler.getFunctionName(nullptr, nullptr);
  std::string name = text == nullptr ? mangled : text;
  std::free(text);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (size_t at; (at = name.find(unnamed)) != name.npos;) name.erase(at, unnamed.size());
  return name;
}

}  // namespace

std::string entry_symbol(const std::string& name) { return "entry." + name; }

DeviceCode retarget(Module& module, TargetMachine& machine) {
  DeviceCode code;
  forget_target(module, machine);
  inline_all(module);

  std::vector<Function*> kernels;
  for (Function& function : module) {
    if (!function.isDeclaration() && function.getCallingConv() == CallingConv::PTX_Kernel)
      kernels.push_back(&function);
  }
  std::vector<Constant*> shared;
  for (GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == shared_space) {
      shared.push_back(&variable);
    } else if (variable.isExternallyInitialized()) {  // the host can write it at any time
      share(variable);
      variable.setConstant(false);
      code.variables[variable.getName().str()] =
          module.getDataLayout().getTypeAllocSize(variable.getValueType());
    } else if (variable.hasInitializer() && !is_own_constant(variable)) {
      share(variable);
    }
  }
  convertUsersOfConstantsToInstructions(shared);

  uint32_t sites = 0;
  for (Function* function : kernels) {
    Kernel& kernel = code.kernels[function->getName().str()];
    kernel.name = readable_name(function->getName().str());
    if (const Attribute limit = function->getFnAttribute("nvvm.maxntid"); limit.isValid()) {
      kernel.max_threads = std::stoul(limit.getValueAsString().str());
    }
    Function& entry = make_entry(*function, kernel.argument_bytes);
    ThreadOperations(entry, kernel, sites, code.findings).rewrite();
    place_shared(entry, kernel);
    check_alignment(entry);
  }
  for (Function* function : kernels) function->eraseFromParent();
  return code;
}

namespace {

// ---- before: a kernel among others; after: a module with it and with what it uses ----

// What a kernel uses gets a counterpart in its module: constants of its own a copy, others a
// declaration.
class Counterparts {
 public:
  explicit Counterparts(Module& module) : module_(module) {}

  void find(User& user) {
    for (Use& use : user.operands())
      if (auto* constant = dyn_cast_or_null<Constant>(use.get())) find_in(*constant);
  }

  // All that was found is in the map; initializers of copies may use each other.
  ValueToValueMapTy& all() {
    for (; !open_.empty();) {
      GlobalVariable* const original = open_.pop_back_val();
      auto* const copy = cast<GlobalVariable>(&*map_[original]);
      find_in(*original->getInitializer());
      copy->setInitializer(MapValue(original->getInitializer(), map_));
    }
    return map_;
  }

 private:
  void find_in(Constant& constant) {
    auto* const global = dyn_cast<GlobalValue>(&constant);
    if (global == nullptr) return find(constant);
    if (map_.count(global) != 0) return;
    if (auto* const function = dyn_cast<Function>(global)) {
      Function* const declared =
          Function::Create(function->getFunctionType(), GlobalValue::ExternalLinkage,
                           function->getAddressSpace(), function->getName(), &module_);
      declared->copyAttributesFrom(function);
      map_[function] = declared;
      return;
    }
    auto* const variable = cast<GlobalVariable>(global);
    const bool own = is_own_constant(*variable);
    auto* const declared = new GlobalVariable(
        module_, variable->getValueType(), variable->isConstant(),
        own ? variable->getLinkage() : GlobalValue::ExternalLinkage, nullptr, variable->getName(),
        nullptr, variable->getThreadLocalMode(), variable->getType()->getAddressSpace());
    declared->copyAttributesFrom(variable);
    map_[variable] = declared;
    if (own) open_.push_back(variable);
  }

  Module& module_;
  ValueToValueMapTy map_;
  SmallVector<GlobalVariable*> open_;  // constants without their initializers
};

}  // namespace

std::unique_ptr<Module> take_kernel(Module& module, const std::string& name) {
  Function& entry = *module.getFunction(entry_symbol(name));
  auto alone = std::make_unique<Module>(module.getModuleIdentifier(), module.getContext());
  alone->setTargetTriple(module.getTargetTriple());
  alone->setDataLayout(module.getDataLayout());
  // It is moved: a copy would take as long as its machine code.
  entry.removeFromParent();
  alone->getFunctionList().push_back(&entry);
  Counterparts counterparts(*alone);
  counterparts.find(entry);
  for (Instruction& instruction : instructions(entry)) counterparts.find(instruction);
  RemapFunction(entry, counterparts.all(), RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return alone;
}

void promote_locals(Module& module, TargetMachine& machine) {
  PassBuilder builder(&machine);
  Analyses analyses(builder);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  passes.run(module, analyses.modules);
}

}  // namespace stencilc::check
