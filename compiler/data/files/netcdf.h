// Reads and writes NetCDF-4 files, which are HDF5 files, by the CF convention. The last axis of a
// variable is x, as in NumPy.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/files/netcdf_library.h"
#include "data/values/array.h"
#include "data/values/named_array.h"
#include "data/values/placement.h"

namespace stencilc::data {

// Why no NetCDF files can be read and written, or "".
std::string netcdf_problem();

// One of the cells along the axis in front of a variable, which is mostly the time: by its number
// (from 0, or with a minus from the end), by its `step` or by its coordinate.
struct NetcdfPlace {
  enum By { index, step, time } by = index;
  double number = 0;
};
inline constexpr std::pair<NetcdfPlace::By, const char*> kPlaces[] = {
    {NetcdfPlace::index, "index"}, {NetcdfPlace::step, "step"}, {NetcdfPlace::time, "time"}};

// The variables of a file.
class Netcdf {
 public:
  // The text of the file must outlive this.
  static Result<Netcdf> open(std::string_view file);

  // Without those of coordinates, of the steps of a series, and of one number.
  std::vector<std::string> names() const;
  // Axes of one cell in front of the last three are left out. With a scale, an offset or missing
  // values the cells are f64, and missing ones NaN. `cell`: this one alone along the axis in front.
  Result<Array> read(const std::string& name, std::optional<size_t> cell = {}) const;
  // The cells along the axes of a variable, the one in front first.
  std::vector<size_t> lengths(const std::string& name) const;
  // The cell along the axis in front at such a place.
  Result<size_t> cell_at(const std::string& name, const NetcdfPlace& place) const;
  // How the last cell along the axis in front can be named, and what it is: ("`time`", {"step=300",
  // "time=1.5", "index=-1"}).
  std::pair<std::string, std::vector<std::string>> last_place(const std::string& name) const;
  // Where the coordinates say that the cells of a variable are along its last axes, if these are at
  // equal distances.
  std::optional<Placement> placement(const std::string& name, size_t axes = 3) const;

 private:
  struct Close {
    const NetcdfLibrary* library;
    int id;
    ~Close() { library->close(id); }
  };
  struct Variable {
    int id = 0, type = 0;
    std::vector<int> axes;        // as in the file, slowest first
    std::vector<size_t> lengths;  // of these
  };

  static Result<Netcdf> opened(const NetcdfLibrary& library, std::string_view file);
  static void try_all(const NetcdfLibrary& library, std::string_view file);
  std::optional<Variable> find(const std::string& name) const;
  std::string axis_name(int axis) const;
  // The variable of `step` or of the coordinates along the axis in front of a variable.
  std::optional<std::string> along_front(const Variable& variable, NetcdfPlace::By by) const;
  std::optional<double> attribute(int variable, const char* name) const;
  Result<Array> scaled(const Variable& variable, Array array) const;

  const NetcdfLibrary* library_ = nullptr;
  int id_ = 0;
  size_t file_size_ = 0;
  std::shared_ptr<Close> close_;
};

// What a file says of its variables.
struct NetcdfFile {
  struct Variable {
    NamedArray array;
    std::vector<std::string> axes;  // x first
    bool constant = false;          // has no axis of time in a series
  };
  struct Axis {
    std::string name;
    int64_t length = 0;
    double origin = 0, spacing = 1;
  };
  std::string title;
  std::vector<Axis> axes;
  std::vector<Variable> variables;
  std::map<std::string, std::string> units = {};  // by the names of axes, variables and `time`
  std::optional<int64_t> step = {};
  std::optional<double> time = {};
  bool compressed = false;
};

// Fails if the library does. f16 and bf16 become float, and bool becomes ubyte with flags.
Result<std::string> netcdf_file(const NetcdfFile& file);

// Files of a series of snapshots, each with a step and a time: variables have an axis `time` in
// front, which grows. The first one replaces the file when it is complete; others are written where
// their step is, or behind the last one. Both return what went wrong, or "".
std::string begin_netcdf_series(const std::string& path, const NetcdfFile& first);
std::string add_to_netcdf(const std::string& path, const NetcdfFile& file);
// The steps of the snapshots in a file of a series.
Result<std::vector<int64_t>> netcdf_steps(const std::string& path);

}  // namespace stencilc::data
