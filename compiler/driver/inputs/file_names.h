// Names of files in options: what kind of file they mean, and what stands behind them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencilc::driver {

enum class FileKind { none, png, npy, npz, vti, netcdf };

// "run.npz:a,b": a name with a known ending, and the words behind it. Of a NetCDF file
// "run.nc:a,b:step=300", what stands behind the words chooses a place along the axis in front.
struct FileName {
  std::string path;
  FileKind kind = FileKind::none;  // then the path is the whole text
  std::vector<std::string> words = {};
  std::string place = {};  // "step=300"
};
FileName file_name(const std::string& text);

// Whether such files hold arrays with names.
bool holds_names(FileKind kind);
// Whether such files say where cells are.
bool holds_places(FileKind kind);

// The endings of all kinds: ".npy, .npz, .png, .vti, .nc or .h5".
std::string listed_endings();

// Ignores case, so that .PNG works.
bool ends_in(const std::string& file, std::string_view ending);

// The names of "r,g,b".
std::vector<std::string> split_names(const std::string& list);

// For a name that is neither a readable file nor looks like a generator: what to use instead;
// otherwise "".
std::string unread_file(const std::string& what);

// What is wrong with a file name that contains `%d` or similar; otherwise "".
std::string numbered_file(const std::string& path);

}  // namespace stencilc::driver
