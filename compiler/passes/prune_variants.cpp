#include "passes/prune_variants.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "passes/dead_code.h"

namespace stencilc::passes {
namespace {

using kernel::Body;
using kernel::Variants;

// Do all flags have one value? The body then is what it is without any of the variants' flags, or
// with all of them, and these two are there anyway.
bool is_one_value(const std::vector<bool>& flags) {
  return std::all_of(flags.begin(), flags.end(), [&](bool flag) { return flag == flags[0]; });
}

// False: the body asks for no flag, and is all that is left.
bool prune_flags(Variants& variants) {
  variants.body = without_dead_code(std::move(variants.body));
  const std::set<std::string> used = kernel::used_names(variants.body);
  std::vector<std::string> flags = {variants.flag};
  flags.insert(flags.end(), variants.further.begin(), variants.further.end());
  for (size_t n = flags.size(); n-- > 0;) {
    if (used.count(flags[n]) != 0) continue;
    flags.erase(flags.begin() + static_cast<std::ptrdiff_t>(n));
    for (auto& [where, values] : variants.cases)
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(n));
  }
  if (flags.empty()) return false;
  variants.flag = flags[0];
  variants.further.assign(flags.begin() + 1, flags.end());
  while (!variants.cases.empty() && is_one_value(variants.cases.back().second))
    variants.cases.pop_back();
  std::erase_if(variants.takes, [&](const std::string& name) { return used.count(name) == 0; });
  return true;
}

void prune_all(Body& body) {
  for (size_t n = 0; n < body.size(); ++n) {
    if (auto* variants = std::get_if<Variants>(&body[n].node)) {
      prune_all(variants->body);
      if (prune_flags(*variants) || variants->apart) continue;
      Body all = std::move(variants->body);
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(n));
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(n),
                  std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    } else if (auto* local = std::get_if<kernel::Local>(&body[n].node)) {
      prune_all(local->body);
    } else if (auto* loop = std::get_if<kernel::For>(&body[n].node)) {
      prune_all(loop->body);
    } else if (auto* branch = std::get_if<kernel::If>(&body[n].node)) {
      prune_all(branch->yes);
      prune_all(branch->no);
    }
  }
}

}  // namespace

void prune_variants(kernel::Module& module) {
  for (kernel::Launch& launch : module.launches) prune_all(launch.kernel.body);
}

}  // namespace stencilc::passes
