#include "emit/writer.h"

#include <algorithm>

namespace stencilc::emit {

void Writer::line(std::string_view text) { text_.append(indent_, ' ').append(text) += '\n'; }

void Writer::raw(std::string_view text) { text_.append(text) += '\n'; }

void Writer::comment(std::string_view text) {
  std::string row;
  const size_t lead =
      std::min(text.find_first_not_of(' '), text.size());  // indentation of the first line is kept
  row.append(lead, ' ');
  text.remove_prefix(lead);
  bool fresh = true;
  const size_t room = kColumns - indent_ - 3;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!fresh && row.size() + 1 + word.size() > room) {
      line("// " + row);
      row.assign(lead, ' ');
      fresh = true;
    }
    row.append(fresh ? "" : " ").append(word);
    fresh = false;
    begin = end + 1;
  }
  line(fresh ? "//" : "// " + row);
}

int Writer::lines() const { return static_cast<int>(std::count(text_.begin(), text_.end(), '\n')); }

void Writer::loop(const std::string& first, const std::string& condition, const std::string& next) {
  const std::string parts[] = {"for (" + first + ";", condition + ";", next + ") {"};
  std::string text = parts[0];
  bool broken = false;
  const auto width = [&](const std::string& more) {
    return column() + static_cast<int>(broken + text.size() + more.size());
  };
  for (const std::string& part : {parts[1], parts[2]}) {
    if (width(" " + part) <= kColumns) {
      text += " " + part;
      continue;
    }
    line(broken ? "     " + text : text);
    broken = true;
    text = part;
  }
  line(broken ? "     " + text : text);
}

void Writer::list(std::string_view before, const std::vector<std::string>& items,
                  std::string_view after) {
  const std::string all = join(items, ", ");
  if (indent_ + before.size() + all.size() + after.size() <= kColumns) {
    line(std::string(before) + all + std::string(after));
    return;
  }
  line(before);
  indent_ += 4;
  std::string row;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : std::string(after));
    if (!row.empty() && indent_ + row.size() + 1 + item.size() > kColumns) {
      line(row);
      row.clear();
    }
    row += (row.empty() ? "" : " ") + item;
  }
  line(row);
  indent_ -= 4;
}

void Writer::head(const std::string& result, const std::string& name,
                  const std::vector<std::string>& items) {
  const std::string rest = name + "(" + join(items, ", ") + ") {";
  if (result.size() + 1 + rest.size() > kColumns && rest.size() + 4 <= kColumns) {
    line(result);
    line("    " + rest);
  } else {
    list(result + " " + name + "(", items, ") {");
  }
}

namespace {

// Where the piece stands in the text outside all brackets, or npos.
size_t find_outside(const std::string& text, std::string_view piece) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text[i] == piece[0] && text.compare(i, piece.size(), piece) == 0) return i;
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
  }
  return std::string::npos;
}

// a * b and nothing else outside of brackets: the place of the sign, or npos.
size_t product_sign(const std::string& text) {
  const size_t blank = find_outside(text, " ");
  if (blank == std::string::npos || text.compare(blank, 3, " * ") != 0) return std::string::npos;
  return find_outside(text.substr(blank + 3), " ") == std::string::npos ? blank + 1
                                                                        : std::string::npos;
}

// callee(a, b) and nothing after: the place of the bracket, or npos.
size_t call_bracket(const std::string& text) {
  const size_t open = text.find('(');
  if (open == std::string::npos || open == 0 || text.back() != ')') return std::string::npos;
  int depth = 0;
  for (size_t i = 0; i < open; ++i) {  // blanks stand between template arguments alone
    depth += text[i] == '<';
    depth -= text[i] == '>';
    if (text[i] == ' ' && depth == 0) return std::string::npos;
  }
  depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0) return i + 1 == text.size() ? open : std::string::npos;
  }
  return std::string::npos;
}

std::vector<std::string> arguments_of(std::string text) {
  std::vector<std::string> parts;
  for (size_t comma; (comma = find_outside(text, ", ")) != std::string::npos;) {
    parts.push_back(text.substr(0, comma));
    text = text.substr(comma + 2);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

void Writer::assignment(const std::string& before, const std::string& value) {
  const auto fits = [&](size_t width) { return indent_ + width <= kColumns; };
  const size_t question = find_outside(value, " ? "), colon = find_outside(value, " : ");
  if (fits(before.size() + value.size() + 1)) return line(before + value + ";");
  if (const size_t open = call_bracket(value); open != std::string::npos)
    return list(before + value.substr(0, open + 1),
                arguments_of(value.substr(open + 1, value.size() - open - 2)), ");");
  const bool chooses = question != std::string::npos && colon != std::string::npos;
  const size_t width = question + 1 + value.size() - colon;
  if (chooses && fits(before.size() + std::max(colon, width))) {
    line(before + value.substr(0, colon));
    return line(std::string(before.size() + question + 1, ' ') + value.substr(colon + 1) + ";");
  }
  const size_t yes = colon - question - 1, no = value.size() - colon;
  if (chooses && fits(before.size() + std::max({question, yes + 4, no + 4}))) {
    const std::string beside(before.size() + 4, ' ');
    line(before + value.substr(0, question));
    line(beside + value.substr(question + 1, yes));
    return line(beside + value.substr(colon + 1) + ";");
  }
  if (chooses) {  // the same, after a line that ends with the `=`
    line(before.substr(0, before.find_last_not_of(' ') + 1));
    line("    " + value.substr(0, colon));
    return line(std::string(4 + question + 1, ' ') + value.substr(colon + 1) + ";");
  }
  if (const size_t times = product_sign(value);
      times != std::string::npos &&
      fits(before.size() + std::max(times + 1, value.size() - times - 1))) {
    line(before + value.substr(0, times + 1));
    return line(std::string(before.size(), ' ') + value.substr(times + 2) + ";");
  }
  if (const size_t minus = find_outside(value, " - (");
      minus != std::string::npos && fits(before.size() + minus + 2)) {
    line(before + value.substr(0, minus + 2));
    return line(std::string(before.size(), ' ') + value.substr(minus + 3) + ";");
  }
  if (find_outside(value, " && ") == std::string::npos && fits(value.size() + 5)) {
    line(before.substr(0, before.find_last_not_of(' ') + 1));
    return line("    " + value + ";");
  }
  // a && b && c: as many on a line as fit.
  std::string text = before, rest = value;
  for (size_t both; (both = find_outside(rest, " && ")) != std::string::npos;) {
    text += rest.substr(0, both + 3);
    rest = rest.substr(both + 4);
    const size_t next = find_outside(rest, " && ");
    const size_t width = next == std::string::npos ? rest.size() + 1 : next + 3;
    if (fits(text.size() + 1 + width)) {
      text += ' ';
    } else {
      line(text);
      text = std::string(before.size(), ' ');
    }
  }
  line(text + rest + ";");
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text.append(i ? separator : "").append(parts[i]);
  return text;
}

std::string harmless(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string result;
  for (const unsigned char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("_-./,:;=+*()[]{}<>^'`|& ").find(static_cast<char>(c)) !=
                           std::string_view::npos;
    const bool ends_comment = c == '/' && !result.empty() && result.back() == '*';
    if (plain && !ends_comment)
      result += static_cast<char>(c);
    else
      result.append("%").append(1, kHex[c >> 4]).append(1, kHex[c & 15]);
  }
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\')
      result.append("\\").append(1, static_cast<char>(c));
    else if (c < 0x20 || c >= 0x7f || c == '?')  // ? for trigraphs
      result.append("\\")
          .append(1, static_cast<char>('0' + (c >> 6)))
          .append(1, static_cast<char>('0' + (c >> 3 & 7)))
          .append(1, static_cast<char>('0' + (c & 7)));
    else
      result += static_cast<char>(c);
  }
  return result + "\"";
}

}  // namespace stencilc::emit
