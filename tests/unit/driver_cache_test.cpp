// The cache of built libraries: what is damaged is built again, what others could have written is
// not loaded, and what cannot be written is done without.
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::ended;
using test::expect_has;
using test::Finished;
using test::Workplace;

// `stencilc run` with a g++ that counts its calls and builds but once.
class Cached : public Workplace {
 public:
  Cached()
      : Workplace("shift.stn",
                  "stencil shift { axes x; field f32 u boundary periodic; u[t+1] = u[x-1]; }") {
    fs::create_directory(path / "bin");
    fs::create_directory(path / "tmp");
    program("bin/g++", R"(case $* in *--version*) exit ;; esac
echo built >>"${0%/bin/*}/builds"
made=${0%/*}/made.so
[ -e "$made" ] || PATH=${PATH#*:} g++ "$@" -o "$made" || exit
while [ "$1" != -o ]; do shift; done
echo "a log"
cp "$made" "$2"
)");
  }

  // Runs it after the lines for the shell. How often it was built, and what was said.
  std::string run(const std::string& lines) const {
    fs::remove(path / "builds");
    fs::remove(path / "u.npy");
    const Finished finished = shell(
        "here=$PWD; umask 022\nPATH=$here/bin:$PATH TMPDIR=$here/tmp XDG_CACHE_HOME=$here/cache\n"
        "export PATH TMPDIR\n" +
        lines +
        "\ncd \"$here\"; exec $as '" STENCILC_BINARY
        "' run shift.stn --target=cpu --size 4 --steps 1 --in u=ramp --out u=u.npy");
    EXPECT_TRUE(exists("u.npy"));
    std::string said = finished.err;
    for (size_t at; (at = said.find(path.string())) != said.npos;)
      said.replace(at, path.string().size(), ".");
    if (said.ends_with('\n')) said.pop_back();
    const size_t builds = exists("builds") ? testing::lines_of(read("builds")).size() : 0;
    return std::to_string(finished.status) + ", " + std::to_string(builds) + " built" +
           (said.empty() ? "" : ", " + said);
  }
};

TEST(Cache, WhatAProcessThatIsGoneBeganToBuildIsRemoved) {
  const Cached here;
  EXPECT_EQ(
      here.run(
          "mkdir -p -m 700 cache/stencilc; cd cache/stencilc; mkdir a-1.$$.0.tmp; "
          "(b=b-1.$(sh -c 'echo $PPID').0.tmp; mkdir $b c-${b#b-}; touch -d '2 hours ago' $b); "
          "touch -d '2 hours ago' a-*"),
      "0, 1 built");
  // The shell lives on as the compiler, and what is new may be another container's.
  std::string names;
  for (const std::string& name : Workplace::names_in(here.path / "cache/stencilc"))
    names += name.substr(0, 3) + ' ';
  EXPECT_EQ(names, "a-1 c-1 shi ");
}

// The lines are run in the folder of the entry.
TEST(Cache, ADamagedEntryIsBuiltAgain) {
  const Cached here;
  EXPECT_EQ(here.run(""), "0, 1 built");
  const std::string result = here.read("u.npy");
  const auto after = [&](const std::string& lines) {
    const std::string said = here.run("cd cache/stencilc/*-*\n" + lines);
    EXPECT_EQ(here.read("u.npy"), result);
    EXPECT_EQ(Workplace::names_in(here.path / "cache/stencilc").size(), 1u);
    return said;
  };
  testing::expect_rows(after, R"(
    true                                          => 0, 0 built
    : >library.so                                 => 0, 1 built
    truncate -s 5000 library.so                   => 0, 1 built
    printf x | dd of=library.so conv=notrunc seek=99 bs=1 2>/dev/null => 0, 1 built
    rm library.so                                 => 0, 1 built
    rm log                                        => 0, 1 built
    echo more >>log                               => 0, 1 built
    rm key                                        => 0, 1 built
    echo more >>key                               => 0, 1 built
    rm key && mkdir key                           => 0, 1 built
    rm library.so && mkdir library.so             => 0, 1 built
    rm -r "$PWD"                                  => 0, 1 built
    rm -r "$PWD" && : >"$PWD"                     => 0, 1 built
    true                                          => 0, 0 built
  )");
}

TEST(Cache, WhatOthersCouldHaveWrittenIsNotLoaded) {
  const Cached here;
  const std::string id = std::to_string(geteuid()), own = "tmp/stencilc-" + id;
  const std::string bare = "unset XDG_CACHE_HOME HOME; umask 002\n";  // as many people have it
  EXPECT_EQ(here.run(bare), "0, 1 built");
  EXPECT_EQ(here.run(bare), "0, 0 built");
  EXPECT_EQ(fs::status(here.path / own).permissions(), fs::perms::owner_all);
  const auto after = [&](std::string lines) {
    for (size_t at; (at = lines.find("OWN")) != lines.npos;) lines.replace(at, 3, own);
    const std::string said = here.run(bare + lines);
    EXPECT_EQ(Workplace::names_in(here.path / "tmp"), test::Names{"stencilc-" + id});
    const std::string place = "the cache `./" + own + "` is not used: ";
    const size_t at = said.find(place);
    return at == said.npos ? said : said.substr(0, at) + said.substr(at + place.size());
  };
  testing::expect_rows(after, R"(
    chmod g+w OWN/*/library.so => 0, 1 built
    chmod o+w OWN/*/           => 0, 1 built
    cd OWN/*/; mv library.so "$here/made.so"; ln -s "$here/made.so" . && mv made.so library.so => 0, 1 built
    true                       => 0, 0 built
    chmod g+w OWN => 0, 1 built, stencilc: others can write to it; builds are kept for this run only
    chmod 700 OWN; chmod 777 tmp
      => 0, 1 built, stencilc: others can replace it; builds are kept for this run only
    chmod 1777 tmp             => 0, 0 built
    mv OWN made && ln -s ../made OWN
      => 0, 1 built, stencilc: it is a symbolic link; builds are kept for this run only
    rm OWN; : >OWN => 0, 1 built, stencilc: it is not a folder; builds are kept for this run only
    rm OWN; mv made OWN        => 0, 0 built
  )");
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give files away";
  testing::expect_rows(after, R"(
    chown 65534 OWN/*/library.so => 0, 1 built
    chown 65534 OWN/*/           => 0, 1 built
    chown 65534 OWN
      => 0, 1 built, stencilc: it belongs to another user; builds are kept for this run only
    chown 0 OWN; chown 65534 tmp; chmod 755 tmp
      => 0, 1 built, stencilc: others can replace it; builds are kept for this run only
  )");
}

TEST(Cache, AFolderThatCannotBeWrittenIsDoneWithout) {
  const Cached here;
  const auto after = [&](const std::string& lines) {
    const std::string said = here.run("export XDG_CACHE_HOME HOME\n" + lines);
    EXPECT_EQ(Workplace::names_in(here.path / "tmp"), test::Names());
    return said;
  };
  testing::expect_rows(after, R"(
    XDG_CACHE_HOME=/proc/none   => 0, 1 built, stencilc: the cache `/proc/none/stencilc` is not used: No such file or directory; builds are kept for this run only
    XDG_CACHE_HOME=$here/shift.stn => 0, 1 built, stencilc: the cache `./shift.stn/stencilc` is not used: Not a directory; builds are kept for this run only
    unset XDG_CACHE_HOME; HOME=/dev/null => 0, 1 built, stencilc: the cache `/dev/null/.cache/stencilc` is not used: Not a directory; builds are kept for this run only
    XDG_CACHE_HOME=/proc/none TMPDIR=/none => 0, 1 built, stencilc: the cache `/proc/none/stencilc` is not used: No such file or directory; builds are kept for this run only
    XDG_CACHE_HOME=relative HOME=$here/home => 0, 1 built
    XDG_CACHE_HOME= HOME=$here/home => 0, 0 built
  )");
  if (here.shell("command -v setpriv >/dev/null && setpriv --reuid=65534 test -x '" STENCILC_BINARY
                 "'")
          .status != 0)
    GTEST_SKIP() << "this user cannot become another one";
  testing::expect_rows(after, R"(
    mkdir -p cache/stencilc; chown -R 65534 "$here"; chmod 500 cache/stencilc; as="setpriv --reuid=65534" => 0, 1 built, stencilc: the cache `./cache/stencilc` is not used: Permission denied; builds are kept for this run only
    chmod 700 cache/stencilc; as="setpriv --reuid=65534" => 0, 1 built
    chmod 500 cache/stencilc; as="setpriv --reuid=65534" => 0, 0 built
  )");
}

// Entries by the first letters of their names, and what the command prints.
std::string entries_of(const Workplace& here) {
  std::string names;
  for (const std::string& name : Workplace::names_in(here.path / "cache/stencilc"))
    names += name.substr(0, name.find('-')) + ' ';
  return names;
}

// Programs s0, s1, ... with a g++ that copies one library: only the cache takes time.
class Limited : public Workplace {
 public:
  explicit Limited(int programs) {
    own_cache = true;
    fs::create_directory(path / "bin");
    for (int n = 0; n < programs; ++n)
      write("s" + std::to_string(n) + ".stn",
            "stencil s" + std::to_string(n) +
                " { axes x; field f32 u boundary periodic; u[t+1] = u[x-1]; }");
    program("bin/g++", R"(case $* in *--version*) exit ;; esac
echo built >>"${0%/bin/*}/builds"
made=${0%/*}/made.so
[ -e "$made" ] || PATH=${PATH#*:} g++ "$@" -o "$made" || exit
while [ "$1" != -o ]; do shift; done
cp "$made" "$2"
)");
    ended(with(run(0)));
  }
  static std::string run(int n, const std::string& to = "u.npy") {
    return "'" STENCILC_BINARY "' run s" + std::to_string(n) +
           ".stn --target=cpu --size 4 --in u=ramp --out u=" + to + "\n";
  }
  Finished with(const std::string& lines) const {
    return shell("PATH=$PWD/bin:$PATH; export PATH\n" + lines);
  }
  // Of an entry; all have the same size.
  uint64_t bytes() const {
    return std::stoull(shell("echo $(($(du -s -B1 cache/stencilc/s0-* | cut -f1)))").out);
  }
};

TEST(CacheLimit, WhatWasUsedLeastRecentlyGoesFirst) {
  const Limited here(5);
  const std::string limit = std::to_string(here.bytes() * 7 / 2);  // three and a half
  expect_has(ended(here.with("'" STENCILC_BINARY "' cache --limit " + limit)).out,
             {"limit ", "removed 0 entries"});
  ended(here.with(Limited::run(1) + Limited::run(2)));
  EXPECT_EQ(entries_of(here), "limit s0 s1 s2 ");
  ended(here.with(Limited::run(0) + Limited::run(3)));  // s0 is used again
  EXPECT_EQ(entries_of(here), "limit s0 s2 s3 ");
  ended(here.with(Limited::run(1)));
  EXPECT_EQ(entries_of(here), "limit s0 s1 s3 ");
  const auto shown = ended(here.with("'" STENCILC_BINARY "' cache"));
  test::expect_lines(shown.out,
                     {"folder   ...", "limit    ...", "holds    3 entries, ...", "",
                      "...size  last used         entry", "...s1-...", "...s3-...", "...s0-..."});
  // What a process uses stays, also if the limit is lower.
  expect_has(
      ended(here.with("exec flock -s cache/stencilc/s0-* '" STENCILC_BINARY "' cache --limit 0"))
          .out,
      {"limit    0 bytes\n", "removed 2 entries, ", "1 entry in use by other processes\n"});
  EXPECT_EQ(entries_of(here), "limit s0 ");
  // A library that is larger than the limit runs, and goes with the next one.
  ended(here.with(Limited::run(4)));
  EXPECT_EQ(entries_of(here), "limit s4 ");
  expect_has(ended(here.with("'" STENCILC_BINARY "' cache --limit none --clear --show")).out,
             {"removed 1 entry, ", "holds    0 entries, 0 bytes\n", "limit    none\n"});
  test::expect_refused(here, "cache ", R"(
    --limit 2XB  => 2 => ...`--limit 2XB`: write a size, such as 2GB or 500MiB, or `none`...
    --limit -1   => 2 => ...`--limit -1`: write a size...
    --limit nan  => 2 => ...write a size...
    --limit 1e30 => 2 => ...write a size...
    --limit 2GBx => 2 => ...write a size...
    --cleer      => 2 => ...did you mean `--clear`...
    run          => 2 => ...`run` is not expected...
  )");
  for (const auto& [text, bytes] : {std::pair{"2GB", "1.9 GiB"},
                                    {"1.5GiB", "1.5 GiB"},
                                    {"3k", "2.9 KiB"},
                                    {"64Ki", "64.0 KiB"},
                                    {"17", "17 bytes"}})
    expect_has(ended(here.with("'" STENCILC_BINARY "' cache --limit " + std::string(text))).out,
               {"limit    " + std::string(bytes) + "\n"});
}

// Ten processes run twelve programs in orders of their own, with room for four of them: each entry
// is built, used and removed all the time.
TEST(CacheLimit, TenProcessesAtOnceFindWholeEntries) {
  const Limited here(13);
  const std::string limit = std::to_string(here.bytes() * 9 / 2);
  ended(here.with("'" STENCILC_BINARY "' cache --limit " + limit));
  std::string lines;
  for (int process = 0; process < 10; ++process) {
    lines += "( set -e\n";
    for (int n = 0; n < 6; ++n)
      lines += Limited::run((process * 5 + n * (process % 2 == 0 ? 1 : 7)) % 12,
                            "u" + std::to_string(process) + ".npy") +
               "cmp u.npy u" + std::to_string(process) + ".npy\n";
    lines += ") >out" + std::to_string(process) + " 2>&1 &\n all=\"$all $!\"\n";
  }
  const Finished all = here.with(lines +
                                 "for one in $all; do wait $one || failed=1; done\n"
                                 "[ -z \"$failed\" ] || { cat out*; exit 1; }");
  EXPECT_EQ(all.status, 0) << all.out << all.err;
  EXPECT_GT(testing::lines_of(here.read("builds")).size(), 13u) << "entries were removed";
  ended(here.with(Limited::run(12)));
  const std::string left = entries_of(here);
  EXPECT_LE(testing::count(left, "s"), 4) << left;
  EXPECT_TRUE(left.starts_with("limit s")) << left;
  EXPECT_EQ(left.find("tmp"), left.npos);
  for (const std::string& name : Workplace::names_in(here.path / "cache/stencilc"))
    EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

}  // namespace
}  // namespace stencilc
