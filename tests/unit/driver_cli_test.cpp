// The command line: what is written where, what is said, and how the program ends.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "diag/codes.h"
#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::Names;
using test::read;
using test::Workplace;

TEST(Cli, OutputsStandBesideTheOutputPath) {
  const Workplace here;
  here.example("laplace");
  fs::create_directory(here.path / "gen");
  EXPECT_EQ(here.stencilc({"laplace.stn", "-o", "gen/poisson.cu"}).status, 0);
  EXPECT_EQ(here.files(), (Names{"gen", "laplace.stn"}));
  EXPECT_NE(read(here.path / "gen/poisson.cu").find("#include \"poisson.h\""), std::string::npos);
  EXPECT_TRUE(fs::exists(here.path / "gen/poisson.h"));
}

TEST(Cli, WithoutANameTheyStandInTheFolderOfTheCall) {
  const Workplace here;
  fs::create_directory(here.path / "src");
  here.write("src/a.stn", "stencil a { axes x; field f32 u; u[t+1] = 2*u; }");
  EXPECT_EQ(here.stencilc({"src/a.stn"}).status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cu", "a.h", "src"}));
  EXPECT_EQ(here.stencilc({"src/a.stn", "--target=cpu"}).status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cpp", "a.cu", "a.h", "src"}));
}

TEST(Cli, TheHeaderHasTheNameThatIsAskedFor) {
  const Workplace here;
  here.example("laplace");
  EXPECT_EQ(here.stencilc({"laplace.stn", "-o", "a.cu", "-H", "b.h"}).status, 0);
  EXPECT_EQ(here.files(), (Names{"a.cu", "b.h", "laplace.stn"}));
  EXPECT_NE(read(here.path / "a.cu").find("#include \"b.h\""), std::string::npos);
}

TEST(Cli, ADashIsStandardInputAndOutput) {
  const Workplace here;
  here.example("laplace");
  const std::string binary = STENCILC_BINARY;
  const Finished out = here.stencilc({"laplace.stn", "-o", "-"});
  EXPECT_EQ(out.status, 0);
  EXPECT_NE(out.out.find("namespace laplace2d {"), std::string::npos);
  const Finished both = here.shell("'" + binary + "' - < laplace.stn");
  EXPECT_EQ(both.status, 0);
  EXPECT_NE(both.out.find("namespace laplace2d {"), std::string::npos);
  EXPECT_EQ(here.files(), (Names{"laplace.stn"}));
  const Finished wrong =
      here.shell("echo 'stencil s { axes x; u = 1; }' | '" + binary + "' - -o -");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(wrong.err.substr(0, 12), "<stdin>:1:21");
}

TEST(Cli, UnchangedOutputKeepsItsTimeStamp) {
  const Workplace here;
  here.example("laplace");
  ASSERT_EQ(here.stencilc({"laplace.stn", "-o", "l.cu", "-MD"}).status, 0);
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"l.cu", "l.h", "l.d"}) fs::last_write_time(here.path / name, old);
  ASSERT_EQ(here.stencilc({"laplace.stn", "-o", "l.cu", "-MD"}).status, 0);
  for (const char* name : {"l.cu", "l.h", "l.d"})
    EXPECT_EQ(fs::last_write_time(here.path / name), old) << name;
  ASSERT_EQ(here.stencilc({"laplace.stn", "-o", "l.cu", "-MD", "-O0"}).status, 0);
  EXPECT_GT(fs::last_write_time(here.path / "l.cu"), old);
}

TEST(Cli, AnOutputKeepsItsPermissions) {
  const Workplace here;
  here.example("laplace");
  here.write("l.cu", "old");
  fs::permissions(here.path / "l.cu", fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(here.stencilc({"laplace.stn", "-o", "l.cu"}).status, 0);
  EXPECT_EQ(fs::status(here.path / "l.cu").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(Cli, DependenciesAreSpeltAsMakeReadsThem) {
  const Workplace here;
  fs::create_directory(here.path / "a b");
  here.write("a b/x$y#z.stn", "stencil a { axes x; field f32 u; u[t+1] = 2*u; }");
  ASSERT_EQ(here.stencilc({"a b/x$y#z.stn", "-o", "o ut.cu", "-MD"}).status, 0);
  EXPECT_EQ(read(here.path / "o ut.d"), "o\\ ut.cu: a\\ b/x$$y\\#z.stn\n");
  ASSERT_EQ(here.stencilc({"a b/x$y#z.stn", "-o", "o.cu", "-MD", "-MF", "deps", "-MT", "one", "-MT",
                           "two", "-MP"})
                .status,
            0);
  EXPECT_EQ(read(here.path / "deps"), "one two: a\\ b/x$$y\\#z.stn\n\na\\ b/x$$y\\#z.stn:\n");
  // make agrees: the target is up to date, and follows a change of the input.
  here.write("Makefile", "all: o.cu\n\t@:\no.cu:\n\t@echo made\ninclude o.d\n");
  ASSERT_EQ(here.stencilc({"a b/x$y#z.stn", "-o", "o.cu", "-MD"}).status, 0);
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(here.path / "a b/x$y#z.stn", old);
  EXPECT_EQ(here.shell("make").out, "");
  fs::last_write_time(here.path / "o.cu", old - std::chrono::hours(1));
  EXPECT_EQ(here.shell("make").out, "made\n");
}

TEST(Cli, WordsComeFromResponseFiles) {
  const Workplace here;
  here.example("laplace");
  fs::rename(here.path / "laplace.stn", here.path / "my laplace.stn");
  here.write("words", "'my laplace.stn'\n-o \"out put.cu\"\n  --schedule=naive ");
  EXPECT_EQ(here.stencilc({"@words"}).status, 0);
  EXPECT_EQ(here.files(), (Names{"my laplace.stn", "out put.cu", "out put.h", "words"}));
  EXPECT_NE(read(here.path / "out put.cu").find("Schedule naive"), std::string::npos);
  EXPECT_NE(read(here.path / "out put.cu").find("#include \"out put.h\""), std::string::npos);
  const Finished lost = here.stencilc({"@nowhere"});
  EXPECT_EQ(lost.status, 3);
  EXPECT_EQ(lost.err, "stencilc: error: cannot read the response file `nowhere`\n");
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
  const std::string source = read(here.path / "laplace.stn");
  struct Row {
    std::vector<std::string> words;
    int status;
    std::string says;
  };
  const Row rows[] = {
      {{"lost.stn"},
       3,
       "stencilc: error: cannot read `lost.stn`: No such file or directory [STN0701]\n"},
      {{"."}, 3, "stencilc: error: cannot read `.`: it is a directory [STN0701]\n"},
      {{"laplace.stn", "-o", "folder.cu"},
       3,
       "stencilc: error: cannot write `folder.cu`: it is a directory [STN0702]\n"},
      {{"laplace.stn", "-o", "full.cu"},
       3,
       "stencilc: error: cannot write `full.h`: it is a directory [STN0702]\n"},
      {{"laplace.stn", "-o", "no/x.cu"},
       3,
       "stencilc: error: cannot write `no/x.h`: No such file or directory [STN0702]\n"},
      {{"laplace.stn", "-MD", "-MF", "no/x.d"},
       3,
       "stencilc: error: cannot write `no/x.d`: No such file or directory [STN0702]\n"},
      {{"laplace.stn", "-o", "laplace.stn"},
       3,
       "stencilc: error: cannot write `laplace.stn`: it is the input [STN0702]\n"},
      {{"laplace.stn", "-o", "./folder.cu/../laplace.stn"}, 3, "it is the input [STN0702]\n"},
      {{"laplace.stn", "--emit=ir", "-o", "laplace.stn"}, 3, "it is the input [STN0702]\n"},
      {{"laplace.stn", "-o", "x.h"},
       3,
       "stencilc: error: cannot write `x.h`: it is another output [STN0702]\n"},
      {{"laplace.stn", "-MD", "-MF", "laplace.cu"}, 3, "it is another output [STN0702]\n"},
      {{"laplace.stn", "-o", "a\"b.cu"}, 3, "no #include can name it [STN0702]\n"},
      {{"laplace.stn", "-o", "a\nb.cu"}, 3, "no #include can name it [STN0702]\n"},
      {{"laplace.stn", "-o", "laplace.stn/x.cu"},
       3,
       "stencilc: error: cannot write `laplace.stn/x.h`: Not a directory [STN0702]\n"},
      {{"empty.stn"}, 1, "empty.stn:1:1: error: there is no stencil in this file [STN0104]\n"},
      {{"junk.stn"}, 1, "[STN0102]\n"},
      {{"open.stn"}, 1, "open.stn:1:"},
      {{"name.stn", "-MD"}, 1, "name.stn:1:43: error: `w` is not declared [STN0201]\n"},
      {{"deep.stn"}, 4, "[STN0901]\n"},
      {{"laplace.stn", "--schedule=tiled"},
       1,
       "stencilc: error: there is no schedule `tiled`; the schedules are naive and coarsened "
       "[STN0601]\n"},
      {{"laplace.stn", "--arch=sm_1"},
       1,
       "stencilc: error: there is no architecture `sm_1` [STN0602]\n"},
      {{"laplace.stn", "-D", "q=1"}, 1, "[STN0214]\n"},
      {{}, 2, "stencilc: error: no input file\n"},
      {{"laplace.stn", "--bogus"}, 2, "--bogus"},
      {{"laplace.stn", "name.stn"}, 2, "name.stn"},
      {{"laplace.stn", "-O9"}, 2, "stencilc: error: "},
      {{"laplace.stn", "-D", "q"}, 2, "stencilc: error: `-D q`: name=value is expected\n"},
      {{"laplace.stn", "--emit=ptx"}, 2, "--emit"},
      {{"laplace.stn", "-Wno-nonsense"}, 2, "there is no warning `nonsense`\n"},
      {{"laplace.stn", "--fp=fast"}, 2, "`--fp=fast` is not in this version"},
      {{"import", "laplace.stn"}, 2, "stencilc: error: the command `import` is not in this version\n"},
      {{"run", "laplace.stn", "--size", "4xx4"},
       2,
       "stencilc: error: `--size 4xx4`: extents such as 1024x768 are expected\n"},
      {{"--explain", "STN9999"}, 2, "there is no diagnostic `STN9999`\n"},
  };
  for (const Row& row : rows) {
    std::string line = "stencilc";
    for (const std::string& word : row.words) line += " " + word;
    SCOPED_TRACE(line);
    const Finished finished = here.stencilc(row.words);
    EXPECT_EQ(finished.status, row.status) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_NE(finished.err.find(row.says), std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find("internal"), std::string::npos) << finished.err;
    EXPECT_EQ(here.files(), before);
  }
  EXPECT_EQ(read(here.path / "laplace.stn"), source);
}

TEST(Cli, AFolderThatTakesNoFileIsSaidSo) {
  const Workplace here;
  here.example("laplace");
  fs::create_directory(here.path / "shut");
  fs::permissions(here.path / "shut", fs::perms::owner_read | fs::perms::owner_exec);
  if (here.shell("touch shut/x").status == 0) GTEST_SKIP() << "this user may write everywhere";
  const Finished finished = here.stencilc({"laplace.stn", "-o", "shut/x.cu"});
  EXPECT_EQ(finished.status, 3);
  EXPECT_EQ(finished.err,
            "stencilc: error: cannot write `shut/x.h`: Permission denied [STN0702]\n");
}

TEST(Cli, ADeviceIsWrittenToAndGetsNoHeaderBesideIt) {
  const Workplace here;
  here.example("laplace");
  EXPECT_EQ(here.stencilc({"laplace.stn", "-o", "/dev/null"}).status, 0);
  EXPECT_FALSE(fs::exists("/dev/null.h"));
  EXPECT_EQ(here.files(), (Names{"laplace.stn"}));
  const Finished full = here.stencilc({"laplace.stn", "-o", "/dev/full"});
  EXPECT_EQ(full.status, 3);
  EXPECT_EQ(full.err,
            "stencilc: error: cannot write `/dev/full`: No space left on device [STN0702]\n");
}

TEST(Cli, DiagnosticsAsJsonAreOneObjectALine) {
  const Workplace here;
  here.write("in.stn", "stencil s { axes x; field f32 u;\nu[t+1] = u[x-1] + wx;\nq = 3; }");
  const Finished finished = here.stencilc({"in.stn", "--diagnostics-format=json"});
  EXPECT_EQ(finished.status, 1);
  std::istringstream lines(finished.err);
  std::vector<std::string> codes;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(object.is_object()) << line;
    EXPECT_EQ(object["level"], "error");
    EXPECT_EQ(object["spans"][0]["file_name"], "in.stn");
    codes.push_back(object["code"]["code"]);
  }
  EXPECT_EQ(codes, (Names{"STN0404", "STN0201", "STN0201"}));
}

TEST(Cli, ColorIsForTerminalsAndForThoseWhoAsk) {
  const Workplace here;
  here.write("in.stn", "stencil s { axes x; q = 3; }");
  const std::string binary = "'" STENCILC_BINARY "' in.stn";
  const auto colored = [&](const std::string& line) {
    return here.shell(line).err.find('\x1b') != std::string::npos;
  };
  EXPECT_FALSE(colored(binary));
  EXPECT_TRUE(colored(binary + " --color=always"));
  EXPECT_TRUE(colored("NO_COLOR=1 " + binary + " --color=always"));
  EXPECT_TRUE(colored("CLICOLOR_FORCE=1 " + binary));
  EXPECT_FALSE(colored("NO_COLOR=1 CLICOLOR_FORCE=1 " + binary));
  EXPECT_FALSE(colored("CLICOLOR_FORCE=1 " + binary + " --color=never"));
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Cli, TheErrorLimitCutsTheList) {
  const Workplace here;
  std::string text = "stencil s { axes x;\n";
  for (int i = 0; i < 30; ++i) text += "q" + std::to_string(i) + " = 1;\n";
  here.write("in.stn", text + "}");
  EXPECT_EQ(count(here.stencilc({"in.stn"}).err, ": error: "), 20);
  EXPECT_EQ(count(here.stencilc({"in.stn", "--error-limit=0"}).err, ": error: "), 30);
  const Finished three = here.stencilc({"in.stn", "--error-limit=3"});
  EXPECT_EQ(count(three.err, ": error: "), 3);
  EXPECT_NE(three.err.find("stopped after 3"), std::string::npos) << three.err;
}

TEST(Cli, WarningsCanBeSilencedAndRaised) {
  const Workplace here;
  here.write("in.stn",
             "stencil s { axes x; param f32 k; field f32 u boundary clamp; u[t+1] = 2*u; }");
  const auto warn = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"in.stn", "-o", "out.cu"});
    return here.stencilc(words);
  };
  EXPECT_EQ(count(warn({}).err, ": warning: "), 2);
  EXPECT_EQ(warn({}).status, 0);
  EXPECT_EQ(count(warn({"-Wno-unused-name"}).err, ": warning: "), 1);
  EXPECT_EQ(warn({"-Wno-unused-name", "-Wno-boundary-unused"}).err, "");
  const Finished raised = warn({"-Werror=unused-name"});
  EXPECT_EQ(raised.status, 1);
  EXPECT_EQ(count(raised.err, ": error: "), 1);
  EXPECT_EQ(warn({"-Werror"}).status, 1);
  EXPECT_EQ(count(warn({"-Werror"}).err, ": error: "), 2);
}

TEST(Cli, ARaisedWarningLeavesNoOutput) {
  const Workplace here;
  here.write("in.stn", "stencil s { axes x; param f32 k; field f32 u; u[t+1] = 2*u; }");
  EXPECT_EQ(here.stencilc({"in.stn", "-Werror"}).status, 1);
  EXPECT_EQ(here.files(), (Names{"in.stn"}));
}

TEST(Cli, EveryCodeIsExplained) {
  const Workplace here;
  for (const diag::Row& row : diag::table()) {
    const Finished finished = here.stencilc({"--explain", diag::id(row.code)});
    EXPECT_EQ(finished.status, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(finished.out.rfind(diag::id(row.code) + " " + std::string(row.name) + "\n", 0), 0u)
        << finished.out;
    EXPECT_NE(finished.out.find(row.explanation), std::string::npos);
    EXPECT_EQ(here.stencilc({"--explain", std::string(row.name)}).out, finished.out);
  }
}

TEST(Cli, EveryStageCanBeLookedAt) {
  const Workplace here;
  here.example("wave2d");
  const std::pair<const char*, const char*> stages[] = {{"ast", "stencil wave2d {"},
                                                        {"ir", "stencil wave2d(x, y) {"},
                                                        {"schedule", "coarsened,threads="},
                                                        {"kernel", "kernel step\n"},
                                                        {"cpu", "#pragma omp"},
                                                        {"header", "#pragma once"},
                                                        {"manifest", "\"stencil\": \"wave2d\""}};
  for (const auto& [stage, shows] : stages) {
    const Finished finished = here.stencilc({"wave2d.stn", std::string("--emit=") + stage});
    EXPECT_EQ(finished.status, 0) << stage;
    EXPECT_NE(finished.out.find(shows), std::string::npos) << stage << "\n" << finished.out;
    EXPECT_EQ(here.files(), (Names{"wave2d.stn"})) << stage;
  }
  EXPECT_TRUE(nlohmann::json::accept(here.stencilc({"wave2d.stn", "--emit=manifest"}).out));
  ASSERT_EQ(here.stencilc({"wave2d.stn", "--emit=ir", "-o", "ir.txt"}).status, 0);
  EXPECT_EQ(read(here.path / "ir.txt"), here.stencilc({"wave2d.stn", "--emit=ir"}).out);
}

TEST(Cli, TheSameInputGivesTheSameBytesAnywhere) {
  const Workplace here, there;
  fs::create_directories(there.path / "deep/er");
  for (const char* name : {"laplace", "wave3d", "gray_scott"}) {
    here.example(name);
    there.example(name);
    const std::string stn = std::string(name) + ".stn", cu = std::string(name) + ".cu",
                      h = std::string(name) + ".h";
    ASSERT_EQ(here.stencilc({stn}).status, 0);
    ASSERT_EQ(there
                  .shell("cd deep/er && LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 LC_NUMERIC=fr_FR.UTF-8 "
                         "'" STENCILC_BINARY "' '" +
                         (there.path / stn).string() + "'")
                  .status,
              0);
    EXPECT_EQ(read(here.path / cu), read(there.path / "deep/er" / cu));
    EXPECT_EQ(read(here.path / h), read(there.path / "deep/er" / h));
  }
}

TEST(Cli, VersionAndHelp) {
  const Workplace here;
  EXPECT_EQ(here.stencilc({"--version"}).out.rfind("stencilc ", 0), 0u);
  const Finished help = here.stencilc({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* option : {"--emit", "--schedule", "--target", "--standalone", "--explain", "-o"})
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
}

// The figure is for the reader: a loaded machine must not fail the test.
TEST(Cli, StartToEndIsQuick) {
  const Workplace here;
  here.example("laplace");
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(here.stencilc({"laplace.stn", "-o", "laplace.cu"}).status, 0);
    best = std::min(
        best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                  .count());
  }
  RecordProperty("milliseconds", std::to_string(best));
  std::printf("laplace.stn -o laplace.cu: %.1f ms, the shell included\n", best);
}

}  // namespace
}  // namespace stencilc
