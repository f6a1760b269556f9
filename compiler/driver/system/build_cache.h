// Keeps built libraries in a cache. Loading a library runs its code, so only libraries that nobody
// but this user can have written are loaded.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace stencilc::driver {

// Why a file (`kind` S_IFREG) or folder (S_IFDIR) is not safe: it is of another kind, belongs to
// another user, is a symbolic link, others can write to it, or it cannot be examined. "" if it is
// safe.
std::string unsafe(const std::filesystem::path& path, mode_t kind);

// The folder for the libraries of this process, with mode 0700: `stencilc` in $XDG_CACHE_HOME or
// ~/.cache, otherwise `stencilc-UID` in the folder for temporary files. temporary_cache() if it
// cannot be created or is not safe. Can be called by several threads.
std::filesystem::path cache_folder();

// The folder of the cache, which is created, and why it cannot be used, or "".
struct UsualCache {
  std::filesystem::path folder;
  std::string problem;
};
UsualCache usual_cache();

// A folder that is removed when the process ends. From now on cache_folder() returns it, too.
// Prints on stderr, once, why the cache is not used. Empty if no folder can be created.
std::filesystem::path temporary_cache(const std::string& why);

// The contents of a file, or "" if it does not exist.
std::string content(const std::filesystem::path& file);

// An entry is a folder with `library.so`, `log` and `key`. `key` holds the key and a seal: size and
// hash of the other two files. An entry is complete if it is unchanged since it was sealed, and
// safe. seal() returns what went wrong, or "".
std::string seal(const std::filesystem::path& entry, const std::string& key);
bool is_complete(const std::filesystem::path& entry, const std::string& key);

}  // namespace stencilc::driver
