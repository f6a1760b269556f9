// Holds the cache of built libraries to a limit: the entries that were used least recently go
// first. Several processes may do so at once, while others use and add entries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stencilc::driver {

inline constexpr uint64_t kDefaultCacheLimit = uint64_t{2} << 30;
inline constexpr uint64_t kNoCacheLimit = UINT64_MAX;

// Until this process ends, no other one removes the entry, and it counts as used now. False if
// there is no such entry. Several threads may call it.
bool hold_entry(const std::filesystem::path& entry);

// Renames a folder that this process has built to its place as an entry, and holds it. Returns
// what went wrong, or "".
std::string place_entry(const std::filesystem::path& built, const std::filesystem::path& entry);

struct CacheEntry {
  std::filesystem::path path;
  uint64_t bytes = 0;
  int64_t used = 0;  // nanoseconds since 1970
};
// The entries of a cache, the one that was used least recently first.
std::vector<CacheEntry> cache_entries(const std::filesystem::path& folder);

struct Trimmed {
  int removed = 0, kept = 0;  // kept: because a process uses them, though they are beyond the limit
  uint64_t bytes = 0;         // that were removed
  uint64_t left = 0;
};
// Removes entries until the others have at most so many bytes.
Trimmed trim_cache(const std::filesystem::path& folder, uint64_t limit);

// The limit of a cache, in bytes, which set_cache_limit() writes into a file of the folder.
uint64_t cache_limit(const std::filesystem::path& folder);
std::string set_cache_limit(const std::filesystem::path& folder, uint64_t bytes);

}  // namespace stencilc::driver
