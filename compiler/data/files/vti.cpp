// Note [Bytes of an array in a file of VTK]
// In front of the bytes stands their number. If they are packed, it is instead the number of
// blocks, the size of a block, that of the last block if it is smaller (else 0), and the packed
// size of each block. In base64 the bytes and what stands in front are one text, or two if they are
// packed; some programs write two in any case, which shows by the `=` at the end of the first.
#include "data/files/vti.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "data/encoding/base64.h"
#include "data/encoding/deflate.h"
#include "data/encoding/xml.h"

namespace stencilc::data {
namespace {

constexpr uint64_t kBlock = 1 << 20;  // bytes that are packed together

constexpr std::pair<std::string_view, Element> kTypes[] = {
    {"Float64", Element::f64}, {"Float32", Element::f32}, {"Int64", Element::i64},
    {"Int32", Element::i32},   {"Int16", Element::i16},   {"UInt16", Element::u16},
    {"Int8", Element::i8},     {"UInt8", Element::u8}};

std::optional<Element> element_named(const std::string& type) {
  for (const auto& [name, element] : kTypes)
    if (name == type) return element;
  return std::nullopt;
}

// The numbers of an attribute, if there are so many.
template <typename T, size_t count>
std::optional<std::array<T, count>> numbers_of(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  std::array<T, count> numbers = {};
  const char *at = text->data(), *end = at + text->size();
  const auto skip_space = [&] {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t')) ++at;
  };
  for (T& number : numbers) {
    skip_space();
    const auto [next, failure] = std::from_chars(at, end, number);
    if (failure != std::errc()) return std::nullopt;
    at = next;
  }
  skip_space();
  return at == end ? std::optional(numbers) : std::nullopt;
}

uint64_t word_at(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
std::string word_of(uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

// What is read from the bytes of a file, raw or in base64.
class Source {
 public:
  Source(std::string_view text, bool raw) : text_(text), raw_(raw) {}

  // So many bytes from here, which are whole groups of base64; false if the file ends before. They
  // are a part of the file or of `decoded`.
  bool peek(uint64_t count, std::string_view& bytes, std::string& decoded) const {
    if (count > text_.size()) return false;
    if (raw_) {
      bytes = text_.substr(0, count);
      return true;
    }
    if (length_of(count) > text_.size()) return false;
    auto made = from_base64(text_.substr(0, length_of(count)));
    if (!made || made->size() < count) return false;
    decoded = std::move(*made);
    bytes = std::string_view(decoded).substr(0, count);
    return true;
  }
  void skip(uint64_t count) { text_.remove_prefix(raw_ ? count : length_of(count)); }
  // Whether a text of base64 ends after so many bytes.
  bool ends_after(uint64_t count) const { return !raw_ && text_[length_of(count) - 1] == '='; }
  size_t size() const { return text_.size(); }

 private:
  static uint64_t length_of(uint64_t count) { return (count + 2) / 3 * 4; }

  std::string_view text_;
  bool raw_;
};

Error cut_off() { return Error{"the file ends within it, or is damaged there"}; }

Result<std::string_view> plain_bytes(Source source, size_t word, uint64_t size,
                                     std::string& decoded) {
  std::string_view bytes;
  if (!source.peek(word, bytes, decoded)) return cut_off();
  const uint64_t given = word_at(bytes, 0, word);
  if (given != size) return Error{fmt::format("it has {} bytes and needs {}", given, size)};
  const bool apart = source.ends_after(word);
  if (apart) source.skip(word);
  const uint64_t before = apart ? 0 : word;
  if (!source.peek(before + size, bytes, decoded)) return cut_off();
  return bytes.substr(before);
}

Result<std::string_view> unpacked_bytes(Source source, size_t word, uint64_t size,
                                        std::string& unpacked) {
  std::string_view head, packed;
  std::string head_text, packed_text;
  if (!source.peek(3 * word, head, head_text)) return cut_off();
  const uint64_t blocks = word_at(head, 0, word), block = word_at(head, word, word),
                 last = word_at(head, 2 * word, word);
  const bool fits = blocks > 0 && block > 0 && last <= block && blocks - 1 <= size / block &&
                    (blocks - 1) * block + (last == 0 ? block : last) == size;
  if (!fits)
    return Error{fmt::format("its {} blocks of {} bytes are not the {} bytes that it needs", blocks,
                             block, size)};
  if (blocks > source.size() / word) return cut_off();
  if (!source.peek((3 + blocks) * word, head, head_text)) return cut_off();
  source.skip((3 + blocks) * word);
  uint64_t total = 0;
  for (uint64_t b = 0; b < blocks; ++b) {
    const uint64_t one = word_at(head, (3 + b) * word, word);
    if (one > source.size() - std::min<uint64_t>(total, source.size())) return cut_off();
    total += one;
  }
  if (!source.peek(total, packed, packed_text)) return cut_off();
  for (uint64_t b = 0; b < blocks; ++b) {
    const uint64_t one = word_at(head, (3 + b) * word, word);
    const uint64_t wanted = b + 1 == blocks && last != 0 ? last : block;
    const auto made = inflated(packed.substr(0, one), wanted, Wrapping::zlib);
    if (!made.ok()) return Error{fmt::format("its block {}: {}", b, made.error())};
    unpacked += *made;
    packed.remove_prefix(one);
  }
  return std::string_view(unpacked);
}

}  // namespace

// Reads the text in front of the arrays.
class VtiParser {
 public:
  VtiParser(std::string_view file, Vti& vti) : xml_(file), vti_(vti) {}

  // What is wrong, or "".
  std::string parse() {
    while (true) {
      auto next = xml_.next();
      if (!next.ok()) return begun_ ? next.error() : "this is not a .vti file";
      if (!*next) break;
      const XmlTag& tag = **next;
      if (!begun_ && tag.name != "VTKFile") return "this is not a .vti file";
      if (const std::string wrong = take(tag); !wrong.empty()) return wrong;
      if (tag.name == "AppendedData" && tag.opens) break;
    }
    if (!begun_) return "this is not a .vti file";
    return vti_.points_.empty() ? "it has no `ImageData`, or ends before it" : "";
  }

 private:
  std::string take(const XmlTag& tag) {
    if (tag.name == "VTKFile" && tag.opens) return take_file(tag);
    if (tag.name == "ImageData" && tag.opens) return take_grid(tag);
    if (tag.name == "Piece" && tag.opens) return take_piece(tag);
    if (tag.name == "PointData" || tag.name == "CellData")
      section_ = tag.closes ? "" : std::string(tag.name);
    if (tag.name == "DataArray" && tag.opens && !section_.empty()) return take_array(tag);
    if (tag.name == "AppendedData" && tag.opens) return take_appended(tag);
    return "";
  }

  static std::string value(const XmlTag& tag, std::string_view attribute,
                           const std::string& otherwise) {
    const std::string* found = tag.find(attribute);
    return found == nullptr ? otherwise : *found;
  }

  std::string take_file(const XmlTag& tag) {
    begun_ = true;
    if (const std::string type = value(tag, "type", ""); type != "ImageData")
      return fmt::format("it holds `{}`, and only `ImageData` can be read: save a regular grid",
                         type);
    if (value(tag, "byte_order", "LittleEndian") != "LittleEndian")
      return "its numbers are big endian; save them little endian";
    const std::string compressor = value(tag, "compressor", "");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      return fmt::format("it is packed by `{}`; save it packed by ZLib, or not packed", compressor);
    vti_.packed_ = !compressor.empty();
    const std::string header = value(tag, "header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64")
      return fmt::format("its `header_type` is `{}`, not UInt32 or UInt64", header);
    vti_.word_ = header == "UInt64" ? 8 : 4;
    return "";
  }

  std::string take_grid(const XmlTag& tag) {
    const auto extent = numbers_of<int64_t, 6>(tag.find("WholeExtent"));
    const auto origin = numbers_of<double, 3>(tag.find("Origin"));
    const auto spacing = numbers_of<double, 3>(tag.find("Spacing"));
    if (!extent) return "its `ImageData` has no `WholeExtent` of six numbers";
    if (!spacing || !origin) return "its `ImageData` has no `Origin` or no `Spacing`";
    constexpr std::array<double, 9> straight = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (tag.find("Direction") && numbers_of<double, 9>(tag.find("Direction")) != straight)
      return "its grid is rotated; save it along the axes";
    extent_ = value(tag, "WholeExtent", "");
    for (size_t a = 0; a < 3; ++a) {
      const int64_t low = (*extent)[2 * a], high = (*extent)[2 * a + 1];
      constexpr int64_t limit = int64_t{1} << 40;
      if (low > high || low < -limit || high > limit)
        return fmt::format("its extent from {} to {} is no part of an axis", low, high);
      vti_.points_.push_back(high - low + 1);
      vti_.placement_.origin[a] =
          (*origin)[a] + static_cast<double>(low) * (*spacing)[a];  // of the first cell
    }
    vti_.placement_.spacing = *spacing;
    return "";
  }

  std::string take_piece(const XmlTag& tag) {
    if (++pieces_ > 1 || value(tag, "Extent", extent_) != extent_)
      return "it has several pieces; save it as one";
    return "";
  }

  std::string take_array(const XmlTag& tag) {
    Vti::Item item;
    item.name = value(tag, "Name", "");
    item.type = value(tag, "type", "");
    item.format = value(tag, "format", "");
    item.of_cells = section_ == "CellData";
    const std::string components = value(tag, "NumberOfComponents", "1");
    const std::string offset = value(tag, "offset", "0");
    const auto count = numbers_of<int64_t, 1>(&components);
    const auto place = numbers_of<uint64_t, 1>(&offset);
    if (!count || !place)
      return fmt::format("the array `{}` has no valid `NumberOfComponents` or `offset`", item.name);
    item.components = (*count)[0];
    item.offset = (*place)[0];
    if (!tag.closes) {
      item.in_place = xml_.words();
      const size_t begin = item.in_place.find_first_not_of(" \t\r\n");
      const size_t end = item.in_place.find_last_not_of(" \t\r\n");
      item.in_place = begin == std::string_view::npos
                          ? std::string_view()
                          : item.in_place.substr(begin, end - begin + 1);
    }
    vti_.items_.push_back(std::move(item));
    return "";
  }

  std::string take_appended(const XmlTag& tag) {
    const std::string encoding = value(tag, "encoding", "");
    if (encoding != "raw" && encoding != "base64")
      return fmt::format("its appended data have the encoding `{}`, not raw or base64", encoding);
    vti_.raw_ = encoding == "raw";
    const std::string_view rest = xml_.rest();
    const size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || rest[begin] != '_')
      return fmt::format("its appended data do not begin with `_` at byte {}", xml_.place());
    vti_.appended_ = rest.substr(begin + 1);
    return "";
  }

  XmlReader xml_;
  Vti& vti_;
  bool begun_ = false;
  std::string section_, extent_;
  int pieces_ = 0;
};

Result<Vti> Vti::open(std::string_view file) {
  Vti vti;
  const std::string wrong = VtiParser(file, vti).parse();
  if (!wrong.empty()) return Error{wrong};
  return vti;
}

std::vector<std::string> Vti::names() const {
  std::vector<std::string> names;
  for (const Item& item : items_) names.push_back(item.name);
  return names;
}

Result<std::string_view> Vti::payload(const Item& item, uint64_t size, std::string& made) const {
  const bool appended = item.format == "appended";
  if (!appended && item.format != "binary")
    return Error{fmt::format("its format is `{}`; save it as `appended` or `binary`", item.format)};
  if (appended && item.offset > appended_.size()) return cut_off();
  const Source source(appended ? appended_.substr(item.offset) : item.in_place, appended && raw_);
  // A byte of the file holds at most 1032 bytes.
  if (size / 1032 > source.size()) return cut_off();
  return packed_ ? unpacked_bytes(source, word_, size, made)
                 : plain_bytes(source, word_, size, made);
}

Result<Array> Vti::read(const std::string& name) const {
  const auto item = std::ranges::find(items_, name, &Item::name);
  if (item == items_.end()) return Error{fmt::format("it has no array `{}`", name)};
  const auto refused = [&](const std::string& why) {
    return Error{fmt::format("the array `{}`: {}", name, why)};
  };
  const std::optional<Element> element = element_named(item->type);
  if (!element) return refused(fmt::format("its type is `{}`, which no field holds", item->type));
  if (item->components != 1)
    return refused(fmt::format("it has {} components; save one of them", item->components));
  Extents extents = points_;
  if (item->of_cells)
    for (int64_t& extent : extents) extent = std::max<int64_t>(extent - 1, 1);
  const Result<int64_t> size = byte_count(*element, extents);
  if (!size.ok()) return refused(size.error());
  std::string made;
  const Result<std::string_view> bytes = payload(*item, static_cast<uint64_t>(*size), made);
  if (!bytes.ok()) return refused(bytes.error());
  Result<Array> array = make_array(*element, extents);
  if (array.ok()) std::memcpy(array->bytes.data(), bytes->data(), bytes->size());
  return array;
}

namespace {

std::string_view type_of(Element element) {
  for (const auto& [name, one] : kTypes)
    if (one == element) return name;
  return "";
}

void append_packed(std::string& file, std::string_view bytes) {
  const uint64_t blocks = (bytes.size() + kBlock - 1) / kBlock;
  file += word_of(blocks) + word_of(kBlock) + word_of(bytes.size() % kBlock);
  std::string packed;
  for (uint64_t b = 0; b < blocks; ++b) {
    const std::string one = deflated(bytes.substr(b * kBlock, kBlock), Wrapping::zlib);
    file += word_of(one.size());
    packed += one;
  }
  file += packed;
}

}  // namespace

Result<std::string> vti_file(const std::vector<NamedArray>& arrays, const Placement& placement,
                             bool compressed) {
  const Extents& extents = arrays.at(0).array->extents;
  std::string extent, origin, spacing, appended;
  for (size_t a = 0; a < 3; ++a) {
    const char* const gap = a == 0 ? "" : " ";
    extent += fmt::format("{}0 {}", gap, arrays[0].array->extent(a) - 1);
    origin += fmt::format("{}{}", gap, placement.origin[a]);
    spacing += fmt::format("{}{}", gap, placement.spacing[a]);
  }
  std::string file = fmt::format(
      R"(<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64"{}>
  <ImageData WholeExtent="{}" Origin="{}" Spacing="{}">
    <Piece Extent="{}">
      <PointData Scalars="{}">
)",
      compressed ? R"( compressor="vtkZLibDataCompressor")" : "", extent, origin, spacing, extent,
      xml_escaped(arrays[0].name));
  for (const auto& [name, array] : arrays) {
    if (array->extents != extents)
      return Error{
          fmt::format("the arrays of a .vti file have one size, but `{}` is {} and `{}` {}",
                      arrays[0].name, to_string(extents), name, to_string(array->extents))};
    const Element element = common_element(array->element);
    file += fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type_of(element), xml_escaped(name), appended.size());
    std::optional<Array> other;
    if (element != array->element) {
      Result<Array> made = converted(*array, element);
      if (!made.ok()) return Error{made.error()};
      other = std::move(*made);
    }
    const std::vector<std::byte>& from = other ? other->bytes : array->bytes;
    const std::string_view bytes(reinterpret_cast<const char*>(from.data()), from.size());
    if (compressed)
      append_packed(appended, bytes);
    else
      appended.append(word_of(bytes.size())).append(bytes);
  }
  file +=
      "      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n   _";
  return file + appended + "\n  </AppendedData>\n</VTKFile>\n";
}

std::string pvd_file(const std::vector<TimedFile>& files) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n  <Collection>\n";
  for (const auto& [time, file] : files)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time,
                        xml_escaped(file));
  return text + "  </Collection>\n</VTKFile>\n";
}

}  // namespace stencilc::data
