// Where built libraries are kept, and which of them may be loaded. Whoever writes a library runs
// code as the user who loads it: only what this user alone can have written is.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace stencilc::driver {

// Why a file (`kind` S_IFREG) or folder (S_IFDIR) is not safe from others: another kind or owner, a
// symbolic link, or others may write to it; or why it cannot be looked at. "" if it is.
std::string unsafe(const std::filesystem::path& path, mode_t kind);

// The folder for this process's libraries, made with mode 0700: `stencilc` in $XDG_CACHE_HOME, else
// in ~/.cache; without either `stencilc-UID` among the temporary files. Where it cannot be made or
// is not safe, temporary_cache(). Several threads may ask.
std::filesystem::path cache_folder();

// A folder that goes away with the process, from now on also what cache_folder() gives. Why the
// cache is not used is said on stderr, once. Empty where there is no place for it either.
std::filesystem::path temporary_cache(const std::string& why);

// The text of a file, or "" where there is none.
std::string content(const std::filesystem::path& file);

// An entry is a folder with `library.so`, `log` and `key`, which holds the key and a seal: size and
// hash of the other two. It is complete if all is as when it was sealed, and safe. seal() returns
// what went wrong, or "".
std::string seal(const std::filesystem::path& entry, const std::string& key);
bool is_complete(const std::filesystem::path& entry, const std::string& key);

}  // namespace stencilc::driver
