// Takes the stores out of statements that shall run in a FastDivision but write what they read, as
// updates in place do.
//
// before   a <- x[i] / y[i]
//          x[i] <- a
// after    var a = 0
//          fast_division: a <- x[i] / y[i]
//          x[i] <- a
#pragma once

#include <optional>
#include <set>
#include <string>

#include "kernel/kernel.h"

namespace stencilc::passes {

struct StoresApart {
  kernel::Body variables;  // declared before
  kernel::Body inside;     // may run twice
  kernel::Body stores;     // after it
};

// None where a store stands in a branch or a loop, or where what it writes is read later.
std::optional<StoresApart> stores_apart(const kernel::Body& body);

// The same for values with these names that statements after a FastDivision use.
//
// before   a <- x / y;  b <- shuffled a
// after    var a = 0
//          fast_division: a <- x / y
//          b <- shuffled a
//
// None where one of them is no number in f32 or f64, or where it changes. `stores` stays empty.
std::optional<StoresApart> values_apart(const kernel::Body& body,
                                        const std::set<std::string>& used);

}  // namespace stencilc::passes
