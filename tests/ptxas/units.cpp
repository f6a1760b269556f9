#include "ptxas/units.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "diag/render.h"
#include "driver/pipeline/compile.h"
#include "plan/machine/device.h"
#include "plan/syntax/print_schedule.h"
#include "support/process.h"

namespace stencilc::ptxas {
namespace {

namespace fs = std::filesystem;

const fs::path source_dir = STENCILC_SOURCE_DIR;

std::vector<fs::path> stencils_in(const char* folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source_dir / folder))
    if (entry.path().extension() == ".stn") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_benchmark(const fs::path& example) {
  return example.stem() == "wave3d" || example.stem() == "himeno";
}

std::string replaced(const std::string& text, const char* what, const std::string& by) {
  return std::regex_replace(text, std::regex(what), by);
}

// A stencil of bench/one-step with other types.
Program retyped(const fs::path& file, const char* what, const std::string& type) {
  const std::string stem = file.stem().string(), name = stem + "_" + type;
  std::string text = replaced(test::read(file), what, "$1" + type);
  return {name, replaced(text, "stencil \\w+", "stencil " + name), "coarsened"};
}

Program as_it_stands(const fs::path& file) { return {file.stem().string(), test::read(file), ""}; }

// By the schedule that is chosen, of which a launch may take several steps.
Program as_chosen(Program program) {
  const std::string name = program.name + "_chosen";
  return {name, replaced(program.text, "stencil \\w+", "stencil " + name), ""};
}

bool may_take_several(const fs::path& file) {
  return std::regex_match(file.stem().string(), std::regex("(star|box)2d[0-9]"));
}

// "2-D coarsened,vector,coarsen=y": what a schedule says, but for numbers, limits of registers,
// whether there are warps enough, and the names of values in memory.
std::string way_of(const plan::Schedule& schedule, const ir::Stencil& stencil) {
  static const std::regex numbers("=[0-9][0-9x]*"), cells("(=[xyz])[0-9]+"),
      details(",(ahead|registers|resident|threads)\\b|,global=[^,]*");
  std::string way = plan::print(schedule, stencil);
  way = std::regex_replace(way, numbers, "");
  way = std::regex_replace(way, cells, "$1");
  return std::to_string(stencil.rank()) + "-D " + std::regex_replace(way, details, "");
}

void add_kinds(std::set<std::string>& kinds, const plan::Schedule& schedule,
               const ir::Stencil& stencil) {
  const std::string way = way_of(schedule, stencil);
  for (const ir::Field& field : stencil.fields)
    kinds.insert(way + " " + std::string(ir::name(field.type)));
}
void add_kinds(std::set<std::string>& kinds, const plan::Plan& plan, const ir::Stencil& stencil) {
  add_kinds(kinds, plan.single, stencil);
  for (const plan::Several& one : plan.several) add_kinds(kinds, one.schedule, stencil);
}

}  // namespace

std::vector<Program> benchmark_programs(const std::vector<std::string>& types) {
  std::vector<Program> programs;
  for (const fs::path& file : stencils_in("bench/one-step")) {
    if (file.stem() == "box2d1_u8") {
      programs.push_back(as_it_stands(file));
      continue;
    }
    for (const std::string& type : types) {
      programs.push_back(retyped(file, "()\\bf32\\b", type));
      if (may_take_several(file)) programs.push_back(as_chosen(programs.back()));
    }
    if (file.stem() == "box2d1") programs.push_back(retyped(file, "(field )f32\\b", "f16"));
  }
  for (const fs::path& file : stencils_in("examples"))
    if (is_benchmark(file)) programs.push_back(as_it_stands(file));
  return programs;
}

std::vector<Program> other_examples() {
  std::vector<Program> programs;
  for (const fs::path& file : stencils_in("examples"))
    if (!is_benchmark(file)) programs.push_back(as_it_stands(file));
  return programs;
}

Emitted emitted(const Program& program, const std::string& arch) {
  diag::Sources sources = {{"examples/" + program.name + ".stn", program.text}};
  driver::CompileOptions options;
  options.folders = {(source_dir / "examples").string()};
  options.file = program.name;
  options.schedule = program.schedule;
  options.devices = {*plan::find_device(arch)};
  diag::Engine engine;
  const auto stencils = driver::compile_all(sources, options, engine);
  const driver::Files files =
      engine.has_errors() ? driver::Files() : driver::files_of(stencils, options, engine);
  std::string complaints;
  for (const diag::Diagnostic& diagnostic : engine.all())
    complaints += diag::render_gnu(diagnostic, sources, false);
  if (engine.has_errors()) throw std::runtime_error(complaints);

  Emitted result{program.name, files.source, files.header, {}, false, {}};
  for (const driver::Compiled& stencil : stencils) {
    add_kinds(result.kinds, stencil.plan, stencil.stencil);
    for (const kernel::Launch& launch : stencil.module.launches) {
      const int* threads = launch.kernel.threads;
      result.threads[stencil.module.name + "::" + launch.kernel.name] =
          threads[0] * threads[1] * threads[2];
    }
  }
  static const std::regex f64("\\bf64\\b");
  for (const auto& source : sources)
    result.has_f64 = result.has_f64 || std::regex_search(source.text, f64);
  return result;
}

std::vector<Unit> units_of(const std::string& name, const std::string& arch,
                           const std::vector<Program>& programs, size_t count, Extent extent) {
  std::vector<Unit> units;
  for (size_t i = 0; i < count; ++i)
    units.push_back({name + "_" + arch + "_" + std::to_string(i + 1), arch, {}, extent});
  for (size_t i = 0; i < programs.size(); ++i)
    units[i % count].programs.push_back(emitted(programs[i], arch));
  return units;
}

}  // namespace stencilc::ptxas
