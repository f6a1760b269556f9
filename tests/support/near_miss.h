// Borders of the diagnostics: beside a text that a code refuses, the nearest one that it lets pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "diag/codes.h"
#include "support/parsed.h"

namespace stencilc::testing {

struct NearMiss {
  diag::Code code;
  std::string border;         // what lies between the two
  std::string failing, near;  // whole texts
};

// Texts with a `*` for the part that matters: items of a stencil on x, or on x and y; items beside
// a field f32 u with a boundary; the value of its update; a whole file.
using Frames = std::map<std::string, std::string>;
inline const Frames& common_frames() {
  static const Frames all = {
      {"x", "stencil s { axes x; * }"},
      {"xy", "stencil s { axes x, y; * }"},
      {"smooth", "stencil s { axes x; field f32 u boundary clamp; * }"},
      {"update", "stencil s { axes x; field f32 u boundary clamp; u[t+1] = *; }"},
      {"file", "*"}};
  return all;
}
inline std::string framed(const std::string& frame, const std::string& part) {
  const size_t at = frame.find('*');
  return frame.substr(0, at) + part + frame.substr(at + 1);
}

// Rows `code border | frame | part`. `{{a => b}}` in the part is `a` in the failing text and `b` in
// the near one.
inline std::vector<NearMiss> near_misses(const std::string& table, Frames frames = {}) {
  frames.insert(common_frames().begin(), common_frames().end());
  std::vector<NearMiss> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const size_t blank = line.find(' '), frame = line.find(" | "),
                 part = line.find(" | ", frame + 3);
    std::string texts[] = {line.substr(part + 3), ""};
    texts[1] = texts[0];
    for (std::string& text : texts)
      for (size_t open; (open = text.find("{{")) != std::string::npos;) {
        const size_t to = text.find(" => ", open), end = text.find("}}", open);
        if (to > end) throw std::runtime_error("not understood: " + line);
        text.replace(open, end + 2 - open,
                     &text == texts ? text.substr(open + 2, to - open - 2)
                                    : text.substr(to + 4, end - to - 4));
      }
    const diag::Row* known = diag::find_row(line.substr(0, blank));
    if (!known || texts[0] == texts[1]) throw std::runtime_error("not understood: " + line);
    const std::string& around = frames.at(line.substr(frame + 3, part - frame - 3));
    rows.push_back({known->code, line.substr(blank + 1, frame - blank - 1),
                    framed(around, texts[0]), framed(around, texts[1])});
  }
  return rows;
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

// The examples of the catalogue: a failing one of a code that `belongs` here reports it once and no
// other, a mended one of any code nothing.
template <class Judge, class Belongs>
void expect_examples(Judge judge, Belongs belongs) {
  for (const diag::Row& row : diag::table()) {
    SCOPED_TRACE(row.name);
    if (!row.failing.empty() && belongs(row.code)) {
      const Parsed failing = judge(std::string(row.failing));
      EXPECT_EQ(failing.engine.all().size(), 1u) << rendered(failing);
      for (const diag::Diagnostic& d : failing.engine.all()) EXPECT_EQ(d.code, row.code);
    }
    if (!row.mended.empty()) {
      EXPECT_EQ(rendered(judge(std::string(row.mended))), "");
    }
  }
}

}  // namespace stencilc::testing
