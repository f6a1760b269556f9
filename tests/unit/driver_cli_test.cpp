// The command line: what is written where, what is said, and how the program ends.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "diag/codes.h"
#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::ended;
using test::expect_has;
using test::expect_lacks;
using test::expect_refused;
using test::Finished;
using test::Names;
using test::Workplace;
using testing::count;

constexpr const char* kTwice = "stencil a { axes x; field f32 u; u[t+1] = 2*u; }";

TEST(Cli, OutputsStandBesideTheOutputPath) {
  const Workplace here;
  here.example("laplace");
  fs::create_directory(here.path / "gen");
  EXPECT_EQ(here.stencilc("laplace.stn -o gen/poisson.cu").status, 0);
  EXPECT_EQ(here.files(), (Names{"gen", "laplace.stn"}));
  expect_has(here.read("gen/poisson.cu"), {"#include \"poisson.h\""});
  EXPECT_TRUE(here.exists("gen/poisson.h"));
  // The header has the name that is asked for.
  EXPECT_EQ(here.stencilc("laplace.stn -o a.cu -H b.h").status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cu", "b.h", "gen", "laplace.stn"}));
  expect_has(here.read("a.cu"), {"#include \"b.h\""});
}

TEST(Cli, WithoutANameTheyStandInTheFolderOfTheCall) {
  const Workplace here;
  fs::create_directory(here.path / "src");
  here.write("src/a.stn", kTwice);
  EXPECT_EQ(here.stencilc("src/a.stn").status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cu", "a.h", "src"}));
  EXPECT_EQ(here.stencilc("src/a.stn --target=cpu").status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cpp", "a.cu", "a.h", "src"}));
}

TEST(Cli, ADashIsStandardInputAndOutput) {
  const Workplace here;
  here.example("laplace");
  for (const std::string words : {"laplace.stn -o -", "- < laplace.stn"}) {
    const Finished out = here.stencilc(words);
    EXPECT_EQ(out.status, 0) << words;
    expect_has(out.out, {"namespace laplace2d {"});
  }
  EXPECT_EQ(ended(here.stencilc("- --explain < laplace.stn")).out.substr(0, 22),
            "Stencil laplace2d, 2-D");
  EXPECT_EQ(here.files(), (Names{"laplace.stn"}));
  const Finished wrong =
      ended(here.shell("echo 'stencil s { axes x; u = 1; }' | '" STENCILC_BINARY "' - -o -"), 1);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(wrong.err.substr(0, 12), "<stdin>:1:21");
}

TEST(Cli, UnchangedOutputKeepsItsTimeStampAndPermissions) {
  const Workplace here;
  here.example("laplace");
  here.write("l.cu", "old");
  const auto mine = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(here.path / "l.cu", mine);
  ASSERT_EQ(here.stencilc("laplace.stn -o l.cu -MD").status, 0);
  EXPECT_EQ(fs::status(here.path / "l.cu").permissions(), mine);
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"l.cu", "l.h", "l.d"}) fs::last_write_time(here.path / name, old);
  ASSERT_EQ(here.stencilc("laplace.stn -o l.cu -MD").status, 0);
  for (const char* name : {"l.cu", "l.h", "l.d"})
    EXPECT_EQ(fs::last_write_time(here.path / name), old) << name;
  ASSERT_EQ(here.stencilc("laplace.stn -o l.cu -MD -O0").status, 0);
  EXPECT_GT(fs::last_write_time(here.path / "l.cu"), old);
}

TEST(Cli, DependenciesAreSpeltAsMakeReadsThem) {
  const Workplace here;
  fs::create_directory(here.path / "a b");
  here.write("a b/x$y#z.stn", kTwice);
  const auto made = [&](const std::string& words) {
    EXPECT_EQ(here.stencilc("'a b/x$y#z.stn' -MD " + words).status, 0);
  };
  made("-o 'o ut.cu'");
  EXPECT_EQ(here.read("o ut.d"), "o\\ ut.cu: a\\ b/x$$y\\#z.stn\n");
  made("-o o.cu -MF deps -MT one -MT two -MP");
  EXPECT_EQ(here.read("deps"), "one two: a\\ b/x$$y\\#z.stn\n\na\\ b/x$$y\\#z.stn:\n");
  // make agrees: the target is up to date, and follows a change of the input.
  here.write("Makefile", "all: o.cu\n\t@:\no.cu:\n\t@echo made\ninclude o.d\n");
  made("-o o.cu");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(here.path / "a b/x$y#z.stn", old);
  EXPECT_EQ(here.shell("make").out, "");
  fs::last_write_time(here.path / "o.cu", old - std::chrono::hours(1));
  EXPECT_EQ(here.shell("make").out, "made\n");
}

// What make would read as a command, a rule, a pattern or several names is in no depfile.
TEST(Cli, NamesThatNoDepfileCanCarryAreRefused) {
  const Workplace here("a.stn", kTwice);
  for (const std::string name : {"a;touch pwned", "a:b", "a=b", "a|b", "a%b", "a*", "a?", "[a]",
                                 "a\\b", "a\nb", "a\tb", "~a", "a)"}) {
    const std::string file = name == "~a" || name == "a)" ? name : name + ".stn";
    here.write(file, kTwice);
    const Finished input = here.stencilc_of({file, "-o", "a.cu", "-MD"});
    EXPECT_EQ(input.status, 3) << name;
    expect_has(input.err,
               {"cannot write `a.d`: `", ", which a dependency file cannot express [STN0702]",
                "help: rename the file, or compile without `-MD`"});
    const Finished target = here.stencilc_of({"a.stn", "-o", "a.cu", "-MD", "-MT", file});
    EXPECT_EQ(target.status, 3) << name;
    EXPECT_FALSE(here.exists("a.d") || here.exists("a.cu")) << name;
    EXPECT_EQ(here.stencilc_of({file, "-o", "b.cu"}).status, 0) << name;
  }
}

TEST(Cli, AnOutputThatIsALinkIsWrittenBehindIt) {
  const Workplace here("a.stn", kTwice);
  here.write("real.cu", "old");
  fs::create_directory(here.path / "far");
  fs::create_symlink("real.cu", here.path / "one.cu");
  fs::create_symlink("../one.cu", here.path / "far/two.cu");
  fs::create_symlink("new.cu", here.path / "none.cu");
  ASSERT_EQ(here.stencilc("a.stn -o far/two.cu").status, 0);
  ASSERT_EQ(here.stencilc("a.stn -o none.cu").status, 0);
  for (const char* link : {"one.cu", "far/two.cu", "none.cu"})
    EXPECT_TRUE(fs::is_symlink(here.path / link)) << link;
  expect_has(here.read("real.cu"), {"#include \"two.h\""});
  expect_has(here.read("new.cu"), {"#include \"none.h\""});
  fs::create_symlink("round.cu", here.path / "round.cu");
  expect_has(here.stencilc("a.stn -o round.cu").err, {"Too many levels of symbolic links"});
}

TEST(Cli, WhatStandardOutputDoesNotTakeIsSaid) {
  const Workplace here("a.stn", kTwice);
  for (const std::string words :
       {"--help", "--version", "run --help", "--explain STN0201", "a.stn --explain",
        "a.stn --explain=json", "a.stn --emit=ir", "a.stn -o -", "run a.stn --target=cpu --size 8",
        "fmt --check a.stn"}) {
    const Finished full = here.stencilc(words + " >/dev/full");
    EXPECT_EQ(full.status, words.starts_with("fmt") ? 1 : 3) << words;
    expect_has(full.err,
               {words.find("-o -") != std::string::npos || words.find("emit") != std::string::npos
                    ? "cannot write `-`: No space left on device"
                    : "cannot write to standard output"});
  }
}

// Names of files and words of the command line bring no control sequences to a terminal.
TEST(Cli, WhatATerminalWouldObeyIsEscaped) {
  const Workplace here;
  here.write("a\x1b[2J.stn", "stencil s { axes x; u = 1; }");
  for (const Names& words : {Names{"a\x1b[2J.stn"},
                             {"b\x1b[2J.stn"},
                             {"--\x1b[2J"},
                             {"--emit=\x1b[2J", "a.stn"},
                             {"@\x1b[2J"},
                             {"-W\x1b[2J", "a.stn"},
                             {"--explain", "\x1b[2J"},
                             {"fmt", "--check", "a\x1b[2J.stn"}}) {
    const Finished said = here.stencilc_of(words);
    EXPECT_NE(said.status, 0);
    expect_has(said.err + said.out, {"\\x1b[2J"});
    expect_lacks(said.err + said.out, {"\x1b"});
  }
}

TEST(Cli, SizesHaveTheAxesOfAStencil) {
  const Workplace here(
      "a.stn",
      "stencil line { axes x; field f32 u boundary clamp; u[t+1] = u[x-1]; }\n"
      "stencil plane { axes x, y; field f32 u boundary clamp; u[t+1] = u[y-1]; }\n");
  for (const std::string size : {"8", "8x8"}) ended(here.stencilc("a.stn -o a.cu --size " + size));
  EXPECT_EQ(ended(here.stencilc("a.stn -o a.cu --stencil line --size 8x8"), 1).err,
            "stencilc: error: 2 extents (8 x 8) for 1 axis [STN0703]\n");
  EXPECT_EQ(ended(here.stencilc("a.stn -o a.cu --size 8x8x8"), 1).err,
            "stencilc: error: 3 extents (8 x 8 x 8) for 1 axis [STN0703]\n");
}

// An empty element of PATH is the folder where the user stands.
TEST(Cli, NoCompilerOfTheWorkingFolderIsRun) {
  Workplace here("a.stn", kTwice);
  here.own_cache = true;
  here.program("g++", "echo pwned >pwned\n");
  for (const std::string path : {":", "::/nowhere", ".:/nowhere"}) {
    expect_has(
        ended(here.shell("PATH=" + path + " '" STENCILC_BINARY "' run a.stn --target=cpu --size 8"),
              1)
            .err,
        {"`g++` is not on the PATH"});
  }
  EXPECT_FALSE(here.exists("pwned"));
  // Nor by a compiler that is there.
  fs::create_directory(here.path / "bin");
  here.program("bin/g++", "g++sub\nexit 1\n");
  here.program("g++sub", "echo pwned >pwned\n");
  here.shell("PATH=\"$PWD/bin:\" '" STENCILC_BINARY "' run a.stn --target=cpu --size 8");
  EXPECT_FALSE(here.exists("pwned"));
}

TEST(Cli, WithoutAGpuNothingIsBuiltForOne) {
  Workplace here("a.stn", kTwice);
  here.own_cache = true;
  const Names before = here.files();
  for (const std::string words : {"run a.stn --target=cuda --size 8", "tune a.stn --size 8"}) {
    const Finished said = here.shell("PATH=/nowhere '" STENCILC_BINARY "' " + words);
    EXPECT_EQ(said.status, 1) << words;
    expect_has(said.err, {"`nvcc` is not on the PATH; install the CUDA Toolkit", "[STN0705]",
                          words.starts_with("run") ? "help: `--target=cpu` runs the CPU version"
                                                   : "help: `--target=cpu` tunes the CPU version"});
    EXPECT_EQ(here.files(), before);
  }
}

TEST(Cli, WordsComeFromResponseFiles) {
  const Workplace here;
  here.example("laplace");
  fs::rename(here.path / "laplace.stn", here.path / "my laplace.stn");
  here.write("words", "'my laplace.stn'\n-o \"out put.cu\"\n  --schedule=naive ");
  EXPECT_EQ(here.stencilc("@words").status, 0);
  EXPECT_EQ(here.files(), (Names{"my laplace.stn", "out put.cu", "out put.h", "words"}));
  expect_has(here.read("out put.cu"), {"Schedule: naive", "#include \"out put.h\""});
  EXPECT_EQ(ended(here.stencilc("@nowhere"), 3).err,
            "stencilc: error: cannot read the response file `nowhere`: No such file or "
            "directory\n");
}

// What goes wrong, how the program ends, what it says; and that the folder is as before.
TEST(Cli, FailuresLeaveNothingBehind) {
  const Workplace here;
  here.example("laplace");
  here.write("empty.stn", "");
  here.write("junk.stn", std::string("\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\xff\xfe\x80", 12));
  here.write("open.stn", "stencil s { axes x; field f32 u; u[t+1] = u");
  here.write("name.stn", "stencil s { axes x; field f32 u; u[t+1] = w; }");
  here.write("deep.stn", "stencil s { axes x; field f32 u; u[t+1] = " + std::string(2000, '(') +
                             "u" + std::string(2000, ')') + "; }");
  fs::create_directory(here.path / "folder.cu");
  fs::create_directory(here.path / "full.h");
  const Names before = here.files();
  const std::string source = here.read("laplace.stn");
  const auto command = [&](const std::string& words) {
    const Finished finished = here.stencilc(words == "(no words)" ? "" : words);
    expect_lacks(finished.err, {"internal"});
    EXPECT_EQ(here.files(), before);
    return finished;
  };
  expect_refused(command, R"rows(
    lost.stn => 3 => stencilc: error: cannot read `lost.stn`: No such file or directory [STN0701]
    . => 3 => stencilc: error: cannot read `.`: it is a directory [STN0701]
    laplace.stn -o folder.cu => 3 => stencilc: error: cannot write `folder.cu`: it is a directory [STN0702]
    laplace.stn -o full.cu   => 3 => stencilc: error: cannot write `full.h`: it is a directory [STN0702]
    laplace.stn -o no/x.cu   => 3 => stencilc: error: cannot write `no/x.h`: No such file or directory [STN0702]
    laplace.stn -MD -MF no/x.d => 3 => stencilc: error: cannot write `no/x.d`: No such file or directory [STN0702]
    laplace.stn -o laplace.stn => 3 => stencilc: error: cannot write `laplace.stn`: it is the input [STN0702]
    laplace.stn -o ./folder.cu/../laplace.stn => 3 => ...it is the input [STN0702]
    laplace.stn --emit=ir -o laplace.stn      => 3 => ...it is the input [STN0702]
    laplace.stn -o x.h => 3 => stencilc: error: cannot write `x.h`: it is another output [STN0702]
    laplace.stn -MD -MF laplace.cu => 3 => ...it is another output [STN0702]
    laplace.stn -o 'a"b.cu'        => 3 => ...an #include cannot name it [STN0702]
    laplace.stn -o "$(printf 'a\nb.cu')" => 3 => ...an #include cannot name it [STN0702]
    laplace.stn -o laplace.stn/x.cu
      => 3 => stencilc: error: cannot write `laplace.stn/x.h`: Not a directory [STN0702]
    empty.stn => 1 => empty.stn:1:1: error: there is no stencil in this file [STN0104]
    junk.stn  => 1 => ...[STN0102]
    open.stn  => 1 => open.stn:1:...
    name.stn -MD => 1 => name.stn:1:43: error: `w` is not declared [STN0201]
    deep.stn  => 4 => ...[STN0901]
    laplace.stn --schedule=tiled
      => 1 => stencilc: error: there is no schedule `tiled`; the schedules are naive and coarsened [STN0601]
    laplace.stn --schedule=coarsend
      => 1 => stencilc: error: there is no schedule `coarsend`; did you mean `coarsened`? [STN0601]
    laplace.stn --schedule=naive,thread=3
      => 1 => stencilc: error: a schedule has no part `thread`; did you mean `threads`? [STN0601]
    laplace.stn --stencil laplac2d => 1 => ...there is no stencil `laplac2d`... => help: did you mean `laplace2d`?
    laplace.stn --arch=nativ => 1 => ...there is no architecture `nativ`... => help: did you mean `native`?
    runn laplace.stn => 2 => stencilc: error: there is no command and no file `runn`; did you mean `run`?
    lost             => 2 => ...there is no command and no file `lost`; there are `run`, `verify`, `bench`, `tune`, `fmt`, `doctor` and `cache`
    laplace.stn --steps 3 => 2 => stencilc: error: `--steps` is an option of `stencilc run`
    laplace.stn --step 3 => 2 => stencilc: error: there is no option `--step`; did you mean `--steps` of `stencilc run`?
    run laplace.stn --step=3 => 2 => stencilc: error: there is no option `--step`; did you mean `--steps`?
    laplace.stn --emit=kernal => 2 => stencilc: error: `--emit kernal`: did you mean `kernel`?
    laplace.stn -Wunused-nam => 2 => ...there is no warning `unused-nam`; did you mean `unused-name`?
    --explain unknown-nam => 2 => ...there is no diagnostic `unknown-nam`; did you mean `unknown-name`?
    laplace.stn --arch=sm_1 => 1 => stencilc: error: there is no architecture `sm_1` [STN0602]
    laplace.stn -D q=1   => 1 => ...[STN0214]
    (no words)           => 2 => stencilc: error: no input file
    laplace.stn --bogus  => 2 => stencilc: error: there is no option `--bogus`
    laplace.stn name.stn => 2 => ...`name.stn` is not expected: there is one input file
    laplace.stn -D q     => 2 => stencilc: error: `-D q`: write name=value
    laplace.stn --emit=ptx
      => 2 => ...`--emit ptx`: write `ast`, `ir`, `schedule`, `kernel`, `cu`, `cpu`, `header`, `manifest` or `so`
    laplace.stn --emit=cu --target=cpu
      => 2 => stencilc: error: `--emit=cu` does not go with `--target=cpu`; write `--emit=cpu`
    laplace.stn --emit=cpu --target=cuda => 2 => ...write `--emit=cu`
    laplace.stn -Wno-nonsense => 2 => ...there is no warning `nonsense`; docs/language.md lists them
    laplace.stn --fp=fast => 2 => ...`--fp fast`: ...
    import laplace.stn    => 2 => stencilc: error: the command `import` is not supported yet
    run laplace.stn --emit=ir    => 2 => ...there is no option `--emit`...
    verify laplace.stn -o x.cu   => 2 => ...there is no option `-o`...
    laplace.stn --dump-after=canonicalize
      => 2 => ...`--dump-after canonicalize`: did you mean `canonicalise`?...
    run laplace.stn --size 4xx4
      => 2 => stencilc: error: `--size 4xx4`: write a size such as 1024x768
    --explain STN9999     => 2 => ...there is no diagnostic `STN9999`; docs/diagnostics.md lists them
  )rows");
  EXPECT_EQ(here.read("laplace.stn"), source);
}

TEST(Cli, AFolderThatTakesNoFileIsSaidSo) {
  const Workplace here;
  here.example("laplace");
  fs::create_directory(here.path / "shut");
  fs::permissions(here.path / "shut", fs::perms::owner_read | fs::perms::owner_exec);
  if (here.shell("touch shut/x").status == 0) GTEST_SKIP() << "this user may write everywhere";
  EXPECT_EQ(ended(here.stencilc("laplace.stn -o shut/x.cu"), 3).err,
            "stencilc: error: cannot write `shut/x.h`: Permission denied [STN0702]\n");
}

TEST(Cli, ADeviceIsWrittenToAndGetsNoHeaderBesideIt) {
  const Workplace here;
  here.example("laplace");
  EXPECT_EQ(here.stencilc("laplace.stn -o /dev/null").status, 0);
  EXPECT_FALSE(fs::exists("/dev/null.h"));
  EXPECT_EQ(here.files(), (Names{"laplace.stn"}));
  const Finished full = ended(here.stencilc("laplace.stn -o /dev/full"), 3);
  EXPECT_EQ(full.err,
            "stencilc: error: cannot write `/dev/full`: No space left on device [STN0702]\n");
}

TEST(Cli, DiagnosticsAsJsonAreOneObjectALine) {
  const Workplace here("in.stn",
                       "stencil s { axes x; field f32 u;\nu[t+1] = u[x-1] + wx;\nq = 3; }");
  const Finished finished = ended(here.stencilc("in.stn --diagnostics-format=json"), 1);
  Names codes;
  for (const std::string& line : testing::lines_of(finished.err)) {
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(object.is_object()) << line;
    EXPECT_EQ(object["level"], "error");
    EXPECT_EQ(object["spans"][0]["file_name"], "in.stn");
    codes.push_back(object["code"]["code"]);
  }
  EXPECT_EQ(codes, (Names{"STN0404", "STN0201", "STN0201"}));
}

TEST(Cli, ColorIsForTerminalsAndForThoseWhoAsk) {
  const Workplace here("in.stn", "stencil s { axes x; q = 3; }");
  const auto colored = [&](const std::string& line) {
    const size_t at = line.find("stencilc");
    return testing::has(
        here.shell(line.substr(0, at) + "'" STENCILC_BINARY "'" + line.substr(at + 8)).err, "\x1b");
  };
  testing::expect_rows(colored, R"(
    stencilc in.stn                                     => no
    stencilc in.stn --color=always                      => yes
    NO_COLOR=1 stencilc in.stn --color=always           => yes
    CLICOLOR_FORCE=1 stencilc in.stn                    => yes
    NO_COLOR=1 CLICOLOR_FORCE=1 stencilc in.stn         => no
    CLICOLOR_FORCE=1 stencilc in.stn --color=never      => no
  )");
}

TEST(Cli, TheErrorLimitCutsTheList) {
  std::string text = "stencil s { axes x;\n";
  for (int i = 0; i < 30; ++i) text += "q" + std::to_string(i) + " = 1;\n";
  const Workplace here("in.stn", text + "}");
  EXPECT_EQ(count(here.stencilc("in.stn").err, ": error: "), 20);
  EXPECT_EQ(count(here.stencilc("in.stn --error-limit=0").err, ": error: "), 30);
  const Finished three = here.stencilc("in.stn --error-limit=3");
  EXPECT_EQ(count(three.err, ": error: "), 3);
  expect_has(three.err, {"stopped after 3"});
}

// Raised ones leave no output.
TEST(Cli, WarningsCanBeSilencedAndRaised) {
  for (const testing::Cells& row : testing::rows(R"(
    (nothing)                                => 0 => 2 warnings => 0 errors
    -Wno-unused-name                         => 0 => 1 warnings => 0 errors
    -Wno-unused-name -Wno-boundary-unused    => 0 => 0 warnings => 0 errors
    -Werror=unused-name                      => 1 => 1 warnings => 1 errors
    -Werror                                  => 1 => 0 warnings => 2 errors
  )")) {
    SCOPED_TRACE(row[0]);
    const Workplace here(
        "in.stn", "stencil s { axes x; param f32 k; field f32 u boundary clamp; u[t+1] = 2*u; }");
    const Finished finished =
        here.stencilc("in.stn -o out.cu " + (row[0] == "(nothing)" ? "" : row[0]));
    EXPECT_EQ(std::to_string(finished.status), row[1]);
    EXPECT_EQ(std::to_string(count(finished.err, ": warning: ")) + " warnings", row[2]);
    EXPECT_EQ(std::to_string(count(finished.err, ": error: ")) + " errors", row[3]);
    EXPECT_EQ(finished.err.empty(), row[2] == "0 warnings" && row[3] == "0 errors");
    EXPECT_EQ(here.files(),
              finished.status == 0 ? (Names{"in.stn", "out.cu", "out.h"}) : Names{"in.stn"});
  }
}

TEST(Cli, EveryCodeIsExplained) {
  const Workplace here;
  for (const diag::Row& row : diag::table()) {
    const Finished finished = ended(here.stencilc("--explain " + diag::id(row.code)));
    EXPECT_EQ(finished.err, "");
    testing::expect_begins(finished.out, diag::id(row.code) + " " + std::string(row.name) + "\n");
    expect_has(finished.out, {row.explanation});
    EXPECT_EQ(here.stencilc("--explain " + std::string(row.name)).out, finished.out);
  }
}

TEST(Cli, EveryStageCanBeLookedAt) {
  const Workplace here;
  here.example("wave2d");
  const std::pair<const char*, const char*> stages[] = {{"ast", "stencil wave2d {"},
                                                        {"ir", "stencil wave2d(x, y) {"},
                                                        {"schedule", "coarsened,threads="},
                                                        {"kernel", "kernel step\n"},
                                                        {"cu", "__global__"},
                                                        {"cpu", "#pragma omp"},
                                                        {"header", "#pragma once"},
                                                        {"manifest", "\"stencil\": \"wave2d\""}};
  for (const auto& [stage, shows] : stages) {
    SCOPED_TRACE(stage);
    const Finished finished = ended(here.stencilc("wave2d.stn --emit=" + std::string(stage)));
    expect_has(finished.out, {shows});
    EXPECT_EQ(here.files(), (Names{"wave2d.stn"}));
    EXPECT_EQ(nlohmann::json::accept(finished.out), stage == std::string("manifest"));
    if (stage != std::string("ir") && stage != std::string("cu")) continue;
    here.write("wave2d.cu", "as before");
    here.write("wave2d.h", "as before");
    ASSERT_EQ(here.stencilc("wave2d.stn -o wave2d.txt --emit=" + std::string(stage)).status, 0);
    EXPECT_FALSE(here.read("wave2d.txt").empty());
    if (stage == std::string("ir")) {
      EXPECT_EQ(here.read("wave2d.txt"), finished.out);
    }
    EXPECT_EQ(here.read("wave2d.cu") + here.read("wave2d.h"), "as beforeas before");
    for (const char* name : {"wave2d.txt", "wave2d.cu", "wave2d.h"}) fs::remove(here.path / name);
  }
}

TEST(Cli, TheSameInputGivesTheSameBytesAnywhere) {
  const Workplace here, there;
  fs::create_directories(there.path / "deep/er");
  for (const std::string name : {"laplace", "wave3d", "gray_scott"}) {
    here.example(name);
    there.example(name);
    ASSERT_EQ(here.stencilc(name + ".stn").status, 0);
    ASSERT_EQ(there
                  .shell("cd deep/er && LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 LC_NUMERIC=fr_FR.UTF-8 "
                         "'" STENCILC_BINARY "' ../../" +
                         name + ".stn")
                  .status,
              0);
    for (const std::string kind : {".cu", ".h"})
      EXPECT_EQ(here.read(name + kind), there.read("deep/er/" + name + kind));
  }
}

TEST(Cli, VersionAndHelp) {
  const Workplace here;
  testing::expect_begins(here.stencilc("--version").out, "stencilc ");
  expect_has(ended(here.stencilc("--help")).out,
             {"--emit", "--schedule", "--target", "--standalone", "--explain", "-o"});
}

// The figure is for the reader: a loaded machine must not fail the test.
// A window is one term inside the other; the limit of a shell may be low.
TEST(Cli, DeepExpressionsNeedNoLargeStack) {
  const Workplace here("deep.stn",
                       "stencil s { axes x, y; field f32 u in boundary clamp; field f32 v out; v = "
                       "max(i in -30..30, "
                       "j in -30..30 : u[x+i, y+j]); }");
  ended(here.shell("ulimit -S -s 1024; '" STENCILC_BINARY "' deep.stn --schedule naive"));
}

TEST(Cli, StartToEndIsQuick) {
  const Workplace here;
  here.example("laplace");
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(here.stencilc("laplace.stn -o laplace.cu").status, 0);
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                  .count());
  }
  RecordProperty("milliseconds", std::to_string(best));
  std::printf("laplace.stn -o laplace.cu: %.1f ms, the shell included\n", best);
}

constexpr const char* kLoose = "stencil a{axes x;field f32 u;u[t+1]=2*u;}//end";
constexpr const char* kForm =
    "stencil a {\n  axes  x;\n  field f32 u;\n  u[t+1] = 2*u;\n}  //end\n";

TEST(Fmt, RewritesFilesInPlace) {
  const Workplace here("a.stn", kLoose);
  here.write("b.stn", kForm);
  here.write("c.stn", "// only a comment\n\n\n");
  fs::permissions(here.path / "a.stn", fs::perms::owner_read | fs::perms::owner_write);
  const auto time = fs::last_write_time(here.path / "b.stn");
  const Finished result = ended(here.stencilc("fmt a.stn b.stn c.stn"));
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(here.read("a.stn"), kForm);
  EXPECT_EQ(here.read("b.stn"), kForm);
  EXPECT_EQ(here.read("c.stn"), "// only a comment\n");
  EXPECT_EQ(fs::status(here.path / "a.stn").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::last_write_time(here.path / "b.stn"), time);
  EXPECT_EQ(here.files(), (Names{"a.stn", "b.stn", "c.stn"}));
}

TEST(Fmt, ALinkStaysALinkAndADashIsStandardInputAndOutput) {
  const Workplace here("a.stn", kLoose);
  EXPECT_EQ(ended(here.stencilc("fmt - < a.stn")).out, kForm);
  EXPECT_EQ(here.read("a.stn"), kLoose);
  fs::create_symlink("a.stn", here.path / "link.stn");
  EXPECT_EQ(here.stencilc("fmt link.stn").status, 0);
  EXPECT_TRUE(fs::is_symlink(here.path / "link.stn"));
  EXPECT_EQ(here.read("a.stn"), kForm);
}

TEST(Fmt, CheckNamesWhatWouldChange) {
  const Workplace here("a.stn", kLoose);
  here.write("b.stn", kForm);
  EXPECT_EQ(ended(here.stencilc("fmt --check b.stn a.stn"), 1).out, "a.stn\n");
  EXPECT_EQ(here.read("a.stn"), kLoose);
  EXPECT_EQ(here.stencilc("fmt --check b.stn").status, 0);
}

TEST(Fmt, AFileWithErrorsIsLeftAlone) {
  const Workplace here;
  for (const std::string text : {"stencil a { axes x; u = (1; }", "stencil a { /* axes x; }",
                                 "stencil a { u = 2 \xC3\x97 v; }"}) {
    here.write("bad.stn", text);
    here.write("a.stn", kLoose);
    const Finished result = here.stencilc("fmt bad.stn a.stn");
    EXPECT_EQ(result.status, 1) << text;
    expect_has(result.err, {"bad.stn:1:"});
    EXPECT_EQ(here.read("bad.stn"), text);
    EXPECT_EQ(here.read("a.stn"), kForm) << "the files behind it are done";
  }
}

TEST(Fmt, FilesThatCannotBeReadOrAreNotGiven) {
  const Workplace here;
  const auto status = [&](const std::string& words) { return here.stencilc(words).status; };
  testing::expect_rows(status, R"(
    fmt missing.stn      => 3
    fmt                  => 2
    fmt --emit=ast a.stn => 2
    fmt --help           => 0
  )");
}

constexpr const char* kUnstable = R"(stencil heat {
  axes x;
  param f32 dt = 1;
  field f32 u boundary clamp;
  u[t+1] = u + dt*laplacian(u);
}
)";

constexpr const char* kSeparable = R"(stencil blur {
  axes x, y;
  field f32 u in boundary clamp;
  field f32 d out;
  d = sum(i in -1..1, j in -1..1 : (2 - i*i) * (2 - j*j) * u[x+i, y+j]) / 16;
}
)";

// Advice is given where it is asked for.
TEST(DriverLint, WarnsAdvisesAndIsSwitchedByName) {
  const Workplace here("heat.stn", kUnstable);
  here.write("blur.stn", kSeparable);
  for (const testing::Cells& row : testing::rows(R"(
    heat.stn                                   => 0 => warning: unstable for `dt` > 0.5
    heat.stn -Wno-unstable                     => 0 =>
    heat.stn -Werror=unstable                  => 1 => error: unstable for `dt` > 0.5
    blur.stn -Wunstable                        => 0 =>
    blur.stn -Werror                           => 0 =>
    blur.stn -Wno-separable-weights            => 0 =>
    blur.stn -Wall                             => 0
      => warning: the 9 weights of `u` are the product of 3 along x and 3 along y
    blur.stn -Wseparable-weights               => 0
      => warning: the 9 weights of `u` are the product of 3 along x and 3 along y
    blur.stn -Wall -Werror                     => 0 => the product of
    blur.stn -Wall -Wno-separable-weights      => 0 =>
    blur.stn -Werror=separable-weights         => 1 => the product of
  )")) {
    SCOPED_TRACE(row[0]);
    const Finished result = here.stencilc(row[0] + " -o out.cu");
    EXPECT_EQ(std::to_string(result.status), row[1]);
    expect_has(result.err, {row[2]});
    EXPECT_EQ(result.err.empty(), row[2].empty()) << result.err;
  }
}

TEST(DriverLint, AdvisesInTheExplanationOfThePlan) {
  const Workplace here("blur.stn", kSeparable);
  here.write("heat.stn", kUnstable);
  for (const std::string order : {"--fp=canonical", "--fp=source"}) {
    const Finished result = ended(here.stencilc("blur.stn --explain " + order));
    EXPECT_EQ(result.err, "");
    expect_has(
        result.out,
        {"  the 9 weights of `u` are the product of 3 along x and 3 along y: two updates, "
         "with a field between them, would take 6 multiplications per cell instead of 9; the "
         "result rounds differently, so the compiler does not do it by itself\n"});
  }
  expect_lacks(here.stencilc("heat.stn --explain").out, {"product"});
}

TEST(DriverLint, TheExamplesHaveTheirFormAndNoWarnings) {
  const Workplace here;
  Names words = {"fmt", "--check"};
  for (const auto& entry : fs::directory_iterator(fs::path(STENCILC_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".stn") continue;
    words.push_back(entry.path());
    const Finished result = here.stencilc_of({entry.path(), "--emit=ir", "-o", "-"});
    EXPECT_EQ(result.status, 0) << entry.path();
    EXPECT_EQ(result.err, "") << entry.path();
  }
  EXPECT_GT(words.size(), 10u);
  ended(here.stencilc_of(words));
}

}  // namespace
}  // namespace stencilc
