#include "driver/compile/compile_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "check/plugin/plugin.h"
#include "diag/codes.h"
#include "driver/cli/read_input.h"
#include "driver/cli/report.h"
#include "driver/execute/library.h"
#include "driver/explain/json.h"
#include "driver/explain/text.h"
#include "driver/pipeline/compile.h"
#include "driver/pipeline/imports.h"
#include "driver/system/build_cache.h"
#include "driver/system/files.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

// The paths of the output files.
struct Outputs {
  std::string main;
  std::string header, dependencies;  // "": not written
};

std::filesystem::path with_extension(std::filesystem::path path, const char* extension) {
  return path.replace_extension(extension);
}

// Is a shared library built?
bool builds(const Options& options) {
  return options.emit == "so" && options.compilation.dump_after.empty();
}

// Is a stage printed, and no file written?
bool prints(const Options& options) {
  return !builds(options) && (!options.emit.empty() || !options.compilation.dump_after.empty());
}

Outputs output_names(const Options& options) {
  if (prints(options)) return {options.output.empty() ? "-" : options.output, "", ""};
  const char* extension = builds(options)                                   ? ".so"
                          : options.compilation.target == plan::Target::cpu ? ".cpp"
                                                                            : ".cu";
  Outputs names;
  names.main =
      !options.output.empty() ? options.output
      : options.input == "-"
          ? (builds(options) ? "stencil.so" : "-")
          : with_extension(std::filesystem::path(options.input).filename(), extension).string();
  // Beside standard output or a device there is no place for a file.
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(names.main, error);
  const bool beside =
      names.main != "-" && (!exists(status) || is_regular_file(status) || is_directory(status));
  names.header = !options.header.empty() ? options.header
                 : beside                ? with_extension(names.main, ".h").string()
                                         : "";
  if (options.write_dependencies && names.main != "-")
    names.dependencies = !options.dependency_file.empty()
                             ? options.dependency_file
                             : with_extension(names.main, ".d").string();
  return names;
}

// Reports outputs that would overwrite the input or each other, and names that an #include cannot
// contain.
bool check_outputs(const Options& options, const Outputs& outputs, diag::Engine& engine) {
  const auto refuse = [&](const std::string& path, const std::string& why) {
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, why));
    return false;
  };
  std::error_code error;
  std::vector<std::string> taken;
  if (options.input != "-") taken.push_back(options.input);
  for (const std::string& path : {outputs.main, outputs.header, outputs.dependencies}) {
    if (path.empty() || path == "-" || std::filesystem::is_character_file(path, error)) continue;
    for (const std::string& other : taken)
      if (same_file(path, other))
        return refuse(path, other == options.input ? "it is the input" : "it is another output");
    taken.push_back(path);
  }
  const std::string name = std::filesystem::path(outputs.header).filename().string();
  for (const unsigned char c : name)
    if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
      return refuse(outputs.header, "an #include cannot name it");
  return true;
}

// Reports names that have a special meaning in make.
bool check_dependencies(const std::vector<std::string>& targets,
                        const std::vector<std::string>& inputs, const std::string& file,
                        diag::Engine& engine) {
  for (const auto* names : {&targets, &inputs})
    for (const std::string& name : *names) {
      const std::string why = no_dependency(name);
      if (why.empty()) continue;
      engine
          .report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: `{}` {}, which a dependency file cannot express",
                              file, name, why))
          .help("rename the file, or compile without `-MD`");
      return false;
    }
  return true;
}

// The stem of the names in the output: the stem of the output file, otherwise of the input, with
// characters replaced that an #include cannot contain.
std::string stem(const Options& options) {
  const std::string name =
      !options.output.empty() && options.output != "-" ? options.output : options.input;
  if (name == "-") return "stencil";
  std::string stem = std::filesystem::path(name).stem().string();
  for (char& c : stem)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"' || c == '\\') c = '_';
  return stem;
}

void write(const std::vector<Output>& outputs, diag::Engine& engine) {
  if (const auto problem = write_texts(outputs))
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", problem->path, problem->why));
}

// The stage that --emit or --dump-after names, as text; nothing after an error.
std::optional<std::string> stage(const Options& options, diag::Sources& sources,
                                 diag::Engine& engine) {
  if (!options.compilation.dump_after.empty()) {
    const std::string text = dump(sources, options.compilation, engine);
    return engine.has_errors() ? std::nullopt : std::optional(text);
  }
  if (options.emit == "ast") {
    const ast::Program program = parse::parse(sources, 0, engine);
    return engine.has_errors() ? std::nullopt : std::optional(ast::print(program));
  }
  std::string text;
  if (options.emit == "ir") {
    const ast::Program program = load(sources, options.compilation.folders, engine);
    for (const ir::Stencil& stencil : front_end(sources, program, options.compilation, engine))
      text += ir::print(stencil);
    return engine.has_errors() ? std::nullopt : std::optional(text);
  }
  const std::vector<Compiled> all = compile_all(sources, options.compilation, engine);
  if (all.empty()) return {};
  const Files files = files_of(all, options.compilation, engine);
  if (options.emit == "manifest") return manifest(all, options.compilation.target);
  if (options.emit == "header") return files.header;
  if (options.emit != "schedule" && options.emit != "kernel") return files.source;
  for (const Compiled& one : all) {
    if (options.emit == "schedule") text += schedule_text(one);
    if (options.emit == "kernel")
      for (const kernel::Launch& launch : one.module.launches) text += kernel::print(launch.kernel);
  }
  return text;
}

// Reports what Clang finds in the emitted code as errors, since emitted code should be clean.
void judge(const Files& files, const CompileOptions& compilation, diag::Engine& engine) {
  std::string why_not;
  const check::CheckApi* api = check::load_check_api(why_not);
  if (!api) {
    engine
        .report(diag::tool_missing, diag::nowhere, "`--check` cannot judge the output: " + why_not)
        .help(kHowToAddClang)
        .help("without `--check` the code is written all the same");
    return;
  }
  check::Source source;
  source.name = compilation.file + (compilation.target == plan::Target::cpu ? ".cpp" : ".cu");
  source.text = files.source;
  source.files.push_back({compilation.header, files.header});
  add_runtime_files(source.files);
  for (const std::string& finding : api->format_findings(files.source))
    engine.report(diag::check_failed, diag::nowhere, source.name + ": " + finding);
  if (!compilation.standalone)
    for (const std::string& finding : api->format_findings(files.header))
      engine.report(diag::check_failed, diag::nowhere, compilation.header + ": " + finding);
  for (const std::string& finding : api->syntax_findings(source))
    engine.report(diag::check_failed, diag::nowhere, finding);
}

// Builds the shared library of all stencils. Empty after an error.
std::string shared_library(const std::vector<Compiled>& all, const Files& texts,
                           const Options& options, diag::Engine& engine) {
  const CompileOptions& compilation = options.compilation;
  std::vector<kernel::Module> modules;
  for (const Compiled& one : all) modules.push_back(one.module);
  const std::string unit = emit::manifest_unit(modules, manifest(all, compilation.target),
                                               emit_options(modules, compilation));
  const Library library =
      build_library({modules[0].name, compilation.file, texts.source, compilation.header,
                     texts.header, compilation.file + "_manifest", unit},
                    compilation.target, options.archs);
  if (library.problem.empty()) return content(library.path);
  diag::Diagnostic& report =
      engine.report(library.tool_missing ? diag::tool_missing : diag::build_failed, diag::nowhere,
                    library.problem);
  if (library.tool_missing && compilation.target == plan::Target::cuda)
    report.help("`--target=cpu` builds a library for the CPU, with g++");
  return "";
}

void print_explanation(const std::vector<Compiled>& stencils, const Options& options,
                       std::ostream& out) {
  std::vector<Explanation> all;
  for (const Compiled& one : stencils) all.push_back(explain(one, options.compilation));
  if (options.explain_json && !all.empty()) out << json_of(all);
  for (const Explanation& one : all)
    for (const std::string& line :
         options.explain_json ? std::vector<std::string>() : lines_of(one))
      out << line << "\n";
}

}  // namespace

int compile_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  named.compilation.file = stem(options);
  const Outputs outputs = output_names(options);
  if (!check_outputs(options, outputs, engine)) return finish(engine, sources, options);
  named.compilation.header = std::filesystem::path(outputs.header).filename().string();
  if (builds(options) && outputs.header.empty()) {
    engine
        .report(diag::cannot_write, diag::nowhere,
                fmt::format("cannot write a shared library to `{}`", outputs.main))
        .help("name a file: `-o laplace.so` writes laplace.so and laplace.h");
    return finish(engine, sources, options);
  }
  if (prints(options) || (outputs.main == "-" && !options.explain_plan)) {
    const auto text = stage(named, sources, engine);
    if (text && !engine.has_errors()) write({{outputs.main, *text}}, engine);
    return finish(engine, sources, options);
  }
  const std::vector<Compiled> all = compile_all(sources, named.compilation, engine);
  if (options.explain_plan) {
    print_explanation(all, named, std::cout);
    return finish(engine, sources, options);
  }
  Files texts;
  if (!all.empty()) texts = files_of(all, named.compilation, engine);
  if (!all.empty() && options.check) judge(texts, named.compilation, engine);
  std::string main = texts.source;
  if (!all.empty() && !engine.has_errors() && builds(options))
    main = shared_library(all, texts, named, engine);
  if (!all.empty() && !engine.has_errors()) {
    std::vector<Output> files;
    if (!outputs.header.empty()) files.push_back({outputs.header, texts.header});
    files.push_back({outputs.main, main});
    if (!outputs.dependencies.empty()) {
      std::vector<std::string> inputs = {options.input};
      for (size_t used = 1; used < sources.size(); ++used) inputs.push_back(sources[used].name);
      const std::vector<std::string> targets = options.dependency_targets.empty()
                                                   ? std::vector{outputs.main}
                                                   : options.dependency_targets;
      if (!check_dependencies(targets, inputs, outputs.dependencies, engine))
        return finish(engine, sources, options);
      files.push_back(
          {outputs.dependencies, dependency_rule(targets, inputs, options.phony_dependencies)});
    }
    write(files, engine);
  }
  return finish(engine, sources, options);
}

}  // namespace stencilc::driver
