#include "check/executor/device_alignment.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "check/block/trap.h"

namespace stencilc::check {
namespace {

using namespace llvm;

struct Access {
  Instruction* at;
  Value* address;
  uint64_t alignment;
};

// Returns the accesses to check. From here on they may have any alignment, so that none ends the
// thread early.
std::vector<Access> take_accesses(Function& entry) {
  std::vector<Access> accesses;
  const auto takes = [&](Instruction& at, Value* address, MaybeAlign alignment) {
    const uint64_t bytes = alignment.valueOrOne().value();
    if (bytes < 8 || isa<AllocaInst>(getUnderlyingObject(address))) return false;
    accesses.push_back({&at, address, bytes});
    return true;
  };
  for (Instruction& one : instructions(entry)) {
    if (auto* load = dyn_cast<LoadInst>(&one)) {
      if (takes(one, load->getPointerOperand(), load->getAlign())) load->setAlignment(Align(1));
    } else if (auto* store = dyn_cast<StoreInst>(&one)) {
      if (takes(one, store->getPointerOperand(), store->getAlign())) store->setAlignment(Align(1));
    } else if (auto* copy = dyn_cast<MemTransferInst>(&one)) {
      if (takes(one, copy->getRawSource(), copy->getSourceAlign()))
        copy->setSourceAlignment(Align(1));
      if (takes(one, copy->getRawDest(), copy->getDestAlign())) copy->setDestAlignment(Align(1));
    }
  }
  return accesses;
}

}  // namespace

void check_alignment(Function& entry) {
  const std::vector<Access> accesses = take_accesses(entry);
  IRBuilder<> begin(&*entry.getEntryBlock().getFirstInsertionPt());
  Type* number = begin.getInt64Ty();
  // Collects the bits by which addresses were misaligned. A branch at each access would prevent
  // unrolling.
  AllocaInst* missed = begin.CreateAlloca(number);
  begin.CreateStore(begin.getInt64(0), missed);
  for (const Access& access : accesses) {
    IRBuilder<> at(access.at);
    Value* bits = at.CreateAnd(at.CreatePtrToInt(access.address, number), access.alignment - 1);
    at.CreateStore(at.CreateOr(at.CreateLoad(number, missed), bits), missed);
  }
  std::vector<ReturnInst*> ends;
  for (Instruction& one : instructions(entry))
    if (auto* end = dyn_cast<ReturnInst>(&one)) ends.push_back(end);
  for (ReturnInst* end : ends) {
    IRBuilder<> at(end);
    Value* misaligned = at.CreateIsNotNull(at.CreateLoad(number, missed));
    IRBuilder<> failing(SplitBlockAndInsertIfThen(misaligned, end, /*Unreachable=*/true));
    failing.CreateIntrinsic(Intrinsic::ubsantrap, {failing.getInt8(kMisaligned)});
  }
}

}  // namespace stencilc::check
