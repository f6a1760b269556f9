// Waves on staggered places, and anisotropic ones.
#include "run/real_families.h"

namespace stencilc::run_test {
namespace {

// What brakes along the boundary: a field, fields of one axis, or a function of the coordinates.
std::string sponge(Sheet& s) {
  switch (s.random.below(4)) {
    case 0:
      return "";
    case 1:
      s.coefficient({"damp"});
      return "(1 - 0.1*damp)";
    case 2: {
      Names factors;
      for (const std::string& axis : s.axes) {
        s.coefficient({"damp_" + axis}, {axis});
        factors.push_back("(1 - 0.1*damp_" + axis + ")");
      }
      return joined(factors, "*");
    }
    default: {
      Names nearest;
      for (const std::string& axis : s.axes) nearest.push_back(put("min($, n$ - 1 - $)", axis));
      s.let("to_edge", "min(" + joined(nearest, ", ") + ", 12)");
      s.let("brake", "1 - 0.01*" + s.real + "(12 - to_edge)");
      return "brake";
    }
  }
}

}  // namespace

void elastic(Sheet& s) {
  s.space(0, 40);
  const int rank = s.rank();
  const int order = rank == 2 ? s.random.pick({6, 6, 8}) : s.random.pick({2, 4, 4, 6, 8});
  Names velocities, stresses;
  for (const std::string& axis : s.axes) velocities.push_back("v" + axis);
  for (int a = 0; a < rank; ++a)
    for (int b = a; b < rank; ++b) stresses.push_back("t" + s.axes[a] + s.axes[b]);
  const bool lossy = s.chance(35), averaged = s.chance(60), layered = s.chance(30);
  const bool at_once = s.chance(20);  // stresses of the old velocities
  s.param("dt", "0.1");
  s.stepped(velocities + stresses);
  const Names memory = with(stresses, "_m");
  if (lossy) {
    s.stepped(memory);
    s.coefficient({"tau"});
  }
  s.coefficient({"buoyancy"});
  if (layered)
    s.coefficient({"c_along", "c_across", "c_up", "c_shear"},
                  s.chance(40) ? Names{s.axes.back()} : s.axes);
  else
    s.coefficient({"lambda", "mu"});
  s.staggered(order);
  const std::string brake = sponge(s);
  const auto braked = [&](const std::string& text) {
    return brake.empty() ? text : brake + "*(" + text + ")";
  };
  const auto stress = [&](int a, int b) {
    return "t" + s.axes[std::min(a, b)] + s.axes[std::max(a, b)];
  };
  for (int a = 0; a < rank; ++a) {
    Names terms;
    for (int b = 0; b < rank; ++b)
      terms.push_back(put(a == b ? "ahead_$(@)" : "behind_$(@)", s.axes[b], stress(a, b)));
    const std::string factor =
        averaged ? put("0.5*(buoyancy + buoyancy[$+1])", s.axes[a]) : "buoyancy";
    s.line(velocities[a] + "[t+1] = " +
           braked(velocities[a] + " + dt*" + factor + "*(" + sum_of(terms) + ")") + ";");
  }
  const std::string later = at_once ? "" : "[t+1]";
  Names all;
  for (int a = 0; a < rank; ++a) {
    s.value("e" + s.axes[a] + s.axes[a], put("behind_$(@)", s.axes[a], velocities[a] + later));
    all.push_back("e" + s.axes[a] + s.axes[a]);
  }
  const auto assign = [&](const std::string& name, const std::string& rate) {
    if (lossy) {
      s.line(put("@_m[t+1] = (1 - 0.1*tau)*@_m - 0.05*tau*(~);", "", name, rate));
      s.line(name + "[t+1] = " + braked(put("@ + dt*(~ + @_m[t+1])", "", name, rate)) + ";");
    } else {
      s.line(name + "[t+1] = " + braked(put("@ + dt*(~)", "", name, rate)) + ";");
    }
  };
  if (!layered) s.let("spread", "lambda*(" + sum_of(all) + ")");
  for (int a = 0; a < rank; ++a) {
    const std::string own = all[static_cast<size_t>(a)];
    std::string rate = "spread + 2*mu*" + own;
    if (layered) {
      Names terms;
      for (int b = 0; b < rank; ++b)
        terms.push_back((a == b                           ? (a == rank - 1 ? "c_up*" : "c_along*")
                         : a == rank - 1 || b == rank - 1 ? "c_across*"
                                                          : "(c_along - 2*c_shear)*") +
                        all[static_cast<size_t>(b)]);
      rate = sum_of(terms);
    }
    assign(stress(a, a), rate);
    for (int b = a + 1; b < rank; ++b) {
      const std::string m = layered ? "c_shear" : "mu";
      const std::string factor =
          !averaged || (layered) ? m
          : s.chance(50)
              ? put("4/(1/(0.2 + mu) + 1/(0.2 + mu[$+1]) + 1/(0.2 + mu[~+1]) + 1/(0.2 + mu[$+1, "
                    "~+1]))",
                    s.axes[a], {}, s.axes[b])
              : put("0.25*(mu + mu[$+1] + mu[~+1] + mu[$+1, ~+1])", s.axes[a], {}, s.axes[b]);
      assign(stress(a, b), factor + "*(" + put("ahead_$(@)", s.axes[b], velocities[a] + later) +
                               " + " + put("ahead_$(@)", s.axes[a], velocities[b] + later) + ")");
    }
  }
  if (s.chance(40)) {  // a free surface
    const std::string& down = s.axes.back();
    s.line(stress(rank - 1, rank - 1) + "[t+1] = 0 on " + down + " == 0;");
    s.line(stress(0, rank - 1) + "[t+1] = 0 on " + down + " == 0;");
  }
  if (s.chance(50)) s.sources(stresses[0], velocities[0]);
  s.extras(velocities + stresses, velocities.back());
}

void maxwell(Sheet& s) {
  s.space(0, 35);
  const int rank = s.rank();
  const Names letters = {"x", "y", "z"};
  // Of two dimensions one of the two halves.
  const bool magnetic = rank == 2 && s.chance(50);
  const auto here = [&](bool electric, int c) {
    return rank == 3 || (c == 2) == (electric != magnetic);
  };
  const auto named = [&](bool electric, int c) {
    return (electric ? "e" : "h") + letters[static_cast<size_t>(c)];
  };
  Names fields, electric;
  for (const bool e : {true, false})
    for (int c = 0; c < 3; ++c)
      if (here(e, c)) {
        fields.push_back(named(e, c));
        if (e) electric.push_back(named(e, c));
      }
  const int form = s.random.below(rank == 3 ? 4 : 3);  // nothing, currents, a layer, a material
  const bool layer = form == 2 || rank == 2;
  const int order = rank == 2 ? s.random.pick({6, 8}) : s.random.pick({layer ? 2 : 4, 4, 6});
  const bool currents = form == 1, kerr = s.chance(25);
  s.param("dt", "0.2");
  s.stepped(fields);
  s.coefficient({"eps"});
  const bool lossy = s.chance(50);
  if (lossy) s.coefficient({"sigma"});
  if (s.chance(50))
    s.coefficient({"mu"});
  else
    s.param("mu", "1");
  if (currents) s.stepped(with(electric, "_j"));
  s.staggered(order);
  if (layer)
    for (const std::string& axis : s.axes) {
      s.coefficient({"fade_" + axis, "gain_" + axis}, {axis});
    }
  const std::string metal = s.chance(30) ? "metal" : "";
  if (!metal.empty()) s.mask(metal);
  if (kerr)
    s.let("index", "eps + 0.5 + 0.1*(" + joined(with(electric, "^2"), " + ") + ")");
  else
    s.let("index", "eps + 0.5");
  for (const bool e : {true, false})
    for (int c = 0; c < 3; ++c) {
      if (!here(e, c)) continue;
      const std::string name = named(e, c);
      Names terms;
      for (const int turn : {1, 2}) {
        const int axis = (c + turn) % 3, other = 3 - c - axis;
        if (axis >= rank || !here(!e, other)) continue;
        const std::string source = named(!e, other) + (e ? "" : "[t+1]");
        const std::string slope =
            (e ? "behind_" : "ahead_") + s.axes[static_cast<size_t>(axis)] + "(" + source + ")";
        const std::string sign = (turn == 1) == e ? "" : "-";
        if (layer) {
          const std::string psi = "psi_" + name + s.axes[static_cast<size_t>(axis)];
          s.stepped({psi});
          s.line(put("@[t+1] = (1 - 0.5*fade_$)*@ + 0.2*gain_$*", s.axes[static_cast<size_t>(axis)],
                     psi) +
                 slope + ";");
          terms.push_back(sign + "(" + slope + " + " + psi + "[t+1])");
        } else {
          terms.push_back(sign + slope);
        }
      }
      std::string rate = "(" + sum_of(terms) + ")";
      if (e && currents) {
        s.line(put("@_j[t+1] = 0.9*@_j + dt*0.3*@;", "", name));
        rate = "(" + rate + " - " + name + "_j[t+1])";
      }
      const std::string factor = e ? "/index" : "/(mu + 0.5)";
      std::string right = name + " + dt*" + rate + factor;
      if (e && lossy)
        right = put("((1 - 0.1*sigma)*@ + dt*~", "", name, rate) + factor + ")/(1 + 0.1*sigma)";
      s.line(name + "[t+1] = " + right +
             (e && !metal.empty() ? " where !(" + s.is_set(metal) + ")" : "") + ";");
    }
  if (s.chance(50)) s.sources(fields[0], electric[0]);
  s.extras(fields, fields.back());
}

void tilted(Sheet& s) {
  s.space(0, 45);
  const int rank = s.rank();
  const int form = s.random.below(3);  // second derivatives; first ones twice; at half cells
  const int order = form == 0 ? (rank == 2 ? s.random.pick({4, 6, 8}) : s.random.pick({4, 4, 6}))
                              : s.random.pick(rank == 2 ? std::initializer_list<int>{4, 6}
                                                        : std::initializer_list<int>{2, 4});
  s.param("dt", "0.1");
  s.stepped({"p", "q"});
  s.coefficient({"vp", "epsilon", "delta"});
  Names tilt;
  for (const std::string& axis : s.axes) tilt.push_back("n" + std::string("_") + axis);
  if (s.transcendental && s.chance(70)) {
    s.coefficient(rank == 2 ? Names{"theta"} : Names{"theta", "phi"});
    s.let(tilt.back(), "cos(theta)");
    s.let(tilt[0], rank == 2 ? "sin(theta)" : "sin(theta)*cos(phi)");
    if (rank == 3) s.let(tilt[1], "sin(theta)*sin(phi)");
  } else {
    Names axis_of, squares;
    for (const std::string& axis : s.axes)
      axis_of.push_back("tilt_" + axis), squares.push_back("tilt_" + axis + "^2");
    s.coefficient(axis_of);
    s.let("length", "sqrt(" + sum_of(squares) + " + 0.1)");
    for (int a = 0; a < rank; ++a) s.let(tilt[a], axis_of[a] + "/length");
  }
  const std::string brake = sponge(s);
  const std::string of_order = ", order = " + s.number(order) + ")";
  const bool by_function = form == 0 && s.chance(50);
  const auto second = [&](const std::string& f) {
    Names terms;
    for (int a = 0; a < rank; ++a) {
      terms.push_back(tilt[a] + "^2*d" + s.axes[a] + s.axes[a] + "(" + f + of_order);
      for (int b = a + 1; b < rank; ++b)
        terms.push_back("2*" + tilt[a] + "*" + tilt[b] + "*d" + s.axes[a] + s.axes[b] + "(" + f +
                        of_order);
    }
    return sum_of(terms);
  };
  if (form == 0 && by_function) s.fn("rotated(f)", second("f"));
  if (form > 0) {
    for (const bool ahead : {true, false}) {
      Names inner, outer;
      for (int a = 0; a < rank; ++a) {
        const std::string at =
            form == 1 ? of_order : std::string(", at = ") + (ahead ? "+" : "-") + "1/2" + of_order;
        inner.push_back(tilt[a] + "*d" + s.axes[a] + "(f" + at);
        outer.push_back("d" + s.axes[a] + "(" + tilt[a] + "*f" + at);
      }
      if (ahead || form == 2)
        s.fn(ahead ? "along(f)" : "back(f)", sum_of(ahead || s.chance(50) ? inner : outer));
    }
  }
  for (const std::string f : {"p", "q"}) {
    if (form == 0) s.value("up_" + f, by_function ? "rotated(" + f + ")" : second(f));
    if (form > 0) {
      s.value("slope_" + f, "along(" + f + ")");
      s.value("up_" + f, (form == 1 ? "along(" : "back(") + std::string("slope_") + f + ")");
    }
    s.let("flat_" + f, "laplacian(" + f + of_order + " - up_" + f);
  }
  const std::string old = s.chance(50) && !brake.empty() ? brake + "*" : "";
  const auto step = [&](const std::string& f, const std::string& right) {
    s.line(f + "[t+1] = 2*" + f + " - " + old + f + "[t-1] + (dt*vp)^2*(" + right + ")" +
           (old.empty() && !brake.empty() ? " - 0.1*(1 - " + brake + ")*" + f : "") + ";");
  };
  const bool coupled = s.chance(60) || rank == 2;
  step("p", "(1 + 2*epsilon)*flat_p + " + std::string(coupled ? "sqrt(1 + 2*delta)*up_q" : "up_p"));
  step("q", "sqrt(1 + 2*delta)*" + std::string(coupled ? "flat_p" : "flat_q") + " + up_q");
  if (s.chance(50)) s.sources("p", "q");
  s.extras({"p", "q"}, "p + q");
}

}  // namespace stencilc::run_test
