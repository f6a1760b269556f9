#include "driver/driver.h"

int main(int argc, char** argv) { return stencilc::driver::main(argc, argv); }
