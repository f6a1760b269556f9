// The man page, and completions for shells, from the table of all options.
#pragma once

#include <string>
#include <vector>

#include "driver/cli/option_table.h"

namespace stencilc::driver {

// What --generate can make.
std::vector<std::string> generated_kinds();

// The text of that kind.
std::string generated_text(const std::string& kind, const std::vector<CommandRow>& commands);

std::string bash_completion(const std::vector<CommandRow>& commands);
std::string zsh_completion(const std::vector<CommandRow>& commands);
std::string fish_completion(const std::vector<CommandRow>& commands);
std::string man_page(const std::vector<CommandRow>& commands);

// The first sentence of the description of a command, without its full stop.
std::string summary(const CommandRow& command);

// The text with each of the characters after a backslash.
std::string escaped(const std::string& text, const std::string& characters);

}  // namespace stencilc::driver
