// Maps and sets of expressions, by their addresses: with open addressing, so that no entry takes
// memory of its own. The expressions have to live as long.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// Where an expression is looked for first, in a table of 2^(64 - shift) places.
inline size_t place_of(const Expr* expr, int shift) {
  // Objects lie 16 bytes apart or more; the product spreads the rest over the upper bits.
  return (reinterpret_cast<uintptr_t>(expr) >> 4) * 0x9E3779B97F4A7C15u >> shift;
}

// Most sets are small, and planning asks for thousands of them: no memory from the heap for those.
class NodeSet {
 public:
  NodeSet() = default;
  NodeSet(const NodeSet&) = delete;
  NodeSet& operator=(const NodeSet&) = delete;

  bool insert(const Expr* expr) {  // false: it was there
    if (2 * (count_ + 1) > size_) grow();
    const Expr*& place = find(expr);
    if (place) return false;
    place = expr;
    ++count_;
    return true;
  }
  bool has(const Expr* expr) { return find(expr) != nullptr; }

 private:
  static constexpr size_t kFew = 256;

  const Expr*& find(const Expr* expr) {
    size_t at = place_of(expr, shift_);
    while (table_[at] && table_[at] != expr) at = (at + 1) & (size_ - 1);
    return table_[at];
  }
  void grow() {
    const std::vector<const Expr*> old(table_, table_ + size_);
    size_ *= 4;
    shift_ -= 2;
    more_.assign(size_, nullptr);
    table_ = more_.data();
    for (const Expr* expr : old)
      if (expr) find(expr) = expr;
  }

  std::array<const Expr*, kFew> few_ = {};
  std::vector<const Expr*> more_;
  const Expr** table_ = few_.data();
  size_t size_ = kFew, count_ = 0;
  int shift_ = 64 - 8;
};

template <class Value>
class NodeMap {
 public:
  const Value* find(const Expr* expr) const {  // null: it is not there
    if (table_.empty()) return nullptr;
    const Entry& entry = table_[place(expr)];
    return entry.first ? &entry.second : nullptr;
  }
  // Makes it where it is not there. The next call may move it.
  Value& operator[](const Expr* expr) {
    if (2 * (count_ + 1) > table_.size()) grow();
    Entry& entry = table_[place(expr)];
    if (!entry.first) {
      entry.first = expr;
      ++count_;
    }
    return entry.second;
  }

 private:
  using Entry = std::pair<const Expr*, Value>;

  size_t place(const Expr* expr) const {
    size_t at = place_of(expr, shift_);
    while (table_[at].first && table_[at].first != expr) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Entry> old(table_.empty() ? 16 : 2 * table_.size());
    old.swap(table_);
    shift_ = old.empty() ? 64 - 4 : shift_ - 1;
    for (Entry& entry : old)
      if (entry.first) table_[place(entry.first)] = std::move(entry);
  }

  std::vector<Entry> table_;
  size_t count_ = 0;
  int shift_ = 0;
};

}  // namespace stencilc::ir
