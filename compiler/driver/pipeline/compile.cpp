#include "driver/pipeline/compile.h"

#include <fmt/format.h>

#include <filesystem>

#include "diag/codes.h"
#include "driver/pipeline/header_comment.h"
#include "driver/pipeline/imports.h"
#include "driver/pipeline/param_values.h"
#include "driver/pipeline/runtime_text.h"
#include "driver/pipeline/schedule_choice.h"
#include "generated/version.h"
#include "lint/lint.h"
#include "lower/lower.h"
#include "plan/ask/schedule_block.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMaxEmitted = 64u << 20;
constexpr int kMaxTaps = 10'000;

bool within_limits(const ir::Stencil& stencil, diag::Engine& engine) {
  for (const ir::Update& update : stencil.updates)
    for (const ir::Case& one : update.cases) {
      int taps = 0;
      for (const ir::ExprPtr& node : ir::nodes_of({one.value, one.domain.mask}))
        taps += ir::as<ir::Read>(node) != nullptr;
      if (taps <= kMaxTaps) continue;
      engine.report(diag::size_limit, {one.source, one.source + 1, 0},
                    fmt::format("the update reads {} points; the limit is {}", taps, kMaxTaps));
      return false;
    }
  return true;
}

void set_lines(const diag::Source& source, ir::Stencil& stencil) {
  const auto line = [&](uint32_t at) { return static_cast<int>(diag::position(source, at).line); };
  for (ir::Update& update : stencil.updates)
    for (ir::Case& one : update.cases) one.line = line(one.source);
  for (ir::Reduction& one : stencil.reductions) one.line = line(one.source);
  for (ir::Injection& one : stencil.injections) one.line = line(one.source);
  for (ir::Sample& one : stencil.samples) one.line = line(one.source);
  for (ir::ScheduleBlock& one : stencil.schedules) one.line = line(one.at.begin);
}

// Keeps the stencil that is meant.
bool choose(std::vector<ir::Stencil>& stencils, const std::string& name, diag::Engine& engine) {
  if (name.empty()) return true;
  std::vector<std::string> names;
  for (const ir::Stencil& stencil : stencils) names.push_back(stencil.name);
  std::erase_if(stencils, [&](const ir::Stencil& stencil) { return stencil.name != name; });
  if (!stencils.empty()) return true;
  diag::Diagnostic& d =
      engine.report(diag::bad_choice, diag::nowhere, fmt::format("there is no stencil `{}`", name));
  if (const std::string help = diag::suggestion(name, names); !help.empty()) d.help(help);
  return false;
}

emit::Options emit_options(const std::vector<kernel::Module>& modules,
                           const CompileOptions& options) {
  emit::Options emit;
  emit.dialect = options.target == plan::Target::cpu ? emit::Dialect::cpu : emit::Dialect::cuda;
  emit.line_directives = options.line_directives;
  emit.version = kVersion;
  if (options.standalone) {
    emit.runtime_text = runtime_text(emit::includes(modules, emit));
    emit.codes_text = runtime_text({"stencil/codes.h"});
  }
  return emit;
}

bool fits(const std::string& source, const std::string& header, diag::Engine& engine) {
  if (source.size() + header.size() <= kMaxEmitted) return true;
  engine.report(diag::size_limit, diag::nowhere,
                fmt::format("the emitted text has {} bytes; the limit is {}",
                            source.size() + header.size(), kMaxEmitted));
  return false;
}

}  // namespace

std::vector<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                   const CompileOptions& options, diag::Engine& engine) {
  std::vector<ir::Stencil> stencils = sema::analyse(program, options.defines, engine);
  if (stencils.empty() || !choose(stencils, options.stencil, engine)) return {};
  // Who runs a stencil has chosen one.
  lint::lint(program, stencils, engine,
             stencils.size() == 1 ? given_values(options.params, stencils[0]) : lint::Given{});
  if (engine.has_errors()) return {};  // -Werror
  // Beyond this point every name is resolved and nothing the user wrote can be wrong.
  for (ir::Stencil& stencil : stencils) {
    set_lines(sources[0], stencil);
    ir::canonicalise(stencil, options.numerics);
    ir::infer(stencil);  // a tap may have been dropped
    // Beyond this point every rounding has its place, whatever comes.
    if (!within_limits(stencil, engine)) return {};
    plan::check_blocks(stencil, engine);
  }
  if (engine.has_errors()) return {};
  return stencils;
}

namespace {

// What of a launch does not fit the device; empty: all does.
std::string too_large(const kernel::Module& module, const plan::Device& device) {
  constexpr int kBox = 256;    // elements of a box along each axis
  constexpr int kElement = 8;  // bytes of one at most; it holds several cells
  for (const kernel::Launch& launch : module.launches) {
    for (const kernel::Kernel::Map& map : launch.kernel.maps) {
      const int row = kBox * kElement / kernel::bytes_of(map.element);
      if (map.box[0] > row || map.box[1] > kBox)
        return "planes of a block of `" + launch.kernel.name + "` are " +
               std::to_string(map.box[0]) + " x " + std::to_string(map.box[1]) +
               " cells; a box that is copied has at most " + std::to_string(row) + " x " +
               std::to_string(kBox);
    }
    if (launch.kernel.shared > device.block_shared)
      return "a block of `" + launch.kernel.name + "` keeps " +
             std::to_string(launch.kernel.shared) + " bytes of cells in shared memory, of which " +
             plan::name(device) + " gives it " + std::to_string(device.block_shared) +
             "; use fewer threads or rows, or a smaller `ahead`";
  }
  return "";
}

}  // namespace

std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine) {
  Compiled out;
  plan::Device device = plan::common(options.devices);
  const std::optional<Asked> asked = asked_for(stencil, options, engine);
  if (!asked) return {};
  std::optional<plan::Schedule> schedule = schedule_for(stencil, *asked, options, device, engine);
  if (!schedule) return {};
  kernel::Module module = lower::lower(stencil, *schedule, options.target);
  if (!too_large(module, device).empty() && asked->text.find("shared=") == std::string::npos) {
    device.box_copies = false;  // nobody asked for boxes: without them it fits
    CompileOptions untuned = options;
    untuned.tuning.reset();
    schedule = schedule_for(stencil, *asked, untuned, device, engine);
    if (!schedule) return {};
    module = lower::lower(stencil, *schedule, options.target);
  }
  out.schedule = *schedule;
  out.module = std::move(module);
  out.module.file = options.file;
  out.module.header = options.header.empty() ? options.file + ".h" : options.header;
  out.module.source = sources[0].name;
  // Beyond this point nothing knows it is a stencil.
  for (const kernel::Launch& launch : out.module.launches) {
    const std::vector<std::string> problems = kernel::verify(launch.kernel);
    if (!problems.empty())
      throw std::logic_error("the kernel `" + launch.kernel.name + "` of `" + stencil.name +
                             "`: " + problems.front());
  }

  const std::string problem = too_large(out.module, device);
  if (!problem.empty()) {
    engine.report(diag::bad_schedule, asked->at(), problem).help(devices_of(options));
    return {};
  }
  out.module.story = story(stencil, out.schedule, options, sources[0].name);
  const emit::Options emit = emit_options({out.module}, options);
  out.source = emit::source({out.module}, emit);
  out.header = emit::header({out.module}, emit);
  out.host_call = emit::host_call(out.module, emit);
  if (!fits(out.source, out.header, engine)) return {};
  out.stencil = std::move(stencil);
  return out;
}

std::vector<Compiled> compile_all(diag::Sources& sources, const CompileOptions& options,
                                  diag::Engine& engine) {
  const ast::Program program = load(sources, options.folders, engine);
  std::vector<Compiled> result;
  for (ir::Stencil& stencil : front_end(sources, program, options, engine)) {
    std::optional<Compiled> one = back_end(std::move(stencil), sources, options, engine);
    if (!one) return {};
    result.push_back(std::move(*one));
  }
  return result;
}

std::optional<ir::Stencil> one_of(std::vector<ir::Stencil> stencils, diag::Engine& engine) {
  if (stencils.empty()) return {};
  if (stencils.size() == 1) return std::move(stencils[0]);
  std::vector<std::string> names;
  for (const ir::Stencil& stencil : stencils) names.push_back(stencil.name);
  engine
      .report(diag::bad_choice, diag::nowhere,
              fmt::format("the file holds {} stencils, and one is wanted", stencils.size()))
      .help(fmt::format("choose one of `{}` by `--stencil`", fmt::join(names, "`, `")));
  return {};
}

std::optional<Compiled> compile(diag::Sources sources, const CompileOptions& options,
                                diag::Engine& engine) {
  const ast::Program program = load(sources, options.folders, engine);
  auto stencil = one_of(front_end(sources, program, options, engine), engine);
  if (!stencil) return {};
  return back_end(std::move(*stencil), sources, options, engine);
}

Files files_of(const std::vector<Compiled>& stencils, const CompileOptions& options,
               diag::Engine& engine) {
  if (stencils.size() == 1) return {stencils[0].source, stencils[0].header};
  std::vector<kernel::Module> modules;
  for (const Compiled& one : stencils) modules.push_back(one.module);
  const emit::Options emit = emit_options(modules, options);
  Files files{emit::source(modules, emit), emit::header(modules, emit)};
  fits(files.source, files.header, engine);
  return files;
}

}  // namespace stencilc::driver
