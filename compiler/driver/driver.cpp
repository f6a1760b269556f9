#include "driver/driver.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <iostream>

#include "check/plugin.h"
#include "diag/codes.h"
#include "driver/exit_codes.h"
#include "driver/files.h"
#include "driver/library.h"
#include "driver/report.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMaxSource = 64u << 20;

// Where the outputs go.
struct Outputs {
  std::string main, header;
};

std::filesystem::path with_extension(std::filesystem::path path, const char* extension) {
  return path.replace_extension(extension);
}

Outputs output_names(const Options& options) {
  const char* extension = options.compilation.target == plan::Target::cpu ? ".cpp" : ".cu";
  Outputs names;
  names.main =
      !options.output.empty() ? options.output
      : options.input == "-"
          ? "-"
          : with_extension(std::filesystem::path(options.input).filename(), extension).string();
  names.header = !options.header.empty() ? options.header
                 : names.main == "-"     ? ""
                                         : with_extension(names.main, ".h").string();
  return names;
}

// A file name that may stand in an #include without a word said about it.
std::string safe_name(const std::string& name) {
  std::string safe;
  for (const char c : name)
    safe +=
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ? c : '_';
  return safe;
}

// The stem for #include "laplace.h": of the output, else of the input.
std::string stem(const Options& options) {
  const std::string name =
      !options.output.empty() && options.output != "-" ? options.output : options.input;
  const std::string safe = safe_name(std::filesystem::path(name).stem().string());
  return safe.empty() || name == "-" ? "stencil" : safe;
}

bool check_archs(const Options& options, diag::Engine& engine) {
  static constexpr int kKnown[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  for (const std::string& arch : options.archs) {
    bool good = arch == "native";
    for (const int known : kKnown) good |= arch == "sm_" + std::to_string(known);
    if (good) continue;
    engine.report(diag::bad_arch, diag::nowhere, fmt::format("there is no architecture `{}`", arch))
        .help("the architectures are native and sm_75 to sm_121, such as sm_90");
    return false;
  }
  return true;
}

void write(const std::string& path, const std::string& text, diag::Engine& engine) {
  const std::string why = write_text(path, text);
  if (!why.empty())
    engine.report(diag::cannot_write, diag::nowhere,
                  fmt::format("cannot write `{}`: {}", path, why));
}

// The stage asked for by --emit, as text; nothing where there were errors.
std::optional<std::string> stage(const Options& options, const diag::Sources& sources,
                                 diag::Engine& engine) {
  const ast::Program program = parse::parse(sources, 0, engine);
  if (options.emit == "ast")
    return engine.has_errors() ? std::nullopt : std::optional(ast::print(program));
  auto stencil = front_end(sources, program, options.compilation, engine);
  if (!stencil) return {};
  if (options.emit == "ir") return ir::print(*stencil);
  const auto compiled = back_end(std::move(*stencil), sources, options.compilation, engine);
  if (!compiled) return {};
  if (options.emit == "schedule") return plan::print(compiled->schedule, compiled->stencil) + "\n";
  if (options.emit == "kernel") return kernel::print(compiled->module.kernel);
  if (options.emit == "header") return compiled->header;
  if (options.emit == "manifest") return manifest(*compiled);
  return compiled->source;
}

// What Clang says about the emitted texts becomes errors of ours: emitted code is always clean, or
// the compiler is wrong.
void judge(const Compiled& compiled, const Options& options, diag::Engine& engine) {
  std::string why_not;
  const check::CheckApi* api = check::load_check_api(why_not);
  if (!api) {
    engine
        .report(diag::tool_missing, diag::nowhere,
                "--check needs the library that holds Clang: " + why_not)
        .help("build stencilc with LLVM/Clang 22, or leave --check out");
    return;
  }
  check::Source source;
  source.name =
      compiled.module.file + (options.compilation.target == plan::Target::cpu ? ".cpp" : ".cu");
  source.text = compiled.source;
  source.files.push_back({compiled.module.header, compiled.header});
  add_runtime_files(source.files);
  for (const std::string& finding : api->format_findings(compiled.source))
    engine.report(diag::check_failed, diag::nowhere, source.name + ": " + finding);
  if (!options.compilation.standalone)
    for (const std::string& finding : api->format_findings(compiled.header))
      engine.report(diag::check_failed, diag::nowhere, compiled.module.header + ": " + finding);
  for (const std::string& finding : api->syntax_findings(source))
    engine.report(diag::check_failed, diag::nowhere, finding);
}

int explain(const std::string& code) {
  const diag::Row* row = diag::find_row(code);
  if (!row) {
    std::cerr << "stencilc: error: there is no diagnostic `" << code << "`\n";
    return kUsage;
  }
  std::cout << diag::id(row->code) << " " << row->name << "\n\n" << row->explanation << "\n";
  if (!row->failing.empty())
    std::cout << "\nReported for\n\n" << row->failing << "\nand not for\n\n" << row->mended;
  return kOk;
}

}  // namespace

bool read_input(const Options& options, diag::Sources& sources, diag::Engine& engine) {
  set_warnings(options.warnings, engine);
  sources.push_back({options.input == "-" ? "<stdin>" : options.input, ""});
  Text text = read_text(options.input, kMaxSource);
  if (!text.problem.empty()) {
    engine.report(text.too_large ? diag::size_limit : diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", options.input, text.problem));
    return false;
  }
  sources[0].text = std::move(text.text);
  return check_archs(options, engine);
}

int compile_command(const Options& options) {
  diag::Engine engine;
  diag::Sources sources;
  if (!read_input(options, sources, engine)) return finish(engine, sources, options);
  Options named = options;
  named.compilation.file = stem(options);
  if (!options.header.empty())
    named.compilation.header = safe_name(std::filesystem::path(options.header).filename().string());
  const Outputs outputs = output_names(options);
  if (options.emit != "cu" || options.output == "-" || outputs.main == "-") {
    const auto text = stage(named, sources, engine);
    if (text && !engine.has_errors())
      write(options.output.empty() ? "-" : options.output, *text, engine);
    return finish(engine, sources, options);
  }
  const auto compiled = compile(sources, named.compilation, engine);
  if (compiled && options.check) judge(*compiled, options, engine);
  if (compiled && !engine.has_errors()) {
    write(outputs.header, compiled->header, engine);
    if (!engine.has_errors()) write(outputs.main, compiled->source, engine);
    if (!engine.has_errors() && options.write_dependencies) {
      const std::vector<std::string> targets = options.dependency_targets.empty()
                                                   ? std::vector{outputs.main}
                                                   : options.dependency_targets;
      const std::string path = !options.dependency_file.empty()
                                   ? options.dependency_file
                                   : with_extension(outputs.main, ".d").string();
      write(path, dependency_rule(targets, {options.input}, options.phony_dependencies), engine);
    }
  }
  return finish(engine, sources, options);
}

int main(int argc, char** argv) {
  try {
    Options options;
    if (const auto code = parse_options(argc, argv, options)) return *code;
    if (options.explain) return explain(options.explain_code);
    if (const std::string unknown = unknown_warning(options.warnings); !unknown.empty()) {
      std::cerr << "stencilc: error: there is no warning `" << unknown << "`\n";
      return kUsage;
    }
    switch (options.command) {
      case Options::compile:
        return compile_command(options);
      case Options::run:
        return run_command(options);
      case Options::verify:
        return verify_command(options);
    }
  } catch (const std::exception& error) {
    std::cerr << "stencilc: internal error: " << error.what()
              << "\nstencilc: this is a bug of the compiler; please report it with the .stn file\n";
  }
  return kInternal;
}

}  // namespace stencilc::driver
