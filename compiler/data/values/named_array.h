// Arrays with the names that files of several arrays keep.
#pragma once

#include <string>

#include "data/values/array.h"

namespace stencilc::data {

struct NamedArray {
  std::string name;
  const Array* array;
};

}  // namespace stencilc::data
