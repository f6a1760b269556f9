// What lies outside the grid of the fields of random programs.
#include "run/random_maker.h"

namespace stencilc::run_test {

using ir::Type;

// Empty: none is declared, and no read leaves the cell. `whole`: one that gives every side.
std::string RandomMaker::boundary(ReadableField& field, bool stepped, bool whole) {
  const bool in_place = stepped && colors_ != 0;
  if (!whole && random_.chance(8)) {
    field.bounded = false;
    return "";
  }
  const auto rank = words_.axes.size();
  if (in_place) {  // a colour may not meet itself, wherever a boundary sends a read
    const int reach = std::min(colors_ - 1, words_.radius);
    field.room.assign(rank, {reach, reach});
    field.bounded = false;
  }
  if (random_.chance(60)) return side(field, stepped, {});
  std::string text = "{";
  if (!in_place) field.room.assign(rank, {words_.radius, words_.radius});
  for (size_t a = 0; a < rank; ++a) {
    if (!field.along.empty() && !field.along[a]) continue;
    const std::string& axis = words_.axes[a];
    const int dice = whole ? random_.below(80) : random_.below(100);
    if (dice < 40) {
      text += " " + axis + ": " + side(field, stepped, {}) + ";";
      continue;
    }
    for (const int end : {0, 1}) {
      if (dice >= 80 && dice < 90 && end == 0) {
        field.room[a][0] = 0, field.bounded = false;
        continue;
      }
      if (dice >= 90 && end == 1) {
        field.room[a][1] = 0, field.bounded = false;
        continue;
      }
      text += " " + axis + (end == 0 ? ".lo: " : ".hi: ") +
              side(field, stepped, static_cast<int>(a)) + ";";
    }
  }
  return text + " }";
}

// A kind; one of an end alone, where it is that of an axis.
std::string RandomMaker::side(const ReadableField& field, bool stepped, std::optional<int> axis) {
  const int dice = random_.below(100);
  const bool real = ir::is_float(field.type);
  if (dice < 6) return "none";
  if (dice < 12) return stepped ? "fixed" : "clamp";
  if (dice < 17) return "clamp";
  if (dice < 24) return "ghost";
  if (dice < 36) return "reflect";
  if (dice < 48) return "mirror";
  if (dice < 56) return real ? "antireflect" : "reflect";
  if (dice < 68) return axis ? "clamp" : "periodic";
  if (dice < 74) return "zero";
  if (dice < 82) return "expr " + ghost_expression(field);
  if (dice < 90 && real) return "neumann " + ghost_value(field.computes);
  return "constant " + ghost_value(real ? field.computes : field.type);
}

// A number, in parentheses or not, or one made of a param.
std::string RandomMaker::ghost_value(Type type) {
  for (const Phrase& known : words_.scalars)
    if (ir::is_float(type) && is_floating(known) && *known.type <= type && random_.chance(40))
      return random_.chance(50) ? known.text : "0.25*" + known.text;
  const std::string value = value_of(type);
  return random_.chance(30) ? "(" + value + ")" : value;
}

// Of the coordinates outside the grid, the step and the extents.
std::string RandomMaker::ghost_expression(const ReadableField& field) {
  std::vector<std::string> axes;
  for (size_t a = 0; a < words_.axes.size(); ++a)
    if (field.along.empty() || field.along[a]) axes.push_back(words_.axes[a]);
  const std::string axis = random_.pick(axes), other = random_.pick(axes);
  if (field.type == Type::boolean) return "(" + axis + " + " + other + " + t) % 2 == 0";
  if (!ir::is_float(field.type)) {
    const std::string sum = "(" + axis + " + 2*" + other + " + t) % 7";
    return std::string(ir::name(field.type)) + "(" + sum + ")";
  }
  // A fraction may be f64 by itself, where other fields are.
  const std::string begin = std::string(ir::name(field.computes)) + "(";
  switch (random_.below(4)) {
    case 0:
      return begin + "0.01*" + axis + ")";
    case 1:
      return begin + "0.03*" + axis + " - 0.02*t)";
    case 2:
      return begin + "0.25 + 0.01*(n" + axis + " - " + other + "))";
    default:
      return begin + other + " > 2 ? 0.5 : -0.04*" + axis + ")";
  }
}

}  // namespace stencilc::run_test
