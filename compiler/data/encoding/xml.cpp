#include "data/encoding/xml.h"

#include <fmt/format.h>

#include <algorithm>

namespace stencilc::data {
namespace {

constexpr std::pair<std::string_view, char> entities[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

std::string unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto entity = std::ranges::find_if(
        entities, [&](const auto& one) { return text.starts_with(one.first); });
    const bool found = entity != std::end(entities);
    result += found ? entity->second : text.front();
    text.remove_prefix(found ? entity->first.size() : 1);
  }
  return result;
}

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == ':' || c == '.';
}

}  // namespace

const std::string* XmlTag::find(std::string_view attribute) const {
  for (const auto& [name, value] : attributes)
    if (name == attribute) return &value;
  return nullptr;
}

Error XmlReader::damaged(const std::string& what) const {
  return Error{fmt::format("its XML is damaged at byte {}: {}", at_, what)};
}

bool XmlReader::skip_past(std::string_view end) {
  const size_t found = text_.find(end, at_);
  if (found == std::string_view::npos) return false;
  at_ = found + end.size();
  return true;
}

void XmlReader::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
    ++at_;
}

std::string_view XmlReader::name() {
  const size_t begin = at_;
  while (at_ < text_.size() && in_name(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view XmlReader::words() {
  const size_t begin = at_;
  at_ = std::min(text_.find('<', at_), text_.size());
  return text_.substr(begin, at_ - begin);
}

Result<std::optional<XmlTag>> XmlReader::next() {
  while (true) {
    words();
    const std::string_view left = rest();
    if (left.empty()) return std::optional<XmlTag>();
    if (left.starts_with("<!--")) {
      if (!skip_past("-->")) return damaged("a comment does not end");
    } else if (left.starts_with("<?")) {
      if (!skip_past("?>")) return damaged("`<?` is not followed by `?>`");
    } else {
      break;
    }
  }
  ++at_;
  XmlTag tag;
  if (rest().starts_with("/")) {
    ++at_;
    tag.opens = false;
    tag.closes = true;
  }
  tag.name = name();
  if (tag.name.empty()) return damaged("the name of a tag was expected");
  while (true) {
    skip_space();
    if (rest().starts_with("/>") && tag.opens) {
      at_ += 2;
      tag.closes = true;
      return std::optional(std::move(tag));
    }
    if (rest().starts_with(">")) {
      ++at_;
      return std::optional(std::move(tag));
    }
    const std::string_view attribute = name();
    if (attribute.empty()) return damaged("an attribute or `>` was expected");
    skip_space();
    if (!rest().starts_with("=")) return damaged("`=` was expected");
    ++at_;
    skip_space();
    const char quote = rest().empty() ? '\0' : rest().front();
    const size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos) return damaged("a value in quotes was expected");
    tag.attributes.emplace_back(attribute, unescaped(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto entity =
        std::ranges::find_if(entities, [&](const auto& one) { return one.second == c; });
    if (entity != std::end(entities))
      result += entity->first;
    else
      result += c;
  }
  return result;
}

}  // namespace stencilc::data
