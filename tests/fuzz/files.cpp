// Feeds bytes to the readers of pictures and arrays. An input may be anything: each reader either refuses it, or what it returns
// is consistent.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "data/npy.h"
#include "data/npz.h"
#include "data/pixels.h"
#include "data/png.h"
#include "data/vti.h"

namespace {

using namespace stencilc::data;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Result<Array>& array) {
  if (!array.ok()) {
    require(!array.error().empty());
    return;
  }
  const Result<int64_t> size = byte_count(array->element, array->extents);
  require(size.ok() && static_cast<size_t>(*size) == array->bytes.size());
}

template <class File>
void check_file(const Result<File>& file) {
  if (!file.ok()) return;
  for (const std::string& name : file->names()) check(file->read(name));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  check(parse_npy(file));
  check_file(Npz::open(file));
  check_file(Vti::open(file));
  if (const Result<Pixels> picture = decode_png(file); picture.ok()) {
    require(picture->samples.size() ==
            static_cast<size_t>(picture->width * picture->height * picture->channels));
    check(channel_of(*picture, Channel::alpha, Element::f32));
    check(channel_of(*picture, Channel::brightness, Element::u8));
  }
  return 0;
}
