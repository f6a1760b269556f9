// The larger parts of random expressions: weighted sums, lets, functions, windows,
// differences.
#include <algorithm>

#include "run/random_expression.h"

namespace stencilc::run_test {

using ir::Type;

Phrase RandomExpression::tap() {
  const auto known = fields(true, false);
  const auto whole = fields(false, false);
  afford(1);
  if (!known.empty() && (whole.empty() || random_.chance(90)))
    return random_read(*random_.pick(known));
  if (!whole.empty()) return random_read(*random_.pick(whole));
  return coordinate();
}

// The cell and its neighbours along every axis, in any order, each with a weight of its own:
// 0.1*u + 0.02*u[y-1] + 0.05*u[x+2] + ...
Phrase RandomExpression::star(const ReadableField& field) {
  const int rank = static_cast<int>(words_.axes.size());
  const int radius = std::min(words_.radius, std::max(1, (budget_ - 1) / (2 * rank)));
  std::vector<std::vector<int>> places = {std::vector<int>(rank, 0)};
  for (int axis = 0; axis < rank; ++axis)
    for (int k = 1; k <= radius; ++k)
      for (const int side : {-k, k}) {
        places.emplace_back(rank, 0);
        places.back()[axis] = side;
      }
  for (size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[random_.below(static_cast<int>(i))]);
  afford(static_cast<int>(places.size()));
  const int time = random_time(field);
  Phrase result;
  for (size_t i = 0; i < places.size(); ++i) {
    const Phrase factor = weight();
    const Phrase term = binary(factor, "*", read(field, places[i], time));
    result = i == 0 ? term : binary(result, random_.chance(80) ? "+" : "-", term);
  }
  return result;
}

// 0.03*u[x-1] - a*u[x+1] + 0.05*(u[y-2] + 0.7*v) ...
Phrase RandomExpression::linear() {
  const auto known = fields(true, true);
  if (!known.empty() && budget_ > 6 && random_.chance(40)) return star(*random_.pick(known));
  const int terms = std::min(random_.between(2, 9), std::max(2, budget_));
  Phrase result;
  for (int n = 0; n < terms; ++n) {
    const Phrase first = tap();
    const bool grouped = random_.chance(25) && afford(1);
    Phrase term;
    if (grouped) {
      const Phrase second = tap();
      const Phrase other = random_.chance(50) ? binary(weight(), "*", second) : second;
      const Phrase pair = binary(first, random_.pick({"+", "-"}), other);
      term = random_.chance(70) ? binary(weight(), "*", pair) : binary(pair, "/", literal("6.5"));
    } else {
      const Phrase factor = weight();
      term = random_.chance(80) ? binary(factor, "*", first) : binary(first, "*", factor);
    }
    result = n == 0 ? term : binary(result, random_.chance(75) ? "+" : "-", term);
  }
  if (random_.chance(15)) result = binary(weight(), "+", result);
  if (random_.chance(15)) result = binary(literal("0.75"), "*", result);
  if (random_.chance(10)) result = binary(result, "/", number(2));
  if (random_.chance(5)) result = negated(result);
  return result;
}

Phrase RandomExpression::point(const ReadableField& field) {
  const Phrase here = random_read(field);
  const std::vector<int> centre(words_.axes.size(), 0);
  const int time = field.times.front();
  switch (random_.below(5)) {
    case 0:
      return read(field, centre, time);
    case 1:
      return binary(weight(), "*", here);
    case 2:
      return binary(here, "-", read(field, centre, time));
    case 3:
      return binary(here, "*", read(field, centre, time));
    default:
      return here;
  }
}

Phrase RandomExpression::let_beside(const Phrase& let) {
  const int room = words_.radius + 1 - let.reach;
  if (!let.movable || room < 1) return let;
  ReadableField as_field;
  as_field.name = let.text;
  as_field.type = as_field.computes = *let.type;
  std::vector<int> offsets(words_.axes.size(), 0);
  const int axis = random_.below(static_cast<int>(offsets.size()));
  offsets[axis] = random_.between(-room, room);
  Phrase result = read(as_field, offsets, 0);
  result.reads = let.reads;
  result.reach += let.reach;
  return result;
}

Phrase RandomExpression::displaced_by_variables(const ReadableField& field,
                                                const std::vector<int>& radii) {
  Phrase result;
  result.type = field.computes;
  result.reads = 1;
  result.movable = field.bounded;
  result.text = field.name + "[";
  for (size_t a = 0; a < radii.size(); ++a) {
    const bool minus = random_.chance(15);
    result.text +=
        (a ? ", " : "") + words_.axes[a] + (minus ? "-" : "+") + words_.window_variables[a];
    result.reads *= 2 * radii[a] + 1;
    result.reach = std::max(result.reach, radii[a]);
  }
  result.text += "]";
  return result;
}

// sum(p in -1..1, q in -1..1 : w[p, q] * u[x+p, y+q])
Phrase RandomExpression::weighted_window(const WeightArray& weights, const ReadableField& field) {
  const Phrase inner = displaced_by_variables(field, weights.radii);
  if (!afford(inner.reads)) return leaf(ir::is_float(weights.type));
  Phrase factor = literal(weights.name + "[");
  std::string ranges;
  for (size_t a = 0; a < weights.radii.size(); ++a) {
    const std::string& variable = words_.window_variables[a];
    const std::string radius = std::to_string(weights.radii[a]);
    factor.text += (a ? ", " : "") + variable;
    ranges += (a ? ", " : "") + variable + " in -" + radius + ".." + radius;
  }
  factor.text += "]";
  factor.type = weights.type;
  Phrase result = binary(factor, "*", inner);
  result.text = "sum(" + ranges + " : " + result.text + ")";
  result.strength = primary;
  return result;
}

// min(p in -2..2 : u[x+p])
Phrase RandomExpression::window(const ReadableField& field) {
  const int radius = std::min(words_.radius, 2);
  std::vector<int> radii = {random_.between(1, radius)};
  if (words_.axes.size() > 1 && random_.chance(40)) radii.push_back(1);
  const Phrase inner = displaced_by_variables(field, radii);
  if (!afford(inner.reads)) return leaf(ir::is_float(field.type));
  const std::string kind = random_.pick({"sum", "prod", "min", "max"});
  std::string ranges;
  for (size_t a = 0; a < radii.size(); ++a) {
    const std::string bound = std::to_string(radii[a]);
    ranges += (a ? ", " : "") + words_.window_variables[a] + " in -" + bound + ".." + bound;
  }
  Phrase body = inner;
  if (kind == "prod" && ir::is_float(field.type))
    body = binary(literal("0.75"), "+", binary(literal("0.25"), "*", inner));
  Phrase result = body;
  result.text = kind + "(" + ranges + " : " + body.text + ")";
  result.strength = primary;
  const bool keeps = (kind == "min" || kind == "max") && field.type != Type::boolean;
  if (!keeps) result.type = ir::arithmetic(*body.type);
  return result;
}

Phrase RandomExpression::laplacian(const ReadableField& field) {
  const int widest = ir::is_float(field.type) ? std::min(3, words_.radius) : 1;
  const int half = random_.chance(40) ? widest : random_.between(1, widest);
  const int reads = 1 + 2 * half * static_cast<int>(words_.axes.size());
  if (!afford(reads)) return leaf(ir::is_float(field.type));
  Phrase result;
  result.type = ir::arithmetic(field.computes);
  result.reads = reads;
  result.reach = half;
  result.text = "laplacian(" + field.name;
  if (half > 1 || random_.chance(30)) result.text += ", order = " + std::to_string(2 * half);
  result.text += ")";
  return ir::is_float(field.type) ? binary(weight(), "*", result) : result;
}

// dx(u, order = 4), dxy(u), dx(u, at = +1/2), dx(u, order = 2, side = -1), dx(u, upwind = v)
Phrase RandomExpression::difference(const ReadableField& field) {
  const std::string axis = random_.pick(words_.axes), other = random_.pick(words_.axes);
  const int widest = std::min(3, words_.radius);
  const int half = random_.between(1, widest);
  const int dice = random_.below(8);
  const int form = dice == 6 ? 1 : dice == 7 ? 2 : dice;
  Phrase result;
  result.type = field.computes;
  result.reach = half;
  result.reads = form == 1 && axis != other ? 4 * half * half : 2 * half + 2;
  if (!afford(result.reads)) return floating_leaf();
  // The letters of two axes stand in the order of the axes.
  const bool swapped = words_.axes[0] == other || words_.axes.back() == axis;
  const std::string both = swapped ? other + axis : axis + other;
  result.text = (form == 1 ? "d" + both : "d" + axis) + "(" + field.name;
  const int order = form <= 2 ? 2 * half : half;
  if (order != (form <= 2 ? 2 : 1) || random_.chance(30))
    result.text += ", order = " + std::to_string(order);
  if (form == 2) result.text += random_.pick({", at = +1/2", ", at = -1/2"});
  if (form == 3) result.text += random_.pick({", side = -1", ", side = +1"});
  if (form >= 4) {
    const Phrase speed = binary(point(field), "-", literal("0.25"));
    result.text += ", upwind = " + speed.text;
    result.reach = std::max(result.reach, speed.reach);
  }
  result.text += ")";
  return binary(weight(), "*", result);
}

Phrase RandomExpression::call(const Callable& function) {
  const auto known = fields(true, true);
  std::vector<Phrase> args;
  for (const int uses : function.uses) {
    Phrase argument = point(*random_.pick(known));
    if (!words_.lets.empty() && random_.chance(30)) {
      const Phrase let = random_.pick(words_.lets);
      const bool fits =
          let.movable && is_floating(let) && let.reach + function.reach <= words_.radius + 1;
      if (fits) argument = let;
    }
    argument.reads *= uses;
    args.push_back(argument);
  }
  Phrase result = called(function.name, args);
  result.reach += function.reach;
  for (const Phrase& scalar : function.scalars) result.type = common_type(result, scalar);
  return afford(result.reads) ? result : floating_leaf();
}

Phrase RandomExpression::structure(bool floating) {
  const auto known = fields(floating, true);
  std::vector<const Phrase*> lets;
  for (const Phrase& let : words_.lets)
    if (*let.type != Type::boolean && is_floating(let) == floating) lets.push_back(&let);
  const int which = random_.below(9);
  if (which <= 1 && !lets.empty()) {
    const Phrase& let = *random_.pick(lets);
    if (afford(let.reads)) return random_.chance(60) ? let_beside(let) : let;
  }
  if (known.empty()) return leaf(floating);
  const ReadableField& field = *random_.pick(known);
  if (which == 2 && floating && !words_.functions.empty())
    return call(random_.pick(words_.functions));
  if (which == 4) return laplacian(field);
  if (which >= 5 && which <= 7) return floating ? difference(field) : laplacian(field);
  if (!field.along.empty()) return leaf(floating);  // a window goes along all axes
  if (which == 3 && !words_.weights.empty()) {
    const WeightArray& weights = random_.pick(words_.weights);
    if (ir::is_float(weights.type) == floating) return weighted_window(weights, field);
  }
  return window(field);
}

}  // namespace stencilc::run_test
