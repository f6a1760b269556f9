#include "plan/analysis/reads.h"

#include <algorithm>

#include "ir/node_map.h"
#include "plan/schedule/convolutions.h"

namespace stencilc::plan {
namespace {

// Whether this is a sum of reads times numbers, plane by plane along the third axis.
bool adds_planes(const ir::ExprPtr& node) {
  const auto* sum = ir::as<ir::Sum>(node);
  if (!sum) return false;
  std::vector<int> planes;
  for (const ir::Sum::Term& term : sum->terms) {
    const ir::Read* read = ir::read_of_tap(term.tap);
    if (!read || term.weight->reads) return false;
    planes.push_back(read->offset[2]);
  }
  return std::is_sorted(planes.begin(), planes.end()) && planes.front() < planes.back();
}

// Does the value read cells beside its own only to add planes? `seen`: those that do.
bool only_adds_planes(const ir::ExprPtr& value, ir::NodeSet& seen) {
  if (!value || !seen.insert(value.get()) || adds_planes(value)) return true;
  const auto* read = ir::as<ir::Read>(value);
  if (read && read->offset != ir::Offset{}) return false;
  bool all = true;
  ir::for_each_child(*value,
                     [&](const ir::ExprPtr& child) { all = all && only_adds_planes(child, seen); });
  return all;
}

// Reads of values whose t+1 the launch computes itself, or otherwise reads like any other level,
// except that of the fields that it keeps `in_registers`.
Reads reads_of_values(const ir::Stencil& stencil, const std::vector<ir::ExprPtr>& values,
                      bool makes_next, const std::set<int>& in_registers = {}) {
  Reads reads;
  const auto measure = [&](int field) {
    const int size = ir::bytes(stencil.fields[field].type);
    reads.bytes[field] = size;
    reads.widest = std::max(reads.widest, size);
    reads.narrowest = std::min(reads.narrowest, size);
  };
  ir::NodeSet slow;  // these values and the values that contain them
  bool any_slow = false;
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    bool is_slow = is_long(node);
    ir::for_each_child(*node, [&](const auto& child) { is_slow |= slow.has(child.get()); });
    if (is_slow) any_slow = slow.insert(node.get());
    if (const auto* let = ir::as<ir::Named>(node); let && let->offset != ir::Offset{}) {
      reads.shares |= is_slow;
      reads.recomputes |= let->let < 0;
    }
    const auto* read = ir::as<ir::Read>(node);
    if (!read) continue;
    const ir::Field& field = stencil.fields[read->field];
    if (!ir::has_all_axes(stencil, field)) continue;
    if (read->level == 1 && in_registers.contains(read->field)) continue;
    const bool beside = read->offset != ir::Offset{};
    if (beside) reads.beside.insert(read->field);
    if (makes_next && read->level == 1) {
      reads.recomputes |= beside;
      continue;
    }
    measure(read->field);
    reads.rows[{read->field, read->level, read->offset[1], read->offset[2]}].insert(
        read->offset[0]);
  }
  reads.slow = any_slow;
  ir::NodeSet seen;
  reads.adds_planes = std::all_of(values.begin(), values.end(), [&](const ir::ExprPtr& value) {
    return only_adds_planes(value, seen);
  });
  reads.reach = ir::reach(values);
  reads.work = ir::instructions_of(values);
  return reads;
}

void count_taps(const Convolutions& convolutions, Reads& reads) {
  for (const Convolution& one : convolutions.sums) {
    ++reads.boxes;
    reads.taps += one.box.row() * one.box.rows();
    reads.tap_rows = std::max(reads.tap_rows, one.box.rows());
  }
}

void store(const ir::Stencil& stencil, int field, Reads& reads) {
  const int size = ir::bytes(stencil.fields[field].type);
  reads.stores.push_back(size);
  reads.widest = std::max(reads.widest, size);
  reads.narrowest = std::min(reads.narrowest, size);
}

}  // namespace

Reads reads_of(const ir::Stencil& stencil) {
  std::vector<ir::ExprPtr> values;
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      values.push_back(one.value);
      if (one.domain.mask) values.push_back(one.domain.mask);
    }
  Reads reads = reads_of_values(stencil, values, true);
  count_taps(convolutions_of(stencil, {}, values), reads);
  for (const ir::Update& update : stencil.updates) store(stencil, update.field, reads);
  return reads;
}

std::vector<ir::ExprPtr> values_of(const Launch& launch, bool with_reductions) {
  std::vector<ir::ExprPtr> values;
  const auto add = [&](const ir::ExprPtr& value) {
    if (value) values.push_back(value);
  };
  for (const Stored& one : launch.stores) {
    add(one.value);
    add(one.when);
  }
  if (!with_reductions && !launch.every_step && !launch.stores.empty()) return values;
  for (const Combined& one : launch.combines) {
    add(one.value);
    add(one.mask);
  }
  return values;
}

Reads reads_of(const ir::Stencil& stencil, const Launch& launch) {
  const std::vector<ir::ExprPtr> values = values_of(launch, false);
  Reads reads = reads_of_values(stencil, values, false,
                                launch.along_stream ? launch.staged : std::set<int>());
  reads.margin = launch.margin;
  count_taps(convolutions_of(stencil, launch, values), reads);
  for (const Stored& one : launch.stores) store(stencil, stencil.updates[one.update].field, reads);
  return reads;
}

}  // namespace stencilc::plan
