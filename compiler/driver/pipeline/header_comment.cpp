// The header block of the emitted file.
#include <fmt/format.h>

#include "driver/explain/text.h"
#include "driver/pipeline/compile.h"
#include "emit/writer.h"
#include "generated/version.h"

namespace stencilc::driver {

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
