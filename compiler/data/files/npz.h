// Reads and writes .npz files of NumPy: ZIP files whose members are .npy files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/encoding/zip.h"
#include "data/values/array.h"
#include "data/values/named_array.h"

namespace stencilc::data {

// The arrays of a file.
class Npz {
 public:
  // The text of the file must outlive this.
  static Result<Npz> open(std::string_view file);

  std::vector<std::string> names() const;
  Result<Array> read(const std::string& name) const;

 private:
  std::vector<ZipMember> members_;
};

// As numpy.savez writes it, or with `compressed` numpy.savez_compressed.
std::string npz_file(const std::vector<NamedArray>& arrays, bool compressed);

}  // namespace stencilc::data
