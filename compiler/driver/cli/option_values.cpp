#include "driver/cli/option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "diag/diagnostic.h"

namespace stencilc::driver {
namespace {

bool is_whole(const std::string& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

}  // namespace

void refuse_value(const std::string& option, const std::string& value, const std::string& why) {
  // -O and its value are one word.
  const std::string given =
      option == "--optimise" ? "-O" + value : fmt::format("{} {}", option, value);
  throw CLI::ValidationError(fmt::format("`{}`: {}", given, why));
}

void refuse_whole(const std::string& option, const std::string& value, const std::string& least,
                  const std::string& most) {
  if (!is_whole(value)) refuse_value(option, value, "write a whole number in decimal digits");
  const bool below = value[0] == '-' || value == "0";
  refuse_value(option, value,
               below ? fmt::format("the least is {}", least) : fmt::format("the most is {}", most));
}

void add_max_workspace(CLI::App& app, std::optional<uint64_t>& to) {
  const auto read = [&to](const std::string& text) {
    uint64_t bytes = 0;
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, bytes);
    if (error != std::errc() || next != end)
      refuse_whole("--max-workspace", text, "0", std::to_string(UINT64_MAX));
    to = bytes;
  };
  app.add_option_function<std::string>(
         "--max-workspace", read,
         "Keep values of at most so many bytes in memory, on a grid of --size")
      ->type_name("BYTES");
}

void add_devices(CLI::App& app, std::vector<int>& to, const std::string& help) {
  const auto read = [&to](const std::string& text) {
    constexpr int kMost = 1024;
    const std::string option = "--devices";
    std::vector<int> numbers;
    for (const char *at = text.data(), *const end = at + text.size(); true; ++at) {
      int number = 0;
      const auto [next, error] = std::from_chars(at, end, number);
      if (error != std::errc() || number < 0 || number > kMost || (next != end && *next != ','))
        refuse_value(option, text,
                     fmt::format("write how many devices, at most {}, or a list of their numbers, "
                                 "such as 0,2",
                                 kMost));
      if (std::ranges::find(numbers, number) != numbers.end())
        refuse_value(option, text, fmt::format("device {} is named twice", number));
      numbers.push_back(number);
      at = next;
      if (at == end) break;
    }
    if (numbers.size() > 1) {
      to = numbers;
      return;
    }
    if (numbers[0] == 0) refuse_value(option, text, "the least is 1");
    to.clear();
    for (int device = 0; device < numbers[0]; ++device) to.push_back(device);
  };
  app.add_option_function<std::string>("--devices", read, help)->type_name("N");
}

CLI::Option* add_real(CLI::App& app, const std::string& option, double& to, const std::string& help,
                      double least, double most) {
  const auto read = [option, &to, least, most](const std::string& text) {
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, to);
    if (next != end || error == std::errc::invalid_argument || std::isnan(to))
      refuse_value(option, text, "write a number");
    if (error != std::errc() || !std::isfinite(to) || to < least || to > most)
      refuse_value(option, text, fmt::format("write a number from {} to {}", least, most));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name("NUMBER");
}

CLI::Option* add_reals(CLI::App& app, const std::string& option, std::vector<double>& to,
                       const std::string& help) {
  const auto read = [option, &to](const std::string& text) {
    to.clear();
    const char *at = text.data(), *const end = at + text.size();
    while (true) {
      const auto [next, error] = std::from_chars(at, end, to.emplace_back());
      if (error != std::errc() || !std::isfinite(to.back()) || (next != end && *next != ','))
        refuse_value(option, text, "write numbers with commas, such as 0.1,0.1,0.25");
      if (next == end) break;
      at = next + 1;
    }
  };
  return app.add_option_function<std::string>(option, read, help)->type_name("NUMBERS");
}

CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& to,
                        const std::string& help, const std::vector<std::string>& choices) {
  const auto read = [option, &to, choices](const std::string& text) {
    if (std::ranges::find(choices, text) == choices.end()) {
      const std::string close = diag::nearest(text, choices);
      refuse_value(option, text,
                   close.empty() ? "write " + diag::listed(choices, "or")
                                 : fmt::format("did you mean `{}`?", close));
    }
    to = text;
  };
  return app.add_option_function<std::string>(option, read, help)
      ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

void add_diagnostics_options(CLI::App& app, std::string& color, int& error_limit,
                             std::string& format) {
  add_choice(app, "--color", color, "Whether messages are coloured; auto: on a terminal",
             {"auto", "always", "never"});
  add_whole(app, "--error-limit", error_limit,
            "Stop after this many errors (default: 20; 0: print all)", 0);
  add_choice(app, "--diagnostics-format", format,
             "Print messages as text, or as one JSON object per line", {"gnu", "json"});
}

}  // namespace stencilc::driver
