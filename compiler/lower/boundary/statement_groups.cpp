#include "lower/boundary/statement_groups.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "lower/boundary/unassigned_cells.h"

namespace stencilc::lower {
namespace {

using Group = std::vector<Statement>;

class Order {
 public:
  Order(const Context& context, const std::vector<const ir::Update*>& updates,
        const std::set<int>& held)
      : context_(context), done_(context.stencil.fields.size()) {
    for (const int field : held)
      if (std::ranges::find(updates, update_of(field)) == updates.end())
        done_[field] = update_of(field)->cases.size();
    for (const ir::Update* update : updates) add(update);
  }

  std::vector<Group> run() {
    std::vector<Group> groups;
    while (true) {
      Group group = next(true);
      if (group.empty()) group = next(false);
      if (group.empty()) break;
      for (const Statement& statement : group) ++done_[statement.update->field];
      groups.push_back(std::move(group));
    }
    assert(std::all_of(updates_.begin(), updates_.end(),
                       [&](const ir::Update* update) { return complete(update->field); }));
    return groups;
  }

 private:
  // After those whose t+1 it reads.
  void add(const ir::Update* update) {
    if (std::find(updates_.begin(), updates_.end(), update) != updates_.end()) return;
    for (const ir::Case& one : update->cases)
      for (const int field : made_here({one.value, one.domain.mask}))
        if (field != update->field && !complete(field)) add(update_of(field));
    updates_.push_back(update);
  }

  const ir::Update* update_of(int field) const {
    return &context_.stencil.updates[context_.stencil.update_of(field)];
  }
  bool complete(int field) const { return done_[field] == update_of(field)->cases.size(); }

  // The fields of the launch whose t+1 at the cell the expressions read.
  std::set<int> made_here(const std::vector<ir::ExprPtr>& roots) const {
    std::set<int> fields;
    if (context_.launch.stores.size() == 1) return fields;
    for (const ir::ExprPtr& node : ir::nodes_of(roots)) {
      const auto* read = ir::as<ir::Read>(node);
      if (read && read->level == 1 && context_.launch.stores_field(context_.stencil, read->field))
        fields.insert(read->field);
    }
    return fields;
  }

  // The first statement that can be computed now, and all others that can be with it.
  Group next(bool everywhere) const {
    Group group;
    for (const ir::Update* update : updates_) {
      if (complete(update->field)) continue;
      const Statement statement{update, &update->cases[done_[update->field]]};
      const ir::Domain& domain = statement.assigns->domain;
      const bool fits = group.empty() ? !everywhere || assigns_all(context_, domain)
                                      : same_cells(context_, group[0].assigns->domain, domain);
      if (fits && is_ready(statement, group)) group.push_back(statement);
    }
    return group;
  }

  bool is_ready(const Statement& statement, const Group& group) const {
    const int own = statement.update->field;
    for (const int field : made_here({statement.assigns->domain.mask}))
      if (field != own && !complete(field)) return false;
    for (const int field : made_here({statement.assigns->value}))
      if (field != own && !complete(field) && !completes(group, field)) return false;
    return true;
  }

  // Has the group made the field when it comes to its next statement? What it shares must not be of
  // the value that the field had before.
  bool completes(const Group& group, int field) const {
    return std::any_of(group.begin(), group.end(), [&](const Statement& one) {
      return one.update->field == field && one.last() &&
             !made_here({one.assigns->value, one.assigns->domain.mask}).count(field);
    });
  }

  const Context& context_;
  std::vector<const ir::Update*> updates_;
  std::vector<size_t> done_;  // [field]: statements
};

}  // namespace

std::vector<std::vector<Statement>> statement_groups(
    const Context& context, const std::vector<const ir::Update*>& updates,
    const std::set<int>& held) {
  return Order(context, updates, held).run();
}

}  // namespace stencilc::lower
