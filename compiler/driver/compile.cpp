#include "driver/compile.h"

#include <fmt/format.h>

#include <filesystem>

#include "diag/codes.h"
#include "driver/runtime_text.h"
#include "generated/version.h"
#include "lower/lower.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMaxEmitted = 64u << 20;
constexpr int kMaxTaps = 10'000;

bool within_limits(const ir::Stencil& stencil, diag::Engine& engine) {
  for (const ir::Update& update : stencil.updates) {
    ir::Stencil one = stencil;
    one.updates = {update};
    int taps = 0;
    for (const ir::ExprPtr& node : ir::nodes_of(one)) taps += ir::as<ir::Read>(node) != nullptr;
    if (taps <= kMaxTaps) continue;
    engine.report(diag::size_limit, {update.source, update.source + 1, 0},
                  fmt::format("the update reads {} points; the limit is {}", taps, kMaxTaps));
    return false;
  }
  return true;
}

}  // namespace

std::optional<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                     const CompileOptions& options, diag::Engine& engine) {
  std::optional<ir::Stencil> stencil = sema::analyse(program, options.defines, engine);
  if (!stencil) return {};
  // Beyond this point every name is resolved and nothing the user wrote can be wrong.
  for (ir::Update& update : stencil->updates)
    update.line = static_cast<int>(diag::position(sources[0], update.source).line);
  ir::canonicalise(*stencil, options.numerics);
  ir::infer(*stencil);  // a tap may have been dropped
  // Beyond this point every rounding has its place, whatever comes.
  if (!within_limits(*stencil, engine)) return {};
  return stencil;
}

std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine) {
  Compiled out;
  if (options.schedule.empty()) {
    out.schedule = plan::choose(stencil, options.target, options.optimisation);
  } else {
    const plan::Choice choice = plan::parse(options.schedule, stencil, options.target);
    if (!choice.problem.empty()) {
      engine.report(diag::bad_schedule, diag::nowhere, choice.problem);
      return {};
    }
    out.schedule = choice.schedule;
  }
  out.module = lower::lower(stencil, out.schedule, options.target);
  out.module.file = options.file;
  out.module.header = options.header.empty() ? options.file + ".h" : options.header;
  out.module.source = sources[0].name;
  // Beyond this point nothing knows it is a stencil.
  const std::vector<std::string> problems = kernel::verify(out.module.kernel);
  if (!problems.empty())
    throw std::logic_error("the kernel of `" + stencil.name + "`: " + problems.front());

  out.module.story = story(stencil, out.schedule, options, sources[0].name);
  emit::Options emit;
  emit.dialect = options.target == plan::Target::cpu ? emit::Dialect::cpu : emit::Dialect::cuda;
  emit.line_directives = options.line_directives;
  emit.version = kVersion;
  if (options.standalone) emit.runtime_text = runtime_text(emit::includes(out.module, emit));
  out.source = emit::source(out.module, emit);
  out.header = emit::header(out.module, emit);
  out.host_call = emit::host_call(out.module, emit);
  if (out.source.size() + out.header.size() > kMaxEmitted) {
    engine.report(diag::size_limit, diag::nowhere,
                  fmt::format("the emitted text has {} bytes; the limit is {}", out.source.size(),
                              kMaxEmitted));
    return {};
  }
  out.stencil = std::move(stencil);
  return out;
}

std::optional<Compiled> compile(const diag::Sources& sources, const CompileOptions& options,
                                diag::Engine& engine) {
  const ast::Program program = parse::parse(sources, 0, engine);
  std::optional<ir::Stencil> stencil = front_end(sources, program, options, engine);
  if (!stencil) return {};
  return back_end(std::move(*stencil), sources, options, engine);
}

}  // namespace stencilc::driver
