// The host side of emitted code: the order of launches in a step, and what a run does around it.
#include <gtest/gtest.h>

#include "support/emitted.h"

namespace stencilc::emit {
namespace {

using testing::count;
using testing::emitted;
using testing::expect_has;
using testing::expect_in_order;
using testing::expect_lacks;

std::string made(const std::string& items, const std::string& schedule) {
  driver::CompileOptions options =
      testing::options_for(schedule.starts_with("loops") ? plan::Target::cpu : plan::Target::cuda);
  options.schedule = schedule;
  return emitted("stencil s { axes x, y; " + items + " }", options).source;
}
std::string host_of(const std::string& source) {
  return source.substr(source.find("// The time loop"));
}

// With `...` between them.
void expect_parts(const std::string& text, const std::string& parts) {
  size_t at = 0;
  for (const std::string& part : testing::parts_of(parts, " ... ")) {
    const size_t found = text.find(part, at);
    EXPECT_NE(found, text.npos) << part << "\nis not behind what was found in\n" << text;
    if (found != text.npos) at = found + part.size();
  }
}

const std::string kTile = "coarsened,threads=32x4,vector=4,rows=4,steps=5",
                  kChain =
                      "field f32 u, v boundary clamp; u[t+1] = u[y-1]; v[t+1] = v + u[x-1, t+1]; ",
                  kHalos =
                      "field f32 u boundary { x: ghost; y: clamp; } field f32 v boundary clamp; "
                      "u[t+1] = u[x-1] - u[x+2, t-1]; v[t+1] = v + u[x-1, t+1]; reduce r = "
                      "sum(v[t+1]);",
                  kValues =
                      "field f32 u boundary clamp; let g = u*u[x+1]; u[t+1] = g[x+1] - g[x-1];";

// Statements, a schedule for a GPU or `loops`, and parts that stand one behind the other in the
// host code; `0 x` or `2 x` says how often a part is in the whole file.
TEST(EmitRun, TheHostCodeOfAStepAndOfARun) {
  for (const testing::Cells& row : testing::rows(R"(
    // Stages are launched in their order and rotate in the end.
    CHAIN => coarsened,stages=split => for (int64_t left = steps; left > 0; --left) { ... update_u<Index> ... (u[1], u[0],
      ... update_v<Index> ... (v, u[1], ... stencil::rotate<2>(u);
    CHAIN => coarsened,stages=split => 2 <<<
    CHAIN => loops,stages=split
      => update_u<Index>(u[1], u[0], ... update_v<Index>(v, u[1], ... stencil::rotate<2>(u);
    // Reductions are computed in the last step.
    field f32 u; u[t+1] = 2*u; reduce r = norm2(u[t+1]); reduce q = min(u[t+1]); =>
      => const bool reduce_now = reduces && left == 1; ... if (reduce_now) { ... step_and_reduce<Index> ...
         r_partials.fold<st::Sum, true>(stream); ... q_partials.fold<st::Least>(stream); ... } else { ... step<Index>
      => in the file: const bool reduces = r != nullptr || q != nullptr;
      => in the file: if (r != nullptr) *r = ... if (q != nullptr) *q =
    // `iterate` looks every so many steps.
    param f32 tol = 1; field f32 u; u[t+1] = 2*u; reduce r = sum(u[t+1]); iterate until r < tol, check every 5, limit 100;
      => => const int64_t limit = steps == stencil::kIterate ? 100 : steps; ...
         const bool looks = steps == stencil::kIterate; ... while (done < limit) { ... looks ? 5 : limit ...
         ready = advance( ... done += piece; ... r_partials.read(&r_now, stream) ... if (looks && r_now < tol) break; ...
         *steps_taken = done;
    // A number of steps needs no look.
    field f32 u; u[t+1] = 2*u; iterate 7 times; => => steps == stencil::kIterate ? 7 : steps => 0 while ( => 0 break;
    field f32 u; u[t+1] = 2*u; => => 0 kIterate => 0 steps_taken
    // Colours are a loop around the launches.
    color red, black by (x + y) % 2; field f32 p boundary { x: periodic; y: zero; }; p = p[x-1]; =>
      => for (Index color = 0; color < 2; ++color) { ... step<Index> ... check_multiple("s", "nx", nx, 2)
      => 0 "ny", ny, 2 => 0 rotate => in the file: == color
    // Halos of level t come before the launch that stores.
    HALOS => coarsened,stages=split => for (int64_t left = steps; ...
         if (steps - left < 2) stencil::copy_halo(u[2], u[0], shape, stream); ... update_u<Index> ... if (reduce_now) { ...
         update_v_and_reduce<Index>
      => 1 copy_halo => in the file: stencil::Call<2> call("s", stream, {2, 0}); ...
         stencil::shape({nx, ny}, pitch, {2, 0}); ... stencil::fits_32_bits(pitch * ny)
    HALOS => loops => 1 stencil::copy_halo(u[2], u[0], shape, {});
    // Values that a schedule may keep come with memory from the caller, whichever it keeps.
    VALUES => coarsened
      => in the file: size_t s_workspace(int64_t, int64_t, int64_t) { ... return 0; ... void* workspace ...
         size_t workspace_bytes ... static_cast<void>(workspace); ... static_cast<void>(workspace_bytes);
      => 0 begin_workspace => 0 Temporary
    VALUES => coarsened,global=g
      => in the file: size_t workspace(const Args& args) { ... args.u.shape(); ... return s_workspace(shape.nx, shape.ny,
         shape.pitch); ... args.workspace.data, ... args.workspace.bytes ... stream); ...
         size_t s_workspace(int64_t nx, int64_t ny, int64_t pitch) { ... size.add(sizeof(float), {1, 0}); ...
         void* workspace ... size_t workspace_bytes ... buffers.scratch("workspace", workspace, workspace_bytes); ...
         stencil::check( ... stencil::begin_workspace( ... s_workspace(nx, ny, pitch), &workspace_left); ...
         g.make("`s`", "g", shape, workspace_left, {1, 0});
      => 0 static_cast<void>(workspace)
    VALUES => loops => in the file: void* workspace ... size_t workspace_bytes) { => 0 Temporary
    // Those that none can keep, and lets of one use, take nothing.
    field f32 u boundary clamp; let g = u > 0.5; u[t+1] = (g ? 1 : 2) + (g[x+1] ? 3 : 4); => => 0 workspace
    field f32 u boundary clamp; let g = 2*u; u[t+1] = g + u[x-1]; => => 0 workspace
    // A field may have the name.
    field f32 workspace boundary clamp; let g = workspace*workspace[x+1]; workspace[t+1] = g[x+1] - g[x-1]; => naive,global=g
      => in the file: void* workspace_2 ... buffers.scratch("workspace_2", workspace_2,
    // One buffer or no steps copy no halo.
    field f32 a in boundary ghost; field f32 b out; b = a[x-1, y+3]; =>
      => 0 copy_halo => 1 stencil::fits_32_bits(pitch * (ny + 6))
    color red, black by (x + y) % 2; field f32 p boundary ghost; p = p[x-1]; => => 0 copy_halo
    // Weights reach the kernel by value.
    weights w[-1..1]; field f32 u boundary clamp; u[t+1] = w[1]*u; =>
      => in the file: const stencil::Weights<float, 3> w ... w[2] ... stencil::take("s", "w", w, w_values)
    // Launches that come early are recorded and replayed where many of them are short.
    field f32 u boundary clamp; u[t+1] = 0.5*u + 0.5*u[x-1]; => naive,launches=early
      => int64_t left = steps; ... const auto step_on = [&](Index, auto on) { ... stencil::launch_early( ...
         step<Index>, blocks, threads, 0, on, ... stencil::rotate<2>(u); ...
         stencil::replay(left, 0, 1, 2, blocks, stream, step_on); ... for (; left > 0; --left) step_on(1, stream);
    // What is known of the step's own number or asked for in it differs from launch to launch.
    field f32 u boundary clamp; u[t+1] = u[x-1] + f32(t); => naive,launches=early => 0 stencil::replay
    field f32 u boundary clamp; u[t+1] = 0.5*u + 0.5*u[x-1]; reduce s = sum(u); => naive,launches=early
      => 0 stencil::replay
    field f32 u boundary clamp; u[t+1] = 0.5*u + 0.5*u[x-1]; => naive => 0 launch_early
    // Replays of several steps leave the last one that is reduced.
    field f32 u boundary clamp; u[t+1] = 0.5*u + 0.5*u[x-1]; => TILE
      => const auto resident_tile_steps_on = [&](Index steps, auto on) { ...
         stencil::replay(left, 0, 5, 2, blocks, stream, resident_tile_steps_on); ... while (left > 1) { ...
         resident_tile_steps_on(steps, stream);
    field f32 u boundary clamp; u[t+1] = 0.5*u + 0.5*u[x-1]; reduce s = sum(u); => TILE
      => stencil::replay(left, reduces, 5, 2, blocks_2, stream, resident_tile_steps_on); ... while (left - reduces > 1) {
    // Two levels of four buffers come back after two launches.
    field f32 u boundary clamp; u[t+1] = 2*u - u[t-1] + 0.1*laplacian(u); => TILE
      => stencil::replay(left, 0, 5, 2, blocks, stream, resident_tile_steps_on);
  )")) {
    SCOPED_TRACE(row[0] + ", " + row[1]);
    const std::string items = row[0] == "CHAIN"    ? kChain
                              : row[0] == "HALOS"  ? kHalos
                              : row[0] == "VALUES" ? kValues
                                                   : row[0];
    const std::string text = made(items, row[1] == "TILE" ? kTile : row[1]);
    for (size_t n = 2; n < row.size(); ++n) {
      const std::string kFile = "in the file: ";
      if (std::isdigit(row[n][0]))
        EXPECT_EQ(count(text, row[n].substr(2)), row[n][0] - '0') << row[n] << "\n" << text;
      else if (row[n].starts_with(kFile))
        expect_parts(text, row[n].substr(kFile.size()));
      else
        expect_parts(host_of(text), row[n]);
    }
  }
}

// Those without all axes have a halo of their own, of which the checks know where it begins.
TEST(EmitRun, HalosOfFieldsOnSomeAxes) {
  const driver::Compiled compiled = emitted(
      "stencil s { axes x, y, z; field f32 u; field f32 d(z), e(x, z) boundary ghost; "
      "field f32 f(y, z) boundary { y: ghost; z: clamp; } "
      "u[t+1] = u + d[z+3] + e[x-1, z+2] + f[y+1, z-1]; }");
  expect_in_order(
      compiled.source,
      {"stencil::Call<3> call(\"s\", stream);", "call.part(\"d\", args.d, {2}, {3});",
       "call.part(\"e\", args.e, {0, 2}, {1, 2});", "call.part(\"f\", args.f, {1, 2}, {1, 0});",
       "stencil::shape({nx, ny, nz}, pitch, plane);", "buffers.read(\"d\", d, nz + 6, 3);",
       "buffers.read(\"e\", e, e_pitch * (nz + 4), 1 + 2 * e_pitch);",
       "buffers.read(\"f\", f, f_pitch * nz, 1);"});
  expect_in_order(compiled.header,
                  {"// The caller fills its halo of {3}.", "d;", "halo of {1, 2}.", "e;",
                   "// A halo lies around the cells", "d holds nz + 6.",
                   "holds (nx + 2) * (nz + 4).", "f holds (ny + 2) * nz.", "halo of d, e, f;"});
  expect_in_order(compiled.host_call,
                  {"grid_d({call->extents[2]}, {3});", "call->buffers[1]), {3});"});
}

TEST(EmitRun, SeveralStencilsShareOneFile) {
  diag::Sources sources = {{"in.stn",
                            "stencil one { axes x; field f32 u; u[t+1] = 2*u; }\n"
                            "stencil two { axes x; field f32 u; u[t+1] = 3*u; }\n"}};
  driver::CompileOptions options;
  options.file = "out";
  diag::Engine engine;
  const auto all = driver::compile_all(sources, options, engine);
  ASSERT_EQ(all.size(), 2u);
  const driver::Files files = driver::files_of(all, options, engine);
  EXPECT_EQ(count(files.source, "#include \"out.h\""), 1);
  expect_in_order(files.source, {"namespace one {", "namespace two {"});
  expect_in_order(files.header, {"int one_run(", "int two_run("});
  EXPECT_EQ(count(files.header, "#pragma once") + count(files.header, "#ifndef "), 1)
      << files.header;
}

}  // namespace
}  // namespace stencilc::emit
