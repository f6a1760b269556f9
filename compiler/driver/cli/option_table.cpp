#include "driver/cli/option_table.h"

#include <algorithm>

#include "driver/cli/option_words.h"

namespace stencilc::driver {
namespace {

std::vector<CommandRow>*& recording() {
  static std::vector<CommandRow>* rows = nullptr;
  return rows;
}

// The words of "auto|always|never".
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  std::string left = type;
  while (!left.empty()) {
    const size_t end = left.find('|');
    words.push_back(left.substr(0, end));
    left = end == std::string::npos ? "" : left.substr(end + 1);
  }
  return words;
}

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) {
    for (const auto& [ours, theirs] : short_spellings())
      if (theirs == "--" + name) row.names.emplace_back(ours);
    row.names.push_back("--" + name);
  }
  row.help = option.get_description();
  if (option.get_items_expected_max() == 0) return row;
  std::string type = option.get_type_name();
  std::erase_if(type, [](char c) { return c == '[' || c == ']'; });  // of one that may be missing
  row.choices = choices_of(type);
  row.value = row.choices.empty() ? type : "WHAT";
  row.may_lack_value = option.get_items_expected_min() == 0;
  if (row.value.empty()) row.value = "VALUE";
  return row;
}

}  // namespace

bool OptionRow::takes_file() const {
  return std::ranges::any_of(std::vector{"FILE", "SOURCE", "FOLDER"}, [&](const char* part) {
    return value.find(part) != std::string::npos;
  });
}

std::vector<CommandRow> recorded(const std::function<void()>& parse) {
  std::vector<CommandRow> rows;
  recording() = &rows;
  parse();
  recording() = nullptr;
  return rows;
}

bool record(const CLI::App& app, const std::string& command) {
  if (recording() == nullptr) return false;
  CommandRow row;
  const size_t blank = command.find(' ');
  if (blank != std::string::npos) row.name = command.substr(blank + 1);
  row.description = app.get_description();
  for (const CLI::Option* const option : app.get_options())
    if (!option->get_positional()) row.options.push_back(row_of(*option));
  recording()->push_back(std::move(row));
  return true;
}

}  // namespace stencilc::driver
