// Programs for pieces of a grid, called from C.
#include <gtest/gtest.h>

#include "support/emitted.h"

namespace stencilc::emit {
namespace {

using plan::Target;
using testing::emitted;
using testing::expect_builds;
using testing::expect_has;
using testing::options_for;

// A field that steps change, one with a halo of the caller, and a reduction.
std::string program(const std::string& name) {
  return "stencil " + name +
         " { axes x, y; param f32 k = 0.25; field f32 u boundary clamp; "
         "field f32 c in boundary ghost; u[t+1] = u + k*c[x+1]*(u[x-1] - 2*u + u[y+1]); "
         "reduce all = sum(u[t+1]); }";
}

const char* const kMain = R"(#include "cut.h"
#include "whole.h"
#include <stdio.h>
#include <string.h>
enum { NX = 9, NY = 23, PITCH = NX + 2, STEPS = 7 };
static float u[2][PITCH * NY], c[PITCH * NY], start[NX * NY], result[NX * NY];
static stencil_mesh* mesh;
static stencil_mesh_grid *grid_u, *grid_c;

static int refused(int line, int code, int wanted) {
  if (code != wanted) printf("line %d: code %d, not %d\n", line, code, wanted);
  printf("%s\n", code == STENCIL_OK ? "" : stencil_last_error());
  return code != wanted;
}
#define REFUSED(code, call) bad |= refused(__LINE__, call, code)

static int refusals(void) {
  const int64_t wide[2] = {2, 0};
  stencil_mesh* none = NULL;
  stencil_mesh_grid* grid = NULL;
  int bad = 0;
  REFUSED(STENCIL_BAD_EXTENTS, stencil_cpu_mesh_in_pieces(0, &none));
  REFUSED(STENCIL_NULL_POINTER, stencil_cpu_mesh_in_pieces(2, NULL));
  REFUSED(STENCIL_NULL_POINTER, stencil_mesh_synchronize(none));
  REFUSED(STENCIL_NULL_POINTER, cut_grid(none, "u", NX, NY, &grid));
  REFUSED(STENCIL_BAD_EXTENTS, cut_grid(mesh, "w", NX, NY, &grid));
  REFUSED(STENCIL_BAD_EXTENTS, cut_grid(mesh, NULL, NX, NY, &grid));
  REFUSED(STENCIL_NULL_POINTER, cut_grid(mesh, "u", NX, NY, NULL));
  REFUSED(STENCIL_BAD_EXTENTS, cut_grid(mesh, "u", 0, NY, &grid));
  REFUSED(STENCIL_BAD_EXTENTS, cut_grid(mesh, "u", NX, 1, &grid));
  REFUSED(STENCIL_NULL_POINTER, stencil_mesh_grid_copy_to(grid, result, sizeof result, 0, NULL));
  REFUSED(STENCIL_NULL_POINTER, stencil_mesh_grid_copy_to(grid_u, NULL, sizeof result, 0, NULL));
  REFUSED(STENCIL_BAD_EXTENTS, stencil_mesh_grid_copy_to(grid_u, result, NX * NY, 0, NULL));
  REFUSED(STENCIL_BAD_EXTENTS, stencil_mesh_grid_copy_to(grid_u, result, sizeof result, 1, NULL));
  REFUSED(STENCIL_BAD_EXTENTS, stencil_mesh_grid_copy_from(grid_c, c, sizeof c, 0, wide));
  REFUSED(STENCIL_NULL_POINTER, cut_run_on(NULL, grid_u, grid_c, 0.25f, NULL, STEPS));
  REFUSED(STENCIL_NULL_POINTER, cut_run_on(mesh, grid_u, NULL, 0.25f, NULL, STEPS));
  REFUSED(STENCIL_BAD_EXTENTS, cut_run_on(mesh, grid_c, grid_u, 0.25f, NULL, STEPS));
  REFUSED(STENCIL_NEGATIVE_STEPS, cut_run_on(mesh, grid_u, grid_c, 0.25f, NULL, -1));
  REFUSED(STENCIL_ALIASING, stencil_mesh_close(mesh));
  REFUSED(STENCIL_OK, stencil_mesh_close(none));
  REFUSED(STENCIL_OK, stencil_mesh_grid_close(grid));
  return bad | (none != NULL) | (grid != NULL);
}

/* The same in another mesh: of one process, as there is one here. */
static int across(const int64_t* halo, float* sum) {
  stencil_communicator* all = NULL;
  int64_t first = -1, planes = -1;
  int bad = 0;
  REFUSED(STENCIL_NULL_POINTER, stencil_cpu_mesh_across(NULL, &mesh));
  REFUSED(STENCIL_NULL_POINTER, stencil_tcp_open(0, 1, NULL, 0, &all));
  REFUSED(STENCIL_BAD_EXTENTS, stencil_tcp_open(1, 1, "127.0.0.1", 0, &all));
  if (bad || stencil_tcp_from_environment(&all) != STENCIL_OK ||
      stencil_cpu_mesh_across(all, &mesh) != STENCIL_OK ||
      cut_grid(mesh, "u", NX, NY, &grid_u) != STENCIL_OK ||
      cut_grid(mesh, "c", NX, NY, &grid_c) != STENCIL_OK ||
      stencil_mesh_grid_here(grid_u, &first, &planes) != STENCIL_OK ||
      stencil_mesh_grid_copy_from(grid_u, start, sizeof start, 0, NULL) != STENCIL_OK ||
      stencil_mesh_grid_copy_from(grid_c, c, sizeof c, 0, halo) != STENCIL_OK ||
      cut_run_on(mesh, grid_u, grid_c, 0.25f, sum, STEPS) != STENCIL_OK ||
      stencil_mesh_grid_copy_to(grid_u, result, sizeof result, 0, NULL) != STENCIL_OK ||
      stencil_mesh_grid_close(grid_u) != STENCIL_OK ||
      stencil_mesh_grid_close(grid_c) != STENCIL_OK || stencil_mesh_close(mesh) != STENCIL_OK ||
      stencil_communicator_close(all) != STENCIL_OK)
    return 1;
  return first != 0 || planes != NY;
}

int main(void) {
  const int64_t halo[2] = {1, 0};
  float *levels[2], sum = 0, wanted = 1, again = 2;
  int i, y;
  for (i = 0; i < PITCH * NY; ++i) c[i] = (float)(i % 7) / 7;
  for (i = 0; i < NX * NY; ++i) start[i] = (float)(i % 11) / 11;
  for (y = 0; y < NY; ++y) memcpy(&u[0][y * PITCH + 1], &start[y * NX], NX * sizeof(float));
  levels[0] = &u[0][1];
  levels[1] = &u[1][1];
  if (whole_run(levels, c + 1, NX, NY, PITCH, 0.25f, &wanted, STEPS) != STENCIL_OK ||
      stencil_cpu_mesh_in_pieces(3, &mesh) != STENCIL_OK ||
      cut_grid(mesh, "u", NX, NY, &grid_u) != STENCIL_OK ||
      cut_grid(mesh, "c", NX, NY, &grid_c) != STENCIL_OK ||
      stencil_mesh_grid_copy_from(grid_u, start, sizeof start, 0, NULL) != STENCIL_OK ||
      stencil_mesh_grid_copy_from(grid_c, c, sizeof c, 0, halo) != STENCIL_OK || refusals() ||
      cut_run_on(mesh, grid_u, grid_c, 0.25f, &sum, STEPS) != STENCIL_OK ||
      stencil_mesh_synchronize(mesh) != STENCIL_OK ||
      stencil_mesh_grid_copy_to(grid_u, result, sizeof result, 0, NULL) != STENCIL_OK ||
      stencil_mesh_grid_close(grid_u) != STENCIL_OK ||
      stencil_mesh_grid_close(grid_c) != STENCIL_OK || stencil_mesh_close(mesh) != STENCIL_OK) {
    printf("failed: %s\n", stencil_last_error());
    return 1;
  }
  for (y = 0; y < NY; ++y)
    if (memcmp(&result[y * NX], &levels[0][y * PITCH], NX * sizeof(float)) != 0) return 2;
  memset(result, 0, sizeof result);
  if (across(halo, &again) != 0) {
    printf("failed: %s\n", stencil_last_error());
    return 4;
  }
  for (y = 0; y < NY; ++y)
    if (memcmp(&result[y * NX], &levels[0][y * PITCH], NX * sizeof(float)) != 0) return 5;
  return sum != wanted || again != wanted ? 3 : 0;
}
)";

TEST(EmitMesh, ACallerInCHasTheBitsOfTheWholeGridAndIsRefusedInWords) {
  const test::Workplace here;
  for (const std::string name : {"cut", "whole"}) {
    driver::CompileOptions options = options_for(Target::cpu, name == "cut");
    options.file = name;
    options.distributed = name == "cut";
    const driver::Compiled compiled = emitted(program(name), options);
    here.write(name + ".h", compiled.header);
    here.write(name + ".cpp", compiled.source);
    expect_builds(here, "g++ -std=c++17 -Wall -Wextra -Werror -fopenmp -ffp-contract=off -c " +
                            name + ".cpp -I'" STENCILC_SOURCE_DIR "/runtime/include'");
  }
  here.write("main.c", kMain);
  expect_builds(here, "cc -std=c99 -Wall -Wextra -Werror -c main.c -I'" STENCILC_SOURCE_DIR
                      "/runtime/include'");
  here.write("tcp.cpp", "#include <stencil/tcp.h>\n");
  expect_builds(here, "g++ -std=c++17 -Wall -Wextra -Werror -c tcp.cpp -I'" STENCILC_SOURCE_DIR
                      "/runtime/include'");
  expect_builds(here, "g++ -fopenmp main.o cut.o whole.o tcp.o -o main");
  const test::Finished done = here.shell("./main");
  EXPECT_EQ(done.status, 0) << done.out;
  expect_has(done.out,
             {"a mesh of 0 pieces; it has one at least", "the place for a mesh is a null pointer",
              "`cut`: the mesh is a null pointer", "`cut` has no array `w`; it has u, c",
              "`cut`: an extent of a grid is 0; each must be at least 1",
              "`cut`: of 1 planes in 3 pieces, the thinnest piece has 0",
              "the grid of a copy is a null pointer",
              "`cut`: the host array of a copy of `u` has 207 bytes, and a level has 828",
              "`cut`: `u` has 1 levels, and a copy asks for t-1",
              "`cut`: `c` has a smaller halo than a copy asks for", "`cut`: `c` is a null pointer",
              "the grid given as `u` was made for another mesh, array or program",
              "the communicator of a mesh is a null pointer",
              "the address, or the place for a communicator, is a null pointer",
              "process 1 of 1: the number is at least 0, and smaller",
              "a mesh is closed that has 2 open grids; close these before"});
}

}  // namespace
}  // namespace stencilc::emit
