#include "run/programs.h"

#include <algorithm>
#include <stdexcept>

#include "diag/render.h"
#include "driver/pipeline/imports.h"
#include "driver/system/files.h"
#include "parse/parse.h"
#include "plan/schedule/convolutions.h"
#include "plan/schedule/fusion.h"
#include "plan/schedule/value_placement.h"
#include "run/random.h"
#include "run/random_program.h"
#include "run/real_program.h"

namespace stencilc::run_test {
namespace {

constexpr size_t kMaxSource = 1u << 20;

}  // namespace

void fix_index(std::string& source, bool wide) {
  const std::string choice = "const auto advance = narrow ? ", narrow = "::advance<int>";
  const size_t begin = source.find(choice), name = begin + choice.size();
  const size_t end = begin == std::string::npos ? begin : source.find(narrow, name);
  if (end == std::string::npos) throw std::logic_error("the emitted text chooses no index type");
  const std::string advance = source.substr(name, end - name) + "::advance<";
  source.replace(begin, source.find(';', end) - begin,
                 "(void)narrow;\n  const auto advance = " + advance + (wide ? "int64_t>" : "int>"));
}

std::string with_axes_of(const ir::Stencil& stencil, std::string schedule) {
  const std::string key = "coarsen=";
  const size_t at = schedule.find(key);
  if (at == std::string::npos) return schedule;
  const auto axis = static_cast<size_t>(schedule[at + key.size()] - 'x');
  if (axis >= stencil.axes.size()) return schedule;
  return schedule.replace(at + key.size(), 1, stencil.axes[axis]);
}

std::string print(const ir::Numerics& numerics) {
  std::string text = numerics.order == ir::Numerics::source ? "--fp=source" : "";
  if (!numerics.fuse) text += text.empty() ? "--no-fma" : " --no-fma";
  return text;
}

std::vector<Program> example_programs(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".stn") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Program> programs;
  for (const auto& file : files) {
    const std::string stem = file.stem().string();
    const std::string text = driver::read_text(file.string(), kMaxSource).text;
    const diag::Sources sources = {{file.string(), text}};
    diag::Engine engine;
    for (const ast::Stencil& stencil : parse::parse(sources, 0, engine).stencils)
      for (const auto order : {ir::Numerics::canonical, ir::Numerics::source})
        programs.push_back({stem + ", " + stencil.name.name,
                            "--programs examples --only " + stem,
                            text,
                            {},
                            {order, true},
                            file.string(),
                            stencil.name.name});
  }
  return programs;
}

Program seeded_program(uint64_t seed, bool transcendental) {
  RandomProgram made = random_program(seed, transcendental);
  ir::Numerics numerics;
  if (seed % 8 == 3 || seed % 16 == 7) numerics.order = ir::Numerics::source;
  if (seed % 8 == 6 || seed % 16 == 7) numerics.fuse = false;
  const std::string number = std::to_string(seed);
  return {"seed " + number,
          "--programs random --seeds " + number + ".." + number +
              (transcendental ? " --transcendental" : ""),
          std::move(made.text), std::move(made.defines), numerics};
}

Program real_seeded_program(uint64_t seed, bool transcendental) {
  RandomProgram made = real_program(seed, transcendental);
  Random random(seed + 0x6e756d);
  ir::Numerics numerics;
  if (random.chance(12)) numerics.order = ir::Numerics::source;
  if (random.chance(12)) numerics.fuse = false;
  const std::string number = std::to_string(seed);
  return {"real " + number,
          "--programs real --seeds " + number + ".." + number +
              (transcendental ? " --transcendental" : ""),
          std::move(made.text), std::move(made.defines), numerics};
}

std::optional<driver::Compiled> compile(const Program& program, plan::Target target,
                                        const std::string& schedule, const std::string& tag,
                                        std::string& problem) {
  diag::Sources sources = {
      {program.file.empty() ? program.name + ".stn" : program.file, program.text}};
  diag::Engine engine;
  driver::CompileOptions options;
  options.verify_passes = true;
  options.any_grid = true;
  options.target = target;
  options.devices = {*plan::find_device("sm_90")};  // which has all that schedules ask for
  options.defines = program.defines;
  options.numerics = program.numerics;
  options.stencil = program.stencil;
  options.boxes = program.boxes;
  options.pieces = program.pieces;
  options.distributed = program.distributed;
  options.file = "program" + tag;
  std::vector<ir::Stencil> stencils =
      driver::front_end(sources, driver::load(sources, options.folders, engine), options, engine);
  std::optional<driver::Compiled> compiled;
  if (stencils.size() == 1) {
    stencils[0].name += tag;
    options.schedule = with_axes_of(stencils[0], schedule);
    compiled = driver::back_end(std::move(stencils[0]), sources, options, engine);
  } else if (!stencils.empty()) {
    problem = "the file holds several stencils";
  }
  for (const diag::Diagnostic& diagnostic : engine.all())
    if (diagnostic.severity == diag::Severity::error && problem.empty())
      problem = diag::render_gnu(diagnostic, sources, false);
  return compiled;
}

namespace {

// Blocks that share what they read: threads of one cell and of vectors, by every way of filling.
std::vector<std::string> tiles(int rank) {
  if (rank == 1)
    return {
        "threads=32,vector=1,coarsen=x1,shared=loads", "threads=8,vector=1,coarsen=x3,shared=async",
        "threads=8,vector=4,coarsen=x2,shared=boxes", "threads=16,vector=2,coarsen=x1,shared=loads",
        "threads=64,vector=2,coarsen=x1,shared=async,fill=split"};
  if (rank == 2)
    return {"threads=8x4,vector=1,coarsen=y3,shared=loads",
            "threads=16x2,vector=1,coarsen=y1,shared=boxes",
            "threads=4x3,vector=4,coarsen=x2,shared=async",
            "threads=8x2,vector=2,coarsen=y3,sums=scatter,shared=loads",
            "threads=4x4,vector=4,coarsen=y2,sums=gather,shared=boxes",
            "threads=16x6,vector=1,coarsen=y2,shared=loads,fill=split"};
  return {"threads=8x3,vector=1,coarsen=z5,shared=loads,ahead=1",
          "threads=8x3,vector=1,coarsen=z5,shared=async,ahead=2",
          "threads=16x2,vector=1,coarsen=z6,shared=boxes,ahead=1",
          "threads=16x8,vector=2,rows=1,coarsen=z5,sums=gather,shared=async,ahead=1,fill=split"};
}

// A shape of its own for the last launch of a step that has several, or for the first one.
std::string of_one_launch(const ir::Stencil& stencil, bool last, const std::string& shape) {
  const std::vector<plan::Launch> all = plan::stages(stencil, plan::Fusion::split, true).launches;
  std::vector<std::string> names;
  for (const plan::Launch& launch : all)
    if (!launch.stores.empty())
      names.push_back(stencil.fields[stencil.updates[launch.stores[0].update].field].name);
  if (names.size() < 2) return "";
  return ",stages=split,launch=" + (last ? names.back() : names.front()) + "(" + shape + ")";
}

// Sums over boxes whose taps are loops: rows from the caches, and from tiles filled in every way.
std::vector<std::string> loops(int rank) {
  if (rank == 1)
    return {"threads=32,vector=2,taps=unrolled,shared=none",
            "threads=32,vector=8,taps=unrolled,shared=async"};
  if (rank == 2)
    return {"threads=8x4,vector=4,rows=3,taps=rolled,shared=none",
            "threads=8x8,vector=16,rows=1,taps=rolled,shared=async",
            "threads=16x8,vector=8,rows=2,taps=unrolled,shared=loads,fill=split",
            "threads=16x2,vector=8,rows=2,taps=rolled,shared=boxes"};
  return {};
}

}  // namespace

std::vector<std::string> schedules(plan::Target target, const ir::Stencil& stencil) {
  const int rank = stencil.rank();
  // Where one launch for all would be too long a text, the compiler refuses to recompute.
  const bool recomputes = plan::stages(stencil, plan::Fusion::recompute, true).problem.empty();
  const std::string stages = recomputes ? ",stages=recompute" : ",stages=split";
  if (target == plan::Target::cpu) return {"loops", "loops,stages=split", "loops" + stages};
  std::vector<std::string> list = {"naive", "coarsened", "coarsened,stages=split,fission=all"};
  if (rank == 1) list.push_back("coarsened,threads=48,coarsen=x3" + stages);
  if (rank >= 2) list.push_back("coarsened,threads=64x4,coarsen=y3" + stages);
  if (rank >= 2) list.push_back("naive,threads=33x3,order=neighbours,launches=early");
  if (rank == 2) list.push_back("naive,threads=32x2,edges=cells");
  if (rank == 3)
    list.push_back("naive,threads=16x2x2,edges=cells,order=neighbours,swizzle=6,launches=early");
  if (rank == 3) list.push_back("coarsened,threads=8x8x4,coarsen=x2,swizzle=16");
  if (rank == 2) list.push_back("coarsened,threads=8x4,vector=1,coarsen=y6,ends=peeled");
  if (rank == 3)
    list.push_back("coarsened,threads=8x4,vector=1,coarsen=z7,shared=none,ends=peeled");
  if (const std::string own = of_one_launch(stencil, true, "naive,threads=8"); !own.empty())
    list.push_back("naive,threads=32,launches=early" + own);
  if (stencil.colors.count() != 0) return list;  // has no vectors
  constexpr const char* kOfLaunches[] = {"coarsened,threads=8,vector=4,coarsen=x1",
                                         "coarsened,threads=8x2,vector=2,coarsen=y3",
                                         "coarsened,threads=8x2,vector=2,coarsen=z3,shared=none"};
  if (const std::string own = of_one_launch(stencil, false, kOfLaunches[rank - 1]); !own.empty())
    list.push_back("naive" + std::string(rank == 1 ? "" : ",edges=cells") + own);
  // Values in tiles so small that all of them fit into shared memory.
  constexpr const char* kTiles[] = {"naive,threads=32,launches=early,tile=all",
                                    "coarsened,threads=16x2,vector=1,coarsen=y3,tile=all",
                                    "naive,threads=8x2x3,tile=all"};
  const auto tiled = plan::stages(stencil, plan::Fusion::tile, true).launches;
  const bool stages_in_tiles =
      std::ranges::any_of(tiled, [](const plan::Launch& launch) { return !launch.staged.empty(); });
  if (stages_in_tiles)
    list.push_back(std::string(kTiles[rank - 1]) + ",stages=tile");
  else if (!plan::placeable(stencil).empty())
    list.push_back(kTiles[rank - 1]);
  // Blocks that go through planes: values in queues of registers and in planes of shared memory.
  if (rank == 3 && !plan::placeable(stencil).empty())
    list.push_back("coarsened,threads=8x4x1,vector=1,coarsen=z4,shared=async,tile=all");
  constexpr const char* kStreams[] = {"coarsened,threads=32,vector=1,stream=all",
                                      "coarsened,threads=64x2,vector=1,coarsen=y5,stream=all",
                                      "coarsened,threads=32x1x2,vector=1,coarsen=z3,stream=all"};
  constexpr const char* kOfVectors[] = {"coarsened,threads=64,vector=2,stream=all",
                                        "coarsened,threads=32x2,vector=2,coarsen=y4,stream=all",
                                        "coarsened,threads=32x2x1,vector=2,coarsen=z5,stream=all"};
  if (!plan::placeable(stencil).empty()) {
    list.push_back(kStreams[rank - 1]);
    list.push_back(kOfVectors[rank - 1]);
  }
  if (rank == 1) list.push_back("coarsened,threads=32,vector=2,coarsen=x3");
  for (const std::string& tile : tiles(rank)) list.push_back("coarsened," + tile);
  if (plan::convolves(stencil))
    for (const std::string& one : loops(rank)) list.push_back("coarsened," + one);
  if (rank == 2) list.push_back("coarsened,threads=8x4,vector=2,coarsen=y1");
  if (rank == 3) list.push_back("coarsened,threads=8x4,vector=2,rows=1,coarsen=z1,shared=none");
  const std::string edge_cells =
      std::string(plan::convolves(stencil) ? ",taps=terms" : "") + ",edges=cells";
  if (rank == 2)
    list.push_back("coarsened,threads=4x4,vector=4,coarsen=y1,launches=early" + edge_cells);
  if (rank == 3)
    list.push_back("coarsened,threads=8x2,vector=2,rows=2,coarsen=z1,shared=none" + edge_cells);
  if (rank == 2) list.push_back("coarsened,threads=8x2,vector=2,coarsen=y5,sums=scatter");
  if (rank == 2) list.push_back("coarsened,threads=32x2,vector=2,coarsen=y3,sides=lanes");
  if (rank == 3)
    list.push_back("coarsened,threads=32x2,vector=2,rows=2,coarsen=z5,shared=none,sides=lanes");
  if (rank == 2) list.push_back("coarsened,threads=8x2,vector=2,coarsen=y7,ends=peeled");
  // Several steps per launch, where a program allows them.
  if (rank == 1) list.push_back("coarsened,threads=32,vector=4,steps=3");
  if (rank == 2) list.push_back("coarsened,threads=32x4,vector=2,rows=4,steps=3,launches=early");
  if (rank == 2) list.push_back("coarsened,threads=32x2,vector=4,coarsen=y16,steps=4");
  if (rank == 3) list.push_back("coarsened,threads=32x4,vector=2,rows=2,planes=7,steps=2");
  if (rank == 3)
    list.push_back(
        "coarsened,threads=32x4,vector=2,rows=3,coarsen=z8,shared=none,sums=scatter,steps=2");
  if (rank != 3) return list;
  const std::string columns =
      "coarsened,threads=8x3,vector=2,rows=1,coarsen=z9,sums=gather,shared=";
  const std::string rows = "coarsened,threads=4x2,vector=4,rows=3,coarsen=z4,sums=scatter,shared=";
  for (const std::string shared : {"none", "boxes,ahead=1", "loads,ahead=1"})
    list.push_back(columns + shared);
  for (const std::string shared : {"none", "boxes,ahead=2", "async,ahead=2"})
    list.push_back(rows + shared);
  list.push_back(columns + "none,ends=peeled");
  list.push_back(rows + "none,ends=peeled");
  return list;
}

}  // namespace stencilc::run_test
