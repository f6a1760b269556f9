#include "passes/argument_values.h"

#include "ir/build.h"

namespace stencilc::passes {

namespace {

ir::Offset minus(ir::Offset a, const ir::Offset& b) {
  for (int axis = 0; axis < ir::kMaxRank; ++axis) a[axis] -= b[axis];
  return a;
}

}  // namespace

ArgumentValues::ArgumentValues(const ir::Stencil& stencil) : stencil_(stencil) {
  for (const ir::Field& field : stencil.fields) names_.insert(field.name);
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* named = ir::as<ir::Named>(node); named && !ir::is_argument(*named))
      names_.insert(named->name);
}

std::string ArgumentValues::unused_name(const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; !names_.insert(name).second; ++n) name = wanted + std::to_string(n);
  return name;
}

// Equal for equal expressions, each seen from its cell.
int ArgumentValues::number(const ir::ExprPtr& expr, const ir::Offset& cell) {
  ir::NodeMap<int>& known = known_[cell];
  if (const int* found = known.find(expr.get())) return *found;
  std::vector<int64_t> label;
  if (const auto* read = ir::as<ir::Read>(expr)) {
    ir::Read seen = *read;
    for (int a = 0; a < stencil_.rank(); ++a)
      if (stencil_.fields[read->field].along[a]) seen.offset[a] -= cell[a];
    ir::add_label(*ir::make(expr->type, seen), label);
  } else if (const auto* coordinate = ir::as<ir::Coordinate>(expr)) {
    const int axis = coordinate->axis;
    ir::add_label(*ir::make(expr->type, ir::Coordinate{axis, coordinate->offset - cell[axis]}),
                  label);
  } else if (const auto* named = ir::as<ir::Named>(expr)) {
    const ir::Named seen{named->name, named->let, minus(named->offset, cell), named->value};
    ir::add_label(*ir::make(expr->type, seen), label);
  } else {
    ir::add_label(*expr, label);
    ir::for_each_child(*expr,
                       [&](const ir::ExprPtr& child) { label.push_back(number(child, cell)); });
  }
  keep_.push_back(expr);
  return known_[cell][expr.get()] =
             numbers_.try_emplace(std::move(label), static_cast<int>(numbers_.size()))
                 .first->second;
}

ir::ExprPtr ArgumentValues::value(const ir::Named& argument, const ir::ExprPtr& canonical) {
  const int expression = number(canonical, argument.offset);
  const auto [place, fresh] = values_.try_emplace(expression);
  auto& [value, name] = place->second;
  if (fresh) {
    value = static_cast<int>(values_.size()) - 1;
    name = unused_name(argument.name);
  }
  ir::ExprPtr& made = made_[{value, argument.offset}];
  if (!made)
    made = ir::make(canonical->type,
                    ir::Named{name, ir::kFirstArgument + value, argument.offset, canonical});
  return made;
}

}  // namespace stencilc::passes
