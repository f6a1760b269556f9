// The options of all commands as a table, taken from the option library: completions and the man
// page are made from it, so that no option is missing there.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace stencilc::driver {

struct OptionRow {
  std::vector<std::string> names;    // "-o", "--output", as people write them
  std::string value;                 // "FILE"; empty: it takes none
  bool may_lack_value = false;       // as --explain may
  std::vector<std::string> choices;  // the values, if these are all
  std::string help;
  bool takes_file() const;  // does its value name files?
};
struct CommandRow {
  std::string name;  // "run"; empty: compiling
  std::string description;
  std::vector<OptionRow> options;
};

// The commands whose command lines are parsed while `parse` runs, which parse_words() then only
// records. Not for several threads.
std::vector<CommandRow> recorded(const std::function<void()>& parse);

// Records the options of a command, "stencilc run"; false unless recorded() runs.
bool record(const CLI::App& app, const std::string& command);

}  // namespace stencilc::driver
