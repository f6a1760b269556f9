// A prepared run is captured into a graph: nothing that it calls breaks the capture, and the graph
// does what the run does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "driver/verify/compare.h"
#include "run/batch.h"
#include "run/programs.h"

namespace stencilc::run_test {
namespace {

// The adapter captures its runs on a stream and launches the graph; before it calls `before`.
driver::Compiled captured(driver::Compiled program, const std::string& before) {
  std::string& text = program.host_call;
  const std::string begin = "status = " + program.module.name + "::run(args";
  const size_t at = text.find(begin);
  if (at == std::string::npos) throw std::runtime_error("the adapter runs nothing");
  const size_t end = text.find(';', at);
  std::string run = text.substr(at, end - at);
  run.insert(run.size() - 1, ", stream");
  text.replace(at, end - at,
               fmt::format(R"(cudaStream_t stream = nullptr;
(void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
{}
if (status.ok()) {{
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t recording = nullptr;
  cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  if (error == cudaSuccess) {{
    {};
    error = cudaStreamEndCapture(stream, &graph);
    (void)cudaGetLastError();
  }}
  if (error == cudaSuccess) error = cudaGraphInstantiateWithFlags(&recording, graph, 0);
  if (error == cudaSuccess) error = cudaGraphLaunch(recording, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (recording != nullptr) (void)cudaGraphExecDestroy(recording);
  if (graph != nullptr) (void)cudaGraphDestroy(graph);
  if (status.ok()) status = stencil::cuda_status(error, "the capture");
}}
(void)cudaStreamDestroy(stream))",
                           before, run));
  return program;
}

struct Sample {
  const char* text;
  const char* schedule;
};

// What a capture of the program says, with the interpreter's bits: nothing.
std::string differs(const driver::Compiled& program) {
  const Batch batch = execute_batch({&program});
  if (!batch.problem.empty() || !batch.machines[0].call)
    return batch.problem + batch.machines[0].problem;
  const size_t rank = program.stencil.axes.size();
  const data::Extents size = rank == 1   ? data::Extents{301}
                             : rank == 2 ? data::Extents{67, 21}
                                         : data::Extents{37, 9, 7};
  return driver::compare(program, batch.machines[0],
                         {size, program.module.steps ? 7 : 1, "random", 5}, 0);
}

driver::Compiled compiled_sample(const Sample& sample) {
  std::string problem;
  auto result =
      compile({"captured", "", sample.text}, plan::Target::cuda, sample.schedule, "", problem);
  if (!result) throw std::runtime_error(problem);
  return std::move(*result);
}

// All that a first run does outside its stream. Scratch buffers belong to the grids.
std::string prepares(const driver::Compiled& program) {
  std::string text =
      "if (status.ok()) status = stencil::status_of(" + program.module.name + "_prepare());\n";
  for (const kernel::Grid& grid : program.module.grids)
    for (int n = grid.levels; n < grid.buffers; ++n)
      text += fmt::format(
          "if (decltype(grid_{0}.data()) spare; status.ok()) status = grid_{0}.spare({1}, "
          "&spare);\n",
          grid.name, n - grid.levels);
  return text;
}

const char* const kHeat =
    "stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[y-1] "
    "+ u[y+1]); }";
const char* const kValue =
    "stencil s { axes x, y; field f32 u boundary clamp; let g = u*u[x+1] - u[y-1]; u[t+1] = 0.2*("
    "g[x-1] - g[x+1] + g[y+1]); }";
const char* const kSetup =
    "stencil s { axes x, y; field f32 u boundary clamp; field f32 k in boundary clamp; let c = "
    "sqrt(k*k + 1) + k[x+1]; u[t+1] = 0.2*(c*u + c[x-1]*u[x-1]); }";
const char* const kSpace =
    "stencil s { axes x, y, z; field f32 u boundary zero; u[t+1] = 0.1*(u + u[x-1] + u[x+1] + "
    "u[y-1] + u[y+1] + u[z-1] + u[z+1]); }";

TEST(Capture, APreparedRunIsCaptured) {
  for (const Sample& sample : std::vector<Sample>{
           {kHeat, "naive"},
           {kHeat, "coarsened,launches=early"},
           {kHeat, "coarsened,threads=32x2,vector=4,chunks=full,sums=scatter,steps=3"},
           {kHeat, "coarsened,threads=32x4,vector=4,rows=4,steps=3"},
           {"stencil s { axes x, y; field f32 u boundary ghost; u[t+1] = 0.5*(u[x-1] + u[y+1]); }",
            "naive"},
           {kValue, "naive,global=g"},
           {kValue, "naive,global=none"},
           {kSetup, "naive,launches=early,setup=c"},
           {kSpace, "coarsened,threads=32x4,vector=4,rows=1,coarsen=z4,shared=boxes"},
           {"stencil s { axes x, y; field u8 a in boundary mirror; field u8 b out; b = "
            "max(a[x-1], a[y+1]); }",
            "coarsened"}}) {
    const driver::Compiled program = compiled_sample(sample);
    EXPECT_EQ(differs(captured(program, prepares(program))), "") << sample.schedule << "\n"
                                                                 << sample.text;
  }
}

// The first run tests how the file was compiled, in a launch of its own.
TEST(Capture, AFirstRunIsNot) {
  const std::string said = differs(captured(compiled_sample({kHeat, "naive"}), ""));
  EXPECT_NE(said.find("cudaErrorStreamCaptureUnsupported"), said.npos) << said;
}

// Reductions that are asked for wait for the stream.
TEST(Capture, WhatWaitsIsNot) {
  for (const Sample& sample : std::vector<Sample>{
           {"stencil s { axes x, y; field f32 u boundary clamp; u[t+1] = 0.5*(u[x-1] + u[x+1]); "
            "reduce r = max(u[t+1]); }",
            "naive"}}) {
    const driver::Compiled program = compiled_sample(sample);
    const std::string said = differs(captured(program, prepares(program)));
    EXPECT_NE(said.find("cudaErrorStreamCapture"), said.npos) << sample.schedule << ": " << said;
  }
}

}  // namespace
}  // namespace stencilc::run_test
