// The devices, streams and captures of a CPU thread. Internal to the fake_*.cpp.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/cuda/devices.h"
#include "check/cuda/tasks.h"
#include "check/memory/device_memory.h"

namespace stencilc::check {

struct Capture;

struct Stream {
  int device = 0;
  bool blocking = true;  // in order with the null stream
  TaskPtr last;          // its youngest operation, where operations run later
  // Where it is captured: by what, and its youngest operation there.
  std::shared_ptr<Capture> capture;
  size_t node = 0;
};

struct Event {
  using Clock = std::chrono::steady_clock;
  int device = 0;
  bool recorded = false;
  bool queried = false;  // since then
  // What was last recorded: the operation, or the node of a capture.
  TaskPtr task;
  std::shared_ptr<Capture> capture;
  size_t node = 0;
  std::shared_ptr<Clock::time_point> time;  // of the operation
};

// An operation of a graph, with the places of those before it. The places ascend.
struct Node {
  Operation run;
  const void* stream;
  std::vector<size_t> before;
};
struct Graph {
  std::vector<Node> nodes;
  std::vector<std::shared_ptr<void>> memory;  // that nodes allocate
};
struct Recording {
  Graph graph;
  TaskPtr last;  // of its last launch
};
// What is captured until the stream in which it began ends it. Every stream begins with a node.
struct Capture {
  const Stream* origin;
  cudaStreamCaptureMode mode;
  Graph graph;
  std::vector<Stream*> streams = {};
  bool broken = false;

  size_t add(const Stream& stream, Operation run, std::vector<size_t> before);
};

struct Device {
  Stream null;
  std::set<int> peers;  // whose memory it can access
};

struct Machine {
  Machine();

  Devices settings;
  int64_t operations_of_lost = 0;  // that have run, or failed
  int current = 0;
  device_memory::Space first_space;  // of device 0
  std::array<Device, most_devices> devices;
  std::vector<Stream*> streams;      // that programs have made
  std::shared_ptr<Capture> capture;  // that has begun
  Tasks tasks;
  std::vector<std::string> endless_waits;

  bool later() const { return settings.streams == StreamMode::later; }
  Device& at(int device) { return devices[static_cast<size_t>(device)]; }
  bool is_lost(int device) const {
    return device == settings.lost && operations_of_lost >= settings.lost_at && !settings.hangs;
  }
  bool has(int device) const { return device >= 0 && device < settings.count; }
  device_memory::Space space(int device) const {
    return first_space + static_cast<device_memory::Space>(device);
  }
};
Machine& machine();

Stream& stream_of(cudaStream_t stream);
// The device of an address, or -1.
int device_of(const void* pointer);
// Whether kernels and copies of a device can access memory of another one.
bool reaches(int device, int other);

// Asks for an operation on a stream: captures it, runs it, or lets it run later.
cudaError_t enqueue(Stream& stream, Operation run);
// The same, as soon as `until` holds; all that was asked of the stream's device so far may see to
// that.
cudaError_t wait_for_device(Stream& stream, Operation run, std::function<bool()> until);
// What an operation on the stream has to wait for.
std::vector<TaskPtr> before_next(const Stream& stream);
// Runs all that was asked of the stream, or of a device.
cudaError_t finish(const Stream& stream);
cudaError_t finish(int device);

// Whether a capture has begun in which this is not allowed. Stores the error and breaks the
// capture. Of calls that have nothing to do with streams:
bool breaks_capture();
// Of work on a stream that is not captured. CUDA allows it; here it is taken for an error except in
// the relaxed mode, since what a run does belongs into its graph.
bool breaks_capture(const Stream& stream);
// Of calls that wait for the stream, or for a device:
bool breaks_capture_by_waiting(const Stream& stream);
bool breaks_capture_by_waiting(int device);

}  // namespace stencilc::check
