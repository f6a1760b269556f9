// Files and folders that the system refuses, and numbers too large to hold: mistakes like others,
// and no bugs of the compiler.
#include <gtest/gtest.h>

#include <chrono>

#include "driver/system/files.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::ended;
using test::Finished;
using test::Workplace;

constexpr const char* kShiftLine =
    "stencil a { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }";

// The words with LONG for a name of 300 characters, in HERE, which the links `loop` and `loop.cu`
// lead round in.
class Refusing : public Workplace {
 public:
  Refusing() : Workplace("a.stn", kShiftLine) {
    std::filesystem::create_symlink("loop", path / "loop");
    std::filesystem::create_symlink("loop.cu", path / "loop.cu");
  }
  std::string filled(std::string text) const {
    for (const auto& [name, value] :
         {std::pair<std::string, std::string>{"LONG", std::string(300, 'n')},
          {"HERE", path.string()}})
      for (size_t at; (at = text.find(name)) != text.npos;) text.replace(at, name.size(), value);
    return text;
  }
  // Runs lines for the shell and expects the exit status and what is said.
  void expect(const std::string& table, const std::string& before) const {
    for (const testing::Cells& row : testing::rows(table)) {
      SCOPED_TRACE(row[0]);
      const test::Names old = files();
      const Finished finished = shell(filled(before + "'" STENCILC_BINARY "' " + row[0]));
      EXPECT_EQ(std::to_string(finished.status), row.at(1)) << finished.err;
      test::expect_lines(finished.err, {filled(row.at(2))});
      EXPECT_EQ(files(), old);
    }
  }
};

TEST(Files, WhatTheSystemRefusesIsSaid) {
  const Refusing here;
  here.expect(R"(
    a.stn -o a.stn/x.cu   => 3 => stencilc: error: cannot write `a.stn/x.h`: Not a directory [STN0702]
    a.stn -o /proc/x/y.cu => 3 => stencilc: error: cannot write `/proc/x/y.h`: No such file or directory [STN0702]
    a.stn -o LONG.cu      => 3 => stencilc: error: cannot write `LONG.h`: File name too long [STN0702]
    a.stn -o x.cu -H LONG => 3 => stencilc: error: cannot write `LONG`: File name too long [STN0702]
    a.stn -o loop/x.cu    => 3 => stencilc: error: cannot write `loop/x.h`: Too many levels of symbolic links [STN0702]
    a.stn -o loop.cu      => 3 => stencilc: error: cannot write `loop.cu`: Too many levels of symbolic links [STN0702]
    a.stn -o x.cu -MD -MF loop/d
      => 3 => stencilc: error: cannot write `loop/d`: Too many levels of symbolic links [STN0702]
    a.stn --emit=ir -o LONG => 3 => stencilc: error: cannot write `LONG`: File name too long [STN0702]
    LONG.stn              => 3 => stencilc: error: cannot read `LONG.stn`: File name too long [STN0701]
    loop                  => 3 => stencilc: error: cannot read `loop`: Too many levels of symbolic links [STN0701]
    fmt loop              => 3 => stencilc: error: cannot read `loop`: Too many levels of symbolic links [STN0701]
    a.stn --tune LONG     => 3 => stencilc: error: cannot read `LONG`: File name too long [STN0701]
    @loop      => 3 => stencilc: error: cannot read the response file `loop`: Too many levels of symbolic links
    @.         => 3 => stencilc: error: cannot read the response file `.`: it is a directory
    run a.stn --target=cpu --size 4 --in u=LONG.npy
      => 3 => stencilc: error: cannot read `LONG.npy`: File name too long [STN0701]
  )",
              "");
}

TEST(Files, AFolderThatIsGoneIsNoReasonToStop) {
  const Refusing here;
  const std::string gone = "mkdir gone && cd gone && rmdir ../gone\n";
  here.expect(R"(
    HERE/a.stn -o x.cu => 3 => stencilc: error: cannot write `x.h`: No such file or directory [STN0702]
    HERE/a.stn         => 3 => stencilc: error: cannot write `a.h`: No such file or directory [STN0702]
    a.stn              => 3 => stencilc: error: cannot read `a.stn`: No such file or directory [STN0701]
    fmt a.stn          => 3 => stencilc: error: cannot read `a.stn`: No such file or directory [STN0701]
  )",
              gone);
  EXPECT_EQ(
      here.shell(here.filled(gone + "exec '" STENCILC_BINARY "' HERE/a.stn -o HERE/x.cu")).status,
      0);
  EXPECT_TRUE(here.exists("x.cu"));
}

TEST(Files, WithoutAFolderForTemporaryFilesAProgramRuns) {
  const Workplace here("a.stn", kShiftLine);
  EXPECT_EQ(ended(here.shell("TMPDIR=/none exec '" STENCILC_BINARY
                             "' run a.stn --target=cpu --size 4 --in u=zero"))
                .err,
            "");
}

TEST(Files, WhatNoMemoryHoldsIsALimit) {
  // That of the fields is asked for before (RunStart.AFileLargerThanMemoryIsNotRead).
  const Workplace here("a.stn",
                       "stencil a { axes x; field f32 u; points p; series f32 r(p); u[t+1] = 2*u; "
                       "sample r[t] = u at p; }");
  EXPECT_EQ(ended(here.shell("truncate -s 900G p.npy; ulimit -v 1000000; exec '" STENCILC_BINARY
                             "' run a.stn --target=cpu --points p=p.npy"),
                  4)
                .err,
            "stencilc: error: there is not enough memory\n");
}

// A compilation that waits for somebody to read its output, with the header on its way, and what a
// signal leaves of it.
TEST(Files, WhatIsOnItsWayGoesWithASignalOrWithTheNextRun) {
  const Workplace here("a.stn", kShiftLine);
  const auto left_by = [&](const std::string& signal) {
    const Finished run =
        here.shell("rm -f a.h* a.cu*; mkfifo a.cu; '" STENCILC_BINARY
                   "' a.stn -H a.h & for n in 1 2 3 4 5 6 7 8 9 10; do ls a.h.tmp-* "
                   ">/dev/null 2>&1 && break; sleep 0.2; "
                   "done; kill -" +
                   signal + " $!; wait $!; echo $?; ls a.h*; rm a.cu");
    return run.out;
  };
  EXPECT_EQ(left_by("TERM"), "143\n");
  EXPECT_EQ(left_by("HUP"), "129\n");
  const std::string killed = left_by("KILL");
  EXPECT_TRUE(killed.starts_with("137\na.h.tmp-")) << killed;
  EXPECT_EQ(here.stencilc("a.stn").status, 0);
  EXPECT_EQ(here.files(), (test::Names{"a.cu", "a.h", "a.stn"}));
}

// In two pieces of memory, of which the second one is longer than what is compared at once.
TEST(Files, OnlyAFileThatHoldsTheSameKeepsItsTime) {
  const Workplace here("a.stn", kShiftLine);
  const std::string path = (here.path / "file").string();
  std::string cells(200000, 'c');
  const auto old = test::fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto is_kept = [&](const std::string& head) {
    test::fs::last_write_time(path, old);
    EXPECT_EQ(driver::write_text(path, head, cells), "");
    EXPECT_EQ(here.read("file"), head + cells);
    return test::fs::last_write_time(path) == old;
  };
  here.write("file", "earlier");
  EXPECT_FALSE(is_kept("head"));
  EXPECT_TRUE(is_kept("head"));
  EXPECT_FALSE(is_kept("Head"));
  for (const size_t other : {size_t{0}, cells.size() / 2, cells.size() - 1}) {
    cells[other] = 'd';
    EXPECT_FALSE(is_kept("Head")) << other;
  }
  cells += 'e';
  EXPECT_FALSE(is_kept("Head"));
  EXPECT_EQ(here.files(), (test::Names{"a.stn", "file"}));
}

TEST(Files, HeaderAndCodeOfTwoRunsDoNotCompile) {
  const Workplace here("a.stn", kShiftLine);
  const auto said = [&](const std::string& other) {
    here.write("b.stn", other);
    return here
        .shell("'" STENCILC_BINARY "' a.stn --target=cpu && '" STENCILC_BINARY
               "' b.stn --target=cpu -o b/a.cpp && cp b/a.h a.h && /usr/bin/env c++ -std=c++17 "
               "-fsyntax-only -I '" STENCILC_SOURCE_DIR "/runtime/include' a.cpp")
        .err;
  };
  std::filesystem::create_directory(here.path / "b");
  EXPECT_NE(said("stencil a { axes x; field f64 u boundary clamp; u[t+1] = u[x-1]; }")
                .find("#error the header and this file are from different runs of stencilc"),
            std::string::npos);
  // What it declares is the same.
  EXPECT_EQ(said("stencil a { axes x; field f32 u boundary zero; u[t+1] = u[x+1]; }"), "");
}

}  // namespace
}  // namespace stencilc
