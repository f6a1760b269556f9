#include "run/real_program.h"

#include "run/real_families.h"

namespace stencilc::run_test {
namespace {

struct Family {
  const char* name;
  void (*write)(Sheet&);
};

// Neighbours in the list are unlike, as the seeds of a short run are neighbours.
constexpr Family kFamilies[] = {{"gas", gas},
                                {"elastic", elastic},
                                {"lattice", lattice},
                                {"pictures", pictures},
                                {"flood", flood},
                                {"tilted", tilted},
                                {"grains", grains},
                                {"weno", weno},
                                {"maxwell", maxwell},
                                {"curvilinear", curvilinear},
                                {"plasma", plasma},
                                {"relaxation", relaxation},
                                {"dendrites", dendrites},
                                {"flux_corrected", flux_corrected},
                                {"atmosphere", atmosphere},
                                {"reactions", reactions},
                                {"level_sets", level_sets},
                                {"high_order", high_order},
                                {"channel", channel}};

const Family& family_of(uint64_t seed) {
  return kFamilies[(seed + std::size(kFamilies) - 1) % std::size(kFamilies)];
}

}  // namespace

RandomProgram real_program(uint64_t seed, bool transcendental) {
  Sheet sheet(seed, transcendental);
  const Family& family = family_of(seed);
  family.write(sheet);
  return sheet.finish(family.name);
}

std::string real_family(uint64_t seed) { return family_of(seed).name; }

std::vector<std::string> real_families() {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) names.emplace_back(family.name);
  return names;
}

}  // namespace stencilc::run_test
