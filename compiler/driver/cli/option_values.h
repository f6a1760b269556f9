// Adds options whose values are numbers or words of a list. The option library itself would read
// 010 as 8, accept numbers that are too large, and print the range of all doubles.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace stencilc::driver {

// Ends the parsing of the command line with an error about a value.
[[noreturn]] void refuse_value(const std::string& option, const std::string& value,
                               const std::string& why);

// Ends it with what is wrong with a whole number: its form, or its size.
[[noreturn]] void refuse_whole(const std::string& option, const std::string& value,
                               const std::string& least, const std::string& most);

// Adds an option that takes a whole number in decimal digits, from `least` to `most`.
template <class T>
CLI::Option* add_whole(CLI::App& app, const std::string& option, T& to, const std::string& help,
                       std::type_identity_t<T> least,
                       std::type_identity_t<T> most = std::numeric_limits<T>::max()) {
  const auto read = [option, &to, least, most](const std::string& text) {
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, to);
    if (error != std::errc() || next != end || to < least || to > most)
      refuse_whole(option, text, std::to_string(least), std::to_string(most));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name("N");
}

// Adds --max-workspace.
void add_max_workspace(CLI::App& app, std::optional<uint64_t>& to);

// Adds --devices: how many, which are the first ones, or a list of their numbers.
void add_devices(CLI::App& app, std::vector<int>& to, const std::string& help);

// Adds an option that takes a number, from `least` to `most`.
CLI::Option* add_real(CLI::App& app, const std::string& option, double& to, const std::string& help,
                      double least, double most);

// Adds an option that takes one of several words.
// Numbers with commas: 0.1,0.1,0.25.
CLI::Option* add_reals(CLI::App& app, const std::string& option, std::vector<double>& to,
                       const std::string& help);

CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& to,
                        const std::string& help, const std::vector<std::string>& choices);

// Adds the options for the form of diagnostics, which all commands have.
void add_diagnostics_options(CLI::App& app, std::string& color, int& error_limit,
                             std::string& format);

}  // namespace stencilc::driver
