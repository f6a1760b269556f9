// Feeds bytes to the readers of pictures, arrays and checkpoints. An input may be anything: each
// reader either refuses it, or what it returns is consistent. Files of NetCDF are read only with
// STENCILC_FUZZ_NETCDF in the environment, because what fails there is their library.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/netcdf.h"
#include "data/files/npy.h"
#include "data/files/npz.h"
#include "data/files/vti.h"
#include "data/images/pixels.h"
#include "data/images/png.h"
#include "runtime/include/stencil/save.h"

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

void check_netcdf(const Result<Netcdf>& file) {
  if (!file.ok()) return;
  for (const std::string& name : file->names()) {
    const std::vector<size_t> lengths = file->lengths(name);
    for (const std::string& place : file->last_place(name).second) require(!place.empty());
    for (const auto& [by, word] : kPlaces)
      for (const double number : {1.0, -1.0}) {
        const Result<size_t> cell = file->cell_at(name, {by, number});
        require(cell.ok() ? *cell < lengths.front() : !cell.error().empty());
        if (cell.ok()) check(file->read(name, *cell));
      }
  }
}

// Gives what claims to be a checkpoint its check sums, without which everything else would be
// refused by them.
std::string with_sums(std::string_view file) {
  using namespace stencil::saved;
  std::string text(file);
  SaveHead head = {};
  if (text.size() < sizeof head) return text;
  std::memcpy(&head, text.data(), sizeof head);
  head.version = kSaveVersion;
  head.total = text.size();
  head.check = check_of(head);
  std::memcpy(text.data(), &head, sizeof head);
  for (size_t at = sizeof head; text.size() - at >= sizeof(PartHead);) {
    PartHead part = {};
    std::memcpy(&part, text.data() + at, sizeof part);
    const size_t left = text.size() - at - sizeof part;
    if (part.name_size > left || part.size > left) break;
    const uint64_t name = whole_words(part.name_size), bytes = whole_words(part.size);
    if (name > left || bytes > left - name) break;
    part.check = mix_words(kSaveSeed, &part, offsetof(PartHead, check));
    part.check = mix_words(part.check, text.data() + at + sizeof part, name);
    part.check = mix_words(part.check, text.data() + at + sizeof part + name, bytes);
    std::memcpy(text.data() + at, &part, sizeof part);
    at += sizeof part + name + bytes;
  }
  return text;
}

void check_saved(std::string_view text) {
  const int file = memfd_create("saved", 0);
  require(file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  const stencil::SavedParts parts(("/proc/self/fd/" + std::to_string(file)).c_str());
  require(parts.status().ok() || (parts.parts().empty() && parts.status().message()[0] != 0));
  for (const auto& part : parts.parts()) {
    std::vector<char> bytes(part.size);
    require(parts.find(part.name) != nullptr && part.size <= text.size());
    // Where what fills up a word is not zero, this refuses it.
    const stencil::Status read = parts.read(part, bytes.data());
    require(read.ok() || read.message()[0] != 0);
  }
  close(file);
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
  if (file.starts_with("STNSAVE")) {
    check_saved(file);
    check_saved(with_sums(file));
  }
  static const bool netcdf = std::getenv("STENCILC_FUZZ_NETCDF") != nullptr;
  if (netcdf) {
    const Result<Netcdf> opened = Netcdf::open(file);
    check_file(opened);
    check_netcdf(opened);
  }
  return 0;
}
