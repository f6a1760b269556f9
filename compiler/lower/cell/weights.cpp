#include "lower/cell/weights.h"

#include <algorithm>
#include <optional>

namespace stencilc::lower {
namespace {

using Elements = ir::BoxSum::Elements;

constexpr int kAccess = 16;  // bytes that a load of neighbouring weights moves at most

// Where a box has its weights in kernels; none where neighbours are then at no steady distance.
std::optional<Elements> laid_out(const ir::BoxSum& box, const WeightRows& rows) {
  const auto at = [&](int x, int y) {
    const Elements& from = box.elements;
    return place_of(from.first + x * from.stride[0] + y * from.stride[1], rows);
  };
  Elements to{box.elements.array, at(0, 0), {}};
  if (box.row() > 1) to.stride[0] = at(1, 0) - to.first;
  if (box.rows() > 1) to.stride[1] = at(0, 1) - to.first;
  for (int y = 0; y < box.rows(); ++y)
    for (int x = 0; x < box.row(); ++x)
      if (at(x, y) != to.first + x * to.stride[0] + y * to.stride[1]) return {};
  return to;
}

// How far apart rows begin of which loads take several values: short ones would become much longer.
int pitch_of(int row, int bytes) {
  const int unit = std::max(1, kAccess / bytes);
  return row > unit ? (row + unit - 1) / unit * unit : row;
}

// The boxes that some launch takes sums over, inside or near the boundary.
std::vector<ir::BoxSum> boxes_of(const ir::Stencil& stencil, const plan::Plan& plan) {
  std::vector<ir::BoxSum> boxes;
  for (const plan::Launch& launch : plan.launches()) {
    if (plan.shape_of(stencil, launch).taps == plan::Taps::terms) continue;
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

int place_of(int element, const WeightRows& rows) {
  if (rows.columns == 0) return element / rows.row * rows.pitch + element % rows.row;
  return element % rows.columns * rows.pitch + element / rows.columns;
}

std::vector<WeightRows> weight_rows_of(const ir::Stencil& stencil, const plan::Plan& plan) {
  std::vector<WeightRows> result;
  const std::vector<ir::BoxSum> boxes = boxes_of(stencil, plan);
  for (const ir::Weights& weights : stencil.weights) {
    const int count = weights.count(), array = static_cast<int>(result.size());
    result.push_back({0, count, count});
    if (weights.ranges.size() != 2) continue;
    const int columns = weights.ranges[1].second - weights.ranges[1].first + 1;
    const auto all = [&](const WeightRows& rows) {
      return std::all_of(boxes.begin(), boxes.end(), [&](const ir::BoxSum& box) {
        return box.elements.array != array || laid_out(box, rows);
      });
    };
    // Are the weights of neighbouring taps so far apart?
    const auto apart = [&](int stride) {
      return std::any_of(boxes.begin(), boxes.end(), [&](const ir::BoxSum& box) {
        return box.elements.array == array && box.row() > 1 &&
               std::abs(box.elements.stride[0]) == stride;
      });
    };
    WeightRows turned{columns, count / columns, count / columns};
    const bool transposes = columns > 1 && apart(columns) && all(turned);
    if (transposes) result.back() = turned;
    if (!transposes && !apart(1)) continue;
    WeightRows wide = transposes ? turned : WeightRows{0, columns, columns};
    wide.pitch = pitch_of(wide.row, ir::bytes(weights.type));
    if (wide.pitch != wide.row && all(wide)) result.back() = wide;
  }
  return result;
}

Elements places_of(const Context& context, const ir::BoxSum& box) {
  return *laid_out(box, context.weight_rows[box.elements.array]);
}

int pitch_of_table(const ir::BoxSum& box) {
  return box.rows() == 1 ? box.row() : pitch_of(box.row(), ir::bytes(box.constants[0]->type));
}

namespace {

std::vector<double> numbers_of(const ir::BoxSum& box) {
  std::vector<double> numbers(static_cast<size_t>(box.rows()) * pitch_of_table(box));
  for (size_t n = 0; n < box.constants.size(); ++n) {
    const size_t row = box.row();
    numbers[n / row * pitch_of_table(box) + n % row] =
        ir::as<ir::Constant>(box.constants[n])->value.real;
  }
  return numbers;
}

}  // namespace

void claim_tables(const ir::Stencil& stencil, const plan::Plan& plan, Signature& signature,
                  kernel::Module& module) {
  for (const ir::BoxSum& box : boxes_of(stencil, plan)) {
    if (box.constants.empty()) continue;
    const kernel::Type type = type_of(box.constants[0]->type);
    std::vector<double> numbers = numbers_of(box);
    const bool known = std::any_of(
        module.tables.begin(), module.tables.end(),
        [&](const kernel::Table& one) { return one.type == type && one.values == numbers; });
    if (known) continue;
    const std::string name = signature.claimed.claim(stencil.fields[box.field].name + "_weights");
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
