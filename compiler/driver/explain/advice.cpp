// Writes the advice of --explain, from the stencil and from what the model predicts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "driver/explain/explanation.h"
#include "lint/separable.h"
#include "plan/machine/occupancy.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

using Lines = std::vector<std::string>;

// "`hx`", or "an expression of `h`, `n`".
std::string divisor_text(const ir::ExprPtr& divisor, const ir::Stencil& stencil) {
  if (ir::children(*divisor).empty()) return "`" + ir::print(divisor, stencil) + "`";
  std::set<std::string> names;
  for (const ir::ExprPtr& part : ir::nodes_of({divisor}))
    if (ir::children(*part).empty() && !ir::as<ir::Constant>(part))
      names.insert("`" + ir::print(part, stencil) + "`");
  if (names.empty()) return "a constant";
  return fmt::format("an expression of {}", fmt::join(names, ", "));
}

void advise_on_divisions(const ir::Stencil& stencil, Lines& lines) {
  std::vector<ir::ExprPtr> values;
  for (const ir::ExprPtr* root : ir::roots(stencil)) values.push_back(*root);
  std::set<std::string> divisors;
  for (const ir::ExprPtr& divisor : ir::invariant_divisors(values))
    divisors.insert(divisor_text(divisor, stencil));
  if (divisors.empty()) return;
  lines.push_back(
      fmt::format("all cells divide by the same number{} ({}): a product with the reciprocal is "
                  "faster, but may "
                  "round differently; where that does not matter, write the product",
                  divisors.size() == 1 ? "" : "s", fmt::join(divisors, "; ")));
}

bool moves(plan::Limit limit) {
  return limit == plan::Limit::memory || limit == plan::Limit::l2 || limit == plan::Limit::l1;
}

// If memory traffic is the limit: narrower types.
void advise_on_types(const ir::Stencil& stencil, Lines& lines) {
  std::vector<std::string> wide, single;
  for (const ir::Field& field : stencil.fields) {
    if (!ir::has_all_axes(stencil, field)) continue;
    if (field.type == ir::Type::f64) wide.push_back(field.name);
    if (field.type == ir::Type::f32) single.push_back(field.name);
  }
  if (!wide.empty())
    lines.push_back(fmt::format(
        "memory traffic is the limit; fields of f32 instead of f64 would halve it: `{}`",
        fmt::join(wide, "`, `")));
  else if (!single.empty())
    lines.push_back(
        fmt::format("memory traffic is the limit; fields of f16 or bf16 instead of f32 would halve "
                    "it, but keep "
                    "fewer digits: `{}`",
                    fmt::join(single, "`, `")));
}

// If latency is the limit: more warps.
void advise_on_registers(const plan::Schedule& schedule, const plan::Prediction& one,
                         const plan::Device& device, Lines& lines) {
  // They are limited where that gains; and launches may differ.
  if (schedule.registers > 0 || !schedule.others.empty()) return;
  const int threads = schedule.threads[0] * schedule.threads[1] * schedule.threads[2];
  const int more = one.resident + 1;
  if (plan::occupancy(device, threads, 0, one.shared) < more) return;
  const int unit = device.register_unit / plan::kWarp;
  const int left = device.registers / (threads * more) / unit * unit;
  lines.push_back(fmt::format(
      "registers limit a multiprocessor to {} of {} warps: `resident={}` limits each thread to {} "
      "registers; `ptxas -v` shows whether that spills",
      one.warps, device.warps, more, left));
}

// Whether all cells would be computed alike if the caller filled the ghost cells.
bool could_be_filled(const ir::Stencil& stencil) {
  const auto everywhere = [](const ir::Update& update) {
    return std::all_of(update.cases.begin(), update.cases.end(),
                       [](const ir::Case& one) { return one.domain.everywhere(); });
  };
  return std::all_of(stencil.updates.begin(), stencil.updates.end(), everywhere);
}

void advise_on_blocks(const ir::Stencil& stencil, const plan::Prediction& one, Lines& lines) {
  constexpr double kMuch = 0.2, kLost = 0.03;
  if (one.waves < 1)
    lines.push_back(fmt::format(
        "the grid has too few blocks and fills {:.0f} % of the GPU: use smaller blocks or a larger "
        "grid",
        100 * one.waves));
  else if (one.tail() > kLost)
    lines.push_back(fmt::format(
        "the blocks run in {:.1f} waves, and the last one leaves multiprocessors idle: this costs "
        "about {:.0f} % of the time",
        one.waves, 100 * one.tail()));
  if (one.edge_blocks > kMuch)
    lines.push_back(fmt::format(
        "{:.0f} % of the blocks touch the boundary, where cells take more instructions{}",
        100 * one.edge_blocks,
        could_be_filled(stencil) ? "; with `ghost` sides, which the caller fills, they do not"
                                 : ""));
}

void advise_on_schedules(const ir::Stencil& stencil, const DeviceForecast& on, bool fitted,
                         Lines& lines) {
  constexpr double kAsFast = 0.97;  // predictions are not more precise
  int close = 0;
  const plan::Alternative* fastest = nullptr;
  for (const plan::Alternative& other : on.others) {
    if (other.forecast.spills) continue;
    const double part = on.forecast.seconds() / other.forecast.seconds();
    if (part > 1 / kAsFast && !fastest) fastest = &other;
    if (part > kAsFast && part <= 1 / kAsFast) ++close;
  }
  if (fastest)
    lines.push_back(
        fmt::format("the model predicts that `--schedule={}` is {:.2f} times as fast{}",
                    plan::print(fastest->schedule, stencil),
                    on.forecast.seconds() / fastest->forecast.seconds(),
                    fitted || fastest->schedule.steps == 1
                        ? ""
                        : ", but it was not fitted to this kind: `stencilc bench` measures both"));
  else if (close > 0)
    lines.push_back(
        fmt::format("the model predicts nearly the same speed (within 3 %) for {}: `stencilc tune` "
                    "measures which is the fastest",
                    close == 1 ? std::string("another kind of schedule")
                               : fmt::format("{} other kinds of schedules", close)));
}

}  // namespace

Lines advice_for(const ir::Stencil& stencil, const CompileOptions& options) {
  Lines lines;
  if (options.target == plan::Target::cuda && !options.devices_named)
    lines.push_back(
        "without `--arch` the schedule has to run on every GPU from sm_75 on; name yours, for "
        "example `--arch=sm_90`, and the compiler uses all that it offers");
  advise_on_divisions(stencil, lines);
  for (const ir::Separable& one : stencil.separable)
    lines.push_back(
        fmt::format("{}: {}", lint::factors_of(one, stencil), lint::gain_of(one, stencil)));
  return lines;
}

Lines advice_for(const ir::Stencil& stencil, const plan::Schedule& schedule,
                 const DeviceForecast& on, bool fitted) {
  constexpr double kNear = 0.9;       // fraction of the roofline
  if (schedule.steps > 1) return {};  // the roofline is that of one step per launch
  const plan::Prediction& slowest = plan::longest(on.forecast);
  Lines lines;
  if (moves(slowest.limit)) advise_on_types(stencil, lines);
  if (slowest.limit == plan::Limit::latency)
    advise_on_registers(schedule, slowest, on.device, lines);
  advise_on_blocks(stencil, slowest, lines);
  if (on.of_roofline().value_or(0) < kNear) advise_on_schedules(stencil, on, fitted, lines);
  return lines;
}

}  // namespace stencilc::driver
