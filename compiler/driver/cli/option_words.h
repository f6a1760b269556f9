// The words of a command line, before and behind the option library.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace stencilc::driver {

// Prints the text and whose --help to ask, and gives the exit code of wrong usage.
int usage_error(const std::string& text, const std::string& command = "stencilc");

// The same of a name that a page of docs/ lists, with what is likely meant.
int unknown_word(const char* what, const std::string& name, const std::vector<std::string>& known,
                 const char* page);

// Spellings of compilers that the option library does not know, as long options.
std::vector<std::string> normalised(const std::vector<std::string>& arguments);

// @file stands for the words in the file: separated by white space, in quotes where they contain
// some. False after a message.
bool expand_response_files(std::vector<std::string>& arguments);

// Each text as name=value. Returns 0, or an exit code after a message.
int collect_pairs(const std::vector<std::string>& texts, const char* option,
                  std::vector<NameValue>& out);

// Parses the words; of an unknown option the message names the one that is likely meant. A number
// ends the program: help was printed, or the usage is wrong.
std::optional<int> parse_words(CLI::App& app, std::vector<std::string> words,
                               const std::string& command);

// "512x256x128", or "" for no size. An exit code after a message.
std::optional<int> set_size(const std::string& text, std::vector<int64_t>& size);

}  // namespace stencilc::driver
