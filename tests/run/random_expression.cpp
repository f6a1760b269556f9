// Every random choice stands in a statement of its own: the order in which C++ evaluates operands
// and arguments is up to the compiler, and the texts must not depend on it.
#include "run/random_expression.h"

#include <algorithm>

namespace stencilc::run_test {

using ir::Type;

bool RandomExpression::afford(int reads) {
  if (reads > budget_) return false;
  budget_ -= reads;
  return true;
}

// x-2, x+1, x, and sometimes 1+x
std::string RandomExpression::offset(const std::string& axis, int cells) {
  if (cells == 0) return axis;
  if (cells > 0 && random_.chance(5)) return std::to_string(cells) + "+" + axis;
  return axis + (cells < 0 ? "-" : "+") + std::to_string(std::abs(cells));
}

Phrase RandomExpression::read(const ReadableField& field, std::vector<int> offsets, int time) {
  Phrase result;
  result.type = field.computes;
  result.reads = 1;
  result.movable = field.bounded;
  std::vector<std::string> parts;
  const bool in_order = time == 0 && random_.chance(8);  // u[-1, 0] in place of u[x-1]
  const bool complete = random_.chance(10);              // u[x-1, y]
  for (size_t a = 0; a < offsets.size(); ++a) {
    if (!field.along.empty() && !field.along[a]) continue;
    result.reach = std::max(result.reach, std::abs(offsets[a]));
    if (in_order)
      parts.push_back(std::to_string(offsets[a]));
    else if (offsets[a] != 0 || complete)
      parts.push_back(offset(words_.axes[a], offsets[a]));
  }
  if (!in_order && parts.size() > 1 && random_.chance(10)) std::swap(parts[0], parts[1]);
  const bool now = time == 0 || field.plain;
  if (!now || (!in_order && random_.chance(3))) {
    const auto place = random_.chance(50) ? parts.begin() : parts.end();
    parts.insert(place, now ? "t" : (time > 0 ? "t+" : "t-") + std::to_string(std::abs(time)));
  }
  result.text = field.name;
  for (size_t i = 0; i < parts.size(); ++i) result.text += (i ? ", " : "[") + parts[i];
  if (!parts.empty()) result.text += "]";
  return result;
}

std::vector<int> RandomExpression::random_offsets(const ReadableField& field) {
  std::vector<int> offsets(words_.axes.size(), 0);
  if ((!field.bounded && field.room.empty()) || random_.chance(15)) return offsets;
  const int axis = random_.below(static_cast<int>(offsets.size()));
  offsets[axis] = random_.between(-words_.radius, words_.radius);
  for (int& other : offsets)
    if (!field.one_axis && random_.chance(12))
      other = random_.between(-words_.radius, words_.radius);
  for (size_t a = 0; a < field.room.size(); ++a)
    offsets[a] = std::clamp(offsets[a], -field.room[a][0], field.room[a][1]);
  return offsets;
}

int RandomExpression::random_time(const ReadableField& field) {
  return random_.chance(65) ? field.times.front() : random_.pick(field.times);
}

Phrase RandomExpression::random_read(const ReadableField& field) {
  std::vector<int> offsets = random_offsets(field);
  const int time = random_time(field);
  if (time < 0 && random_.chance(60)) std::fill(offsets.begin(), offsets.end(), 0);
  return read(field, offsets, time);
}

std::vector<const ReadableField*> RandomExpression::fields(bool floating, bool bounded) const {
  std::vector<const ReadableField*> result;
  for (const ReadableField& field : words_.fields)
    if (ir::is_float(field.type) == floating && (field.bounded || !bounded))
      result.push_back(&field);
  return result;
}

std::vector<Phrase> RandomExpression::scalars(bool floating) const {
  std::vector<Phrase> result;
  for (const Phrase& scalar : words_.scalars)
    if (*scalar.type != Type::boolean && ir::is_float(*scalar.type) == floating)
      result.push_back(scalar);
  return result;
}

// Thousandths from 0.007 to 0.156, no two the same before all have been used.
Phrase RandomExpression::weight() {
  if (next_weight_ == 0) next_weight_ = 1 + random_.below(149);
  const std::string digits = std::to_string(1007 + 37 * next_weight_++ % 150);
  const Phrase fraction = literal("0." + digits.substr(1));
  const std::vector<Phrase> known = scalars(true);
  if (known.empty() || random_.chance(65)) return fraction;
  const Phrase scalar = random_.pick(known);
  switch (random_.below(4)) {
    case 0:
      return binary(fraction, "*", scalar);
    case 1:
      return binary(scalar, "/", number(random_.between(2, 9)));
    case 2:
      return negated(scalar);
    default:
      return scalar;
  }
}

Phrase RandomExpression::coordinate() {
  const std::string axis = random_.pick(words_.axes);
  const int dice = random_.below(100);
  Phrase result = literal(dice < 60 ? axis : dice < 80 ? "n" + axis : "t");
  result.type = Type::i64;
  return result;
}

Phrase RandomExpression::floating_leaf() {
  const auto known = fields(true, false);
  const auto whole = fields(false, false);
  if (!known.empty() && random_.chance(80) && afford(1)) return random_read(*random_.pick(known));
  if (!whole.empty() && random_.chance(50) && afford(1)) {
    const Phrase value = random_read(*random_.pick(whole));
    return random_.chance(70) ? binary(literal("0.0625"), "*", value)
                              : called("f32", {value}, Type::f32);
  }
  const std::vector<Phrase> numbers = scalars(true);
  if (!numbers.empty() && random_.chance(60)) return random_.pick(numbers);
  const Phrase factor = literal("0.01");
  return binary(coordinate(), "*", factor);
}

Phrase RandomExpression::integral_leaf() {
  const auto known = fields(false, false);
  if (!known.empty() && random_.chance(85) && afford(1)) {
    const Phrase value = random_read(*random_.pick(known));
    return *value.type == Type::boolean ? called("i32", {value}, Type::i32) : value;
  }
  const std::vector<Phrase> numbers = scalars(false);
  if (!numbers.empty() && random_.chance(50)) return random_.pick(numbers);
  const auto real = fields(true, false);
  if (!real.empty() && random_.chance(60) && afford(1)) {
    const Phrase value = binary(number(20), "*", random_read(*random_.pick(real)));
    const Type type =
        random_.pick({Type::i64, Type::i32, Type::i16, Type::u16, Type::i8, Type::u8});
    return called((random_.chance(50) ? "sat_" : "") + std::string(ir::name(type)), {value}, type);
  }
  return coordinate();
}

Phrase RandomExpression::combination(int depth) {
  const Phrase a = floating(depth - 1);
  const Phrase b = floating(depth - 1);
  switch (random_.below(7)) {
    case 0:
    case 1:
      return binary(a, "+", b);
    case 2:
      return binary(a, "-", b);
    case 3:
      return binary(binary(a, "*", weight()), "+", b);
    case 4:
      return binary(a, "*", b);
    case 5:
      return binary(a, "-", binary(weight(), "*", b));
    default: {
      const Phrase distance = called("abs", {b});
      return binary(a, "/", binary(literal("1.5"), "+", distance));
    }
  }
}

Phrase RandomExpression::mathematics(int depth) {
  const Phrase a = floating(depth - 1);
  const bool both = random_.chance(40);
  const bool function = words_.transcendental && random_.chance(60);
  const int which = function ? random_.between(11, 14) : random_.below(11);
  switch (which) {
    case 0:
      return called("abs", {a});
    case 1:
      return called("sqrt", {called("abs", {a})});
    case 2:
      return called("floor", {binary(number(4), "*", a)});
    case 3:
      return called("ceil", {binary(a, "*", literal("3.5"))});
    case 4:
      return negated(a);
    case 5:
      return raised(a, random_.between(2, both ? 5 : 2));
    case 6:
      return raised(binary(literal("1.25"), "+", raised(a, 2)), -random_.between(1, 2));
    case 7: {
      const Type type = random_.pick({Type::f32, Type::f64});
      return called(std::string(ir::name(type)), {a}, type);
    }
    case 8:
    case 9: {
      std::vector<Phrase> args = {a, floating(depth - 1)};
      if (both) args.push_back(literal("0.125"));
      return called(which == 8 ? "min" : "max", args);
    }
    case 10: {
      const Phrase test = condition(depth - 1);
      const Phrase other = both ? literal("0.5") : floating(depth - 1);
      return chosen(test, a, other);
    }
    case 11:
      return called("exp", {negated(called("abs", {a}))});
    case 12:
      return called("log", {binary(literal("1.5"), "+", called("abs", {a}))});
    case 13:
      return called(random_.pick({"sin", "cos", "tan", "tanh"}), {a});
    default:
      return called("pow", {binary(literal("0.5"), "+", called("abs", {a})), weight()});
  }
}

Phrase RandomExpression::floating(int depth) {
  if (depth <= 0) return floating_leaf();
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
      return combination(depth);
    case 3:
    case 4:
      return mathematics(depth);
    case 5:
    case 6:
    case 7:
      return structure(true);
    case 8:
      return linear();
    default:
      return floating_leaf();
  }
}

Phrase RandomExpression::integral(int depth) {
  if (depth <= 0) return integral_leaf();
  if (random_.chance(25)) return structure(false);
  const Phrase a = integral(depth - 1);
  const Phrase b = integral(depth - 1);
  const int k = random_.between(2, 9);
  switch (random_.below(12)) {
    case 0:
    case 1:
      return binary(a, "+", b);
    case 2:
      return binary(a, "-", b);
    case 3:
      return binary(number(k), "*", a);
    case 4:
      return binary(a, "*", b);
    case 5:
      return called("idiv", {a, number(random_.chance(30) ? -k : k)});
    case 6:
      return called("idiv", {a, integral_leaf()});  // which may be 0, but no constant 0
    case 7:
      return binary(a, "%", random_.chance(60) ? number(k) : integral_leaf());
    case 8: {
      if (random_.chance(40))
        return called(random_.pick({"bit_and", "bit_or", "bit_xor"}), {a, b}, common_type(a, b));
      const bool narrow = *a.type == *b.type;
      return called(random_.pick({"min", "max"}), {a, b}, narrow ? *a.type : common_type(a, b));
    }
    case 9:
      return random_.chance(30) ? called("popcount", {a}, Type::i32) : called("abs", {a});
    case 10:
      return random_.chance(50) ? negated(a) : raised(a, 2);
    default:
      return chosen(condition(depth - 1), a, b);
  }
}

Phrase RandomExpression::condition(int depth) {
  std::vector<const ReadableField*> flags;
  for (const ReadableField& field : words_.fields)
    if (field.type == Type::boolean) flags.push_back(&field);
  const int which = random_.below(depth > 0 ? 9 : 4);
  if (which == 0 && !flags.empty() && afford(1)) return random_read(*random_.pick(flags));
  if (which == 7)
    for (const Phrase& known : words_.scalars)
      if (known.type == Type::boolean) return known;
  if (which == 8)
    for (const Phrase& known : words_.lets)
      if (known.type == Type::boolean && afford(known.reads)) return known;
  if (which == 1) {
    const Phrase limit = binary(literal("n" + words_.axes[0]), "-", number(random_.between(1, 3)));
    Phrase extent = limit;
    extent.type = Type::i64;
    Phrase x = literal(words_.axes[0]);
    x.type = Type::i64;
    return binary(x, random_.pick({"<", "<=", "==", "!="}), extent);
  }
  if (which == 4) return inverted(condition(depth - 1));
  if (which == 5 || which == 6) {
    const Phrase a = condition(depth - 1);
    const Phrase b = condition(depth - 1);
    return binary(a, which == 5 ? "&&" : "||", b);
  }
  const std::string op = random_.pick({"<", "<=", ">", ">=", "==", "!="});
  const bool real = !fields(true, false).empty() && random_.chance(70);
  const Phrase a = real ? floating(depth - 1) : integral(depth - 1);
  const Phrase limit = real ? literal("0.4") : number(random_.between(0, 9));
  return binary(a, op, random_.chance(60) ? limit : real ? floating(0) : integral(0));
}

}  // namespace stencilc::run_test
