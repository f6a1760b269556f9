// Grids whose axes differ, and systems that are relaxed in place.
#include "run/real_families.h"

namespace stencilc::run_test {
void atmosphere(Sheet& s) {
  s.space(0, 20);
  const int rank = s.rank();
  const std::string up = s.axes.back();
  const Names flat(s.axes.begin(), s.axes.end() - 1);
  Names winds = {"u", "v"};
  if (rank == 2) winds = {"u"};
  const Names scalars = Names{"temp"} + lettered("q_", s.random.between(rank == 2 ? 2 : 1, 4));
  const bool rising = s.chance(60);
  s.param("dt", "0.05");
  s.param("h", "1");
  s.stepped(winds + (rising ? Names{"w"} : Names{}) + scalars);
  if (!rising) s.coefficient({"w"});
  s.coefficient({"thick", "lift"}, {up});
  if (rank == 3) s.coefficient({"coriolis"}, {s.axes[1]});
  s.coefficient(s.chance(50) ? Names{"ground"} : Names{"ground", "mix"}, flat);
  const bool mixed = s.chance(40), order = s.chance(50), eddies = rank == 3 && s.chance(50);
  if (mixed) s.coefficient({"spread"});
  // Differences along the layers, limited where they would steepen what is there.
  Names beside;
  for (const std::string& axis : flat) beside.push_back(put("q[$-1] + q[$+1]", axis));
  s.fn("lap(q)", s.number(2 * (rank - 1)) + "*q - (" + sum_of(beside) + ")");
  for (const std::string& axis : flat) {
    s.fn("cut_" + axis + "(l, q)",
         put(s.pick({"(l[$+1] - l)*(q[$+1] - q) > 0 ? 0 : l[$+1] - l",
                     "((l[$+1] - l)*(q[$+1] - q) <= 0 ? l[$+1] - l : 0)"}),
             axis));
    s.fn("along_" + axis + "(c, q)",
         put(order ? "c*(q[$-2] - 8*q[$-1] + 8*q[$+1] - q[$+2])/12 + abs(c)*(q[$-2] - 4*q[$-1] + "
                     "6*q - 4*q[$+1] + q[$+2])/12"
                   : "c > 0 ? c*(q - q[$-1]) : c*(q[$+1] - q)",
             axis));
  }
  if (eddies) {
    const std::string x = s.axes[0], y = s.axes[1];
    s.let("tension", put("0.5*(u[$+1] - u[$-1]) - 0.5*(v[~+1] - v[~-1])", x, {}, y));
    s.let("shear", put("0.5*(u[~+1] - u[~-1]) + 0.5*(v[$+1] - v[$-1])", x, {}, y));
    s.value("smagorinsky", "min(0.1*sqrt(tension^2 + shear^2 + 1e-6), 0.3)");
  }
  for (const std::string& q : winds + (rising ? Names{"w"} : Names{}) + scalars) {
    s.value("lap_" + q, "lap(" + q + ")");
    Names terms;
    for (const std::string& axis : flat) {
      s.let("cut_" + q + axis, put("cut_$(lap_@, @)", axis, q));
      terms.push_back(put("cut_@$ - cut_@$[$-1]", axis, q));
    }
    Names carried;
    for (size_t a = 0; a < flat.size(); ++a)
      carried.push_back(put("along_$(~ - 0.5, @)", flat[a], q, winds[a]));
    s.let("lifted_" + q,
          put("(w > 0.5 ? (w - 0.5)*(@ - @[$-1]) : (w - 0.5)*(@[$+1] - @))/(thick + 0.5)", up, q));
    s.let("mixed_" + q, put("(lift[$+1]*(@[$+1] - @)/(1 + 0.5*(thick[$+1] + thick)) - lift*(@ - "
                            "@[$-1])/(1 + 0.5*(thick + thick[$-1])))/(0.5 + thick)",
                            up, q));
    std::string rate = "-0.05*" + std::string(mixed ? "spread*" : "") + "(" + sum_of(terms) +
                       ") - (" + sum_of(carried) + ")/h - lifted_" + q + " + mixed_" + q;
    if (eddies && (q == "u" || q == "v")) rate += " + smagorinsky*laplacian(" + q + ")";
    if (rank == 3 && q == "u") rate += " + coriolis*v";
    if (rank == 3 && q == "v") rate += " - coriolis*u";
    if (q == "w") rate += " + 0.1*(temp - 0.5)";
    s.line(q + "[t+1] = " + q + " + dt*(" + rate + ");");
  }
  s.line("temp[t+1] += dt*ground/(0.5 + thick) on " + up + " == 0;");
  if (s.chance(40)) s.line("u[t+1] *= 0.9 on " + up + " >= n" + up + " - 3;");
  s.extras(winds + scalars, "temp");
}

// Stresses or fluxes on a grid that follows the ground.
void curvilinear(Sheet& s) {
  s.space(0, 25);
  const int rank = s.rank();
  const std::string up = s.axes.back();
  const Names flat(s.axes.begin(), s.axes.end() - 1);
  const bool elastic = s.chance(50), full = s.chance(40);
  Names moved = {"ux", "uy", "uz"};
  moved.resize(static_cast<size_t>(rank));
  const int others = s.random.between(rank == 2 ? 2 : 1, 3);
  if (!elastic) moved = Names{"temp"} + lettered("q_", others);
  s.param("dt", "0.05");
  s.param("h", "1");
  s.stepped(moved);
  Names slopes;
  for (const std::string& axis : flat) slopes.push_back("slope_" + axis);
  s.coefficient(slopes, full ? s.axes : flat);
  s.coefficient({"depth"}, full && s.chance(50) ? s.axes : flat);
  if (s.chance(60))
    s.coefficient({"stretch"}, {up});
  else
    s.param("stretch", "0.5");
  s.coefficient(elastic ? Names{"lambda", "mu", "rho"} : Names{"kappa", "kappa_up"});
  const int order = elastic ? 2 : s.random.pick({2, 2, 4});
  const std::string of_order = order == 2 ? ")" : ", order = 4)";
  s.let("jac", "depth*(0.5 + stretch) + 0.3");
  // Derivatives along the true axes.
  for (const std::string& axis : flat)
    s.fn("d_" + axis + "(f)", put("d$(f", axis) + of_order +
                                  put(" - slope_$*(1 - stretch)*d~(f", axis, {}, up) + of_order +
                                  "/jac");
  s.fn("d_" + up + "(f)", "d" + up + "(f" + of_order + "/jac");
  const auto assign = [&](const std::string& f, const std::string& rate) {
    if (elastic)
      s.line(f + "[t+1] = 2*" + f + " - " + f + "[t-1] + dt^2*(" + rate + ");");
    else
      s.update(f, "dt*(" + rate + ")");
  };
  if (!elastic) {
    for (const std::string& f : moved) {
      Names terms;
      for (const std::string& axis : s.axes) {
        s.value("flux_" + f + axis, put("~*d_$(@)", axis, f, axis == up ? "kappa_up" : "kappa") +
                                        (s.chance(50) ? "*jac" : ""));
        terms.push_back(put("d_$(flux_@$)", axis, f));
      }
      assign(f, "(" + sum_of(terms) + ")/jac");
    }
  } else {
    Names divergence;
    for (int a = 0; a < rank; ++a) divergence.push_back("d_" + s.axes[a] + "(" + moved[a] + ")");
    s.value("divergence", sum_of(divergence));
    for (int a = 0; a < rank; ++a) {
      for (int b = a; b < rank; ++b) {
        const std::string one = "d_" + s.axes[b] + "(" + moved[a] + ")";
        const std::string other = "d_" + s.axes[a] + "(" + moved[b] + ")";
        s.value("stress_" + s.axes[a] + s.axes[b],
                a == b ? "lambda*divergence + 2*mu*" + one : "mu*(" + one + " + " + other + ")");
      }
    }
    for (int a = 0; a < rank; ++a) {
      Names terms;
      for (int b = 0; b < rank; ++b) {
        const std::string name = "stress_" + s.axes[std::min(a, b)] + s.axes[std::max(a, b)];
        terms.push_back("d_" + s.axes[b] + "(" + name + ")");
      }
      assign(moved[a], "(" + sum_of(terms) + ")/(0.5 + rho)");
    }
    if (s.chance(50)) s.sources(moved[0], moved.back());
  }
  s.extras(moved, moved[0]);
}

void relaxation(Sheet& s) {
  s.space(0, 40);
  const int rank = s.rank();
  s.colored = true;
  const Names moved = lettered("p", s.random.between(7 - rank, rank == 2 ? 6 : 5));
  const bool three = s.chance(25), anisotropic = s.chance(50), masked = s.chance(40);
  s.param("w", "0.8");
  s.stepped(moved);
  Names k;
  for (const std::string& axis : s.axes) k.push_back("cond_" + axis);
  s.coefficient(anisotropic ? k : Names{"cond"});
  s.coefficient({"rhs"});
  if (s.chance(40))
    s.coefficient({"layer"}, {s.axes.back()});
  else
    s.param("layer", "0.5");
  const Names linked = with(moved, "_link");
  if (s.chance(50))
    s.coefficient(linked);
  else
    for (const std::string& name : linked) s.param(name, "0.2");
  if (masked) s.mask("inside");
  Names sum;
  for (const std::string& axis : s.axes) sum.push_back(axis);
  s.line(three ? "color red, black, blue by (" + sum_of(sum) + ") % 3;"
               : "color red, black by (" + sum_of(sum) + (s.chance(30) ? " + 1" : "") + ") % 2;");
  // Conductivities of the faces.
  Names whole;
  for (size_t a = 0; a < s.axes.size(); ++a) {
    const std::string own = anisotropic ? k[a] : "cond", axis = s.axes[a];
    s.let("up_" + axis,
          put(anisotropic ? "0.5*(@ + @[$+1]) + 0.1" : "2*@*@[$+1]/(@ + @[$+1] + 0.1) + 0.1", axis,
              own));
    whole.push_back(put("up_$ + up_$[$-1]", axis));
  }
  s.let("whole", sum_of(whole));
  for (size_t n = 0; n < moved.size(); ++n) {
    const std::string& p = moved[n];
    Names terms;
    for (const std::string& axis : s.axes)
      terms.push_back(put("up_$*@[$+1] + up_$[$-1]*@[$-1]", axis, p));
    std::string value = sum_of(terms) + " - rhs*layer";
    const std::string& other = moved[(n + 1) % moved.size()];
    if (s.chance(70)) value += " + " + linked[n] + "*(" + other + " - " + p + ")";
    s.line(p + " = (1 - w)*" + p + " + w*(" + value + ")/whole" +
           (masked ? " where " + s.is_set("inside") + ";" : ";"));
    if (s.chance(15)) s.line(p + " = max(" + p + ", 0);");
  }
  if (s.chance(40)) s.line("reduce total = sum(" + moved[0] + ");");
  if (s.chance(30)) s.line("iterate 3 times;");
}

}  // namespace stencilc::run_test
