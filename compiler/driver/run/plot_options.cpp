#include "driver/run/plot_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "diag/diagnostic.h"
#include "driver/inputs/file_names.h"
#include "driver/run/numbered.h"

namespace stencilc::driver {
namespace {

struct PlotParts {
  std::string names, path;
  bool named = false;
  std::vector<std::string> options;
};

// The words behind the first `.png:` or the like are options.
PlotParts parts_of(const std::string& plot) {
  size_t end = plot.size();
  for (size_t colon = plot.find(':'); colon != std::string::npos;
       colon = plot.find(':', colon + 1)) {
    const std::string before = plot.substr(0, colon);
    if (!is_drawing(before) && !is_film(before) && !before.ends_with("=-")) continue;
    end = colon;
    break;
  }
  PlotParts parts;
  const std::string file = plot.substr(0, end);
  const size_t equals = file.find('=');
  parts.named = equals != std::string::npos;
  parts.path = parts.named ? file.substr(equals + 1) : file;
  parts.names = parts.named ? file.substr(0, equals)
                            : std::filesystem::path(without_number(file)).stem().string();
  for (size_t at = end; at < plot.size();) {
    const size_t next = std::min(plot.find(':', at + 1), plot.size());
    parts.options.push_back(plot.substr(at + 1, next - at - 1));
    at = next;
  }
  return parts;
}

bool number(const std::string& text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && next == end && std::isfinite(value);
}

std::string read_range(const std::string& text, data::PlotStyle& style) {
  const size_t dots = text.find("..");
  data::ValueRange range;
  if (dots == std::string::npos || !number(text.substr(0, dots), range.low) ||
      !number(text.substr(dots + 2), range.high) || !(range.low < range.high))
    return fmt::format(
        "`:range={}`: write the lowest and the highest value, such as "
        "`:range=-1..1`",
        text);
  style.range = range;
  return "";
}

std::string read_map(const std::string& name, data::PlotStyle& style) {
  style.palette = data::palette_named(name);
  if (style.palette) return "";
  return fmt::format("`:map={}`: there is no such colour map; there are {}", name,
                     diag::listed(data::palette_names()));
}

std::string read_slice(const std::string& text, const ir::Stencil& stencil,
                       std::optional<data::Slice>& slice) {
  const size_t equals = text.find('=');
  const std::string axis = text.substr(0, equals);
  const auto found = std::ranges::find(stencil.axes, axis);
  int64_t cell = 0;
  const std::string digits = equals == std::string::npos ? "" : text.substr(equals + 1);
  const char* const end = digits.data() + digits.size();
  const auto [next, error] = std::from_chars(digits.data(), end, cell);
  if (error != std::errc() || next != end || cell < 0)
    return fmt::format("`:slice={}`: write an axis and a cell, such as `:slice={}=12`", text,
                       stencil.axes.back());
  if (found == stencil.axes.end())
    return fmt::format("`:slice={}`: there is no axis `{}`; there are {}", text, axis,
                       diag::listed(stencil.axes));
  if (stencil.rank() == 1)
    return fmt::format("`:slice={}`: the grid has one axis, and no slice of it can be drawn", text);
  slice = data::Slice{static_cast<size_t>(found - stencil.axes.begin()), cell};
  return "";
}

std::string read_pace(const std::string& text, double& to) {
  double pace = 0;
  if (!number(text, pace) || pace < 0.1 || pace > 100)
    return fmt::format("`:fps={}`: write how many pictures a second has, from 0.1 to 100", text);
  to = pace;
  return "";
}

std::string read_option(const std::string& option, const ir::Stencil& stencil,
                        PlotOptions& options) {
  const size_t equals = std::min(option.find('='), option.size());
  const std::string name = option.substr(0, equals);
  const std::string value = equals < option.size() ? option.substr(equals + 1) : "";
  if (name == "range") return read_range(value, options.style);
  if (name == "map") return read_map(value, options.style);
  if (name == "slice") return read_slice(value, stencil, options.slice);
  if (name == "fps" && is_film(options.path)) return read_pace(value, options.pictures_a_second);
  for (const auto& [flag, to] : {std::pair{"log", &options.style.logarithmic},
                                 std::pair{"diverging", &options.style.diverging},
                                 std::pair{"channels", &options.channels}}) {
    if (name != flag) continue;
    *to = true;
    return equals == option.size() ? "" : fmt::format("`:{}` takes no value", name);
  }
  const std::vector<std::string> known = {"range", "map", "log", "diverging", "slice", "channels"};
  const std::string meant = diag::nearest(name, known);
  return fmt::format("there is no option `:{}`{}", option,
                     meant.empty() ? "; there are `:range=LOW..HIGH`, `:map=NAME`, `:log`, "
                                     "`:diverging`, `:slice=AXIS=CELL` and `:channels`"
                                   : fmt::format("; did you mean `:{}`?", meant));
}

}  // namespace

bool is_drawing(const std::string& path) { return ends_in(path, ".png") || ends_in(path, ".svg"); }
bool is_film(const std::string& path) { return ends_in(path, ".gif") || ends_in(path, ".mp4"); }

std::string plot_path(const std::string& plot) { return parts_of(plot).path; }

data::Result<PlotOptions> plot_options(const std::string& plot, const ir::Stencil& stencil) {
  const PlotParts parts = parts_of(plot);
  PlotOptions options;
  options.path = parts.path;
  options.fields = split_names(parts.names);
  options.named = parts.named;
  for (const std::string& option : parts.options)
    if (const std::string wrong = read_option(option, stencil, options); !wrong.empty())
      return data::Error{wrong};
  const data::PlotStyle& style = options.style;
  if (style.logarithmic && style.diverging)
    return data::Error{"`:log` and `:diverging` exclude each other"};
  if (style.logarithmic && style.range && !(style.range->low > 0))
    return data::Error{"with `:log` the range begins above 0"};
  if (options.channels && (style.logarithmic || style.diverging || style.palette))
    return data::Error{"with `:channels` the fields are colours, which have no map and no scale"};
  return options;
}

}  // namespace stencilc::driver
