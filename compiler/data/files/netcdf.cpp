#include "data/files/netcdf.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

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

constexpr size_t kMostTried = 1 << 17;  // cells of a variable

// What a file says of its sizes is not a reason to take all memory that there is: this is what a
// file of so many bytes may need besides. A sanitizer takes far more than that for itself.
void limit_memory(size_t size) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STENCILC_IS_SANITIZED
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(STENCILC_IS_SANITIZED)
  constexpr rlim_t kMargin = rlim_t{1} << 30;
  unsigned long long pages = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
    (void)std::fclose(file);
  }
  rlimit limit{};
  if (pages == 0 || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + kMargin + 4 * size;
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  (void)::setrlimit(RLIMIT_AS, &limit);
#else
  (void)size;
#endif
}

// Does something first in a process of its own: a damaged file may let the library crash, or never
// come to an end. Returns that it did, or "".
template <typename Work>
std::string ordeal(size_t size, const Work& work) {
  constexpr unsigned kPatience = 20;  // seconds
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_dump = {0, 0};
    (void)::setrlimit(RLIMIT_CORE, &no_dump);
    limit_memory(size);
    (void)::signal(SIGALRM, SIG_DFL);
    (void)::alarm(kPatience);
    work();
    ::_exit(0);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return "";
  return fmt::format(
      "the file is damaged: the NetCDF library {} with it",
      WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "does not come to an end" : "crashes");
}

}  // namespace

Result<Netcdf> Netcdf::open(std::string_view file) {
  std::string problem;
  const NetcdfLibrary* const library = netcdf_library(problem);
  if (library == nullptr) return Error{problem};
  if (const uint64_t length = hdf5_length(file); length > file.size())
    return Error{fmt::format("the file is cut off: it has {} bytes of {}", file.size(), length)};
  if (problem = ordeal(file.size(), [&] { try_all(*library, file); }); !problem.empty())
    return Error{problem};
  return opened(*library, file);
}

Result<Netcdf> Netcdf::opened(const NetcdfLibrary& library, std::string_view file) {
  Netcdf netcdf;
  netcdf.library_ = &library;
  netcdf.file_size_ = file.size();
  // The library only reads the memory.
  const int failed = file.empty() ? -1
                                  : library.open_mem("file.nc", 0, file.size(),
                                                     const_cast<char*>(file.data()), &netcdf.id_);
  if (failed != nc::no_error)
    return Error{
        fmt::format("this is not a NetCDF or HDF5 file, or it is damaged{}",
                    failed == -1 ? std::string() : fmt::format(" ({})", library.strerror(failed)))};
  netcdf.close_ = std::make_shared<Close>(netcdf.library_, netcdf.id_);
  return netcdf;
}

// What a caller may do with a file, but for large variables.
void Netcdf::try_all(const NetcdfLibrary& library, std::string_view file) {
  const Result<Netcdf> netcdf = opened(library, file);
  if (!netcdf.ok()) return;
  for (const std::string& name : netcdf->names()) {
    size_t cells = 1;
    const std::optional<Variable> variable = netcdf->find(name);
    if (!variable) continue;
    for (const size_t length : variable->lengths)
      cells = length > kMostTried ? kMostTried + 1 : std::min(cells * length, kMostTried + 1);
    if (cells <= kMostTried) (void)netcdf->read(name);
    (void)netcdf->placement(name);
  }
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
    const std::string axis = variable->axes.size() == 1 ? axis_name(variable->axes[0]) : "";
    if (axis == name || (axis == "time" && std::string_view(name) == "step")) continue;
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

std::vector<size_t> Netcdf::lengths(const std::string& name) const {
  const auto variable = find(name);
  return variable ? variable->lengths : std::vector<size_t>();
}

std::optional<std::string> Netcdf::along_front(const Variable& variable, NetcdfPlace::By by) const {
  if (variable.axes.empty()) return std::nullopt;
  const std::string name = by == NetcdfPlace::step ? "step" : axis_name(variable.axes.front());
  const auto found = find(name);
  if (!found || found->axes != std::vector{variable.axes.front()}) return std::nullopt;
  return name;
}

namespace {

// For messages. An axis of HDF5 without a name has one that its library makes up.
std::string quoted_axis(const std::string& name) {
  return name.empty() || name.starts_with("phony_dim") ? "its first axis" : "`" + name + "`";
}

// "100, 200 and 300", of many the first ones and the last.
std::string listed_values(const Array& values) {
  constexpr int64_t kShown = 6;
  const int64_t count = values.count();
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    if (count > kShown && i == kShown - 2) {
      text += ", ...";
      i = count - 1;
    }
    text += i == 0 ? "" : i + 1 == count ? " and " : ", ";
    text += fmt::format("{}", value_at(values, i));
  }
  return text;
}

// The cell whose value is so near that it is the same but for so much of its digits, or nothing.
std::optional<int64_t> cell_with(const Array& values, double wanted, double rounded) {
  std::optional<int64_t> nearest;
  double least = INFINITY, next = INFINITY;
  for (int64_t i = 0; i < values.count(); ++i) {
    const double apart = std::abs(value_at(values, i) - wanted);
    if (apart < least) {
      next = least;
      least = apart;
      nearest = i;
    } else {
      next = std::min(next, apart);
    }
  }
  return least <= rounded * std::abs(wanted) && 100 * least <= next ? nearest : std::nullopt;
}

}  // namespace

Result<size_t> Netcdf::cell_at(const std::string& name, const NetcdfPlace& place) const {
  const auto variable = find(name);
  if (!variable || variable->axes.empty())
    return Error{fmt::format("the variable `{}` has no axes", name)};
  const std::string axis = axis_name(variable->axes.front());
  const auto length = static_cast<int64_t>(variable->lengths.front());
  if (place.by == NetcdfPlace::index) {
    const double cell =
        place.number < 0 ? place.number + static_cast<double>(length) : place.number;
    if (cell < 0 || cell >= static_cast<double>(length))
      return Error{fmt::format("`{}` has the indices 0 to {} along {}, and not {}", name,
                               length - 1, quoted_axis(axis), place.number)};
    return static_cast<size_t>(cell);
  }
  const auto from = along_front(*variable, place.by);
  if (!from && place.by == NetcdfPlace::step)
    return Error{
        fmt::format("it does not say the steps of `{}`; write `:time=` or `:index=`", name)};
  if (!from)
    return Error{
        fmt::format("`{}` has no coordinates along {}; write `:index=`", name, quoted_axis(axis))};
  const Result<Array> values = read(*from);
  if (!values.ok()) return Error{values.error()};
  const double rounded = place.by == NetcdfPlace::step ? 0 : 1e-6;
  if (const auto cell = cell_with(*values, place.number, rounded))
    return static_cast<size_t>(*cell);
  return Error{fmt::format("`{}` has no {} {}; it has {}", name,
                           place.by == NetcdfPlace::step ? "step" : axis, place.number,
                           length == 0 ? "none" : listed_values(*values))};
}

std::pair<std::string, std::vector<std::string>> Netcdf::last_place(const std::string& name) const {
  const auto variable = find(name);
  if (!variable || variable->axes.empty()) return {};
  std::vector<std::string> places;
  for (const auto by : {NetcdfPlace::step, NetcdfPlace::time}) {
    const auto from = along_front(*variable, by);
    const Result<Array> values = from ? read(*from) : Error{""};
    if (values.ok() && values->count() > 0)
      places.push_back(fmt::format("{}={}", by == NetcdfPlace::step ? "step" : "time",
                                   value_at(*values, values->count() - 1)));
  }
  places.emplace_back("index=-1");
  return {quoted_axis(axis_name(variable->axes.front())), places};
}

Result<Array> Netcdf::read(const std::string& name, std::optional<size_t> cell) const {
  auto variable = find(name);
  if (!variable) return Error{fmt::format("it has no variable `{}`", name)};
  const auto refused = [&](const std::string& why) {
    return Error{fmt::format("the variable `{}`: {}", name, why)};
  };
  const auto type =
      std::ranges::find(kNetcdfTypes, variable->type, &std::pair<int, Element>::first);
  if (type == std::end(kNetcdfTypes)) return refused("it has a type that no field holds");
  std::vector<size_t> start(variable->lengths.size(), 0), count = variable->lengths;
  if (cell && !start.empty()) {
    start[0] = *cell;
    count[0] = 1;
    variable->lengths.erase(variable->lengths.begin());
  }
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
  if (const int failed = cell ? library_->get_vara(id_, variable->id, start.data(), count.data(),
                                                   array->bytes.data())
                              : library_->get_var(id_, variable->id, array->bytes.data());
      failed != nc::no_error)
    return refused(fmt::format("it cannot be read: {}", library_->strerror(failed)));
  return scaled(*variable, std::move(*array));
}

std::optional<Placement> Netcdf::placement(const std::string& name, size_t axes) const {
  const auto variable = find(name);
  if (!variable) return std::nullopt;
  Placement placement;
  size_t axis = 0;
  for (size_t i = variable->axes.size(); i-- > 0 && axis < axes; ++axis) {
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

// Calls the library. After a failure nothing more is done.
class NetcdfCalls {
 protected:
  explicit NetcdfCalls(const NetcdfLibrary& library) : library_(library) {}

  bool failed() const { return failed_ != nc::no_error; }
  std::string why() const {
    return fmt::format("the NetCDF library says: {}", library_.strerror(failed_));
  }
  void call(int status) {
    if (failed_ == nc::no_error) failed_ = status;
  }

  // Writes a variable, or with `snapshot` the part of it along the axis of time.
  void put(int variable, const void* values, std::optional<size_t> snapshot = {},
           const Extents& extents = {}) {
    if (failed()) return;
    if (!snapshot) return call(library_.put_var(id_, variable, values));
    std::vector<size_t> start = {*snapshot}, count = {1};
    for (size_t a = extents.size(); a-- > 0;) {
      start.push_back(0);
      count.push_back(static_cast<size_t>(extents[a]));
    }
    call(library_.put_vara(id_, variable, start.data(), count.data(), values));
  }
  void put(int variable, const Array& array, std::optional<size_t> snapshot) {
    if (common_element(array.element) == array.element)
      return put(variable, array.bytes.data(), snapshot, array.extents);
    const Result<Array> other = converted(array, common_element(array.element));
    if (!other.ok()) return call(kNoMemory);
    put(variable, other->bytes.data(), snapshot, array.extents);
  }

  const NetcdfLibrary& library_;
  int id_ = 0;

 private:
  static constexpr int kNoMemory = -61;  // NC_ENOMEM
  int failed_ = nc::no_error;
};

// Writes a file in memory, or that of a series, to which the library adds nothing if it came from
// memory.
class NetcdfMaker : NetcdfCalls {
 public:
  explicit NetcdfMaker(const NetcdfLibrary& library, const std::string& series = "")
      : NetcdfCalls(library), series_(!series.empty()) {
    call(series_ ? library_.create(series.c_str(), nc::netcdf4, &id_)
                 : library_.create_mem("file.nc", nc::netcdf4, 1 << 16, &id_));
    open_ = !failed();
  }
  ~NetcdfMaker() {
    if (open_) library_.close(id_);
  }
  NetcdfMaker(const NetcdfMaker&) = delete;

  std::string write(const NetcdfFile& file) {
    if (!failed()) define(file);
    if (!failed()) call(library_.enddef(id_));
    if (!failed()) fill(file);
    if (!series_ || failed()) return failed() ? why() : "";
    open_ = false;
    call(library_.close(id_));
    return failed() ? why() : "";
  }

  Result<std::string> made(const NetcdfFile& file) {
    (void)write(file);
    nc::Memory memory = {};
    if (!failed()) {
      open_ = false;
      call(library_.close_memio(id_, &memory));
    }
    if (failed()) return Error{why()};
    std::string text(static_cast<const char*>(memory.memory), memory.size);
    std::free(memory.memory);
    // The library rounds the size of memory up.
    if (const uint64_t length = hdf5_length(text); length > 0 && length < text.size())
      text.resize(length);
    return text;
  }

 private:
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
    std::vector<int> times;  // the axis of time, in a series
    if (series_) call(library_.def_dim(id_, "time", nc::unlimited, &times.emplace_back()));
    std::string scalars;
    if (file.step) {
      step_ = variable("step", nc::int64, times);
      say(step_, "long_name", "number of time steps");
      scalars = "step";
    }
    if (file.time) {
      time_ = variable("time", nc::float64, times);
      say(time_, "long_name", "elapsed time");
      say_unit(file, time_, "time", "1");
      if (series_)
        say(time_, "axis", "T");
      else
        scalars += scalars.empty() ? "time" : " time";
    }
    for (const auto& [array, names, constant] : file.variables) {
      std::vector<int> ids = constant ? std::vector<int>() : times;
      for (size_t a = names.size(); a-- > 0;) ids.push_back(axes.at(names[a]));
      const int id =
          variable(array.name, netcdf_type_of(common_element(array.array->element)), ids);
      variables_.push_back(id);
      say_unit(file, id, array.name);
      if (!scalars.empty() && !(series_ && constant)) say(id, "coordinates", scalars);
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
      put(coordinates_[a], places.data());
    }
    std::optional<size_t> first;
    if (series_) first = 0;
    if (file.step) put(step_, &*file.step, first);
    if (file.time) put(time_, &*file.time, first);
    for (size_t v = 0; v < file.variables.size(); ++v)
      put(variables_[v], *file.variables[v].array.array,
          file.variables[v].constant ? std::nullopt : first);
  }

  const bool series_;
  int step_ = 0, time_ = 0;
  bool open_ = false;
  std::vector<int> coordinates_, variables_;
};

// A file of a series.
class NetcdfSeries : NetcdfCalls {
 public:
  NetcdfSeries(const NetcdfLibrary& library, const std::string& path, bool writable)
      : NetcdfCalls(library), path_(path) {
    call(library_.open(path.c_str(), writable ? nc::writable : 0, &id_));
    open_ = !failed();
    if (!open_) return;
    int axis = 0;
    size_t length = 0;
    const int step = find("step", nc::int64, {});
    if (step >= 0) call(library_.inq_vardimid(id_, step, &axis));
    if (step >= 0) call(library_.inq_dimlen(id_, axis, &length));
    steps_.resize(failed() ? 0 : length);
    if (!steps_.empty()) call(library_.get_var(id_, step, steps_.data()));
  }
  ~NetcdfSeries() {
    if (open_) library_.close(id_);
  }
  NetcdfSeries(const NetcdfSeries&) = delete;

  std::string problem() const { return !problem_.empty() ? problem_ : failed() ? why() : ""; }
  const std::vector<int64_t>& steps() const { return steps_; }

  std::string add(const NetcdfFile& file) {
    const int step = find("step", nc::int64, {}), time = find("time", nc::float64, {});
    std::vector<int> ids;
    for (const auto& [array, names, constant] : file.variables)
      ids.push_back(constant
                        ? -1
                        : find(array.name, netcdf_type_of(common_element(array.array->element)),
                               array.array->extents));
    if (!problem().empty()) return problem();
    const auto behind = std::ranges::lower_bound(steps_, *file.step);
    if (behind != steps_.end() && *behind != *file.step)
      return fmt::format("it has a snapshot of step {}, and none of step {}", *behind, *file.step);
    // Before the library has written a part of it.
    uint64_t bytes = kMargin;
    for (const NetcdfFile::Variable& one : file.variables)
      bytes += one.constant || file.compressed ? 0 : one.array.array->bytes.size();
    std::error_code unknown;
    const auto space = std::filesystem::space(path_, unknown);
    if (behind == steps_.end() && !unknown && space.available < bytes)
      return fmt::format("no space is left: {} bytes for a snapshot of {}", space.available, bytes);
    const auto at = static_cast<size_t>(behind - steps_.begin());
    for (size_t v = 0; v < ids.size(); ++v)
      if (!file.variables[v].constant) put(ids[v], *file.variables[v].array.array, at);
    put(step, &*file.step, at);
    put(time, &*file.time, at);
    open_ = false;
    call(library_.close(id_));
    return problem();
  }

 private:
  // A variable along the time, of this type and of these extents besides.
  int find(const std::string& name, int type, const Extents& extents) {
    int id = -1, found = 0, axes = 0;
    const bool there = library_.inq_varid(id_, name.c_str(), &id) == nc::no_error &&
                       library_.inq_vartype(id_, id, &found) == nc::no_error &&
                       library_.inq_varndims(id_, id, &axes) == nc::no_error;
    std::vector<int> ids(static_cast<size_t>(axes));
    bool same = there && found == type && ids.size() == extents.size() + 1 &&
                library_.inq_vardimid(id_, id, ids.data()) == nc::no_error;
    for (size_t a = 0; same && a < extents.size(); ++a) {
      size_t length = 0;
      same = library_.inq_dimlen(id_, ids[ids.size() - 1 - a], &length) == nc::no_error &&
             length == static_cast<size_t>(extents[a]);
    }
    if (!same && problem_.empty())
      problem_ = fmt::format("it is the file of another run: its `{}` {}", name,
                             there ? "has another type or other axes" : "is missing");
    return id;
  }

  static constexpr uint64_t kMargin = 1 << 16;  // of what describes a snapshot
  const std::string path_;
  bool open_ = false;
  std::string problem_;
  std::vector<int64_t> steps_;
};

}  // namespace

Result<std::string> netcdf_file(const NetcdfFile& file) {
  std::string problem;
  const NetcdfLibrary* library = netcdf_library(problem);
  if (library == nullptr) return Error{problem};
  return NetcdfMaker(*library).made(file);
}

std::string begin_netcdf_series(const std::string& path, const NetcdfFile& first) {
  std::string problem;
  const NetcdfLibrary* library = netcdf_library(problem);
  if (library == nullptr) return problem;
  const std::string part = path + ".part";
  problem = NetcdfMaker(*library, part).write(first);
  if (problem.empty() && std::rename(part.c_str(), path.c_str()) != 0)
    problem = std::strerror(errno);
  if (!problem.empty()) (void)std::remove(part.c_str());
  return problem;
}

std::string add_to_netcdf(const std::string& path, const NetcdfFile& file) {
  std::string problem;
  const NetcdfLibrary* library = netcdf_library(problem);
  if (library == nullptr) return problem;
  NetcdfSeries series(*library, path, true);
  return series.problem().empty() ? series.add(file) : series.problem();
}

Result<std::vector<int64_t>> netcdf_steps(const std::string& path) {
  std::string problem;
  const NetcdfLibrary* library = netcdf_library(problem);
  if (library == nullptr) return Error{problem};
  const NetcdfSeries series(*library, path, false);
  if (!series.problem().empty()) return Error{series.problem()};
  return series.steps();
}

}  // namespace stencilc::data
