#include "driver/measure/result.h"

#include <fmt/format.h>

namespace stencilc::driver {

double Report::cells() const {
  double cells = 1;
  for (const int64_t extent : extents) cells *= static_cast<double>(extent);
  return cells;
}

double Report::copy_rate() const {
  const double seconds = copy.median();
  return seconds > 0 ? static_cast<double>(copy_bytes * copy.steps) / seconds : 0;
}

double Report::rate(const Result& result, double seconds) const {
  return seconds > 0 ? cells() * static_cast<double>(result.times.steps) / seconds : 0;
}

double Report::byte_rate(const Result& result) const {
  return rate(result, result.times.median()) * traffic.bytes();
}

double Report::fraction_of_copy(const Result& result) const {
  return copy_rate() > 0 ? byte_rate(result) / copy_rate() : 0;
}

bool Report::fits_cache() const {
  return cells() * traffic.bytes() <= static_cast<double>(place.cache);
}

std::string Report::cache_note() const {
  if (!fits_cache()) return "";
  constexpr double kMega = 1e-6;
  return fmt::format(
      "the grids take {:.3g} MB and fit a cache of {:.3g} MB, so memory bandwidth does not limit "
      "them; "
      "use larger ones (--size)\n",
      cells() * traffic.bytes() * kMega, static_cast<double>(place.cache) * kMega);
}

const Result* Report::naive() const {
  for (const Result& result : results)
    if (result.schedule.starts_with("naive")) return &result;
  return nullptr;
}

}  // namespace stencilc::driver
