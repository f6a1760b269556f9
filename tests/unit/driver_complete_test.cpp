// The man page and the completions of shells have every option of every command, as --help lists
// them, and bash completes with them.
#include <gtest/gtest.h>

#include <regex>

#include "support/cli.h"

namespace stencilc::test {
namespace {

const Names kCommands = {"", "run", "verify", "bench", "tune", "fmt", "doctor", "cache"};

// The options that `stencilc COMMAND --help` lists.
Names options_in_help(const Workplace& here, const std::string& command) {
  const std::string help = ended(here.stencilc(command + " --help")).out;
  Names options;
  static const std::regex kLine("\n  (-[^ ]+)");
  for (auto at = std::sregex_iterator(help.begin(), help.end(), kLine);
       at != std::sregex_iterator(); ++at)
    for (const std::string& name : testing::parts_of((*at)[1].str(), ",")) options.push_back(name);
  return options;
}

// How each kind of text has an option: `target` for fish, `\-\-target` for troff.
std::string written(const std::string& kind, const std::string& option) {
  if (kind == "man") return "\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR";
  if (kind == "bash") return option;
  if (kind == "zsh") return "*" + option;
  return (option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1)) + " ";
}

// The part of the text that is about a command.
std::string part_of(const std::string& kind, const std::string& text, const std::string& command) {
  std::string upper = command;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  std::string begin, end;
  if (kind == "man") {
    begin = command.empty() ? ".SH DESCRIPTION\n" : ".SH STENCILC " + upper + "\n";
    end = "\n.SH ";
  } else if (kind == "bash") {
    begin = "\n    \"" + command + "\") words=";
    end = " ;;\n";
  } else if (kind == "zsh") {
    begin = "\n    " + (command.empty() ? "*" : command) + ")\n      _arguments";
    end = "\n      ;;\n";
  } else {
    std::string lines;
    for (const std::string& line : testing::lines_of(text))
      if (has(line, command.empty() ? "'not __fish_seen_subcommand_from "
                                    : "'__fish_seen_subcommand_from " + command + "'"))
        lines += line + "\n";
    return lines;
  }
  const size_t at = text.find(begin);
  if (at == text.npos) return "";
  return text.substr(at, text.find(end, at + begin.size()) - at);
}

TEST(Complete, EveryTextHasEveryOption) {
  const Workplace here;
  for (const std::string kind : {"man", "bash", "zsh", "fish"}) {
    const std::string text = ended(here.stencilc("--generate=" + kind)).out;
    for (const std::string& command : kCommands) {
      SCOPED_TRACE(kind + " " + command);
      const std::string part = part_of(kind, text, command);
      const Names options = options_in_help(here, command);
      EXPECT_GE(options.size(), 2u);
      for (const std::string& option : options)
        if (!has(part, written(kind, option))) ADD_FAILURE() << "no " << option << " in\n" << part;
    }
    // What people write for --write-dependencies and others.
    for (const std::string option : {"MD", "MF", "MT", "MP", "O", "W"})
      expect_has(text, {(kind == "man" ? "\\-" : "-") +
                        (kind == "fish" && option.size() > 1 ? "o " + option : option)});
  }
}

// What bash proposes for the last word of a command line. Words are separated by `_`.
std::string completed(const Workplace& here, const std::string& line) {
  here.write("try.bash",
             ". ./stencilc.bash\nIFS=_ read -r -a COMP_WORDS <<<\"$1_end\"\n"
             "unset 'COMP_WORDS[-1]'\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_stencilc\n"
             "echo \"${COMPREPLY[*]}\"\n");
  std::string said = ended(here.shell("bash try.bash '" + line + "'")).out;
  if (said.ends_with('\n')) said.pop_back();
  return said;
}

TEST(Complete, BashCompletesCommandsOptionsAndValues) {
  const Workplace here("heat.stn", "");
  here.write("u.npy", "");
  ended(
      here.shell("'" STENCILC_BINARY "' --generate=bash >stencilc.bash && bash -n stencilc.bash"));
  const auto after = [&](const std::string& line) { return completed(here, line); };
  testing::expect_rows(after, R"(
    stencilc_ru           => run
    stencilc_do           => doctor
    stencilc_he           => heat.stn
    stencilc_run_he       => heat.stn
    stencilc_run_ben      =>
    stencilc_--targ       => --target
    stencilc_run_--fir    => --first
    stencilc_--fir        =>
    stencilc_cache_--     => --help --show --limit --clear
    stencilc_--target_    => cuda cpu
    stencilc_run_--target_=_c => cuda cpu
    stencilc_run_--target_=_cp => cpu
    stencilc_run_--target_= => cuda cpu
    stencilc_--emit_so    => so
    stencilc_run_--in_u_=_u. => u.npy
    stencilc_run_--steps_ =>
    stencilc_-O           => -O0 -O1 -O2 -O3
    stencilc_fmt_--che    => --check
  )");
}

TEST(Complete, TheManPageIsTroffWithoutWarnings) {
  const Workplace here;
  if (here.shell("command -v groff").status != 0) GTEST_SKIP() << "there is no groff";
  const Finished shown =
      ended(here.shell("'" STENCILC_BINARY "' --generate=man | groff -man -Tascii -ww -P-bou"));
  EXPECT_EQ(shown.err, "");
  expect_has(shown.out, {"stencilc run FILE [OPTION...]\n", "       --dry-run\n",
                         "  -MF FILE, --dependency-file=FILE\n", "--target=cuda|cpu\n"});
}

TEST(Complete, OtherShellsReadTheirs) {
  const Workplace here;
  bool any = false;
  for (const std::string shell : {"zsh", "fish"}) {
    if (here.shell("command -v " + shell).status != 0) continue;
    any = true;
    const Finished read =
        here.shell("'" STENCILC_BINARY "' --generate=" + shell + " >text && " + shell + " -n text");
    EXPECT_EQ(read.status, 0) << shell << "\n" << read.err;
  }
  if (!any) GTEST_SKIP() << "there is neither zsh nor fish";
}

}  // namespace
}  // namespace stencilc::test
