#include "check/front_end/format.h"

#include <clang/Format/Format.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <cassert>
#include <span>
#include <system_error>

namespace stencilc::check {
namespace {

// The style of emitted code: Google's with 100 columns. A list that does not fit goes on lines of
// its own, never after its bracket, and nothing else is broken to make it fit. So the emitter knows
// the layout of a line without trying alternatives.
constexpr const char* emitted_style_text = R"(
BasedOnStyle: Google
ColumnLimit: 100
DerivePointerAlignment: false
AlignAfterOpenBracket: AlwaysBreak
PenaltyBreakAssignment: 100000
PenaltyBreakTemplateDeclaration: 100000
PenaltyReturnTypeOnItsOwnLine: 100000
)";

clang::format::FormatStyle emitted_style() {
  auto style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  const std::error_code bad = clang::format::parseConfiguration(
      "{ColumnLimit: 100, DerivePointerAlignment: false, AlignAfterOpenBracket: AlwaysBreak, "
      "PenaltyBreakAssignment: 100000, PenaltyBreakTemplateDeclaration: 100000, "
      "PenaltyReturnTypeOnItsOwnLine: 100000}",
      &style);
  assert(!bad && "a style that Clang knows");
  static_cast<void>(bad);
  return style;
}

std::string formatted(std::string_view text) {
  using namespace clang;
  const auto style = emitted_style();
  std::string result(text);
  auto apply = [&](const tooling::Replacements& edits) {
    auto changed = tooling::applyAllReplacements(result, edits);
    if (changed) result = std::move(*changed);
    llvm::consumeError(changed.takeError());
  };
  auto whole = [&] { return std::vector{tooling::Range(0, static_cast<unsigned>(result.size()))}; };
  apply(format::sortIncludes(style, result, whole(), "emitted.cu"));
  apply(format::reformat(style, result, whole(), "emitted.cu"));
  return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

// The lines of `is` that are not in `wanted`, compared in step; the next common line synchronises
// the two.
std::vector<std::string> differences(std::span<const std::string_view> is,
                                     std::span<const std::string_view> wanted) {
  constexpr size_t reach = 12;
  std::vector<std::string> findings;
  size_t i = 0, w = 0;
  while (i < is.size() || w < wanted.size()) {
    if (i < is.size() && w < wanted.size() && is[i] == wanted[w]) {
      ++i, ++w;
      continue;
    }
    size_t skip_is = is.size() - i, skip_wanted = wanted.size() - w;
    for (size_t sum = 1; sum <= 2 * reach; ++sum) {
      bool met = false;
      for (size_t a = 0; a <= sum && !met; ++a) {
        const size_t b = sum - a;
        met = i + a < is.size() && w + b < wanted.size() && is[i + a] == wanted[w + b];
        if (met) skip_is = a, skip_wanted = b;
      }
      if (met) break;
    }
    std::string text = "line " + std::to_string(i + 1) + ": should be ";
    if (skip_wanted == 0) text += "left out";
    for (size_t k = 0; k < skip_wanted; ++k) {
      text += (k == 0 ? "`" : "` then `") + std::string(wanted[w + k]);
    }
    if (skip_wanted != 0) text += '`';
    findings.push_back(std::move(text));
    i += skip_is, w += skip_wanted;
  }
  return findings;
}

}  // namespace

std::vector<std::string> format_findings(std::string_view text) {
  const std::string wanted = formatted(text);
  if (wanted == text) return {};
  auto findings = differences(lines_of(text), lines_of(wanted));
  if (findings.empty()) findings.push_back("the text should end with one newline");
  return findings;
}

}  // namespace stencilc::check
