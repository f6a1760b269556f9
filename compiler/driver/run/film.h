// Writes the snapshots of a run as a film.
#pragma once

#include <memory>
#include <string>

#include "data/images/pixels.h"
#include "driver/system/process.h"

namespace stencilc::driver {

// Why no film of this name can be made, because ffmpeg is missing; otherwise "".
std::string film_problem(const std::string& path);

// A film that grows in a file beside its own, which it becomes when it is finished. All pictures
// have the size of the first one: others are cut off, or have white margins.
class Film {
 public:
  Film(std::string path, double pictures_a_second);
  Film(const Film&) = delete;
  ~Film();  // removes what is not finished

  const std::string& path() const { return path_; }
  // Both return what went wrong, or "".
  std::string add(const data::Pixels& picture);
  std::string finish();

 private:
  std::string begin(const data::Pixels& picture);
  std::string write(const std::string& bytes);

  const std::string path_, part_;
  const double pace_;
  int64_t width_ = 0, height_ = 0, pictures_ = 0;
  int file_ = -1;
  std::unique_ptr<Piped> encoder_;
};

}  // namespace stencilc::driver
