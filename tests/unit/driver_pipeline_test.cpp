// The pipeline as a list: names, what lies between its stages, and who sees a kernel that is wrong.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "driver/pipeline/pipeline.h"
#include "kernel/build.h"

namespace stencilc::driver {
namespace {

TEST(Pipeline, EveryStageHasANameAndASentence) {
  std::set<std::string> names;
  for (const Stage& stage : pipeline()) {
    EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
    EXPECT_GT(std::string(stage.does).size(), 10u) << stage.name;
  }
  EXPECT_GE(names.size(), 12u);
}

TEST(Pipeline, PrintsTheProgramBehindEachStage) {
  std::string before;
  for (const Stage& stage : pipeline()) {
    diag::Engine engine;
    diag::Sources sources = {{"a.stn",
                              "stencil a {\n  axes x, y;\n  field f32 u  boundary clamp;\n"
                              "  u[t+1] = 0.25 * (u[x-1] + u[x+1]) + 0.5 * u[y-1];\n}\n"}};
    CompileOptions options;
    options.file = "a";
    options.dump_after = stage.name;
    const std::string text = dump(sources, options, engine);
    EXPECT_FALSE(text.empty()) << stage.name;
    EXPECT_FALSE(engine.has_errors());
    const std::string name = stage.name;
    if (name == "canonicalise") {
      EXPECT_NE(text, before) << "sums get their order";
    }
    if (name == "drop-dead-code") {
      EXPECT_LE(text.size(), before.size());
    }
    if (name == "emit") {
      EXPECT_NE(text.find("__global__"), std::string::npos);
    }
    before = text;
  }
}

// The emitted text of a stencil in space.
std::string text_of(const CompileOptions& options) {
  diag::Engine engine;
  diag::Sources sources = {{"a.stn",
                            "stencil a {\n  axes x, y, z;\n  field f32 u  boundary periodic;\n"
                            "  u[t+1] = 0.25 * (u[z-1] + u[z+1]) + 0.5 * u[y-1];\n}\n"}};
  CompileOptions all = options;
  all.schedule = "naive";
  all.dump_after = "emit";
  std::string text = dump(sources, all, engine);
  EXPECT_FALSE(engine.has_errors());
  return text;
}

// Coordinates are those of the grid; an index begins at the piece. It is as wide as a piece asks.
TEST(Pipeline, APieceOfTheGridHasShortIndices) {
  CompileOptions options;
  options.pieces = true;
  const std::string text = text_of(options);
  for (const char* part :
       {"const Index i = (z - origin_z) * plane + y * pitch + x;", "st::wrap(z - 1, nz);",
        "st::held(at_zm1, origin_z, held_z, nz) * plane",
        "const stencil::Piece piece = stencil::Piece::of(shape);",
        "const bool narrow = stencil::fits_32_bits(shape, piece);",
        "const Index origin_z = static_cast<Index>(piece.first);", "const Index z = block_z;"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const std::string whole = text_of({});
  for (const char* part : {"origin_z", "held", "piece", "boxes", "first_z"})
    EXPECT_EQ(whole.find(part), std::string::npos) << part;
}

TEST(Pipeline, AKernelThatIsWrongIsSeenBehindThePass) {
  kernel::Module module;
  module.launches.emplace_back();
  const kernel::Buffer unknown{"c", kernel::Type::i32, true};
  module.launches[0].kernel.body.push_back(
      {kernel::Store{unknown, kernel::index(0), kernel::index(1)}});
  EXPECT_THROW(run_kernel_passes(module, plan::Target::cuda), std::logic_error);
}

}  // namespace
}  // namespace stencilc::driver
