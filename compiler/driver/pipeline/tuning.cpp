#include "driver/pipeline/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "diag/fnv.h"
#include "emit/writer.h"

namespace stencilc::driver {

double cells_of(const std::vector<int64_t>& size) {
  double cells = 1;
  for (const int64_t extent : size) cells *= static_cast<double>(extent);
  return cells;
}

namespace {

// How far the size of an entry is from this size; smaller is better.
double distance(const TunedEntry& entry, const std::vector<int64_t>& size) {
  const double cells = cells_of(entry.size);
  return size.empty() ? -cells : std::abs(std::log(cells / cells_of(size)));
}

}  // namespace

std::string digest_of(const ir::Stencil& stencil) {
  return fmt::format("{:016x}", diag::fnv1a(ir::print(stencil)));
}

const TunedStencil* find_tuned(const Tuning& tuning, const std::string& name) {
  for (const TunedStencil& stencil : tuning.stencils)
    if (stencil.name == name) return &stencil;
  return nullptr;
}

const TunedEntry* find_entry(const TunedStencil& stencil, const std::vector<std::string>& archs,
                             const std::vector<int64_t>& size, int devices) {
  using Place = std::tuple<bool, double, double, ptrdiff_t>;
  std::vector<int64_t> piece = size;
  if (!piece.empty()) piece.back() = std::max<int64_t>(1, piece.back() / devices);
  const TunedEntry* nearest = nullptr;
  Place least;
  for (const TunedEntry& entry : stencil.entries) {
    const auto arch = std::find(archs.begin(), archs.end(), entry.arch);
    if (arch == archs.end() || (devices == 1 && entry.devices != 1)) continue;
    const bool whole = entry.devices == 1;
    const double others = std::abs(std::log(static_cast<double>(entry.devices) / devices));
    const Place place = {whole && devices > 1, others, distance(entry, whole ? piece : size),
                         arch - archs.begin()};
    if (nearest && least <= place) continue;
    nearest = &entry;
    least = place;
  }
  return nearest;
}

void put_entry(Tuning& tuning, const std::string& name, const std::string& digest,
               TunedEntry entry) {
  auto stencil = std::find_if(tuning.stencils.begin(), tuning.stencils.end(),
                              [&](const TunedStencil& one) { return one.name == name; });
  if (stencil == tuning.stencils.end())
    stencil = tuning.stencils.insert(stencil, TunedStencil{name, digest, {}});
  if (stencil->digest != digest) *stencil = {name, digest, {}};
  std::vector<TunedEntry>& entries = stencil->entries;
  const auto same = std::find_if(entries.begin(), entries.end(), [&](const TunedEntry& one) {
    return one.arch == entry.arch && one.device == entry.device && one.size == entry.size &&
           one.devices == entry.devices;
  });
  if (same == entries.end())
    entries.push_back(std::move(entry));
  else
    *same = std::move(entry);
}

std::string reason_of(const TunedEntry& entry, const std::string& file) {
  const std::string where = fmt::format(
      "tuned {}on {} at {} ({})",
      entry.devices == 1 ? "" : fmt::format("in {} pieces ", entry.devices), entry.device,
      fmt::join(entry.size, " x "), std::filesystem::path(file).filename().string());
  const std::string gain =
      entry.schedule == entry.chosen_schedule || entry.chosen_gcells <= 0
          ? fmt::format("the fastest of {} schedules, and the compiler's own choice", entry.tried)
          : fmt::format("{:.3f} times as fast as the compiler's own choice, {}",
                        entry.gcells / entry.chosen_gcells, entry.chosen_schedule);
  return emit::harmless(where + ": " + gain);
}

}  // namespace stencilc::driver
