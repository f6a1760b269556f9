// Diagnostics: what is wrong, where, and what to write instead.
//
// Every room reports through an Engine. The Engine counts, limits and keeps the diagnostics in order of report; render.h turns
// them into text or JSON. Wording: lower case, code in backticks, no final full stop, describe the situation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stencilc::diag {

// A half-open range of bytes in one source file. `file` indexes Sources; begin == end marks a point.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint16_t file = 0;
  friend bool operator==(Range, Range) = default;
};
// The range of a diagnostic that is about no place in a text: a file that cannot be read, a tool that is missing.
inline constexpr Range nowhere = {0, 0, 0xffff};

// One source text. `name` is what diagnostics print ("laplace.stn", "<stdin>").
struct Source {
  std::string name;
  std::string text;
  // For line_begins() alone: what it found at first. A text stays as it is once places in it are asked for.
  mutable std::vector<uint32_t> found_lines = {};
};
using Sources = std::vector<Source>;

struct Position {
  uint32_t line = 1;    // from 1
  uint32_t column = 1;  // from 1, in bytes
};
Position position(const Source& source, uint32_t offset);

// Where each line begins, and in the end where another would: behind the text and its last line break.
const std::vector<uint32_t>& line_begins(const Source& source);

enum class Severity { note, warning, error };

// The identity of a diagnostic: a row of the one table in codes.cpp. Written as Code{"STN0201"} nowhere else: use the
// constants of codes.h.
struct Code {
  uint16_t number = 0;
  friend bool operator==(Code, Code) = default;
};

// A remark below a diagnostic: "note: `u` is declared here", with an excerpt where `at` is set.
struct Note {
  std::string text;
  bool has_range = false;
  Range at;
};

// "help: write `u[x-1]`": where has_edit is set, replacing `at` by `replacement` cures the error.
struct Help {
  std::string text;
  bool has_edit = false;
  Range at;
  std::string replacement;
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::error;
  Range at;
  std::string text;
  std::vector<Note> notes;
  std::vector<Help> helps;

  Diagnostic& note(std::string text);
  Diagnostic& note(std::string text, Range at);
  Diagnostic& help(std::string text);
  Diagnostic& help(std::string text, Range at, std::string replacement);
};

class Engine {
 public:
  // Reports at the code's own severity (codes.h). The reference stays valid until the next report.
  Diagnostic& report(Code code, Range at, std::string text);

  bool has_errors() const { return errors_ != 0; }
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  // -Wno-name, -Werror=name: 0 ignore, 1 warn, 2 error. Applies to warnings only.
  void set_level(Code code, int level);

 private:
  std::vector<Diagnostic> all_;
  std::vector<std::pair<Code, int>> levels_;
  Diagnostic ignored_;
  int errors_ = 0;
  int warnings_ = 0;
};

// The closest of `candidates` to a misspelled `name` (Damerau-Levenshtein, at most a third of its length), or "".
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// For whoever wrote a name that is none of `candidates`: "did you mean `u`?", or else which there are, or "" where these are none
// or too many to list.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

// "`a`, `b` and `c`".
std::string listed(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace stencilc::diag
