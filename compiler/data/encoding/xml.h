// Reads XML tag by tag, as far as files of VTK need it: no document type, no entities of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/values/result.h"

namespace stencilc::data {

struct XmlTag {
  std::string_view name;  // without `/`
  std::vector<std::pair<std::string_view, std::string>> attributes;
  bool opens = true;    // <a> or <a/>
  bool closes = false;  // </a> or <a/>

  const std::string* find(std::string_view attribute) const;
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  // The next tag, or nothing at the end of the text.
  Result<std::optional<XmlTag>> next();
  // What stands up to the next `<`.
  std::string_view words();
  // Everything that has not been read.
  std::string_view rest() const { return text_.substr(at_); }
  size_t place() const { return at_; }

 private:
  bool skip_past(std::string_view end);
  std::string_view name();
  void skip_space();
  Error damaged(const std::string& what) const;

  std::string_view text_;
  size_t at_ = 0;
};

std::string xml_escaped(std::string_view text);

}  // namespace stencilc::data
