#include "diag/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "diag/codes.h"

namespace stencilc::diag {

const std::vector<uint32_t>& line_begins(const Source& source) {
  std::vector<uint32_t>& lines = source.found_lines;
  const auto end = static_cast<uint32_t>(source.text.size() + 1);
  if (!lines.empty() && lines.back() == end) return lines;
  lines = {0};
  for (size_t at = source.text.find('\n'); at != std::string::npos;
       at = source.text.find('\n', at + 1))
    lines.push_back(static_cast<uint32_t>(at + 1));
  lines.push_back(end);
  return lines;
}

Position position(const Source& source, uint32_t offset) {
  const std::vector<uint32_t>& lines = line_begins(source);
  offset = std::min(offset, static_cast<uint32_t>(source.text.size()));
  const auto line = std::prev(std::upper_bound(lines.begin(), lines.end(), offset));
  return {static_cast<uint32_t>(line - lines.begin() + 1), offset - *line + 1};
}

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back({std::move(text), false, {}});
  return *this;
}

Diagnostic& Diagnostic::note(std::string text, Range at) {
  notes.push_back({std::move(text), true, at});
  return *this;
}

Diagnostic& Diagnostic::help(std::string text) {
  helps.push_back({std::move(text), false, {}, ""});
  return *this;
}

Diagnostic& Diagnostic::help(std::string text, Range at, std::string replacement) {
  helps.push_back({std::move(text), true, at, std::move(replacement)});
  return *this;
}

Diagnostic& Engine::report(Code code, Range at, std::string text) {
  Severity severity = row(code).severity;
  if (severity == Severity::warning) {
    int level = row(code).opt_in ? 0 : 1;
    for (const auto& [changed, wanted] : levels_)
      if (changed == code) level = wanted;
    if (level == 0) return ignored_ = {code, severity, at, std::move(text), {}, {}};
    if (level == 2) severity = Severity::error;
  }
  if (std::find(silent_.begin(), silent_.end(), code) != silent_.end()) {
    ++silenced_;
    return ignored_ = {code, severity, at, std::move(text), {}, {}};
  }
  if (severity == Severity::error) ++errors_;
  if (severity == Severity::warning) ++warnings_;
  all_.push_back({code, severity, at, std::move(text), {}, {}});
  return all_.back();
}

void Engine::set_level(Code code, int level) {
  std::erase_if(levels_, [&](const auto& entry) { return entry.first == code; });
  levels_.emplace_back(code, level);
}

namespace {

constexpr size_t longest_compared = 64;

// Insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b`.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > longest_compared) return "";
  std::string best;
  size_t limit = name.size() / 3;  // the greatest distance that is better than `best`
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > longest_compared) continue;
    if (equal_but_for_case(name, candidate)) return candidate;
    size_t distance = edit_distance(name, candidate);
    if (distance > limit || (!best.empty() && distance == limit)) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " " + std::string(last) + " ";
    text += "`" + names[i] + "`";
  }
  return text;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kMostListed = 24;
  if (const std::string close = nearest(name, candidates); !close.empty())
    return "did you mean `" + close + "`?";
  if (candidates.empty() || candidates.size() > kMostListed) return "";
  return (candidates.size() == 1 ? "there is only " : "there are ") + listed(candidates);
}

}  // namespace stencilc::diag
