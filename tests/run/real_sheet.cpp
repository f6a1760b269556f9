#include "run/real_sheet.h"

#include <algorithm>
#include <utility>

namespace stencilc::run_test {
namespace {

constexpr int kFields = 30;  // at most

}  // namespace

std::string put(std::string_view text, std::string_view axis, std::string_view at,
                std::string_view tilde) {
  std::string result;
  for (const char c : text) {
    if (c == '$')
      result += axis;
    else if (c == '@')
      result += at;
    else if (c == '~')
      result += tilde;
    else
      result += c;
  }
  return result;
}

std::string joined(const Names& parts, const std::string& between) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : between) + part;
  return result;
}

std::string sum_of(const Names& terms) { return joined(terms, " + "); }

Names with(const Names& names, const std::string& suffix) {
  Names result;
  for (const std::string& name : names) result.push_back(name + suffix);
  return result;
}

Names lettered(const std::string& name, int count) {
  Names names;
  for (int n = 0; n < count; ++n) names.push_back(name + static_cast<char>('a' + n));
  return names;
}

Names operator+(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Sheet::Sheet(uint64_t seed, bool transcendental)
    : random(Random(seed + 0x7265616c).next()), transcendental(transcendental), seed_(seed) {
  const int dice = random.below(100);
  real = dice < 44 || dice >= 94 ? "f32" : "f64";
  stored = dice < 94 ? real : pick({"f16", "bf16"});
  if (dice >= 86 && dice < 94) stored = "f32", compute_ = " compute f64";
  size = random.below(3);
  outside_functions_ = random.pick({0, 50, 100});
  outputs_ = random.pick({0, 0, 10, 30, 60});
}

void Sheet::space(int one, int two) {
  const int dice = random.below(100);
  const size_t rank = dice < one ? 1 : dice < one + two ? 2 : 3;
  axes = {"x", "y", "z"};
  if (chance(15)) axes = {"i", "j", "k"};
  if (rank == 2 && chance(15)) axes = {"x", "z"};
  axes.resize(rank);
}

void Sheet::param(const std::string& name, const std::string& value) {
  if (known_.insert(name).second)
    line("param " + real + " " + name + (chance(90) ? " = " + value : "") + ";");
}

std::string Sheet::constant(const Kind& kind) {
  if (kind.boolean) return pick({"false", "true"});
  if (!kind.real) return pick({"0", "1"});
  return pick({"0.5", "1", "0.25", "-0.125", "(0.3)"});
}

// One kind; `one_end` of an axis.
std::string Sheet::side(const Kind& kind, bool one_end) {
  const std::string axis = random.pick(kind.along);
  const int dice = random.below(100);
  if (dice < 18) return "clamp";
  if (dice < 26) return "reflect";
  if (dice < 34) return "mirror";
  if (dice < 50) return one_end ? "clamp" : "periodic";
  if (dice < 57) return kind.boolean ? "clamp" : "zero";
  if (dice < 64) return "constant " + constant(kind);
  if (dice < 71) return kind.real ? "antireflect" : "reflect";
  if (dice < 78) return kind.real ? pick({"neumann 0", "neumann 0.125"}) : "mirror";
  if (dice < 85 && kind.real) return put("expr ~(0.02*$)", axis, {}, kind.computes);
  if (dice < 85 && !kind.boolean) return put("expr ~($ % 2)", axis, {}, kind.computes);
  if (dice < 92) return "ghost";
  return kind.stepped && chance(50) ? "fixed" : "none";
}

std::string Sheet::boundary(const Kind& kind) {
  if (chance(60)) return side(kind, false);
  std::string text = "{";
  for (const std::string& axis : kind.along) {
    const bool both = chance(40);
    if (both) text += " " + axis + ": " + side(kind, false) + ";";
    for (const char* end : {".lo: ", ".hi: "})
      if (!both) text += " " + axis + end + side(kind, true) + ";";
  }
  return text + " }";
}

void Sheet::declare(const Names& names, const std::string& type, const std::string& role,
                    const std::string& along, const Kind& kind) {
  known_.insert(names.begin(), names.end());
  fields_ += static_cast<int>(names.size());
  const bool whole = along.empty() && kind.real && !colored;
  if (whole && kind.computes == real && common_.empty()) {
    Kind unstepped = kind;
    unstepped.stepped = false;
    common_ = chance(50) ? boundary(unstepped) : "none of all";
  }
  for (size_t begin = 0; begin < names.size();) {
    const int left = static_cast<int>(names.size() - begin);
    const size_t count = static_cast<size_t>(chance(65) ? left : random.between(1, left));
    const Names group(names.begin() + static_cast<std::ptrdiff_t>(begin),
                      names.begin() + static_cast<std::ptrdiff_t>(begin + count));
    const bool common = whole && kind.computes == real && common_ != "none of all" && chance(85);
    const std::string edge = common ? common_ : boundary(kind);
    const bool apart = chance(15);
    line("field " + type + " " + joined(with(group, along + role), ", ") +
         (kind.real && !kind.boolean && type == stored ? compute_ : "") +
         (apart ? "" : " boundary " + edge) + ";");
    if (apart)
      line("boundary " + joined(group, ", ") + " " + edge + (edge.back() == '}' ? "" : ";"));
    begin += count;
  }
}

void Sheet::stepped(const Names& names) {
  declare(names, stored, chance(10) ? " inout" : "", "", {true, false, true, real, axes});
}

void Sheet::output(const Names& names) {
  declare(names, stored, " out", "", {true, false, false, real, axes});
}

void Sheet::input(const Names& names, const std::string& type, const Names& along) {
  const bool whole = along.empty() || along.size() == axes.size();
  const bool floats = type[0] == 'f' || type == "bf16";
  const Kind kind = {floats, type == "bool", false, floats && type != "f64" ? "f32" : type,
                     whole ? axes : along};
  declare(names, type, pick({" in", " in", " readonly", ""}),
          whole ? "" : "(" + joined(along, ", ") + ")", kind);
}

void Sheet::coefficient(const Names& names, const Names& along) {
  const int dice = random.below(100);
  const std::string half = pick({"f16", "bf16"});
  const std::string type = dice < 70 ? real : dice < 88 ? std::string("f32") : half;
  input(names, type, along);
}

void Sheet::mask(const std::string& name) {
  const std::string type = pick({"u8", "u8", "bool", "i8", "i32", "u16"});
  if (type == "bool") masks_of_bool_.push_back(name);
  input({name}, type);
}

std::string Sheet::is_set(const std::string& mask, const std::string& index) const {
  const bool boolean =
      std::find(masks_of_bool_.begin(), masks_of_bool_.end(), mask) != masks_of_bool_.end();
  return mask + index + (boolean ? "" : " > 3");
}

void Sheet::fn(const std::string& head, const std::string& body) {
  if (!known_.insert(head.substr(0, head.find('('))).second) return;
  const std::string text = "fn " + head + " = " + body + ";";
  if (chance(outside_functions_))
    outside_.push_back(text);
  else
    line(text);
}

void Sheet::let(const std::string& name, const std::string& body) {
  known_.insert(name);
  line("let " + name + " = " + body + ";");
}

void Sheet::value(const std::string& name, const std::string& body) {
  constexpr int kMost = 4;
  if (colored || output_count_ == kMost || fields_ >= kFields - 2 || !chance(outputs_)) {
    let(name, body);
    return;
  }
  ++output_count_;
  output({name});
  line(name + " = " + body + ";");
}

void Sheet::update(const std::string& field, const std::string& added) {
  if (chance(80)) {
    line(field + "[t+1] = " + field + " + " + added + ";");
    return;
  }
  line(field + "[t+1] = " + field + ";");
  line(field + "[t+1] += " + added + ";");
}

void Sheet::advance(const Names& names, const Rates& rates, int least, int most) {
  const auto count = static_cast<int>(names.size());
  const int fitting = 1 + (kFields - 2 - fields_) / count;
  const int stages = random.between(least, std::max(least, std::min(most, fitting)));
  param("dt", pick({"0.01", "0.02", "0.05"}));
  const auto each = [&](const Names& of, const std::string& stage, const std::string& text,
                        const std::string& target) {
    for (size_t i = 0; i < names.size(); ++i)
      line(names[i] + target + " = " + put(text, names[i], of[i], stage) + ";");
  };
  // `$` is the field, `@` what changes it, `~` the stage that this was reckoned from.
  if (stages == 1 && chance(12)) {
    each(rates(""), "", "$[t-1] + 2*dt*(@)", "[t+1]");
    return;
  }
  if (stages == 1 && chance(12) && count <= 4) {
    const Names old = with(names, "_rate"), now = with(names, "_now");
    stepped(old);
    const Names change = rates("");
    for (size_t i = 0; i < names.size(); ++i) {
      let(now[i], change[i]);
      line(names[i] + "[t+1] = " + names[i] + put(" + dt*(1.5*@ - 0.5*~);", "", now[i], old[i]));
      line(old[i] + "[t+1] = " + now[i] + ";");
    }
    return;
  }
  if (stages == 1) {
    const Names change = rates("");
    const std::string form = pick({"dt*(@)", "dt*(@)", "(@)*dt", "(dt*(@))"});
    for (size_t i = 0; i < names.size(); ++i) update(names[i], put(form, "", change[i]));
    return;
  }
  for (int n = 1; n < stages; ++n) output(with(names, number(n)));
  const bool midpoint = chance(35);
  if (stages == 2) {
    each(rates(""), "", midpoint ? "$ + 0.5*dt*(@)" : "$ + dt*(@)", "1");
    each(rates("1"), "1", midpoint ? "$ + dt*(@)" : "0.5*$ + 0.5*($~ + dt*(@))", "[t+1]");
  } else if (stages == 3) {  // Shu and Osher
    each(rates(""), "", "$ + dt*(@)", "1");
    each(rates("1"), "1", "0.75*$ + 0.25*($~ + dt*(@))", "2");
    each(rates("2"), "2", chance(50) ? "$/3 + 2/3*($~ + dt*(@))" : "($ + 2*($~ + dt*(@))) / 3",
         "[t+1]");
  } else {  // Runge and Kutta's classical one
    each(rates(""), "", "$ + 0.5*dt*(@)", "1");
    each(rates("1"), "1", "$ + 0.5*dt*(@)", "2");
    each(rates("2"), "2", "$ + dt*(@)", "3");
    each(rates("3"), "3", "($1 + 2*$2 + $3 - $)/3 + dt/6*(@)", "[t+1]");
  }
}

std::string Sheet::limiter() {
  const auto minmod = [&] {
    fn("minmod(a, b)",
       pick({"a*b > 0 ? (abs(a) < abs(b) ? a : b) : 0", "a*b <= 0 ? 0 : abs(a) < abs(b) ? a : b",
             "max(0, min(a, b)) + min(0, max(a, b))",
             "a > 0 && b > 0 ? min(a, b) : a < 0 && b < 0 ? max(a, b) : 0"}));
  };
  switch (random.below(8)) {
    case 0:
    case 1:
      minmod();
      return "minmod";
    case 2:
      minmod();
      fn("maxmod(a, b)", "a*b > 0 ? (abs(a) > abs(b) ? a : b) : 0");
      fn("superbee(a, b)", "maxmod(minmod(2*a, b), minmod(a, 2*b))");
      return "superbee";
    case 3:
      fn("van_leer(a, b)", pick({"a*b > 0 ? 2*a*b/(a + b) : 0",
                                 "a*b > 0 ? 2*a*b/(a + b + (a > 0 ? 1e-6 : -1e-6)) : 0"}));
      return "van_leer";
    case 4:
      fn("van_albada(a, b)", "a*b > 0 ? a*b*(a + b)/(a^2 + b^2 + 1e-6) : 0");
      return "van_albada";
    case 5:
      minmod();
      fn("central(a, b)", "minmod(0.5*(a + b), minmod(2*a, 2*b))");
      return "central";
    case 6:
      fn("sweby(a, b)",
         "max(0, min(1.5*a, b), min(a, 1.5*b)) + min(0, max(1.5*a, b), max(a, 1.5*b))");
      return "sweby";
    default:
      fn("koren(a, b)", "b*max(0, min(2*a*b/(b^2 + 1e-6), (2*a*b/(b^2 + 1e-6) + 1)/3, 2))");
      return "koren";
  }
}

void Sheet::faces(bool limited) {
  const std::string limit = limited ? limiter() : "";
  const bool by_slope = chance(40);
  for (const std::string& axis : axes) {
    const std::string slope = put("@(q - q[$-1], q[$+1] - q)", axis, limit);
    if (limited && by_slope) fn("slope_" + axis + "(q)", slope);
    const std::string half = "0.5*" + (by_slope ? "slope_" + axis + "(q)" : slope);
    fn("up_" + axis + "(q)", limited ? "q + " + half : "q");
    fn("lo_" + axis + "(q)", limited ? "q - " + half : "q");
  }
}

void Sheet::staggered(int order) {
  constexpr const char* kWeights[][4] = {{"1", "", "", ""},
                                         {"9/8", "-1/24", "", ""},
                                         {"75/64", "-25/384", "3/640", ""},
                                         {"1225/1024", "-245/3072", "49/5120", "-5/7168"}};
  const int half = order / 2, form = random.below(3);
  const std::string ranges = "[1.." + number(half) + "]";
  if (form == 2) {
    std::string values;
    for (int k = 0; k < half; ++k) values += (k ? ", " : "") + std::string(kWeights[half - 1][k]);
    line("const " + real + " fd" + ranges + " = { " + values + " };");
  }
  for (const std::string& axis : axes)
    for (const bool ahead : {true, false}) {
      const std::string name = ahead ? "ahead_" : "behind_";
      std::string body;
      if (form == 0)
        body = put("d$(f, order = @, at = ~1/2)", axis, number(order), ahead ? "+" : "-");
      else if (form == 2)
        body = put(ahead ? "sum(m in 1..@ : fd[m]*(f[$+m] - f[$-m+1]))"
                         : "sum(m in 1..@ : fd[m]*(f[$+m-1] - f[$-m]))",
                   axis, number(half));
      for (int k = 1; form == 1 && k <= half; ++k) {
        const std::string high = ahead    ? "[$+" + number(k) + "]"
                                 : k == 1 ? std::string()
                                          : "[$+" + number(k - 1) + "]";
        const std::string low = !ahead   ? "[$-" + number(k) + "]"
                                : k == 1 ? std::string()
                                         : "[$-" + number(k - 1) + "]";
        body += put((k > 1 ? " + " : "") + std::string("(@)*(f") + high + " - f" + low + ")", axis,
                    kWeights[half - 1][k - 1]);
      }
      fn(name + axis + "(f)", body);
    }
}

void Sheet::sources(const std::string& target, const std::string& other) {
  if (has_points_) return;
  has_points_ = true;
  param("dt", "0.02");
  const bool inject = chance(70), sample = !inject || chance(60);
  if (inject) {
    line(std::string("points sources") + (chance(50) ? " linear;" : ";"));
    line("series " + real + " pulse(sources);");
    line("inject " + target + "[t+1] += " + pick({"0.1*", "dt*", ""}) + "pulse[t] at sources;");
  }
  if (sample) {
    line(std::string("points receivers") + (chance(70) ? " linear;" : ";"));
    line("series " + real + " trace(receivers);");
    line("sample trace[t] = " + (chance(50) ? other : target + "[t+1]") + " at receivers;");
  }
}

void Sheet::extras(const Names& targets, const std::string& value) {
  const std::string target = random.pick(targets), axis = random.pick(axes);
  if (chance(15))
    line(target + "[t+1] = " + target + put(chance(50) ? " on $ == 0;" : " on $ >= n$ - 2;", axis));
  if (chance(10)) line(put("~[t+1] *= 0.98 on $ < 2;", axis, {}, target));
  if (chance(15)) {
    output({"seen"});
    line("seen = " + value + ";");
  }
  if (chance(15)) {  // of another type
    const std::string type = pick({"f32", "u8", "i32", "f16"});
    const std::string shown = type == "f32" || type == "f16"
                                  ? "f32(" + value + ")"
                                  : "sat_" + type + "(16*(" + value + "))";
    line("field " + type + " shown out;");
    line("shown = " + shown + ";");
  }
  if (chance(20)) sources(target, random.pick(targets));
  std::string known;
  if (chance(30)) {
    known = "change";
    line(put(pick({"reduce change = max(abs(@[t+1] - @));", "reduce change = norm2(@[t+1] - @);",
                   "reduce change = sum(abs(@[t+1] - @)) on ~ > 0;"}),
             "", target, axis));
  }
  if (chance(15))
    line("reduce total = sum(" + (chance(40) ? "f64(" + target + "[t+1])" : value) + ");");
  if (chance(15))
    line(known.empty() ? "iterate 3 times;"
                       : "iterate until change < 1e-4, check every 2, limit 5;");
}

RandomProgram Sheet::finish(const std::string& title) {
  std::string inside = "stencil " + title + " {\n  axes  " + joined(axes, ", ") + ";\n", outside;
  for (const std::string& text : lines_) inside += "  " + text + "\n";
  inside += "}\n";
  for (const std::string& text : outside_) outside += text + "\n";
  const std::string head = "// The program of seed " + number(static_cast<int>(seed_)) + ".\n";
  RandomProgram program;
  program.text = head + (chance(70) ? outside + inside : inside + outside);
  return program;
}

}  // namespace stencilc::run_test
