// Devices, streams and graphs that host code finds in the executor when operations run later.
#include <gtest/gtest.h>

#include <set>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// `v` is on device 0, as are the streams `a` and `b`, which are not in order with the null stream,
// `c`, which is, and the events; `w`, `far` and `there` are on device 1.
constexpr const char* kText = R"(
__global__ void add(int* v, int n) { *v = *v * 10 + n; }
__global__ void read(int* to, const int* from) { *to = *from; }
__global__ void after(const unsigned* word, int* v, int n) {
  __stencil_await_word(word, 1, 8, 1u << 31);
  *v = *v * 10 + n;
}
)";
constexpr const char* kAdapter = R"(
static int *v, *w;
static cudaStream_t a, b, c, far;
static cudaEvent_t e, f, there;
static cudaGraph_t graph;
static cudaGraphExec_t recording;

static void begin() {
  cudaSetDevice(1);
  cudaMalloc(&w, sizeof(int));
  cudaStreamCreateWithFlags(&far, cudaStreamNonBlocking);
  cudaEventCreate(&there);
  cudaMemset(w, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaMalloc(&v, sizeof(int));
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreate(&c);
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  cudaMemset(v, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaGetLastError();
}
static int now() {
  int out = -1;
  cudaMemcpy(&out, v, sizeof(int), cudaMemcpyDeviceToHost);
  return out;
}
static int all() {
  cudaDeviceSynchronize();
  return now();
}
static void end() {
  const cudaStream_t streams[] = {a, b, c, far};
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  const cudaEvent_t events[] = {e, f, there};
  for (cudaEvent_t event : events) cudaEventDestroy(event);
  cudaFree(v);
  cudaFree(w);
  cudaSetDevice(0);
}
static void on(cudaStream_t stream, int n) { add<<<1, 1, 0, stream>>>(v, n); }
static void wait(cudaStream_t stream, cudaEvent_t event) { cudaStreamWaitEvent(stream, event, 0); }
static void capture(cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed) {
  cudaStreamBeginCapture(a, mode);
}
static int captured() {
  const int error = cudaStreamEndCapture(a, &graph);
  if (error == 0) cudaGraphInstantiateWithFlags(&recording, graph, 0);
  if (error == 0) cudaGraphDestroy(graph);
  return error;
}
static void launch(int times) {
  for (int n = 0; n < times; ++n) cudaGraphLaunch(recording, a);
  cudaGraphExecDestroy(recording);
}
)";

// The values that these bodies return on two devices with so many seeds, in ascending order; as the
// table says.
void expect_values(StreamMode mode, uint64_t seeds, std::string_view text) {
  const std::vector<testing::Cells> table = testing::rows(text);
  std::string adapter = kAdapter;
  for (size_t n = 0; n < table.size(); ++n)
    adapter += "static int host" + std::to_string(n) + "() {\n" + table[n][0] + "\n}\n";
  adapter += "extern \"C\" int call(int which) {\n  begin();\n  int got = -1;\n";
  for (size_t n = 0; n < table.size(); ++n)
    adapter += "  if (which == " + std::to_string(n) + ") got = host" + std::to_string(n) + "();\n";
  const Loaded loaded = load_text("test.cu", kText, adapter + "  end();\n  return got;\n}\n");
  ASSERT_TRUE(loaded.executor);
  const auto call = reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
  for (size_t n = 0; n < table.size(); ++n) {
    std::set<int> values;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      set_devices({2, mode, seed});
      values.insert(call(static_cast<int>(n)));
    }
    std::string said;
    for (const int value : values) said += (said.empty() ? "" : " ") + std::to_string(value);
    EXPECT_EQ(said, table[n][1]) << table[n][0];
    for (const auto& fault : take_faults(*loaded.executor)) ADD_FAILURE() << fault;
  }
  set_devices({});
}

TEST(check_streams, run_in_every_order_that_events_allow) {
  expect_values(StreamMode::later, 40, R"(
    on(a, 1); on(a, 2); on(a, 3); return all();                             => 123
    on(a, 1); on(b, 2); return all();                                       => 12 21
    on(a, 1); cudaEventRecord(e, a); wait(b, e); on(b, 2); return all();    => 12
    wait(b, e); on(a, 1); cudaEventRecord(e, a); on(b, 2); return all();    => 12 21
    on(a, 1); cudaEventRecord(e, a); wait(b, e); on(a, 2); cudaEventRecord(e, a); on(b, 3);
      return all(); => 123 132
    on(a, 1); cudaEventRecord(e, a); on(a, 2); cudaEventRecord(e, a); wait(b, e); on(b, 3);
      return all(); => 123
    on(c, 1); add<<<1, 1>>>(v, 2); on(c, 3); return all();                  => 123
    on(a, 1); add<<<1, 1>>>(v, 2); return all();                            => 12 21
  )");
}

TEST(check_streams, run_no_further_than_somebody_waits) {
  expect_values(StreamMode::later, 40, R"(
    on(a, 1); return now();                                                 => 0 1
    on(c, 1); return now();                                                 => 1
    on(a, 1); cudaStreamSynchronize(a); return now();                       => 1
    on(a, 1); cudaStreamSynchronize(b); return now();                       => 0 1
    on(a, 1); cudaEventRecord(e, a); on(a, 2); cudaEventSynchronize(e); return now(); => 1 12
    on(a, 1); cudaFree(nullptr); return now();                              => 0 1
    int* old; cudaMalloc(&old, 4); on(a, 1); cudaFree(old); return now();   => 1
    on(a, 1); cudaSetDevice(1); cudaDeviceSynchronize(); cudaSetDevice(0); return now(); => 0 1
    on(a, 1); cudaMemset(v, 0, 4); return all();                            => 0 1
    cudaEventRecord(e, a); on(a, 1); cudaEventRecord(f, a); float ms = -1;
      const int early = cudaEventElapsedTime(&ms, e, f); cudaStreamSynchronize(a);
      return early * 10 + cudaEventElapsedTime(&ms, e, f) + (ms < 0);       => 6000
    return cudaEventElapsedTime(nullptr, e, f);                             => 400
  )");
}

TEST(check_streams, copies_and_allocations_are_in_order) {
  expect_values(StreamMode::later, 20, R"(
    int n = 5; cudaMemcpyAsync(v, &n, 4, cudaMemcpyHostToDevice, a); n = 6; return all(); => 5
    int n = 5; on(a, 7); cudaMemcpyAsync(&n, v, 4, cudaMemcpyDeviceToHost, a); return n; => 7
    int* t; cudaMallocAsync(&t, 4, a); cudaMemsetAsync(t, 0, 4, a); add<<<1, 1, 0, a>>>(t, 8);
      read<<<1, 1, 0, a>>>(v, t); cudaFreeAsync(t, a); return all(); => 8
    cudaSetDevice(1); add<<<1, 1, 0, far>>>(w, 1); cudaEventRecord(there, far); cudaSetDevice(0);
      wait(a, there); cudaMemcpyPeerAsync(v, 0, w, 1, 4, a); return all(); => 1
    cudaSetDevice(1); add<<<1, 1, 0, far>>>(w, 1); cudaEventRecord(there, far); cudaSetDevice(0);
      cudaMemcpyPeerAsync(v, 0, w, 1, 4, a); return all(); => 0 1
  )");
}

// What follows the kernel in its stream waits for it as well.
TEST(check_streams, kernels_wait_for_words) {
  expect_values(StreamMode::later, 20, R"(
    unsigned* word; cudaMalloc(&word, 4); cudaMemset(word, 0, 4); after<<<1, 1, 0, a>>>(word, v, 1);
      on(b, 2); cudaMemsetAsync(word, 1, 1, b); return all(); => 21
    unsigned* word; cudaMalloc(&word, 4); cudaMemset(word, 0, 4); after<<<1, 1, 0, a>>>(word, v, 1);
      on(a, 3); on(b, 2); cudaMemsetAsync(word, 4, 1, b); return all(); => 213
    unsigned* word; cudaMalloc(&word, 4); cudaMemset(word, 0, 4); cudaMemsetAsync(word, 1, 1, b);
      after<<<1, 1, 0, a>>>(word, v, 1); on(b, 2); return all(); => 12 21
    unsigned* word; cudaMalloc(&word, 4); cudaMemset(word, 0x80, 4);
      after<<<1, 1, 0, a>>>(word, v, 1); return all(); => 1
  )");
}

TEST(check_streams, belong_to_devices) {
  for (const StreamMode mode : {StreamMode::at_once, StreamMode::later}) {
    expect_values(mode, 1, R"(
      int count = 0; cudaGetDeviceCount(&count); return count;              => 2
      return cudaSetDevice(2);                                              => 101
      int n = 7; cudaSetDevice(1); cudaGetDevice(&n); return n;             => 1
      cudaPointerAttributes of; cudaPointerGetAttributes(&of, w); return of.device; => 1
      int n; return cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 2);     => 101
      add<<<1, 1, 0, far>>>(w, 1); return cudaGetLastError();               => 400
      return cudaEventRecord(e, far) + cudaEventRecord(there, a);           => 800
      wait(a, there); wait(far, e); return cudaGetLastError();              => 0
      return cudaMemcpyAsync(v, w, 4, cudaMemcpyDeviceToDevice, a);         => 705
      return cudaMemcpyPeerAsync(v, 1, w, 0, 4, a);                         => 1
      return cudaMemcpyPeerAsync(v, 0, w, 2, 4, a);                         => 101
      int n = 0; cudaDeviceCanAccessPeer(&n, 0, 1); int m = 1; cudaDeviceCanAccessPeer(&m, 1, 1);
        return 10 * n + m; => 10
      return cudaDeviceEnablePeerAccess(0, 0);                              => 101
      return cudaDeviceEnablePeerAccess(1, 0);                              => 0
      return cudaDeviceEnablePeerAccess(1, 0);                              => 704
      return cudaMemcpyAsync(v, w, 4, cudaMemcpyDeviceToDevice, a);         => 0
      read<<<1, 1>>>(v, w); cudaDeviceSynchronize(); return cudaGetLastError(); => 0
    )");
  }
}

TEST(check_streams, are_captured_into_graphs) {
  for (const StreamMode mode : {StreamMode::at_once, StreamMode::later}) {
    const bool later = mode == StreamMode::later;
    expect_values(mode, later ? 40 : 1, R"(
      capture(); on(a, 1); captured(); launch(0); return all();             => 0
      capture(); on(a, 1); on(a, 2); captured(); launch(2); return all();   => 1212
      capture(); on(a, 1); captured(); on(a, 2); launch(1); on(a, 3); return all(); => 213
      capture(); on(a, 1); cudaEventRecord(e, a); wait(b, e); on(b, 2); cudaEventRecord(f, b);
        wait(a, f); on(a, 3); captured(); launch(2); return all(); => 123123
      capture(); wait(b, f); on(a, 1); captured(); launch(1); return all(); => 1
      capture(); int* t; cudaMallocAsync(&t, 4, a); read<<<1, 1, 0, a>>>(v, t);
        cudaMemsetAsync(t, 1, 4, a); cudaFreeAsync(t, a); captured(); launch(2); return all(); => -1
      int n = 5; capture(); cudaMemcpyAsync(v, &n, 4, cudaMemcpyHostToDevice, a); captured(); n = 6;
        launch(1); return all(); => 6
      capture(); cudaEventRecord(e, a); wait(far, e); cudaSetDevice(1); add<<<1, 1, 0, far>>>(w, 4);
        cudaEventRecord(there, far); cudaSetDevice(0); wait(a, there);
        cudaMemcpyPeerAsync(v, 0, w, 1, 4, a); captured(); launch(2); return all(); => 44
    )");
    expect_values(mode, later ? 40 : 1,
                  std::string(R"(
      capture(); cudaEventRecord(e, a); wait(b, e); on(a, 1); on(b, 2); cudaEventRecord(f, b);
        wait(a, f); on(a, 3); captured(); launch(1); return all(); => )") +
                      (later ? "123 213" : "123"));
  }
}

TEST(check_streams, captures_fail_as_they_must) {
  expect_values(StreamMode::later, 1, R"(
    capture(); cudaEventRecord(e, a); wait(b, e); on(b, 1); return captured();      => 904
    cudaEventRecord(e, b); capture(); wait(a, e); const int error = cudaGetLastError();
      return error * 1000 + captured(); => 905901
    capture(); cudaEventRecord(e, a); captured(); launch(1); wait(b, e); return cudaGetLastError(); => 907
    capture(); cudaEventRecord(e, a); captured(); launch(1); return cudaEventSynchronize(e); => 907
    capture(); return cudaStreamSynchronize(a) * 1000 + captured();                 => 900901
    capture(); return cudaDeviceSynchronize() * 1000 + captured();                  => 900901
    capture(); cudaSetDevice(1); const int error = cudaDeviceSynchronize(); captured(); launch(1);
      return error; => 0
    capture(); int* t; const int error = cudaMalloc(&t, 4); cudaFree(t); on(b, 1);
      captured(); launch(1); return error + all(); => 1
    capture(cudaStreamCaptureModeGlobal); int* t; return cudaMalloc(&t, 4) * 1000 + captured(); => 900901
    capture(cudaStreamCaptureModeGlobal); on(b, 1); return captured();              => 901
    capture(); const int error = cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed);
      captured(); launch(1); return error; => 401
    cudaStreamCaptureStatus s, t; capture(); cudaEventRecord(e, a); cudaStreamIsCapturing(b, &s);
      wait(b, e); cudaStreamIsCapturing(b, &t); captured(); return 10 * s + t; => 1
  )");
}

// What a launch that runs later did is told where somebody waits, and by take_faults().
TEST(check_streams, faults_of_later_launches_are_told) {
  const Loaded loaded = load_text("test.cu", kText, std::string(kAdapter) + R"(
extern "C" int call(int which) {
  begin();
  if (which == 0) add<<<1, 1, 0, a>>>(nullptr, 1);
  if (which == 1) read<<<1, 1, 0, a>>>(v, w);
  if (which == 2) after<<<1, 1, 0, a>>>(reinterpret_cast<unsigned*>(v), v, 1);
  const int asked = cudaGetLastError(), waited = cudaStreamSynchronize(a);
  end();
  return asked * 1000 + waited;
}
extern "C" void leave() {
  begin();
  add<<<1, 1, 0, a>>>(nullptr, 1);
}
)");
  ASSERT_TRUE(loaded.executor);
  const auto call = reinterpret_cast<int (*)(int)>(symbol(*loaded.executor, "call"));
  set_devices({2, StreamMode::later, 1});
  EXPECT_EQ(call(0), 719);
  EXPECT_EQ(take_faults(*loaded.executor),
            std::vector<std::string>{
                "add: block (0,0,0) thread (0,0,0): an access through a null pointer"});
  EXPECT_EQ(call(1), 719);
  EXPECT_EQ(
      take_faults(*loaded.executor),
      std::vector<std::string>{
          "read: block (0,0,0) thread (0,0,0): an illegal access byte 0 of an allocation of 4 "
          "bytes of another device, which this one has no access to"});
  EXPECT_EQ(call(2), 719);
  EXPECT_EQ(take_faults(*loaded.executor),
            std::vector<std::string>{"after: block (0,0,0) thread (0,0,0): it waits for a word of "
                                     "memory that nothing writes"});
  reinterpret_cast<void (*)()>(symbol(*loaded.executor, "leave"))();
  EXPECT_EQ(take_faults(*loaded.executor).size(), 1u);
  set_devices({});
}

}  // namespace
}  // namespace stencilc::check
