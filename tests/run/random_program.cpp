#include "run/random_program.h"

#include <utility>

#include "run/random_expression.h"
#include "run/random_names.h"

namespace stencilc::run_test {
namespace {

using ir::Type;

struct Target {  // a field that an update assigns
  std::string name;
  Type type;
  bool stepped = true;
};

class Maker {
 public:
  Maker(uint64_t seed, bool transcendental)
      : random_(seed * 0x9e3779b97f4a7c15u + 1), wild_(random_.chance(20)), names_(random_, wild_) {
    words_.transcendental = transcendental;
  }

  RandomProgram make() {
    std::string title = "stencil_of_" + std::to_string(random_.below(1000));
    if (wild_) title = random_.pick({"int", "class", "step", "std", "run", "Args", "u__x", "unix"});
    axes();
    params();
    constants();
    fields();
    if (!wild_ && random_.chance(10)) title = targets_[0].name;  // heat of the stencil heat
    functions();
    lets();
    for (const Target& target : targets_) update(target);
    if (random_.chance(15))
      for (size_t i = lines_.size(); i > 1; --i)
        std::swap(lines_[i - 1], lines_[random_.below(static_cast<int>(i))]);
    std::string text = "stencil " + title + " {\n";
    for (const std::string& line : lines_) text += "  " + line + "\n";
    text += "}\n";
    text = random_.chance(50) ? outside_ + text : text + outside_;
    return {wild_ ? rearranged(text, random_) : text, defines_};
  }

 private:
  void line(const std::string& text) { lines_.push_back(text); }

  void axes() {
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

  Type integer_type() {
    return random_.pick(
        {Type::u8, Type::u8, Type::i32, Type::i8, Type::i16, Type::u16, Type::i64, Type::boolean});
  }
  Type half_type() { return random_.pick({Type::f16, Type::bf16}); }
  Type any_type() {
    const int dice = random_.below(100);
    if (dice >= 50 && dice < 55) return half_type();
    return dice < 55 ? main_type_ : dice < 70 ? Type::f32 : dice < 80 ? Type::f64 : integer_type();
  }
  std::string value_of(Type type) {
    if (type == Type::boolean) return random_.pick({"true", "false"});
    if (!ir::is_float(type)) return std::to_string(random_.between(1, 9));
    return random_.pick({"0.375", "2.5e-1", "0.3", "1/8", ".2", "1", "-0.15"});
  }
  void scalar(const std::string& name, Type type) {
    Phrase phrase = literal(name);
    phrase.type = type;
    words_.scalars.push_back(phrase);
  }

  void params() {
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
  std::string defined_value(Type type) {
    if (type == Type::boolean) return "true";
    return ir::is_float(type) ? "0.3125" : "3";
  }

  void constants() {
    if (random_.chance(35)) {
      const Type type = random_.pick({Type::f32, Type::f64, Type::i32, main_type_});
      const std::string name = names_.claim("c");
      line("const " + std::string(ir::name(type)) + " " + name + " = " + value_of(type) + ";");
      scalar(name, type);
    }
    if (!random_.chance(40)) return;
    const bool real = ir::is_float(main_type_) || random_.chance(30);
    WeightArray array{names_.claim("w"), real ? Type::f32 : Type::i32, {}};
    if (real && main_type_ == Type::f64) array.type = Type::f64;
    int count = 1;
    std::string text = "const " + std::string(ir::name(array.type)) + " " + array.name + "[";
    for (size_t a = 0; a < words_.axes.size() && a < 2 && count < 8; ++a) {
      array.radii.push_back(random_.between(1, a == 0 ? std::min(words_.radius, 3) : 1));
      count *= 2 * array.radii[a] + 1;
      const std::string radius = std::to_string(array.radii[a]);
      text += (a ? ", -" : "-") + radius + ".." + radius;
    }
    text += "] = {";
    for (int i = 0; i < count; ++i)
      text += (i ? ", " : "") + std::to_string(1 + (i * 7 + count) % 23);
    line(text + (real ? "} / " + std::to_string(12 * count + 1) : "}") + ";");
    words_.weights.push_back(array);
  }

  // Empty: none is declared.
  std::string boundary(Type type, bool stepped) {
    const int dice = random_.below(100);
    if (dice < 6) return "";
    if (dice < 12) return "none";
    if (dice < 18 && stepped) return "fixed";
    if (dice < 34) return "clamp";
    if (dice < 48) return "reflect";
    if (dice < 62) return "mirror";
    if (dice < 76) return "periodic";
    if (dice < 86) return "zero";
    const std::string value = value_of(type);
    return "constant " + (random_.chance(30) ? "(" + value + ")" : value);
  }

  void fields() {
    const int count = random_.between(1, 4);
    const bool outputs_first = random_.chance(25);
    bool readable = false;
    for (int n = 0; n < count || !readable || targets_.empty(); ++n) {
      const Type type = n == 0 ? main_type_ : any_type();
      has_f64_ |= type == Type::f64;
      const bool out = n == 0 ? outputs_first : random_.chance(25);
      const bool in = !out && (n > 0 && (random_.chance(40) || (outputs_first && n == 1)));
      const std::string edge = out ? "" : boundary(type, !in);
      std::string text = "field " + std::string(ir::name(type));
      const int together = !out && random_.chance(15) ? 2 : 1;
      for (int k = 0; k < together; ++k) {
        const std::string name = names_.claim(out ? "dst" : random_.pick({"u", "v", "q", "T"}));
        text += (k ? ", " : " ") + name;
        if (random_.chance(8)) text += own_axes();
        if (out) text += " out";
        if (in && random_.chance(70)) text += random_.pick({" in", " readonly"});
        if (!in && !out && random_.chance(20)) text += " inout";
        const int dice = random_.below(100);
        const int oldest = in || dice < 60 ? 0 : dice < 85 ? 1 : 2;
        if (!out) words_.fields.push_back({name, type, !edge.empty(), oldest});
        if (!in) targets_.push_back({name, type, !out});
        readable |= !out;
      }
      line(text + (edge.empty() ? "" : " boundary " + edge) + ";");
    }
  }
  std::string own_axes() {
    std::string text = "(";
    for (size_t a = 0; a < words_.axes.size(); ++a) text += (a ? ", " : "") + words_.axes[a];
    return text + ")";
  }

  void functions() {
    for (int n = random_.chance(35) ? random_.between(1, 2) : 0; n > 0; --n) {
      const std::string first = words_.axes.front(), last = words_.axes.back();
      Callable f{names_.claim("f" + std::to_string(n)), {1}, 0, {}};
      std::string body;
      switch (random_.below(7)) {
        case 0:
          body = "0.625*a + 0.25*abs(a)", f.uses = {2};
          break;
        case 1:
          body = "max(a, b) - 0.5*min(a, b)", f.uses = {2, 2};
          break;
        case 2:
          body = "a > b ? a : 0.375*b", f.uses = {2, 2};
          break;
        case 3:
          body = "a[" + first + "+1] - a", f.uses = {2}, f.reach = 1;
          break;
        case 4:
          body = "0.3*(a[" + first + "-1] + a[" + last + "+1]) - 0.2*b";
          f.uses = {2, 1}, f.reach = 1;
          break;
        case 5:
          body = "a * b / (1.25 + a^2)", f.uses = {3, 1};
          break;
        default:
          if (words_.functions.empty() || words_.functions[0].uses.size() != 1) {
            body = "-0.5*a";
          } else {
            const Callable& inner = words_.functions[0];
            body = inner.name + "(a) - 0.25*" + inner.name + "(a[" + last + "-1])";
            f = {f.name, {2 * inner.uses[0]}, inner.reach + 1, inner.scalars};
          }
      }
      const bool local = random_.chance(50);
      if (local && !words_.scalars.empty() && random_.chance(70)) {
        const Phrase& scalar = random_.pick(words_.scalars);
        if (is_floating(scalar)) {
          body = scalar.text + "*(" + body + ")";
          f.scalars.push_back(scalar);
        }
      }
      const std::string head = "fn " + f.name + (f.uses.size() == 1 ? "(a) = " : "(a, b) = ");
      if (local)
        line(head + body + ";");
      else
        outside_ += head + body + ";\n";
      words_.functions.push_back(f);
    }
  }

  void lets() {
    for (int n = random_.chance(45) ? random_.between(1, 3) : 0; n > 0; --n) {
      RandomExpression expression(words_, random_, 8);
      const int dice = random_.below(100);
      const bool real = ir::is_float(main_type_) || dice < 20;
      const Phrase value = dice >= 88  ? expression.condition(1)
                           : !real     ? expression.integral(2)
                           : dice < 45 ? expression.linear()
                                       : expression.floating(2);
      Phrase let = value;
      let.text = names_.claim(random_.pick({"lap", "e", "flux", "g"}));
      let.strength = primary;
      line("let " + let.text + " = " + value.text + ";");
      words_.lets.push_back(let);
    }
  }

  void update(const Target& target) {
    RandomExpression expression(words_, random_, random_.pick({6, 10, 14, 20, 28, 36}));
    const bool real = ir::is_float(target.type);
    const bool plain = random_.chance(50);
    const int depth = random_.between(1, 4);
    const bool mixed = random_.chance(25);
    const Phrase value = target.type == Type::boolean ? expression.condition(3)
                         : real && plain              ? expression.linear()
                         : real || mixed              ? expression.floating(depth)
                                                      : expression.integral(depth);
    const std::string type(ir::name(target.type));
    std::string text = value.text;
    // A fraction makes an integer f64 wherever the stencil has an f64 field, so that an f32 field
    // may be assigned an f64 that looks like an f32.
    const Type computed = ir::is_half(target.type) ? Type::f32 : target.type;
    const bool fits =
        computed == Type::f64 || (value.type == computed && !(computed == Type::f32 && has_f64_));
    if (!fits) text = (!real && random_.chance(60) ? "sat_" : "") + type + "(" + text + ")";
    std::string place = target.name;
    const std::string& axis = words_.axes[0];
    if (target.stepped)
      place += random_.chance(5) ? "[" + axis + ", t+1]" : "[t+1]";
    else if (random_.chance(8))
      place += "[" + axis + "]";
    line(place + " = " + text + ";");
  }

  Random random_;
  bool wild_;
  RandomNames names_;
  Vocabulary words_;
  Type main_type_ = Type::f32;
  bool has_f64_ = false;
  std::vector<Target> targets_;
  std::vector<std::string> lines_;
  std::string outside_;
  std::vector<std::pair<std::string, std::string>> defines_;
};

}  // namespace

RandomProgram random_program(uint64_t seed, bool transcendental) {
  return Maker(seed, transcendental).make();
}

}  // namespace stencilc::run_test
