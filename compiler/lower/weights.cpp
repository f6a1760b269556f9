#include "lower/weights.h"

#include <algorithm>
#include <optional>

namespace stencilc::lower {
namespace {

using Elements = ir::BoxSum::Elements;

// Where a box has its weights once columns are rows; none where neighbours are then at no steady
// distance.
std::optional<Elements> turned(const ir::BoxSum& box, int count, int columns) {
  const auto at = [&](int x, int y) {
    const Elements& from = box.elements;
    return place_of(from.first + x * from.stride[0] + y * from.stride[1], count, columns);
  };
  Elements to{box.elements.array, at(0, 0), {}};
  if (box.row() > 1) to.stride[0] = at(1, 0) - to.first;
  if (box.rows() > 1) to.stride[1] = at(0, 1) - to.first;
  for (int y = 0; y < box.rows(); ++y)
    for (int x = 0; x < box.row(); ++x)
      if (at(x, y) != to.first + x * to.stride[0] + y * to.stride[1]) return {};
  return to;
}

// The boxes that some launch takes sums over, inside or near the rim.
std::vector<ir::BoxSum> boxes_of(const ir::Stencil& stencil, const plan::Schedule& schedule) {
  std::vector<ir::BoxSum> boxes;
  if (schedule.taps == plan::Taps::terms) return boxes;
  for (const plan::Launch& launch : schedule.stages.launches) {
    std::vector<ir::ExprPtr> values;
    for (const plan::Stored& stored : launch.stores) {
      values.push_back(stored.value);
      for (const ir::Case& one : stencil.updates[stored.update].cases) values.push_back(one.value);
    }
    for (plan::Convolution& one : plan::convolutions_of(stencil, launch, values).sums)
      boxes.push_back(std::move(one.box));
  }
  return boxes;
}

}  // namespace

int place_of(int element, int count, int columns) {
  return columns == 0 ? element : element % columns * (count / columns) + element / columns;
}

std::vector<int> columns_of(const ir::Stencil& stencil, const plan::Schedule& schedule) {
  std::vector<int> result(stencil.weights.size(), 0);
  const std::vector<ir::BoxSum> boxes = boxes_of(stencil, schedule);
  for (size_t w = 0; w < result.size(); ++w) {
    const ir::Weights& weights = stencil.weights[w];
    if (weights.ranges.size() != 2) continue;
    const int columns = weights.ranges[1].second - weights.ranges[1].first + 1;
    bool apart = false, all = true;
    for (const ir::BoxSum& box : boxes) {
      if (box.elements.array != static_cast<int>(w)) continue;
      apart |= columns > 1 && std::abs(box.elements.stride[0]) == columns;
      all &= turned(box, weights.count(), columns).has_value();
    }
    if (apart && all) result[w] = columns;
  }
  return result;
}

Elements places_of(const Context& context, const ir::BoxSum& box) {
  const int array = box.elements.array, columns = context.columns[array];
  if (columns == 0) return box.elements;
  return *turned(box, context.stencil.weights[array].count(), columns);
}

namespace {

std::vector<double> numbers_of(const ir::BoxSum& box) {
  std::vector<double> numbers;
  for (const ir::ExprPtr& one : box.constants)
    numbers.push_back(ir::as<ir::Constant>(one)->value.real);
  return numbers;
}

}  // namespace

void claim_tables(const ir::Stencil& stencil, const plan::Schedule& schedule, Signature& signature,
                  kernel::Module& module) {
  for (const ir::BoxSum& box : boxes_of(stencil, schedule)) {
    if (box.constants.empty()) continue;
    const kernel::Type type = type_of(box.constants[0]->type);
    std::vector<double> numbers = numbers_of(box);
    const bool known = std::any_of(
        module.tables.begin(), module.tables.end(),
        [&](const kernel::Table& one) { return one.type == type && one.values == numbers; });
    if (known) continue;
    const std::string name = signature.names.claim(stencil.fields[box.field].name + "_weights");
    signature.tables.push_back({name, type, false, static_cast<int>(numbers.size())});
    signature.table_values.push_back(numbers);
    module.tables.push_back({name, type, std::move(numbers), false});
  }
}

const kernel::Buffer& table_of(const Context& context, const ir::BoxSum& box) {
  const std::vector<double> numbers = numbers_of(box);
  size_t n = 0;
  while (context.tables[n].element != type_of(box.constants[0]->type) ||
         context.table_values[n] != numbers)
    ++n;
  return context.tables[n];
}

}  // namespace stencilc::lower
