// before   q[t+1] = flux - flux[x-1]               flux: a `let`, computed twice for each cell, or
//                                                  flux[t+1] of a field that the launch stores
// after    flux, of the cells -1 .. 31 of a block of 32, computed once; q[t+1] reads it twice
#include "plan/schedule/staged_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "ir/work.h"
#include "plan/schedule/marched_values.h"

namespace stencilc::plan {
namespace {

using ir::ExprPtr;

int axes_of(const ir::Offset& offset) {
  return static_cast<int>(std::ranges::count_if(offset, [](int one) { return one != 0; }));
}

class Finder {
 public:
  Finder(const ir::Stencil& stencil, const Launch& launch, const std::vector<std::string>& names,
         bool of_staged)
      : stencil_(stencil), launch_(launch), names_(names), of_staged_(of_staged) {}

  StagedValues run() {
    std::vector<ExprPtr> roots;
    const auto add = [&](const ExprPtr& root) {
      if (root) roots.push_back(root);
    };
    for (const Stored& one : launch_.stores) {
      const ir::Update& update = stencil_.updates[one.update];
      add(one.when);
      if (launch_.staged.contains(update.field)) continue;
      add(one.value);
      for (const ExprPtr& root : roots_of(update)) add(root);
    }
    for (const Combined& one : launch_.combines) {
      const ir::Reduction& reduction = stencil_.reductions[one.reduction];
      for (const ExprPtr& root : {one.value, one.mask, reduction.value, reduction.domain.mask})
        add(root);
    }
    result_.reads = reads_in(roots, &result_.others);
    for (const Stored& one : launch_.stores)
      if (const int field = stencil_.updates[one.update].field; launch_.staged.contains(field))
        result_.reads.push_back({one.value, place_of_field(field)});
    for (const StagedRead& read : result_.reads) {
      need(read, {ir::Offset{}});
      add_read(result_.values[read.value].beyond, {}, read.offset);
    }
    for (size_t v = result_.values.size(); v-- > 0;)
      for (const StagedRead& read : result_.values[v].reads) {
        need(read, needed_[v]);
        const StagedValue& reader = result_.values[v];
        add_read(result_.values[read.value].beyond, reader.is_field() ? ir::Reach() : reader.beyond,
                 read.offset);
      }
    for (size_t v = 0; v < result_.values.size(); ++v) finish(v);
    drop_own();
    return std::move(result_);
  }

 private:
  // Where values that are staged stand in the expressions. To `others`: the reads outside of them.
  // `own`: the field that they update, of which they read what statements before have made.
  std::vector<StagedRead> reads_in(const std::vector<ExprPtr>& roots,
                                   std::vector<ExprPtr>* others = nullptr, int own = -1) {
    std::vector<StagedRead> reads;
    std::unordered_set<const ir::Expr*> seen;
    std::vector<ExprPtr> pending(roots.rbegin(), roots.rend());
    while (!pending.empty()) {
      const ExprPtr expr = pending.back();
      pending.pop_back();
      if (!seen.insert(expr.get()).second) continue;
      if (const auto* named = ir::as<ir::Named>(expr); named && is_staged(*named)) {
        reads.push_back({expr, place_of(*named), named->offset});
        continue;
      }
      if (const auto* read = ir::as<ir::Read>(expr); read && is_staged(*read)) {
        if (read->field != own) reads.push_back({expr, place_of_field(read->field), read->offset});
        continue;
      }
      if (others && ir::as<ir::Read>(expr)) others->push_back(expr);
      ir::for_each_child(*expr, [&](const ExprPtr& child) { pending.push_back(child); });
    }
    return reads;
  }

  bool is_staged(const ir::Read& read) const {
    return read.level == 1 && launch_.staged.contains(read.field);
  }

  bool is_staged(const ir::Named& named) {
    if (named.let < 0 || std::ranges::find(names_, named.name) == names_.end()) return false;
    const auto [known, fresh] = staged_.try_emplace(named.let, true);
    if (fresh)
      for (const ExprPtr& node : ir::nodes_of({named.value})) {
        const auto* read = ir::as<ir::Read>(node);
        const auto* other = ir::as<ir::Named>(node);
        if ((other && other->let < 0) ||
            (read && read->level == 1 && launch_.stores_field(stencil_, read->field) &&
             !(of_staged_ && launch_.staged.contains(read->field))))
          known->second = false;
      }
    return known->second;
  }

  // Its place among all values, after those that it reads.
  int place_of(const ir::Named& named) {
    if (const auto known = place_.find(named.let); known != place_.end()) return known->second;
    StagedValue value;
    value.name = named.name;
    value.let = named.let;
    value.expr = ir::displace(named.value, ir::opposite(named.offset));
    value.reads = reads_in({value.expr}, &value.others);
    return place_[named.let] = add(std::move(value));
  }

  int place_of_field(int field) {
    if (const auto known = place_of_field_.find(field); known != place_of_field_.end())
      return known->second;
    const Stored& stored = *std::ranges::find_if(launch_.stores, [&](const Stored& one) {
      return stencil_.updates[one.update].field == field;
    });
    StagedValue value;
    value.name = stencil_.fields[field].name;
    value.field = field;
    value.expr = stored.value;
    value.margin = margin_of_update(stencil_, launch_, stored);
    // What only cells near the boundary read has to be there, too.
    std::vector<ExprPtr> roots = roots_of(stencil_.updates[stored.update]);
    std::erase(roots, nullptr);
    roots.push_back(value.expr);
    value.reads = reads_in(roots, &value.others, field);
    return place_of_field_[field] = add(std::move(value));
  }

  int add(StagedValue value) {
    for (const StagedRead& read : value.reads)
      value.level = std::max(value.level, result_.values[read.value].level + 1);
    result_.values.push_back(std::move(value));
    needed_.emplace_back();
    return static_cast<int>(result_.values.size()) - 1;
  }

  // A read of the value by cells at these offsets from those of the block.
  void need(const StagedRead& read, const std::set<ir::Offset>& readers) {
    std::vector<ir::Offset> cells = {read.offset};
    if (const int field = result_.values[read.value].field; field >= 0)
      cells = cells_read(stencil_, {field, 1, read.offset});
    for (const ir::Offset& reader : readers)
      for (const ir::Offset& offset : cells) {
        ir::Offset at;
        for (int a = 0; a < ir::kMaxRank; ++a) at[a] = reader[a] + offset[a];
        needed_[read.value].insert(at);
      }
  }

  void finish(size_t v) {
    StagedValue& value = result_.values[v];
    for (const ir::Offset& at : needed_[v]) {
      for (int a = 0; a < ir::kMaxRank; ++a) {
        value.around.low[a] = std::max(value.around.low[a], -at[a]);
        value.around.high[a] = std::max(value.around.high[a], at[a]);
      }
      if (axes_of(at) > 1) value.cross = false;
    }
    // Cells beyond the block along one axis alone: there are no others.
    int axes = 0;
    for (int a = 0; a < ir::kMaxRank; ++a)
      if (value.around.low[a] + value.around.high[a] > 0) ++axes;
    if (axes < 2) value.cross = false;
    if (!value.is_field()) value.domain = domain_of(value.expr);
  }

  // The cells for which all that the expression reads is there: temporaries are wherever they can
  // be computed.
  ir::Domain domain_of(const ExprPtr& expr) const {
    std::vector<ExprPtr> others;
    ir::Offset low = {}, high = {};
    for (const ExprPtr& node : ir::nodes_of({expr})) {
      const auto* read = ir::as<ir::Read>(node);
      if (!read) continue;
      if (!stencil_.fields[read->field].temporary) {
        others.push_back(node);
        continue;
      }
      const ir::Domain& made = stencil_.maker_of(read->field)->cases[0].domain;
      for (int a = 0; a < ir::kMaxRank; ++a) {
        if (made.low[a] > 0) low[a] = std::max(low[a], made.low[a] - read->offset[a]);
        if (made.high[a] > 0) high[a] = std::max(high[a], made.high[a] + read->offset[a]);
      }
    }
    ir::Domain domain = ir::domain_of(stencil_, others);
    for (int a = 0; a < ir::kMaxRank; ++a) {
      domain.low[a] = std::max(domain.low[a], low[a]);
      domain.high[a] = std::max(domain.high[a], high[a]);
    }
    return domain;
  }

  // What only the cell itself reads is computed there. The reads that such values hide are found
  // again without them.
  void drop_own() {
    std::vector<std::string> names;
    size_t lets = 0;
    for (size_t v = 0; v < needed_.size(); ++v) {
      if (result_.values[v].is_field()) continue;
      ++lets;
      if (needed_[v] != std::set<ir::Offset>{ir::Offset{}}) names.push_back(result_.values[v].name);
    }
    if (names.size() < lets) result_ = staged_values(stencil_, launch_, names, of_staged_);
  }

  const ir::Stencil& stencil_;
  const Launch& launch_;
  const std::vector<std::string>& names_;
  const bool of_staged_;
  StagedValues result_;
  std::map<int, int> place_, place_of_field_;  // by let, and by field
  std::map<int, bool> staged_;                 // by let: can it be?
  std::vector<std::set<ir::Offset>> needed_;   // by value: of cells at these offsets
};

bool same(const ir::Reach& a, const ir::Reach& b) { return a.low == b.low && a.high == b.high; }

// Are the values computed for the same cells?
bool needed_alike(const StagedValue& a, const StagedValue& b) {
  return a.is_field() == b.is_field() && a.cross == b.cross && same(a.around, b.around) &&
         same(a.beyond, b.beyond) && a.domain.low == b.domain.low && a.domain.high == b.domain.high;
}

}  // namespace

int StagedValues::levels() const {
  int levels = 0;
  for (const StagedValue& one : values) levels = std::max(levels, one.level + 1);
  return levels;
}

std::vector<std::vector<int>> StagedValues::together(int level) const {
  std::vector<std::vector<int>> groups;
  for (size_t v = 0; v < values.size(); ++v) {
    if (values[v].level != level) continue;
    const auto found = std::ranges::find_if(groups, [&](const std::vector<int>& group) {
      return needed_alike(values[group[0]], values[v]);
    });
    if (found != groups.end())
      found->push_back(static_cast<int>(v));
    else
      groups.push_back({static_cast<int>(v)});
  }
  return groups;
}

double StagedValues::work_of(const std::vector<int>& some) const {
  double work = 0;
  for (const int v : some)
    work += static_cast<double>(ir::instructions_of({values[v].expr}).weighted());
  return work;
}

double StagedValues::longest_work() const {
  double most = 0;
  for (int level = 0; level < levels(); ++level)
    for (const std::vector<int>& group : together(level)) most = std::max(most, work_of(group));
  return most;
}

int StagedValues::bytes(const std::array<int, 3>& tile) const {
  constexpr int kAligned = 16;
  int bytes = 0;
  for (const StagedValue& one : values) {
    int cells = 1;
    for (int a = 0; a < ir::kMaxRank; ++a)
      cells *= tile[a] + one.around.low[a] + one.around.high[a];
    bytes += (cells * ir::bytes(one.expr->type) + kAligned - 1) / kAligned * kAligned;
  }
  return bytes;
}

StagedValues staged_values(const ir::Stencil& stencil, const Launch& launch,
                           const std::vector<std::string>& names, bool of_staged) {
  return names.empty() && launch.staged.empty() ? StagedValues()
                                                : Finder(stencil, launch, names, of_staged).run();
}

int staged_bytes(const ir::Stencil& stencil, const std::vector<Launch>& launches,
                 const Schedule& schedule) {
  int bytes = 0;
  for (const Launch& launch : launches) {
    const Schedule own = schedule.of_launch(stencil, launch);
    const MarchedValues marched = marched_values(stencil, launch, own);
    bytes = std::max(bytes, marched.empty()
                                ? staged_values(stencil, launch, own.tile_values).bytes(own.tile())
                                : marched.bytes(stencil, own.tile()));
  }
  return bytes;
}

}  // namespace stencilc::plan
