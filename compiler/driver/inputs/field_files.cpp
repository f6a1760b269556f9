#include "driver/inputs/field_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>

#include "data/files/netcdf.h"
#include "data/files/npy.h"
#include "data/files/npz.h"
#include "data/files/vti.h"
#include "data/images/png.h"
#include "diag/codes.h"
#include "driver/cli/report.h"
#include "driver/execute/call.h"
#include "driver/inputs/levels.h"
#include "driver/system/files.h"
#include "driver/system/input_errors.h"

namespace stencilc::driver {
namespace {

using data::Element;

// long double holds every i64 and f64.
std::vector<long double> values_of(const data::Array& array) {
  std::vector<long double> values(static_cast<size_t>(array.count()));
  data::visit(array.element, [&](auto zero) {
    using T = decltype(zero);
    const T* from = array.as<T>();
    for (long double& value : values) {
      if constexpr (data::is_half<T>)
        value = static_cast<double>(*from++);
      else
        value = static_cast<long double>(*from++);
    }
  });
  return values;
}

// The losses of a conversion.
struct Loss {
  int64_t rounded = 0, infinite = 0;
  std::optional<long double> unheld;  // the first value that an integer type cannot hold
};
Loss loss_of(const data::Array& from, const data::Array& to) {
  const std::vector<long double> before = values_of(from), after = values_of(to);
  Loss loss;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i] || (std::isnan(before[i]) && std::isnan(after[i]))) continue;
    ++loss.rounded;
    loss.infinite += std::isinf(after[i]);
    if (!data::is_real(to.element) && !loss.unheld) loss.unheld = before[i];
  }
  return loss;
}

std::optional<data::Array> as_field(const data::Array& array, const std::string& file,
                                    const ir::Field& field, bool strict,
                                    std::vector<std::string>& notes, diag::Engine& engine) {
  const Element wanted = element_of(field.type);
  const std::string holds = fmt::format("`{}` holds {} values", file, data::name_of(array.element));
  const auto refuse = [&](const std::string& why) {
    bad_input(engine, fmt::format("{} and the field `{}` is {}: {}", holds, field.name,
                                  data::name_of(wanted), why));
    return std::optional<data::Array>();
  };
  auto made = data::converted(array, wanted);
  if (!made.ok()) return refuse(made.error());
  const Loss loss = loss_of(array, *made);
  if (loss.unheld)
    return refuse(fmt::format("the field cannot hold {:g}", static_cast<double>(*loss.unheld)));
  const std::string count = fmt::format("{} of {}", loss.rounded, array.count());
  if (loss.rounded != 0 && strict)
    return refuse(fmt::format("{} would be rounded (--strict)", count));
  const std::string infinite =
      loss.infinite == 0 ? "" : fmt::format(", {} of them to infinity", loss.infinite);
  notes.push_back(loss.rounded == 0
                      ? fmt::format("{}; they are exact in {}", holds, data::name_of(wanted))
                      : fmt::format("{}; {} are rounded to {}{} (--strict refuses that)", holds,
                                    count, data::name_of(wanted), infinite));
  return std::move(*made);
}

using Arrays = data::Result<std::vector<data::Array>>;

Arrays read_array(const std::string& text) {
  auto array = data::parse_npy(text);
  if (!array.ok()) return data::Error{array.error()};
  std::vector<data::Array> arrays;
  arrays.push_back(std::move(*array));
  return arrays;
}

// The name that the array of a field has if none is given. Of a level it may be that of the level,
// or of the field, unless that is another level's.
std::string own_name(const FieldSource& source, size_t index,
                     const std::vector<std::string>& held) {
  const ir::Field& field = *source.fields[index];
  if (!source.levels[index]) return field.name;
  const std::string level = print_level(field, *source.levels[index]);
  if (std::ranges::find(held, level) != held.end()) return level;
  return std::ranges::count(source.fields, &field) == 1 || *source.levels[index] == 0 ? field.name
                                                                                      : level;
}

// The names of the arrays that the fields take: those that are given, else their own. The only
// array of a file fills a single field whatever its name.
data::Result<std::vector<std::string>> wanted_names(const FieldSource& source,
                                                    const std::vector<std::string>& held) {
  std::vector<std::string> names = source.file.words;
  if (!names.empty() && names.size() != source.fields.size())
    return data::Error{fmt::format("{} array{} for {} field{}", names.size(),
                                   names.size() == 1 ? "" : "s", source.fields.size(),
                                   source.fields.size() == 1 ? "" : "s")};
  if (names.empty()) {
    if (held.size() == 1 && source.fields.size() == 1) return held;
    for (size_t f = 0; f < source.fields.size(); ++f) names.push_back(own_name(source, f, held));
  }
  for (const std::string& name : names) {
    if (std::ranges::find(held, name) != held.end()) continue;
    return data::Error{
        held.empty()
            ? "it holds no arrays"
            : fmt::format("it holds {}, and no `{}`; write `{}:NAME` to name an array of it",
                          diag::listed(held), name, source.file.path)};
  }
  return names;
}

size_t axes_of(const FieldSource& source, size_t field) {
  const auto& along = source.fields[field]->along;
  return static_cast<size_t>(std::count(along.begin(), along.begin() + source.rank, true));
}

template <class Named>
Arrays read_named(const FieldSource& source, const data::Result<Named>& file) {
  if (!file.ok()) return data::Error{file.error()};
  const auto names = wanted_names(source, file->names());
  if (!names.ok()) return data::Error{names.error()};
  std::vector<data::Array> arrays;
  for (const std::string& name : *names) {
    auto array = file->read(name);
    if (!array.ok()) return data::Error{array.error()};
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

// The first file that says where its cells are decides for the outputs.
void take_placement(const std::string& path, const std::optional<data::Placement>& placement,
                    InputFacts& facts, std::vector<std::string>& notes) {
  if (!placement) return;
  if (!facts.placement) {
    facts.placement = placement;
    facts.placed_by = path;
  } else if (facts.placement != placement) {
    notes.push_back(
        fmt::format("`{}` and `{}` place their cells differently; outputs take over `{}`",
                    facts.placed_by, path, facts.placed_by));
  }
}

// The cells of VTK have three axes, of which those behind the last axis of a field are one cell
// long.
Arrays read_vti(const FieldSource& source, const std::string& text, InputFacts& facts,
                std::vector<std::string>& notes) {
  const auto file = data::Vti::open(text);
  Arrays arrays = read_named(source, file);
  if (!arrays.ok()) return arrays;
  for (size_t f = 0; f < source.fields.size(); ++f) {
    data::Extents& extents = (*arrays)[f].extents;
    while (extents.size() > axes_of(source, f) && extents.back() == 1) extents.pop_back();
  }
  take_placement(source.file.path, file->placement(), facts, notes);
  return arrays;
}

// "step=300"
data::Result<std::optional<data::NetcdfPlace>> place_of(const FileName& file) {
  if (file.place.empty()) return std::optional<data::NetcdfPlace>();
  const size_t sign = file.place.find('=');
  const std::string word = file.place.substr(0, sign), text = file.place.substr(sign + 1);
  const auto* const known = std::ranges::find(
      data::kPlaces, word, [](const auto& one) { return std::string(one.second); });
  data::NetcdfPlace place{known->first};
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, place.number);
  const bool whole =
      place.by == data::NetcdfPlace::time || std::floor(place.number) == place.number;
  if (error != std::errc() || next != end || !std::isfinite(place.number) || !whole)
    return data::Error{fmt::format("`:{}`: `{}` is not a {}number", file.place, text,
                                   place.by == data::NetcdfPlace::time ? "" : "whole ")};
  return std::optional(place);
}

// How a place along the axis in front of a variable can be chosen, for a variable with too many.
data::Error without_place(const FileName& file, const data::Netcdf& netcdf,
                          const std::string& name) {
  const auto [axis, places] = netcdf.last_place(name);
  std::string words = file.path;
  for (size_t w = 0; w < file.words.size(); ++w) words += (w == 0 ? ":" : ",") + file.words[w];
  std::vector<std::string> ways;
  for (const std::string& place : places) ways.push_back(words + ":" + place);
  return data::Error{fmt::format("the variable `{}` has {} cells along {}; choose one: {}", name,
                                 netcdf.lengths(name).front(), axis, diag::listed(ways, "or"))};
}

// Variables may have an axis in front, such as the time, of one cell or with a place that is
// chosen. Where a place is chosen, variables without the axis are the same at all of them.
Arrays read_netcdf(const FieldSource& source, const std::string& text, InputFacts& facts,
                   std::vector<std::string>& notes) {
  const auto place = place_of(source.file);
  if (!place.ok()) return data::Error{place.error()};
  const auto file = data::Netcdf::open(text);
  if (!file.ok()) return data::Error{file.error()};
  const std::vector<std::string> held = file->names();
  for (const std::string& word : source.file.words)
    if (word.find('=') != std::string::npos && std::ranges::find(held, word) == held.end())
      return data::Error{fmt::format(
          "`:{}`: behind the names a place can be said: `:step=`, `:time=` or `:index=`", word)};
  const auto names = wanted_names(source, held);
  if (!names.ok()) return data::Error{names.error()};
  std::vector<data::Array> arrays;
  bool taken = false;
  for (size_t f = 0; f < source.fields.size(); ++f) {
    const std::string& name = (*names)[f];
    const std::vector<size_t> lengths = file->lengths(name);
    const size_t axes = axes_of(source, f);
    const bool in_front = lengths.size() > axes;
    std::optional<size_t> cell;
    if (*place && in_front) {
      const auto found = file->cell_at(name, **place);
      if (!found.ok()) return data::Error{found.error()};
      cell = *found;
      taken = true;
    } else if (in_front && lengths.front() != 1) {
      return without_place(source.file, *file, name);
    }
    auto array = file->read(name, cell);
    if (!array.ok()) return data::Error{array.error()};
    arrays.push_back(std::move(*array));
    data::Extents& extents = arrays.back().extents;
    while (extents.size() > axes && extents.back() == 1) extents.pop_back();
    if (axes == static_cast<size_t>(source.rank))
      take_placement(source.file.path, file->placement(name, axes), facts, notes);
  }
  if (*place && !taken)
    return data::Error{fmt::format("`:{}`: `{}` has no axis in front of those of `{}`",
                                   source.file.place, names->front(), source.fields.front()->name)};
  return arrays;
}

// The channels that fill so many fields.
data::Result<std::vector<data::Channel>> channels_for(size_t fields, bool colours) {
  using enum data::Channel;
  switch (fields) {
    case 1:
      return std::vector{brightness};
    case 2:
      if (colours)
        return data::Error{
            "a colour picture fills 1 field with its brightness, 3 fields with red, green and "
            "blue, or 4 fields with these and alpha, but not 2"};
      return std::vector{brightness, alpha};
    case 3:
      return std::vector{red, green, blue};
    case 4:
      return std::vector{red, green, blue, alpha};
    default:
      return data::Error{fmt::format("a picture fills at most 4 fields, not {}", fields)};
  }
}

Arrays read_picture(const FieldSource& source, const std::string& text, InputFacts& facts,
                    std::vector<std::string>& notes) {
  const auto picture = data::decode_png(text);
  if (!picture.ok()) return data::Error{picture.error()};
  auto channels = channels_for(source.fields.size(), picture->has_colours());
  if (!channels.ok()) return data::Error{channels.error()};
  const bool brightness = source.fields.size() == 1 && picture->has_colours();
  if (brightness && source.by_channel) {
    facts.channels = 3;
    channels->front() = InputFacts::colour(facts.channel);
  } else if (brightness) {
    notes.push_back(fmt::format(
        "`{}` is a colour image; `{}` is filled with its brightness (Rec. 709); `--in r,g,b=...` "
        "fills three fields with its colours",
        source.file.path, source.fields[0]->name));
  }
  std::vector<data::Array> arrays;
  for (size_t f = 0; f < source.fields.size(); ++f) {
    auto array = data::channel_of(*picture, (*channels)[f], element_of(source.fields[f]->type));
    if (!array.ok()) return data::Error{array.error()};
    arrays.push_back(std::move(*array));
  }
  facts.depth = std::max(facts.depth, picture->depth);
  if (picture->has_alpha() && channels->back() != data::Channel::alpha && !facts.alpha) {
    auto alpha = data::channel_of(*picture, data::Channel::alpha,
                                  picture->depth == 8 ? Element::u8 : Element::u16);
    if (!alpha.ok()) return data::Error{alpha.error()};
    facts.alpha = std::move(*alpha);
  }
  return arrays;
}

}  // namespace

std::optional<std::vector<data::Array>> read_fields(const FieldSource& source, InputFacts& facts,
                                                    std::vector<std::string>& notes,
                                                    diag::Engine& engine) {
  const std::string& path = source.file.path;
  const Text text = read_text(path, kMaxData);
  if (!text.problem.empty()) {
    engine.report(diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", path, text.problem));
    return {};
  }
  const auto contents = [&]() -> Arrays {
    switch (source.file.kind) {
      case FileKind::png:
        return read_picture(source, text.text, facts, notes);
      case FileKind::npz:
        return read_named(source, data::Npz::open(text.text));
      case FileKind::vti:
        return read_vti(source, text.text, facts, notes);
      case FileKind::netcdf:
        return read_netcdf(source, text.text, facts, notes);
      default:
        return read_array(text.text);
    }
  };
  Arrays read = contents();
  if (!read.ok()) {
    bad_input(engine, fmt::format("`{}`: {}", path, read.error()));
    return {};
  }
  for (size_t f = 0; f < read->size(); ++f) {
    data::Array& array = (*read)[f];
    if (array.element == element_of(source.fields[f]->type)) continue;
    auto converted = as_field(array, path, *source.fields[f], source.strict, notes, engine);
    if (!converted) return {};
    array = std::move(*converted);
  }
  return std::move(*read);
}

std::optional<FilePart> read_part(const std::string& path, data::Element element,
                                  const std::function<data::Planes(const data::Extents&)>& planes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<int64_t>(file.tellg());
  if (!file || size <= 0) return {};
  const auto read = [&](int64_t at, void* to, int64_t bytes) {
    file.seekg(at);
    file.read(static_cast<char*>(to), bytes);
    return file.good();
  };
  std::string beginning(static_cast<size_t>(std::min<int64_t>(size, data::kMostNpyHeader)), '\0');
  if (!read(0, beginning.data(), static_cast<int64_t>(beginning.size()))) return {};
  const auto layout = data::npy_layout(beginning);
  if (!layout.ok() || layout->z_fastest || layout->element != element || layout->extents.empty())
    return {};
  const auto all = data::byte_count(element, layout->extents);
  const auto begin = static_cast<int64_t>(layout->data);
  if (!all.ok() || begin + *all != size) return {};
  const data::Planes here = planes(layout->extents);
  data::Extents extents = layout->extents;
  const int64_t plane = *all / extents.back();
  extents.back() = here.count;
  auto part = data::make_array(element, extents);
  if (!part.ok() || !read(begin + here.first * plane, part->bytes.data(), here.count * plane))
    return {};
  if (element == Element::boolean)
    for (std::byte& cell : part->bytes) cell = std::byte{cell != std::byte{0}};
  return FilePart{std::move(*part), layout->extents};
}

}  // namespace stencilc::driver
