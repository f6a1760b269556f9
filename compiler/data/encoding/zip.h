// Reads and writes ZIP files with stored and deflated members, also those of more than 4 GiB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/values/result.h"

namespace stencilc::data {

struct ZipMember {
  std::string name;
  std::string_view packed;  // a part of the file
  uint64_t size = 0;
  uint32_t crc = 0;
  bool deflated = false;
};

// The members in the order of the directory at the end of the file.
Result<std::vector<ZipMember>> zip_members(std::string_view file);

// The bytes of a member: a part of the file if they are stored, else in `unpacked`.
Result<std::string_view> content_of(const ZipMember& member, std::string& unpacked);

// Writes a ZIP file in memory.
class ZipWriter {
 public:
  // Sizes and offsets from `large` on are written in 64 bits.
  explicit ZipWriter(uint64_t large = 0xffffffff) : large_(large) {}

  void add(const std::string& name, std::string_view bytes, bool deflate);
  std::string finish() &&;

 private:
  std::string file_, directory_;
  uint64_t members_ = 0, large_;
};

}  // namespace stencilc::data
