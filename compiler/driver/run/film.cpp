#include "driver/run/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "data/images/gif.h"
#include "driver/inputs/file_names.h"

namespace stencilc::driver {
namespace {

// At most this size, with white on the right and below.
data::Pixels of_size(const data::Pixels& from, int64_t width, int64_t height) {
  data::Pixels to{width, height, 3, 8,
                  std::vector<uint16_t>(static_cast<size_t>(width * height * 3), 255)};
  for (int64_t y = 0; y < std::min(height, from.height); ++y)
    std::copy_n(from.samples.begin() + y * from.width * 3, std::min(width, from.width) * 3,
                to.samples.begin() + y * width * 3);
  return to;
}

}  // namespace

std::string film_problem(const std::string& path) {
  if (ends_in(path, ".gif") || !find_program("ffmpeg").empty()) return "";
  return "`ffmpeg` makes .mp4 files, and is not installed; install it, or write a .gif";
}

Film::Film(std::string path, double pictures_a_second)
    : path_(std::move(path)), part_(path_ + ".part"), pace_(pictures_a_second) {}

Film::~Film() {
  encoder_.reset();
  if (file_ >= 0) ::close(file_);
  if (width_ > 0) (void)std::remove(part_.c_str());
}

std::string Film::begin(const data::Pixels& picture) {
  // ffmpeg takes even sizes for what most players can show.
  const bool gif = ends_in(path_, ".gif");
  width_ = gif ? picture.width : (picture.width + 1) / 2 * 2;
  height_ = gif ? picture.height : (picture.height + 1) / 2 * 2;
  if (gif) {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) return std::strerror(errno);
    return write(data::gif_begin(width_, height_));
  }
  encoder_ = std::make_unique<Piped>(std::vector<std::string>{"ffmpeg",
                                                              "-hide_banner",
                                                              "-loglevel",
                                                              "error",
                                                              "-y",
                                                              "-f",
                                                              "rawvideo",
                                                              "-pix_fmt",
                                                              "rgb24",
                                                              "-s",
                                                              fmt::format("{}x{}", width_, height_),
                                                              "-r",
                                                              fmt::format("{}", pace_),
                                                              "-i",
                                                              "-",
                                                              "-pix_fmt",
                                                              "yuv420p",
                                                              "-f",
                                                              "mp4",
                                                              part_});
  return encoder_->problem();
}

std::string Film::write(const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return std::strerror(errno);
    done += static_cast<size_t>(put);
  }
  return "";
}

std::string Film::add(const data::Pixels& picture) {
  if (width_ == 0)
    if (const std::string why = begin(picture); !why.empty()) return why;
  const data::Pixels shown = of_size(picture, width_, height_);
  // In hundredths of a second, whose parts add up.
  const auto until = [&](int64_t pictures) {
    return std::llround(100.0 * static_cast<double>(pictures) / pace_);
  };
  const int64_t hundredths = until(pictures_ + 1) - until(pictures_);
  ++pictures_;
  if (!encoder_) return write(data::gif_frame(shown, static_cast<int>(hundredths)));
  std::string bytes;
  for (const uint16_t sample : shown.samples) bytes += static_cast<char>(sample);
  return encoder_->write(bytes) ? "" : "`ffmpeg` says: " + encoder_->finish();
}

std::string Film::finish() {
  if (width_ == 0) return "";
  if (encoder_) {
    if (const std::string why = encoder_->finish(); !why.empty()) return "`ffmpeg` says: " + why;
  } else {
    std::string why = write(data::gif_end());
    if (::close(file_) != 0 && why.empty()) why = std::strerror(errno);
    file_ = -1;
    if (!why.empty()) return why;
  }
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return std::strerror(errno);
  width_ = 0;
  return "";
}

}  // namespace stencilc::driver
