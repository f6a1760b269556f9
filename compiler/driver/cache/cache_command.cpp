#include "driver/cache/cache_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iostream>

#include "diag/excerpt.h"
#include "driver/cli/option_values.h"
#include "driver/cli/option_words.h"
#include "driver/system/build_cache.h"
#include "driver/system/cache_limit.h"
#include "driver/system/exit_codes.h"
#include "driver/system/memory.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

// "2GB", "1.5GiB", "500M", "none". M is 10^6 and Mi 2^20.
std::optional<uint64_t> parse_limit(std::string text) {
  if (text == "none") return kNoCacheLimit;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !(number >= 0)) return {};
  std::string unit(next, end);
  if (unit.ends_with('B')) unit.pop_back();
  const bool binary = unit.size() == 2 && unit[1] == 'i';
  constexpr std::string_view kUnits = "KMGT";
  size_t power = 0;
  if (!unit.empty()) {
    power = kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0])))) + 1;
    if (power == 0 || (unit.size() > 1 && !binary)) return {};
  }
  const double bytes = number * std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power));
  if (bytes >= 9e18) return {};
  return static_cast<uint64_t>(bytes);
}

std::string print_limit(uint64_t limit) {
  return limit == kNoCacheLimit ? "none" : print_bytes(static_cast<double>(limit));
}

std::string counted(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "y" : "ies");
}

void report(const Trimmed& trimmed) {
  std::cout << fmt::format("removed {}, {}; {} are left\n",
                           counted(static_cast<size_t>(trimmed.removed), "entr"),
                           print_bytes(static_cast<double>(trimmed.bytes)),
                           print_bytes(static_cast<double>(trimmed.left)));
  if (trimmed.kept > 0)
    std::cout << fmt::format("{} in use by other processes\n",
                             counted(static_cast<size_t>(trimmed.kept), "entr"));
}

void show(const fs::path& folder) {
  const std::vector<CacheEntry> entries = cache_entries(folder);
  uint64_t bytes = 0;
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  std::cout << fmt::format("folder   {}\nlimit    {}\nholds    {}, {}\n",
                           diag::printable(folder.string()), print_limit(cache_limit(folder)),
                           counted(entries.size(), "entr"),
                           print_bytes(static_cast<double>(bytes)));
  if (entries.empty()) return;
  std::cout << fmt::format("\n{:>10}  {:<16}  {}\n", "size", "last used", "entry");
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    std::cout << fmt::format("{:>10}  {:%Y-%m-%d %H:%M}  {}\n",
                             print_bytes(static_cast<double>(entry->bytes)),
                             fmt::localtime(static_cast<std::time_t>(entry->used / 1000000000)),
                             diag::printable(entry->path.filename().string()));
}

}  // namespace

std::optional<int> parse_cache_options(const std::vector<std::string>& words, Options& options) {
  options.command = Options::keep_cache;
  CLI::App app(
      "Shows and changes the cache of libraries that `stencilc run` and other commands have "
      "built.\n"
      "  stencilc cache --show\n"
      "  stencilc cache --limit 2GB",
      "stencilc cache");
  app.add_flag("--show", options.cache.show, "List the entries, the one used last first (default)");
  app.add_option_function<std::string>(
         "--limit",
         [&](const std::string& text) {
           options.cache.limit = parse_limit(text);
           if (!options.cache.limit)
             refuse_value("--limit", text, "write a size, such as 2GB or 500MiB, or `none`");
         },
         "Keep at most so many bytes, from now on: 2GB, 500MiB or none (2 GiB at first); entries "
         "that were used least recently go first")
      ->type_name("SIZE");
  app.add_flag("--clear", options.cache.clear, "Remove all entries that no process uses");
  return parse_words(app, {words.begin() + 1, words.end()}, "stencilc cache");
}

int cache_command(const Options& options) {
  const UsualCache cache = usual_cache();
  if (!cache.problem.empty()) {
    std::cerr << fmt::format("stencilc: error: the cache `{}` is not used: {}\n",
                             diag::printable(cache.folder.string()), cache.problem);
    return kInputOutput;
  }
  if (options.cache.limit) {
    const std::string why = set_cache_limit(cache.folder, *options.cache.limit);
    if (!why.empty()) {
      std::cerr << fmt::format("stencilc: error: cannot write to `{}`: {}\n",
                               diag::printable(cache.folder.string()), why);
      return kInputOutput;
    }
    std::cout << fmt::format("limit    {}\n", print_limit(*options.cache.limit));
  }
  if (options.cache.clear || options.cache.limit)
    report(trim_cache(cache.folder, options.cache.clear ? 0 : *options.cache.limit));
  if (options.cache.show || (!options.cache.clear && !options.cache.limit)) show(cache.folder);
  return kOk;
}

}  // namespace stencilc::driver
