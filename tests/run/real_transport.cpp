// Transport without oscillations, level sets, and incompressible flow.
#include "run/real_families.h"

namespace stencilc::run_test {
namespace {

// Jiang and Shu's weights: the third or the fifth order.
void essentially(Sheet& s, bool fifth) {
  const std::string power = s.pick({"^2", "", "^2"});
  s.fn("weigh(g, b)", "g / (1e-4 + b)" + power);
  if (!fifth) {
    s.fn("blend(v, w, p, q)", "(v*p + w*q) / (v + w)");
    s.fn("upstream(a, b, c)",
         "blend(weigh(1/3, (b - a)^2), weigh(2/3, (c - b)^2), 1.5*b - 0.5*a, 0.5*(b + c))");
    return;
  }
  s.fn("curve(a, b, c)", "13/12*(a - 2*b + c)^2");
  s.fn("blend(u, v, w, p, q, r)", "(u*p + v*q + w*r) / (u + v + w)");
  s.fn("upstream(a, b, c, d, e)",
       "blend(weigh(0.1, curve(a, b, c) + 0.25*(a - 4*b + 3*c)^2), weigh(0.6, curve(b, c, d) + "
       "0.25*(b - d)^2), weigh(0.3, curve(c, d, e) + 0.25*(3*c - 4*d + e)^2), (2*a - 7*b + "
       "11*c)/6, (-b + 5*c + 2*d)/6, (2*c + 5*d - e)/6)");
}

}  // namespace

void weno(Sheet& s) {
  s.space(15, 45);
  const int rank = s.rank();
  const bool fifth = rank < 3 || s.chance(70), split = s.chance(35);
  const Names state =
      lettered("q", s.random.between(rank == 1 ? 4 : 5 - rank + (rank == 3), rank == 1 ? 5 : 4));
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("v" + axis);
  s.param("h", "1");
  s.stepped(state);
  s.coefficient(speeds);
  const bool spread = state.size() + speeds.size() < 5 || s.chance(40), staggered = s.chance(50);
  if (spread) s.coefficient({"kappa"}, s.chance(40) ? Names{s.axes.back()} : s.axes);
  essentially(s, fifth);
  for (const std::string& axis : s.axes) {
    const std::string up =
        fifth ? "upstream(q[$-2], q[$-1], q, q[$+1], q[$+2])" : "upstream(q[$-1], q, q[$+1])";
    const std::string down =
        fifth ? "upstream(q[$+3], q[$+2], q[$+1], q, q[$-1])" : "upstream(q[$+2], q[$+1], q)";
    if (split) {
      s.fn("plus_" + axis + "(q)", put(up, axis));
      s.fn("minus_" + axis + "(q)", put(down, axis));
    } else {
      s.fn("face_" + axis + "(q, c)", put("c > 0 ? " + up + " : " + down, axis));
    }
    s.let("c" + axis, put(staggered ? "v$ - 0.5" : "0.5*(v$ + v$[$+1]) - 0.5", axis));
  }
  const std::string nonlinear = s.pick({"@", "@", "0.5*@^2", "@^2/(@^2 + 0.5*(1 - @)^2 + 0.1)"});
  const auto rates = [&](const std::string& stage) {
    Names result;
    for (const std::string& name : state) {
      const std::string own = name + stage;
      Names terms;
      for (const std::string& axis : s.axes) {
        const std::string flux = "f" + axis + "_" + own;
        if (split) {
          // By Lax and Friedrichs: what moves up and what moves down.
          const std::string carried = put("c$*(" + nonlinear + ")", axis, own);
          s.let("g" + axis + "_" + own, "0.5*(" + carried + " + 0.6*" + own + ")");
          s.let("l" + axis + "_" + own, "0.5*(" + carried + " - 0.6*" + own + ")");
          s.value(flux, put("plus_$(g$_@) + minus_$(l$_@)", axis, own));
        } else {
          s.value(flux, put("c$*face_$(@, c$)", axis, own));
        }
        terms.push_back(put("@ - @[$-1]", axis, flux));
      }
      result.push_back("-(" + sum_of(terms) + ")/h" +
                       (spread ? put(" + 0.1*kappa*laplacian(@)", "", own) : ""));
    }
    return result;
  };
  s.advance(state, rates, rank == 1 ? 2 : 1, rank == 1 ? 4 : 3);
  s.extras(state, state[0]);
}

// Zalesak's limiter, or Smolarkiewicz's second step upwind.
void flux_corrected(Sheet& s) {
  s.space(0, 60);
  const int rank = s.rank();
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("c" + axis);
  const bool smooth = s.chance(40), dense = s.chance(40);
  const int least = !smooth ? 1 : rank == 2 ? 3 : 2;
  const Names state = lettered("q", s.random.between(least, rank == 2 ? 4 : smooth ? 3 : 2));
  s.stepped(state);
  s.coefficient(speeds);
  if (dense) s.coefficient({"g"});
  s.fn("donor(a, b, c)", s.pick({"max(c, 0)*a + min(c, 0)*b", "c > 0 ? c*a : c*b"}));
  Names net, beside;
  for (const std::string& axis : s.axes) {
    net.push_back(put("f$ - f$[$-1]", axis));
    beside.push_back(put("q[$-1], q[$+1]", axis));
    s.let("v" + axis, put("0.5*c$ - 0.25", axis));
  }
  s.fn("net(" +
           joined(
               [&] {
                 Names heads;
                 for (const std::string& axis : s.axes) heads.push_back("f" + axis);
                 return heads;
               }(),
               ", ") +
           ")",
       dense ? "(" + sum_of(net) + ") / max(g, 0.2)" : sum_of(net));
  s.fn("most(q)", "max(q, " + joined(beside, ", ") + ")");
  s.fn("least(q)", "min(q, " + joined(beside, ", ") + ")");
  s.fn("ratio(a, b)", s.pick({"b > 1e-6 ? min(1, a/b) : 0", "min(1, a/(b + 1e-6))"}));
  for (const std::string& q : state) {
    const std::string low = "low_" + q;
    const auto of = [&](const std::string& name) { return name + "_" + q; };
    Names first, anti, limited;
    for (const std::string& axis : s.axes) first.push_back(put("donor(@, @[$+1], v$)", axis, q));
    s.output({low});
    s.line(low + " = " + q + " - net(" + joined(first, ", ") + ");");
    if (smooth) {  // the second step goes against the diffusion of the first
      for (const std::string& axis : s.axes) {
        s.value(of("a" + axis),
                put("abs(v$)*(1 - abs(v$))*(@[$+1] - @)/(abs(@[$+1]) + abs(@) + 1e-3)", axis, low));
        anti.push_back(put("donor(@, @[$+1], ~)", axis, low, of("a" + axis)));
      }
      s.line(q + "[t+1] = " + low + " - net(" + joined(anti, ", ") + ");");
      continue;
    }
    Names in, out;
    for (const std::string& axis : s.axes) {
      s.value(of("a" + axis),
              put("v$*0.5*(@ + @[$+1])", axis, q) + " - " + put("donor(@, @[$+1], v$)", axis, q));
      const std::string flux = of("a" + axis);
      in.push_back(put("max(@[$-1], 0) - min(@, 0)", axis, flux));
      out.push_back(put("max(@, 0) - min(@[$-1], 0)", axis, flux));
    }
    s.let(of("high"), "max(most(" + q + "), most(" + low + "))");
    s.let(of("deep"), "min(least(" + q + "), least(" + low + "))");
    const std::string room = put("ratio(~ - @, ", "", low, of("high")) + sum_of(in) + ")";
    const std::string rest = put("ratio(@ - ~, ", "", low, of("deep")) + sum_of(out) + ")";
    s.output({of("up"), of("down")});
    s.line(of("up") + " = " + room + ";");
    s.line(of("down") + " = " + rest + ";");
    for (const std::string& axis : s.axes) {
      s.let(of("k" + axis), put("(~ > 0 ? min(", axis, {}, of("a" + axis)) +
                                put("@[$+1], ", axis, of("up")) + of("down") + ") : min(" +
                                of("up") + put(", @[$+1]", axis, of("down")) + "))*" +
                                of("a" + axis));
      limited.push_back(of("k" + axis));
    }
    s.line(q + "[t+1] = " + low + " - net(" + joined(limited, ", ") + ");");
  }
  s.extras(state, state[0]);
}

void level_sets(Sheet& s) {
  s.space(5, 50);
  const int rank = s.rank();
  const Names state = lettered("phi_", s.random.between(rank == 3 ? 3 : 5, rank == 3 ? 4 : 6));
  const bool curved = rank > 1 && s.chance(50), drawn = !curved || s.chance(60);
  const int order = s.random.between(1, 3);  // of the one-sided differences; 3: by the language's
  s.param("h", "1");
  s.stepped(state);
  const Names start = with(state, "_0");
  s.coefficient(start);
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("v" + axis);
  if (drawn) s.coefficient(speeds);
  const std::string limit = order == 2 ? s.limiter() : "";
  for (const std::string& axis : s.axes) {
    const std::string second = put("@(f[$-2] - 2*f[$-1] + f, f[$-1] - 2*f + f[$+1])", axis, limit);
    const std::string third = put("@(f[$+2] - 2*f[$+1] + f, f[$-1] - 2*f + f[$+1])", axis, limit);
    s.fn("back_" + axis + "(f)", order == 1   ? put("f - f[$-1]", axis)
                                 : order == 2 ? put("f - f[$-1] + 0.5*@", axis, second)
                                              : put("d$(f, side = -1, order = 2)", axis));
    s.fn("ahead_" + axis + "(f)", order == 1   ? put("f[$+1] - f", axis)
                                  : order == 2 ? put("f[$+1] - f - 0.5*@", axis, third)
                                               : put("d$(f, side = +1, order = 2)", axis));
  }
  s.fn("godunov(b, a)", s.pick({"max(max(b, 0)^2, min(a, 0)^2)", "max(b, 0)^2 + min(a, 0)^2"}));
  s.fn("rising(b, a)", "max(min(b, 0)^2, max(a, 0)^2)");
  const auto rates = [&](const std::string& stage) {
    Names result;
    for (size_t i = 0; i < state.size(); ++i) {
      const std::string f = state[i] + stage;
      Names outward, inward, carried, squares;
      for (const std::string& axis : s.axes) {
        s.let("b" + axis + "_" + f, put("back_$(@)", axis, f));
        s.let("a" + axis + "_" + f, put("ahead_$(@)", axis, f));
        outward.push_back(put("godunov(b$_@, a$_@)", axis, f));
        inward.push_back(put("rising(b$_@, a$_@)", axis, f));
        carried.push_back(put("(v$ > 0.5 ? b$_@ : a$_@)*(v$ - 0.5)", axis, f));
        squares.push_back(put("d$(@)^2", axis, f));
      }
      s.let("sign_" + f, put("(@ - 0.5)/sqrt((@ - 0.5)^2 + h^2)", "", start[i]));
      std::string rate = put("@ > 0.5 ? ~*(1 - sqrt(", "", start[i], "sign_" + f) +
                         sum_of(outward) + ")) : " + "sign_" + f + "*(1 - sqrt(" + sum_of(inward) +
                         "))";
      if (drawn || curved) rate = "(" + rate + ")";
      if (drawn) rate += " - (" + sum_of(carried) + ")";
      if (curved) {
        s.value("norm_" + f, "sqrt(" + sum_of(squares) + " + 0.01)");
        Names bent;
        for (const std::string& axis : s.axes) bent.push_back(put("d$(d$(@)/norm_@)", axis, f));
        rate += " + 0.1*norm_" + f + "*(" + sum_of(bent) + ")";
      }
      result.push_back(rate);
    }
    return result;
  };
  s.advance(state, rates, rank == 1 || order == 1 ? 2 : 1, rank == 3 ? 2 : 3);
  s.extras(state, state[0]);
}

void channel(Sheet& s) {
  s.space(0, 55);
  const int rank = s.rank();
  Names speeds = {"u", "v", "w"};
  speeds.resize(static_cast<size_t>(rank));
  const bool turbulent = s.chance(50), warm = rank == 2 || s.chance(50);
  const Names scalars = (warm ? Names{"temp"} : Names{}) +
                        (turbulent ? Names{"tk", "te"} : Names{}) +
                        lettered("salt_", s.random.between(turbulent ? 0 : 2, turbulent ? 2 : 3));
  const bool walls = s.chance(50), conservative = s.chance(40);
  s.param("dt", "0.02");
  s.param("nu", "0.05");
  s.param("beta", "2");
  s.stepped(speeds + Names{"p"} + scalars);
  if (walls) s.mask("wall");
  if (warm) s.coefficient({"heat"}, {s.axes.back()});
  const int form = s.random.below(3);
  for (const std::string& axis : s.axes) {
    s.fn("adv_" + axis + "(q, c)",
         form == 0   ? put("c > 0 ? c*(q - q[$-1]) : c*(q[$+1] - q)", axis)
         : form == 1 ? put("c*d$(q, upwind = c, order = 3)", axis)
                     : put("c > 0 ? c*(3*q[$+1] + 3*q - 7*q[$-1] + q[$-2])/8 : c*(7*q[$+1] - 3*q - "
                           "3*q[$-1] - q[$+2])/8",
                           axis));
  }
  Names strain;
  for (int a = 0; a < rank; ++a)
    for (int b = 0; b < rank; ++b)
      strain.push_back(a == b ? put("2*(@ - @[$-1])^2", s.axes[a], speeds[a])
                       : a < b
                           ? "(0.5*" + put("(@[$+1] - @[$-1])", s.axes[b], speeds[a]) + " + 0.5*" +
                                 put("(@[$+1] - @[$-1])", s.axes[a], speeds[b]) + ")^2"
                           : "");
  std::erase(strain, "");
  const std::string nut = turbulent ? "nut" : s.chance(40) ? "nut" : "";
  if (!nut.empty()) {
    s.value("strain", sum_of(strain));
    s.value("nut", turbulent ? "min(0.09*tk^2/max(te, 0.1), 1)" : "0.03*sqrt(strain + 1e-6)");
  }
  const std::string open = walls ? " where !(" + s.is_set("wall") + ")" : "";
  for (int a = 0; a < rank; ++a) {
    const std::string& u = speeds[a];
    Names terms;
    for (int b = 0; b < rank; ++b) {
      const std::string& axis = s.axes[b];
      const std::string c =
          put("0.25*(@ + @[$+1] + @[~-1] + @[$+1, ~-1])", s.axes[a], speeds[b], axis);
      if (a == b && conservative)
        terms.push_back(put("0.25*((@ + @[$+1])^2 - (@ + @[$-1])^2)", axis, u));
      else
        terms.push_back(put("adv_$(@, ~)", axis, u, a == b ? u : c));
    }
    std::string rate = "nu*laplacian(" + u + ") - (" + sum_of(terms) + ") - (" +
                       put("p[$+1] - p", s.axes[a]) + ")";
    if (!nut.empty()) rate += put(" + 0.5*(nut + nut[$+1])*d$$(@)", s.axes[a], u);
    if (warm && a == rank - 1) rate += put(" + 0.25*(temp + temp[$+1])", s.axes[a]);
    s.line(u + "[t+1] = " + u + " + dt*(" + rate + ")" + open + ";");
  }
  Names divergence;
  for (int a = 0; a < rank; ++a)
    divergence.push_back(put("@[t+1] - @[$-1, t+1]", s.axes[a], speeds[a]));
  s.line("p[t+1] = p - beta*dt*(" + sum_of(divergence) + ");");
  const std::string time = s.pick({"", "[t+1]"});
  for (const std::string& q : scalars) {
    Names terms;
    for (int a = 0; a < rank; ++a)
      terms.push_back(put("adv_$(@, ", s.axes[a], q) +
                      put(time.empty() ? "0.5*(@ + @[$-1]))" : "0.5*(@[t+1] + @[$-1, t+1]))",
                          s.axes[a], speeds[a]));
    std::string rate = "-(" + sum_of(terms) + ")";
    if (nut.empty()) {
      rate += put(" + nu*laplacian(@)", "", q);
    } else {
      Names spread;
      for (const std::string& axis : s.axes)
        spread.push_back(put(
            "(nu + 0.5*(nut + nut[$+1]))*(@[$+1] - @) - (nu + 0.5*(nut + nut[$-1]))*(@ - @[$-1])",
            axis, q));
      rate += " + " + sum_of(spread);
    }
    if (q == "tk") rate += " + nut*strain - te";
    if (q == "te") rate += " + (1.44*nut*strain - 1.92*te)*te/max(tk, 0.1)";
    if (q == "temp") rate += " + heat*0.1";
    s.line(q + "[t+1] = " + q + " + dt*(" + rate + ")" + open + ";");
  }
  s.extras(speeds + Names{"p"}, "p");
}

}  // namespace stencilc::run_test
