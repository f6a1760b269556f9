#include "driver/driver.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "check/plugin.h"
#include "diag/codes.h"
#include "driver/archs.h"
#include "driver/exit_codes.h"
#include "driver/explanation_json.h"
#include "driver/explanation_text.h"
#include "driver/files.h"
#include "driver/format.h"
#include "driver/library.h"
#include "driver/option_words.h"
#include "driver/report.h"
#include "driver/tuning_file.h"
#include "driver/uses.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

// Where the outputs go.
struct Outputs {
  std::string main;
  std::string header, dependencies;  // "": not written
};

std::filesystem::path with_extension(std::filesystem::path path, const char* extension) {
  return path.replace_extension(extension);
}

Outputs output_names(const Options& options) {
  if (!options.emit.empty()) return {options.output.empty() ? "-" : options.output, "", ""};
  const char* extension = options.compilation.target == plan::Target::cpu ? ".cpp" : ".cu";
  Outputs names;
  names.main =
      !options.output.empty() ? options.output
      : options.input == "-"
          ? "-"
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

// Reports what would overwrite the input or another output, and names that no #include can hold.
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
      return refuse(outputs.header, "no #include can name it");
  return true;
}

// Reports names that would mean something else to make.
bool check_dependencies(const std::vector<std::string>& targets,
                        const std::vector<std::string>& inputs, const std::string& file,
                        diag::Engine& engine) {
  for (const auto* names : {&targets, &inputs})
    for (const std::string& name : *names) {
      const std::string why = no_dependency(name);
      if (why.empty()) continue;
      engine
          .report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: `{}` {}, which no depfile can carry", file, name,
                              why))
          .help("rename the file, or compile without `-MD`");
      return false;
    }
  return true;
}

// The stem of the names in the output: that of the output, else of the input, without what could
// not stand in an #include.
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

// The schedule as --schedule takes it; below it, where a line of the text or a tune file asks for
// it, which.
std::string schedule_text(const Compiled& compiled) {
  const plan::Schedule& schedule = compiled.schedule;
  const std::string text = plan::print(schedule, compiled.stencil) + "\n";
  const bool given = schedule.line != 0 || schedule.tuned;
  return !given ? text : text + "  " + schedule.reason + "\n";
}

// The stage asked for by --emit, as text; nothing where there were errors.
std::optional<std::string> stage(const Options& options, diag::Sources& sources,
                                 diag::Engine& engine) {
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
  if (options.emit == "manifest") return manifest(all);
  if (options.emit == "header") return files.header;
  if (options.emit != "schedule" && options.emit != "kernel") return files.source;
  for (const Compiled& one : all) {
    if (options.emit == "schedule") text += schedule_text(one);
    if (options.emit == "kernel")
      for (const kernel::Launch& launch : one.module.launches) text += kernel::print(launch.kernel);
  }
  return text;
}

// What Clang says about the emitted texts becomes errors of ours: emitted code is always clean, or
// the compiler is wrong.
void judge(const Files& files, const CompileOptions& compilation, diag::Engine& engine) {
  std::string why_not;
  const check::CheckApi* api = check::load_check_api(why_not);
  if (!api) {
    engine
        .report(diag::tool_missing, diag::nowhere, "`--check` cannot judge the output: " + why_not)
        .help(kHowToAddClang)
        .help("without --check the code is written all the same");
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

// Of a name on the command line that a page of docs/ lists.
int unknown_word(const char* what, const std::string& name, const std::vector<std::string>& known,
                 const char* page) {
  const std::string close = diag::nearest(name, known);
  return usage_error(fmt::format("there is no {} `{}`; {}", what, name,
                                 close.empty() ? fmt::format("docs/{} lists them", page)
                                               : fmt::format("did you mean `{}`?", close)));
}

int explain_code(const std::string& code) {
  const diag::Row* row = diag::find_row(code);
  if (!row) {
    std::vector<std::string> known;
    for (const diag::Row& one : diag::table())
      known.insert(known.end(), {diag::id(one.code), std::string(one.name)});
    return unknown_word("diagnostic", code, known, "diagnostics.md");
  }
  std::cout << diag::id(row->code) << " " << row->name << "\n\n" << row->explanation << "\n";
  if (!row->failing.empty())
    std::cout << "\nReported for\n\n" << row->failing << "\nand not for\n\n" << row->mended;
  return kOk;
}

}  // namespace

bool read_input(Options& options, diag::Sources& sources, diag::Engine& engine) {
  set_warnings(options.warnings, engine);
  sources.push_back({options.input == "-" ? "<stdin>" : options.input, ""});
  Text text = read_text(options.input, kMaxSource);
  if (!text.problem.empty()) {
    engine.report(text.too_large ? diag::size_limit : diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", options.input, text.problem));
    return false;
  }
  sources[0].text = std::move(text.text);
  options.compilation.size = options.size;
  const bool schedules =
      options.emit != "ast" && options.emit != "ir" && options.command != Options::tune_schedules;
  return find_devices(options, engine) && (!schedules || load_tuning(options, sources, engine));
}

int compile_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  Options named = options;
  if (!read_input(named, sources, engine)) return finish(engine, sources, options);
  named.compilation.file = stem(options);
  const Outputs outputs = output_names(options);
  if (!check_outputs(options, outputs, engine)) return finish(engine, sources, options);
  named.compilation.header = std::filesystem::path(outputs.header).filename().string();
  if (!options.emit.empty() || outputs.main == "-") {
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
  if (!all.empty() && !engine.has_errors()) {
    std::vector<Output> files;
    if (!outputs.header.empty()) files.push_back({outputs.header, texts.header});
    files.push_back({outputs.main, texts.source});
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

namespace {

// Expressions are walked by recursion, and 10,000 terms may stand one inside the other. Linux lets
// the stack of the first thread grow as far as the limit says when it grows, and leaves 128 MiB
// free below it.
void allow_deep_expressions() {
  constexpr rlim_t kStack = rlim_t{96} << 20;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStack) return;
  stack.rlim_cur = std::min(kStack, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
}

}  // namespace

namespace {

int run(int argc, char** argv) {
  try {
    Options options;
    if (const auto code = parse_options(argc, argv, options)) return *code;
    if (options.explain) return explain_code(options.explain_code);
    if (const std::string unknown = unknown_warning(options.warnings); !unknown.empty()) {
      std::vector<std::string> known = {"all", "error"};
      for (const diag::Row& row : diag::table())
        if (row.severity == diag::Severity::warning) known.emplace_back(row.name);
      return unknown_word("warning", unknown, known, "language.md");
    }
    switch (options.command) {
      case Options::compile:
        return compile_command(options);
      case Options::run:
        return run_command(options);
      case Options::verify:
        return verify_command(options);
      case Options::bench_schedules:
        return bench_command(options);
      case Options::tune_schedules:
        return tune_command(options);
      case Options::reformat:
        return format_command(options);
    }
  } catch (const std::bad_alloc&) {
    std::cerr << "stencilc: error: there is not enough memory\n";
    return kLimit;
  } catch (const std::exception& error) {
    std::cerr << "stencilc: internal error: " << error.what()
              << "\nstencilc: this is a bug of the compiler; please report it with the .stn file\n";
  }
  return kInternal;
}

}  // namespace

int main(int argc, char** argv) {
  allow_deep_expressions();
  const int code = run(argc, argv);
  errno = 0;
  if (std::cout.flush()) return code;
  std::cerr << "stencilc: error: cannot write to standard output"
            << (errno != 0 ? fmt::format(": {}", std::strerror(errno)) : "") << "\n";
  return code == kOk ? kInputOutput : code;
}

}  // namespace stencilc::driver
