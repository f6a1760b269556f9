#include "driver/cli/option_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iostream>

#include "diag/diagnostic.h"
#include "diag/excerpt.h"
#include "driver/cli/option_table.h"
#include "driver/system/exit_codes.h"
#include "driver/system/files.h"

namespace stencilc::driver {
namespace {

std::optional<NameValue> name_value(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return {};
  return NameValue{text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<std::vector<int64_t>> parse_size(const std::string& text) {
  std::vector<int64_t> size;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 1) return {};
    size.push_back(value);
    if (next == end) return size;
    if (*next != 'x') return {};
    at = next + 1;
  }
}

// The message for words that no option took.
std::string unexpected(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  const std::vector<std::string> words = app.remaining();
  const auto option = std::ranges::find_if(
      words, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (option == words.end())
    return fmt::format("`{}` is not expected: there is one input file", words.front());
  const std::string name = option->substr(0, option->find('='));
  const std::vector<std::string> of_run = {"--steps",   "--in",     "--out",    "--plot",
                                           "--param",   "--first",  "--points", "--seed",
                                           "--devices", "--dry-run"};
  if (std::ranges::find(of_run, name) != of_run.end())
    return fmt::format("`{}` is an option of `stencilc run`", name);
  const std::string close = diag::nearest(name, known);
  if (const std::string other = close.empty() ? diag::nearest(name, of_run) : ""; !other.empty())
    return fmt::format("there is no option `{}`; did you mean `{}` of `stencilc run`?", name,
                       other);
  return fmt::format("there is no option `{}`", name) +
         (close.empty() ? "" : fmt::format("; did you mean `{}`?", close));
}

// The message for an option without its value, with too many values, or given twice.
std::string mismatched(const CLI::ParseError& error) {
  const std::string text = error.what();
  std::string option = text.substr(0, text.find_first_of(": "));
  if (!option.starts_with('-')) option = "--" + option;
  if (option == "--optimise") option = "-O";
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  return fmt::format("`{}` {}", option,
                     has("missing")    ? "needs a value"
                     : has("override") ? "takes no value"
                                       : "is given twice");
}

}  // namespace

int usage_error(const std::string& text, const std::string& command) {
  std::cerr << "stencilc: error: " << diag::printable(text) << "\nstencilc: `" << command
            << " --help` lists the options\n";
  return kUsage;
}

std::span<const std::pair<std::string_view, std::string_view>> short_spellings() {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShort = {
      {{"-MD", "--write-dependencies"},
       {"-MF", "--dependency-file"},
       {"-MT", "--dependency-target"},
       {"-MP", "--phony-dependencies"},
       {"-O", "--optimise"},
       {"-W", "--warning"}}};
  return kShort;
}

std::vector<std::string> normalised(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    std::string text = argument;
    for (const auto& [ours, theirs] : short_spellings())
      if (argument == ours && ours.size() == 3) text = theirs;
    if (argument.starts_with("-O")) text = "--optimise=" + argument.substr(2);
    if (argument.starts_with("-W") && argument.size() > 2) text = "--warning=" + argument.substr(2);
    result.push_back(text);
  }
  return result;
}

bool expand_response_files(std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '@') {
      result.push_back(argument);
      continue;
    }
    const Text file = read_text(argument.substr(1), kMaxSource);
    if (!file.problem.empty()) {
      std::cerr << "stencilc: error: cannot read the response file `"
                << diag::printable(argument.substr(1)) << "`: " << file.problem << "\n";
      return false;
    }
    std::string word;
    char quote = 0;
    bool open = false;
    for (const char c : file.text) {
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? 0 : c;
        open = true;
      } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
        if (open) result.push_back(std::exchange(word, ""));
        open = false;
      } else {
        word += c;
        open = true;
      }
    }
    if (open) result.push_back(word);
  }
  arguments = std::move(result);
  return true;
}

int collect_pairs(const std::vector<std::string>& texts, const char* option,
                  std::vector<NameValue>& out) {
  for (const std::string& text : texts) {
    const auto pair = name_value(text);
    if (!pair) return usage_error(fmt::format("`{} {}`: write name=value", option, text));
    out.push_back(*pair);
  }
  return 0;
}

std::optional<int> parse_words(CLI::App& app, std::vector<std::string> words,
                               const std::string& command) {
  if (record(app, command)) return kOk;
  std::reverse(words.begin(), words.end());  // the order that the library needs
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
  try {
    app.parse(words);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ExtrasError&) {
    return usage_error(unexpected(app), command);
  } catch (const CLI::ArgumentMismatch& error) {
    return usage_error(mismatched(error), command);
  } catch (const CLI::RequiredError&) {
    return usage_error("no input file", command);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what(), command);
  }
  return {};
}

std::optional<int> set_size(const std::string& text, std::vector<int64_t>& size) {
  if (text.empty()) return {};
  const auto extents = parse_size(text);
  if (!extents) return usage_error(fmt::format("`--size {}`: write a size such as 1024x768", text));
  size = *extents;
  return {};
}

int unknown_word(const char* what, const std::string& name, const std::vector<std::string>& known,
                 const char* page) {
  const std::string close = diag::nearest(name, known);
  return usage_error(fmt::format("there is no {} `{}`; {}", what, name,
                                 close.empty() ? fmt::format("docs/{} lists them", page)
                                               : fmt::format("did you mean `{}`?", close)));
}

}  // namespace stencilc::driver
