#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <sstream>

#include "driver/complete/complete.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

// Text in troff. A line that began with a dot would be a request.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }

// Lines that are indented are commands, and stay as they are.
std::string paragraphs(const std::string& description) {
  std::string text;
  std::istringstream lines(description);
  bool commands = false;
  for (std::string line; std::getline(lines, line);) {
    const bool command = line.starts_with("  ");
    if (command && !commands) text += ".PP\n.nf\n";
    if (!command && commands) text += ".fi\n.PP\n";
    commands = command;
    text += troff(command ? line.substr(2) : line) + "\n";
  }
  return commands ? text + ".fi\n" : text;
}

// Choices that stand in the text, because a line has no room for them.
bool is_long(const OptionRow& option) { return option.choices.size() > 4; }

std::string options_of(const CommandRow& command) {
  std::string text;
  for (const OptionRow& option : command.options) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) {
      std::string one = bold(name);
      const bool attached = name == "-O" || name == "-W";
      if (!option.value.empty()) {
        const std::string value = option.choices.empty() || is_long(option)
                                      ? "\\fI" + troff(option.value) + "\\fR"
                                      : troff(fmt::format("{}", fmt::join(option.choices, "|")));
        const char* const between = attached ? "" : name.starts_with("--") ? "=" : " ";
        one += option.may_lack_value ? fmt::format("[{}{}]", between, value) : between + value;
      }
      names.push_back(one);
    }
    text += fmt::format(".TP\n{}\n{}\n", fmt::join(names, ", "), troff(option.help));
    if (is_long(option)) text += troff(fmt::format("({})", fmt::join(option.choices, ", "))) + "\n";
  }
  return text;
}

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
Success, perhaps with warnings.
.TP
.B 1
Errors in the input, or a run, build or check that failed.
.TP
.B 2
Wrong usage.
.TP
.B 3
A file cannot be read or written.
.TP
.B 4
A limit is exceeded.
.TP
.B 70
A bug of the compiler.
.SH ENVIRONMENT
.TP
.B XDG_CACHE_HOME
The folder in which the cache of built programs is; by default
.IR ~/.cache .
.TP
.B NO_COLOR\fR, \fBCLICOLOR_FORCE
Whether messages are coloured, unless
.B \-\-color
says so.
.TP
.B STENCILC_NETCDF\fR, \fBSTENCIL_NCCL
The files of the NetCDF and NCCL libraries, where they are in unusual places.
)";

}  // namespace

std::string man_page(const std::vector<CommandRow>& commands) {
  std::string text = fmt::format(
      ".\\\" Made by `stencilc --generate=man`.\n.TH STENCILC 1 \"\" \"stencilc {}\" \"User "
      "Commands\"\n.SH NAME\nstencilc \\- compiles stencil programs to CUDA and C++\n.SH "
      "SYNOPSIS\n",
      troff(kVersion));
  for (const CommandRow& command : commands) {
    const std::string name = command.name.empty() ? "stencilc" : "stencilc " + command.name;
    const bool no_file = command.name == "doctor" || command.name == "cache";
    text += fmt::format("{}{} [\\fIOPTION\\fR...]\n.br\n", bold(name),
                        no_file                 ? ""
                        : command.name == "fmt" ? " \\fIFILE\\fR..."
                                                : " \\fIFILE\\fR");
  }
  for (const CommandRow& command : commands) {
    std::string title = command.name.empty() ? "DESCRIPTION" : "STENCILC " + command.name;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text += fmt::format(".SH {}\n{}", title, paragraphs(command.description));
    text += options_of(command);
  }
  return text + kEnd;
}

}  // namespace stencilc::driver
