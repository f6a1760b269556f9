// Several golden cases as one text: a compiler reads the headers once, which takes it as long as a
// small kernel.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace stencilc::test {

// Names of cases that define no stencil twice.
using GoldenUnit = std::vector<std::string>;

// As few as can be, of about one size.
std::vector<GoldenUnit> golden_units(const std::vector<std::string>& cases);

// The texts of `file`, "out.cu", one after the other; their headers are "CASE/out.h". For messages
// each begins with its name, by #line or as a remark: nvcc says less of functions after a #line.
enum class Names { lines, remarks };
std::string text_of(const GoldenUnit& unit, const std::string& file, Names names);

// What a text includes, as it is written there: "<stencil/cuda.h>".
std::set<std::string> includes_of(const std::string& text);

}  // namespace stencilc::test
