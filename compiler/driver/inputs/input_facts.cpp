#include "driver/inputs/input_facts.h"

#include <fmt/format.h>

#include "diag/diagnostic.h"

namespace stencilc::driver {

std::string what_is_made_up(const InputFacts& facts) {
  std::string text;
  if (!facts.made_up.empty())
    text =
        fmt::format("there is no `--in` for {}: filled with `gauss`", diag::listed(facts.made_up));
  if (!facts.made_up_points.empty())
    text += fmt::format("{}there is no `--points` for {}: one point in the middle",
                        text.empty() ? "" : "; ", diag::listed(facts.made_up_points));
  return text;
}

}  // namespace stencilc::driver
