#include "plan/temporal/temporal_footprint.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "ir/bits.h"
#include "ir/node_map.h"
#include "plan/temporal/survey.h"

namespace stencilc::plan {
namespace {

// Whether this is a sum of rows in order, times values that are the same for all cells.
bool adds_rows(const ir::Stencil& stencil, const ir::Sum& sum, int axis) {
  if (sum.bias && sum.bias->reads) return false;
  std::vector<int> rows;
  for (const ir::Sum::Term& term : sum.terms) {
    const ir::Read* read = ir::read_of_tap(term.tap);
    // In 3-D, the cell itself at t-1 waits for its plane.
    if (!read || term.weight->reads || (read->level != 0 && axis != 2)) return false;
    if (!ir::has_all_axes(stencil, stencil.fields[read->field])) return false;
    rows.push_back(read->offset[axis]);
  }
  return std::is_sorted(rows.begin(), rows.end()) && !rows.empty() && rows.front() < rows.back();
}

// Finds the tallest sums of rows, and the reads outside of them.
struct Search {
  const ir::Stencil& stencil;
  const int axis;
  std::vector<ir::ExprPtr> sums, reads;
  ir::NodeSet seen = {};

  void in(const ir::ExprPtr& expr) {
    if (!expr || !seen.insert(expr.get())) return;
    const auto* sum = ir::as<ir::Sum>(expr);
    if (sum && adds_rows(stencil, *sum, axis)) return sums.push_back(expr);
    if (ir::as<ir::Read>(expr)) reads.push_back(expr);
    ir::for_each_child(*expr, [&](const ir::ExprPtr& child) { in(child); });
  }
};

double registers(ir::Type type) { return std::max(1.0, ir::bytes(type) / 4.0); }

// Whether unassigned cells are the same in all steps.
bool assigns_everywhere(const ir::Stencil& stencil, const Launch& launch) {
  for (const Stored& stored : launch.stores)
    for (const ir::Case& one : stencil.updates[stored.update].cases)
      if (one.domain.mask) return false;
  return true;
}

TemporalFootprint use_of_bits(const ir::Bits& bits, const Temporal& temporal) {
  TemporalFootprint use;
  std::map<int, int> first;  // of the rows of each field
  for (const ir::Gate& gate : bits.gates) {
    if (gate.op == ir::Gate::beside) ++use.taken;
    if (gate.op != ir::Gate::read) continue;
    int& row = first.try_emplace(gate.field, gate.row).first->second;
    row = std::min(row, gate.row);
  }
  for (const auto& [field, row] : first) use.carried += (temporal.lag - row) * bits.count[field];
  use.moved = use.carried;
  use.bits = bits.all();
  use.own = use.bits;
  for (const int count : bits.count) use.fields += count > 0;
  use.logic = bits.operations() - static_cast<int>(use.taken);
  return use;
}

}  // namespace

void TemporalReads::Rows::add(const ir::Read& read, int axis) {
  add({read.offset[axis], -read.offset[0], read.offset[0]});
}

void TemporalReads::Rows::add(const Rows& other) {
  low = std::min(low, other.low);
  left = std::max(left, other.left);
  right = std::max(right, other.right);
}

TemporalReads temporal_reads(const ir::Stencil& stencil, const Launch& launch) {
  TemporalReads result;
  const int axis = stencil.rank() - 1;
  const auto is_stepped = [&](int field) {
    return stencil.fields[field].role == ir::Role::stepped;
  };
  const std::vector<ir::ExprPtr> values = values_of(launch, false);
  Search search{stencil, axis, {}, {}, {}};
  for (const ir::ExprPtr& value : values) search.in(value);
  result.adds = !search.sums.empty() && assigns_everywhere(stencil, launch);
  result.high = std::numeric_limits<int>::min();
  for (const ir::ExprPtr& expr : search.sums) {
    result.registers += registers(expr->type);
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms) {
      const ir::Read& read = *ir::read_of_tap(term.tap);
      result.of_sums.add(read, axis);
      result.high = std::max(result.high, read.offset[axis]);
      result.adds &= is_stepped(read.field);  // fields that no step updates do not arrive
      result.arriving.insert(read.field);
      if (is_stepped(read.field) && read.level == 0) result.summed[read.field].add(read, axis);
    }
  }
  for (const ir::ExprPtr& expr : search.reads)
    if (const auto& read = *ir::as<ir::Read>(expr); is_stepped(read.field) && read.level == 0)
      result.read[read.field].add(read, axis);
  std::set<std::tuple<int, ir::Offset>> inputs;
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || is_stepped(read->field)) continue;
    const ir::Field& field = stencil.fields[read->field];
    if (!ir::has_all_axes(stencil, field) || !inputs.emplace(read->field, read->offset).second)
      continue;
    ++result.inputs;
    result.input_bytes += ir::bytes(field.type);
  }
  return result;
}

TemporalFootprint temporal_footprint(Survey& survey, const Launch& launch, const Schedule& schedule,
                                     const Temporal& temporal) {
  if (temporal.bits()) return use_of_bits(survey.bits(), temporal);
  TemporalFootprint use;
  const ir::Stencil& stencil = survey.stencil;
  const TemporalReads& reads = survey.temporal_reads(launch);
  const int axis = stencil.rank() - 1;
  const auto is_stepped = [&](int field) {
    return stencil.fields[field].role == ir::Role::stepped;
  };
  // In 2-D the rows of t-1 are among those that are kept.
  const bool keeps_before = axis == 1;
  const bool sums = schedule.scatter && reads.adds && reads.high == temporal.lag &&
                    (!keeps_before || temporal.before_bytes == 0);
  std::map<int, TemporalReads::Rows> fields = reads.read;  // fields whose rows are kept
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (keeps_before && has_before(stencil.fields[f])) {
      ir::Offset before = {};
      before[axis] = -temporal.lag;
      const int field = static_cast<int>(f);
      fields[field].add(ir::Read{field, 0, before}, axis);
    }
  if (!sums)
    for (const auto& [field, rows] : reads.summed) fields[field].add(rows);
  use.adds = sums && fields.empty();
  const int width = schedule.vector;
  if (sums) use.carried += (temporal.lag - reads.of_sums.low) * width * reads.registers;
  for (const auto& [field, rows] : fields) {
    const double size = registers(stencil.fields[field].type);
    const int count = temporal.lag - rows.low;  // in addition to the one that arrives
    const int beside = rows.left + rows.right;
    use.carried += ((count + 1) * width + (count > 0 ? beside : 0)) * size;
    use.moved += count * width * size;
    use.taken += beside * size;
  }
  if (sums)
    for (const int field : reads.arriving)
      use.taken +=
          (reads.of_sums.left + reads.of_sums.right) * registers(stencil.fields[field].type);
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    if (is_stepped(static_cast<int>(f)))
      use.own += (keeps_before && has_before(stencil.fields[f]) ? 2 : 1) * width *
                 registers(stencil.fields[f].type);
  use.inputs = reads.inputs;
  use.input_bytes = reads.input_bytes;
  return use;
}

double instructions(const Reads& reads, const TemporalFootprint& use, double of_f64) {
  // As for one step per launch, except for functions, which wait more, and for divisions and roots,
  // which run side by side; a root is often part of a divisor, which hides it.
  constexpr double kInteger = 0.44, kDivision = 9, kRoot = 0.5, kFunction = 9, kConversion = 1.8;
  constexpr double kLongOfF64 = 2;  // factor for f64
  constexpr double kInput = 2;      // per cell of an input field
  const ir::Instructions& work = reads.work;
  double count = work.f32 + of_f64 * work.f64 + kInteger * work.integer +
                 (kDivision * work.divisions + kRoot * work.roots +
                  kFunction * (work.functions - work.roots)) *
                     (reads.widest == 8 ? kLongOfF64 : 1);
  // Rows of 2-byte values are converted when they arrive; bytes are converted where they are read.
  if (reads.narrowest == 2) count += 2 * kConversion;
  if (reads.narrowest == 1) count += kConversion * (1 + static_cast<double>(reads.rows.size()));
  return count + kInput * use.inputs;
}

double instructions_of_bits(const TemporalFootprint& use, int steps) {
  constexpr double kLogic = 1.0, kBeside = 2.3, kMoved = 0.5, kField = 120, kBit = 50;
  const double row = kField * use.fields + kBit * use.bits;
  return (kLogic * use.logic + kBeside * use.taken + kMoved * use.moved + row / steps) /
         kCellsOfBits;
}

}  // namespace stencilc::plan
