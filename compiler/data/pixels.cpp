#include "data/pixels.h"

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

// Reads up to the pixels and requests gray or RGB samples of 8 or 16 bits.
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
  if (setjmp(png_jmpbuf(stream.png))) return false;
  png_set_write_fn(stream.png, &stream, write_bytes, flush_bytes);
  png_set_IHDR(stream.png, stream.info, static_cast<png_uint_32>(heading.width),
               static_cast<png_uint_32>(heading.height), heading.depth,
               heading.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

// A row as in the file (16 bits with the high byte first), and as samples.
void unpack(const Heading& heading, const unsigned char* raw, std::vector<uint16_t>& samples) {
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] =
        heading.depth == 8 ? raw[i] : static_cast<uint16_t>(raw[2 * i] << 8 | raw[2 * i + 1]);
}
void pack(const Heading& heading, const std::vector<uint16_t>& samples, unsigned char* raw) {
  for (const uint16_t sample : samples) {
    if (heading.depth == 16) *raw++ = static_cast<unsigned char>(sample >> 8);
    *raw++ = static_cast<unsigned char>(sample);
  }
}

// False if the file ends or is damaged.
bool read_rows(Stream& stream, const Heading& heading, const TakeRow& take) {
  const size_t height = static_cast<size_t>(heading.height);
  const size_t bytes = png_get_rowbytes(stream.png, stream.info);
  const bool woven = png_get_interlace_type(stream.png, stream.info) != PNG_INTERLACE_NONE;
  std::vector<unsigned char> raw(woven ? bytes * height : bytes);
  if (woven) {
    std::vector<png_bytep> rows(height);
    for (size_t y = 0; y < height; ++y) rows[y] = raw.data() + y * bytes;
    if (!read_all(stream, rows.data())) return false;
  }
  std::vector<uint16_t> samples(samples_of_row(heading));
  for (size_t y = 0; y < height; ++y) {
    if (!woven && !read_row(stream, raw.data())) return false;
    unpack(heading, raw.data() + (woven ? y * bytes : 0), samples);
    take(static_cast<int64_t>(y), samples.data());
  }
  return read_end(stream);
}

}  // namespace

std::string read_png(std::string_view file,
                     const std::function<Result<TakeRow>(const Heading&)>& begin) {
  constexpr size_t signature = 8;
  if (file.size() < signature ||
      png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature) != 0)
    return "this is not a PNG file";
  Reader reader;
  if (reader.info == nullptr) return "there is not enough memory to read a PNG file";
  reader.input = file.data();
  reader.left = file.size();
  const auto broken = [&] { return fmt::format("the PNG file is damaged: {}", reader.message); };
  if (!read_header(reader)) return broken();

  Heading heading;
  heading.width = png_get_image_width(reader.png, reader.info);
  heading.height = png_get_image_height(reader.png, reader.info);
  heading.channels = png_get_channels(reader.png, reader.info);
  heading.depth = png_get_bit_depth(reader.png, reader.info);
  const std::string size = fmt::format("{} x {} pixels", heading.width, heading.height);
  // zlib packs at most 1032 bytes into one, and a pixel of one bit with a palette becomes 24 bits.
  const size_t bytes =
      png_get_rowbytes(reader.png, reader.info) * static_cast<size_t>(heading.height);
  if (bytes / file.size() > size_t{1032} * 24)
    return fmt::format("the PNG file is damaged: {} bytes cannot hold {}", file.size(), size);
  if (heading.width * heading.height > kMaxPixels)
    return fmt::format(
        "the picture has {}, and the limit is {}, for which a field of f64 takes 2 GiB; save it as "
        "a .npy file",
        size, kMaxPixels);
  try {
    const Result<TakeRow> take = begin(heading);
    if (!take.ok()) return take.error();
    return read_rows(reader, heading, *take) ? "" : broken();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for " + size;
  }
}

Result<Pixels> decode_png(std::string_view file) {
  Pixels pixels;
  const std::string problem = read_png(file, [&](const Heading& heading) -> Result<TakeRow> {
    pixels = heading;
    const size_t count = samples_of_row(heading);
    pixels.samples.resize(count * static_cast<size_t>(heading.height));
    return TakeRow([&pixels, count](int64_t y, const uint16_t* samples) {
      std::copy_n(samples, count, pixels.samples.data() + static_cast<size_t>(y) * count);
    });
  });
  if (!problem.empty()) return Error{problem};
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
