#include "format/chains.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stencilc::format {
namespace {

constexpr size_t most_plain_operands = 3;  // in a chain without blanks

template <size_t N>
bool any_of(const std::array<std::string_view, N>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

// Whether an expression follows the word. This depends on the statement: outside of `iterate`,
// `limit` can be a name.
bool is_keyword(std::string_view statement, std::string_view word) {
  static constexpr std::array<std::string_view, 3> everywhere = {"in", "on", "where"};
  static constexpr std::array<std::string_view, 4> of_iterate = {"iterate", "until", "every",
                                                                 "limit"};
  if (any_of(everywhere, word)) return true;
  if (statement == "iterate") return any_of(of_iterate, word);
  return statement == "color" && word == "by";
}

bool is_comparison(std::string_view sign) {
  static constexpr std::array<std::string_view, 6> comparisons = {"==", "!=", "<", ">", "<=", ">="};
  return any_of(comparisons, sign);
}

// Operands between operators of the same precedence.
struct Chain {
  std::vector<size_t> operators;
  size_t operands = 0;
  bool plain = true;  // names and numbers only
};
struct Product : Chain {
  bool spread = false;  // a factor is a power of a group, or a list of weights
};

// The text between two separators: a sum of products.
struct Sum {
  std::string_view before;  // the separator
  std::vector<size_t> operators;
  std::vector<Product> products;
};

struct Frame {
  Role::Kind kind = Role::other;  // other: of a group
  bool indexed = false;
  bool side_named = false;  // of sides: the colon of this side was read
  Sum sum;
};

class Analysis {
 public:
  Analysis(std::span<const Token> tokens, bool side) : tokens_(tokens), roles_(tokens.size()) {
    frames_.emplace_back();
    if (side) {
      frames_[0].kind = Role::sides;
      statement_ = "boundary";
      return;
    }
    for (const Token& token : tokens)
      if (!is_comment(token)) {
        statement_ = token.text;
        break;
      }
  }

  std::vector<Role> run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      place(i);
      if (is_comment(tokens_[i])) continue;
      if (tokens_[i].kind == Token::sign)
        sign(i, tokens_[i].text);
      else
        word(i);
      before_ = tokens_[i];
      behind_side_ = roles_[i].kind == Role::side_colon;
    }
    while (!frames_.empty()) {
      separate("");
      frames_.pop_back();
    }
    return std::move(roles_);
  }

 private:
  void place(size_t i) {
    roles_[i].depth = static_cast<int>(frames_.size()) - 1;
    roles_[i].indexed = frames_.back().indexed;
    roles_[i].listed = frames_.back().kind == Role::list;
  }

  // Ends the sum before the separator and starts the next one after it.
  void separate(std::string_view separator) {
    Frame& frame = frames_.back();
    const Sum& sum = frame.sum;
    const bool plain = std::ranges::all_of(
        sum.products, [](const Product& p) { return p.plain && p.operators.empty(); });
    const bool dense = frame.indexed || sum.before == ".." || separator == "..";
    const bool enclosed = (sum.before == "(" && separator == ")" && frame.kind == Role::other) ||
                          is_comparison(sum.before) || is_comparison(separator);
    const bool short_sum = plain && enclosed && sum.products.size() <= most_plain_operands;
    for (const size_t i : sum.operators) roles_[i].tight = dense || short_sum;
    for (const Product& product : sum.products) {
      const bool short_product = product.plain && product.operands <= most_plain_operands;
      const bool tight = dense || (!product.spread && (!sum.operators.empty() || short_product));
      for (const size_t i : product.operators) roles_[i].tight = tight;
    }
    frame.sum = Sum{separator, {}, {}};
    behind_operand_ = false;
  }

  Product& product() {
    std::vector<Product>& products = frames_.back().sum.products;
    if (products.empty()) products.emplace_back();
    return products.back();
  }

  void operand(bool plain) {
    if (behind_operand_ && before_.text != ".") separate(" ");
    Product& factors = product();
    if (!in_power_) ++factors.operands;
    factors.plain &= plain;
    in_power_ = false;
    behind_operand_ = true;
  }

  // A kind of boundary, which may have a value: behind the name of a side, of a field, or behind
  // `boundary`.
  bool is_boundary_kind() {
    if (frames_.back().kind == Role::sides) return behind_side_;
    if (frames_.size() > 1 || before_.kind != Token::word || kind_named_) return false;
    const bool behind_word = before_.text == "boundary";
    if (statement_ != (behind_word ? "field" : "boundary")) return false;
    return kind_named_ = true;
  }

  void word(size_t i) {
    if (tokens_[i].kind == Token::word &&
        (is_keyword(statement_, tokens_[i].text) || is_boundary_kind())) {
      roles_[i].kind = Role::keyword;
      separate(" ");
    } else {
      operand(true);
    }
  }

  void open(size_t i, std::string_view text) {
    const bool call = text != "{" && behind_operand_ && before_.kind == Token::word;
    if (call) {
      roles_[i].kind = Role::call;
      product().plain = false;
    } else if (text != "{") {
      operand(false);
    } else {
      roles_[i].kind = before_.text == "=" ? Role::list : Role::sides;
      operand(false);
      product().spread = true;
    }
    Frame frame;
    frame.kind = roles_[i].kind;
    frame.indexed = frames_.back().indexed || text == "[";
    frame.sum.before = text;
    frames_.push_back(std::move(frame));
    behind_operand_ = in_power_ = false;
  }

  void close(size_t i, std::string_view text) {
    separate(text);
    closed_ = frames_.back().kind;
    if (frames_.size() > 1) {
      roles_[i].kind = frames_.back().kind;
      frames_.pop_back();
      place(i);
    }
    behind_operand_ = true;
  }

  void infix(size_t i, bool tight) {
    roles_[i].kind = Role::infix;
    roles_[i].tight = tight;
    behind_operand_ = false;
  }

  void sign(size_t i, std::string_view text) {
    if (text == "(" || text == "[" || text == "{") return open(i, text);
    if (text == ")" || text == "]" || text == "}") return close(i, text);
    if (text == ".") return;
    if (!behind_operand_ && (text == "-" || text == "+" || text == "!")) {
      roles_[i].kind = Role::prefix;
      return;
    }
    const bool weak = text == "+" || text == "-",
               strong = text == "*" || text == "/" || text == "%";
    if (!behind_operand_ || !(weak || strong || text == "^")) return separator(i, text);
    if (text == "^") {
      product().spread |= before_.text == ")" && closed_ == Role::other;
      in_power_ = true;
      return infix(i, true);
    }
    if (strong) {
      product().operators.push_back(i);
    } else {
      frames_.back().sum.operators.push_back(i);
      frames_.back().sum.products.emplace_back();
    }
    infix(i, false);
  }

  void separator(size_t i, std::string_view text) {
    Frame& frame = frames_.back();
    if (frame.kind == Role::sides && text == ":" && !frame.side_named) {
      roles_[i].kind = Role::side_colon;
      frame.side_named = true;
    } else if (text == ";") {
      frame.side_named = false;
    } else if (text != ",") {
      roles_[i].kind = Role::infix;
      roles_[i].tight = text == "..";
    }
    separate(text);
  }

  std::span<const Token> tokens_;
  std::vector<Role> roles_;
  std::string_view statement_;  // its first word
  std::vector<Frame> frames_;
  Token before_;                     // the last token that is not a comment
  Role::Kind closed_ = Role::other;  // what the last closing bracket closed
  bool behind_operand_ = false;      // an operator or something new follows
  bool in_power_ = false;            // an exponent follows
  bool behind_side_ = false;         // the colon behind the name of a side
  bool kind_named_ = false;          // the kind of boundary of the whole statement
};

}  // namespace

std::vector<Role> roles_of(std::span<const Token> statement, bool side) {
  return Analysis(statement, side).run();
}

}  // namespace stencilc::format
