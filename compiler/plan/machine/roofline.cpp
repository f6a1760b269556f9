#include "plan/machine/roofline.h"

namespace stencilc::plan {
namespace {

constexpr double kGiga = 1e9;

// Clocks of a multiprocessor for the instructions of a cell.
std::optional<double> clocks(const ir::Instructions& count, const Device& device) {
  double clocks = 0;
  for (const auto& [number, lanes] :
       {std::pair(count.f32, device.f32_lanes), std::pair(count.f64, device.f64_lanes)}) {
    if (number == 0) continue;
    if (!lanes) return std::nullopt;
    clocks += static_cast<double>(number) / *lanes;
  }
  return clocks > 0 ? std::optional(clocks) : std::nullopt;
}

}  // namespace

std::optional<Roofline> roofline_of(const ir::Stencil& stencil, const Device& device,
                                    const ir::Stencil* computed) {
  const Card* card = find_card(device.arch);
  const int bytes = ir::compulsory_traffic(stencil).bytes();
  if (!card || bytes == 0 || (!card->copy && !card->bandwidth)) return std::nullopt;
  Roofline roofline{card, card->copy ? *card->copy : *card->bandwidth, card->copy.has_value(), 0,
                    std::nullopt};
  roofline.by_memory = roofline.rate * kGiga / bytes;
  const std::optional<double> each =
      clocks(ir::instructions_of_cell(computed ? *computed : stencil), device);
  if (each && card->clock)
    roofline.by_arithmetic = card->multiprocessors * *card->clock * kGiga / *each;
  return roofline;
}

}  // namespace stencilc::plan
