#include "driver/forecast_text.h"

#include <fmt/format.h>

#include "plan/alternatives.h"

namespace stencilc::driver {
namespace {

std::string size_text(int rank) {
  const std::array<int64_t, 3> extents = plan::usual_extents(rank);
  if (rank == 1) return fmt::format("{}", extents[0]);
  return rank == 2 ? fmt::format("{}x{}", extents[0], extents[1])
                   : fmt::format("{}x{}x{}", extents[0], extents[1], extents[2]);
}

// What limits the launch that takes the longest.
std::string limit_text(const plan::Forecast& forecast) {
  const plan::Prediction* longest = &forecast.launches.front();
  for (const plan::Prediction& one : forecast.launches)
    if (one.together > longest->together) longest = &one;
  return std::string(plan::name(longest->limit));
}

std::string rate_text(double rate) {
  const double giga = rate * 1e-9;
  return giga >= 100 ? fmt::format("{:.0f}", giga) : fmt::format("{:.3g}", giga);
}

}  // namespace

std::vector<std::string> forecast_lines(const ir::Stencil& stencil, const plan::Schedule& schedule,
                                        const std::vector<plan::Device>& devices) {
  constexpr size_t kMost = 4;       // others that are named
  constexpr double kAsFast = 0.97;  // closer than predictions are
  std::vector<std::string> lines;
  for (const plan::Device& device : devices) {
    const plan::Forecast seen =
        plan::forecast(stencil, schedule, device, plan::usual_extents(stencil.rank()));
    if (seen.launches.empty()) continue;
    if (seen.rate == 0) {
      lines.push_back(fmt::format("Predicted for {}: no multiprocessor of it holds a block",
                                  plan::name(device)));
      continue;
    }
    lines.push_back(fmt::format("Predicted for {} at {}: {} GCells/s, limited by {}",
                                seen.card->name, size_text(stencil.rank()), rate_text(seen.rate),
                                limit_text(seen)));
    for (size_t n = 0; n < seen.launches.size(); ++n) {
      const plan::Prediction& one = seen.launches[n];
      lines.push_back(fmt::format(
          "  {}about {} registers a thread{}, with which a multiprocessor holds {} block{}",
          seen.launches.size() > 1 ? fmt::format("launch {}: ", n + 1) : "", one.registers,
          one.spills ? ", near the most it may have" : "", one.resident,
          one.resident == 1 ? "" : "s"));
    }
    size_t named = 0;
    for (const plan::Alternative& other : plan::alternatives(stencil, schedule, device)) {
      if (named++ == kMost) break;
      const double part = other.forecast.rate / seen.rate;
      lines.push_back(fmt::format("  not {}: {}, limited by {}",
                                  plan::print(other.schedule, stencil),
                                  part > kAsFast ? "no faster that the model could tell"
                                                 : fmt::format("{:.2f} of that", part),
                                  limit_text(other.forecast)));
    }
  }
  return lines;
}

}  // namespace stencilc::driver
