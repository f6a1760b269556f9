// Reads `--plot u,v=file.png:log:map=magma`, and `--animate` of the same form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/plots/plot.h"
#include "data/values/result.h"
#include "ir/ir.h"

namespace stencilc::driver {

struct PlotOptions {
  std::string path;
  std::vector<std::string> fields;
  bool named = false;  // with `=`; otherwise the field has the name of the file
  data::PlotStyle style = {};
  bool channels = false;  // the fields are the colours of one picture
  std::optional<data::Slice> slice = {};
  double pictures_a_second = 25;  // of a film
};

bool is_drawing(const std::string& path);  // .png or .svg
bool is_film(const std::string& path);     // .gif or .mp4

// The names of fields are not checked, but those of axes. Fails with what is wrong.
data::Result<PlotOptions> plot_options(const std::string& plot, const ir::Stencil& stencil);

// Only the file of it: "" if it has none.
std::string plot_path(const std::string& plot);

}  // namespace stencilc::driver
