// Emitted text as the formatter and the parser judge it, and the plugin through which the compiler
// reaches them.
#include <gtest/gtest.h>

#include "check/front_end/format.h"
#include "check/front_end/syntax.h"
#include "check/plugin/plugin.h"
#include "executor/fixture.h"

namespace stencilc::check {
namespace {

using Findings = std::vector<std::string>;

TEST(check_format, findings_say_the_line_and_what_it_should_be) {
  const std::pair<const char*, Findings> rows[] = {
      {"int f(int* p) { return *p; }\n", {}},
      {"", {}},
      {"int a;\nint  b;\nint c;\n", {"line 2: should be `int b;`"}},
      {"int a;\n\n\n\nint b;\n", {"line 3: should be left out"}},
      {"void f() { int x = 1; g(x); }\n",
       {"line 1: should be `void f() {` then `  int x = 1;` then `  g(x);` then `}`"}},
      {"#include <b.h>\n#include <a.h>\n",
       {"line 1: should be `#include <a.h>`", "line 2: should be left out"}},
      {"k<<<a,b>>>(c);\n", {"line 1: should be `k<<<a, b>>>(c);`"}}};
  for (const auto& [text, findings] : rows) EXPECT_EQ(format_findings(text), findings) << text;
}

TEST(check_syntax, the_fixtures_have_no_findings) {
  for (const char* name : {"guarded.cu", "tiled.cu", "streaming.cu", "shuffled.cu", "prefetched.cu",
                           "lanes.cu", "windows.cu", "boxes.cu", "produced.cu"}) {
    EXPECT_EQ(
        syntax_findings({name, fixture_text(name), {}, {STENCILC_SOURCE_DIR "/runtime/include"}}),
        Findings{})
        << name;
  }
}

// Each side of a CUDA file is parsed.
TEST(check_syntax, findings_have_a_place) {
  struct {
    const char *file, *text;
    Findings findings;
  } const rows[] = {
      {"a.cu",
       "__global__ void k(int* p) { *p = q; }\n",
       {"a.cu:1:34: error: use of undeclared identifier 'q'"}},
      {"a.cu",
       "__global__ void k(int* p) { int unused; *p = 1; }\n",
       {"a.cu:1:33: warning: unused variable 'unused'"}},
      {"a.cpp",
       "int f(int a, unsigned b) { return a < b; }\n",
       {"a.cpp:1:37: warning: comparison of integers of different signs: 'int' and 'unsigned "
        "int'"}},
      {"a.cu",
       "void f() {}\n__global__ void k() { f(); }\n",
       {"a.cu:2:23: error: no matching function for call to 'f'",
        "a.cu:1:6: note: candidate function not viable: call to __host__ function from __global__ "
        "function"}},
      {"a.cu",
       "__device__ int f() { return 1; }\nint g() { return f(); }\n",
       {"a.cu:2:18: error: no matching function for call to 'f'",
        "a.cu:1:16: note: candidate function not viable: call to __device__ function from __host__ "
        "function"}},
      {"a.cu",
       "#if defined(__CUDA_ARCH__)\nint f() { return 1 }\n#endif\n",
       {"a.cu:2:19: error: expected ';' after return statement"}},
      {"a.h", "#pragma once\n#include <cstdint>\nstd::int64_t f(int x);\n", {}},
      {"a.cpp", "#include <none.h>\n", {"a.cpp:1:10: error: 'none.h' file not found"}}};
  for (const auto& row : rows)
    EXPECT_EQ(syntax_findings({row.file, row.text, {}, {}}), row.findings) << row.text;
}

TEST(check_syntax, headers_and_their_includes_are_found) {
  EXPECT_EQ(syntax_findings({"a.cu",
                             "#include \"a.h\"\nint g() { return f(1) + h(2); }\n",
                             {{"a.h", "#pragma once\ninline int f(int x) { return x; }\n"},
                              {"stencil/b.h", "inline int h(int x) { return x; }\n"}},
                             {}}),
            Findings{"a.cu:2:25: error: use of undeclared identifier 'h'"});
  EXPECT_EQ(syntax_findings({"a.cpp",
                             "#include <stencil/b.h>\nint g() { return h(2); }\n",
                             {{"stencil/b.h", "inline int h(int x) { return x; }\n"}},
                             {}}),
            Findings{});
}

TEST(check_plugin, gives_the_functions_of_the_room) {
  std::string why_not;
  const CheckApi* api = load_check_api(why_not);
  ASSERT_NE(api, nullptr) << why_not;
  EXPECT_EQ(api->format_findings("int  b;\n"), Findings{"line 1: should be `int b;`"});
  const Loaded loaded =
      api->load({{"a.cu", "extern \"C\" int five() { return 5; }\n", {}, {}}, ""});
  ASSERT_TRUE(loaded.executor);
  EXPECT_EQ(reinterpret_cast<int (*)()>(api->symbol(*loaded.executor, "five"))(), 5);
}

}  // namespace
}  // namespace stencilc::check
