// `stencilc fmt`: which files are written, what is said, and how the program ends.
#include <gtest/gtest.h>

#include "support/cli.h"

namespace stencilc {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using test::Names;
using test::read;
using test::Workplace;

constexpr const char* loose = "stencil a{axes x;field f32 u;u[t+1]=2*u;}//end";
constexpr const char* form = "stencil a {\n  axes  x;\n  field f32 u;\n  u[t+1] = 2*u;\n}  //end\n";

TEST(Fmt, RewritesFilesInPlace) {
  const Workplace here;
  here.write("a.stn", loose);
  here.write("b.stn", form);
  here.write("c.stn", "// only a comment\n\n\n");
  fs::permissions(here.path / "a.stn", fs::perms::owner_read | fs::perms::owner_write);
  const auto time = fs::last_write_time(here.path / "b.stn");
  const Finished result = here.stencilc({"fmt", "a.stn", "b.stn", "c.stn"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(read(here.path / "a.stn"), form);
  EXPECT_EQ(read(here.path / "b.stn"), form);
  EXPECT_EQ(read(here.path / "c.stn"), "// only a comment\n");
  EXPECT_EQ(fs::status(here.path / "a.stn").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::last_write_time(here.path / "b.stn"), time);
  EXPECT_EQ(here.files(), (Names{"a.stn", "b.stn", "c.stn"}));
}

TEST(Fmt, ALinkStaysALink) {
  const Workplace here;
  here.write("a.stn", loose);
  fs::create_symlink("a.stn", here.path / "link.stn");
  EXPECT_EQ(here.stencilc({"fmt", "link.stn"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(here.path / "link.stn"));
  EXPECT_EQ(read(here.path / "a.stn"), form);
}

TEST(Fmt, ADashIsStandardInputAndOutput) {
  const Workplace here;
  here.write("a.stn", loose);
  const std::string binary = STENCILC_BINARY;
  const Finished result = here.shell("'" + binary + "' fmt - < a.stn");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, form);
  EXPECT_EQ(read(here.path / "a.stn"), loose);
}

TEST(Fmt, CheckNamesWhatWouldChange) {
  const Workplace here;
  here.write("a.stn", loose);
  here.write("b.stn", form);
  const Finished result = here.stencilc({"fmt", "--check", "b.stn", "a.stn"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "a.stn\n");
  EXPECT_EQ(read(here.path / "a.stn"), loose);
  EXPECT_EQ(here.stencilc({"fmt", "--check", "b.stn"}).status, 0);
}

TEST(Fmt, TheExamplesHaveTheirForm) {
  const Workplace here;
  std::vector<std::string> words = {"fmt", "--check"};
  for (const auto& entry : fs::directory_iterator(fs::path(STENCILC_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".stn") words.push_back(entry.path());
  ASSERT_GT(words.size(), 5u);
  const Finished result = here.stencilc(words);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

TEST(Fmt, AFileWithErrorsIsLeftAlone) {
  const Workplace here;
  for (const std::string text : {"stencil a { axes x; u = (1; }", "stencil a { /* axes x; }",
                                 "stencil a { u = 2 \xC3\x97 v; }"}) {
    here.write("bad.stn", text);
    here.write("a.stn", loose);
    const Finished result = here.stencilc({"fmt", "bad.stn", "a.stn"});
    EXPECT_EQ(result.status, 1) << text;
    EXPECT_NE(result.err.find("bad.stn:1:"), std::string::npos) << result.err;
    EXPECT_EQ(read(here.path / "bad.stn"), text);
    EXPECT_EQ(read(here.path / "a.stn"), form) << "the files behind it are done";
  }
}

TEST(Fmt, FilesThatCannotBeReadOrAreNotGiven) {
  const Workplace here;
  EXPECT_EQ(here.stencilc({"fmt", "missing.stn"}).status, 3);
  EXPECT_EQ(here.stencilc({"fmt"}).status, 2);
  EXPECT_EQ(here.stencilc({"fmt", "--emit=ast", "a.stn"}).status, 2);
  EXPECT_EQ(here.stencilc({"fmt", "--help"}).status, 0);
}

}  // namespace
}  // namespace stencilc
