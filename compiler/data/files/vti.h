// Reads and writes .vti files of VTK, which ParaView opens: arrays on a regular grid. A cell of a
// field is a point of VTK.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/values/array.h"
#include "data/values/named_array.h"
#include "data/values/placement.h"

namespace stencilc::data {

// The arrays of a file with one piece, of points or of cells. Their bytes may be appended or in
// place, in base64 or raw, and packed by zlib or not.
class Vti {
 public:
  // The text of the file must outlive this.
  static Result<Vti> open(std::string_view file);

  std::vector<std::string> names() const;
  // The array has three axes, also if the last ones are one cell long.
  Result<Array> read(const std::string& name) const;
  const Placement& placement() const { return placement_; }

 private:
  friend class VtiParser;
  struct Item {
    std::string name, type, format;
    int64_t components = 1;
    bool of_cells = false;
    uint64_t offset = 0;        // in the appended data
    std::string_view in_place;  // otherwise
  };

  Result<std::string_view> payload(const Item& item, uint64_t size, std::string& unpacked) const;

  std::vector<Item> items_;
  Extents points_;
  Placement placement_;
  bool packed_ = false;
  size_t word_ = 4;            // bytes of a number in front of an array
  std::string_view appended_;  // what is appended to the text
  bool raw_ = false;           // and not in base64
};

// The arrays have the same extents. Numbers that VTK does not know are converted without loss: f16
// and bf16 to Float32, bool to UInt8. `compressed` packs them by zlib.
Result<std::string> vti_file(const std::vector<NamedArray>& arrays, const Placement& placement,
                             bool compressed);

// A .pvd file: the files of a series, each with its time, which ParaView opens as one.
struct TimedFile {
  double time;
  std::string file;  // relative to the .pvd file
};
std::string pvd_file(const std::vector<TimedFile>& files);

}  // namespace stencilc::data
