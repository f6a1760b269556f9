#include "driver/option_words.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <iostream>

#include "driver/exit_codes.h"
#include "driver/files.h"

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

}  // namespace

int usage_error(const std::string& text, const std::string& command) {
  std::cerr << "stencilc: error: " << text << "\nstencilc: `" << command
            << " --help` lists the options\n";
  return kUsage;
}

std::vector<std::string> normalised(const std::vector<std::string>& arguments) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWhole = {
      {{"-MD", "--write-dependencies"},
       {"-MF", "--dependency-file"},
       {"-MT", "--dependency-target"},
       {"-MP", "--phony-dependencies"}}};
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    std::string text = argument;
    for (const auto& [ours, theirs] : kWhole)
      if (argument == ours) text = theirs;
    if (argument.starts_with("-O") && argument.size() > 2)
      text = "--optimise=" + argument.substr(2);
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
      std::cerr << "stencilc: error: cannot read the response file `" << argument.substr(1)
                << "`: " << file.problem << "\n";
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
    if (!pair) return usage_error(fmt::format("`{} {}`: name=value is expected", option, text));
    out.push_back(*pair);
  }
  return 0;
}

std::string no_count(const std::string& text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  const bool good = error == std::errc() && next == end && value >= 0;
  return good ? "" : fmt::format("`{}` is no number from 0 to 2^63 - 1", text);
}

std::optional<int> set_size(const std::string& text, std::vector<int64_t>& size) {
  if (text.empty()) return {};
  const auto extents = parse_size(text);
  if (!extents)
    return usage_error(fmt::format("`--size {}`: extents such as 1024x768 are expected", text));
  size = *extents;
  return {};
}

}  // namespace stencilc::driver
