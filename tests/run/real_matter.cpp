// Phases, reactions and lattice gases.
#include <array>
#include <cstdlib>

#include "run/real_families.h"

namespace stencilc::run_test {
// Anisotropy by the direction of the gradient, as Kobayashi's and Karma's.
void dendrites(Sheet& s) {
  s.space(0, 60);
  const Names solutes = lettered("c_", s.random.between(s.rank() == 2 ? 3 : 2, 5));
  const bool seeded = s.chance(40), noise = s.chance(40), carried = s.chance(30);
  s.param("dt", "0.01");
  s.param("delta", "0.05");
  s.param("tau", "1");
  s.stepped(Names{"phase", "temp"} + solutes);
  if (seeded) s.coefficient({"angle"});
  if (noise) s.coefficient({"noise"});
  s.coefficient({"cooling"}, {s.axes.back()});
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("v" + axis);
  if (carried) s.coefficient(speeds);
  const std::string of_order = s.pick({")", ")", ", order = 4)"});
  Names squares, fourths;
  for (const std::string& axis : s.axes) {
    s.value("p" + axis, put("d$(phase", axis) + of_order);
    squares.push_back("p" + axis + "^2");
    fourths.push_back("p" + axis + "^4");
  }
  s.let("p2", sum_of(squares));
  // sum(n^4) is 1 along the axes, and 0 where there is no gradient.
  s.let("fold",
        put(s.pick({"p2 > 1e-6 ? (~)/p2^2 : 0", "(~)/(p2^2 + 1e-3)"}), "", {}, sum_of(fourths)));
  s.value("width", seeded ? "1 + delta*(4*fold - 3)*(0.5 + angle)" : "1 + delta*(4*fold - 3)");
  Names flow;
  for (const std::string& axis : s.axes) {
    const std::string turn = put("width*4*delta*p$*(p$^2 - fold*p2)/(p2 + 1e-3)", axis);
    if (s.chance(50)) {
      s.value("j" + axis, put("width^2*p$ + ", axis) + turn);
      flow.push_back(put("d$(j$)", axis));
    } else {
      s.value("w" + axis, turn);
      flow.push_back(
          put("0.5*((width^2 + width[$+1]^2)*(phase[$+1] - phase) - (width^2 + "
              "width[$-1]^2)*(phase - phase[$-1])) + d$(w$)",
              axis));
    }
  }
  s.let("drive",
        s.transcendental ? "0.45*tanh(3*(1 - temp))" : "0.9*(1 - temp)/(1 + abs(1 - temp))");
  s.let("mix", "phase*(1 - phase)*(phase - 0.5 + drive" +
                   std::string(noise ? " + 0.01*(noise - 0.5)" : "") + ")");
  s.line("phase[t+1] = phase + dt/tau*((" + sum_of(flow) + ") + mix);");
  const std::string later = s.pick({"phase[t+1]", "phase"});
  std::string heat = "laplacian(temp" + of_order + " + (phase[t+1] - phase)/dt*0.01 - 0.1*cooling";
  Names drift;
  for (const std::string& axis : s.axes)
    drift.push_back(put("v$*d$(~, upwind = v$)", axis, {}, "temp"));
  if (carried) heat += " - (" + sum_of(drift) + ")";
  s.update("temp", "dt*(" + heat + ")");
  for (const std::string& c : solutes) {
    Names spread;
    for (const std::string& axis : s.axes) {
      // Antitrapping along the normal, one cell's average at each face.
      s.let("m_" + c + axis,
            put("(1 - 0.5*(~ + ~[$+1]))*(@[$+1] - @)", axis, c, "phase") +
                (s.chance(50)
                     ? put(" + 0.35*(@ + @[$+1])*p$/sqrt(p2 + 0.01)*(~ - phase)", axis, c, later)
                     : ""));
      spread.push_back(put("m_@$ - m_@$[$-1]", axis, c));
    }
    s.line(c + "[t+1] = " + c + " + dt*(" + sum_of(spread) + ");");
  }
  s.extras(Names{"phase", "temp"} + solutes, "width");
}

void grains(Sheet& s) {
  s.space(0, 55);
  const bool conserved = s.chance(60), elastic = s.chance(30);
  const Names orders = lettered("eta_", s.random.between(conserved ? 5 : 6, s.rank() == 2 ? 9 : 7));
  s.param("dt", "0.01");
  s.param("kappa", "0.5");
  s.param("stiff", "1");
  s.stepped((conserved ? Names{"c"} : Names{}) + orders);
  if (elastic) s.coefficient({"strain"});
  const bool local = s.chance(40);
  if (local) s.coefficient({"rate"}, s.chance(50) ? Names{s.axes[0], s.axes.back()} : s.axes);
  const int order = s.random.pick({2, 4, 6});
  const std::string of_order = order == 2 ? ")" : ", order = " + s.number(order) + ")";
  s.let("squares", sum_of(with(orders, "^2")));
  if (s.chance(50))
    s.fn("h(f)", "f^3*(6*f^2 - 15*f + 10)");
  else
    s.fn("h(f)", "f^2*(3 - 2*f)");
  Names parts;
  for (const std::string& eta : orders) parts.push_back("h(" + eta + ")");
  s.let("solid", "min(" + sum_of(parts) + ", 2)");
  if (conserved) {
    s.value("chemical", put("2*c*(1 - c)*(1 - 2*c) + 0.5*(c - solid) - kappa*laplacian(c", "") +
                            of_order + (elastic ? " + 0.1*strain*(c - 0.5)" : ""));
    const bool mobile = s.chance(50);
    if (mobile) {
      s.value("mobility", "0.1 + c*(1 - c)*(1 - 0.5*solid)");
      Names flows;
      for (const std::string& axis : s.axes)
        flows.push_back(
            put("0.5*(mobility + mobility[$+1])*(chemical[$+1] - chemical) - 0.5*(mobility + "
                "mobility[$-1])*(chemical - chemical[$-1])",
                axis));
      s.line("c[t+1] = c + dt*(" + sum_of(flows) + ");");
    } else {
      s.line("c[t+1] = c + dt*laplacian(chemical);");
    }
  }
  for (const std::string& eta : orders) {
    std::string rate = "-stiff*(@^3 - @ + 2*1.5*@*(squares - @^2)) + kappa*laplacian(@" + of_order;
    if (conserved) rate += " - 0.5*@*(1 - @)*(c - 0.5)";
    rate = put(rate, "", eta);
    s.line(eta + "[t+1] = " + eta + " + dt*" + (local ? "rate*" : "") + "(" + rate + ")" +
           (s.chance(10) ? " where squares > 0.01;" : ";"));
  }
  s.extras(orders, "squares");
}

void reactions(Sheet& s) {
  s.space(25, 45);
  const int rank = s.rank();
  const Names species = lettered("s", s.random.between(rank == 2 ? 7 : 5, rank == 1 ? 10 : 8));
  const bool carried = s.chance(60), uneven = s.chance(50);
  s.param("rate", "0.3");
  s.stepped(species);
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("v" + axis);
  if (carried) s.coefficient(speeds);
  if (uneven) s.coefficient({"porous"});
  const bool lit = s.chance(40) || rank == 1;
  if (lit) s.coefficient({"light"}, {s.axes.back()});
  const int order = s.random.pick({2, 2, 4, 6});
  // Who turns into whom, and how fast.
  struct Reaction {
    size_t from, with, to;
    int law;
  };
  std::vector<Reaction> network;
  const int count = static_cast<int>(species.size());
  for (int n = 0; n < count; ++n)
    network.push_back({static_cast<size_t>(n), static_cast<size_t>(s.random.below(count)),
                       static_cast<size_t>(s.random.below(count)), s.random.below(4)});
  const auto law = [&](const Reaction& one, const std::string& stage) {
    const std::string a = species[one.from] + stage, b = species[one.with] + stage;
    const std::string warm =
        s.transcendental ? "*exp(-0.5/(0.5 + abs(" + b + ")))" : "/(1 + " + b + "^2)";
    switch (one.law) {
      case 0:
        return a + "*" + b;
      case 1:
        return a + "/(0.5 + abs(" + a + "))";
      case 2:
        return a + "*" + b + "^2";
      default:
        return a + warm;
    }
  };
  const int form = s.random.below(3);
  const bool plain = rank == 1 || (!carried && !uneven && order == 2);
  const auto rates = [&](const std::string& stage) {
    for (size_t r = 0; r < network.size(); ++r)
      s.let("r" + s.number(static_cast<int>(r)) + "_" + stage, law(network[r], stage));
    Names result;
    for (size_t i = 0; i < species.size(); ++i) {
      const std::string own = species[i] + stage;
      std::string rate = put("laplacian(@, order = ~)", "", own, s.number(order));
      if (uneven) {
        Names terms;
        for (const std::string& axis : s.axes)
          terms.push_back(
              put("0.5*((porous + porous[$+1])*(@[$+1] - @) - (porous + porous[$-1])*(@ - @[$-1]))",
                  axis, own));
        rate = sum_of(terms);
      }
      rate = "0." + s.number(1 + static_cast<int>(i)) + "*(" + rate + ")";
      if (carried) {
        Names terms;
        for (const std::string& axis : s.axes)
          terms.push_back(
              form == 0 ? put("v$*d$(@, upwind = v$)", axis, own)
              : form == 1
                  ? put("(v$ > 0.5 ? (v$ - 0.5)*(@ - @[$-1]) : (v$ - 0.5)*(@[$+1] - @))", axis, own)
                  : put("v$*d$(@, order = 4)", axis, own));
        rate += " - (" + sum_of(terms) + ")";
      }
      for (size_t r = 0; r < network.size(); ++r) {
        const std::string name = "r" + s.number(static_cast<int>(r)) + "_" + stage;
        if (network[r].from == i) rate += " - rate*" + name;
        if (network[r].to == i)
          rate += std::string(" + rate*") + (lit && r == 0 ? "light*" : "") + name;
      }
      result.push_back(rate);
    }
    return result;
  };
  s.advance(species, rates, plain ? 2 : 1,
            plain || rank < 3 ? (count > 6 ? 2 : 4) : (count > 6 ? 1 : 2));
  s.extras(species, species[0]);
}

namespace {

struct Velocities {
  std::vector<std::array<int, 3>> c;
  size_t opposite(size_t q) const {
    for (size_t r = 0; r < c.size(); ++r)
      if (c[r][0] == -c[q][0] && c[r][1] == -c[q][1] && c[r][2] == -c[q][2]) return r;
    return q;
  }
};

int squared(const std::array<int, 3>& c) { return c[0] * c[0] + c[1] * c[1] + c[2] * c[2]; }

// The neighbours up to a distance; `shells` is 1, 2, 3 or, without the second, 13.
Velocities velocities(int rank, int shells) {
  Velocities all;
  all.c.push_back({0, 0, 0});
  for (int far = 1; far <= 3; ++far) {
    if (shells == 13 ? far == 2 : far > shells) continue;
    for (int z = rank == 3 ? -1 : 0; z <= (rank == 3 ? 1 : 0); ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (squared({x, y, z}) == far) all.c.push_back({x, y, z});
  }
  return all;
}

std::string weight_of(const Velocities& all, size_t q, int rank) {
  const int far = squared(all.c[q]);
  const size_t count = all.c.size();
  if (count == 5) return far == 0 ? "1/3" : "1/6";
  if (count == 7) return far == 0 ? "1/4" : "1/8";
  if (rank == 2) return far == 0 ? "4/9" : far == 1 ? "1/9" : "1/36";
  if (count == 15) return far == 0 ? "2/9" : far == 1 ? "1/9" : "1/72";
  if (count == 19) return far == 0 ? "1/3" : far == 1 ? "1/18" : "1/36";
  return far == 0 ? "8/27" : far == 1 ? "2/27" : far == 2 ? "1/54" : "1/216";
}

// [x-1, y+1]: where what moves by c comes from.
std::string upstream(const Sheet& s, const std::array<int, 3>& c) {
  Names parts;
  for (int a = 0; a < s.rank(); ++a) {
    const int shift = c[static_cast<size_t>(a)];
    if (shift != 0) parts.push_back(s.axes[static_cast<size_t>(a)] + (shift > 0 ? "-1" : "+1"));
  }
  return parts.empty() ? "" : "[" + joined(parts, ", ") + "]";
}

// c dot (ux, uy, uz); 0 for the one at rest.
std::string along(const std::array<int, 3>& c, const Names& speeds) {
  std::string text;
  for (size_t a = 0; a < speeds.size(); ++a) {
    if (c[a] == 0) continue;
    text += text.empty() ? (c[a] > 0 ? "" : "-") : c[a] > 0 ? " + " : " - ";
    text += speeds[a];
  }
  return text.empty() ? "0" : text;
}

}  // namespace

void lattice(Sheet& s) {
  s.space(0, 45);
  const int rank = s.rank();
  const Velocities all = velocities(rank, rank == 2 ? 2 : s.random.pick({13, 13, 2, 2, 3}));
  const Velocities few = velocities(rank, 1);
  const bool bounces = all.c.size() <= 15 && s.chance(50);
  const bool warm = rank == 2 ? s.chance(50) : all.c.size() == 15 && !bounces && s.chance(50);
  const bool inverted = !bounces && s.chance(50);
  Names f, g;
  for (size_t q = 0; q < all.c.size(); ++q) f.push_back("f_" + s.number(static_cast<int>(q)));
  for (size_t q = 0; q < few.c.size() && warm; ++q)
    g.push_back("g_" + s.number(static_cast<int>(q)));
  s.param("omega", "1.2");
  s.param("force", "0.001");
  s.stepped(f + g);
  if (bounces || inverted || s.chance(40))
    s.mask("solid");
  else
    s.input({"solid"}, "bool");
  Names speeds;
  for (const std::string& axis : s.axes) speeds.push_back("u" + axis);
  // What arrives from the neighbours.
  Names in, in_g;
  for (size_t q = 0; q < all.c.size(); ++q) {
    const std::string from = upstream(s, all.c[q]);
    in.push_back("a" + f[q]);
    if (bounces && q > 0)
      s.let(in[q], s.is_set("solid", from) + " ? " + f[all.opposite(q)] + " : " + f[q] + from);
    else
      s.let(in[q], f[q] + from);
  }
  for (size_t q = 0; q < g.size(); ++q) {
    in_g.push_back("a" + g[q]);
    s.let(in_g[q], g[q] + upstream(s, few.c[q]));
  }
  s.let("rho", "max(" + sum_of(in) + ", 0.1)");
  for (size_t a = 0; a < speeds.size(); ++a) {
    std::string momentum;
    for (size_t q = 0; q < all.c.size(); ++q)
      if (all.c[q][a] != 0)
        momentum += (momentum.empty()  ? (all.c[q][a] > 0 ? "" : "-")
                     : all.c[q][a] > 0 ? " + "
                                       : " - ") +
                    in[q];
    s.let(speeds[a],
          "(" + momentum + ")/rho" + (warm && a + 1 == speeds.size() ? " + force*warmth" : ""));
  }
  if (warm) s.let("warmth", sum_of(in_g));
  const int form = s.random.below(4);  // one rate, two, an eddy viscosity, a smoothed stress
  s.let("still", "1 - 1.5*(" + sum_of(with(speeds, "^2")) + ")");
  s.fn("equal(w, e)", s.pick({"w*rho*(still + 3*e + 4.5*e^2)", "w*rho*(still + e*(3 + 4.5*e))"}));
  const auto equal = [&](size_t q) {
    return "equal(" + weight_of(all, q, rank) + ", " + along(all.c[q], speeds) + ")";
  };
  if (form >= 2) {
    // The stress that is not at rest.
    Names squares;
    for (int a = 0; a < rank; ++a)
      for (int b = a; b < rank; ++b) {
        std::string text;
        for (size_t q = 0; q < all.c.size(); ++q) {
          const int sign = all.c[q][static_cast<size_t>(a)] * all.c[q][static_cast<size_t>(b)];
          if (sign != 0)
            text += (text.empty() ? (sign > 0 ? "" : "-") : sign > 0 ? " + " : " - ") + in[q];
        }
        const std::string name =
            "pi_" + s.axes[static_cast<size_t>(a)] + s.axes[static_cast<size_t>(b)];
        s.let(name, text + " - rho*(" + speeds[static_cast<size_t>(a)] + "*" +
                        speeds[static_cast<size_t>(b)] + (a == b ? " + 1/3)" : ")"));
        squares.push_back((a == b ? "" : "2*") + name + "^2");
      }
    s.let("tau", "1/omega");
    s.let("rate", form == 2 ? "2/(tau + 0.1 + sqrt(tau^2 + 0.5*sqrt(" + sum_of(squares) + ")/rho))"
                            : "omega/(1 + 0.1*(" + sum_of(squares) + "))");
  }
  const std::string rate = form >= 2 ? "rate" : "omega";
  if (form != 1)
    s.fn("relaxed(f, w, e)",
         "f - " + rate + "*(f - equal(w, e))" + (s.chance(50) ? " + 3*w*force*e" : ""));
  else
    s.fn("paired(f, b, w, e)",
         "f - omega*(0.5*(f + b) - w*rho*(still + 4.5*e^2)) - 0.8*(0.5*(f - b) - 3*w*rho*e)");
  for (size_t q = 0; q < all.c.size(); ++q) {
    const std::string w = weight_of(all, q, rank), e = along(all.c[q], speeds),
                      back = in[all.opposite(q)];
    std::string value = form == 1 ? "paired(" + joined({in[q], back, w, e}, ", ") + ")"
                                  : "relaxed(" + joined({in[q], w, e}, ", ") + ")";
    if (q % 5 == 4 && form == 0 && s.chance(30))
      value = in[q] + " - omega*(" + in[q] + " - " + equal(q) + ")";
    if (inverted)
      s.line(f[q] + "[t+1] = " + s.is_set("solid") + " ? " + back + " : " + value + ";");
    else
      s.line(f[q] + "[t+1] = " + value + " where !(" + s.is_set("solid") + ");");
  }
  for (size_t q = 0; q < g.size(); ++q)
    s.line(g[q] + "[t+1] = " +
           put("@ - 0.9*(@ - ~*warmth*(1 + 3*(", "", in_g[q],
               g.size() == 5 ? (q == 0 ? "(1/3)" : "(1/6)") : (q == 0 ? "(1/4)" : "(1/8)")) +
           along(few.c[q], speeds) + ")));");
  if (s.chance(50)) {  // what flows in at one side
    const std::string& axis = s.axes[0];
    s.line(f[1] + "[t+1] = 0.2 on " + axis + " == 0;");
  }
  s.extras(f, all.c.size() < 27 ? "rho" : f[0]);
}

}  // namespace stencilc::run_test
