// The header block of the emitted file.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driver/compile.h"
#include "driver/forecast_text.h"
#include "driver/roofline_text.h"
#include "driver/schedules.h"
#include "emit/writer.h"
#include "generated/version.h"
#include "lint/separable.h"
#include "plan/occupancy.h"

namespace stencilc::driver {
namespace {

// "clamp", or "x periodic, y.lo constant 1, y.hi clamp".
std::string boundary_text(const ir::Stencil& stencil, const ir::Boundary& boundary) {
  const auto text = [&](const ir::Side& side) {
    std::string kind(side.given ? ir::name(side.edge) : "not given");
    return side.value ? kind + " " + ir::print(side.value, stencil) : kind;
  };
  std::string sides;
  bool same = true;
  for (int a = 0; a < stencil.rank(); ++a) {
    const std::string low = text(boundary.sides[a][0]), high = text(boundary.sides[a][1]);
    same &= low == text(boundary.sides[0][0]) && low == high;
    const std::string& axis = stencil.axes[a];
    sides += fmt::format("{}{}", sides.empty() ? "" : ", ",
                         low == high ? fmt::format("{} {}", axis, low)
                                     : fmt::format("{0}.lo {1}, {0}.hi {2}", axis, low, high));
  }
  return same ? text(boundary.sides[0][0]) : sides;
}

// "f32 u: 4 points of level t, radius 1, boundary clamp"
std::string field_line(const ir::Stencil& stencil, const plan::Schedule& schedule, int index) {
  const ir::Field& field = stencil.fields[index];
  std::map<int, int> points;  // by level
  int radius = 0;
  std::vector<ir::Read> seen;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || read->field != index) continue;
    if (std::any_of(seen.begin(), seen.end(), [&](const ir::Read& r) {
          return r.level == read->level && r.offset == read->offset;
        }))
      continue;
    seen.push_back(*read);
    ++points[read->level];
    for (const int offset : read->offset) radius = std::max(radius, std::abs(offset));
  }
  std::string text = fmt::format("{} {}", ir::name(field.type), field.name);
  if (field.role == ir::Role::output && points.empty()) return text + ": written";
  std::string levels;
  for (auto level = points.rbegin(); level != points.rend(); ++level)
    levels += fmt::format("{}{} point{} of level t{}", levels.empty() ? "" : ", ", level->second,
                          level->second == 1 ? "" : "s",
                          level->first == 0 ? "" : fmt::format("{:+}", level->first));
  text += ": " + (levels.empty() ? "not read" : levels);
  if (radius > 0)
    text += fmt::format(", radius {}, boundary {}", radius, boundary_text(stencil, field.boundary));
  const int buffers = schedule.stages.buffers[index];
  if (field.role == ir::Role::stepped)
    text += fmt::format("; {} buffer{}", buffers, buffers == 1 ? "" : "s");
  if (field.role == ir::Role::in_place) text += "; in place";
  return text;
}

}  // namespace

namespace {

std::vector<std::string> decisions(const ir::Stencil& stencil, const plan::Schedule& schedule) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("Stencil {}, {}-D", stencil.name, stencil.rank()));
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    lines.push_back("  " + field_line(stencil, schedule, static_cast<int>(f)));
  lines.push_back("Schedule " + plan::print(schedule, stencil));
  lines.push_back("  " + schedule.reason);
  for (const std::string& reason : schedule.stages.reasons) lines.push_back("  " + reason);
  return lines;
}

// "  step: 256 threads a block; blocks on a multiprocessor, if registers allow: 8 on sm_90 (64 of
// 64 warps)"
std::string launch_line(const kernel::Kernel& kernel, const std::vector<plan::Device>& devices) {
  const int threads = kernel.block_threads();
  std::vector<std::string> held;
  for (const plan::Device& device : devices) {
    const int blocks = plan::occupancy(device, threads, 0, kernel.shared);
    held.push_back(fmt::format("{} on {} ({} of {} warps)", blocks, plan::name(device),
                               blocks * plan::warps_of(threads), device.warps));
  }
  const std::string shared =
      kernel.shared == 0 ? "" : fmt::format(" with {} bytes of shared memory", kernel.shared);
  return fmt::format(
      "  {}: {} threads a block{}; blocks on a multiprocessor, if registers allow: {}", kernel.name,
      threads, shared, fmt::join(held, ", "));
}

}  // namespace

std::vector<std::string> explanation(const Compiled& compiled, const CompileOptions& options) {
  std::vector<std::string> lines = decisions(compiled.stencil, compiled.schedule);
  for (const std::string& line : passed_over(compiled, options)) lines.push_back(line);
  if (options.target == plan::Target::cuda) {
    for (const kernel::Launch& launch : compiled.module.launches) {
      lines.push_back(launch_line(launch.kernel, options.devices));
      if (!launch.no_planes.empty())
        lines.push_back(fmt::format("  {}: nothing lies in shared memory: {}", launch.kernel.name,
                                    launch.no_planes));
      if (!launch.no_loops.empty())
        lines.push_back(
            fmt::format("  {}: its taps are terms: {}", launch.kernel.name, launch.no_loops));
      if (!launch.loaded.empty())
        lines.push_back(fmt::format("  {}: not all that it reads goes through textures: {}",
                                    launch.kernel.name, launch.loaded));
      if (!launch.checked.empty())
        lines.push_back(fmt::format("  {}: the ends of a march are not peeled from it: {}",
                                    launch.kernel.name, launch.checked));
    }
    for (const std::string& line : roofline_lines(compiled.stencil, options.devices))
      lines.push_back(line);
    for (const std::string& line :
         forecast_lines(compiled.stencil, compiled.schedule, options.devices))
      lines.push_back(line);
  }
  for (const ir::Separable& one : compiled.stencil.separable)
    lines.push_back(fmt::format("  {}: {}", lint::factors_of(one, compiled.stencil),
                                lint::gain_of(one, compiled.stencil)));
  return lines;
}

std::vector<std::string> story(const ir::Stencil& stencil, const plan::Schedule& schedule,
                               const CompileOptions& options, const std::string& source_name) {
  std::vector<std::string> lines;
  const std::string name = source_name.substr(source_name.find_last_of('/') + 1);
  lines.push_back(fmt::format(
      "{}, made by stencilc {} from {}. To make it again:",
      emit::harmless(options.file) + (options.target == plan::Target::cpu ? ".cpp" : ".cu"),
      kVersion, emit::harmless(name)));
  lines.push_back("  " + emit::harmless(options.command));
  lines.push_back("");
  for (const std::string& line : decisions(stencil, schedule)) lines.push_back(line);
  lines.push_back(fmt::format(
      "Numbers {}, {}", options.numerics.order == ir::Numerics::canonical ? "canonical" : "source",
      options.numerics.fuse ? "products fused into sums" : "no fma"));
  lines.push_back("  the same bits in every schedule");
  return lines;
}

}  // namespace stencilc::driver
