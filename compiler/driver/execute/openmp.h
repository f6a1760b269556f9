// The threads of OpenMP in a process that starts others.
#pragma once

namespace stencilc::driver {

// Ends the threads that OpenMP keeps for the calling thread; the next parallel region starts new
// ones. It is called before fork(): a child has no thread but the one that called it, and GNU's
// OpenMP would wait for the others without end. Where no library of OpenMP is loaded, nothing
// happens.
void end_openmp_threads();

}  // namespace stencilc::driver
