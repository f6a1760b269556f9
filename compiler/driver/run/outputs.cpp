#include "driver/run/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "data/npy.h"
#include "data/plot.h"
#include "data/png.h"
#include "diag/codes.h"
#include "diag/excerpt.h"
#include "driver/inputs/field_files.h"
#include "driver/inputs/points.h"
#include "driver/run/fields.h"
#include "driver/system/files.h"

namespace stencilc::driver {

const data::Array& newest(const ir::Stencil& stencil, const HostData& host, int field) {
  size_t slot = 0;
  for (int f = 0; f < field; ++f)
    slot += stencil.fields[f].role == ir::Role::stepped ? stencil.fields[f].levels() : 1;
  return host.buffers[slot];
}

data::Array without_halo(const data::Array& array, const data::Extents& halo) {
  data::Extents extents = array.extents;
  for (size_t a = 0; a < extents.size(); ++a) extents[a] -= 2 * halo[a];
  data::Array cells = *data::make_array(array.element, extents);
  const auto size = static_cast<size_t>(data::size_of(array.element));
  const auto before = [&](size_t a) { return a < halo.size() ? halo[a] : 0; };
  std::byte* to = cells.bytes.data();
  for (int64_t z = 0; z < cells.extent(2); ++z)
    for (int64_t y = 0; y < cells.extent(1); ++y) {
      const int64_t row = (z + before(2)) * array.extent(1) + y + before(1);
      const std::byte* from =
          array.bytes.data() + static_cast<size_t>(row * array.extent(0) + before(0)) * size;
      to = std::copy_n(from, static_cast<size_t>(cells.extent(0)) * size, to);
    }
  return cells;
}

namespace {

void save(const std::string& path, const std::string& bytes, diag::Engine& engine) {
  const std::string why = write_text(path, bytes);
  if (!why.empty())
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, why));
  else if (path != "-")
    std::cout << fmt::format("wrote {}\n", diag::printable(path));
}

void save(const std::string& path, const data::Result<std::string>& file, diag::Engine& engine) {
  if (file.ok()) return save(path, *file, engine);
  engine.report(diag::bad_input_data, diag::nowhere, fmt::format("`{}`: {}", path, file.error()));
}

// Floats from 0 to 1 become gray levels, as for inputs.
data::Result<std::string> gray_file(const data::Array& array) {
  if (array.element == data::Element::u8 || array.element == data::Element::u16 ||
      array.element == data::Element::boolean)
    return data::png_file(array);
  auto gray = data::make_array(data::Element::u8, array.extents);
  if (!gray.ok()) return data::Error{gray.error()};
  const bool real = data::is_real(array.element);
  for (int64_t i = 0; i < array.count(); ++i)
    gray->as<uint8_t>()[i] = static_cast<uint8_t>(
        ir::saturate({ir::Type::f64, data::value_at(array, i) * (real ? 255 : 1), 0}, ir::Type::u8)
            .integer);
  return data::png_file(*gray);
}

}  // namespace

void write_outputs(const Options& options, const ir::Stencil& stencil, const HostData& host,
                   diag::Engine& engine) {
  for (const auto& [name, path] : options.outputs) {
    if (is_series(stencil, name)) {
      save(path, data::npy_file(series_array(stencil, host, name)), engine);
      continue;
    }
    const data::Array& array = newest(stencil, host, field_index(stencil, name));
    if (ends_in(path, ".png"))
      save(path, gray_file(array), engine);
    else
      save(path, data::npy_file(array), engine);
  }
  for (const std::string& plot : options.plots) {
    const size_t equals = plot.find('=');
    const std::string path = equals == std::string::npos ? plot : plot.substr(equals + 1);
    const std::string name = equals == std::string::npos
                                 ? std::filesystem::path(plot).stem().string()
                                 : plot.substr(0, equals);
    const int field = field_index(stencil, name);
    const data::Extents halo = halo_of(stencil, static_cast<size_t>(field));
    save(path, data::plot_file(without_halo(newest(stencil, host, field), halo)), engine);
  }
}

}  // namespace stencilc::driver
