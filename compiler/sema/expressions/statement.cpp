#include "sema/expressions/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "diag/codes.h"
#include "ir/build.h"

namespace stencilc::sema {

using ast::Range;

namespace {
constexpr int64_t kMaxNodes = 200'000;  // of one statement: 10,000 reads and what combines them
constexpr int64_t kMaxWork = 10 * kMaxNodes;  // including what is evaluated to a constant
// Functions that walk an expression with its lets and functions expanded are recursive.
constexpr int kMaxTerms = 10'000;
constexpr int kMaxHeight = kMaxTerms + 500;  // including what is inside a term
}  // namespace

void Statement::start(int changed) {
  changed_ = changed;
  built_ = work_ = 0;
  told_.clear();
}

bool Statement::check_height(const Operand& operand, const Range& at) {
  if (operand.kind != Operand::typed || operand.expr->height <= kMaxHeight) return true;
  engine_
      .report(diag::size_limit, at,
              fmt::format("an expression has more than {} terms when its `let`s are expanded",
                          kMaxTerms))
      .help("compute a part of it into a field of its own");
  return false;
}

bool Statement::check_limit(int64_t& count, int64_t more, int64_t limit, const char* text,
                            const Range& at) {
  const bool told = count > limit;
  count += more;
  if (count <= limit) return true;
  if (!told) engine_.report(diag::size_limit, at, fmt::format(fmt::runtime(text), limit));
  return false;
}

bool Statement::check_size(const Operand& operand, const Range& at, int64_t size) {
  if (operand.kind != Operand::typed || ir::as<ir::Constant>(operand.expr)) return true;
  return check_limit(built_, size, kMaxNodes, "the statement unrolls to more than {} operations",
                     at);
}

int64_t Statement::size_of(const Operand& operand) {
  if (operand.kind != Operand::typed) return 1;
  std::unordered_map<const ir::Expr*, int64_t> sizes;
  for (const ir::ExprPtr& node : ir::nodes_of(std::vector{operand.expr})) {
    const auto* named = ir::as<ir::Named>(node);
    int64_t size = named && ir::is_argument(*named) ? 0 : 1;
    if (!named || ir::is_argument(*named))  // a let is counted where it is declared
      for (const ir::ExprPtr& child : ir::children(*node)) size += sizes[child.get()];
    sizes[node.get()] = std::min(size, kMaxNodes + 1);
  }
  return sizes[operand.expr.get()];
}

bool Statement::check_work(const Range& at) {
  if (built_ > kMaxNodes) return false;
  return check_limit(
      work_, 1, kMaxWork,
      "the statement unrolls to more than {} operations, those on constants included", at);
}

}  // namespace stencilc::sema
