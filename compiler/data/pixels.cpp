#include "data/pixels.h"

#include <fmt/format.h>
#include <png.h>

#include <cassert>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

// Note [libpng and longjmp]
// libpng reports an error by a longjmp over its callers. Every function below that calls setjmp has
// trivial locals only; the structs that libpng allocates, and all memory of ours, belong to objects
// that live in the functions around them.

namespace stencilc::data {
namespace {

struct Stream {
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[128] = "";
  const char* input = nullptr;  // what is left to read
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
  if (count > stream->left) png_error(png, "the file ends too early");
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

// Reads up to the pixels and asks for gray or RGB samples of 8 or 16 bits.
bool read_header(Stream& stream) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_set_read_fn(stream.png, &stream, read_bytes);
  png_read_info(stream.png, stream.info);
  png_set_expand(stream.png);
  png_set_strip_alpha(stream.png);
  png_set_interlace_handling(stream.png);
  png_read_update_info(stream.png, stream.info);
  return true;
}
bool read_rows(Stream& stream, png_bytepp rows) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_read_image(stream.png, rows);
  png_read_end(stream.png, nullptr);
  return true;
}
bool write_file(Stream& stream, const Pixels& pixels, png_bytepp rows) {
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_set_write_fn(stream.png, &stream, write_bytes, flush_bytes);
  png_set_IHDR(stream.png, stream.info, static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), pixels.depth,
               pixels.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(stream.png, stream.info);
  png_write_image(stream.png, rows);
  png_write_end(stream.png, nullptr);
  return true;
}

std::vector<png_bytep> rows_of(std::vector<unsigned char>& bytes, size_t height) {
  std::vector<png_bytep> rows(height);
  for (size_t y = 0; y < height; ++y) rows[y] = bytes.data() + y * (bytes.size() / height);
  return rows;
}

}  // namespace

Result<Pixels> decode_png(std::string_view file) {
  constexpr size_t signature = 8;
  if (file.size() < signature ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature) != 0)
    return Error{"this is not a PNG file"};
  const auto broken = [](const Stream& stream) {
    return Error{fmt::format("the PNG file is broken: {}", stream.message)};
  };
  Reader reader;
  if (reader.info == nullptr) return Error{"no memory to read a PNG file"};
  reader.input = file.data();
  reader.left = file.size();
  if (!read_header(reader)) return broken(reader);

  Pixels pixels;
  pixels.width = png_get_image_width(reader.png, reader.info);
  pixels.height = png_get_image_height(reader.png, reader.info);
  pixels.channels = png_get_channels(reader.png, reader.info);
  pixels.depth = png_get_bit_depth(reader.png, reader.info);
  const auto height = static_cast<size_t>(pixels.height);
  const size_t bytes = png_get_rowbytes(reader.png, reader.info) * height;
  // zlib packs at most 1032 bytes into one, and a pixel of one bit, through a palette, becomes 24.
  if (bytes / file.size() > size_t{1032} * 24)
    return Error{fmt::format("the PNG file is broken: {} bytes cannot hold {} x {} pixels",
                             file.size(), pixels.width, pixels.height)};
  try {
    std::vector<unsigned char> raw(bytes);
    std::vector<png_bytep> rows = rows_of(raw, height);
    if (!read_rows(reader, rows.data())) return broken(reader);
    if (pixels.depth == 8) {
      pixels.samples.assign(raw.begin(), raw.end());
    } else {
      pixels.samples.resize(bytes / 2);
      for (size_t i = 0; i < bytes / 2; ++i)
        pixels.samples[i] = static_cast<uint16_t>(raw[2 * i] << 8 | raw[2 * i + 1]);
    }
  } catch (const std::bad_alloc&) {
    return Error{fmt::format("no memory for {} x {} pixels", pixels.width, pixels.height)};
  }
  return pixels;
}

Result<std::string> encode_png(const Pixels& pixels) {
  constexpr int64_t limit = 1000000;  // libpng's own
  if (pixels.width > limit || pixels.height > limit)
    return Error{fmt::format("a PNG file of {} x {} pixels is too large; each side can be {}",
                             pixels.width, pixels.height, limit)};
  assert(pixels.samples.size() ==
         static_cast<size_t>(pixels.width * pixels.height * pixels.channels));
  std::vector<unsigned char> raw;
  raw.reserve(pixels.samples.size() * static_cast<size_t>(pixels.depth / 8));
  for (const uint16_t sample : pixels.samples) {
    if (pixels.depth == 16) raw.push_back(static_cast<unsigned char>(sample >> 8));
    raw.push_back(static_cast<unsigned char>(sample));
  }
  std::vector<png_bytep> rows = rows_of(raw, static_cast<size_t>(pixels.height));
  Writer writer;
  if (writer.info == nullptr) return Error{"no memory to write a PNG file"};
  if (!write_file(writer, pixels, rows.data()))
    return Error{fmt::format("the PNG file cannot be made: {}", writer.message)};
  return std::move(writer.output);
}

}  // namespace stencilc::data
