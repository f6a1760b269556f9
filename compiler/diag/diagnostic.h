// Defines diagnostics: what is wrong, where, and what to write instead.
//
// Every room reports through an Engine, which counts the diagnostics and keeps them in order.
// render.h prints them as text or JSON. Wording: lower case, code in backticks, no full stop at the
// end; describe the situation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stencilc::diag {

// A half-open range of bytes in one source file. `file` is an index into Sources; begin == end
// marks a position.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint16_t file = 0;
  friend bool operator==(Range, Range) = default;
};
// The range of a diagnostic without a position in a file, such as a file that cannot be read or a
// missing tool.
inline constexpr Range nowhere = {0, 0, 0xffff};

// One source text. `name` is what diagnostics print ("laplace.stn", "<stdin>").
struct Source {
  std::string name;
  std::string text;
  // A cache for line_begins(). The text must not change once positions in it were requested.
  mutable std::vector<uint32_t> found_lines = {};
};
using Sources = std::vector<Source>;

struct Position {
  uint32_t line = 1;    // starting with 1
  uint32_t column = 1;  // starting with 1, in bytes
};
Position position(const Source& source, uint32_t offset);

// The start of each line, followed by the position after the text and its last line break.
const std::vector<uint32_t>& line_begins(const Source& source);

enum class Severity { note, warning, error };

// The identity of a diagnostic: a row of the table in codes.cpp. Use the constants of codes.h.
struct Code {
  uint16_t number = 0;
  friend bool operator==(Code, Code) = default;
};

// A remark below a diagnostic, such as "note: `u` is declared here", with an excerpt if `at` is
// set.
struct Note {
  std::string text;
  bool has_range = false;
  Range at;
};

// "help: write `u[x-1]`". If has_edit is set, replacing `at` by `replacement` fixes the error.
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
  // Reports with the severity of the code (codes.h). The reference is valid until the next report.
  Diagnostic& report(Code code, Range at, std::string text);

  bool has_errors() const { return errors_ != 0; }
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  // -Wno-name, -Werror=name: 0 off, 1 warning, 2 error. Applies to warnings only.
  void set_level(Code code, int level);

  // While it lives, errors of these codes are not reported but counted; of no code if there are
  // none.
  class Silence {
   public:
    Silence(Engine& engine, std::vector<Code> codes)
        : engine_(engine), before_(std::exchange(engine.silent_, std::move(codes))) {}
    ~Silence() { engine_.silent_ = std::move(before_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    Engine& engine_;
    std::vector<Code> before_;
  };
  int silenced() const { return silenced_; }
  const std::vector<Code>& silent() const { return silent_; }

 private:
  std::vector<Diagnostic> all_;
  std::vector<std::pair<Code, int>> levels_;
  std::vector<Code> silent_;
  Diagnostic ignored_;
  int silenced_ = 0;
  int errors_ = 0;
  int warnings_ = 0;
};

// The nearest of `candidates` to a misspelled `name` (by Damerau-Levenshtein distance, at most a
// third of its length), or "".
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// Help for a name that is none of `candidates`: "did you mean `u`?", otherwise a list of all, or ""
// if there are none or too many to list.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

// "`a`, `b` and `c`".
std::string listed(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace stencilc::diag
