#include <algorithm>
#include <string>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "diag/render.h"

namespace stencilc::diag {
namespace {

// The colours of Clang.
constexpr std::string_view bold = "\033[1m";
constexpr std::string_view red = "\033[0;1;31m";
constexpr std::string_view magenta = "\033[0;1;35m";
constexpr std::string_view cyan = "\033[0;1;36m";
constexpr std::string_view green = "\033[0;1;32m";
constexpr std::string_view plain = "\033[0m";

class Writer {
 public:
  Writer(const Sources& sources, bool color) : sources_(sources), color_(color) {}

  // "laplace.stn:4:19: ", or the name of the program if there is no position.
  void place(Range at) {
    if (at == nowhere) return painted(bold, "stencilc: ");
    const Source& source = sources_[at.file];
    Position begin = position(source, at.begin);
    painted(bold, printable(source.name) + ":" + std::to_string(begin.line) + ":" +
                      std::to_string(begin.column) + ": ");
  }

  void lines_of(Range at) {
    if (at == nowhere) return;
    Excerpt shown = excerpt(sources_[at.file], at);
    std::string number = std::to_string(shown.begin.line);
    std::string margin(std::max<size_t>(number.size(), 4), ' ');
    out_ += margin.substr(number.size()) + number + " | " + shown.line + "\n";
    out_ += margin + " | " + std::string(shown.caret, ' ');
    painted(green, "^" + std::string(shown.width - 1, '~'));
    out_ += "\n";
  }

  void painted(std::string_view paint, std::string_view text) {
    if (color_) out_ += paint;
    out_ += text;
    if (color_) out_ += plain;
  }
  void text(std::string_view text) { out_ += text; }

  std::string take() { return std::move(out_); }

 private:
  const Sources& sources_;
  bool color_;
  std::string out_;
};

void write_severity(Writer& writer, Severity severity) {
  switch (severity) {
    case Severity::error:
      return writer.painted(red, "error: ");
    case Severity::warning:
      return writer.painted(magenta, "warning: ");
    case Severity::note:
      return writer.painted(cyan, "note: ");
  }
}

}  // namespace

std::string render_gnu(const Diagnostic& diagnostic, const Sources& sources, bool color) {
  Writer writer(sources, color);
  writer.place(diagnostic.at);
  write_severity(writer, diagnostic.severity);
  writer.painted(bold, printable(diagnostic.text));
  writer.text(" [" + id(diagnostic.code) + "]\n");
  writer.lines_of(diagnostic.at);
  for (const Note& note : diagnostic.notes) {
    if (note.has_range) writer.place(note.at);
    if (!note.has_range) writer.text("  ");
    write_severity(writer, Severity::note);
    writer.text(printable(note.text) + "\n");
    if (note.has_range) writer.lines_of(note.at);
  }
  for (const Help& help : diagnostic.helps) {
    writer.text("  ");
    writer.painted(cyan, "help: ");
    bool says_it = help.text.find("`" + help.replacement + "`") != std::string::npos;
    writer.text(printable(help.text));
    if (help.has_edit && !says_it) writer.text(": `" + printable(help.replacement) + "`");
    writer.text("\n");
  }
  return writer.take();
}

}  // namespace stencilc::diag
