// Implements streams, events and devices of the CUDA runtime.
#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <utility>

#include "check/cuda/streams.h"

namespace stencilc::check {
namespace {

Event& event_of(cudaEvent_t event) { return *reinterpret_cast<Event*>(event); }

// What a call returns that waited for a device.
cudaError_t ended(int device, cudaError_t error) {
  if (error == cudaErrorLaunchTimeout && machine().tasks.any_hangs())
    machine().endless_waits.push_back("the host waits for device " + std::to_string(device) +
                                      ", which hangs");
  return result(machine().is_lost(device) ? cudaErrorLaunchFailure : error);
}

namespace fake {

// ---- streams ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  auto* made = new Stream{machine().current, (flags & cudaStreamNonBlocking) == 0, {}, {}};
  machine().streams.push_back(made);
  *stream = reinterpret_cast<cudaStream_t>(made);
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return fake::cudaStreamCreateWithFlags(stream, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return fake::cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr) return result(cudaErrorInvalidResourceHandle);
  Stream& old = stream_of(stream);
  const cudaError_t error = finish(old);
  std::erase(machine().streams, &old);
  if (old.capture != nullptr) {
    old.capture->broken = true;
    std::erase(old.capture->streams, &old);
  }
  delete &old;
  return error;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Stream& awaited = stream_of(stream);
  return breaks_capture_by_waiting(awaited) ? cudaErrorStreamCaptureUnsupported : finish(awaited);
}
// Runs what can run, of the stream and besides.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  Stream& asked = stream_of(stream);
  if (breaks_capture_by_waiting(asked)) return cudaErrorStreamCaptureUnsupported;
  const bool null = &asked == &machine().at(asked.device).null;
  const std::vector<TaskPtr> all = null ? before_next(asked) : std::vector{asked.last};
  const cudaError_t error = ended(asked.device, machine().tasks.run_what_can(all));
  const bool all_done = std::all_of(
      all.begin(), all.end(), [](const TaskPtr& task) { return task == nullptr || task->done; });
  return error != cudaSuccess || all_done ? error : cudaErrorNotReady;
}
cudaError_t cudaDeviceSynchronize() {
  const int device = machine().current;
  return breaks_capture_by_waiting(device) ? cudaErrorStreamCaptureUnsupported : finish(device);
}

// A stream that waits for an event of a capture becomes a part of it.
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t of, unsigned) {
  Stream& stream = stream_of(handle);
  const Event& event = event_of(of);
  if (!event.recorded) return cudaSuccess;
  if (event.capture == nullptr && stream.capture == nullptr) {
    if (!machine().later()) return cudaSuccess;
    std::vector<TaskPtr> before = before_next(stream);
    before.push_back(event.task);
    stream.last = machine().tasks.add(&stream, {}, before);
    return cudaSuccess;
  }
  if (event.capture == nullptr) {
    stream.capture->broken = true;
    return result(cudaErrorStreamCaptureIsolation);
  }
  if (event.capture != machine().capture) return result(cudaErrorCapturedEvent);
  Capture& capture = *event.capture;
  if (stream.capture == nullptr) {
    if (&stream == &machine().at(stream.device).null) return result(cudaErrorStreamCaptureImplicit);
    stream.capture = event.capture;
    stream.node = event.node;
    capture.streams.push_back(&stream);
  }
  stream.node = capture.add(stream, {}, {stream.node, event.node});
  return cudaSuccess;
}

// ---- events ----

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new Event{.device = machine().current});
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return fake::cudaEventCreateWithFlags(event, cudaEventDefault);
}
// The time of an event of a graph is not told, as on a GPU.
cudaError_t cudaEventRecord(cudaEvent_t of, cudaStream_t handle) {
  Stream& stream = stream_of(handle);
  Event& event = event_of(of);
  if (event.device != stream.device) return result(cudaErrorInvalidResourceHandle);
  if (breaks_capture(stream)) return cudaErrorStreamCaptureUnsupported;
  event.recorded = true;
  event.queried = false;
  event.capture = stream.capture;
  event.task = nullptr;
  if (stream.capture != nullptr) {
    event.node = stream.node = stream.capture->add(stream, {}, {stream.node});
    return cudaSuccess;
  }
  const auto time = std::make_shared<Event::Clock::time_point>();
  const cudaError_t error = enqueue(stream, [time] {
    *time = Event::Clock::now();
    return cudaSuccess;
  });
  event.time = time;
  event.task = stream.last;
  return error;
}
cudaError_t cudaEventSynchronize(cudaEvent_t of) {
  const Event& event = event_of(of);
  if (event.capture != nullptr) {
    if (event.capture == machine().capture) event.capture->broken = true;
    return result(cudaErrorCapturedEvent);
  }
  if (breaks_capture()) return cudaErrorStreamCaptureUnsupported;
  return ended(event.device, machine().tasks.run({event.task}));
}
// The first query after it was recorded finds it not ready; a later one runs what can run.
cudaError_t cudaEventQuery(cudaEvent_t of) {
  Event& event = event_of(of);
  if (event.capture != nullptr || breaks_capture()) return fake::cudaEventSynchronize(of);
  if (event.task != nullptr && !event.task->done && !event.queried) {
    event.queried = true;
    return cudaErrorNotReady;
  }
  if (event.task == nullptr) return ended(event.device, cudaSuccess);
  const cudaError_t error = ended(event.device, machine().tasks.run_what_can({event.task}));
  return error != cudaSuccess || event.task->done ? error : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const Event &first = event_of(start), &last = event_of(end);
  for (const Event* event : {&first, &last}) {
    if (!event->recorded || event->capture != nullptr)
      return result(cudaErrorInvalidResourceHandle);
    if (event->task != nullptr && !event->task->done) return result(cudaErrorNotReady);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*last.time - *first.time).count();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &event_of(event);
  return cudaSuccess;
}

// ---- devices ----

cudaError_t cudaGetDevice(int* device) {
  *device = machine().current;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = machine().settings.count;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!machine().has(device)) return result(cudaErrorInvalidDevice);
  machine().current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* reaches, int device, int other) {
  if (!machine().has(device) || !machine().has(other)) return result(cudaErrorInvalidDevice);
  *reaches = device != other ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned) {
  const int device = machine().current;
  if (!machine().has(other) || other == device) return result(cudaErrorInvalidDevice);
  return result_of(machine().at(device).peers.insert(other).second,
                   cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (!machine().has(device)) return result(cudaErrorInvalidDevice);
  const std::string text = "0000:0" + std::to_string(device) + ":00.0";
  if (length <= static_cast<int>(text.size())) return result(cudaErrorInvalidValue);
  text.copy(id, text.size());
  id[text.size()] = 0;
  return cudaSuccess;
}

// The properties of an H200.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!machine().has(device)) return result(cudaErrorInvalidDevice);
  static const std::map<cudaDeviceAttr, int> values = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, 0x7FFF'FFFF},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrMultiProcessorCount, 132},
      {cudaDevAttrL2CacheSize, 50 << 20},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
      {cudaDevAttrPageableMemoryAccess, 0},
      {cudaDevAttrConcurrentManagedAccess, 0},
      {cudaDevAttrCooperativeLaunch, 0},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 * 1024},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
  };
  const auto found = values.find(attribute);
  if (found == values.end()) return result(cudaErrorInvalidValue);
  *value = found->second;
  return cudaSuccess;
}

}  // namespace fake
}  // namespace

Machine::Machine() {
  static std::atomic<device_memory::Space> machines = 0;
  first_space = ++machines * most_devices;
  for (size_t device = 0; device < devices.size(); ++device)
    devices[device].null.device = static_cast<int>(device);
}

Machine& machine() {
  thread_local Machine the_machine;
  return the_machine;
}

void run_what_is_left() { (void)machine().tasks.run_all(); }

std::vector<std::string> take_endless_waits() { return std::exchange(machine().endless_waits, {}); }

void set_devices(const Devices& devices) {
  run_what_is_left();
  Machine& all = machine();
  all.tasks.draw_by(devices.seed);
  all.operations_of_lost = 0;
  if (devices.count != all.settings.count) {
    all.current = 0;
    for (Device& device : all.devices) device.peers.clear();
  }
  all.settings = devices;
}

Stream& stream_of(cudaStream_t stream) {
  if (stream != nullptr) return *reinterpret_cast<Stream*>(stream);
  return machine().at(machine().current).null;
}

int device_of(const void* pointer) {
  const device_memory::Space space = device_memory::space_of(pointer);
  return space == 0 ? -1 : static_cast<int>(space % most_devices);
}

bool reaches(int device, int other) {
  return device == other || machine().at(device).peers.contains(other);
}

std::vector<TaskPtr> before_next(const Stream& stream) {
  std::vector<TaskPtr> before = {stream.last};
  const Stream& null = machine().at(stream.device).null;
  if (&stream == &null) {
    for (const Stream* other : machine().streams)
      if (other->device == stream.device && other->blocking) before.push_back(other->last);
  } else if (stream.blocking) {
    before.push_back(null.last);
  }
  return before;
}

namespace {

// An operation of a device that may be lost by then: nothing happens, and who asks the device for
// something or waits for it is told.
Operation on_device(int device, Operation run) {
  if (device != machine().settings.lost) return run;
  return [device, run = std::move(run)] {
    Machine& all = machine();
    if (device == all.settings.lost && ++all.operations_of_lost == all.settings.lost_at &&
        all.settings.hangs) {
      all.tasks.hang();
      return cudaSuccess;
    }
    return all.is_lost(device) || !run ? cudaSuccess : run();
  };
}

}  // namespace

cudaError_t enqueue(Stream& stream, Operation operation) {
  if (machine().is_lost(stream.device)) return result(cudaErrorLaunchFailure);
  constexpr size_t room = 1000;  // as much as a stream takes before a call waits
  if (machine().tasks.any_hangs() && machine().tasks.keeps_waiting(&stream, room))
    return ended(stream.device, cudaErrorLaunchTimeout);
  Operation run = on_device(stream.device, std::move(operation));
  if (stream.capture != nullptr) {
    stream.node = stream.capture->add(stream, std::move(run), {stream.node});
    return cudaSuccess;
  }
  if (!machine().later()) return result(run());
  stream.last = machine().tasks.add(&stream, std::move(run), before_next(stream));
  return cudaSuccess;
}

cudaError_t wait_for_device(Stream& stream, Operation operation, std::function<bool()> reached) {
  Operation run = on_device(stream.device, std::move(operation));
  const std::function<bool()> until = [device = stream.device, reached = std::move(reached)] {
    return machine().is_lost(device) || reached();
  };
  const auto beside = [&](const Stream* other) { return other->device == stream.device; };
  if (stream.capture != nullptr) {
    std::vector<size_t> before;
    for (const Stream* other : stream.capture->streams)
      if (beside(other)) before.push_back(other->node);
    std::sort(before.begin(), before.end());
    stream.node = stream.capture->add(stream, std::move(run), std::move(before));
    return cudaSuccess;
  }
  if (!machine().later()) return run();
  std::vector<TaskPtr> asked;
  for (const Stream* other : machine().streams)
    if (beside(other) && other->last != nullptr) asked.push_back(other->last);
  stream.last = machine().tasks.add_wait(&stream, std::move(run), before_next(stream),
                                         std::move(until), std::move(asked));
  return cudaSuccess;
}

cudaError_t finish(const Stream& stream) {
  const bool null = &stream == &machine().at(stream.device).null;
  return ended(stream.device,
               machine().tasks.run(null ? before_next(stream) : std::vector{stream.last}));
}

cudaError_t finish(int device) {
  std::vector<TaskPtr> all = {machine().at(device).null.last};
  for (const Stream* stream : machine().streams)
    if (stream->device == device) all.push_back(stream->last);
  return ended(device, machine().tasks.run(all));
}

std::vector<HostFunction> stream_functions() {
  return {
      STENCILC_API(cudaStreamCreate),
      STENCILC_API(cudaStreamCreateWithFlags),
      STENCILC_API(cudaStreamCreateWithPriority),
      STENCILC_API(cudaDeviceGetStreamPriorityRange),
      STENCILC_API(cudaStreamDestroy),
      STENCILC_API(cudaStreamSynchronize),
      STENCILC_API(cudaStreamQuery),
      STENCILC_API(cudaDeviceSynchronize),
      STENCILC_API(cudaStreamWaitEvent),
      STENCILC_API(cudaEventCreateWithFlags),
      STENCILC_API(cudaEventCreate),
      STENCILC_API(cudaEventRecord),
      STENCILC_API(cudaEventSynchronize),
      STENCILC_API(cudaEventQuery),
      STENCILC_API(cudaEventElapsedTime),
      STENCILC_API(cudaEventDestroy),
      STENCILC_API(cudaGetDevice),
      STENCILC_API(cudaGetDeviceCount),
      STENCILC_API(cudaSetDevice),
      STENCILC_API(cudaDeviceGetPCIBusId),
      STENCILC_API(cudaDeviceCanAccessPeer),
      STENCILC_API(cudaDeviceEnablePeerAccess),
      STENCILC_API(cudaDeviceGetAttribute),
  };
}

}  // namespace stencilc::check
