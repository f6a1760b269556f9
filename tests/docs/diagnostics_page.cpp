#include "docs/diagnostics_page.h"

#include "diag/codes.h"

namespace stencilc::test {
namespace {

constexpr const char* introduction = R"(# Diagnostics

Every message of the compiler ends with a code. `stencilc --explain STN0201` prints what stands here. A warning is
switched off by `-Wno-NAME` and made an error by `-Werror=NAME`, or all of them by `-Werror`.

The tests make this page from the table of codes in `compiler/diag`, and compile its examples.
)";

std::string block(const std::string& note, std::string_view text) {
  return "\n```stn" + note + "\n" + std::string(text) + "```\n";
}

}  // namespace

std::string diagnostics_page() {
  std::string page = introduction;
  for (const diag::Row& row : diag::table()) {
    const std::string id = diag::id(row.code);
    page += "\n## " + id + ": " + std::string(row.name);
    page += row.severity == diag::Severity::warning ? " (warning)\n\n" : "\n\n";
    page += std::string(row.explanation) + "\n";
    if (row.failing.empty()) continue;
    page += block(" " + id, row.failing) + "\nFixed:\n" + block("", row.mended);
  }
  return page;
}

}  // namespace stencilc::test
