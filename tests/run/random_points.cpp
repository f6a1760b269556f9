// Points, series, and what random programs inject and sample there.
#include <algorithm>

#include "run/random_maker.h"

namespace stencilc::run_test {

using ir::Type;

// points src, rec linear;
void RandomMaker::points() {
  const int count = random_.between(1, 3);
  std::string text;
  for (int n = 0; n < count; ++n) {
    PointList list{names_.claim(random_.pick({"src", "rec", "probes"})), random_.chance(45)};
    text += (n ? ", " : "points ") + list.name + (list.linear ? " linear" : "");
    lists_.push_back(list);
  }
  line(text + ";");
  std::vector<ReadableField> stepped;
  for (const ReadableField& target : targets_)
    if (!target.plain && colors_ == 0 && target.type != Type::boolean) stepped.push_back(target);
  for (int n = stepped.empty() ? 0 : random_.between(0, 3); n > 0; --n)
    injection(random_.pick(stepped));
  for (int n = random_.between(1, 2); n > 0; --n) sample();
}

// series f32 amp(src);
std::string RandomMaker::series(Type type, const PointList& list, const std::string& wish) {
  const std::string name = names_.claim(wish);
  line("series " + std::string(ir::name(type)) + " " + name + "(" + list.name + ");");
  return name;
}

// What may be read at a point: fields at its cell alone.
Vocabulary RandomMaker::at_cell(bool after) const {
  Vocabulary words = words_;
  words.fields.clear();
  words.functions.clear();
  words.lets.clear();
  for (ReadableField field : words_.fields) {
    field.bounded = false;
    field.room.clear();
    const auto is_new = [](int time) { return time == 1; };
    if (!after) std::erase_if(field.times, is_new);
    if (!field.times.empty()) words.fields.push_back(field);
  }
  for (Phrase let : words_.lets) {
    let.movable = false;
    if (let.reach == 0) words.lets.push_back(let);
  }
  return words;
}

// inject u[t+1] += amp[t] * (0.3*c - u) at src;
void RandomMaker::injection(const ReadableField& target) {
  const bool real = ir::is_float(target.type);
  std::vector<PointList> fitting;
  for (const PointList& list : lists_)
    if (real || !list.linear) fitting.push_back(list);
  if (fitting.empty()) return;
  const PointList list = random_.pick(fitting);
  Vocabulary words = at_cell(false);
  std::string given;  // the last series, in the type of the field
  for (int n = random_.below(3); n > 0; --n) {
    const Type type = real ? random_.pick({target.computes, target.type, Type::f32, Type::i16})
                           : random_.pick({target.type, Type::i32, Type::u8});
    Phrase value = literal(series(type, list, random_.pick({"amp", "pulse"})) + "[t]");
    value.type = ir::is_half(type) ? Type::f32 : type;
    words.scalars.push_back(value);
    given = value.text;
    if (value.type != target.computes)
      given = std::string(ir::name(target.computes)) + "(" + given + ")";
  }
  RandomExpression expression(words, random_, random_.pick({2, 5, 9}));
  const bool plain = random_.chance(50);
  std::string value = value_for(target, expression, plain);
  const bool closed = ir::arithmetic(target.computes) == target.computes;
  if (!given.empty() && !closed)
    value = given;
  else if (!given.empty())
    value = given + random_.pick({" * ", " + ", " - "}) + "(" + value + ")";
  statement("inject " + target.name + "[t+1] += " + value + " at " + list.name + ";");
}

// sample trace[t] = u[t+1] - u at rec;
void RandomMaker::sample() {
  const PointList list = random_.pick(lists_);
  ReadableField made;
  made.type = list.linear ? random_.pick({Type::f32, Type::f32, Type::f64, Type::f16, Type::bf16})
                          : random_.pick({Type::f32, main_type_, Type::f64, integer_type()});
  made.computes = ir::is_half(made.type) ? Type::f32 : made.type;
  made.name = series(made.type, list, random_.pick({"trace", "seen"}));
  const bool after = colors_ == 0 && random_.chance(60);
  const Vocabulary words = at_cell(after);
  RandomExpression expression(words, random_, random_.pick({2, 5, 9}));
  const bool plain = random_.chance(50);
  const std::string value = value_for(made, expression, plain);
  statement("sample " + made.name + "[t] = " + value + " at " + list.name + ";");
}

}  // namespace stencilc::run_test
