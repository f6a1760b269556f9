#include "driver/roofline_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plan/roofline.h"

namespace stencilc::driver {
namespace {

// "25 of f32, 3 of integers, 1 division"; empty: none.
std::string text(const ir::Instructions& count) {
  std::vector<std::string> parts;
  const auto add = [&](int number, const std::string& kind) {
    if (number != 0) parts.push_back(fmt::format("{} {}", number, kind));
  };
  add(count.f32, "of f32");
  add(count.f64, "of f64");
  add(count.integer, "of integers");
  add(count.divisions, count.divisions == 1 ? "division" : "divisions");
  add(count.functions, count.functions == 1 ? "longer function" : "longer functions");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string cells(double rate) {
  const double giga = rate * 1e-9;
  return giga >= 100 ? fmt::format("{:.0f}", giga) : fmt::format("{:.3g}", giga);
}

// "  H200 SXM5: at most 530 GCells/s by its memory (a copy moves 4240 GB/s) and 1340 by arithmetic;
// the memory is the limit"
std::string line(const plan::Roofline& roofline, const ir::Instructions& count) {
  std::string text =
      fmt::format("  {}: at most {} GCells/s by its memory ({} {:.0f} GB/s)", roofline.card->name,
                  cells(roofline.by_memory),
                  roofline.copied ? "a copy moves" : "its data sheet says", roofline.rate);
  if (!roofline.by_arithmetic) return text;
  const bool counted = count.divisions == 0 && count.functions == 0;
  const bool memory = roofline.by_memory <= *roofline.by_arithmetic;
  return text + fmt::format(" and {} by arithmetic{}; {} is the limit",
                            cells(*roofline.by_arithmetic),
                            counted ? "" : " without divisions and longer functions",
                            memory ? "the memory" : "arithmetic");
}

}  // namespace

std::vector<std::string> roofline_lines(const ir::Stencil& stencil,
                                        const std::vector<plan::Device>& devices) {
  const ir::Traffic traffic = ir::compulsory_traffic(stencil);
  const ir::Arithmetic arithmetic = ir::arithmetic_of_cell(stencil);
  const ir::Instructions count = ir::instructions_of_cell(stencil);
  const std::string instructions = text(count);
  std::string cell = fmt::format("A cell of a step takes at least {} bytes ({} read, {} stored)",
                                 traffic.bytes(), traffic.read, traffic.stored);
  if (!instructions.empty()) cell += ", and these instructions: " + instructions;
  const int operations = arithmetic.real > 0 ? arithmetic.real : arithmetic.integer;
  if (operations > 0 && traffic.bytes() > 0)
    cell += fmt::format("; {:.2g} operations a byte",
                        static_cast<double>(operations) / traffic.bytes());
  std::vector<std::string> lines = {cell};
  for (const plan::Device& device : devices)
    if (const auto roofline = plan::roofline_of(stencil, device))
      lines.push_back(line(*roofline, count));
  return lines;
}

}  // namespace stencilc::driver
