#include "emit/writer.h"

#include <algorithm>
#include <utility>

namespace stencilc::emit {

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

// The operands of the operators that bind least in the text outside all brackets, each with the
// operator behind it: `a * b +` and `c`. Without such operators it is one, and so is a choice.
std::vector<std::string> operands_of(const std::string& text) {
  const std::vector<std::vector<std::string_view>> levels = {
      {" || "},       {" && "}, {" == ", " != "}, {" < ", " > ", " <= ", " >= "},
      {" + ", " - "}, {" * "}};
  if (find_outside(text, " ? ") != std::string::npos) return {text};
  for (const std::vector<std::string_view>& level : levels) {
    std::vector<std::string> parts;
    std::string rest = text;
    for (;;) {
      size_t first = std::string::npos;
      for (const std::string_view sign : level) first = std::min(first, find_outside(rest, sign));
      if (first == std::string::npos) break;
      const size_t end = rest.find(' ', first + 1);
      parts.push_back(rest.substr(0, end));
      rest = rest.substr(end + 1);
    }
    parts.push_back(rest);
    if (parts.size() > 1) return parts;
  }
  return {text};
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
    const std::string end = i + 1 < items.size() ? "," : std::string(after);
    const std::string item = items[i] + end;
    if (indent_ + item.size() > kColumns && broken(items[i], end, row)) continue;
    if (!row.empty() && indent_ + row.size() + 1 + item.size() > kColumns) {
      line(row);
      row.clear();
    }
    row += (row.empty() ? "" : " ") + item;
  }
  if (!row.empty()) line(row);
  indent_ -= 4;
}

// Of a list: an item that is longer than a line is broken behind an operator, those of its index
// if it has no others, and stands on lines of its own.
bool Writer::broken(const std::string& item, const std::string& after, std::string& row) {
  std::string before, behind = after;
  std::vector<std::string> operands = operands_of(item);
  size_t indented = 4;
  const size_t open = item.find('[');  // of an index, and nothing behind it
  if (operands.size() == 1 && open < item.size() && item.find(']') + 1 == item.size()) {
    before = item.substr(0, open + 1);
    operands = operands_of(item.substr(open + 1, item.size() - open - 2));
    behind = "]" + after;
    indented = before.size();
  }
  if (operands.size() == 1) return false;
  if (!row.empty()) line(std::exchange(row, ""));
  fill(before, operands, indented, behind);
  return true;
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
  const std::vector<std::string> operands = operands_of(value);
  if (operands.size() > 1) return fill(before, operands, before.size(), ";");
  // An element of an array: the line ends in front of the variable, or of the bracket.
  const size_t name = before.substr(0, before.find(" = ")).rfind(' ');
  if (name != std::string::npos && fits(4 + before.size() - name - 1 + value.size() + 1)) {
    line(before.substr(0, name));
    return line("    " + before.substr(name + 1) + value + ";");
  }
  if (const size_t open = value.find('['); open != std::string::npos) {
    line(before + value.substr(0, open));
    return line("    " + value.substr(open) + ";");
  }
  line(before + value + ";");
}

void Writer::function(const std::string& head, const std::vector<std::string>& items, Writer body) {
  const int lines = body.lines();
  const std::string text = body.take();
  const std::string one =
      head + join(items, ", ") + ") { " + text.substr(2, text.size() - 3) + " }";
  if (lines == 1 && indent_ + one.size() <= kColumns) return line(one);
  list(head, items, ") {");
  text_ += text;
  line("}");
}

void Writer::condition(const std::string& text, const std::string& before) {
  fill(before, operands_of(text), before.size(), ") {");
}

void Writer::fill(const std::string& before, const std::vector<std::string>& operands,
                  size_t indented, const std::string& after) {
  std::string row = before + operands[0];
  for (size_t n = 1; n < operands.size(); ++n) {
    const size_t behind = n + 1 == operands.size() ? after.size() : 0;
    if (indent_ + row.size() + 1 + operands[n].size() + behind <= kColumns) {
      row += ' ';
    } else {
      line(row);
      row.assign(indented, ' ');
    }
    row += operands[n];
  }
  line(row + after);
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
