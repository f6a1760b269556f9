#include "driver/system/cache_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>

#include "driver/system/files.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

// A process that uses an entry holds a shared lock of its folder, and one that removes it an
// exclusive one. Locks end with the process, however it ends.
int open_folder(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Does the folder still stand there? Another process may have renamed it before it was locked.
bool is_at(int folder, const fs::path& place) {
  struct stat opened = {}, there = {};
  return ::fstat(folder, &opened) == 0 && ::lstat(place.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

// The folders that this process holds. They stay open until it ends, except in a process that uses
// hundreds: those are the newest ones, which go last.
struct Held {
  static constexpr size_t kMost = 500;  // many systems allow 1024 open files
  std::mutex mutex;
  std::map<fs::path, int> folders;

  void add(const fs::path& entry, int folder) {
    if (folders.size() >= kMost && !folders.contains(entry)) {
      ::close(folder);
      return;
    }
    const auto [found, added] = folders.emplace(entry, folder);
    if (added) return;
    ::close(found->second);
    found->second = folder;
  }
};
Held& held() {
  static Held one;
  return one;
}

// The time of its last change is when it was used last. Without the right to set it, an entry looks
// older than it is.
void touch(int folder) { (void)::futimens(folder, nullptr); }

// Some file systems have no locks. There an entry that was used in the last hour is not removed.
bool may_be_removed(int folder, int64_t used) {
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0) return true;
  return errno != EWOULDBLOCK && used / 1000000000 + 3600 < std::time(nullptr);
}

// NAME-0123456789abcdef
bool is_entry(const std::string& name) {
  return name.size() > 17 && name[name.size() - 17] == '-' &&
         name.find_first_not_of("0123456789abcdef", name.size() - 16) == std::string::npos;
}

uint64_t bytes_in(const fs::path& folder) {
  uint64_t bytes = 0;
  std::error_code error, ignored;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    struct stat status = {};
    if (::lstat(it->path().c_str(), &status) == 0)
      bytes += static_cast<uint64_t>(status.st_blocks) * 512;
  }
  return bytes;
}

// Removes an entry unless a process uses it. A reader finds all of it or nothing, and what a
// process that is killed leaves behind has the name of a folder that is swept.
bool remove_entry(const CacheEntry& entry, int number) {
  const int folder = open_folder(entry.path);
  if (folder < 0) return errno == ENOENT;
  bool removed = !is_at(folder, entry.path);
  if (!removed && may_be_removed(folder, entry.used)) {
    fs::path away = entry.path;
    away += fmt::format(".{}.{}.tmp", ::getpid(), 1000000 + number);
    std::error_code failed, ignored;
    fs::rename(entry.path, away, failed);
    removed = !failed;
    if (removed) fs::remove_all(away, ignored);
  }
  ::close(folder);
  return removed;
}

constexpr const char* kLimitFile = "limit";

}  // namespace

bool hold_entry(const fs::path& entry) {
  Held& all = held();
  const std::lock_guard lock(all.mutex);
  if (const auto known = all.folders.find(entry);
      known != all.folders.end() && is_at(known->second, entry)) {
    touch(known->second);
    return true;
  }
  const int folder = open_folder(entry);
  if (folder < 0) return false;
  (void)::flock(folder, LOCK_SH);  // waits no longer than another process needs to rename it
  if (!is_at(folder, entry)) {
    ::close(folder);
    return false;
  }
  touch(folder);
  all.add(entry, folder);
  return true;
}

std::string place_entry(const fs::path& built, const fs::path& entry) {
  // It is locked before others can see it.
  const int folder = open_folder(built);
  if (folder >= 0) (void)::flock(folder, LOCK_SH);
  std::error_code error;
  fs::rename(built, entry, error);
  if (error) {
    if (folder >= 0) ::close(folder);
    return error.message();
  }
  Held& all = held();
  const std::lock_guard lock(all.mutex);
  if (folder >= 0) all.add(entry, folder);
  return "";
}

std::vector<CacheEntry> cache_entries(const fs::path& folder) {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat status = {};
    if (!is_entry(it->path().filename().string()) || ::lstat(it->path().c_str(), &status) != 0 ||
        !S_ISDIR(status.st_mode))
      continue;
    entries.push_back({it->path(), bytes_in(it->path()),
                       int64_t{status.st_mtim.tv_sec} * 1000000000 + status.st_mtim.tv_nsec});
  }
  std::ranges::sort(entries, [](const CacheEntry& a, const CacheEntry& b) {
    return a.used != b.used ? a.used < b.used : a.path < b.path;
  });
  return entries;
}

Trimmed trim_cache(const fs::path& folder, uint64_t limit) {
  // One process at a time: two that count the same entries would remove twice as many.
  const int alone = open_folder(folder);
  if (alone >= 0) (void)::flock(alone, LOCK_EX);
  const std::vector<CacheEntry> entries = cache_entries(folder);
  Trimmed trimmed;
  for (const CacheEntry& entry : entries) trimmed.left += entry.bytes;
  int number = 0;
  for (const CacheEntry& entry : entries) {
    if (trimmed.left <= limit) break;
    if (!remove_entry(entry, number++)) {
      ++trimmed.kept;
      continue;
    }
    ++trimmed.removed;
    trimmed.bytes += entry.bytes;
    trimmed.left -= entry.bytes;
  }
  if (alone >= 0) ::close(alone);
  return trimmed;
}

uint64_t cache_limit(const fs::path& folder) {
  std::ifstream file(folder / kLimitFile);
  uint64_t bytes = 0;
  return file >> bytes ? bytes : kDefaultCacheLimit;
}

std::string set_cache_limit(const fs::path& folder, uint64_t bytes) {
  return write_text((folder / kLimitFile).string(), fmt::format("{}\n", bytes));
}

}  // namespace stencilc::driver
