#include "driver/verify/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "data/values/generate.h"
#include "driver/verify/case_points.h"
#include "interp/interpreter.h"
#include "kernel/pieces.h"

namespace stencilc::driver {
namespace {

template <class T>
T checked(data::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error());
  return std::move(*result);
}

// With more steps the interpreter takes too long.
constexpr int64_t kMaxIterated = 200;

int64_t capped(int64_t value, int64_t most) { return std::max<int64_t>(1, std::min(value, most)); }

}  // namespace

std::string print(const Case& test) {
  std::string text = fmt::format("{}, {} step{} of {} data, seed {}", data::to_string(test.extents),
                                 test.steps, test.steps == 1 ? "" : "s", test.data, test.seed);
  if (!test.cuts.empty())
    text += fmt::format(", in pieces {} with legs of {}{}{}", fmt::join(test.cuts, ".."),
                        test.leg_steps, test.forgets ? " that forget" : "",
                        test.processes == 0 ? "" : fmt::format(", {} processes", test.processes));
  return text;
}

std::vector<Case> cases_in_pieces(const Compiled& compiled, int pieces, uint64_t seed) {
  const kernel::Module& module = compiled.module;
  const int64_t launch = module.window.steps;
  // Around a periodic axis two pieces are neighbours on both sides, and one is its own.
  const int64_t sides = module.window.wraps && pieces <= 2 ? 2 : 1;
  const int64_t least = std::max<int64_t>(1, sides * kernel::planes_beside(module, 1));
  uint64_t state = seed * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(pieces);
  const auto random = [&](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>(state >> 33) % below;
  };
  std::vector<Case> cases = awkward_cases(compiled, seed);
  for (size_t i = 0; i < cases.size(); ++i) {
    Case& test = cases[i];
    const int64_t legs[] = {launch, launch + 2, std::max<int64_t>(1, launch - 1), launch};
    test.leg_steps = legs[i % 4];
    const int64_t reach =
        std::max<int64_t>(1, sides * kernel::planes_beside(module, test.leg_steps));
    test.cuts = {0};
    for (int p = 0; p < pieces; ++p) {
      const int64_t thick[] = {least,     reach - 1,         reach,
                               reach + 1, least + random(7), reach + random(9)};
      // In every third grid all pieces are as thick as the legs ask; in others they differ.
      const int64_t kind = i % 3 == 1 ? 2 + random(2) : random(6);
      test.cuts.push_back(test.cuts.back() + std::max(least, thick[kind]));
    }
    int64_t& extent = test.extents.back();
    if (extent > test.cuts.back()) test.cuts.back() = extent;  // a thick last piece
    if (!module.multiples.empty()) {
      const int64_t multiple = module.multiples.back();
      test.cuts.back() = (test.cuts.back() + multiple - 1) / multiple * multiple;
    }
    extent = test.cuts.back();
    test.forgets = random(2) == 0;
    if (test.steps <= 0 || !module.steps) continue;
    test.steps += random(launch + 2);
    if (i % 4 == 1)
      test.steps = 2 * test.leg_steps + random(2);  // two long legs, and one of a step
  }
  if (module.steps) cases.push_back(case_of_many_legs(compiled, pieces, seed));
  return cases;
}

std::vector<Case> cases_in_processes(const Compiled& compiled, int pieces, uint64_t seed) {
  std::vector<Case> cases = cases_in_pieces(compiled, pieces, seed);
  for (size_t i = 0; i < cases.size(); ++i)
    cases[i].processes = pieces > 1 && i % 3 == 2 ? pieces - 1 : pieces;
  return cases;
}

Case case_of_many_legs(const Compiled& compiled, int pieces, uint64_t seed) {
  constexpr int64_t kRecorded = 33, kOthers = 5, kMostSteps = 3;
  const kernel::Module& module = compiled.module;
  // Legs that differ in more than their buffers are not recorded as a graph.
  const bool recorded = module.temporaries.empty() && !module.time && module.points.empty();
  const int64_t launch = module.window.steps;
  const int64_t legs[] = {1, launch > kMostSteps ? 1 : launch,
                          launch > kMostSteps ? 2 : launch + 1};
  Case test;
  test.seed = seed;
  test.leg_steps = legs[(seed + static_cast<uint64_t>(pieces)) % 3];
  test.steps =
      test.leg_steps * ((recorded ? kRecorded : kOthers) + static_cast<int64_t>(seed % 17));
  test.cuts = {0};
  // In every other pair of seeds so thick that there are planes that no neighbour reads.
  const int64_t sides = module.window.wraps && pieces <= 2 ? 2 : 1,
                thick = seed / 2 % 2 == 0 ? 2 : sides;
  for (int p = 0; p < pieces; ++p)
    test.cuts.push_back(test.cuts.back() + thick * kernel::planes_beside(module, test.leg_steps) +
                        1 + p % 3);
  for (size_t a = 0; a < module.extents.size(); ++a) {
    const int64_t multiple = module.multiples.empty() ? 1 : module.multiples[a];
    const int64_t cells = a + 1 == module.extents.size() ? test.cuts.back() : 5;
    test.extents.push_back((cells + multiple - 1) / multiple * multiple);
  }
  test.cuts.back() = test.extents.back();
  return test;
}

std::vector<Case> awkward_cases(const Compiled& compiled, uint64_t seed) {
  const ir::Stencil& stencil = compiled.stencil;
  const ir::Reach reach = ir::reach(stencil);
  const int rank = stencil.rank();
  // Whole tiles of a 3-D block have thousands of cells, so the longest axes are short where the
  // others are long.
  const int64_t most = rank == 3 ? 40 : rank == 2 ? 140 : 5000;
  const auto sizes = [&](auto of_axis) {
    data::Extents extents;
    for (int a = 0; a < rank; ++a) extents.push_back(capped(of_axis(a), most));
    return extents;
  };
  const auto radius = [&](int a) {
    return static_cast<int64_t>(std::max(reach.low[a], reach.high[a]));
  };
  const auto& launches = compiled.module.launches;
  const auto sweep = std::find_if(
      launches.begin(), launches.end(),
      [](const kernel::Launch& launch) { return launch.places < 0 && !launch.before_steps; });
  const auto tile = [&](int a) { return static_cast<int64_t>(sweep->kernel.tile[a]); };
  constexpr std::array<int64_t, 3> kPrimes = {67, 13, 7}, kOthers = {37, 29, 5};
  std::vector<data::Extents> list = {
      sizes([](int) { return 1; }),
      sizes(radius),
      sizes([&](int a) { return 2 * radius(a) + 1; }),
      sizes([&](int a) { return tile(a) - 1; }),
      sizes(tile),
      sizes([&](int a) { return tile(a) + 1; }),
      sizes([&](int a) { return 3 * tile(a); }),
      sizes([&](int a) {
        return a == 0 ? 64 : tile(a) + 1;
      }),  // rows without padding, where a cell beyond the end is a cell of the next row
      sizes([&](int a) { return kPrimes[a]; }),
      sizes([&](int a) { return kOthers[rank - 1 - a]; }),
  };
  // In grids that are capped, larger blocks have none that lies inside.
  constexpr int64_t kMostCells = 60'000;
  data::Extents inside;
  int64_t cells_inside = 1;
  for (int a = 0; a < rank; ++a) {
    inside.push_back(3 * tile(a));
    cells_inside *= inside.back();
  }
  if (sweep->kernel.steps.empty() && cells_inside <= kMostCells &&
      *std::max_element(inside.begin(), inside.end()) > most)
    list.push_back(inside);
  constexpr size_t kPrime = 8;
  for (int thin = 0; thin < rank && rank > 1; ++thin)  // one cell wide along one axis
    list.push_back(sizes([&](int a) { return a == thin ? 1 : 2 * tile(a) + 3; }));
  // For streaming launches of several steps: grids with warps away from the boundary. One of these
  // grids has rows that are a multiple of a vector.
  const bool resident_tile = sweep->kernel.any_steps;
  for (int cells = 0; rank == 3 && !sweep->kernel.steps.empty() && !resident_tile && cells < 2;
       ++cells)
    list.push_back({3 * tile(0) + cells,
                    std::max<int64_t>(2 * tile(1) + 3, sweep->least[1] + 1) + cells,
                    std::max<int64_t>(std::min<int64_t>(tile(2), 12) + 5, sweep->least[2])});
  // And the smallest grid, where one tile has both ends of the rows, or all boundaries.
  if (rank == 3 && !sweep->kernel.steps.empty() && !resident_tile)
    list.push_back({sweep->least[0], sweep->least[1], std::max<int64_t>(5, sweep->least[2])});
  // In 2-D, where the last of three tiles is moved to the end of the row.
  if (sweep->kernel.partition.filled_up)
    list.push_back({2 * tile(0) + 3, std::max<int64_t>(13, sweep->least[1])});
  // For resident tiles: grids with interior blocks.
  for (int cells = 0; resident_tile && cells < 2; ++cells) {
    data::Extents extents = {sweep->most > 0 ? sweep->most - 5 * cells : 3 * tile(0) + cells};
    for (int a = 1; a < rank; ++a)
      extents.push_back(std::max<int64_t>(3 * tile(a), sweep->least[a] + 2 * tile(a)) + 1 + cells);
    list.push_back(extents);
  }
  for (data::Extents& extents : list)  // colours around a periodic axis
    for (size_t a = 0; a < compiled.module.multiples.size(); ++a) {
      const int64_t multiple = compiled.module.multiples[a];
      extents[a] = (extents[a] + multiple - 1) / multiple * multiple;
    }
  // For launches of several steps: whole launches, and some with a remainder.
  int64_t most_steps = 1;
  for (const kernel::Launch& launch : launches)
    most_steps = std::max<int64_t>(most_steps, launch.kernel.most_steps);
  const auto steps = [&](size_t i) -> int64_t {
    if (!compiled.module.steps) return 1;
    if (most_steps == 1) return static_cast<int64_t>(i % 3 + 1);
    return i % 3 == 0 ? most_steps : i % 3 == 1 ? most_steps + 1 : 2 * most_steps - 1;
  };
  std::vector<Case> cases;
  const ir::Iterate& iterate = stencil.iterate;
  if (iterate.given && iterate.limit <= kMaxIterated)
    cases.push_back({list[kPrime], -1, "random", seed});
  if (compiled.module.steps) cases.push_back({list[kPrime], 0, "random", seed});
  for (size_t i = 0; i < list.size(); ++i) {
    // Near a wild value everything becomes NaN within a few steps, so one step shows more.
    cases.push_back({list[i], steps(i), "random", seed + i});
    if (i % 3 == 0) cases.push_back({list[i], most_steps, "wild", seed + i});
  }
  return cases;
}

std::vector<Case> cases_of_many_steps(const Compiled& compiled, uint64_t seed) {
  constexpr int64_t kLaunches = 300, kCells = 17;
  std::vector<Case> cases;
  for (const kernel::Launch& launch : compiled.module.launches) {
    if (!launch.kernel.early || !compiled.module.steps) continue;
    data::Extents extents;
    for (int a = 0; a < launch.kernel.rank; ++a)
      extents.push_back(std::max<int64_t>(kCells, launch.least[a]));
    const int64_t most = std::max(1, launch.kernel.most_steps);
    cases.push_back({extents, kLaunches * most + 1, "random", seed});
    break;
  }
  return cases;
}

HostData make_data(const ir::Stencil& stencil, const Case& test) {
  HostData host;
  host.extents = test.extents;
  host.first = static_cast<int64_t>(test.seed % 3);
  host.cuts = test.cuts;
  host.leg_steps = test.leg_steps;
  host.processes = test.processes;
  host.forgets = test.forgets;
  uint64_t seed = test.seed * 1000;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const data::Extents extents = array_extents(stencil, f, host.extents);
    const int levels = field.role == ir::Role::stepped ? field.levels() : 1;
    for (int level = 0; level < levels; ++level) {
      const data::Element element = element_of(field.type);
      if (field.role == ir::Role::output) {  // poison shows cells that are not written
        host.buffers.push_back(checked(data::generate(
            field.type == ir::Type::boolean ? "constant:1" : "constant:77", element, extents, 0)));
        continue;
      }
      host.buffers.push_back(checked(data::generate(test.data, element, extents, ++seed)));
    }
  }
  int n = 0;
  for (const ir::Param& param : stencil.params) {
    if (param.has_default)
      host.params.push_back(param.value);
    else if (ir::is_float(param.type))
      host.params.push_back(ir::make_real(param.type, 0.0625 + 0.0371 * ++n));
    else
      host.params.push_back(
          ir::Scalar{param.type, 0, param.type == ir::Type::boolean ? 1 : ++n % 5 + 1});
  }
  for (const ir::Weights& weights : stencil.weights) {
    host.weights.emplace_back();
    for (int i = 0; i < weights.count(); ++i)
      host.weights.back().push_back(
          ir::is_float(weights.type)
              ? ir::make_real(weights.type, 0.03125 + 0.0173 * ++n)
              : ir::convert(ir::make_integer(ir::Type::i64, ++n % 7 - 2), weights.type));
  }
  for (const ir::Reduction& reduction : stencil.reductions)  // the same for reductions
    host.reductions.push_back(
        ir::convert(ir::make_integer(ir::Type::i64, 77), interp::identity(reduction).type));
  make_points(stencil, test, host);
  return host;
}

}  // namespace stencilc::driver
