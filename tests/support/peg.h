// Runs a parsing expression grammar in B. Ford's notation as it is written: `Name <- 'text' [a-z] .
// A* B+ C? &D !E (F / G)`.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stencilc::testing {

// A parsing expression of B. Ford's notation.
struct Peg {
  enum Kind { text, set, any, rule, sequence, choice, star, plus, optional, ahead, not_ahead } kind;
  std::string word = {};  // the text, the characters of the set, or the name of the rule
  std::vector<Peg> parts = {};
  int number = -1;  // of the rule
};

// Reads the notation.
class PegReader {
 public:
  explicit PegReader(std::string_view text) : rest_(text) { skip(); }

  std::vector<Peg> read() {
    std::vector<Peg> rules;
    while (!rest_.empty()) {
      names_.emplace(name(), rules.size());
      expect("<-");
      rules.push_back(choice());
    }
    for (Peg& rule : rules) resolve(rule);
    return rules;
  }

 private:
  void skip() {
    while (!rest_.empty() && (std::isspace(rest_[0]) || rest_[0] == '#')) {
      rest_.remove_prefix(rest_[0] == '#' ? std::min(rest_.find('\n'), rest_.size()) : 1);
    }
  }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip();
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) throw std::runtime_error("no " + std::string(word) + " at " + where());
  }
  std::string where() const { return std::string(rest_.substr(0, 30)); }

  std::string name() {
    size_t end = 0;
    while (end < rest_.size() && std::isalpha(rest_[end])) ++end;
    if (end == 0) throw std::runtime_error("no name at " + where());
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    skip();
    return result;
  }
  char character() {
    char c = rest_[0];
    rest_.remove_prefix(1);
    if (c != '\\') return c;
    char escaped = rest_[0];
    rest_.remove_prefix(1);
    if (escaped == 'x') {
      int value = std::stoi(std::string(rest_.substr(0, 2)), nullptr, 16);
      rest_.remove_prefix(2);
      return static_cast<char>(value);
    }
    size_t known = std::string_view("tnrvf").find(escaped);
    return known == std::string_view::npos ? escaped : "\t\n\r\v\f"[known];
  }

  Peg choice() {
    Peg result{Peg::choice};
    do result.parts.push_back(sequence());
    while (take("/"));
    return result;
  }
  bool ends_sequence() const {
    if (rest_.empty() || rest_[0] == '/' || rest_[0] == ')') return true;
    size_t end = 0;
    while (end < rest_.size() && std::isalpha(rest_[end])) ++end;
    while (end > 0 && end < rest_.size() && rest_[end] == ' ') ++end;
    return end > 0 && rest_.substr(end).starts_with("<-");
  }
  Peg sequence() {
    Peg result{Peg::sequence};
    while (!ends_sequence()) result.parts.push_back(prefixed());
    return result;
  }
  Peg prefixed() {
    if (take("!")) return {Peg::not_ahead, "", {suffixed()}};
    if (take("&")) return {Peg::ahead, "", {suffixed()}};
    return suffixed();
  }
  Peg suffixed() {
    Peg inner = primary();
    if (take("*")) return {Peg::star, "", {inner}};
    if (take("+")) return {Peg::plus, "", {inner}};
    if (take("?")) return {Peg::optional, "", {inner}};
    return inner;
  }
  Peg primary() {
    if (take(".")) return {Peg::any};
    if (take("(")) {
      Peg inner = choice();
      expect(")");
      return inner;
    }
    if (rest_[0] == '\'') return quoted();
    if (rest_[0] == '[') return bracketed();
    return {Peg::rule, name()};
  }
  Peg quoted() {
    Peg result{Peg::text};
    rest_.remove_prefix(1);
    while (rest_[0] != '\'') result.word += character();
    expect("'");
    return result;
  }
  Peg bracketed() {
    Peg result{Peg::set};
    rest_.remove_prefix(1);
    while (rest_[0] != ']') {
      char first = character();
      bool range = rest_[0] == '-' && rest_[1] != ']' && first != '-';
      if (range) rest_.remove_prefix(1);
      char last = range ? character() : first;
      for (int c = first; c <= last; ++c) result.word += static_cast<char>(c);
    }
    expect("]");
    return result;
  }
  void resolve(Peg& peg) {
    if (peg.kind == Peg::rule) peg.number = static_cast<int>(names_.at(peg.word));
    for (Peg& part : peg.parts) resolve(part);
  }

  std::string_view rest_;
  std::map<std::string, size_t> names_;
};

// Matches with the results of rules remembered, so that time is linear.
class PegMatcher {
 public:
  PegMatcher(const std::vector<Peg>& rules, std::string_view text) : rules_(rules), text_(text) {}
  bool matches() { return match(rules_[0], 0) == static_cast<long>(text_.size()); }

 private:
  static constexpr long fails = -1;

  long match(const Peg& peg, long at) {
    std::string_view rest = text_.substr(at);
    switch (peg.kind) {
      case Peg::text:
        return rest.starts_with(peg.word) ? at + static_cast<long>(peg.word.size()) : fails;
      case Peg::any:
        return rest.empty() ? fails : at + 1;
      case Peg::set:
        return !rest.empty() && peg.word.find(rest[0]) != std::string::npos ? at + 1 : fails;
      case Peg::rule:
        return remembered(peg.number, at);
      case Peg::ahead:
        return match(peg.parts[0], at) == fails ? fails : at;
      case Peg::not_ahead:
        return match(peg.parts[0], at) == fails ? at : fails;
      case Peg::optional:
        return std::max(match(peg.parts[0], at), at);
      case Peg::star:
        return repeat(peg.parts[0], at);
      case Peg::plus: {
        long once = match(peg.parts[0], at);
        return once == fails ? fails : repeat(peg.parts[0], once);
      }
      case Peg::sequence:
        for (const Peg& part : peg.parts) {
          if ((at = match(part, at)) == fails) return fails;
        }
        return at;
      case Peg::choice:
        for (const Peg& part : peg.parts) {
          if (long end = match(part, at); end != fails) return end;
        }
        return fails;
    }
    return fails;
  }
  long repeat(const Peg& peg, long at) {
    for (long next; (next = match(peg, at)) > at;) at = next;
    return at;
  }
  long remembered(int rule, long at) {
    auto [known, is_new] =
        results_.try_emplace(at * static_cast<long>(rules_.size()) + rule, fails);
    if (!is_new) return known->second;
    long end = match(rules_[rule], at);
    results_[at * static_cast<long>(rules_.size()) + rule] = end;
    return end;
  }

  const std::vector<Peg>& rules_;
  std::string_view text_;
  std::unordered_map<long, long> results_;
};

// The rules of a grammar, the first one first. Throws where the text is no grammar or names a rule
// that is not there.
inline std::vector<Peg> read_peg(std::string_view grammar) { return PegReader(grammar).read(); }

// True where the first rule matches all of `text`.
inline bool peg_accepts(const std::vector<Peg>& rules, std::string_view text) {
  return PegMatcher(rules, text).matches();
}

}  // namespace stencilc::testing
