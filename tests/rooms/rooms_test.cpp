// Reads every #include of the tree and holds it against rooms.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "rooms/includes.h"

namespace stencilc::rooms {
namespace {

namespace fs = std::filesystem;

const fs::path source_dir = STENCILC_SOURCE_DIR;

Table table() { return read_table(source_dir / "tests/rooms/rooms.txt"); }

// A tree with one file in it.
fs::path planted(const std::string& name, const std::string& text) {
  const fs::path root = fs::path(STENCILC_BINARY_DIR) / "tests/planted" /
                        testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::remove_all(root);
  fs::create_directories((root / name).parent_path());
  std::ofstream(root / name) << text;
  return root;
}

using Lines = std::vector<std::string>;

TEST(rooms, include_only_what_the_table_allows) {
  for (const std::string& line : violations(source_dir, table())) ADD_FAILURE() << line;
  EXPECT_GT(source_files(source_dir).size(), 10u);
}

// Adds all that `name` may include, directly and by way of others.
void add_reached(const std::string& name, const Table& table, std::set<std::string>& reached) {
  const auto row = table.find(name);
  if (row == table.end()) return;
  for (const std::string& next : row->second)
    if (reached.insert(next).second) add_reached(next, table, reached);
}

TEST(rooms, the_table_has_no_cycle) {
  const Table rows = table();
  for (const auto& [name, allowed] : rows) {
    std::set<std::string> reached;
    add_reached(name, rows, reached);
    EXPECT_EQ(reached.count(name), 0u) << name;
  }
}

TEST(rooms, keep_files_short) {
  for (const fs::path& file : source_files(source_dir)) {
    std::ifstream in(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    EXPECT_LE(lines, 800) << fs::relative(file, source_dir).string() << " wants to be two files";
  }
}

TEST(rooms, a_forbidden_room_is_found) {
  const fs::path root =
      planted("compiler/emit/print.cpp",
              "#include \"emit/print.h\"\n#include <string>\n#include \"ir/type.h\"\n");
  EXPECT_EQ(violations(root, table()),
            Lines{"compiler/emit/print.cpp:3: `emit` may not include `ir/type.h`"});
}

TEST(rooms, a_forbidden_library_is_found) {
  const fs::path root =
      planted("compiler/kernel/expr.h", "#include <vector>\n#include <fmt/core.h>\n");
  EXPECT_EQ(violations(root, table()),
            Lines{"compiler/kernel/expr.h:2: `kernel` may not include `fmt/core.h`"});
}

TEST(rooms, the_runtime_may_not_see_the_compiler) {
  const fs::path root = planted("runtime/include/stencil/cpu.h",
                                "#include <stencil/status.h>\n#include <diag/codes.h>\n");
  EXPECT_EQ(violations(root, table()),
            Lines{"runtime/include/stencil/cpu.h:2: `runtime` may not include `diag/codes.h`"});
}

TEST(rooms, an_include_without_its_room_is_found) {
  const fs::path root = planted("compiler/ast/ast.cpp", "#include \"ast.h\"\n");
  EXPECT_EQ(violations(root, table()),
            Lines{"compiler/ast/ast.cpp:1: `ast.h` does not name its room"});
}

TEST(rooms, an_unknown_room_is_found) {
  const fs::path root = planted("compiler/extra/a.cpp", "");
  EXPECT_EQ(violations(root, table()), Lines{"compiler/extra/a.cpp: the room `extra` has no row"});
}

TEST(rooms, a_forbidden_folder_is_found) {
  const fs::path root =
      planted("compiler/lower/cell/cell.cpp",
              "#include \"lower/context/names.h\"\n#include \"lower/cell/cell.h\"\n"
              "#include \"ir/ir.h\"\n#include \"lower/lower.h\"\n"
              "#include \"lower/tile/vector_row.h\"\n");
  EXPECT_EQ(violations(root, table()),
            (Lines{"compiler/lower/cell/cell.cpp:4: `lower/cell` may not include `lower/lower.h`",
                   "compiler/lower/cell/cell.cpp:5: `lower/cell` may not include "
                   "`lower/tile/vector_row.h`"}));
}

TEST(rooms, an_unknown_folder_is_found) {
  const fs::path root = planted("compiler/plan/extra/a.cpp", "");
  EXPECT_EQ(violations(root, table()),
            Lines{"compiler/plan/extra/a.cpp: the folder `plan/extra` has no row"});
}

TEST(rooms, files_of_a_room_may_include_its_folders) {
  const fs::path root = planted("compiler/lower/lower.cpp", "#include \"lower/cell/cell.h\"\n");
  EXPECT_EQ(violations(root, table()), Lines{});
}

TEST(rooms, an_include_in_a_raw_string_is_text) {
  const fs::path root = planted("compiler/kernel/text.cpp",
                                "auto a = R\"cu(\n#include <cuda.h>\n)cu\";\n#include <png.h>\n");
  EXPECT_EQ(violations(root, table()),
            Lines{"compiler/kernel/text.cpp:4: `kernel` may not include `png.h`"});
}

}  // namespace
}  // namespace stencilc::rooms
