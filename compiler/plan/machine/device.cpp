#include "plan/machine/device.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "diag/codes.h"

namespace stencilc::plan {
namespace {

// What differs between capabilities and does not follow from their order.
struct Row {
  int arch, warps, blocks, shared_kib;
  std::optional<int> f32_lanes, f64_lanes;
};

// Sources: the CUDA C++ Programming Guide, tables of technical specifications and of arithmetic
// throughput; for blocks and units also cuda_occupancy.h of CUDA 13.0; for warps and blocks also
// the limits at which ptxas 13.0 ignores .minnctapersm. The lanes of sm_103 follow from the peak
// rates in the data sheet of the B300, those of sm_87, sm_110 and sm_121 from the core counts of
// Orin, Thor and GB10. Values without a source are left out.
constexpr Row kRows[] = {
    {75, 32, 16, 64, 64, 2},      // Turing
    {80, 64, 32, 164, 64, 32},    // Ampere
    {86, 48, 16, 100, 128, 2},    // Ampere, GeForce
    {87, 48, 16, 164, 128, {}},   // Orin
    {88, 48, 16, 100, {}, {}},    // Ampere
    {89, 48, 24, 100, 128, 2},    // Ada
    {90, 64, 32, 228, 128, 64},   // Hopper
    {100, 64, 32, 228, 128, 64},  // Blackwell
    {103, 64, 32, 228, 128, 2},   // Blackwell Ultra
    {110, 48, 24, 228, 128, {}},  // Thor
    {120, 48, 24, 100, 128, 2},   // Blackwell, GeForce
    {121, 48, 24, 100, 128, {}},  // GB10
};

constexpr Device device_of(const Row& row) {
  Device device;
  device.arch = row.arch;
  device.warps = row.warps;
  device.blocks = row.blocks;
  device.shared = row.shared_kib * 1024;
  device.f32_lanes = row.f32_lanes;
  device.f64_lanes = row.f64_lanes;
  if (row.arch >= 80) {
    device.reserved_shared = 1024;
    device.shared_unit = 128;
    device.async_copies = device.barriers = true;
  }
  device.block_shared = device.shared - device.reserved_shared;
  device.box_copies = device.clusters = row.arch >= 90;
  return device;
}

constexpr auto kDevices = [] {
  std::array<Device, std::size(kRows)> all;
  for (size_t i = 0; i < all.size(); ++i) all[i] = device_of(kRows[i]);
  return all;
}();

// Sources: data sheets and white papers of the architectures; for the L2 of H200, B200 and Thor the
// driver. The copy was measured with 16-byte vectors, one per thread.
constexpr Card kCards[] = {
    {"T4", 75, 40, 320, {}, 4, 1.59},
    {"A100 SXM4 40 GB", 80, 108, 1555, {}, 40, 1.41},
    {"GeForce RTX 3090", 86, 82, 936, {}, 6, 1.695},
    {"Jetson AGX Orin 64 GB", 87, 16, 204.8, {}, 4, 1.3},
    {"GeForce RTX 4090", 89, 128, 1008, {}, 72, 2.52},
    {"H200 SXM5", 90, 132, 4800, 4240, 60, 1.98},
    {"B200", 100, 148, 7700, {}, 126, {}},
    {"B300", 103, 148, {}, {}, {}, {}},
    {"Jetson T5000", 110, 20, 273, {}, 32, {}},
    {"GeForce RTX 5090", 120, 170, 1792, {}, 96, 2.407},
    {"GB10", 121, 48, 273, {}, {}, {}},
};

std::optional<int> least(const std::optional<int>& a, const std::optional<int>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
}

}  // namespace

std::span<const Device> devices() { return kDevices; }

const Device* find_device(std::string_view name) {
  for (const Device& device : kDevices)
    if (plan::name(device) == name) return &device;
  return nullptr;
}

const Device* nearest_device(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9' && digits.size() < 4) digits += c;
  if (digits.empty()) return nullptr;
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const auto distance = [&](const Device& device) { return std::abs(device.arch - number); };
  return std::min_element(kDevices.begin(), kDevices.end(), [&](const Device& a, const Device& b) {
    return distance(a) < distance(b);
  });
}

std::string name(const Device& device) { return "sm_" + std::to_string(device.arch); }

diag::Diagnostic& report_unknown_device(const std::string& name, diag::Range at,
                                        const std::string& besides, diag::Engine& engine) {
  std::string known = besides;
  std::vector<std::string> names = {besides};
  for (const Device& device : kDevices) {
    known += ", " + plan::name(device);
    names.push_back(plan::name(device));
  }
  diag::Diagnostic& report =
      engine.report(diag::bad_arch, at, "there is no architecture `" + name + "`");
  const Device* nearest = nearest_device(name);
  const std::string close = nearest ? plan::name(*nearest) : diag::nearest(name, names);
  if (!close.empty()) {
    const std::string meant = close, text = nearest ? "the nearest is `" + meant + "`"
                                                    : "did you mean `" + meant + "`?";
    if (at == diag::nowhere)
      report.help(text);
    else
      report.help(text, at, meant);
  }
  return report.help("the architectures are " + known);
}

const Device& any_device() { return kDevices.front(); }

Device common(std::span<const Device> devices) {
  Device all = devices.front();
  for (const Device& one : devices.subspan(1)) {
    for (int Device::*const limit :
         {&Device::arch, &Device::warps, &Device::blocks, &Device::registers, &Device::shared,
          &Device::block_threads, &Device::block_registers, &Device::block_shared,
          &Device::thread_registers})
      all.*limit = std::min(all.*limit, one.*limit);
    for (int Device::*const cost : {&Device::partitions, &Device::reserved_shared,
                                    &Device::register_unit, &Device::shared_unit})
      all.*cost = std::max(all.*cost, one.*cost);
    for (bool Device::*const able :
         {&Device::async_copies, &Device::barriers, &Device::box_copies, &Device::clusters})
      all.*able = all.*able && one.*able;
    for (std::optional<int> Device::*const lanes : {&Device::f32_lanes, &Device::f64_lanes})
      all.*lanes = least(all.*lanes, one.*lanes);
  }
  return all;
}

const Card* find_card(int arch) {
  for (const Card& card : kCards)
    if (card.arch == arch) return &card;
  return nullptr;
}

const Device& device_of(const Card& card) {
  return *find_device("sm_" + std::to_string(card.arch));
}

const Card& card_for(const Device& device) {
  const Card* best = nullptr;
  const auto distance = [&](const Card& card) {
    return device.arch == any_device().arch ? (card.copy ? 0 : 1)
                                            : std::abs(card.arch - device.arch);
  };
  for (const Card& card : kCards)
    if (card.clock && (card.copy || card.bandwidth) && (!best || distance(card) < distance(*best)))
      best = &card;
  return *best;
}

}  // namespace stencilc::plan
