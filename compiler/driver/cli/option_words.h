// Handles the words of a command line before and after the option library.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Prints the message and which --help to read. Returns the exit code for wrong usage.
int usage_error(const std::string& text, const std::string& command = "stencilc");

// The same for an unknown name, with the name that was likely meant, or the page of docs/ that
// lists them.
int unknown_word(const char* what, const std::string& name, const std::vector<std::string>& known,
                 const char* page);

// Short spellings that are no options of the option library, and the options that they stand for. A
// value of -O and -W follows in the same word.
std::span<const std::pair<std::string_view, std::string_view>> short_spellings();

// Replaces short spellings that the option library does not know (-MD, -O2, -Wname) by long
// options.
std::vector<std::string> normalised(const std::vector<std::string>& arguments);

// Replaces @file by the words in the file, which are separated by white space and may be quoted.
// Returns false after an error.
bool expand_response_files(std::vector<std::string>& arguments);

// Splits each text into name and value. Returns 0, or an exit code after an error.
int collect_pairs(const std::vector<std::string>& texts, const char* option,
                  std::vector<NameValue>& out);

// Parses the words. For an unknown option, the message names the one that was likely meant. Returns
// an exit code if help was printed or the usage is wrong.
std::optional<int> parse_words(CLI::App& app, std::vector<std::string> words,
                               const std::string& command);

// Reads "512x256x128", or "" for no size. Returns an exit code after an error.
std::optional<int> set_size(const std::string& text, std::vector<int64_t>& size);

}  // namespace stencilc::driver
