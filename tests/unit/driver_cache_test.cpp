// The cache of built libraries: what is damaged is built again, what others could have written is
// not loaded, and what cannot be written is done without.
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
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

}  // namespace
}  // namespace stencilc
