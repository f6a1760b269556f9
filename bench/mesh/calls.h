// What scripts/gpu-mesh calls, behind a struct `Program`.
#define STENCIL_MESH_CALL extern "C" __attribute__((visibility("default")))

// A program that has taken its first steps; null if something failed. One without a mesh is on the
// last device of the case.
STENCIL_MESH_CALL void* open_case(const Case* one, Result* result) {
  const int device = one->pieces == 1 && one->form == 0 && one->feed == 0 ? one->devices - 1 : 0;
  (void)cudaSetDevice(device);
  auto* const held = new Program(*one);
  held->device = device;
  bool good = !harness::failed(held->status(), result);
  if (good) {
    result->leg_steps = held->leg_steps();
    held->fill();
    good = !harness::failed(held->wait(), result) &&
           !harness::failed(held->run(one->checked), result) &&
           !harness::failed(held->wait(), result);
  }
  if (good) result->digest = held->digest();
  if (good && one->times_host != 0) good = harness::time_host(*held, result);
  (void)cudaSetDevice(0);
  if (good) return static_cast<harness::Held*>(held);
  delete held;
  return nullptr;
}
STENCIL_MESH_CALL int start_case(void* held, int64_t steps) {
  auto* const program = static_cast<harness::Held*>(held);
  (void)cudaSetDevice(program->device);
  return program->run(steps).ok() ? 0 : 1;
}
STENCIL_MESH_CALL int wait_case(void* held) {
  auto* const program = static_cast<harness::Held*>(held);
  (void)cudaSetDevice(program->device);
  return program->wait().ok() ? 0 : 1;
}
STENCIL_MESH_CALL void close_case(void* held) {
  delete static_cast<harness::Held*>(held);
  (void)cudaSetDevice(0);
}
STENCIL_MESH_CALL int bus_of(int device, char* text, int size) {
  return cudaDeviceGetPCIBusId(text, size, device);
}
