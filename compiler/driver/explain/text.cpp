#include "driver/explain/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/pipeline/header_comment.h"
#include "driver/system/plural.h"
#include "plan/machine/occupancy.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

using Lines = std::vector<std::string>;

// "1 multiplication, 3 fused multiply-adds"; empty: none.
std::string operations_text(const ir::Operations& count) {
  Lines parts;
  const auto add = [&](int number, const char* one, const char* more) {
    if (number != 0) parts.push_back(plural(number, one, more));
  };
  add(count.additions, "addition", "additions");
  add(count.products, "multiplication", "multiplications");
  add(count.fused, "fused multiply-add", "fused multiply-adds");
  add(count.divisions, "division", "divisions");
  add(count.roots, "root", "roots");
  add(count.functions, "transcendental function", "transcendental functions");
  add(count.extrema, "min, max, abs, floor or ceil", "of min, max, abs, floor and ceil");
  add(count.integers, "integer operation", "integer operations");
  add(count.comparisons, "comparison", "comparisons");
  add(count.logic, "logical operation", "logical operations");
  add(count.selections, "selection", "selections");
  add(count.conversions, "conversion", "conversions");
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "  step: 256 threads per block; blocks per multiprocessor, if registers allow: 8 on sm_90 (64 of
// 64 warps)"
std::string launch_line(const KernelUse& kernel, const std::vector<DeviceForecast>& devices) {
  Lines held;
  for (size_t d = 0; d < devices.size(); ++d)
    held.push_back(fmt::format(
        "{} on {} ({} of {} warps)", kernel.held[d], plan::name(devices[d].device),
        kernel.held[d] * plan::warps_of(kernel.block_threads), devices[d].device.warps));
  const std::string shared =
      kernel.shared == 0 ? "" : fmt::format(" and {} bytes of shared memory", kernel.shared);
  const std::string steps =
      kernel.most_steps == 1 ? "" : fmt::format("up to {} steps per launch; ", kernel.most_steps);
  return fmt::format(
      "  {}: {}{} threads{} per block; blocks per multiprocessor, if registers allow: {}",
      kernel.name, steps, kernel.block_threads, shared, fmt::join(held, ", "));
}

void add_kernels(const Explanation& all, Lines& lines) {
  for (const KernelUse& kernel : all.kernels) {
    lines.push_back(launch_line(kernel, all.devices));
    const std::string operations = operations_text(kernel.operations);
    if (all.kernels.size() > 1 && kernel.points > 0)
      lines.push_back(fmt::format(
          "    per cell{}: {} read{}{}", kernel.most_steps > 1 ? " and step" : "",
          plural(kernel.points, "point", "points"), operations.empty() ? "" : ", ", operations));
    for (const std::string& why : kernel.without)
      lines.push_back(fmt::format("  {}: {}", kernel.name, why));
  }
}

std::string rate_text(double rate) {
  const double giga = rate * 1e-9;
  return giga >= 100 ? fmt::format("{:.0f}", giga) : fmt::format("{:.3g}", giga);
}

std::string cell_line(const Explanation& all) {
  std::string cell = fmt::format(
      "Cost per cell and step: at least {} bytes of memory traffic ({} read, {} stored)",
      all.traffic.bytes(), all.traffic.read, all.traffic.stored);
  const std::string operations = operations_text(all.operations);
  if (!operations.empty()) cell += "; " + operations;
  if (all.operations.flops() > 0 && all.traffic.bytes() > 0)
    cell += fmt::format("; {} flop, {:.2g} flop per byte", all.operations.flops(),
                        static_cast<double>(all.operations.flops()) / all.traffic.bytes());
  return cell;
}

// "  Roofline of H200 SXM5 (one step per launch): 530 GCells/s by memory bandwidth (4240 GB/s,
// measured by a copy), 1340 by arithmetic; memory bandwidth is the limit"
std::string roofline_line(const plan::Roofline& roofline, const ir::Operations& count) {
  std::string text = fmt::format(
      "  Roofline of {} (one step per launch): {} GCells/s by memory bandwidth ({:.0f} "
      "GB/s, {})",
      roofline.card->name, rate_text(roofline.by_memory), roofline.rate,
      roofline.copied ? "measured by a copy" : "by its data sheet");
  if (!roofline.by_arithmetic) return text;
  const bool counted = count.divisions + count.roots + count.functions == 0;
  const bool memory = roofline.by_memory <= *roofline.by_arithmetic;
  return text +
         fmt::format(", {} by arithmetic{}; {} is the limit", rate_text(*roofline.by_arithmetic),
                     counted ? "" : " (divisions, roots and transcendental functions not counted)",
                     memory ? "memory bandwidth" : "arithmetic");
}

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.3g} us", seconds * 1e6)
                        : fmt::format("{:.3g} ms", seconds * 1e3);
}

void add_resources(const DeviceForecast& on, Lines& lines) {
  for (size_t n = 0; n < on.forecast.launches.size(); ++n) {
    const plan::Prediction& one = on.forecast.launches[n];
    lines.push_back(fmt::format(
        "  {}: about {} registers per thread{}, so that a multiprocessor holds {} ({} of {} warps)",
        on.kernels[n], one.registers, one.spills ? ", which is likely to spill" : "",
        plural(one.resident, "block", "blocks"), one.warps, on.device.warps));
    lines.push_back(
        fmt::format("    bytes per cell{}: {:.3g} loaded by threads, {:.3g} from L2, {:.3g} from "
                    "memory, {:.3g} "
                    "stored; limited by {}",
                    one.steps > 1 ? " and step" : "", one.moved.loaded, one.moved.fetched,
                    one.moved.read, one.moved.stored, plan::name(one.limit)));
    if (one.steps > 1)
      lines.push_back(fmt::format(
          "    tiles overlap by their halos: {:.2f} cells computed per cell stored; {:.1f} "
          "waves of blocks",
          one.computed, one.waves));
  }
}

// How a rejected schedule compares. `fitted`: the model was fitted to schedules of its kind.
std::string other_text(const plan::Alternative& other, const plan::Forecast& taken, bool fitted) {
  if (other.forecast.rate == 0) return "does not run, because a multiprocessor cannot hold a block";
  if (other.forecast.spills) return "a thread would need more registers than there are";
  const plan::Prediction& slowest = plan::longest(other.forecast);
  return fmt::format(
      "predicted {:.2f} times as fast{}, limited by {}{}",
      taken.seconds() / other.forecast.seconds(),
      fitted ? "" : " (by a model that was not fitted to this kind)", plan::name(slowest.limit),
      slowest.steps > 1 ? fmt::format("; {:.2f} cells computed per cell stored", slowest.computed)
                        : "");
}

void add_forecast(const DeviceForecast& on, const Explanation& all, Lines& lines) {
  const ir::Stencil& stencil = all.stencil;
  const plan::Forecast& seen = on.forecast;
  if (seen.launches.empty()) return;
  if (seen.rate == 0) {
    lines.push_back(
        fmt::format("Predicted for {}: does not run, because a multiprocessor cannot hold a block",
                    plan::name(on.device)));
    return;
  }
  const auto part = on.of_roofline();
  lines.push_back(fmt::format(
      "Predicted for {} at {}: {} GCells/s, {} per step{}, limited by {}", seen.card->name,
      fmt::join(seen.extents.begin(), seen.extents.begin() + stencil.rank(), "x"),
      rate_text(seen.cells() / seen.seconds()), time_text(seen.seconds()),
      part ? fmt::format(", {:.2f} times the roofline", *part) : "",
      plan::name(plan::longest(seen).limit)));
  for (const std::string& note : on.notes) lines.push_back("  " + note);
  add_resources(on, lines);
  for (const plan::Alternative& other : on.others)
    lines.push_back(
        fmt::format("  rejected: {}: {}", plan::print(other.schedule, stencil),
                    other_text(other, seen, other.schedule.steps == 1 || all.why_one.empty())));
  if (!on.not_modelled.empty())
    lines.push_back(fmt::format("  not considered, because the model was not fitted to them: {}",
                                fmt::join(on.not_modelled, ", ")));
}

// "11 rows in front of its window and 11 behind it"
std::string reads_text(const LegField& field, const std::string& planes) {
  if (!field.cut) return "all of it";
  if (field.low + field.high == 0) return "nothing beside its window";
  return fmt::format("{} {} in front of its window and {} behind it", field.low,
                     field.low == 1 ? planes.substr(0, planes.size() - 1) : planes, field.high);
}

void add_pieces(const Pieces& pieces, size_t rank, Lines& lines) {
  const std::string size =
      fmt::format("{}", fmt::join(pieces.extents.begin(), pieces.extents.begin() + rank, "x"));
  lines.push_back(
      fmt::format("In {} pieces of {}, cut along `{}`:", pieces.devices, size, pieces.axis));
  if (pieces.steps == 0) {
    lines.push_back(fmt::format(
        "  the thinnest piece has {} {}, and its neighbours read {} of them; use fewer pieces, or "
        "a larger grid",
        pieces.thinnest, pieces.planes, pieces.least));
    return;
  }
  lines.push_back(
      fmt::format("  a leg takes {}", plural(static_cast<int>(pieces.steps), "step", "steps")));
  for (const LegField& field : pieces.fields)
    lines.push_back(fmt::format("    {}: it reads {}{}", field.name,
                                reads_text(field, pieces.planes),
                                field.exchanged ? ", exchanged after each leg" : ""));
  if (pieces.copies == 0)
    lines.push_back("  neighbours exchange nothing");
  else
    lines.push_back(fmt::format(
        "  after a leg a piece sends {} bytes to the piece in front and {} to the one behind, in "
        "{} each",
        pieces.bytes_before, pieces.bytes_after, plural(pieces.copies, "copy", "copies")));
}

std::string form_text(plan::LegForm form) {
  return form == plan::LegForm::whole     ? "whole pieces, then copies"
         : form == plan::LegForm::borders ? "borders first, by launches of their own"
                                          : "borders first, counted in one launch";
}

// How several of the devices would do.
void add_mesh(const DeviceForecast& on, const Explanation& all, Lines& lines) {
  if (!all.pieces) return;
  const int devices = all.pieces->devices;
  const std::string size =
      fmt::format("{}", fmt::join(on.forecast.extents.begin(),
                                  on.forecast.extents.begin() + all.stencil.rank(), "x"));
  bool any = false;
  for (const MeshForecast& one : on.mesh) {
    const std::string head =
        fmt::format("Predicted for {} {} that {}", devices, on.forecast.card->name,
                    one.shared ? "share " + size : "have " + size + " each");
    if (!one.why_not.empty()) {
      lines.push_back(head + ": nothing, because " + one.why_not);
      continue;
    }
    any = true;
    const plan::LegTime& time = one.time;
    lines.push_back(fmt::format("{}: efficiency {:.0f} %", head, 100 * one.efficiency));
    lines.push_back(fmt::format(
        "  {}; a leg of {} takes {}: {} for the cells of a piece, {} for {} computed twice, {} for "
        "the exchange{}",
        form_text(one.leg.form), plural(static_cast<int>(one.leg.steps), "step", "steps"),
        time_text(time.leg()), time_text(time.compute), time_text(time.twice), all.pieces->planes,
        time_text(time.exchange),
        time.host > time.device ? "; the host needs longer, to ask for it" : ""));
  }
  if (any && devices > kHostDevices)
    lines.push_back(
        fmt::format("  this takes {} of a host to be joined by NVLink, and hosts by "
                    "{:.0f} GB/s for each",
                    kHostDevices, plan::kNetwork.bandwidth * 1e-9));
  if (any && all.pieces->waits)
    lines.push_back(
        "  this leaves out that all pieces wait for each other after each step, because updates "
        "read a reduction");
}

}  // namespace

Lines lines_of(const Explanation& all) {
  Lines lines = decision_lines(all.stencil, all.plan, all.fields);
  for (const std::string& line : all.unused_blocks) lines.push_back("  " + line);
  if (!all.why_one.empty()) lines.push_back("  one step per launch: " + all.why_one);
  if (all.workspace && !all.workspace->values.empty())
    lines.push_back(
        fmt::format("  workspace for {}: {} bytes at {}; in general {}, where up(n, m) is the next "
                    "multiple of m",
                    fmt::join(all.workspace->values, ", "), all.workspace->bytes,
                    fmt::join(all.workspace->extents, "x"), all.workspace->formula));
  if (all.pieces) add_pieces(*all.pieces, all.stencil.axes.size(), lines);
  add_kernels(all, lines);
  lines.push_back(cell_line(all));
  for (const DeviceForecast& on : all.devices)
    if (on.roofline) lines.push_back(roofline_line(*on.roofline, all.operations));
  for (const DeviceForecast& on : all.devices) {
    add_forecast(on, all, lines);
    add_mesh(on, all, lines);
  }
  Lines advice = all.advice;
  for (const DeviceForecast& on : all.devices)
    for (const std::string& line : on.advice)
      advice.push_back(all.devices.size() == 1 ? line : plan::name(on.device) + ": " + line);
  if (!advice.empty()) lines.push_back("What would help");
  for (const std::string& line : advice) lines.push_back("  " + line);
  return lines;
}

}  // namespace stencilc::driver
