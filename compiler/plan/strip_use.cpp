#include "plan/strip_use.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "ir/bits.h"

namespace stencilc::plan {
namespace {

const ir::Read* read_of(const ir::ExprPtr& tap) {
  if (const auto* cast = ir::as<ir::Cast>(tap)) return read_of(cast->value);
  return ir::as<ir::Read>(tap);
}

// Is it a sum of rows one after the other, times what is the same for all cells?
bool adds_rows(const ir::Stencil& stencil, const ir::Sum& sum, int axis) {
  const auto reads = [](const ir::ExprPtr& value) {
    const std::vector<ir::ExprPtr> nodes = ir::nodes_of({value});
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const ir::ExprPtr& node) { return ir::as<ir::Read>(node) != nullptr; });
  };
  if (sum.bias && reads(sum.bias)) return false;
  std::vector<int> rows;
  for (const ir::Sum::Term& term : sum.terms) {
    const ir::Read* read = read_of(term.tap);
    // The cell itself at t-1 waits for its plane, where there are planes.
    if (!read || reads(term.weight) || (read->level != 0 && axis != 2)) return false;
    if (!ir::has_all_axes(stencil, stencil.fields[read->field])) return false;
    rows.push_back(read->offset[axis]);
  }
  return std::is_sorted(rows.begin(), rows.end()) && !rows.empty() && rows.front() < rows.back();
}

// The highest sums of rows, and the reads that lie in none of them.
struct Search {
  const ir::Stencil& stencil;
  const int axis;
  std::vector<ir::ExprPtr> sums, reads;
  std::set<ir::ExprPtr> seen;

  void in(const ir::ExprPtr& expr) {
    if (!expr || !seen.insert(expr).second) return;
    const auto* sum = ir::as<ir::Sum>(expr);
    if (sum && adds_rows(stencil, *sum, axis)) return sums.push_back(expr);
    if (ir::as<ir::Read>(expr)) reads.push_back(expr);
    ir::for_each_child(*expr, [&](const ir::ExprPtr& child) { in(child); });
  }
};

double registers(ir::Type type) { return std::max(1.0, ir::bytes(type) / 4.0); }

// Is what no statement of a step assigns the same at all steps?
bool assigns_everywhere(const ir::Stencil& stencil, const Launch& launch) {
  for (const Stored& stored : launch.stores)
    for (const ir::Case& one : stencil.updates[stored.update].cases)
      if (one.domain.mask) return false;
  return true;
}

struct Rows {
  int low = 0, left = 0, right = 0;
  void add(const ir::Read& read, int axis) {
    low = std::min(low, read.offset[axis]);
    left = std::max(left, -read.offset[0]);
    right = std::max(right, read.offset[0]);
  }
};

StripUse use_of_bits(const ir::Stencil& stencil, const Temporal& temporal) {
  const ir::Bits bits = ir::bits_of(stencil);
  StripUse use;
  std::map<int, int> first;  // of the rows of each field
  for (const ir::Gate& gate : bits.gates) {
    if (gate.op == ir::Gate::beside) ++use.taken;
    if (gate.op != ir::Gate::read) continue;
    int& row = first.try_emplace(gate.field, gate.row).first->second;
    row = std::min(row, gate.row);
  }
  for (const auto& [field, row] : first) use.kept += (temporal.lag - row) * bits.count[field];
  use.moved = use.kept;
  use.bits = bits.all();
  use.own = use.bits;
  for (const int count : bits.count) use.fields += count > 0;
  use.logic = bits.operations() - static_cast<int>(use.taken);
  return use;
}

}  // namespace

StripUse strip_use(const ir::Stencil& stencil, const Launch& launch, const Schedule& schedule,
                   const Temporal& temporal) {
  if (temporal.bits) return use_of_bits(stencil, temporal);
  StripUse use;
  const int axis = stencil.rank() - 1;
  const auto is_stepped = [&](int field) {
    return stencil.fields[field].role == ir::Role::stepped;
  };
  const std::vector<ir::ExprPtr> values = values_of(launch, false);
  Search search{stencil, axis, {}, {}, {}};
  for (const ir::ExprPtr& value : values) search.in(value);
  Rows of_sums;
  int high = std::numeric_limits<int>::min();
  for (const ir::ExprPtr& expr : search.sums)
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms) {
      of_sums.add(*read_of(term.tap), axis);
      high = std::max(high, read_of(term.tap)->offset[axis]);
    }
  bool sums = schedule.scatter && !search.sums.empty() && high == temporal.lag &&
              assigns_everywhere(stencil, launch);
  for (const ir::ExprPtr& expr : search.sums)  // what no step makes does not arrive
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms)
      sums &= is_stepped(read_of(term.tap)->field);
  // With two axes the rows of t-1 are among those that are kept.
  const bool keeps_before = axis == 1;
  sums &= !keeps_before || temporal.before_bytes == 0;
  std::map<int, Rows> fields;  // of which rows are kept
  const auto keep = [&](const ir::Read& read) {
    if (is_stepped(read.field) && read.level == 0) fields[read.field].add(read, axis);
  };
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (keeps_before && has_before(stencil.fields[f])) {
      ir::Offset before = {};
      before[axis] = -temporal.lag;
      keep({static_cast<int>(f), 0, before});
    }
  std::set<int> arriving;
  for (const ir::ExprPtr& expr : search.reads) keep(*ir::as<ir::Read>(expr));
  for (const ir::ExprPtr& expr : search.sums)
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms) {
      const ir::Read& read = *read_of(term.tap);
      if (!sums)
        keep(read);
      else
        arriving.insert(read.field);
    }
  use.adds = sums && fields.empty();
  const int width = schedule.vector;
  if (sums)
    for (const ir::ExprPtr& expr : search.sums)
      use.kept += (temporal.lag - of_sums.low) * width * registers(expr->type);
  for (const auto& [field, rows] : fields) {
    const double size = registers(stencil.fields[field].type);
    const int count = temporal.lag - rows.low;  // besides the one that arrives
    const int beside = rows.left + rows.right;
    use.kept += ((count + 1) * width + (count > 0 ? beside : 0)) * size;
    use.moved += count * width * size;
    use.taken += beside * size;
  }
  for (const int field : arriving)
    use.taken += (of_sums.left + of_sums.right) * registers(stencil.fields[field].type);
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (is_stepped(static_cast<int>(f)))
      use.own += (keeps_before && has_before(stencil.fields[f]) ? 2 : 1) * width *
                 registers(stencil.fields[f].type);
  std::set<std::tuple<int, ir::Offset>> inputs;
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || is_stepped(read->field)) continue;
    const ir::Field& field = stencil.fields[read->field];
    if (!ir::has_all_axes(stencil, field) || !inputs.emplace(read->field, read->offset).second)
      continue;
    ++use.inputs;
    use.input_bytes += ir::bytes(field.type);
  }
  return use;
}

double instructions(const Reads& reads, const StripUse& use, double of_f64) {
  // As one step a launch (model.cpp), but for functions, which wait rather, and divisions and
  // roots, which run side by side (kernel/usual.cpp); a root often stands under one, which hides
  // it.
  constexpr double kInteger = 0.44, kDivision = 9, kRoot = 0.5, kFunction = 9, kConversion = 1.8;
  constexpr double kLongOfF64 = 2;  // times these
  constexpr double kInput = 2;      // a cell of a field that no step makes
  const ir::Instructions& work = reads.work;
  double count = work.f32 + of_f64 * work.f64 + kInteger * work.integer +
                 (kDivision * work.divisions + kRoot * work.roots +
                  kFunction * (work.functions - work.roots)) *
                     (reads.widest == 8 ? kLongOfF64 : 1);
  // A row of 2 bytes a cell is converted when it arrives; bytes where they are read.
  if (reads.narrowest == 2) count += 2 * kConversion;
  if (reads.narrowest == 1) count += kConversion * (1 + static_cast<double>(reads.rows.size()));
  return count + kInput * use.inputs;
}

double instructions_of_bits(const StripUse& use, int steps) {
  constexpr double kLogic = 1.0, kBeside = 2.3, kMoved = 0.5, kField = 120, kBit = 50;
  const double row = kField * use.fields + kBit * use.bits;
  return (kLogic * use.logic + kBeside * use.taken + kMoved * use.moved + row / steps) /
         kCellsOfBits;
}

}  // namespace stencilc::plan
