#include "driver/pipeline/imports.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "diag/codes.h"
#include "driver/system/files.h"
#include "parse/parse.h"

namespace stencilc::driver {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFiles = 1000;

// The path of the file, or an empty path.
fs::path find_import(const std::string& wanted, const std::string& from,
                     const std::vector<std::string>& folders) {
  std::error_code error;
  if (fs::path(wanted).is_absolute()) return fs::is_regular_file(wanted, error) ? wanted : "";
  std::vector<fs::path> places = {fs::path(from).parent_path()};
  places.insert(places.end(), folders.begin(), folders.end());
  for (const fs::path& place : places)
    if (fs::is_regular_file(place / wanted, error)) return place / wanted;
  return {};
}

struct Loader {
  diag::Sources& sources;
  const std::vector<std::string>& folders;
  diag::Engine& engine;
  std::vector<fs::path> known;  // all files that were read
  ast::Program all;

  // Adds the functions and constants of a used file, after those that it uses itself.
  void read(const ast::Use& use) {
    const std::string& from = sources[use.at.file].name;
    const fs::path path = find_import(use.path, from, folders);
    if (path.empty()) {
      diag::Diagnostic& d =
          engine.report(diag::cannot_read, use.at, fmt::format("there is no file `{}`", use.path));
      d.note(
          "it is searched for in the folder of the file that uses it, then in the folders of -I");
      return;
    }
    std::error_code error;
    const fs::path place = fs::canonical(path, error);
    for (const fs::path& other : known)
      if (other == place) return;
    if (known.size() >= kMaxFiles) {
      engine.report(diag::size_limit, use.at,
                    fmt::format("the program has more than {} files", kMaxFiles));
      return;
    }
    known.push_back(place);
    const Text text = read_text(path.string(), kMaxSource);
    if (!text.problem.empty()) {
      engine.report(text.too_large ? diag::size_limit : diag::cannot_read, use.at,
                    fmt::format("cannot read `{}`: {}", path.string(), text.problem));
      return;
    }
    const auto file = static_cast<uint16_t>(sources.size());
    sources.push_back({path.string(), text.text});
    take(parse::parse(sources, file, engine, parse::FileKind::library));
  }

  void take(ast::Program program) {
    for (const ast::Use& use : program.uses) read(use);
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    append(all.constants, program.constants);
    append(all.functions, program.functions);
  }
};

}  // namespace

ast::Program load(diag::Sources& sources, const std::vector<std::string>& folders,
                  diag::Engine& engine) {
  ast::Program program = parse::parse(sources, 0, engine);
  Loader loader{sources, folders, engine, {}, {}};
  std::error_code error;
  loader.known.push_back(fs::weakly_canonical(sources[0].name, error));
  std::vector<ast::Stencil> stencils = std::move(program.stencils);
  std::vector<ast::Use> uses = program.uses;
  loader.take(std::move(program));
  loader.all.uses = std::move(uses);
  loader.all.stencils = std::move(stencils);
  return std::move(loader.all);
}

}  // namespace stencilc::driver
