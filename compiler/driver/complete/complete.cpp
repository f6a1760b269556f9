#include "driver/complete/complete.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stencilc::driver {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// For a shell, in single quotes.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string names_of_commands(const std::vector<CommandRow>& commands, const char* between) {
  std::vector<std::string> names;
  for (const CommandRow& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, between));
}

// -O and -W have their value in the same word: what people write most.
std::vector<std::string> offered(const OptionRow& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    if (name == "-O")
      names.insert(names.end(), {"-O0", "-O1", "-O2", "-O3"});
    else if (name == "-W")
      names.insert(names.end(), {"-Wall", "-Werror"});
    else
      names.push_back(name);
  }
  return names;
}

}  // namespace

std::string summary(const CommandRow& command) {
  std::string first = command.description.substr(0, command.description.find('\n'));
  const size_t stop = first.find(". ");
  if (stop != std::string::npos) first.resize(stop);
  if (first.ends_with('.')) first.pop_back();
  return first;
}

std::string escaped(const std::string& text, const std::string& characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string bash_completion(const std::vector<CommandRow>& commands) {
  std::string values, options;
  for (const CommandRow& command : commands) {
    std::vector<std::string> words;
    for (const OptionRow& option : command.options) {
      for (const std::string& name : offered(option)) words.push_back(name);
      if (option.value.empty()) continue;
      std::vector<std::string> keys;
      for (const std::string& name : option.names)
        keys.push_back(fmt::format("\"{} {}\"", command.name, name));
      const std::string action =
          !option.choices.empty()
              ? fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                            quoted(fmt::format("{}", fmt::join(option.choices, " "))))
          : option.takes_file() ? "_stencilc_files"
                                : "COMPREPLY=()";
      values += fmt::format("    {}) {}; return ;;\n", fmt::join(keys, "|"), action);
    }
    options += fmt::format("    \"{}\") words={} ;;\n", command.name,
                           quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return fmt::format(R"(# bash completion for stencilc, made by `stencilc --generate=bash`.

_stencilc_files() {{
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}}

_stencilc() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= words= at=$COMP_CWORD
  COMPREPLY=()
  if [[ $COMP_CWORD -gt 1 ]]; then
    case ${{COMP_WORDS[1]}} in
      {0}) command=${{COMP_WORDS[1]}} ;;
    esac
  fi
  # bash makes three words of --target=cpu.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" && $at -gt 2 ]]; then
    prev=${{COMP_WORDS[at-2]}}
    if [[ $prev != -* ]]; then # the file of u=FILE
      _stencilc_files
      return
    fi
  fi
  case "$command $prev" in
{1}  esac
  case "$command" in
{2}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  _stencilc_files
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY+=($(compgen -W '{3}' -- "$cur"))
  fi
}}

complete -F _stencilc stencilc
)",
                     names_of_commands(commands, "|"), values, options,
                     names_of_commands(commands, " "));
}

namespace {

std::string zsh_option(const OptionRow& option) {
  std::string text;
  const std::string help = "[" + escaped(option.help, "[]:\\") + "]";
  for (const std::string& name : option.names) {
    std::string one = name;
    std::string value;
    if (!option.value.empty()) {
      const bool attached = name == "-O" || name == "-W";
      one += attached ? "-" : name.starts_with("--") ? "=" : "";
      value =
          fmt::format("{}{}:{}", option.may_lack_value ? "::" : ":", escaped(option.value, ":"),
                      !option.choices.empty() ? fmt::format("({})", fmt::join(option.choices, " "))
                      : option.takes_file()   ? "_files"
                                              : " ");
    }
    text += fmt::format("        {} \\\n", quoted("*" + one + help + value));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandRow>& commands) {
  std::string described, cases;
  for (const CommandRow& command : commands) {
    if (!command.name.empty())
      described +=
          fmt::format("    {}\n", quoted(command.name + ":" + escaped(summary(command), ":")));
    std::string options;
    for (const OptionRow& option : command.options) options += zsh_option(option);
    cases += fmt::format("    {})\n      _arguments -S \\\n{}        '*:file:_files'\n      ;;\n",
                         command.name.empty() ? "*" : command.name, options);
  }
  return fmt::format(R"(#compdef stencilc
# zsh completion for stencilc, made by `stencilc --generate=zsh`.

_stencilc() {{
  local -a commands
  commands=(
{})
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
  fi
  local command=
  case $words[2] in
    {})
      command=$words[2]
      if (( CURRENT > 2 )); then
        shift words
        (( CURRENT-- ))
      fi
      ;;
  esac
  case $command in
{}  esac
}}

_stencilc "$@"
)",
                     described, names_of_commands(commands, "|"), cases);
}

std::string fish_completion(const std::vector<CommandRow>& commands) {
  const std::string names = names_of_commands(commands, " ");
  std::string text = "# fish completion for stencilc, made by `stencilc --generate=fish`.\n";
  // In fish, a backslash escapes a quote between single quotes.
  const auto fish = [](const std::string& one) { return "'" + escaped(one, "'\\") + "'"; };
  for (const CommandRow& command : commands)
    if (!command.name.empty())
      text += fmt::format("complete -c stencilc -n __fish_use_subcommand -a {} -d {}\n",
                          command.name, fish(summary(command)));
  for (const CommandRow& command : commands) {
    const std::string when = command.name.empty() ? "not __fish_seen_subcommand_from " + names
                                                  : "__fish_seen_subcommand_from " + command.name;
    for (const OptionRow& option : command.options) {
      text += fmt::format("complete -c stencilc -n {}", fish(when));
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2)
                : name.size() == 2     ? " -s " + name.substr(1)
                                       : " -o " + name.substr(1);
      if (!option.choices.empty())
        text += fmt::format(" -x -a {}", fish(fmt::format("{}", fmt::join(option.choices, " "))));
      else if (!option.value.empty() && !option.may_lack_value)
        text += option.takes_file() ? " -r" : " -x";
      text += fmt::format(" -d {}\n", fish(option.help));
    }
  }
  return text;
}

std::vector<std::string> generated_kinds() { return {"man", "bash", "zsh", "fish"}; }

std::string generated_text(const std::string& kind, const std::vector<CommandRow>& commands) {
  return kind == "man"    ? man_page(commands)
         : kind == "bash" ? bash_completion(commands)
         : kind == "zsh"  ? zsh_completion(commands)
                          : fish_completion(commands);
}

}  // namespace stencilc::driver
