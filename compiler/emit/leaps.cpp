#include "emit/leaps.h"

#include "emit/writer.h"

namespace stencilc::emit {

std::vector<int> step_counts(const kernel::Kernel& kernel) {
  std::vector<int> counts = {kernel.most_steps};
  for (int count = 16; count > 1; count /= 2)
    if (count < kernel.most_steps) counts.push_back(count);
  return counts;
}

std::string large_enough(const kernel::Launch& launch) {
  std::vector<std::string> conditions;
  for (int a = 0; a < launch.kernel.rank; ++a)
    if (launch.least[a] > 1)
      conditions.push_back("shape.n" + std::string(1, "xyz"[a]) +
                           " >= " + std::to_string(launch.least[a]));
  return join(conditions, " && ");
}

}  // namespace stencilc::emit
