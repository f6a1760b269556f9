// stencilc as people run it: in a folder of its own, which goes away.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "support/process.h"
#include "support/rows.h"
#include "support/text.h"

namespace stencilc::test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using testing::expect_begins;
using testing::expect_has;
using testing::expect_lacks;
using testing::has;

// A program with two schedules for a CPU, which are built once where several tests time them.
inline constexpr const char* kTwoStages =
    "stencil s { axes x, y; field f32 u, v boundary clamp; u[t+1] = 2*u[x-1]; v[t+1] = v + "
    "u[x-1, t+1]; }";

class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "stencilc-cli-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  // With a text in a file of it.
  Workplace(const std::string& name, const std::string& text) : Workplace() { write(name, text); }
  Workplace(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  // Built kernels are in the folder "cache" of this one; otherwise in one that all tests share,
  // also those of other processes.
  bool own_cache = false;
  // g++ builds as for users; otherwise without optimization, as most programs run for a
  // millisecond.
  bool optimizes = false;
  int threads = 2;  // of programs for the CPU

  // `stencilc words...`, as the shell reads them.
  Finished stencilc(const std::string& words) const {
    return shell("exec '" STENCILC_BINARY "' " + words);
  }
  // The same of words that no shell reads.
  Finished stencilc_of(const Names& words) const {
    Names command = {STENCILC_BINARY};
    command.insert(command.end(), words.begin(), words.end());
    return run(path, command);
  }
  Finished shell(const std::string& line) const {
    std::string before = "export OMP_NUM_THREADS=" + std::to_string(threads) +
                         " OMP_WAIT_POLICY=passive XDG_CACHE_HOME='" +
                         (own_cache ? path / "cache" : shared_cache()).string() + "'";
#ifndef STENCILC_ALL_TESTS
    if (!optimizes)
      before += " PATH='" + (common() / "bin").string() +
                "':\"$PATH\" STENCILC_QUICK='" STENCILC_BINARY_DIR "/tests/quick'";
#endif
    return run(path, {"sh", "-c", before + "\n" + line});
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
  // A program for the shell.
  void program(const std::string& name, const std::string& lines) const {
    write(name, "#!/bin/sh\n" + lines);
    fs::permissions(path / name, fs::perms::owner_all);
  }
  void example(const std::string& name) const {
    fs::copy_file(fs::path(STENCILC_SOURCE_DIR) / "examples" / (name + ".stn"),
                  path / (name + ".stn"));
  }
  std::string read(const std::string& name) const { return test::read(path / name); }
  bool exists(const std::string& name) const { return fs::exists(path / name); }
  // The names in the folder, in order.
  Names files() const { return names_in(path); }
  static Names names_in(const fs::path& folder) {
    Names names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path path;

 private:
  // What is built with other options of g++, unknown to stencilc, lies elsewhere.
  fs::path shared_cache() const {
#ifdef STENCILC_ALL_TESTS
    const char* const name = "cache-all";
#else
    const char* const name = optimizes ? "cache-optimized" : "cache";
#endif
    return fs::path(STENCILC_BINARY_DIR) / "tests" / name;
  }

  // The g++ there builds without optimization, and what it builds of `stencilc bench` is not held
  // against copies of 512 MiB.
  static const fs::path& common() {
    static const Workplace place;
    [[maybe_unused]] static const bool made = [] {
      fs::create_directory(place.path / "bin");
      place.program("bin/g++", R"(here=$(dirname "$0") all=:$PATH: before=
PATH=${all%%":$here:"*}:${all#*":$here:"}  # the next g++
for word; do
  [ "$before" != -I ] || [ ! -e "$word/stencil/bench_cpu.h" ] ||
    sed -i 's/int64_t{1} << 26/int64_t{1} << 16/' "$word/stencil/bench_cpu.h"
  before=$word
done
exec ')" STENCILC_SOURCE_DIR R"(/tests/quick/g++' "$@"
)");
      return true;
    }();
    return place.path;
  }
};

// A command that has ended with this status, or the test fails and shows what was said.
inline Finished ended(Finished finished, int status = 0,
                      const testing::Here& here = testing::Here::current()) {
  if (finished.status != status)
    ADD_FAILURE_AT(here.file_name(), static_cast<int>(here.line()))
        << "it ended with " << finished.status << " for " << status << "\n"
        << finished.out << finished.err;
  return finished;
}

// The lines stand one after the other in a text; where one begins or ends with `...`, more of it
// stands there.
inline void expect_lines(const std::string& text, const Names& lines) {
  const auto fits = [](std::string line, std::string form) {
    const bool more = form.ends_with("..."), before = form.starts_with("...");
    if (more) form.resize(form.size() - 3);
    if (before) form.erase(0, 3);
    if (before && more) return testing::has(line, form);
    return before ? line.ends_with(form) : more ? line.starts_with(form) : line == form;
  };
  const Names all = testing::lines_of(text);
  for (size_t at = 0; at + lines.size() <= all.size(); ++at)
    if (std::equal(lines.begin(), lines.end(), all.begin() + static_cast<std::ptrdiff_t>(at),
                   [&](const std::string& form, const std::string& line) {
                     return fits(testing::trimmed(line), form);
                   }))
      return;
  std::string expected;
  for (const std::string& line : lines) expected += line + "\n";
  ADD_FAILURE() << "no\n" << expected << "in\n" << text;
}

// Rows of words, of the exit status, and of lines that are said; nothing is printed.
template <class Command>
requires std::is_invocable_v<Command, std::string>
void expect_refused(const Command& command, std::string_view table) {
  for (const testing::Cells& row : testing::rows(table)) {
    SCOPED_TRACE(row.at(0));
    const Finished finished = command(row[0]);
    EXPECT_EQ(finished.status, std::stoi(row.at(1))) << finished.err;
    EXPECT_EQ(finished.out, "");
    expect_lines(finished.err, {row.begin() + 2, row.end()});
  }
}

// The same of words behind others, as stencilc takes them; and the folder is as before.
inline void expect_refused(const Workplace& here, const std::string& before,
                           std::string_view table) {
  const Names files = here.files();
  const auto command = [&](const std::string& words) {
    const Finished finished = here.stencilc(before + words);
    EXPECT_EQ(here.files(), files);
    return finished;
  };
  expect_refused(command, table);
}

}  // namespace stencilc::test
