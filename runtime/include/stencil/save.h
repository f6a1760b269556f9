// Saves grids in a file, and restores them: for runs that go on after the process has ended. A
// program includes this file by itself, before or after the header of its stencils.
//
//   stencil::Status saved = stencil::save("run.save", step, u, u_old);
//   stencil::Status restored = stencil::restore("run.save", &step, u, u_old);
//
// A file is written beside its own (run.save.tmp), and on disk before it takes the name. The one
// before it is kept as run.save.previous.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shape.h"
#include "status.h"

namespace stencil {

// A part of a file: bytes with a name.
struct SavedPart {
  std::string name;
  const void* bytes = nullptr;
  uint64_t size = 0;
};

namespace saved {

// A file is a head, and for each part a head, its name and its bytes, each filled up with zeros to
// whole words. Numbers are those of the machine, which is little-endian.
inline constexpr char kSaveMagic[8] = {'S', 'T', 'N', 'S', 'A', 'V', 'E', '\n'};
inline constexpr uint32_t kSaveVersion = 1;

struct SaveHead {
  char magic[8];
  uint32_t version, parts;
  uint64_t total;  // bytes of the file
  uint64_t check;  // of this head before it
};
struct PartHead {
  uint64_t name_size, size;
  uint64_t check;  // of the two sizes, the name and the bytes
};

// Every step is a bijection of what is before and of the word, so two texts that differ in one word
// never have the same value.
inline uint64_t mix_words(uint64_t value, const void* words, uint64_t bytes) {
  const char* at = static_cast<const char*>(words);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    value = (value ^ word) * 0x9e3779b97f4a7c15u;
    value ^= value >> 29;
  }
  if (bytes == 0) return value;
  uint64_t last[1] = {0};
  std::memcpy(last, at, bytes);
  return mix_words(value, last, 8);
}

inline constexpr uint64_t kSaveSeed = 0x73746e73617665u;

inline uint64_t check_of(const SaveHead& head) {
  return mix_words(kSaveSeed, &head, offsetof(SaveHead, check));
}
inline uint64_t whole_words(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

// A file descriptor that is closed.
class SaveFile {
 public:
  SaveFile(const char* path, int flags) : file_(::open(path, flags | O_CLOEXEC, 0666)) {}
  SaveFile(const SaveFile&) = delete;
  SaveFile& operator=(const SaveFile&) = delete;
  ~SaveFile() { (void)close(); }
  bool is_open() const { return file_ >= 0; }
  int number() const { return file_; }
  bool close() {
    const int file = file_;
    file_ = -1;
    return file < 0 || ::close(file) == 0;
  }

  bool write(const void* bytes, uint64_t count) {
    const char* from = static_cast<const char*>(bytes);
    while (count > 0) {
      const ssize_t put = ::write(file_, from, count < kPiece ? count : kPiece);
      if (put < 0 && errno == EINTR) continue;
      if (put == 0) errno = ENOSPC;
      if (put <= 0) return false;
      from += put;
      count -= static_cast<uint64_t>(put);
    }
    return true;
  }
  bool read(void* bytes, uint64_t count, uint64_t at) const {
    char* to = static_cast<char*>(bytes);
    while (count > 0) {
      const ssize_t got =
          ::pread(file_, to, count < kPiece ? count : kPiece, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) errno = EIO;
      if (got <= 0) return false;
      to += got;
      at += static_cast<uint64_t>(got);
      count -= static_cast<uint64_t>(got);
    }
    return true;
  }

 private:
  static constexpr uint64_t kPiece = uint64_t{1} << 30;  // Linux moves at most 2 GiB at once
  int file_;
};

inline bool write_words(SaveFile& file, const void* bytes, uint64_t count) {
  constexpr char zeros[8] = {};
  return file.write(bytes, count) && file.write(zeros, whole_words(count) - count);
}

inline bool write_parts(SaveFile& file, const std::vector<SavedPart>& parts) {
  SaveHead head = {};
  std::memcpy(head.magic, kSaveMagic, sizeof head.magic);
  head.version = kSaveVersion;
  head.parts = static_cast<uint32_t>(parts.size());
  head.total = sizeof head;
  for (const SavedPart& part : parts)
    head.total += sizeof(PartHead) + whole_words(part.name.size()) + whole_words(part.size);
  head.check = check_of(head);
  if (!file.write(&head, sizeof head)) return false;
  for (const SavedPart& part : parts) {
    PartHead own = {part.name.size(), part.size, 0};
    own.check = mix_words(kSaveSeed, &own, offsetof(PartHead, check));
    own.check = mix_words(own.check, part.name.data(), part.name.size());
    own.check = mix_words(own.check, part.bytes, part.size);
    if (!file.write(&own, sizeof own) || !write_words(file, part.name.data(), part.name.size()) ||
        !write_words(file, part.bytes, part.size))
      return false;
  }
  return true;
}

inline Status not_saved(const char* path) {
  const int why = errno;
  return failure(Code::bad_file, "`%s` cannot be written: %s", path, std::strerror(why));
}

// Makes renames in the folder of a file last. Some file systems cannot, and need not.
inline void sync_folder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  SaveFile file(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (file.is_open()) (void)::fsync(file.number());
}

// Keeps a file under another name without a moment in which it has none.
inline bool keep_as(const std::string& path, const std::string& other) {
  const std::string beside = other + ".tmp";
  (void)::unlink(beside.c_str());
  if (::link(path.c_str(), beside.c_str()) == 0)
    return std::rename(beside.c_str(), other.c_str()) == 0;
  if (errno == ENOENT) return true;                      // there is none
  return std::rename(path.c_str(), other.c_str()) == 0;  // no links here
}

}  // namespace saved

// Writes a file of parts, which stay where they are until it returns. After a failure the files
// that were there are as before.
inline Status save_parts(const char* path, const std::vector<SavedPart>& parts) {
  const std::string name = path, beside = name + ".tmp";
  {
    saved::SaveFile file(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open()) return saved::not_saved(path);
    const bool written =
        saved::write_parts(file, parts) && ::fsync(file.number()) == 0 && file.close();
    if (!written) {
      const Status status = saved::not_saved(path);
      (void)::unlink(beside.c_str());
      return status;
    }
  }
  if (!saved::keep_as(name, name + ".previous") ||
      std::rename(beside.c_str(), name.c_str()) != 0) {
    const Status status = saved::not_saved(path);
    (void)::unlink(beside.c_str());
    return status;
  }
  saved::sync_folder(name);
  return {};
}

// A file of parts. It is compared with its check sums as a whole before anything is taken from it.
class SavedParts {
 public:
  explicit SavedParts(const char* path) : path_(path), file_(path, O_RDONLY) { open(); }
  const Status& status() const { return status_; }

  // By its name, or null.
  struct Part {
    std::string name;
    uint64_t size = 0, at = 0, check = 0;
  };
  const std::vector<Part>& parts() const { return parts_; }
  const Part* find(const std::string& name) const {
    for (const Part& part : parts_)
      if (part.name == name) return &part;
    return nullptr;
  }
  // `size` bytes.
  Status read(const Part& part, void* to) const {
    if (!file_.read(to, part.size, part.at)) return unread();
    // The file may have changed since it was opened.
    return saved::mix_words(part.check, to, part.size) == sums_[index_of(part)]
               ? Status()
               : damaged("its check sum is wrong");
  }

 private:
  Status unread() const {
    const int why = errno;
    return failure(Code::bad_file, "`%s` cannot be read: %s", path_.c_str(), std::strerror(why));
  }
  Status damaged(const char* how) const {
    return failure(Code::bad_file, "`%s` is damaged: %s", path_.c_str(), how);
  }
  size_t index_of(const Part& part) const { return static_cast<size_t>(&part - parts_.data()); }

  void open() {
    struct stat facts = {};
    if (!file_.is_open() || ::fstat(file_.number(), &facts) != 0) {
      status_ = unread();
      return;
    }
    const uint64_t size = static_cast<uint64_t>(facts.st_size);
    saved::SaveHead head = {};
    if (size < sizeof head || !file_.read(&head, sizeof head, 0) ||
        std::memcmp(head.magic, saved::kSaveMagic, sizeof head.magic) != 0) {
      status_ = failure(Code::bad_file, "`%s` is no file that `save` has written", path_.c_str());
      return;
    }
    if (head.version > saved::kSaveVersion) {
      status_ = failure(Code::bad_file,
                        "`%s` has version %u of the format, and this program knows version %u; "
                        "take a newer one",
                        path_.c_str(), head.version, saved::kSaveVersion);
      return;
    }
    if (head.version != saved::kSaveVersion || head.check != saved::check_of(head)) {
      status_ = damaged("the check sum of its head is wrong");
      return;
    }
    if (head.total != size) {
      status_ = failure(Code::bad_file, "`%s` is damaged: it has %llu bytes of %llu", path_.c_str(),
                        static_cast<unsigned long long>(size),
                        static_cast<unsigned long long>(head.total));
      return;
    }
    uint64_t at = sizeof head;
    for (uint32_t p = 0; p < head.parts && status_.ok(); ++p) status_ = open_part(size, at);
    if (status_.ok() && at != size) status_ = damaged("there is more than its parts");
    if (!status_.ok()) parts_.clear();
  }

  // Sizes are compared with that of the file before memory is taken for them.
  Status open_part(uint64_t size, uint64_t& at) {
    saved::PartHead head = {};
    if (size - at < sizeof head) return damaged("a part is cut off");
    if (!file_.read(&head, sizeof head, at)) return unread();
    at += sizeof head;
    const uint64_t left = size - at;
    if (head.name_size > left || head.size > left || saved::whole_words(head.name_size) > left ||
        saved::whole_words(head.size) > left - saved::whole_words(head.name_size))
      return damaged("a part is cut off");
    const uint64_t expected = head.check;
    uint64_t check = saved::mix_words(saved::kSaveSeed, &head, offsetof(saved::PartHead, check));
    std::string name(saved::whole_words(head.name_size), '\0');
    if (!file_.read(&name[0], name.size(), at)) return unread();
    at += name.size();
    check = saved::mix_words(check, name.data(), name.size());
    const uint64_t before = check, begin = at;
    const uint64_t most = 1 << 20, whole = saved::whole_words(head.size);
    std::vector<char> piece(whole < most ? whole : most);  // a file may have many small parts
    for (uint64_t rest = whole; rest > 0;) {
      const uint64_t now = rest < piece.size() ? rest : piece.size();
      if (!file_.read(piece.data(), now, at)) return unread();
      check = saved::mix_words(check, piece.data(), now);
      at += now;
      rest -= now;
    }
    if (check != expected) return damaged("a check sum is wrong");
    name.resize(head.name_size);
    parts_.push_back({name, head.size, begin, before});
    sums_.push_back(expected);
    return {};
  }

  std::string path_;
  saved::SaveFile file_;
  std::vector<Part> parts_;
  std::vector<uint64_t> sums_;
  Status status_;
};

namespace saved {

// What a grid must be to be restored: it is a part of the file, in front of its values.
template <typename T>
std::string kind_of() {
  const char* const kind = std::is_floating_point<T>::value ? "float"
                           : std::is_same<T, bool>::value   ? "bool"
                           : !std::is_integral<T>::value    ? "half"
                           : std::is_signed<T>::value       ? "int"
                                                            : "uint";
  return kind + std::to_string(8 * sizeof(T));
}

template <typename Grid>
using element_of_grid =
    std::remove_const_t<std::remove_pointer_t<decltype(std::declval<const Grid&>().data())>>;

template <typename Grid>
std::string description_of(const Grid& grid) {
  const Shape& shape = grid.shape();
  const auto three = [](int64_t x, int64_t y, int64_t z) {
    return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
  };
  return kind_of<element_of_grid<Grid>>() + ", " + three(shape.nx, shape.ny, shape.nz) +
         " and a halo of " + three(shape.hx, shape.hy, shape.hz);
}

// The cells and their halo as a dense array.
template <typename Grid>
uint64_t dense_bytes(const Grid& grid) {
  const Shape& shape = grid.shape();
  return static_cast<uint64_t>(shape.nx + 2 * shape.hx) *
         static_cast<uint64_t>(shape.ny + 2 * shape.hy) *
         static_cast<uint64_t>(shape.nz + 2 * shape.hz) * sizeof(element_of_grid<Grid>);
}

template <typename Grid>
Status add_grid(std::vector<SavedPart>& parts, std::vector<std::string>& kinds,
                std::vector<std::vector<char>>& values, const Grid& grid) {
  using T = element_of_grid<Grid>;
  const std::string number = std::to_string(values.size());
  kinds.push_back(description_of(grid));
  values.emplace_back(grid.status().ok() ? dense_bytes(grid) : 0);
  const Status copied = grid.copy_to(reinterpret_cast<T*>(values.back().data()), grid.halo());
  parts.push_back({"kind " + number, nullptr, 0});
  parts.push_back({"grid " + number, nullptr, 0});
  return copied;
}

template <typename Grid>
Status check_grid(const SavedParts& file, const char* path, size_t number, const Grid& grid) {
  if (!grid.status().ok()) return grid.status();
  const SavedParts::Part* const kind = file.find("kind " + std::to_string(number));
  const SavedParts::Part* const values = file.find("grid " + std::to_string(number));
  if (kind == nullptr || values == nullptr)
    return failure(Code::bad_file, "`%s` has no grid %zu; it was saved with fewer grids", path,
                   number + 1);
  std::string text(kind->size, '\0');
  const Status status = file.read(*kind, &text[0]);
  if (!status.ok()) return status;
  const std::string own = description_of(grid);
  if (text != own || values->size != dense_bytes(grid))
    return failure(Code::bad_file, "`%s`: grid %zu was %s, and is %s", path, number + 1,
                   text.c_str(), own.c_str());
  return {};
}

template <typename Grid>
Status restore_grid(const SavedParts& file, size_t number, Grid& grid) {
  using T = element_of_grid<Grid>;
  const SavedParts::Part* const part = file.find("grid " + std::to_string(number));
  std::vector<char> values(part->size);
  const Status status = file.read(*part, values.data());
  return status.ok() ? grid.copy_from(reinterpret_cast<const T*>(values.data()), grid.halo())
                     : status;
}

}  // namespace saved

// Saves grids with their halos, and the number of the step. It waits for the work of the target.
template <typename... Grids>
Status save(const char* path, int64_t step, const Grids&... grids) {
  std::vector<SavedPart> parts = {{"step", &step, sizeof step}};
  std::vector<std::string> kinds;
  std::vector<std::vector<char>> values;
  Status status;
  const auto add = [&](const auto& grid) {
    if (status.ok()) status = saved::add_grid(parts, kinds, values, grid);
  };
  (add(grids), ...);
  if (!status.ok()) return status;
  for (size_t g = 0; g < values.size(); ++g) {
    parts[1 + 2 * g].bytes = kinds[g].data();
    parts[1 + 2 * g].size = kinds[g].size();
    parts[2 + 2 * g].bytes = values[g].data();
    parts[2 + 2 * g].size = values[g].size();
  }
  return save_parts(path, parts);
}

// Restores the same grids in the same order: of the types, extents and halos that they had. After a
// failure they are as before, unless the file was changed meanwhile.
template <typename... Grids>
Status restore(const char* path, int64_t* step, Grids&... grids) {
  const SavedParts file(path);
  if (!file.status().ok()) return file.status();
  const SavedParts::Part* const saved = file.find("step");
  Status status;
  if (saved == nullptr || saved->size != sizeof *step)
    status = failure(Code::bad_file, "`%s` holds no grids of a C++ program", path);
  size_t number = 0;
  const auto check = [&](const auto& grid) {
    if (status.ok()) status = saved::check_grid(file, path, number++, grid);
  };
  (check(grids), ...);
  if (status.ok() && file.find("grid " + std::to_string(number)) != nullptr)
    status =
        failure(Code::bad_file, "`%s` has more than %zu grids; restore all of them", path, number);
  number = 0;
  const auto take = [&](auto& grid) {
    if (status.ok()) status = saved::restore_grid(file, number++, grid);
  };
  (take(grids), ...);
  if (status.ok()) status = file.read(*saved, step);
  return status;
}

}  // namespace stencil
