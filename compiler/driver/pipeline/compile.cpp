#include "driver/pipeline/compile.h"

#include <fmt/format.h>

#include <filesystem>

#include "diag/codes.h"
#include "driver/pipeline/imports.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/runtime_text.h"
#include "generated/version.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMaxEmitted = 64u << 20;

}  // namespace

emit::Options emit_options(const std::vector<kernel::Module>& modules,
                           const CompileOptions& options) {
  emit::Options emit;
  emit.dialect = options.target == plan::Target::cpu ? emit::Dialect::cpu : emit::Dialect::cuda;
  emit.line_directives = options.line_directives;
  emit.version = kVersion;
  if (options.standalone) {
    emit.runtime_text = runtime_text(emit::includes(modules, emit));
    emit.c_text = runtime_text(emit::c_includes(modules));
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

std::string schedule_text(const Compiled& compiled) {
  const plan::Schedule& schedule = compiled.plan.schedule;
  const std::string text = plan::print(schedule, compiled.stencil) + "\n";
  const bool given = schedule.line != 0 || schedule.tuned;
  return !given ? text : text + "  " + schedule.reason + "\n";
}

std::vector<ir::Stencil> front_end(const diag::Sources& sources, const ast::Program& program,
                                   const CompileOptions& options, diag::Engine& engine) {
  Work work{options, sources, engine, &program};
  if (!run_stages(work, "analyse", "check-limits") || engine.has_errors()) return {};
  std::vector<ir::Stencil> stencils;
  for (Item& item : work.items) stencils.push_back(std::move(item.stencil));
  return stencils;
}

std::optional<Compiled> back_end(ir::Stencil stencil, const diag::Sources& sources,
                                 const CompileOptions& options, diag::Engine& engine) {
  Work work{options, sources, engine};
  work.items.emplace_back().stencil = std::move(stencil);
  if (!run_stages(work, "plan", "emit")) return {};
  return std::move(static_cast<Compiled&>(work.items[0]));
}

std::string dump(diag::Sources& sources, const CompileOptions& options, diag::Engine& engine) {
  const ast::Program program = load(sources, options.folders, engine);
  Work work{options, sources, engine, &program};
  if (!engine.has_errors()) run_stages(work, "parse", "emit");
  return work.dumped;
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
              fmt::format("the file holds {} stencils, but this needs one", stencils.size()))
      .help(fmt::format("choose one of `{}` with `--stencil`", fmt::join(names, "`, `")));
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
