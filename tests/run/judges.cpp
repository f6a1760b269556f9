// No test, and never run for what it does: a program that holds what decides whether emitted code
// agrees, the interpreter and the comparison, and nothing else. The linker leaves out what they do
// not call, so that the file is another one exactly when one of them is: agreed.h.
#include "driver/verify/compare.h"

namespace {

using namespace stencilc;  // NOLINT

int judge(const driver::Compiled& compiled, const driver::Machine& machine,
          const driver::Case& test) {
  const driver::Machine executed = driver::execute(compiled, true, true);
  return driver::compare(compiled, machine, test, driver::expected(compiled.stencil, test), 0)
             .empty() &&
         driver::compare(compiled, executed, test, 0).empty();
}

}  // namespace

int main(int argc, char**) {
  auto* volatile keep = &judge;
  return argc > 0 && keep ? 0 : 1;
}
