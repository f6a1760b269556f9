// What the results of a run take over from its inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/images/png.h"
#include "data/values/array.h"
#include "data/values/placement.h"

namespace stencilc::driver {

struct InputFacts {
  // A program that fills a single field runs once for each colour of a picture; `channel` is the
  // run that this is, of `channels`.
  int channel = 0;
  int channels = 1;
  int depth = 8;                          // the largest of the pictures, in bits
  std::optional<data::Array> alpha = {};  // of a picture, unless a field takes it; u16
  // What got no input: levels of fields, and series; and lists of points.
  std::vector<std::string> made_up = {}, made_up_points = {};

  std::optional<data::Placement> placement = {};  // of the first file that has one
  std::string placed_by = {};                     // that file

  bool by_channel() const { return channels > 1; }
  static data::Channel colour(int channel) {
    return static_cast<data::Channel>(static_cast<int>(data::Channel::red) + channel);
  }
};

// "there is no `--in` for `u` and `v`: filled with `gauss`", or "" if nothing is made up.
std::string what_is_made_up(const InputFacts& facts);

}  // namespace stencilc::driver
