// Meshes of pieces in memory, and what their handles refuse.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/mesh_cpu.h>

#include <numeric>
#include <vector>

namespace {

using stencil::Code;
using stencil::Mesh;
using stencil::Status;

constexpr stencil::MeshArray kArrays[] = {
    stencil::mesh_array<float>("u", "xy", 2, 3, true, 1, 2),
    stencil::mesh_array<double>("d", "y", 1, 1, false, 1, 0, 0, 1)};
stencil::MeshLaunch launch_on(const stencil::Shape&, int64_t) { return {3, false}; }
constexpr stencil::MeshProgram kProgram =
    stencil::mesh_program_of("s", 2, kArrays, 1, 2, false, false, false, false, false, launch_on);
constexpr stencil::MeshField<float, 2> kU{&kProgram, 0};
constexpr stencil::MeshField<double, 2> kD{&kProgram, 1};

// Of a target that no program here is for.
struct Elsewhere : stencil_mesh {
  const char* target() const override { return "moon"; }
  Status synchronize() const override { return {}; }
};

TEST(RuntimeMesh, PiecesAreEvenAndLegsAsLongAsTheThinnestAllows) {
  Mesh mesh = Mesh::in_pieces(4);
  const stencil::MeshGrid<float> u(mesh, kU, {5, 31});
  ASSERT_TRUE(u.status().ok()) << u.status().message();
  EXPECT_EQ(u.plan().cuts, (std::vector<int64_t>{0, 7, 15, 23, 31}));
  EXPECT_EQ(u.plan().steps, 3);  // which reads 2 + 2 * 2 rows
  const stencil::MeshGrid<float> thin(mesh, kU, {5, 16});
  EXPECT_EQ(thin.plan().steps, 2);
  const stencil::MeshGrid<float> none(mesh, kU, {5, 6});
  EXPECT_EQ(none.status().code(), Code::bad_extents);
  for (const stencil::Extents<2>& extents :
       {stencil::Extents<2>{0, 9}, {9, -1}, {INT64_MAX / 2, INT64_MAX / 2}})
    EXPECT_EQ(stencil::MeshGrid<float>(mesh, kU, extents).status().code(), Code::bad_extents);
  EXPECT_EQ(mesh.grids, 3);
}

// A neighbour gets as many planes of each level as its leg reads of it.
TEST(RuntimeMesh, FewerPlanesOfEarlierLevelsAreSent) {
  static constexpr stencil::MeshArray arrays[] = {
      stencil::mesh_levels<float>("u", "xy", 2, 3, true, 1, 2, 0, 1)};
  static constexpr stencil::MeshProgram program =
      stencil::mesh_program_of("s", 2, arrays, 1, 2, false, false, false, false, false, launch_on);
  Mesh mesh = Mesh::in_pieces(2);
  stencil::MeshGrid<float> u(mesh, stencil::MeshField<float, 2>{&program, 0}, {5, 40});
  const stencil::MeshRun<1> run(program, mesh.handle(), u.handle());
  ASSERT_TRUE(run.ok()) << run.status().message();
  const auto planes = [&](int piece, int side, bool sends, int64_t steps) {
    std::vector<int64_t> all;
    for (const stencil::MeshPlanes& one : run.message(piece, side, sends, steps, false))
      all.push_back(one.bytes / u.layout().plane_bytes());
    return all;
  };
  using Planes = std::vector<int64_t>;
  EXPECT_EQ(planes(0, 1, true, 1), (Planes{1}));  // the second level is not read there
  EXPECT_EQ(planes(1, 0, false, 1), (Planes{1}));
  EXPECT_EQ(planes(1, 0, true, 1), (Planes{2, 1}));
  EXPECT_EQ(planes(0, 1, true, 3), (Planes{3, 2}));
  EXPECT_EQ(planes(0, 1, false, 3), (Planes{6, 5}));
}

TEST(RuntimeMesh, CopiesAreOfTheWholeGrid) {
  Mesh mesh = Mesh::in_pieces(3);
  stencil::MeshGrid<double> d(mesh, kD, {5, 29});
  std::vector<double> host(31), back(31);
  std::iota(host.begin(), host.end(), 1.0);
  const int64_t halo[] = {0, 1};
  stencil_mesh_grid* const grid = d.handle();
  EXPECT_EQ(stencil_mesh_grid_copy_from(grid, host.data(), 31 * sizeof(double), 0, halo), 0);
  EXPECT_EQ(stencil_mesh_grid_copy_to(grid, back.data(), 31 * sizeof(double), 0, halo), 0);
  EXPECT_EQ(back, host);
  EXPECT_EQ(stencil_mesh_grid_copy_to(grid, back.data(), 29 * sizeof(double), 0, nullptr), 0);
  EXPECT_EQ(back[0], 2.0);
  EXPECT_EQ(back[28], 30.0);
}

// What a step stores and neighbours do not read: by itself, or because another array is computed
// from it beside the window, in a leg of several steps.
TEST(RuntimeMesh, OnlyWhatNeighboursReadIsExchanged) {
  static constexpr stencil::MeshArray arrays[] = {
      stencil::mesh_array<float>("out", "xy", 1, 2, true, 0, 0),
      stencil::mesh_array<float>("in", "xy", 1, 1, false, 1, 1)};
  for (const int64_t reach : {0, 1}) {
    const stencil::MeshProgram program = stencil::mesh_program_of(
        "s", 2, arrays, reach, 0, false, false, false, false, false, launch_on);
    for (const int64_t steps : {1, 3}) {
      Mesh mesh = Mesh::in_pieces(2);
      mesh.legs_of(steps);
      stencil::MeshGrid<float> out(mesh, stencil::MeshField<float, 2>{&program, 0}, {5, 31}),
          in(mesh, stencil::MeshField<float, 2>{&program, 1}, {5, 31});
      const stencil::MeshRun<2> run(program, mesh.handle(), out.handle(), in.handle());
      ASSERT_TRUE(run.ok()) << run.status().message();
      const bool sent = reach > 0 && steps > 1;
      EXPECT_EQ(run.any_is_sent(), sent) << reach << ", " << steps;
      EXPECT_EQ(run.is_exchanged(), !sent) << reach << ", " << steps;
    }
  }
}

TEST(RuntimeMesh, AMeshIsForTheProgramsOfItsTarget) {
  Elsewhere mesh;
  stencil_mesh_grid* grid = nullptr;
  EXPECT_EQ(stencil::open_mesh_grid<Mesh>(kProgram, &mesh, "u", {5, 31}, &grid),
            STENCIL_BAD_EXTENTS);
  EXPECT_STREQ(stencil_last_error(),
               "`s`: the mesh is for programs of the target moon, and this one's is cpu");
  const stencil::MeshRun<2> run(kProgram, &mesh, grid, grid);
  EXPECT_STREQ(run.status().message(), stencil_last_error());
}

}  // namespace
