// Borders of the diagnostics: beside a text that a code refuses, the nearest one that it lets pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc::testing {

struct NearMiss {
  diag::Code code;
  const char* border;         // what lies between the two
  std::string failing, near;  // whole texts
};

// A text of one stencil on x, or on x and y, around `items`.
inline std::string on_x(const std::string& items) { return "stencil s { axes x; " + items + " }"; }
inline std::string on_xy(const std::string& items) {
  return "stencil s { axes x, y; " + items + " }";
}

// A field f32 u with a boundary, and more; the same of one update; of one update and another type.
inline std::string smooth(const std::string& items) {
  return on_x("field f32 u boundary clamp; " + items);
}
inline std::string update(const std::string& value) { return smooth("u[t+1] = " + value + ";"); }
inline std::string of_type(const std::string& type, const std::string& value) {
  return on_x("field " + type + " u boundary clamp; u[t+1] = " + value + ";");
}

// `judge` runs a text as far as the room under test. The failing text of a row reports its code
// once and nothing else, the near one has no error, and nothing of the code.
template <class Judge>
void expect_borders(const std::vector<NearMiss>& rows, Judge judge) {
  for (const NearMiss& row : rows) {
    SCOPED_TRACE(diag::id(row.code) + ", " + row.border);
    const Parsed failing = judge(row.failing);
    EXPECT_EQ(failing.engine.all().size(), 1u) << rendered(failing);
    for (const diag::Diagnostic& d : failing.engine.all())
      EXPECT_EQ(diag::id(d.code), diag::id(row.code)) << rendered(failing);
    const Parsed near = judge(row.near);
    EXPECT_FALSE(near.engine.has_errors()) << rendered(near);
    for (const diag::Diagnostic& d : near.engine.all())
      EXPECT_NE(diag::id(d.code), diag::id(row.code)) << rendered(near);
  }
}

// Every code of the catalogue that `belongs` here has a row.
template <class Belongs>
void expect_all_codes(const std::vector<NearMiss>& rows, Belongs belongs) {
  for (const diag::Row& known : diag::table()) {
    if (!belongs(known.code)) continue;
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [&](const NearMiss& row) { return row.code == known.code; }))
        << diag::id(known.code) << " " << known.name << " has no near miss";
  }
}

}  // namespace stencilc::testing
