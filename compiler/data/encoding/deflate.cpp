#include "data/encoding/deflate.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <exception>
#include <limits>

namespace stencilc::data {
namespace {

// zlib takes at most so many bytes at once.
constexpr size_t most = std::numeric_limits<uInt>::max();

int window_of(Wrapping wrapping) { return wrapping == Wrapping::none ? -MAX_WBITS : MAX_WBITS; }

Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
}

struct Inflater : z_stream {
  explicit Inflater(Wrapping wrapping) : z_stream{} {
    begun = inflateInit2(this, window_of(wrapping)) == Z_OK;
  }
  ~Inflater() {
    if (begun) inflateEnd(this);
  }
  bool begun = false;
};

struct Deflater : z_stream {
  explicit Deflater(Wrapping wrapping) : z_stream{} {
    if (deflateInit2(this, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_of(wrapping), 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(this); }
};

}  // namespace

std::string deflated(std::string_view bytes, Wrapping wrapping) {
  Deflater stream(wrapping);
  std::string packed;
  char part[1 << 16];
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const size_t count = std::min(bytes.size(), most);
    stream.next_in = input_of(bytes);
    stream.avail_in = static_cast<uInt>(count);
    do {
      stream.next_out = reinterpret_cast<Bytef*>(part);
      stream.avail_out = sizeof part;
      state = deflate(&stream, count == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      packed.append(part, sizeof part - stream.avail_out);
    } while (stream.avail_out == 0);
    bytes.remove_prefix(count);
  }
  return packed;
}

Result<std::string> inflated(std::string_view packed, uint64_t size, Wrapping wrapping) {
  // A stream holds at most 1032 bytes in one.
  if (size / 1032 > packed.size())
    return Error{fmt::format("{} bytes cannot hold {}", packed.size(), size)};
  Inflater stream(wrapping);
  std::string bytes;
  try {
    bytes.resize(size + 1);  // one byte more shows that the stream is longer
  } catch (const std::exception&) {
    return Error{fmt::format("there is not enough memory for {} bytes", size)};
  }
  if (!stream.begun) return Error{"there is not enough memory to unpack it"};
  size_t read = 0, made = 0;
  int state = Z_OK;
  while (state == Z_OK && made < bytes.size()) {
    const size_t in = std::min(packed.size() - read, most);
    const size_t out = std::min(bytes.size() - made, most);
    stream.next_in = input_of(packed.substr(read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + made);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  if (state == Z_BUF_ERROR || state == Z_OK)
    return Error{made > size ? fmt::format("it unpacks to more than {} bytes", size)
                             : fmt::format("its packed data end after byte {}", read)};
  if (state != Z_STREAM_END)
    return Error{fmt::format("byte {} of its packed data is damaged", read)};
  if (made != size) return Error{fmt::format("it unpacks to {} bytes, not to {}", made, size)};
  if (read != packed.size())
    return Error{fmt::format("its packed data end at byte {} of {}", read, packed.size())};
  bytes.resize(size);
  return bytes;
}

uint32_t checksum(std::string_view bytes) {
  uLong crc = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), most);
    crc = crc32(crc, input_of(bytes), static_cast<uInt>(count));
    bytes.remove_prefix(count);
  }
  return static_cast<uint32_t>(crc);
}

}  // namespace stencilc::data
