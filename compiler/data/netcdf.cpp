#include "data/netcdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stencilc::data {
namespace {

constexpr std::pair<int, Element> kNetcdfTypes[] = {
    {nc::float64, Element::f64}, {nc::float32, Element::f32}, {nc::int64, Element::i64},
    {nc::int32, Element::i32},   {nc::int16, Element::i16},   {nc::uint16, Element::u16},
    {nc::byte, Element::i8},     {nc::ubyte, Element::u8}};

int netcdf_type_of(Element element) {
  for (const auto& [type, one] : kNetcdfTypes)
    if (one == element) return type;
  return nc::float64;
}

}  // namespace

std::string netcdf_problem() {
  std::string problem;
  netcdf_library(problem);
  return problem;
}

namespace {

// The length that an HDF5 file has by its first block, which the library does not compare with the
// bytes that there are: where they lack, it reads zeros.
uint64_t hdf5_length(std::string_view file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  if (!file.starts_with(signature) || file.size() < 48) return 0;
  const int version = static_cast<unsigned char>(file[8]);
  const size_t offset = version == 0 ? 40 : version == 1 ? 44 : 28;
  const int width = static_cast<unsigned char>(file[version < 2 ? 13 : 9]);
  if (version > 3 || width != 8 || offset + 8 > file.size()) return 0;
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[offset + i]);
  return length;
}

}  // namespace

Result<Netcdf> Netcdf::open(std::string_view file) {
  Netcdf netcdf;
  std::string problem;
  netcdf.library_ = netcdf_library(problem);
  if (netcdf.library_ == nullptr) return Error{problem};
  netcdf.file_size_ = file.size();
  if (const uint64_t length = hdf5_length(file); length > file.size())
    return Error{fmt::format("the file is cut off: it has {} bytes of {}", file.size(), length)};
  // The library only reads the memory.
  const int failed = file.empty()
                         ? -1
                         : netcdf.library_->open_mem("file.nc", 0, file.size(),
                                                     const_cast<char*>(file.data()), &netcdf.id_);
  if (failed != nc::no_error)
    return Error{fmt::format(
        "this is not a NetCDF or HDF5 file, or it is damaged{}",
        failed == -1 ? std::string() : fmt::format(" ({})", netcdf.library_->strerror(failed)))};
  netcdf.close_ = std::make_shared<Close>(netcdf.library_, netcdf.id_);
  return netcdf;
}

std::string Netcdf::axis_name(int axis) const {
  char name[nc::max_name + 1] = "";
  return library_->inq_dimname(id_, axis, name) == nc::no_error ? name : "";
}

std::optional<Netcdf::Variable> Netcdf::find(const std::string& name) const {
  Variable variable;
  int axes = 0;
  if (library_->inq_varid(id_, name.c_str(), &variable.id) != nc::no_error ||
      library_->inq_vartype(id_, variable.id, &variable.type) != nc::no_error ||
      library_->inq_varndims(id_, variable.id, &axes) != nc::no_error)
    return std::nullopt;
  variable.axes.resize(static_cast<size_t>(axes));
  if (library_->inq_vardimid(id_, variable.id, variable.axes.data()) != nc::no_error)
    return std::nullopt;
  for (const int axis : variable.axes)
    if (library_->inq_dimlen(id_, axis, &variable.lengths.emplace_back()) != nc::no_error)
      return std::nullopt;
  return variable;
}

std::vector<std::string> Netcdf::names() const {
  std::vector<std::string> names;
  int count = 0;
  library_->inq_nvars(id_, &count);
  for (int v = 0; v < count; ++v) {
    char name[nc::max_name + 1] = "";
    if (library_->inq_varname(id_, v, name) != nc::no_error) continue;
    const auto variable = find(name);
    if (!variable || variable->axes.empty()) continue;
    if (variable->axes.size() == 1 && axis_name(variable->axes[0]) == name) continue;
    names.emplace_back(name);
  }
  return names;
}

std::optional<double> Netcdf::attribute(int variable, const char* name) const {
  int type = 0;
  size_t length = 0;
  double value = 0;
  if (library_->inq_att(id_, variable, name, &type, &length) != nc::no_error || length != 1 ||
      library_->get_att_double(id_, variable, name, &value) != nc::no_error)
    return std::nullopt;
  return value;
}

Result<Array> Netcdf::scaled(const Variable& variable, Array array) const {
  const auto scale = attribute(variable.id, "scale_factor");
  const auto offset = attribute(variable.id, "add_offset");
  std::vector<double> missing;
  for (const char* name : {"_FillValue", "missing_value"})
    if (const auto value = attribute(variable.id, name)) missing.push_back(*value);
  const auto is_missing = [&](double value) {
    return std::ranges::find(missing, value) != missing.end();
  };
  bool any = scale || offset;
  for (int64_t i = 0; !any && !missing.empty() && i < array.count(); ++i)
    any = is_missing(value_at(array, i));
  if (!any) return array;
  Result<Array> made = make_array(Element::f64, array.extents);
  if (!made.ok()) return made;
  for (int64_t i = 0; i < array.count(); ++i) {
    const double value = value_at(array, i);
    made->as<double>()[i] =
        is_missing(value) ? NAN : value * scale.value_or(1) + offset.value_or(0);
  }
  return made;
}

Result<Array> Netcdf::read(const std::string& name) const {
  const auto variable = find(name);
  if (!variable) return Error{fmt::format("it has no variable `{}`", name)};
  const auto refused = [&](const std::string& why) {
    return Error{fmt::format("the variable `{}`: {}", name, why)};
  };
  const auto type =
      std::ranges::find(kNetcdfTypes, variable->type, &std::pair<int, Element>::first);
  if (type == std::end(kNetcdfTypes)) return refused("it has a type that no field holds");
  Extents extents;
  for (size_t a = variable->lengths.size(); a-- > 0;)
    if (variable->lengths[a] != 1 || variable->lengths.size() - a <= 3)
      extents.push_back(static_cast<int64_t>(variable->lengths[a]));
  const Result<int64_t> size = byte_count(type->second, extents);
  if (!size.ok()) return refused(size.error());
  // Packed by zlib, a byte holds at most 1032 bytes.
  if (static_cast<size_t>(*size) / 1032 > file_size_)
    return refused(fmt::format("it is {}, which a file of {} bytes cannot hold", to_string(extents),
                               file_size_));
  Result<Array> array = make_array(type->second, extents);
  if (!array.ok()) return refused(array.error());
  if (const int failed = library_->get_var(id_, variable->id, array->bytes.data());
      failed != nc::no_error)
    return refused(fmt::format("it cannot be read: {}", library_->strerror(failed)));
  return scaled(*variable, std::move(*array));
}

std::optional<Placement> Netcdf::placement(const std::string& name) const {
  const auto variable = find(name);
  if (!variable) return std::nullopt;
  Placement placement;
  size_t axis = 0;
  for (size_t i = variable->axes.size(); i-- > 0 && axis < 3; ++axis) {
    const std::string coordinate = axis_name(variable->axes[i]);
    const auto found = find(coordinate);
    if (!found || found->axes != std::vector{variable->axes[i]}) return std::nullopt;
    const Result<Array> values = read(coordinate);
    if (!values.ok()) return std::nullopt;
    const int64_t last = values->count() - 1;
    placement.origin[axis] = value_at(*values, 0);
    if (last == 0) continue;
    const double spacing =
        (value_at(*values, last) - placement.origin[axis]) / static_cast<double>(last);
    if (!(spacing > 0)) return std::nullopt;
    placement.spacing[axis] = spacing;
    for (int64_t cell = 0; cell <= last; ++cell)
      if (!(std::abs(value_at(*values, cell) - placement.origin[axis] -
                     spacing * static_cast<double>(cell)) < 1e-3 * spacing))
        return std::nullopt;
  }
  return placement;
}

namespace {

// Writes a file in memory. After a failure nothing more is done.
class NetcdfMaker {
 public:
  explicit NetcdfMaker(const NetcdfLibrary& library) : library_(library) {
    call(library_.create_mem("file.nc", nc::netcdf4, 1 << 16, &id_));
    open_ = failed_ == nc::no_error;
  }
  ~NetcdfMaker() {
    if (open_) library_.close(id_);
  }
  NetcdfMaker(const NetcdfMaker&) = delete;

  Result<std::string> made(const NetcdfFile& file) {
    if (failed_ == nc::no_error) define(file);
    if (failed_ == nc::no_error) call(library_.enddef(id_));
    if (failed_ == nc::no_error) fill(file);
    nc::Memory memory = {};
    if (failed_ == nc::no_error) {
      open_ = false;
      call(library_.close_memio(id_, &memory));
    }
    if (failed_ != nc::no_error)
      return Error{fmt::format("the NetCDF library says: {}", library_.strerror(failed_))};
    std::string text(static_cast<const char*>(memory.memory), memory.size);
    std::free(memory.memory);
    // The library rounds the size of memory up.
    if (const uint64_t length = hdf5_length(text); length > 0 && length < text.size())
      text.resize(length);
    return text;
  }

 private:
  void call(int status) {
    if (failed_ == nc::no_error) failed_ = status;
  }
  void say(int variable, const char* name, const std::string& text) {
    call(library_.put_att_text(id_, variable, name, text.size(), text.c_str()));
  }
  void say_unit(const NetcdfFile& file, int variable, const std::string& name,
                const std::string& otherwise = "") {
    const auto found = file.units.find(name);
    const std::string unit = found == file.units.end() ? otherwise : found->second;
    if (!unit.empty()) say(variable, "units", unit);
  }
  int variable(const std::string& name, int type, const std::vector<int>& axes) {
    int id = 0;
    call(
        library_.def_var(id_, name.c_str(), type, static_cast<int>(axes.size()), axes.data(), &id));
    return id;
  }

  void define(const NetcdfFile& file) {
    say(nc::global, "Conventions", "CF-1.10");
    say(nc::global, "title", file.title);
    say(nc::global, "source", "stencilc");
    std::map<std::string, int> axes;
    for (const NetcdfFile::Axis& axis : file.axes) {
      int id = 0;
      call(library_.def_dim(id_, axis.name.c_str(), static_cast<size_t>(axis.length), &id));
      axes[axis.name] = id;
      coordinates_.push_back(variable(axis.name, nc::float64, {id}));
      constexpr const char* letters[] = {"X", "Y", "Z"};
      say(coordinates_.back(), "axis", letters[coordinates_.size() - 1]);
      say(coordinates_.back(), "long_name", fmt::format("position along {}", axis.name));
      say_unit(file, coordinates_.back(), axis.name, "1");
    }
    std::string scalars;
    if (file.step) {
      step_ = variable("step", nc::int64, {});
      say(step_, "long_name", "number of time steps");
      scalars = "step";
    }
    if (file.time) {
      time_ = variable("time", nc::float64, {});
      say(time_, "long_name", "elapsed time");
      say_unit(file, time_, "time", "1");
      scalars += scalars.empty() ? "time" : " time";
    }
    for (const auto& [array, names] : file.variables) {
      std::vector<int> ids;
      for (size_t a = names.size(); a-- > 0;) ids.push_back(axes.at(names[a]));
      const int id =
          variable(array.name, netcdf_type_of(common_element(array.array->element)), ids);
      variables_.push_back(id);
      say_unit(file, id, array.name);
      if (!scalars.empty()) say(id, "coordinates", scalars);
      if (array.array->element == Element::boolean) {
        constexpr unsigned char values[] = {0, 1};
        call(library_.put_att_uchar(id_, id, "flag_values", nc::ubyte, 2, values));
        say(id, "flag_meanings", "false true");
      }
      if (file.compressed) call(library_.def_var_deflate(id_, id, 1, 1, 4));
    }
  }

  void fill(const NetcdfFile& file) {
    for (size_t a = 0; a < file.axes.size(); ++a) {
      std::vector<double> places(static_cast<size_t>(file.axes[a].length));
      for (size_t i = 0; i < places.size(); ++i)
        places[i] = file.axes[a].origin + file.axes[a].spacing * static_cast<double>(i);
      call(library_.put_var(id_, coordinates_[a], places.data()));
    }
    if (file.step) call(library_.put_var(id_, step_, &*file.step));
    if (file.time) call(library_.put_var(id_, time_, &*file.time));
    for (size_t v = 0; v < file.variables.size(); ++v) {
      const Array& array = *file.variables[v].array.array;
      if (common_element(array.element) == array.element) {
        call(library_.put_var(id_, variables_[v], array.bytes.data()));
        continue;
      }
      const Result<Array> other = converted(array, common_element(array.element));
      call(other.ok() ? library_.put_var(id_, variables_[v], other->bytes.data()) : kNoMemory);
    }
  }

  static constexpr int kNoMemory = -61;  // NC_ENOMEM

  const NetcdfLibrary& library_;
  int id_ = 0, failed_ = nc::no_error, step_ = 0, time_ = 0;
  bool open_ = false;
  std::vector<int> coordinates_, variables_;
};

}  // namespace

Result<std::string> netcdf_file(const NetcdfFile& file) {
  std::string problem;
  const NetcdfLibrary* library = netcdf_library(problem);
  if (library == nullptr) return Error{problem};
  return NetcdfMaker(*library).made(file);
}

}  // namespace stencilc::data
