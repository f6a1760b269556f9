// What random programs declare.
#include <algorithm>

#include "run/random_maker.h"

namespace stencilc::run_test {

using ir::Type;

void RandomMaker::axes() {
  const int dice = random_.below(100);
  const int rank = dice < 25 ? 1 : dice < 65 ? 2 : 3;
  std::vector<std::string> all = {"x", "y", "z"};
  if (random_.chance(20)) all = {"i", "j", "k"};
  if (random_.chance(8)) all = {"lon", "lat", "lev"};
  std::string text;
  for (int a = 0; a < rank; ++a) {
    words_.axes.push_back(all[a]);
    names_.reserve(all[a]);
    names_.reserve("n" + all[a]);
    text += (a ? ", " : "axes ") + all[a];
  }
  names_.reserve("t");
  line(text + ";");
  for (const char* name : {"p", "q", "r"}) {
    words_.window_variables.push_back(name);
    names_.reserve(name);
  }
  const int width = random_.below(100);
  words_.radius = width < 45 ? 1 : width < 70 ? 2 : width < 82 ? 3 : width < 97 ? 4 : 8;
  const int kind = random_.below(100);
  main_type_ = kind < 50   ? Type::f32
               : kind < 58 ? half_type()
               : kind < 80 ? Type::f64
                           : integer_type();
}

Type RandomMaker::integer_type() {
  return random_.pick(
      {Type::u8, Type::u8, Type::i32, Type::i8, Type::i16, Type::u16, Type::i64, Type::boolean});
}

Type RandomMaker::any_type() {
  const int dice = random_.below(100);
  if (dice >= 50 && dice < 55) return half_type();
  return dice < 55 ? main_type_ : dice < 70 ? Type::f32 : dice < 80 ? Type::f64 : integer_type();
}

std::string RandomMaker::value_of(Type type) {
  if (type == Type::boolean) return random_.pick({"true", "false"});
  if (!ir::is_float(type)) return std::to_string(random_.between(1, 9));
  return random_.pick({"0.375", "2.5e-1", "0.3", "1/8", ".2", "1", "-0.15"});
}

std::string RandomMaker::defined_value(Type type) {
  if (type == Type::boolean) return "true";
  return ir::is_float(type) ? "0.3125" : "3";
}

void RandomMaker::scalar(const std::string& name, Type type) {
  Phrase phrase = literal(name);
  phrase.type = type;
  words_.scalars.push_back(phrase);
}

void RandomMaker::params() {
  for (int n = random_.below(3); n > 0; --n) {
    const Type type = random_.pick({Type::f32, Type::f32, main_type_, Type::i32, Type::boolean});
    std::string text;
    for (int k = random_.between(1, 2); k > 0; --k) {
      const std::string name = names_.claim(random_.pick({"alpha", "beta", "dt", "h", "kappa"}));
      text += (text.empty() ? "" : ", ") + name;
      if (random_.chance(60)) text += " = " + value_of(type);
      scalar(name, type);
      if (random_.chance(12)) defines_.emplace_back(name, defined_value(type));
    }
    line("param " + std::string(ir::name(type)) + " " + text + ";");
  }
}

WeightArray RandomMaker::weight_array(const std::string& name, bool real, std::string& ranges,
                                      int& count) {
  WeightArray array{name, real ? Type::f32 : Type::i32, {}};
  if (real && main_type_ == Type::f64) array.type = Type::f64;
  count = 1;
  for (size_t a = 0; a < words_.axes.size() && a < 2 && count < 8; ++a) {
    array.radii.push_back(random_.between(1, a == 0 ? std::min(words_.radius, 3) : 1));
    count *= 2 * array.radii[a] + 1;
    const std::string radius = std::to_string(array.radii[a]);
    ranges += (a ? ", -" : "-") + radius + ".." + radius;
  }
  return array;
}

void RandomMaker::constants() {
  if (random_.chance(35)) {
    const Type type = random_.pick({Type::f32, Type::f64, Type::i32, main_type_});
    const std::string name = names_.claim("c");
    const std::string text =
        "const " + std::string(ir::name(type)) + " " + name + " = " + value_of(type) + ";";
    if (random_.chance(30))
      outside_ += text + "\n";
    else
      line(text);
    scalar(name, type);
  }
  if (!random_.chance(40)) return;
  const bool real = ir::is_float(main_type_) || random_.chance(30);
  std::string text;
  int count = 0;
  const WeightArray array = weight_array(names_.claim("w"), real, text, count);
  text = "const " + std::string(ir::name(array.type)) + " " + array.name + "[" + text + "] = {";
  for (int i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(1 + (i * 7 + count) % 23);
  line(text + (real ? "} / " + std::to_string(12 * count + 1) : "}") + ";");
  words_.weights.push_back(array);
}

// weights f32 w[-1..1];
void RandomMaker::weights() {
  if (!random_.chance(25)) return;
  std::string text;
  int count = 0;
  const WeightArray array = weight_array(names_.claim("rw"), true, text, count);
  line("weights " + std::string(ir::name(array.type)) + " " + array.name + "[" + text + "];");
  words_.weights.push_back(array);
  std::string first = array.name + "[";
  for (size_t a = 0; a < array.radii.size(); ++a) first += a ? ", 0" : "-1";
  scalar(first + "]", array.type);
}

void RandomMaker::fields() {
  const int count = random_.between(1, 4);
  const bool outputs_first = colors_ == 0 && random_.chance(25);
  bool readable = false;
  for (int n = 0; n < count || !readable || targets_.empty(); ++n) {
    const bool out = n == 0 ? outputs_first : colors_ == 0 && random_.chance(25);
    const bool in = !out && (n > 0 && (random_.chance(40) || (outputs_first && n == 1)));
    field(n, out, in);
    readable |= !out;
  }
}

void RandomMaker::field(int n, bool out, bool in) {
  ReadableField made;
  made.type = n == 0 ? main_type_ : any_type();
  made.computes = ir::is_half(made.type) ? Type::f32 : made.type;
  const bool wider = ir::is_float(made.type) && made.type != Type::f64 && random_.chance(10);
  if (wider) made.computes = Type::f64;
  has_f64_ |= made.computes == Type::f64;
  const int together = random_.chance(15) ? 2 : 1;
  const bool own_boundary = random_.chance(15);
  std::string edge, text = "field " + std::string(ir::name(made.type)), names;
  for (int k = 0; k < together; ++k) {
    made.name = names_.claim(out ? "dst" : random_.pick({"u", "v", "q", "T"}));
    names += (k ? ", " : "") + made.name;
    text += (k ? ", " : " ") + made.name;
    const bool lacks = in && together == 1 && words_.axes.size() > 1 && random_.chance(25);
    if (lacks || random_.chance(8)) text += own_axes(made, lacks);
    if (k == 0) edge = boundary(made, !in && !out, out);
    if (out) text += " out";
    if (in && random_.chance(70)) text += random_.pick({" in", " readonly"});
    if (!in && !out && random_.chance(20)) text += " inout";
    const int dice = random_.below(100);
    made.times = {0};
    if (!in && !out && colors_ == 0 && dice >= 60) made.times.push_back(-1);
    if (made.times.size() == 2 && dice >= 85) made.times.push_back(-2);
    made.plain = out;
    if (out) made.times = {1};
    made.one_axis = !in && colors_ != 0;
    if (!in) targets_.push_back(made);
    if (!out) words_.fields.push_back(made);
  }
  if (wider || random_.chance(4))
    if (ir::is_float(made.type)) text += " compute " + std::string(ir::name(made.computes));
  if (!edge.empty() && !own_boundary) text += " boundary " + edge;
  line(text + ";");
  if (!edge.empty() && own_boundary)
    line("boundary " + names + " " + edge + (edge.back() == '}' ? "" : ";"));
}

// (x, y): all axes, or some of them.
std::string RandomMaker::own_axes(ReadableField& field, bool may_lack) {
  const auto rank = static_cast<int>(words_.axes.size());
  field.along.assign(rank, true);
  if (may_lack) {
    const int only = random_.below(rank);
    const bool one = rank == 2 || random_.chance(50);  // or all but one
    for (int a = 0; a < rank; ++a) field.along[a] = (a == only) == one;
  }
  std::string text;
  for (int a = 0; a < rank; ++a)
    if (field.along[a]) text += (text.empty() ? "(" : ", ") + words_.axes[a];
  if (!may_lack) field.along.clear();
  return text + ")";
}

}  // namespace stencilc::run_test
