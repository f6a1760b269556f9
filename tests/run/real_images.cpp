// Pipelines of pictures: stages that read one another.
#include <algorithm>

#include "run/real_families.h"

namespace stencilc::run_test {
namespace {

class Pipeline {
 public:
  explicit Pipeline(Sheet& sheet) : s_(sheet), most_(s_.random.pick({20, 60, 150})) {}

  void write();

 private:
  // A value at each cell: how many reads it comes to, and whether it is a picture of its own.
  struct Plane {
    std::string name;
    int cost = 1;
  };

  std::string fresh(const std::string& word) { return word + "_" + s_.number(++count_); }
  // A let, or an output where it would come to many reads or a program likes it so.
  Plane keep(const std::string& word, const std::string& body, int cost) {
    const std::string name = fresh(word);
    if (cost > most_ || s_.chance(35)) {
      s_.output({name});
      s_.line(name + " = " + body + ";");
      ++outputs_;
      reads_ += cost;
      return {name, 1};
    }
    s_.let(name, body);
    return {name, cost};
  }
  Plane any() { return s_.random.pick(planes_); }
  // One that may be read so often.
  Plane cheap(int reads) {
    Plane plane = any();
    if (plane.cost * reads <= 300) return plane;
    s_.output({fresh("kept")});
    const std::string name = "kept_" + s_.number(count_);
    s_.line(name + " = " + plane.name + ";");
    ++outputs_;
    return {name, 1};
  }
  const std::string& x() const { return s_.axes[0]; }
  const std::string& y() const { return s_.axes[1]; }
  std::string window(const std::string& kind, int radius, const std::string& body) const {
    const std::string range = " in -" + s_.number(radius) + ".." + s_.number(radius);
    return kind + "(m" + range + ", n" + range + " : " + body + ")";
  }
  std::string at(const std::string& name) const { return put("@[$+m, ~+n]", x(), name, y()); }

  void soften();
  void gradients();
  void corners();
  void thin();
  void contrast();
  void rank_filter();
  void bilateral();
  void curve();
  void sharpen();
  void combine();
  void denoise();

  Sheet& s_;
  const int most_;
  int count_ = 0, outputs_ = 0, reads_ = 0;
  std::vector<Plane> planes_;
};

void Pipeline::soften() {
  const int radius = s_.random.between(1, 3), cells = 2 * radius + 1;
  Plane of = cheap(cells * cells);
  const std::string weights = fresh("w");
  Names values;
  for (int n = 0; n < cells; ++n)
    values.push_back(s_.number(1 + std::min(n, cells - 1 - n) * (1 + radius)));
  int sum = 0;
  for (int n = 0; n < cells; ++n) sum += 1 + std::min(n, cells - 1 - n) * (1 + radius);
  s_.line("const " + s_.real + " " + weights + "[-" + s_.number(radius) + ".." + s_.number(radius) +
          "] = { " + joined(values, ", ") + " } / " + s_.number(sum) + ";");
  if (s_.chance(50)) {
    planes_.push_back(keep("soft",
                           window("sum", radius, weights + "[m]*" + weights + "[n]*" + at(of.name)),
                           of.cost * cells * cells));
    return;
  }
  const auto line = [&](const std::string& axis, const std::string& name) {
    return put("sum(m in -@..@ : ", axis, s_.number(radius)) +
           put("@[m]*~[$+m])", axis, weights, name);
  };
  const Plane across = keep("across", line(x(), of.name), of.cost * cells);
  planes_.push_back(keep("soft", line(y(), across.name), across.cost * cells));
}

void Pipeline::gradients() {
  const Plane of = cheap(9);
  const int form = s_.random.below(3);
  const auto slope = [&](const std::string& a, const std::string& b) {
    if (form == 0) return put("0.5*(@[$+1] - @[$-1])", a, of.name);
    const std::string side = form == 1 ? "1" : "3", middle = form == 1 ? "2" : "10";
    return "(" + side + "*(" +
           put("@[$+1, ~-1] - @[$-1, ~-1] + @[$+1, ~+1] - @[$-1, ~+1]", a, of.name, b) + ") + " +
           middle + "*(" + put("@[$+1] - @[$-1]", a, of.name) + "))/" + (form == 1 ? "8" : "32");
  };
  const int cost = of.cost * (form == 0 ? 2 : 6);
  const Plane gx = keep("gx", slope(x(), y()), cost), gy = keep("gy", slope(y(), x()), cost);
  planes_.push_back(gx);
  planes_.push_back(gy);
  const std::string size =
      s_.pick({"sqrt(@^2 + ~^2 + 1e-6)", "abs(@) + abs(~)", "max(abs(@), abs(~))"});
  planes_.push_back(keep("size", put(size, "", gx.name, gy.name), gx.cost + gy.cost));
}

void Pipeline::corners() {
  const int radius = s_.random.between(1, 2), cells = (2 * radius + 1) * (2 * radius + 1);
  const Plane of = cheap(6);
  const Plane gx = keep("ix", put("0.5*(@[$+1] - @[$-1])", x(), of.name), 2 * of.cost);
  const Plane gy = keep("iy", put("0.5*(@[$+1] - @[$-1])", y(), of.name), 2 * of.cost);
  const int cost = cells * (gx.cost + gy.cost);
  Names tensor;
  for (const char* body : {"@^2", "@*~", "~^2"}) {
    const std::string product = fresh("product");
    s_.let(product, put(body, "", gx.name, gy.name));
    tensor.push_back(keep("tensor", window("sum", radius, at(product)) + "/" + s_.number(cells),
                          std::max(cost, most_ / 2 + 1))
                         .name);
  }
  const std::string det = tensor[0] + "*" + tensor[2] + " - " + tensor[1] + "^2";
  const std::string trace = "(" + tensor[0] + " + " + tensor[2] + ")";
  planes_.push_back(
      keep("corner",
           s_.chance(50) ? det + " - 0.05*" + trace + "^2" : "(" + det + ")/(" + trace + " + 0.01)",
           3 * cost));
}

void Pipeline::thin() {
  const Plane of = cheap(9);
  const std::string size = of.name;
  if (s_.chance(50)) {
    const Plane slope = any();
    s_.let(fresh("flatter"), "abs(" + slope.name + ") < 0.3");
    const std::string flatter = "flatter_" + s_.number(count_);
    const std::string body =
        flatter + put(" ? (@ >= @[$-1] && @ >= @[$+1]) : (@ >= @[$-1, ~-1] && @ >= @[$+1, ~+1])",
                      x(), size, y());
    s_.let(fresh("ridge"), body);
    const std::string ridge = "ridge_" + s_.number(count_);
    planes_.push_back(keep("thin", ridge + " ? " + size + " : 0", 9 * of.cost));
    return;
  }
  const std::string most = window("max", 1, at(size));
  planes_.push_back(
      keep("peak", size + " >= " + most + " ? " + size + " : 0.25*" + size, 10 * of.cost));
}

void Pipeline::contrast() {
  const int radius = s_.random.between(1, 2), cells = (2 * radius + 1) * (2 * radius + 1);
  const Plane of = cheap(cells * 2);
  const Plane mean =
      keep("mean", window("sum", radius, at(of.name)) + "/" + s_.number(cells), cells * of.cost);
  const Plane square =
      keep("square", window("sum", radius, at(of.name) + "^2") + "/" + s_.number(cells),
           cells * of.cost);
  planes_.push_back(mean);
  planes_.push_back(keep("contrast",
                         put("(@ - ~)", "", of.name, mean.name) +
                             put("/sqrt(max(@ - ~^2, 0) + 0.1)", "", square.name, mean.name),
                         of.cost + mean.cost * 2 + square.cost));
}

void Pipeline::rank_filter() {
  if (s_.chance(50)) {
    const Plane of = cheap(9);
    planes_.push_back(keep("grown", window(s_.pick({"max", "min"}), 1, at(of.name)), 9 * of.cost));
    return;
  }
  const Plane of = cheap(27);
  s_.fn("median3(a, b, c)", "max(min(a, b), min(max(a, b), c))");
  const std::string column = put("(@[$-1], @, @[$+1])", y(), of.name);
  const Plane low = keep("low", "min" + column, 3 * of.cost),
              middle = keep("middle", "median3" + column, 6 * of.cost),
              high = keep("high", "max" + column, 3 * of.cost);
  planes_.push_back(keep("median",
                         put("median3(max(@[$-1], @, @[$+1]), ", x(), low.name) +
                             put("median3(@[$-1], @, @[$+1]), ", x(), middle.name) +
                             put("min(@[$-1], @, @[$+1]))", x(), high.name),
                         3 * (low.cost + 2 * middle.cost + high.cost)));
}

void Pipeline::bilateral() {
  const int radius = s_.random.between(1, 2), cells = (2 * radius + 1) * (2 * radius + 1);
  const Plane of = cheap(cells * 3);
  s_.fn("alike(a, b)", s_.transcendental ? "exp(-4*(a - b)^2)" : "1/(1 + 8*(a - b)^2)");
  const std::string like = "alike(" + at(of.name) + ", " + of.name + ")";
  planes_.push_back(
      keep("bilateral",
           window("sum", radius, like + "*" + at(of.name)) + "/" + window("sum", radius, like),
           5 * cells * of.cost));
}

void Pipeline::curve() {
  const Plane of = any();
  planes_.push_back(keep("toned",
                         put(s_.pick({"min(max(1.2*@ - 0.1, 0), 1)",
                                      "@ < 0.5 ? 2*@^2 : 1 - 2*(1 - @)^2", "@/(0.5 + abs(@))"}),
                             "", of.name),
                         3 * of.cost));
}

void Pipeline::sharpen() {
  const Plane of = cheap(10);
  const Plane blurred = keep("blurred", window("sum", 1, at(of.name)) + "/9", 9 * of.cost);
  planes_.push_back(keep("sharp",
                         put("abs(@ - ~) > 0.02 ? @ + 0.7*(@ - ~) : @", "", of.name, blurred.name),
                         4 * of.cost + 3 * blurred.cost));
}

void Pipeline::combine() {
  const Plane a = any(), b = any();
  planes_.push_back(keep(
      "both",
      put(s_.pick({"0.6*@ + 0.4*~", "@ > ~ ? @ : 0.5*(@ + ~)", "@*~/(0.25 + ~^2)", "max(@, ~)"}),
          "", a.name, b.name),
      2 * a.cost + 3 * b.cost));
}

// Perona and Malik's diffusion, step by step.
void Pipeline::denoise() {
  s_.stepped({"noisy"});
  s_.param("rate", "0.2");
  s_.fn("edge(g)", "g/(1 + 10*g^2)");
  Names terms;
  for (const std::string& axis : s_.axes)
    terms.push_back(put("edge(noisy[$+1] - noisy) + edge(noisy[$-1] - noisy)", axis));
  const Plane guide = any();
  s_.line("noisy[t+1] = noisy + rate*(" + sum_of(terms) + ") + 0.01*(" + guide.name + " - noisy);");
  planes_.push_back({"noisy", 1});
}

void Pipeline::write() {
  s_.space(0, 88);
  const std::string type = s_.pick({"u8", "u8", "u16", "i16", "f32", "f16"});
  const bool colored = s_.chance(40);
  const Names inputs = colored ? Names{"red", "green", "blue"} : Names{"img"};
  s_.input(inputs, type);
  const bool whole = type[0] != 'f';
  const std::string scale = whole ? "/16" : "";
  const auto real_of = [&](const std::string& name) {
    return whole ? s_.real + "(" + name + ")" : name;
  };
  if (colored) {
    s_.let("grey", "(0.3*" + real_of("red") + " + 0.6*" + real_of("green") + " + 0.1*" +
                       real_of("blue") + ")" + scale);
    planes_.push_back({"grey", 3});
    planes_.push_back({"red_of", 2});
    s_.let("red_of", real_of("red") + scale + " - 0.5*" + real_of("green") + scale);
  } else {
    s_.let("grey", real_of("img") + scale);
    planes_.push_back({"grey", 1});
  }
  if (s_.chance(40)) {
    s_.mask("use_it");
    s_.let("masked", s_.is_set("use_it") + " ? grey : 0.5");
    planes_.push_back({"masked", 2});
  }
  if (s_.chance(30)) {
    s_.coefficient({"flat_field"}, s_.chance(50) ? Names{s_.axes[0]} : s_.axes);
    s_.let("evened", "grey/(0.5 + flat_field)");
    planes_.push_back({"evened", 2});
  }
  if (s_.chance(25)) denoise();
  const std::vector<void (Pipeline::*)()> stages = {
      &Pipeline::soften,   &Pipeline::gradients,   &Pipeline::corners,   &Pipeline::thin,
      &Pipeline::contrast, &Pipeline::rank_filter, &Pipeline::bilateral, &Pipeline::curve,
      &Pipeline::sharpen,  &Pipeline::combine};
  const int least = 3 + 2 * s_.size;
  for (int n = 0; n < least || outputs_ < 4 || reads_ < 320; ++n) {
    (this->*s_.random.pick(stages))();
    if (outputs_ > 18 || (outputs_ >= 4 && reads_ > 550)) break;
  }
  // What somebody looks at.
  s_.line("field u8 shown out;");
  s_.line("shown = sat_u8(255*" + planes_.back().name + ");");
  if (s_.chance(40)) {
    s_.line("field " + s_.real + " last out;");
    s_.line("last = " + any().name + ";");
  }
  if (s_.chance(40)) s_.line("reduce brightest = max(" + any().name + ");");
}

}  // namespace

void pictures(Sheet& s) { Pipeline(s).write(); }

}  // namespace stencilc::run_test
