// The families of real-shaped programs. Each writes all of a program but its head.
#pragma once

#include "run/real_sheet.h"

namespace stencilc::run_test {

// real_flow.cpp: conservation laws by finite volumes
void gas(Sheet& sheet);     // the Euler equations: slopes with limiters, fluxes of Riemann's kind
void plasma(Sheet& sheet);  // magnetohydrodynamics
void flood(Sheet& sheet);   // shallow water that wets and dries
void high_order(Sheet& sheet);  // compressible flow by central differences of high order
// real_transport.cpp
void weno(Sheet& sheet);  // essentially non-oscillatory transport with smoothness indicators
void flux_corrected(Sheet& sheet);
void level_sets(Sheet& sheet);  // Hamilton and Jacobi's equations by one-sided differences
void channel(Sheet& sheet);     // incompressible flow on staggered places, with turbulence
// real_waves.cpp
void elastic(Sheet& sheet);  // velocities and stresses at half cells
void maxwell(Sheet& sheet);  // with absorbing layers
void tilted(Sheet& sheet);   // anisotropic acoustics: mixed derivatives
// real_matter.cpp
void dendrites(Sheet& sheet);  // an anisotropic phase, heat and solutes
void grains(Sheet& sheet);     // many order parameters, or Cahn and Hilliard's equation
void reactions(Sheet& sheet);  // species that react, diffuse and are carried
void lattice(Sheet& sheet);    // lattice Boltzmann
// real_earth.cpp
void atmosphere(Sheet& sheet);   // layers, limited diffusion, upwind advection
void curvilinear(Sheet& sheet);  // metrics on fewer axes than the grid
void relaxation(Sheet& sheet);   // coupled systems by colours
// real_images.cpp
void pictures(Sheet& sheet);  // gradients, structure tensors, thinning

}  // namespace stencilc::run_test
