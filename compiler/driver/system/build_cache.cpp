#include "driver/system/build_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>

#include "diag/fnv.h"
#include "driver/system/files.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

std::string errno_text() { return std::strerror(errno); }

fs::path temporary_files() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? "/tmp" : folder;
}

fs::path usual_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return fs::path(cache) / "stencilc";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return fs::path(home) / ".cache" / "stencilc";
  return temporary_files() / fmt::format("stencilc-{}", ::geteuid());
}

// Creates a folder and its parents. Returns why it cannot be used, or "".
std::string make_safe(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return errno_text();
  if (const std::string why = unsafe(folder, S_IFDIR); !why.empty()) return why;
  // The owner of the parent folder, and everybody who can write to it unless it is sticky, can
  // replace this folder.
  struct stat above = {};
  if (::stat(folder.parent_path().c_str(), &above) != 0) return errno_text();
  const bool open = (above.st_mode & S_IWOTH) != 0 && (above.st_mode & S_ISVTX) == 0;
  const bool foreign = above.st_uid != ::geteuid() && above.st_uid != 0;
  return open || foreign ? "others can replace it" : "";
}

// The cache of this process. A temporary one is removed at the end.
struct Cache {
  std::mutex mutex;
  fs::path usual, temporary;
  bool failed = false;

  ~Cache() {
    std::error_code ignored;
    if (!temporary.empty()) fs::remove_all(temporary, ignored);
  }

  const fs::path& make_temporary(const std::string& why) {
    if (failed) return temporary;
    failed = true;
    std::string name = (temporary_files() / "stencilc-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) temporary = name;
    std::cerr << fmt::format(
        "stencilc: the cache `{}` is not used: {}; builds are kept for this run only\n",
        usual.string(), why);
    return temporary;
  }
};

Cache& cache() {
  static Cache one;
  return one;
}

}  // namespace

std::string unsafe(const fs::path& path, mode_t kind) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return errno_text();
  if (S_ISLNK(status.st_mode)) return "it is a symbolic link";
  if ((status.st_mode & S_IFMT) != kind)
    return kind == S_IFDIR ? "it is not a folder" : "it is not a file";
  if (status.st_uid != ::geteuid()) return "it belongs to another user";
  return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "others can write to it" : "";
}

fs::path cache_folder() {
  Cache& one = cache();
  const std::lock_guard lock(one.mutex);
  if (one.failed || !one.usual.empty()) return one.failed ? one.temporary : one.usual;
  UsualCache usual = usual_cache();
  one.usual = std::move(usual.folder);
  return usual.problem.empty() ? one.usual : one.make_temporary(usual.problem);
}

UsualCache usual_cache() {
  const fs::path folder = usual_folder();
  return {folder, make_safe(folder)};
}

fs::path temporary_cache(const std::string& why) {
  Cache& one = cache();
  const std::lock_guard lock(one.mutex);
  return one.make_temporary(why);
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

namespace {
// The key, followed by the seal.
std::string sealed(const fs::path& entry, const std::string& key) {
  std::string text = key;
  for (const char* const name : {"library.so", "log"}) {
    const std::string bytes = content(entry / name);
    text += fmt::format("\n{} {} {:016x}", name, bytes.size(), diag::fnv1a(bytes));
  }
  return text;
}
}  // namespace

std::string seal(const fs::path& entry, const std::string& key) {
  if (::chmod((entry / "library.so").c_str(), S_IRWXU) != 0) return errno_text();
  return write_text(entry / "key", sealed(entry, key));
}

bool is_complete(const fs::path& entry, const std::string& key) {
  return unsafe(entry, S_IFDIR).empty() && unsafe(entry / "library.so", S_IFREG).empty() &&
         content(entry / "key") == sealed(entry, key);
}

}  // namespace stencilc::driver
