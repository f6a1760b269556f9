#include "driver/pipeline/header_comment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/system/plural.h"
#include "emit/writer.h"
#include "generated/version.h"
#include "plan/ask/print_schedule.h"

namespace stencilc::driver {
namespace {

using Lines = std::vector<std::string>;

// "f32 u: 4 points of level t, radius 1, boundary clamp; 2 buffers"
std::string field_line(const FieldUse& use) {
  std::string text = use.type + " " + use.name;
  if (use.role == ir::Role::output && use.points.empty()) return text + ": written";
  Lines levels;
  for (const auto& [level, points] : use.points)
    levels.push_back(plural(points, "point", "points") +
                     fmt::format(" of level t{}", level == 0 ? "" : fmt::format("{:+}", level)));
  text += ": " + (levels.empty() ? "not read" : fmt::format("{}", fmt::join(levels, ", ")));
  if (use.radius > 0) text += fmt::format(", radius {}, boundary {}", use.radius, use.boundary);
  if (use.role == ir::Role::stepped) text += "; " + plural(use.buffers, "buffer", "buffers");
  if (use.role == ir::Role::in_place) text += "; in place";
  return text;
}

}  // namespace

Lines decision_lines(const ir::Stencil& stencil, const plan::Schedule& schedule,
                     const std::vector<FieldUse>& fields) {
  Lines lines = {fmt::format("Stencil {}, {}-D", stencil.name, stencil.rank())};
  for (const FieldUse& use : fields) lines.push_back("  " + field_line(use));
  lines.push_back("Schedule " + plan::print(schedule, stencil));
  lines.push_back("  " + schedule.reason);
  for (const std::string& reason : schedule.stages.reasons) lines.push_back("  " + reason);
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
  for (const std::string& line : decision_lines(stencil, schedule, fields_of(stencil, schedule)))
    lines.push_back(line);
  lines.push_back(fmt::format(
      "Numbers {}, {}", options.numerics.order == ir::Numerics::canonical ? "canonical" : "source",
      options.numerics.fuse ? "products fused into sums" : "no fma"));
  lines.push_back("  the same bits in every schedule");
  return lines;
}

}  // namespace stencilc::driver
