// Conservation laws by finite volumes, and compressible flow by central differences.
#include "run/real_families.h"

namespace stencilc::run_test {
namespace {

// Fluxes through the upper faces, and what they add up to.
class Fluxes {
 public:
  Fluxes(Sheet& sheet, std::string stage) : s_(sheet), stage_(std::move(stage)) {}

  // Names the values at both sides of the face: `left`@ and `right`@ of a value at the cell.
  void sides(const std::string& axis, const std::string& key, const std::string& value) {
    s_.let(left(axis, key), put("up_$(@)", axis, value));
    s_.let(right(axis, key), put("lo_$(@[$+1])", axis, value));
  }
  std::string left(const std::string& axis, const std::string& key) const {
    return axis + "l_" + key + stage_;
  }
  std::string right(const std::string& axis, const std::string& key) const {
    return axis + "r_" + key + stage_;
  }
  void flux(const std::string& axis, const std::string& key, const std::string& body) {
    s_.value("f" + axis + "_" + key + stage_, body);
  }
  // What all the fluxes make of the value.
  std::string net(const std::string& key) const {
    Names terms;
    for (const std::string& axis : s_.axes)
      terms.push_back(put("@ - @[$-1]", axis, "f" + axis + "_" + key + stage_));
    return "-(" + sum_of(terms) + ")";
  }

 private:
  Sheet& s_;
  std::string stage_;
};

}  // namespace

void gas(Sheet& s) {
  s.space(8, 57);
  const int rank = s.rank();
  Names momenta;
  for (const std::string& axis : s.axes) momenta.push_back("m" + axis);
  const Names extra =
      lettered("y", rank == 1 ? s.random.between(2, 4) : s.random.between(rank == 2, 5 - rank));
  const Names state = Names{"rho"} + momenta + Names{"en"} + extra;
  s.param("gamma", "1.4");
  s.param("h", "1");
  s.stepped(state);
  const bool walls = s.chance(25), pull = s.chance(35);
  if (walls) s.mask("solid");
  if (pull) s.coefficient({"weight"}, s.chance(60) ? Names{s.axes.back()} : s.axes);
  const int form = s.random.below(3);  // rusanov, hll, or upwind by the speed at the face
  const bool limited = rank < 3 || s.chance(70), of_energy = s.chance(40);
  s.faces(limited);
  s.fn("sound(p, r)", "sqrt(gamma*p/r)");
  if (form == 0) s.fn("rusanov(fl, fr, ql, qr, a)", "0.5*(fl + fr) - 0.5*a*(qr - ql)");
  if (form == 1) {
    s.fn("hll(fl, fr, ql, qr, sl, sr)", "(sr*fl - sl*fr + sl*sr*(qr - ql)) / (sr - sl + 1e-3)");
    s.fn("slow(u, v, cl, cr)", "min(u - cl, v - cr, 0)");
    s.fn("fast(u, v, cl, cr)", "max(u + cl, v + cr, 0)");
  }
  const auto rates = [&](const std::string& stage) {
    Fluxes flux(s, stage);
    const auto own = [&](const std::string& name) { return name + stage; };
    s.let(own("r"), "max(" + own("rho") + ", 0.1)");
    Names squares, speeds = {};
    for (const std::string& axis : s.axes) {
      s.let(own("u" + axis), own("m" + axis) + "/" + own("r"));
      squares.push_back(own("u" + axis) + "^2");
      speeds.push_back("u" + axis);
    }
    s.value(own("p"), put("max((gamma - 1)*(@ - 0.5*~*(", "", own("en"), own("r")) +
                          sum_of(squares) + ")), 0.05)");
    for (const std::string& name : extra) s.let(own("c" + name), own(name) + "/" + own("r"));
    for (const std::string& axis : s.axes) {
      const auto L = [&](const std::string& key) { return flux.left(axis, key); };
      const auto R = [&](const std::string& key) { return flux.right(axis, key); };
      for (const std::string& key : Names{"r"} + speeds + Names{"p"})
        flux.sides(axis, key, own(key));
      for (const std::string& name : extra) flux.sides(axis, name, own("c" + name));
      const std::string normal = "u" + axis;
      const auto energy = [&](const auto& side) {
        Names parts;
        for (const std::string& speed : speeds) parts.push_back(side(speed) + "^2");
        return side("p") + "/(gamma - 1) + 0.5*" + side("r") + "*(" + sum_of(parts) + ")";
      };
      const bool by_energy = of_energy;
      if (by_energy) {
        s.let(L("en"), energy(L));
        s.let(R("en"), energy(R));
      }
      const auto energy_of = [&](const auto& side) {
        return by_energy ? side("en") : "(" + energy(side) + ")";
      };
      const std::string a = own("s" + axis);
      if (form == 0)
        s.let(a, "max(abs(" + L(normal) + ") + sound(" + L("p") + ", " + L("r") + "), abs(" +
                     R(normal) + ") + sound(" + R("p") + ", " + R("r") + "))");
      if (form == 1)
        for (const char* which : {"slow", "fast"})
          s.let(which + a, std::string(which) + "(" + L(normal) + ", " + R(normal) + ", sound(" +
                               L("p") + ", " + L("r") + "), sound(" + R("p") + ", " + R("r") +
                               "))");
      if (form == 2) s.let(a, "0.5*(" + L(normal) + " + " + R(normal) + ")");
      // One flux of the values and of what carries them.
      const auto through = [&](const std::string& key, const auto& value, const auto& pressure) {
        const std::string ql = value(L), qr = value(R);
        const std::string fl = L(normal) + "*" + ql, fr = R(normal) + "*" + qr;
        const std::string pl = pressure(L), pr = pressure(R);
        const std::string both = fl + pl + ", " + fr + pr + ", " + ql + ", " + qr;
        if (form == 0) flux.flux(axis, key, "rusanov(" + both + ", " + a + ")");
        if (form == 1) flux.flux(axis, key, "hll(" + both + ", slow" + a + ", fast" + a + ")");
        if (form == 2)
          flux.flux(axis, key,
                    "(" + a + " > 0 ? " + a + "*" + ql + " : " + a + "*" + qr + ")" +
                        (pl.empty() ? "" : " + 0.5*(" + pl.substr(3) + pr + ")"));
      };
      const auto nothing = [](const auto&) { return std::string(); };
      through(
          "rho", [](const auto& side) { return side("r"); }, nothing);
      for (const std::string& speed : speeds) {
        const auto value = [&](const auto& side) { return side("r") + "*" + side(speed); };
        if (speed == normal)
          through("m" + speed.substr(1), value, [](const auto& side) { return " + " + side("p"); });
        else
          through("m" + speed.substr(1), value, nothing);
      }
      through("en", energy_of,
              [&](const auto& side) { return " + " + side("p") + "*" + side(normal); });
      for (const std::string& name : extra)
        through(
            name, [&](const auto& side) { return side("r") + "*" + side(name); }, nothing);
    }
    Names result;
    for (const std::string& name : state) {
      std::string rate = flux.net(name) + "/h";
      if (pull && name == momenta.back()) rate += " - " + own("rho") + "*weight";
      if (pull && name == "en") rate += " - " + own(momenta.back()) + "*weight";
      result.push_back(walls ? s.is_set("solid") + " ? 0 : " + rate : rate);
    }
    return result;
  };
  const int count = static_cast<int>(state.size());
  s.advance(state, rates, 1, rank == 3 ? (count > 5 && limited ? 1 : 2) : count > 5 ? 2 : 3);
  s.extras(state, "p");
}

void plasma(Sheet& s) {
  s.space(5, 65);
  const int rank = s.rank();
  const bool cleaned = s.chance(50) && rank < 3, limited = rank < 3 || s.chance(30);
  const bool of_one_temperature = rank == 3 && (limited || s.chance(40));
  const Names state = Names{"rho", "mx", "my", "mz"} +
                      (of_one_temperature ? Names{} : Names{"en"}) + Names{"bx", "by", "bz"} +
                      (cleaned ? Names{"psi"} : Names{});
  const Names letters = {"x", "y", "z"};
  s.param("gamma", "1.6666666666666667");
  s.param("ch", "1.5");
  s.stepped(state);
  s.faces(limited);
  const std::string one =
      of_one_temperature
          ? "0.6*r"
          : "max((gamma - 1)*(e - 0.5*(k^2 + l^2 + m^2)/r - magnetic(a, b, c)), 0.05)";
  s.fn("magnetic(a, b, c)", "0.5*(a^2 + b^2 + c^2)");
  s.fn("press(r, k, l, m, e, a, b, c)", one);
  s.fn("fast_square(g, q, a, r)", "0.5*(q + sqrt(max(q^2 - 4*g*a^2/r, 0)))");
  s.fn("fast(r, p, a, b, c)",
       s.chance(50) ? "sqrt(fast_square(gamma*p/r, (gamma*p + 2*magnetic(a, b, c))/r, a, r))"
                    : "sqrt((gamma*p + 2*magnetic(a, b, c))/r)");
  const bool hll = s.chance(50);
  if (hll)
    s.fn("through(fl, fr, ql, qr, sl, sr)", "(sr*fl - sl*fr + sl*sr*(qr - ql)) / (sr - sl + 1e-3)");
  else
    s.fn("through(fl, fr, ql, qr, sl, sr)", "0.5*(fl + fr) - 0.5*max(-sl, sr)*(qr - ql)");
  const auto rates = [&](const std::string& stage) {
    Fluxes flux(s, stage);
    const auto own = [&](const std::string& name) { return name + stage; };
    s.let(own("r"), put("max(@, 0.1)", "", own("rho")));
    for (const std::string& x : letters) s.let(own("u" + x), own("m" + x) + "/" + own("r"));
    s.value(own("p"),
            "press(" +
                joined({own("r"), own("mx"), own("my"), own("mz"),
                        of_one_temperature ? "0" : own("en"), own("bx"), own("by"), own("bz")},
                       ", ") +
                ")");
    for (size_t a = 0; a < s.axes.size(); ++a) {
      const std::string& axis = s.axes[a];
      const std::string n = letters[a], m = letters[(a + 1) % 3], o = letters[(a + 2) % 3];
      const auto L = [&](const std::string& key) { return flux.left(axis, key); };
      const auto R = [&](const std::string& key) { return flux.right(axis, key); };
      for (const char* key : {"r", "ux", "uy", "uz", "p"}) flux.sides(axis, key, own(key));
      for (const std::string& x : {m, o}) flux.sides(axis, "b" + x, own("b" + x));
      const std::string bn = own("b" + axis + "_face");
      s.let(bn, put("0.5*(@ + @[$+1])", axis, own("b" + n)) +
                    (cleaned ? put(" - 0.5/ch*(@[$+1] - @)", axis, own("psi")) : ""));
      const auto signal = [&](const auto& side) {
        return "fast(" + joined({side("r"), side("p"), bn, side("b" + m), side("b" + o)}, ", ") +
               ")";
      };
      const std::string sl = own("sl_" + axis), sr = own("sr_" + axis);
      s.let(sl, "min(" + L("u" + n) + " - " + signal(L) + ", " + R("u" + n) + " - " + signal(R) +
                    ", 0)");
      s.let(sr, "max(" + L("u" + n) + " + " + signal(L) + ", " + R("u" + n) + " + " + signal(R) +
                    ", 0)");
      const auto through = [&](const std::string& key, const auto& carried, const auto& value) {
        flux.flux(
            axis, key,
            "through(" + joined({carried(L), carried(R), value(L), value(R), sl, sr}, ", ") + ")");
      };
      const auto density = [](const auto& side) { return side("r"); };
      through(
          "rho", [&](const auto& side) { return side("r") + "*" + side("u" + n); }, density);
      const auto pressure = [&](const auto& side) {
        return side("p") + " + magnetic(" + bn + ", " + side("b" + m) + ", " + side("b" + o) + ")";
      };
      for (const std::string& x : letters) {
        const auto value = [&](const auto& side) { return side("r") + "*" + side("u" + x); };
        const auto carried = [&](const auto& side) {
          const std::string own_b = x == n ? bn : side("b" + x);
          return value(side) + "*" + side("u" + n) + " - " + bn + "*" + own_b +
                 (x == n ? " + " + pressure(side) : "");
        };
        through("m" + x, carried, value);
      }
      if (!of_one_temperature) {
        const auto energy = [&](const auto& side) {
          return side("p") + "/(gamma - 1) + 0.5*" + side("r") + "*(" + side("ux") + "^2 + " +
                 side("uy") + "^2 + " + side("uz") + "^2) + magnetic(" + bn + ", " + side("b" + m) +
                 ", " + side("b" + o) + ")";
        };
        const auto work = [&](const auto& side) {
          return "(" + energy(side) + " + " + pressure(side) + ")*" + side("u" + n) + " - " + bn +
                 "*(" + bn + "*" + side("u" + n) + " + " + side("b" + m) + "*" + side("u" + m) +
                 " + " + side("b" + o) + "*" + side("u" + o) + ")";
        };
        through("en", work, energy);
      }
      for (const std::string& x : {m, o})
        through(
            "b" + x,
            [&](const auto& side) {
              return side("b" + x) + "*" + side("u" + n) + " - " + bn + "*" + side("u" + x);
            },
            [&](const auto& side) { return side("b" + x); });
      flux.flux(axis, "b" + n,
                cleaned
                    ? put("0.5*(@ + @[$+1]) - 0.5*ch*(~[$+1] - ~)", axis, own("psi"), own("b" + n))
                    : "0");
      if (cleaned) flux.flux(axis, "psi", put("ch^2*@", axis, bn));
    }
    Names result;
    for (const std::string& name : state)
      result.push_back(name == "psi" ? flux.net(name) + put(" - 0.2*@", "", own(name))
                                     : flux.net(name));
    return result;
  };
  s.advance(state, rates, 1, limited || rank == 3 ? 1 : 2);
  s.extras(state, "p");
}

void flood(Sheet& s) {
  s.space(10, 90);
  const bool plane = s.rank() == 2;
  const Names moments = plane ? Names{"hu", "hv"} : Names{"hu"};
  const Names speeds = plane ? Names{"u", "v"} : Names{"u"};
  const bool rough = s.chance(70), rain = s.chance(50), sloped = s.chance(60);
  const Names extra =
      lettered("y", plane ? s.random.between(!rough && !rain, 3) : s.random.between(2, 4));
  const Names state = Names{"h"} + moments + extra;
  s.param("g", "1");
  s.param("dry", "0.05");
  s.stepped(state);
  s.coefficient({"b"});
  if (rough) s.coefficient({"manning"});
  if (rain) s.coefficient({"rain"}, s.chance(30) ? Names{s.axes[0]} : s.axes);
  const bool walls = s.chance(30);
  if (walls) s.mask("wall");
  s.faces(sloped);
  s.fn("speed(q, d)", s.pick({"d > dry ? q/max(d, dry) : 0",
                              "q*d*1.4142135623730951/sqrt(d^4 + max(d^4, 1e-3))"}));
  const bool hll = s.chance(50);
  if (hll)
    s.fn("through(fl, fr, ql, qr, sl, sr)",
         "sl >= 0 ? fl : sr <= 0 ? fr : (sr*fl - sl*fr + sl*sr*(qr - ql)) / (sr - sl)");
  else
    s.fn("through(fl, fr, ql, qr, sl, sr)", "0.5*(fl + fr) - 0.5*max(-sl, sr)*(qr - ql)");
  const auto rates = [&](const std::string& stage) {
    Fluxes flux(s, stage);
    const auto own = [&](const std::string& name) { return name + stage; };
    s.let(own("eta"), own("h") + " + b");
    for (size_t i = 0; i < speeds.size(); ++i)
      s.value(own(speeds[i]), "speed(" + own(moments[i]) + ", " + own("h") + ")");
    Names pushes;
    for (size_t a = 0; a < s.axes.size(); ++a) {
      const std::string& axis = s.axes[a];
      const auto L = [&](const std::string& key) { return flux.left(axis, key); };
      const auto R = [&](const std::string& key) { return flux.right(axis, key); };
      for (const std::string& key : Names{"eta"} + speeds) flux.sides(axis, key, own(key));
      for (const std::string& name : extra) flux.sides(axis, name, own(name));
      // Audusse's reconstruction: the step of the ground is the higher side's.
      const std::string bed = own("bed_" + axis);
      s.let(bed, put("max(b, b[$+1])", axis));
      for (const bool left : {true, false})
        s.let(left ? L("h") : R("h"), "max(" + (left ? L("eta") : R("eta")) + " - " + bed + ", 0)");
      const std::string& normal = speeds[a];
      const std::string sl = own("sl_" + axis), sr = own("sr_" + axis);
      const auto c = [&](const auto& side) { return "sqrt(g*" + side("h") + ")"; };
      s.let(sl, "min(" + L(normal) + " - " + c(L) + ", " + R(normal) + " - " + c(R) + ")");
      s.let(sr, "max(" + L(normal) + " + " + c(L) + ", " + R(normal) + " + " + c(R) + ")" +
                    (hll ? " + 1e-3" : ""));
      const auto through = [&](const std::string& key, const auto& value, const std::string& more) {
        const auto carried = [&](const auto& side) {
          return value(side) + "*" + side(normal) +
                 (more.empty() ? "" : " + " + put(more, "", side("h")));
        };
        flux.flux(
            axis, key,
            "through(" + joined({carried(L), carried(R), value(L), value(R), sl, sr}, ", ") + ")");
      };
      through(
          "h", [](const auto& side) { return side("h"); }, "");
      for (size_t i = 0; i < speeds.size(); ++i)
        through(
            moments[i], [&](const auto& side) { return side("h") + "*" + side(speeds[i]); },
            i == a ? "0.5*g*@^2" : "");
      for (const std::string& name : extra)
        through(
            name, [&](const auto& side) { return side("h") + "*" + side(name); }, "");
      pushes.push_back(put("0.5*g*(@ + @[$-1])*(b[$+1] - b[$-1])*0.5", axis, L("h")));
    }
    Names result;
    for (const std::string& name : state) {
      std::string rate = flux.net(name);
      for (size_t a = 0; a < moments.size(); ++a) {
        if (name != moments[a]) continue;
        rate += " - " + pushes[a];
        if (rough) rate += put(" - manning*@*abs(~)", "", own(name), own(speeds[a]));
      }
      if (rain && name == "h") rate += " + 0.1*rain";
      result.push_back(walls ? s.is_set("wall") + " ? 0 : " + rate : rate);
    }
    return result;
  };
  s.advance(state, rates, plane ? 1 : 2, 3);
  if (s.chance(50)) s.line("h[t+1] = max(h[t+1], 0);");
  if (s.chance(40))
    for (const std::string& name : moments) s.line(name + "[t+1] = 0 where h[t+1] < dry;");
  s.extras(state, "eta");
}

void high_order(Sheet& s) {
  s.space(0, 35);
  const int rank = s.rank();
  const Names extra = lettered("y", s.random.between(rank == 2, 2));
  Names momenta, speeds;
  for (const std::string& axis : s.axes)
    momenta.push_back("m" + axis), speeds.push_back("u" + axis);
  const Names state = Names{"rho"} + momenta + Names{"en"} + extra;
  const int order = rank == 3 ? s.random.pick({4, 6, 8}) : s.random.pick({6, 8});
  const std::string of_order = ", order = " + s.number(order) + ")";
  s.param("gamma", "1.4");
  s.param("mu", "0.05");
  s.stepped(state);
  const bool viscous = order == 4 || s.chance(40), given = s.chance(40);
  if (given) s.coefficient({"kappa"});
  // Differences as the language has them, or by weights.
  const bool built_in = s.chance(50);
  constexpr const char* kFirst[] = {"0.8", "-0.2", "0.038", "-0.0035"};
  if (!built_in) {
    Names weights;
    for (int k = 0; k < order / 2; ++k) weights.emplace_back(kFirst[k]);
    s.line("const " + s.real + " d8[1.." + s.number(order / 2) + "] = { " + joined(weights, ", ") +
           " };");
  }
  for (const std::string& axis : s.axes)
    s.fn("first_" + axis + "(f)",
         built_in ? put("d$(f", axis) + of_order
                  : put("sum(m in 1..@ : d8[m]*(f[$+m] - f[$-m]))", axis, s.number(order / 2)));
  s.let("r", "max(rho, 0.1)");
  Names squares;
  for (const std::string& axis : s.axes) {
    s.value("u" + axis, "m" + axis + "/r");
    squares.push_back("u" + axis + "^2");
  }
  s.value("p", "max((gamma - 1)*(en - 0.5*r*(" + sum_of(squares) + ")), 0.05)");
  if (viscous) s.let("temp", "p/r");
  const auto rates = [&](const std::string&) {
    Names result;
    for (const std::string& name : state) {
      Names terms;
      for (const std::string& axis : s.axes) {
        std::string value = name == "rho" ? "m" + axis : name + "*u" + axis;
        if (name == "m" + axis) value += " + p";
        if (name == "en") value = put("(en + p)*u$", axis);
        terms.push_back(put("first_$(@)", axis, value));
      }
      std::string rate = "-(" + sum_of(terms) + ")";
      const bool moment = name[0] == 'm';
      const std::string own = name == "en" ? "temp" : moment ? "u" + name.substr(1) : name;
      if (viscous && name != "rho")
        rate += std::string(" + ") + (given ? "kappa" : "mu") + "*laplacian(" + own + of_order;
      result.push_back(rate);
    }
    return result;
  };
  s.advance(state, rates, 1, 1);
  s.extras(state, "p");
}

}  // namespace stencilc::run_test
