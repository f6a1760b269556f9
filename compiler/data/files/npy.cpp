#include "data/files/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace stencilc::data {
namespace {

// The header is a Python dictionary with three keys. It is parsed in the form that NumPy writes,
// not evaluated.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<Extents> shape;  // as written, the slowest axis first
};

constexpr size_t max_header = kMostNpyHeader - 12;

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  // "" on success.
  std::string parse(Header& header) {
    if (!take('{')) return expected("`{`");
    while (!take('}')) {
      const std::optional<std::string> key = string();
      if (!key) return expected("a key in quotes or `}`");
      if (!take(':')) return expected("`:`");
      if (const std::string error = value(*key, header); !error.empty()) return error;
      if (!take(',') && peek() != '}') return expected("`,` or `}`");
    }
    if (peek() != '\0' || at_ != text_.size()) return expected("nothing more");
    return "";
  }

 private:
  std::string value(const std::string& key, Header& header) {
    if (key == "descr" && !header.descr) {
      if (peek() == '[') return "it holds records; save one field of it";
      header.descr = string();
      return header.descr ? "" : expected("a type in quotes");
    }
    if (key == "fortran_order" && !header.fortran_order) {
      if (word("True")) return header.fortran_order = true, "";
      if (word("False")) return header.fortran_order = false, "";
      return expected("`True` or `False`");
    }
    if (key == "shape" && !header.shape) return shape(header.shape.emplace());
    return fmt::format("its header has the key `{}` twice, or an unknown key", printable(key));
  }

  std::string shape(Extents& shape) {
    if (!take('(')) return expected("`(`");
    while (!take(')')) {
      skip_space();
      int64_t extent = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (failure == std::errc::result_out_of_range) return "an axis is longer than 2^63";
      if (failure != std::errc{}) return expected("a length");
      at_ += static_cast<size_t>(end - begin);
      shape.push_back(extent);
      if (!take(',') && peek() != ')') return expected("`,` or `)`");
    }
    return "";
  }

  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return result;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (at_ == text_.size() || peek() != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  static std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 40))
      if (c >= ' ' && c <= '~')
        result += c;
      else
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return result;
  }
  std::string expected(std::string_view what) {
    return fmt::format("its header is damaged: {} was expected at byte {} of `{}`", what, at_,
                       printable(text_));
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<Element> element_of(std::string_view descr) {
  if (descr.size() != 3) return std::nullopt;
  const std::string_view type = descr.substr(1);
  const bool one_byte = type[1] == '1';
  if (descr[0] != '<' && !(one_byte && descr[0] == '|')) return std::nullopt;
  if (type == "f8") return Element::f64;
  if (type == "f4") return Element::f32;
  if (type == "f2") return Element::f16;
  if (type == "i8") return Element::i64;
  if (type == "i4") return Element::i32;
  if (type == "i2") return Element::i16;
  if (type == "u2") return Element::u16;
  if (type == "i1") return Element::i8;
  if (type == "u1") return Element::u8;
  if (type == "b1") return Element::boolean;
  return std::nullopt;
}

std::string_view descr_of(Element element) {
  switch (element) {
    case Element::f64:
      return "<f8";
    case Element::f32:
    case Element::bf16:  // as f32
      return "<f4";
    case Element::f16:
      return "<f2";
    case Element::i64:
      return "<i8";
    case Element::i32:
      return "<i4";
    case Element::i16:
      return "<i2";
    case Element::u16:
      return "<u2";
    case Element::i8:
      return "|i1";
    case Element::u8:
      return "|u1";
    case Element::boolean:
      break;
  }
  return "|b1";
}

uint32_t little_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Reorders elements from z fastest to x fastest.
void copy_from_fortran_order(std::string_view from, Array& to) {
  const auto size = static_cast<size_t>(size_of(to.element));
  const int64_t nx = to.extent(0), ny = to.extent(1), nz = to.extent(2);
  const char* next = from.data();
  for (int64_t x = 0; x < nx; ++x)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t z = 0; z < nz; ++z, next += size)
        std::memcpy(to.bytes.data() + static_cast<size_t>((z * ny + y) * nx + x) * size, next,
                    size);
}

}  // namespace

Result<NpyLayout> npy_layout(std::string_view file) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (file.substr(0, magic.size()) != magic) return Error{"this is not a .npy file"};
  if (file.size() < 10) return Error{"the .npy file ends within its header"};
  const int version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3)
    return Error{fmt::format("the .npy file has version {}, which is not 1, 2 or 3", version)};
  const size_t length_size = version == 1 ? 2 : 4;
  if (file.size() < 8 + length_size) return Error{"the .npy file ends within its header"};
  const size_t length = little_endian(file.substr(8, length_size));
  if (length > max_header)
    return Error{
        fmt::format("the .npy file has a header of {} bytes; the limit is {}", length, max_header)};
  if (file.size() - 8 - length_size < length) return Error{"the .npy file ends within its header"};
  Header header;
  const std::string error = HeaderParser(file.substr(8 + length_size, length)).parse(header);
  if (!error.empty()) return Error{"the .npy file cannot be used: " + error};
  if (!header.descr || !header.fortran_order || !header.shape)
    return Error{fmt::format("the .npy file cannot be used: its header lacks the key `{}`",
                             !header.descr           ? "descr"
                             : !header.fortran_order ? "fortran_order"
                                                     : "shape")};
  const std::optional<Element> element = element_of(*header.descr);
  if (!element)
    return Error{fmt::format(
        "the .npy file holds elements of a type that is not supported; save it as one of {}",
        "`<f8 <f4 <f2 <i8 <i4 <i2 <u2 i1 u1 b1` (little endian)")};

  NpyLayout layout{*element, *header.shape, *header.fortran_order, 8 + length_size + length};
  std::ranges::reverse(layout.extents);
  return layout;
}

Result<Array> parse_npy(std::string_view file, bool may_be_empty) {
  const Result<NpyLayout> layout = npy_layout(file);
  if (!layout.ok()) return Error{layout.error()};
  const auto& [element, extents, z_fastest, begin] = *layout;
  const std::string_view data = file.substr(begin);
  if (may_be_empty && data.empty() && std::ranges::find(extents, 0) != extents.end() &&
      std::ranges::none_of(extents, [](int64_t extent) { return extent < 0; }))
    return Array{element, extents, {}};
  // The size is checked before memory is allocated, so that a damaged header does no harm.
  const Result<int64_t> needed = byte_count(element, extents);
  if (!needed.ok()) return Error{"the .npy file cannot be used: " + needed.error()};
  if (static_cast<size_t>(*needed) != data.size())
    return Error{fmt::format("the .npy file has {} bytes of data where {} {} elements need {}",
                             data.size(), to_string(extents), name_of(element), *needed)};
  Result<Array> result = make_array(element, extents);
  if (!result.ok()) return result;
  if (z_fastest)
    copy_from_fortran_order(data, *result);
  else
    std::memcpy(result->bytes.data(), data.data(), data.size());
  if (element == Element::boolean)
    for (std::byte& cell : result->bytes) cell = std::byte{cell != std::byte{0}};
  return result;
}

std::string npy_header(Element element, const Extents& extents) {
  std::string shape;
  for (size_t axis = extents.size(); axis-- > 0;)
    shape += fmt::format("{}{}", extents[axis], axis > 0 ? ", " : extents.size() == 1 ? "," : "");
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descr_of(element), shape);
  // Spaces and a line feed pad the header, so that the data start at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY\x01";
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  return file;
}

std::string npy_file(const Array& array) {
  std::string file = npy_header(array.element, array.extents);
  file.reserve(file.size() +
               static_cast<size_t>(array.count()) *
                   (array.element == Element::bf16 ? sizeof(float) : size_of(array.element)));
  const auto append = [&](const void* bytes, size_t size) {
    file.append(static_cast<const char*>(bytes), size);
  };
  if (array.element != Element::bf16) append(array.bytes.data(), array.bytes.size());
  for (int64_t i = 0; array.element == Element::bf16 && i < array.count(); ++i) {
    const auto value = static_cast<float>(value_at(array, i));
    append(&value, sizeof value);
  }
  return file;
}

}  // namespace stencilc::data
