#include "driver/explain/explain_code.h"

#include <iostream>
#include <vector>

#include "diag/codes.h"
#include "driver/cli/option_words.h"
#include "driver/system/exit_codes.h"

namespace stencilc::driver {

int explain_code(const std::string& code) {
  const diag::Row* row = diag::find_row(code);
  if (!row) {
    std::vector<std::string> known;
    for (const diag::Row& one : diag::table())
      known.insert(known.end(), {diag::id(one.code), std::string(one.name)});
    return unknown_word("diagnostic", code, known, "diagnostics.md");
  }
  std::cout << diag::id(row->code) << " " << row->name << "\n\n" << row->explanation << "\n";
  if (!row->failing.empty())
    std::cout << "\nReported for\n\n" << row->failing << "\nFixed\n\n" << row->mended;
  return kOk;
}

}  // namespace stencilc::driver
