// The documents say what is true: their programs compile, the code that they show is what the
// compiler emits, their links lead somewhere, and they name every option.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "docs/diagnostics_page.h"
#include "docs/markdown.h"
#include "support/process.h"

namespace stencilc::test {
namespace {
namespace fs = std::filesystem;

const fs::path root = STENCILC_SOURCE_DIR;

// An empty folder for the test that runs.
fs::path work_folder() {
  const fs::path folder = fs::path(STENCILC_BINARY_DIR) / "tests/docs" /
                          testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<Block> blocks_of(const fs::path& file, const std::string& language) {
  std::vector<Block> blocks = code_blocks(file);
  std::erase_if(blocks, [&](const Block& block) { return block.language != language; });
  return blocks;
}

// The only block of its language in a file.
Block block_of(const fs::path& file, const std::string& language) {
  const std::vector<Block> blocks = blocks_of(file, language);
  EXPECT_EQ(blocks.size(), 1u) << language << " in " << file;
  return blocks.empty() ? Block{} : blocks[0];
}

// The kernel of an emitted .cu: from its template line to the brace that ends it.
std::string step_kernel(const std::string& cu) {
  const size_t name = cu.find("step(");
  const size_t begin = cu.rfind("template", name), end = cu.find("\n}\n", name);
  if (name == cu.npos || begin == cu.npos || end == cu.npos) return "";
  return cu.substr(begin, end + 3 - begin);
}

// Compares a document, or with STENCILC_UPDATE_GOLDEN rewrites it and fails.
void expect_document(const fs::path& file, const std::string& wanted) {
  const std::string found = fs::exists(file) ? read(file) : "";
  if (found == wanted) return;
  if (std::getenv("STENCILC_UPDATE_GOLDEN") != nullptr) {
    write(file, wanted);
    FAIL() << "rewrote " << file << "; look at the change, then test without "
           << "STENCILC_UPDATE_GOLDEN";
  }
  FAIL() << file << " is out of date; STENCILC_UPDATE_GOLDEN=1 rewrites it\n"
         << diff(found, wanted);
}

TEST(docs, every_program_compiles_or_reports_the_code_that_the_text_names) {
  const fs::path folder = work_folder();
  int count = 0;
  for (const fs::path& file : documents())
    for (const Block& block : blocks_of(file, "stn")) {
      ++count;
      write(folder / "program.stn", block.text);
      std::vector<std::string> words = {STENCILC_BINARY, "program.stn", "-o", "program.cu"};
      if (!block.note.empty()) words.push_back("-Wall");  // some warnings are off until then
      const Finished result = run(folder, words);
      if (block.note.empty()) {
        EXPECT_EQ(result.status, 0) << place(block);
        EXPECT_EQ(result.err, "") << place(block);
      } else {
        EXPECT_NE(result.err.find("[" + block.note + "]"), std::string::npos)
            << place(block) << ": " << result.err;
      }
    }
  EXPECT_GT(count, 50);
}

TEST(docs, the_readme_shows_an_example_and_the_kernel_that_is_emitted_for_it) {
  const fs::path readme = root / "README.md", example = root / "examples/laplace.stn";
  EXPECT_EQ(block_of(readme, "stn").text, read(example));
  const Finished result = run(root, {STENCILC_BINARY, example, "-o", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string kernel = step_kernel(result.out), shown = block_of(readme, "cuda").text;
  ASSERT_NE(kernel, "") << result.out;
  ASSERT_NE(shown, "");
  std::string wanted = read(readme);
  wanted.replace(wanted.find(shown), shown.size(), kernel);
  // What it says of the whole file.
  const auto count_of = [&](const std::string& word) {
    int count = 0;
    for (size_t at = 0; (at = result.out.find(word, at)) != result.out.npos; ++at) ++count;
    return count;
  };
  wanted = std::regex_replace(wanted, std::regex("writes [0-9]+ lines,"),
                              "writes " + std::to_string(count_of("\n")) + " lines,");
  wanted = std::regex_replace(wanted, std::regex("C, and [0-9]+ kernels"),
                              "C, and " + std::to_string(count_of("__global__")) + " kernels");
  for (const std::string said : {"advance_steps<Index, 11><<<", "left < 12 ? left : 12"})
    EXPECT_EQ(count_of(said), 1) << said;
  expect_document(readme, wanted);
}

TEST(docs, the_readme_is_short) {
  const std::string text = read(root / "README.md");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 140);
}

TEST(docs, the_page_on_performance_is_short_and_leaves_the_rest_to_the_notes) {
  const std::string text = read(root / "docs/performance.md");
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
  EXPECT_NE(text.find("(../bench/notes/README.md)"), std::string::npos);
}

TEST(docs, links_lead_to_files) {
  for (const fs::path& file : documents())
    for (const std::string& target : links(file))
      EXPECT_TRUE(fs::exists(file.parent_path() / target)) << file << ": " << target;
}

TEST(docs, the_page_of_diagnostics_is_made_from_the_table) {
  expect_document(root / "docs/diagnostics.md", diagnostics_page());
}

TEST(docs, every_option_is_described) {
  const std::string page = read(root / "docs/cli.md");
  static const std::regex option(R"((^|[ ,])(--?[A-Za-z][-a-z]*))");
  for (const std::vector<std::string>& words : {std::vector<std::string>{STENCILC_BINARY, "--help"},
                                                {STENCILC_BINARY, "run", "--help"},
                                                {STENCILC_BINARY, "bench", "--help"},
                                                {STENCILC_BINARY, "tune", "--help"},
                                                {STENCILC_BINARY, "fmt", "--help"}}) {
    const Finished help = run(root, words);
    ASSERT_EQ(help.status, 0) << help.err;
    const std::string& text = help.out;
    for (std::sregex_iterator match(text.begin(), text.end(), option), end; match != end; ++match)
      EXPECT_NE(page.find((*match)[2].str()), std::string::npos) << (*match)[2];
  }
}

TEST(docs, cxx_and_c_programs_run) {
  const fs::path folder = work_folder();
  const auto compile = [&](const std::vector<std::string>& words,
                           const std::string& compiler = STENCILC_CXX) {
    std::vector<std::string> command = {
        compiler,  "-std=c++20", "-ffp-contract=off",     "-fopenmp", "-Wall",
        "-Werror", "-I",         root / "runtime/include"};
    command.insert(command.end(), words.begin(), words.end());
    return run(folder, command);
  };
  // What they call, for whole grids and for pieces.
  const auto emit = [&](const std::string& name, const std::string& where,
                        std::vector<std::string> words) {
    fs::create_directories(folder / where);
    const std::string out = where + "/" + name + ".cpp";
    words.insert(words.begin(),
                 {STENCILC_BINARY, root / "examples" / (name + ".stn"), "--target=cpu", "-o", out});
    const Finished emitted = run(folder, words);
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    // Programs take so many steps that optimizing takes less than they do without.
    const Finished compiled = compile({"-O1", "-c", out, "-o", where + "/" + name + ".o"});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
  };
  for (const std::string name : {"gray_scott", "laplace", "wave2d"}) emit(name, "whole", {});
  emit("laplace", "pieces", {"--distributed"});
  int count = 0;
  for (const fs::path& file : documents())
    for (const std::string language : {"cpp", "c"})
      for (const Block& block : blocks_of(file, language)) {
        if (block.text.find(" main(") == block.text.npos) continue;
        ++count;
        const bool c = language == "c", mpi = block.text.find("stencil/mpi.h") != block.text.npos,
                   pieces = c || block.text.find("stencil::Mesh") != block.text.npos;
        std::vector<std::string> words = {"main.o", "-o", "program"};
        write(folder / ("main." + language), block.text);
        if (pieces)
          words.insert(words.end(), {"pieces/laplace.o"});
        else
          words.insert(words.end(), {"whole/gray_scott.o", "whole/laplace.o", "whole/wave2d.o"});
        const std::string here = pieces ? "pieces" : "whole", cxx = mpi ? "mpicxx" : STENCILC_CXX;
        const Finished compiled = c ? run(folder, {"cc", "-std=c99", "-Wall", "-Werror", "-I", here,
                                                   "-I", root / "runtime/include", "-c", "main.c"})
                                    : compile({"-I", here, "-c", "main.cpp"}, cxx);
        ASSERT_EQ(compiled.status, 0) << place(block) << ": " << compiled.err;
        const Finished built = compile(words, cxx);
        ASSERT_EQ(built.status, 0) << place(block) << ": " << built.err;
        // A busy machine makes threads that spin wait for long: docs/runtime.md.
        std::vector<std::string> started = {"env", "OMP_WAIT_POLICY=passive", "./program"};
        if (mpi)
          started.insert(started.end() - 1,
                         {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"});
        const Finished ran = run(folder, started);
        EXPECT_EQ(ran.status, 0) << place(block) << ": " << ran.out << ran.err;
      }
  EXPECT_GT(count, 3);
}

// Runs the commands of a page in one folder, in their order, and returns how many were run.
int run_commands(const fs::path& folder, const fs::path& page, const std::string& without = "") {
  const std::string tools = fs::path(STENCILC_BINARY).parent_path();
  int count = 0;
  for (const Block& block : blocks_of(page, "sh")) {
    if (!without.empty() && block.text.find(without) != block.text.npos) continue;
    const Finished ran = run(folder, {"sh", "-e", "-c",
                                      "PATH='" + tools +
                                          "':\"$PATH\" OMP_WAIT_POLICY=passive; export "
                                          "PATH OMP_WAIT_POLICY\n" +
                                          block.text});
    // The library that .nc files need is loaded where it is installed.
    if (ran.status != 0 && block.text.find(".nc") != block.text.npos &&
        ran.err.find("libnetcdf") != ran.err.npos)
      continue;
    EXPECT_EQ(ran.status, 0) << place(block) << ": " << ran.out << ran.err;
    ++count;
  }
  return count;
}

// Where Python has no NumPy, what needs its file is left out.
TEST(docs, the_commands_for_long_runs_run) {
  const fs::path folder = work_folder(), page = root / "docs/long-runs.md";
  fs::create_directory_symlink(root / "examples", folder / "examples");
  const Finished made = run(folder, {"/usr/bin/python3", "-c", block_of(page, "python").text});
  const bool pulse = made.status == 0;
  EXPECT_TRUE(pulse || made.err.find("No module named 'numpy'") != made.err.npos) << made.err;
  EXPECT_GE(run_commands(folder, page, pulse ? "" : "pulse.npz"), 6);
  for (const char* file : {"spots.gif", "spots.jsonl", "wave_001500.npy", "wave.ckpt.previous"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  EXPECT_EQ(fs::exists(folder / "shot.pvd"), pulse);
}

TEST(docs, the_commands_for_files_run) {
  const fs::path folder = work_folder();
  fs::create_directory_symlink(root / "examples", folder / "examples");
  fs::copy_file(root / "tests/fuzz/files/rgba.png", folder / "photo.png");
  EXPECT_GE(run_commands(folder, root / "docs/files.md"), 4);
  for (const char* file : {"later.npz", "heat.vti", "blurred.png", "wave.svg", "cut.png"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
}

TEST(docs, the_rule_for_make_builds_once_and_again_after_an_edit) {
  const fs::path folder = work_folder();
  write(folder / "Makefile", block_of(root / "docs/make.md", "make").text);
  fs::copy_file(root / "examples/laplace.stn", folder / "laplace.stn");
  write(folder / "main.cpp", block_of(root / "README.md", "cpp").text);
  const auto make = [&](std::vector<std::string> words) {
    const std::vector<std::string> settings = {"make", std::string("STENCILC=") + STENCILC_BINARY,
                                               std::string("CXX=") + STENCILC_CXX,
                                               "RUNTIME=" + (root / "runtime/include").string()};
    words.insert(words.begin(), settings.begin(), settings.end());
    return run(folder, words);
  };
  const Finished first = make({});
  ASSERT_EQ(first.status, 0) << first.out << first.err;
  EXPECT_EQ(run(folder, {"./app"}).status, 0);
  EXPECT_EQ(make({"-q"}).status, 0) << "something is out of date right after the build";
  // A remark does not change the output.
  write(folder / "laplace.stn", read(folder / "laplace.stn") + "// a remark\n");
  EXPECT_EQ(make({"-q"}).status, 1) << "the edit is not noticed";
  const Finished again = make({});
  ASSERT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_NE(again.out.find("laplace.stn"), std::string::npos) << again.out;
  EXPECT_EQ(make({"-q"}).status, 0) << "something is out of date for ever";
}

}  // namespace
}  // namespace stencilc::test
