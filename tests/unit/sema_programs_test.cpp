// Whole programs of many kinds, without a complaint: the parts of the language together.
#include <gtest/gtest.h>

#include <map>

#include "support/analysed.h"
#include "support/tables.h"

namespace stencilc {
namespace {

constexpr const char* kPrograms = R"(
stencil laplace2d {
  axes  x, y;
  param f32 tol = 1e-4;
  field f32 u  boundary fixed;
  u[t+1] = 0.25 * (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
  reduce res = max(abs(u[t+1] - u));
  iterate until res < tol, check every 50, limit 20000;
}
stencil fdtd2d {
  axes  x, y;
  param f32 drive;
  field f32 ex, ey, hz  boundary none;
  ey[t+1] = ey - 0.5*(hz - hz[x-1])   on x >= 1;
  ey[t+1] = drive                     on x == 0;
  ex[t+1] = ex - 0.5*(hz - hz[y-1])   on y >= 1;
  hz[t+1] = hz - 0.7*(ex[t+1, y+1] - ex[t+1] + ey[t+1, x+1] - ey[t+1])  on x < nx-1, y < ny-1;
}
stencil gsrb { axes x, y, z;  param f64 h2;  field f64 p boundary zero;  field f64 rhs readonly;
  color red, black by (x+y+z) % 2;
  p = (p[x-1]+p[x+1]+p[y-1]+p[y+1]+p[z-1]+p[z+1] - h2*rhs) / 6; }
stencil hdiff { axes x, y, z;  field f64 phi in, k in, dst out  boundary none;
  let lap = 4*phi - (phi[x-1] + phi[x+1] + phi[y-1] + phi[y+1]);
  let fx0 = lap[x+1] - lap;   let fx = fx0*(phi[x+1] - phi) > 0 ? 0 : fx0;
  let fy0 = lap[y+1] - lap;   let fy = fy0*(phi[y+1] - phi) > 0 ? 0 : fy0;
  dst = phi - k*(fx - fx[x-1] + fy - fy[y-1]); }
const f32 third = 1/3;
stencil wave2 { axes x, y; param f32 dt, h;
  field f32 u boundary { x: zero; y.lo: clamp; y.hi: neumann 0.5; };
  field f32 c, sponge(x) readonly;
  points src; points rec linear; series f32 amp(src), trace(rec);
  u[t+1] = sponge*(2*u - u[t-1] + (dt*c/h)^2 * laplacian(u, order=8));
  inject u[t+1] += dt*dt*amp[t]*c at src;
  sample trace[t] = u[t+1] at rec;
  reduce energy = norm2(u[t+1] - u) on x >= 1, x < nx-1 where c > 0;
  iterate until energy < dt, check every 10, limit 1000; }
stencil swe { axes x, y; param f64 g = 9.81, dt;
  field f64 h, hu, hv boundary periodic;
  hu[t+1] = hu - dt*g*dx(h, at=-1/2) ; hv[t+1] = hv - dt*g*dy(h, at=-1/2);
  h[t+1] = h - dt*(dx(hu[t+1], at=+1/2) + dy(hv[t+1], at=+1/2)); }
stencil burgers { axes x, y; param f32 dt, nu; field f32 u, v boundary clamp;
  u[t+1] = u - dt*(u*dx(u, upwind=u) + v*dy(u, upwind=v)) + dt*nu*laplacian(u);
  v[t+1] = v - dt*(u*dx(v, upwind=u) + v*dy(v, upwind=v)) + dt*nu*laplacian(v); }
stencil srad { axes x, y; param f32 lambda; field f32 J boundary clamp; field f32 c out boundary clamp;
  reduce s = sum(J); reduce s2 = sum(J*J);
  let n = f32(nx)*ny; let mean = s/n; let q0 = (s2/n - mean*mean)/(mean*mean);
  let dN = J[y-1]-J; let dS = J[y+1]-J; let dW = J[x-1]-J; let dE = J[x+1]-J;
  let G2 = (dN^2+dS^2+dW^2+dE^2)/(J*J); let L = (dN+dS+dW+dE)/J;
  let q = (0.5*G2 - L*L/16)/(1+0.25*L)^2;
  c = min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1);
  J[t+1] = J + 0.25*lambda*(c*dN + c[y+1]*dS + c*dW + c[x+1]*dE); }
stencil lbm { axes x, y; param f32 omega; field f32 f0, f1, f2, f3, f4 boundary periodic; field bool wall readonly boundary periodic;
  let r = f0+f1+f2+f3+f4; let ux = (f1-f3)/r; let uy = (f2-f4)/r;
  fn eq(w, cu) = w*r*(1 + 3*cu);
  let p0 = wall ? f0 : f0 + omega*(eq(third, 0) - f0);
  let p1 = wall ? f3 : f1 + omega*(eq(third/2, ux) - f1);
  let p2 = wall ? f4 : f2 + omega*(eq(third/2, uy) - f2);
  let p3 = wall ? f1 : f3 + omega*(eq(third/2, -ux) - f3);
  let p4 = wall ? f2 : f4 + omega*(eq(third/2, -uy) - f4);
  f0[t+1] = p0; f1[t+1] = p1[x-1]; f2[t+1] = p2[y-1]; f3[t+1] = p3[x+1]; f4[t+1] = p4[y+1]; }
stencil himeno { axes x, y, z; param f32 omega; field f32 p boundary fixed; field f32 a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, bnd, wrk1 readonly;
  let s0 = a0*p[z+1] + a1*p[y+1] + a2*p[x+1] + b0*(p[z+1,y+1] - p[z+1,y-1] - p[z-1,y+1] + p[z-1,y-1])
   + b1*(p[y+1,x+1] - p[y-1,x+1] - p[y+1,x-1] + p[y-1,x-1]) + b2*(p[z+1,x+1] - p[z-1,x+1] - p[z+1,x-1] + p[z-1,x-1])
   + c0*p[z-1] + c1*p[y-1] + c2*p[x-1] + wrk1;
  let ss = (s0*a3 - p)*bnd;
  p[t+1] = p + omega*ss;
  reduce gosa = sum(ss*ss); iterate 10 times; }
stencil cg { axes x, y; field f64 p in boundary zero; field f64 q out; q = -laplacian(p); reduce pq = sum(p*q); }
stencil median { axes x; field u8 a in boundary mirror; field u8 b out; b = max(min(a[x-1], a), min(max(a[x-1], a), a[x+1])); }
stencil half { axes x; field f16 u boundary clamp; weights w[-1..1]; u[t+1] = sum(i in -1..1 : w[i]*u[x+i]) + 0.001*sin(0.1*t); }
stencil cheb { axes x, y; param f64 a, b; field f64 u boundary zero; field f64 d; field f64 f readonly;
  d[t+1] = a*d + b*(f + laplacian(u)); u[t+1] = u + d[t+1]; }
)";

std::map<std::string, ir::Stencil> programs() {
  testing::Parsed parsed = testing::parsed(kPrograms);
  std::map<std::string, ir::Stencil> result;
  for (ir::Stencil& stencil : sema::analyse(parsed.program, {}, parsed.engine))
    result.emplace(stencil.name, std::move(stencil));
  EXPECT_EQ(testing::rendered(parsed), "");
  return result;
}

// The names of the fields in the order they are computed in.
std::string order(const ir::Stencil& stencil) {
  std::string result;
  for (const ir::Update& update : stencil.updates)
    result += (result.empty() ? "" : " ") + stencil.fields[update.field].name;
  return result;
}

TEST(SemaPrograms, NoneIsRefused) { EXPECT_EQ(programs().size(), 14u); }

TEST(SemaPrograms, StagesAreInOrder) {
  const auto all = programs();
  const auto order_of = [&](const std::string& name) { return order(all.at(name)); };
  testing::expect_rows(order_of, R"(
fdtd2d => ey ex hz
swe => hu hv h
srad => c J
cheb => d u
)");
}

TEST(SemaPrograms, DomainsReductionsAndLevelsAreInferred) {
  const auto all = programs();
  const ir::Domain& domain = all.at("hdiff").updates.at(0).cases.at(0).domain;
  EXPECT_EQ(domain.low, (ir::Offset{2, 2, 0}));
  EXPECT_EQ(domain.high, (ir::Offset{2, 2, 0}));
  EXPECT_EQ(all.at("laplace2d").updates.at(0).cases.at(0).domain.low, (ir::Offset{1, 1, 0}));
  EXPECT_TRUE(all.at("laplace2d").reductions.at(0).after);
  EXPECT_TRUE(all.at("cg").reductions.at(0).after);
  EXPECT_FALSE(all.at("srad").reductions.at(0).after);
  EXPECT_FALSE(all.at("himeno").reductions.at(0).after);
  EXPECT_EQ(all.at("wave2").fields.at(0).levels(), 2);
  EXPECT_EQ(all.at("lbm").fields.at(0).levels(), 1);
  EXPECT_EQ(all.at("gsrb").fields.at(0).role, ir::Role::in_place);
}

}  // namespace
}  // namespace stencilc
