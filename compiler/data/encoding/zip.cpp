// Note [Records of a ZIP file]
// After the members, each with a header of its own, comes a directory with a record for each, and
// then a record that says where the directory is. Numbers are little endian. A number that does not
// fit has all bits set, and its value is in a field of ZIP64: for a member in the extra data of its
// record, for the directory in a record that a locator points at. (APPNOTE.TXT of PKWARE, 4.3)
#include "data/encoding/zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "data/encoding/deflate.h"

namespace stencilc::data {
namespace {

constexpr uint64_t kUnset32 = 0xffffffff, kUnset16 = 0xffff;
constexpr std::string_view kMember("PK\3\4", 4), kRecord("PK\1\2", 4), kEnd("PK\5\6", 4),
    kEnd64("PK\6\6", 4), kLocator64("PK\6\7", 4);
constexpr size_t kMemberSize = 30, kRecordSize = 46, kEndSize = 22, kEnd64Size = 56,
                 kLocator64Size = 20, kMostComment = 0xffff;

uint64_t number(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The part of the file, if it has one there.
std::optional<std::string_view> part(std::string_view file, uint64_t at, uint64_t size) {
  if (at > file.size() || size > file.size() - at) return std::nullopt;
  return file.substr(at, size);
}
std::optional<std::string_view> record(std::string_view file, uint64_t at, uint64_t size,
                                       std::string_view signature) {
  const auto found = part(file, at, size);
  return found && found->starts_with(signature) ? found : std::nullopt;
}

Error damaged(const std::string& what) { return Error{"the ZIP file is damaged: " + what}; }

// Where the directory is, and how many members it has.
struct Directory {
  uint64_t at = 0, members = 0;
};
Result<Directory> directory_of(std::string_view file) {
  if (file.size() < kEndSize) return damaged("it ends within its directory");
  const size_t last = file.size() - kEndSize;
  const size_t end = file.rfind(kEnd, last);
  if (end == std::string_view::npos || last - end > kMostComment)
    return damaged("it has no directory at its end, so it may be cut off");
  const Directory small{number(file, end + 16, 4), number(file, end + 10, 2)};
  if (small.at != kUnset32 && small.members != kUnset16) return small;
  const auto locator = end < kLocator64Size
                           ? std::nullopt
                           : record(file, end - kLocator64Size, kLocator64Size, kLocator64);
  if (!locator) return small;  // as large as it says
  const auto large = record(file, number(*locator, 8, 8), kEnd64Size, kEnd64);
  if (!large) return damaged("its directory is not where the end of the file says");
  return Directory{number(*large, 48, 8), number(*large, 32, 8)};
}

// Replaces the numbers that do not fit in a record by those of its extra data.
bool enlarge(std::string_view extra, std::vector<uint64_t*> numbers) {
  std::erase_if(numbers, [](const uint64_t* value) { return *value != kUnset32; });
  if (numbers.empty()) return true;
  while (extra.size() >= 4) {
    const uint64_t kind = number(extra, 0, 2), size = number(extra, 2, 2);
    if (size > extra.size() - 4) return false;
    if (kind == 1) {
      if (size < 8 * numbers.size()) return false;
      for (size_t i = 0; i < numbers.size(); ++i) *numbers[i] = number(extra, 4 + 8 * i, 8);
      return true;
    }
    extra.remove_prefix(4 + size);
  }
  return true;  // as large as it says
}

// The member of the record at this place, which is moved behind it.
Result<ZipMember> member_at(std::string_view file, uint64_t& at) {
  const uint64_t place = at;
  const auto head = record(file, at, kRecordSize, kRecord);
  if (!head) return damaged(fmt::format("there is no record of a member at byte {}", place));
  const uint64_t name = number(*head, 28, 2), extra = number(*head, 30, 2);
  const auto tail = part(file, at + kRecordSize, name + extra);
  if (!tail) return damaged(fmt::format("the record of a member at byte {} is cut off", place));
  at += kRecordSize + name + extra + number(*head, 32, 2);

  ZipMember member;
  member.name = tail->substr(0, name);
  member.crc = static_cast<uint32_t>(number(*head, 16, 4));
  member.size = number(*head, 24, 4);
  uint64_t packed = number(*head, 20, 4), offset = number(*head, 42, 4);
  const uint64_t method = number(*head, 10, 2);
  if ((number(*head, 8, 2) & 1) != 0)
    return Error{fmt::format("the member at byte {} of the ZIP file is encrypted", place)};
  if (method != 0 && method != 8)
    return Error{fmt::format(
        "the member at byte {} of the ZIP file is packed by method {}; pack it by deflate", place,
        method)};
  member.deflated = method == 8;
  if (!enlarge(tail->substr(name), {&member.size, &packed, &offset}))
    return damaged(
        fmt::format("the record of a member at byte {} has no room for its sizes", place));

  const auto own = record(file, offset, kMemberSize, kMember);
  if (!own) return damaged(fmt::format("there is no member at byte {}", offset));
  const auto bytes =
      part(file, offset + kMemberSize + number(*own, 26, 2) + number(*own, 28, 2), packed);
  if (!bytes) return damaged(fmt::format("the member at byte {} is cut off", offset));
  if (!member.deflated && packed != member.size)
    return damaged(fmt::format("the member at byte {} is stored in {} bytes and has {}", offset,
                               packed, member.size));
  member.packed = *bytes;
  return member;
}

std::string little(uint64_t value, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

Result<std::vector<ZipMember>> zip_members(std::string_view file) {
  if (!file.starts_with(kMember) && !file.starts_with(kEnd)) return Error{"this is not a ZIP file"};
  const Result<Directory> directory = directory_of(file);
  if (!directory.ok()) return Error{directory.error()};
  if (directory->members > file.size() / kRecordSize)
    return damaged(fmt::format("{} bytes cannot hold {} members", file.size(), directory->members));
  std::vector<ZipMember> members;
  uint64_t at = directory->at;
  for (uint64_t i = 0; i < directory->members; ++i) {
    Result<ZipMember> member = member_at(file, at);
    if (!member.ok()) return Error{member.error()};
    members.push_back(std::move(*member));
  }
  return members;
}

Result<std::string_view> content_of(const ZipMember& member, std::string& unpacked) {
  std::string_view content = member.packed;
  if (member.deflated) {
    Result<std::string> made = inflated(member.packed, member.size, Wrapping::none);
    if (!made.ok()) return Error{made.error()};
    unpacked = std::move(*made);
    content = unpacked;
  }
  if (checksum(content) != member.crc) return Error{"its checksum is not that of its bytes"};
  return content;
}

void ZipWriter::add(const std::string& name, std::string_view bytes, bool deflate) {
  const std::string packed = deflate ? deflated(bytes, Wrapping::none) : std::string();
  const std::string_view content = deflate ? std::string_view(packed) : bytes;
  const uint64_t offset = file_.size();
  const bool large = std::max<uint64_t>({bytes.size(), content.size(), offset}) >= large_;
  const auto sizes = [&](size_t size) {
    return little(content.size(), size) + little(bytes.size(), size);
  };
  // 1 January 1980, midnight: the same results make the same file.
  const std::string common = little(large ? 45 : 20, 2) + little(0x800, 2) +
                             little(deflate ? 8 : 0, 2) + little(0, 2) + little(0x21, 2) +
                             little(checksum(bytes), 4) + (large ? little(~0ull, 8) : sizes(4)) +
                             little(name.size(), 2);
  const std::string large_sizes = little(bytes.size(), 8) + little(content.size(), 8);
  const auto extra = [&](const std::string& numbers) {
    return large ? little(1, 2) + little(numbers.size(), 2) + numbers : "";
  };
  const std::string own = extra(large_sizes), record = extra(large_sizes + little(offset, 8));
  file_.append(kMember).append(common).append(little(own.size(), 2));
  file_.append(name).append(own).append(content);
  directory_.append(kRecord).append(little(large ? 45 : 20, 2)).append(common);
  directory_.append(little(record.size(), 2)).append(10, '\0');
  directory_.append(little(large ? ~0ull : offset, 4)).append(name).append(record);
  ++members_;
}

std::string ZipWriter::finish() && {
  const uint64_t at = file_.size(), size = directory_.size();
  file_ += directory_;
  const bool large = std::max(at, size) >= large_ || members_ >= kUnset16;
  if (large) {
    const uint64_t end = file_.size();
    file_.append(kEnd64).append(little(kEnd64Size - 12, 8)).append(little(45, 2) + little(45, 2));
    file_.append(little(0, 8)).append(little(members_, 8)).append(little(members_, 8));
    file_.append(little(size, 8)).append(little(at, 8));
    file_.append(kLocator64).append(little(0, 4)).append(little(end, 8)).append(little(1, 4));
  }
  file_.append(kEnd).append(little(0, 4));
  file_.append(large ? little(~0ull, 4) : little(members_, 2) + little(members_, 2));
  file_.append(large ? little(~0ull, 8) : little(size, 4) + little(at, 4)).append(little(0, 2));
  return std::move(file_);
}

}  // namespace stencilc::data
