#include "driver/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iostream>

#include "driver/exit_codes.h"
#include "driver/format.h"
#include "emit/writer.h"
#include "generated/version.h"

namespace stencilc::driver {
namespace {

// Spellings of compilers that the option library does not know, as long options.
std::vector<std::string> normalised(const std::vector<std::string>& arguments) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWhole = {
      {{"-MD", "--write-dependencies"},
       {"-MF", "--dependency-file"},
       {"-MT", "--dependency-target"},
       {"-MP", "--phony-dependencies"}}};
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    std::string text = argument;
    for (const auto& [ours, theirs] : kWhole)
      if (argument == ours) text = theirs;
    if (argument.starts_with("-O") && argument.size() > 2)
      text = "--optimise=" + argument.substr(2);
    if (argument.starts_with("-W") && argument.size() > 2) text = "--warning=" + argument.substr(2);
    result.push_back(text);
  }
  return result;
}

// @file stands for the words in the file: separated by white space, in quotes where they contain
// some.
bool expand_response_files(std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '@') {
      result.push_back(argument);
      continue;
    }
    std::ifstream file(argument.substr(1));
    if (!file) {
      std::cerr << "stencilc: error: cannot read the response file `" << argument.substr(1)
                << "`\n";
      return false;
    }
    std::string word;
    char quote = 0;
    bool open = false;
    for (char c; file.get(c);) {
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? 0 : c;
        open = true;
      } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
        if (open) result.push_back(std::exchange(word, ""));
        open = false;
      } else {
        word += c;
        open = true;
      }
    }
    if (open) result.push_back(word);
  }
  arguments = std::move(result);
  return true;
}

std::optional<NameValue> name_value(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return {};
  return NameValue{text.substr(0, equals), text.substr(equals + 1)};
}

// "512x256x128"
std::optional<std::vector<int64_t>> parse_size(const std::string& text) {
  std::vector<int64_t> size;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 1) return {};
    size.push_back(value);
    if (next == end) return size;
    if (*next != 'x') return {};
    at = next + 1;
  }
}

int usage_error(const std::string& text) {
  std::cerr << "stencilc: error: " << text << "\nstencilc: `stencilc --help` lists the options\n";
  return kUsage;
}

// The words that make the same output again: what does not change it is left out.
std::string remembered_command(const std::vector<std::string>& arguments) {
  std::string text = "stencilc";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool takes_value = word == "-MF" || word == "-MT" || word == "-o" || word == "-H";
    if (word == "-MD" || word == "--explain" || word == "-MP" || word == "--check" ||
        word.starts_with("--color") || word.starts_with("--diag") || word.starts_with("-W"))
      continue;
    if (takes_value && word != "-o") {
      ++i;
      continue;
    }
    // a folder is a matter of the machine, a name is not
    std::string shown = word[0] == '-' ? word : word.substr(word.find_last_of('/') + 1);
    text += " " + shown;
  }
  return text;
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!expand_response_files(arguments)) return kInputOutput;
  const std::vector<std::string> later = {"bench", "tune", "import"};
  if (!arguments.empty()) {
    if (arguments[0] == "run") options.command = Options::run;
    if (arguments[0] == "verify") options.command = Options::verify;
    if (arguments[0] == "fmt") return parse_format_options(arguments, options);
    if (std::find(later.begin(), later.end(), arguments[0]) != later.end())
      return usage_error(fmt::format("the command `{}` is not in this version", arguments[0]));
  }
  options.compilation.command = remembered_command(arguments);
  std::vector<std::string> words = normalised(arguments);
  if (options.command != Options::compile) words.erase(words.begin());

  CLI::App app(
      "Compiles a stencil program (.stn) to CUDA, or to C++ for the CPU.\n"
      "  stencilc laplace.stn -o laplace.cu      writes laplace.cu and laplace.h\n"
      "  stencilc run laplace.stn --size 512x512 --steps 100 --plot u.png\n"
      "  stencilc verify laplace.stn             compares the emitted code with the interpreter\n"
      "  stencilc fmt laplace.stn                brings the file into its one form",
      "stencilc");
  app.set_version_flag("--version", fmt::format("stencilc {}{}", kVersion,
                                                *kCommit ? fmt::format(" ({})", kCommit) : ""));
  app.add_option("input", options.input, "The .stn file, or - for standard input");
  app.add_option("-o,--output", options.output, "The output; - is standard output");
  app.add_option("-H,--header", options.header, "The header (default: beside the output)");
  app.add_option("--emit", options.emit, "What to write instead of CUDA")
      ->check(
          CLI::IsMember({"ast", "ir", "schedule", "kernel", "cu", "cpu", "header", "manifest"}));
  app.add_option("-I,--include", options.compilation.folders, "Where files of `use` are looked for")
      ->allow_extra_args(false);
  app.add_option("--stencil", options.compilation.stencil, "The one of several in the file");
  app.add_option("--target", options.target_name, "cuda or cpu")
      ->check(CLI::IsMember({"cuda", "cpu"}));
  app.add_option("--arch", options.archs, "GPU architectures the file is for: sm_90, or native")
      ->delimiter(',');
  app.add_option("--schedule", options.compilation.schedule,
                 "naive or coarsened, and changes: coarsened,threads=32x8,coarsen=y4");
  app.add_option("--optimise", options.compilation.optimisation, "-O0 (naive) to -O3")
      ->check(CLI::Range(0, 3));
  std::string fp = "canonical";
  app.add_option("--fp", fp, "The order of roundings: canonical, or source as written")
      ->check(CLI::IsMember({"canonical", "source", "fast"}));
  bool no_fma = false;
  CLI::Option* explain = nullptr;
  app.add_flag("--no-fma", no_fma, "Round every product");
  std::vector<std::string> defines, params, inputs, outputs, points;
  app.add_option("-D,--define", defines, "name=value: the param is this constant")
      ->allow_extra_args(false);
  app.add_flag("--line-directives", options.compilation.line_directives,
               "#line, so that tools point at the .stn");
  app.add_flag("--standalone", options.compilation.standalone,
               "The output needs no runtime header");
  app.add_flag("--check", options.check, "Clang judges the output: syntax, warnings, layout");
  explain = app.add_option("--explain", options.explain_code,
                           "STN0201: what a diagnostic means; without: what was decided, and why")
                ->expected(0, 1);
  app.add_flag("--write-dependencies", options.write_dependencies, "-MD: write a depfile");
  app.add_option("--dependency-file", options.dependency_file, "-MF: its name");
  app.add_option("--dependency-target", options.dependency_targets, "-MT: what depends")
      ->allow_extra_args(false);
  app.add_flag("--phony-dependencies", options.phony_dependencies,
               "-MP: a rule without commands for each input");
  app.add_option("--warning", options.warnings, "-Wname, -Wno-name, -Wall, -Werror, -Werror=name")
      ->allow_extra_args(false);
  app.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--error-limit", options.error_limit, "Stop after so many errors; 0: never")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--diagnostics-format", options.format, "gnu or json")
      ->check(CLI::IsMember({"gnu", "json"}));
  std::string size;
  CLI::Option* steps = nullptr;
  if (options.command == Options::run) {
    app.add_option("--size", size, "Extents, x first: 1024x768 (default: those of the inputs)");
    steps = app.add_option("--steps", options.steps, "Time steps")->check(CLI::NonNegativeNumber);
    app.add_option(
           "--in", inputs,
           "field=file.png, file.npy, gauss, random, checkerboard, ramp, zero or constant:V")
        ->allow_extra_args(false);
    app.add_option("--out", outputs, "field=file.npy or file.png")->allow_extra_args(false);
    app.add_option("--plot", options.plots, "A picture of a field: u.png, or u=file.png")
        ->allow_extra_args(false);
    app.add_option("--param", params, "name=value")->allow_extra_args(false);
    app.add_option("--points", points, "list=12,20;40,8 or list=file.npy")->allow_extra_args(false);
    app.add_option("--seed", options.seed, "Of random inputs");
  }
  std::reverse(words.begin(), words.end());  // as the library wants them
  try {
    app.parse(words);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  options.steps_given = steps && steps->count() > 0;
  // `--explain STN0201`, or `--explain` beside an input, whose name may stand behind it.
  options.explain = explain->count() > 0;
  const auto is_code = [](const std::string& word) {
    return !word.empty() && word != "-" && word.find_first_of("./") == std::string::npos;
  };
  if (options.explain && !is_code(options.explain_code)) {
    if (options.input.empty()) options.input = options.explain_code;
    options.explain = false;
    options.explain_plan = true;
  }
  if (options.explain) return {};
  if (options.input.empty()) return usage_error("no input file");
  if (fp == "fast")
    return usage_error("`--fp=fast` is not in this version; the orders are canonical and source");
  options.compilation.numerics = {fp == "source" ? ir::Numerics::source : ir::Numerics::canonical,
                                  !no_fma};
  if (options.emit == "cpu" || options.target_name == "cpu")
    options.compilation.target = plan::Target::cpu;
  const auto collect = [&](const std::vector<std::string>& texts, const char* option,
                           std::vector<NameValue>& out) {
    for (const std::string& text : texts) {
      const auto pair = name_value(text);
      if (!pair) return usage_error(fmt::format("`{} {}`: name=value is expected", option, text));
      out.push_back(*pair);
    }
    return 0;
  };
  if (int code = collect(defines, "-D", options.compilation.defines)) return code;
  if (int code = collect(params, "--param", options.params)) return code;
  if (int code = collect(inputs, "--in", options.inputs)) return code;
  if (int code = collect(points, "--points", options.points)) return code;
  if (int code = collect(outputs, "--out", options.outputs)) return code;
  if (!size.empty()) {
    const auto extents = parse_size(size);
    if (!extents)
      return usage_error(fmt::format("`--size {}`: extents such as 1024x768 are expected", size));
    options.size = *extents;
  }
  return {};
}

}  // namespace stencilc::driver
