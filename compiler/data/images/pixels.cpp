#include "data/images/pixels.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

// Note [libpng and longjmp]
// libpng reports an error by a longjmp over its callers. Every function below that calls setjmp has
// only trivial locals; the structs that libpng allocates, and our own memory, belong to objects of
// the functions around them.

namespace stencilc::data {
namespace {

struct Stream {
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[128] = "";
  const char* input = nullptr;  // remaining input
  size_t left = 0;
  std::string output;
};

[[noreturn]] void on_error(png_structp png, const char* text) {
  auto* stream = static_cast<Stream*>(png_get_error_ptr(png));
  std::strncpy(stream->message, text, sizeof stream->message - 1);
  longjmp(png_jmpbuf(png), 1);
}
void on_warning(png_structp, const char*) {}

void read_bytes(png_structp png, png_bytep to, size_t count) {
  auto* stream = static_cast<Stream*>(png_get_io_ptr(png));
  if (count > stream->left) png_error(png, "the file ends too soon");
  std::memcpy(to, stream->input, count);
  stream->input += count;
  stream->left -= count;
}

bool append(std::string& output, const char* bytes, size_t count) {
  try {
    output.append(bytes, count);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}
void write_bytes(png_structp png, png_bytep from, size_t count) {
  auto* stream = static_cast<Stream*>(png_get_io_ptr(png));
  if (!append(stream->output, reinterpret_cast<const char*>(from), count))
    png_error(png, "out of memory");
}
void flush_bytes(png_structp) {}

struct Reader : Stream {
  Reader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<Stream*>(this), on_error,
                                 on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};
struct Writer : Stream {
  Writer() {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<Stream*>(this), on_error,
                                  on_warning);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

// Reads up to the pixels and requests samples of 8 or 16 bits.
bool read_header(Stream& stream) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_set_read_fn(stream.png, &stream, read_bytes);
  png_read_info(stream.png, stream.info);
  png_set_expand(stream.png);
  png_set_interlace_handling(stream.png);
  png_read_update_info(stream.png, stream.info);
  return true;
}
bool read_row(Stream& stream, png_bytep row) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_read_row(stream.png, row, nullptr);
  return true;
}
bool read_all(Stream& stream, png_bytepp rows) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_read_image(stream.png, rows);
  return true;
}
bool read_end(Stream& stream) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_read_end(stream.png, nullptr);
  return true;
}
bool write_header(Stream& stream, const Heading& heading) {
  constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                           PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_set_write_fn(stream.png, &stream, write_bytes, flush_bytes);
  png_set_IHDR(stream.png, stream.info, static_cast<png_uint_32>(heading.width),
               static_cast<png_uint_32>(heading.height), heading.depth, types[heading.channels - 1],
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(stream.png, stream.info);
  return true;
}
bool write_row(Stream& stream, png_bytep row) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_write_row(stream.png, row);
  return true;
}
bool write_end(Stream& stream) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_write_end(stream.png, nullptr);
  return true;
}

size_t samples_of_row(const Heading& heading) {
  return static_cast<size_t>(heading.width) * static_cast<size_t>(heading.channels);
}

// Rows as in the file (16 bits with the high byte first), and as samples.
void unpack(const Heading& heading, const unsigned char* raw, uint16_t* samples) {
  for (size_t i = 0; i < samples_of_row(heading); ++i)
    samples[i] =
        heading.depth == 8 ? raw[i] : static_cast<uint16_t>(raw[2 * i] << 8 | raw[2 * i + 1]);
}
void pack(const Heading& heading, const std::vector<uint16_t>& samples, unsigned char* raw) {
  for (const uint16_t sample : samples) {
    if (heading.depth == 16) *raw++ = static_cast<unsigned char>(sample >> 8);
    *raw++ = static_cast<unsigned char>(sample);
  }
}

// Fills the samples; false if the file ends or is damaged.
bool read_rows(Stream& stream, Pixels& pixels) {
  const size_t height = static_cast<size_t>(pixels.height), count = samples_of_row(pixels);
  const size_t bytes = png_get_rowbytes(stream.png, stream.info);
  const bool woven = png_get_interlace_type(stream.png, stream.info) != PNG_INTERLACE_NONE;
  pixels.samples.resize(count * height);
  std::vector<unsigned char> raw(woven ? bytes * height : bytes);
  if (woven) {
    std::vector<png_bytep> rows(height);
    for (size_t y = 0; y < height; ++y) rows[y] = raw.data() + y * bytes;
    if (!read_all(stream, rows.data())) return false;
  }
  for (size_t y = 0; y < height; ++y) {
    if (!woven && !read_row(stream, raw.data())) return false;
    unpack(pixels, raw.data() + (woven ? y * bytes : 0), pixels.samples.data() + y * count);
  }
  return read_end(stream);
}

}  // namespace

Result<Pixels> decode_png(std::string_view file) {
  constexpr size_t signature = 8;
  if (file.size() < signature ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature) != 0)
    return Error{"this is not a PNG file"};
  Reader reader;
  if (reader.info == nullptr) return Error{"there is not enough memory to read a PNG file"};
  reader.input = file.data();
  reader.left = file.size();
  const auto broken = [&] {
    return Error{fmt::format("the PNG file is damaged: {}", reader.message)};
  };
  if (!read_header(reader)) return broken();

  Pixels pixels;
  pixels.width = png_get_image_width(reader.png, reader.info);
  pixels.height = png_get_image_height(reader.png, reader.info);
  pixels.channels = png_get_channels(reader.png, reader.info);
  pixels.depth = png_get_bit_depth(reader.png, reader.info);
  const std::string size = fmt::format("{} x {} pixels", pixels.width, pixels.height);
  // zlib packs at most 1032 bytes into one, and a pixel of one bit with a palette becomes 32 bits.
  const size_t bytes =
      png_get_rowbytes(reader.png, reader.info) * static_cast<size_t>(pixels.height);
  if (bytes / file.size() > size_t{1032} * 32)
    return Error{
        fmt::format("the PNG file is damaged: {} bytes cannot hold {}", file.size(), size)};
  if (pixels.width * pixels.height > kMaxPixels)
    return Error{fmt::format(
        "the picture has {}, and the limit is {}, for which a field of f64 takes 2 GiB; save it as "
        "a .npy file",
        size, kMaxPixels)};
  try {
    if (!read_rows(reader, pixels)) return broken();
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for " + size};
  }
  return pixels;
}

Result<std::string> write_png(const Heading& heading, const MakeRow& make) {
  constexpr int64_t limit = 1000000;  // the limit of libpng
  if (heading.width > limit || heading.height > limit)
    return Error{fmt::format("a PNG file of {} x {} pixels is too large; each side can be {}",
                             heading.width, heading.height, limit)};
  Writer writer;
  if (writer.info == nullptr) return Error{"there is not enough memory to write a PNG file"};
  std::vector<uint16_t> samples(samples_of_row(heading));
  std::vector<unsigned char> raw(samples.size() * static_cast<size_t>(heading.depth / 8));
  bool good = write_header(writer, heading);
  for (int64_t y = 0; y < heading.height && good; ++y) {
    make(y, samples.data());
    pack(heading, samples, raw.data());
    good = write_row(writer, raw.data());
  }
  if (!good || !write_end(writer))
    return Error{fmt::format("the PNG file cannot be made: {}", writer.message)};
  return std::move(writer.output);
}

Result<std::string> encode_png(const Pixels& pixels) {
  const size_t count = samples_of_row(pixels);
  assert(pixels.samples.size() == count * static_cast<size_t>(pixels.height));
  return write_png(pixels, [&](int64_t y, uint16_t* samples) {
    std::copy_n(pixels.samples.data() + static_cast<size_t>(y) * count, count, samples);
  });
}

}  // namespace stencilc::data
