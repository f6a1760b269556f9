// The entry of the command line program.
#pragma once

namespace stencilc::driver {

int main(int argc, char** argv);

}  // namespace stencilc::driver
