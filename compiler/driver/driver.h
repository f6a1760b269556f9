// The compiler as a program.
#pragma once

namespace stencilc::driver {

int main(int argc, char** argv);

}  // namespace stencilc::driver
