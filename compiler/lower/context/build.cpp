#include "lower/context/build.h"

#include "kernel/live_registers.h"
#include "kernel/operations.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::Let;

ExprPtr declare(const std::string& wanted, const ExprPtr& value, Names& names, Body& body,
                bool changes) {
  const std::string name = names.claim(wanted);
  body.push_back({Let{name, value, changes}});
  return kernel::var(name, value->type);
}

For unrolled(const std::string& name, int first, const ExprPtr& end) {
  For loop = unrolled(name, first, kernel::Count());
  loop.last = end;
  return loop;
}

For unrolled(const std::string& name, int first, const kernel::Count& end) {
  return {For::unrolled, name,   kernel::Type::index, kernel::index(first), kernel::index(end), {},
          nullptr,       nullptr};
}

For unrolled(const std::string& name, int first, int end) {
  return unrolled(name, first, kernel::Count(end));
}

For counted(For::Mark mark, const std::string& name, const ExprPtr& count) {
  return {mark, name, kernel::Type::index, kernel::index(0), count, {}, nullptr, nullptr};
}

void roll_if_long(For& loop, int cells, bool along_z) {
  constexpr double kAlongZ = 1000, kOfF64 = 600;  // operations of all cells
  if (loop.mark != For::unrolled) return;
  const kernel::OperationCounts of = kernel::operations_of(loop.body);
  const double most = along_z ? kAlongZ : kOfF64;
  if ((!along_z && of.f64 <= of.f32) || cells * kernel::unrolled_operations(loop.body) <= most)
    return;
  loop.mark = For::rolled;
  loop.counts = true;
}

}  // namespace stencilc::lower
