// What a step of a random program does: updates, reductions, colours, and when a run ends.
#include <algorithm>

#include "run/random_maker.h"

namespace stencilc::run_test {

using ir::Type;

// color red, black by (x + 2*y + 1) % 3;
void RandomMaker::colors() {
  colors_ = random_.chance(60) ? 2 : 3;
  std::string names, sum;
  for (int c = 0; c < colors_; ++c)
    names += (c ? ", " : "") + names_.claim(c == 0 ? "red" : c == 1 ? "black" : "blue");
  for (const std::string& axis : words_.axes) {
    const int factor = random_.between(1, colors_ - 1);
    sum += (sum.empty() ? "" : " + ") + (factor == 1 ? axis : std::to_string(factor) + "*" + axis);
  }
  if (random_.chance(30)) sum += " + 1";
  line("color " + names + " by (" + sum + ") % " + std::to_string(colors_) + ";");
}

// x >= 1, n - 2 > y, x < idiv(nx, 2)
std::string RandomMaker::limit() {
  const std::string axis = random_.pick(words_.axes), extent = "n" + axis;
  const int cells = random_.between(0, 3);
  const std::string number = std::to_string(cells);
  switch (random_.below(9)) {
    case 0:
    case 1:
      return axis + " >= " + number;
    case 2:
    case 3:
      return axis + " < " + extent + "-" + number;
    case 4:
      return axis + " == " + (random_.chance(50) ? number : extent + " - 1");
    case 5:
      return number + " < " + axis;
    case 6:
      return axis + " <= idiv(" + extent + ", 2)";
    case 7:
      return extent + " - " + std::to_string(cells + 1) + " > " + axis;
    default:
      for (const Phrase& known : words_.scalars)
        if (known.type == Type::i32 && known.text.find('(') == std::string::npos)  // no reduction
          return axis + " != " + known.text;
      return axis + " > 40";
  }
}

RandomMaker::Clause RandomMaker::clause(int likely) {
  Clause result;
  if (random_.chance(likely)) {
    result.text = " on " + limit();
    if (random_.chance(40)) result.text += ", " + limit();
    result.partial = true;
  }
  if (random_.chance(likely)) {
    RandomExpression expression(words_, random_, 4);
    result.text += " where " + expression.condition(random_.between(0, 2)).text;
    result.partial = true;
  }
  return result;
}

// A value of the type the field computes in.
std::string RandomMaker::value_for(const ReadableField& field, RandomExpression& expression,
                                   bool plain) {
  const bool real = ir::is_float(field.type);
  const int depth = random_.between(1, 4);
  const bool mixed = random_.chance(25);
  const Phrase value = field.type == Type::boolean ? expression.condition(3)
                       : real && plain             ? expression.linear()
                       : real || mixed             ? expression.floating(depth)
                                                   : expression.integral(depth);
  // A fraction makes an integer f64 wherever the stencil has an f64 field, so that an f32 field
  // may be assigned an f64 that looks like an f32.
  const Type computed = field.computes;
  const bool fits = (ir::is_float(computed) && computed == Type::f64) ||
                    (value.type == computed && !(computed == Type::f32 && has_f64_));
  if (fits) return value.text;
  const std::string saturate = !real && random_.chance(60) ? "sat_" : "";
  return saturate + std::string(ir::name(computed)) + "(" + value.text + ")";
}

// += 0.1*u[x-1], where the field holds a value already
std::string RandomMaker::compound(const ReadableField& field, RandomExpression& expression) {
  const std::string value = value_for(field, expression, true);
  if (!ir::is_float(field.type)) return random_.pick({" += ", " -= ", " *= "}) + value;
  switch (random_.below(4)) {
    case 0:
      return " += 0.25*(" + value + ")";
    case 1:
      return " -= 0.5*(" + value + ")";
    case 2:
      return random_.pick({" *= 0.75", " *= 0.875", " *= -0.5"});
    default:
      return " /= 1.5 + abs(" + value + ")";
  }
}

void RandomMaker::updates() {
  const size_t scalars = words_.scalars.size();
  if (colors_ == 0)  // where each colour reads what the ones before made of the grid
    for (const Phrase& known : reductions_) {
      const Phrase tame =
          is_floating(known)
              ? binary(known, "/", binary(literal("4.5"), "+", called("abs", {known})))
              : binary(known, "%", number(7));
      words_.scalars.push_back(called(std::string(ir::name(*known.type)), {tame}, known.type));
    }
  for (const ReadableField& target : targets_) update(target);
  words_.scalars.resize(scalars);
}

void RandomMaker::update(const ReadableField& target) {
  std::string place = target.name;
  const std::string& axis = words_.axes[0];
  if (!target.plain && colors_ == 0)
    place += random_.chance(5) ? "[" + axis + ", t+1]" : "[t+1]";
  else if (random_.chance(8))
    place += "[" + axis + "]";
  const int count = random_.chance(65) ? 1 : random_.between(2, 3);
  bool everywhere = true;
  for (int n = 0; n < count; ++n) {
    // Is there a value to change? An output has one where its first statement gave it one.
    const bool held = colors_ != 0 || (n > 0 && (!target.plain || everywhere));
    const size_t fields = words_.fields.size();
    if (colors_ == 0 && held) {  // the cell alone, as the statements before left it
      ReadableField own = target;
      own.times = {1};
      own.bounded = false;
      own.room.clear();
      words_.fields.push_back(own);
    }
    RandomExpression expression(words_, random_, random_.pick({6, 10, 14, 20, 28, 36}));
    const bool compounds =
        held && random_.chance(40) && ir::arithmetic(target.computes) == target.computes;
    const bool plain = random_.chance(50);
    const std::string value =
        compounds ? compound(target, expression) : " = " + value_for(target, expression, plain);
    const Clause where = clause(count > 1 ? 45 : 12);
    if (n == 0) everywhere = !where.partial;
    statement(place + value + where.text + ";");
    words_.fields.resize(fields);
  }
  assigned(target, everywhere);
}

// Updates and reductions that follow may read what a step makes of the field.
void RandomMaker::assigned(const ReadableField& target, bool everywhere) {
  if (colors_ != 0) return;
  if (target.plain) {
    if (everywhere && random_.chance(65)) words_.fields.push_back(target);
    return;
  }
  if (!random_.chance(65)) return;
  for (ReadableField& field : words_.fields)
    if (field.name == target.name) field.times.push_back(1);
}

// reduce r = max(abs(u[t+1] - u)) on x >= 1 where v > 0;
void RandomMaker::reductions(bool after) {
  if (after && colors_ != 0) {  // in place, where the old values are gone
    for (ReadableField& field : words_.fields)
      if (field.one_axis) field.times = {1};
    words_.lets.clear();
  }
  for (int n = random_.between(1, 2); n > 0; --n) reduction();
}

void RandomMaker::reduction() {
  RandomExpression expression(words_, random_, 10);
  const std::string name = names_.claim(random_.pick({"total", "peak", "res"}));
  const std::string kind = random_.pick({"sum", "prod", "min", "max", "norm2"});
  const int dice = random_.below(100);
  const bool real = kind == "norm2" || (ir::is_float(main_type_) ? dice < 85 : dice < 30);
  const int depth = random_.between(0, 2);
  const Phrase value = real                         ? expression.floating(depth)
                       : kind == "sum" && dice > 92 ? expression.condition(1)
                                                    : expression.integral(depth);
  // A fraction may be f64 by itself, where a field is.
  Type type = ir::arithmetic(value.type.value_or(Type::i32));
  std::string text = value.text;
  if (real && has_f64_) {
    type = random_.pick({Type::f32, Type::f64});
    text = std::string(ir::name(type)) + "(" + text + ")";
  }
  const Clause where = clause(25);
  statement("reduce " + name + " = " + kind + "(" + text + ")" + where.text + ";");
  Phrase known = literal(name);
  known.type = type;
  reductions_.push_back(known);
}

// iterate 3 times; iterate until r < 0.5, check every 2, limit 7;
void RandomMaker::iterate() {
  const bool steps = std::any_of(targets_.begin(), targets_.end(),
                                 [](const ReadableField& target) { return !target.plain; });
  if (!steps) return;
  if (reductions_.empty() || random_.chance(25)) {
    line("iterate " + std::to_string(random_.between(1, 4)) + " times;");
    return;
  }
  const Phrase& known = random_.pick(reductions_);
  const Phrase limit = is_floating(known) ? literal("0.25") : number(random_.between(0, 5));
  Phrase until = binary(known, random_.pick({"<", ">", "<=", "!="}), limit);
  if (random_.chance(20)) until = binary(until, "||", binary(known, "==", number(7)));
  std::string text = "iterate until " + until.text;
  if (random_.chance(50)) text += ", check every " + std::to_string(random_.between(1, 3));
  line(text + ", limit " + std::to_string(random_.between(1, 7)) + ";");
}

}  // namespace stencilc::run_test
