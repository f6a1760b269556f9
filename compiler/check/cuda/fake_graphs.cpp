// Implements captures and graphs of the CUDA runtime.
#include <algorithm>

#include "check/cuda/streams.h"

namespace stencilc::check {
namespace {

// Whether all that the streams of a capture do comes before the end of its origin.
bool is_joined(const Capture& capture) {
  std::vector<bool> joined(capture.graph.nodes.size());
  joined[capture.origin->node] = true;
  for (size_t n = joined.size(); n-- > 0;)
    for (const size_t before : capture.graph.nodes[n].before)
      if (joined[n]) joined[before] = true;
  return std::all_of(capture.streams.begin(), capture.streams.end(),
                     [&](const Stream* stream) { return joined[stream->node]; });
}

bool any_captured(const Capture& capture, int device) {
  return std::any_of(capture.streams.begin(), capture.streams.end(),
                     [&](const Stream* stream) { return stream->device == device; });
}

bool broken(Capture& capture) {
  capture.broken = true;
  result(cudaErrorStreamCaptureUnsupported);
  return true;
}

namespace fake {

// ---- captures ----

// One at a time.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (stream == nullptr) return result(cudaErrorStreamCaptureUnsupported);
  if (machine().capture != nullptr) return result(cudaErrorIllegalState);
  Stream& origin = stream_of(stream);
  auto capture = std::make_shared<Capture>(Capture{&origin, mode, {}});
  origin.capture = capture;
  origin.node = capture->add(origin, {}, {});
  capture->streams.push_back(&origin);
  machine().capture = std::move(capture);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = machine().capture;
  if (capture == nullptr || capture->origin != reinterpret_cast<Stream*>(stream))
    return result(cudaErrorIllegalState);
  const bool joined = is_joined(*capture);
  machine().capture = nullptr;
  for (Stream* one : capture->streams) one->capture = nullptr;
  if (capture->broken) return result(cudaErrorStreamCaptureInvalidated);
  if (!joined) return result(cudaErrorStreamCaptureUnjoined);
  *graph = reinterpret_cast<cudaGraph_t>(new Graph(std::move(capture->graph)));
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = stream_of(stream).capture != nullptr ? cudaStreamCaptureStatusActive
                                                 : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

// ---- graphs ----

cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned) { return result(cudaErrorNotSupported); }
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams*) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     const cudaGraphEdgeData*, size_t) {
  return result(cudaErrorNotSupported);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* recording, cudaGraph_t graph,
                                          unsigned long long) {
  *recording =
      reinterpret_cast<cudaGraphExec_t>(new Recording{*reinterpret_cast<const Graph*>(graph), {}});
  return cudaSuccess;
}

// Its operations become operations of their own: each after those before it in the graph, all after
// what the stream was given, and before what it is given from now on.
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  Recording& recording = *reinterpret_cast<Recording*>(graph);
  if (stream.capture != nullptr) {
    broken(*stream.capture);
    return cudaErrorStreamCaptureUnsupported;
  }
  if (breaks_capture(stream)) return cudaErrorStreamCaptureUnsupported;
  cudaError_t error = cudaSuccess;
  if (!machine().later()) {
    for (const Node& node : recording.graph.nodes)
      if (const cudaError_t one = node.run ? node.run() : cudaSuccess; error == cudaSuccess)
        error = one;
    return result(error);
  }
  Tasks& tasks = machine().tasks;
  std::vector<TaskPtr> before = before_next(stream), all;
  before.push_back(recording.last);  // launches of one graph follow each other
  for (const Node& node : recording.graph.nodes) {
    std::vector<TaskPtr> these;
    for (const size_t place : node.before) these.push_back(all[place]);
    all.push_back(tasks.add(node.stream, node.run, node.before.empty() ? before : these));
  }
  const Operation end = [memory = recording.graph.memory] { return cudaSuccess; };
  recording.last = stream.last = tasks.add(&stream, end, all);
  return cudaSuccess;
}

// What was launched still runs, in memory that stays until then.
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<Graph*>(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t recording) {
  delete reinterpret_cast<Recording*>(recording);
  return cudaSuccess;
}

}  // namespace fake
}  // namespace

size_t Capture::add(const Stream& stream, Operation run, std::vector<size_t> before) {
  graph.nodes.push_back({std::move(run), &stream, std::move(before)});
  return graph.nodes.size() - 1;
}

bool breaks_capture() {
  Capture* capture = machine().capture.get();
  return capture != nullptr && capture->mode != cudaStreamCaptureModeRelaxed && broken(*capture);
}
bool breaks_capture(const Stream& stream) { return stream.capture == nullptr && breaks_capture(); }
bool breaks_capture_by_waiting(const Stream& stream) {
  return stream.capture != nullptr ? broken(*stream.capture) : breaks_capture();
}
bool breaks_capture_by_waiting(int device) {
  Capture* capture = machine().capture.get();
  return capture != nullptr && any_captured(*capture, device) ? broken(*capture) : breaks_capture();
}

std::vector<HostFunction> graph_functions() {
  return {
      STENCILC_API(cudaStreamBeginCapture),
      STENCILC_API(cudaStreamEndCapture),
      STENCILC_API(cudaStreamIsCapturing),
      STENCILC_API(cudaGraphCreate),
      STENCILC_API(cudaGraphAddKernelNode),
      STENCILC_API(cudaGraphAddDependencies),
      STENCILC_API(cudaGraphInstantiateWithFlags),
      STENCILC_API(cudaGraphLaunch),
      STENCILC_API(cudaGraphDestroy),
      STENCILC_API(cudaGraphExecDestroy),
  };
}

}  // namespace stencilc::check
