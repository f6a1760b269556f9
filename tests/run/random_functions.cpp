// Functions and intermediate values of random programs.
#include "run/random_maker.h"

namespace stencilc::run_test {

void RandomMaker::functions() {
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

void RandomMaker::lets() {
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

}  // namespace stencilc::run_test
