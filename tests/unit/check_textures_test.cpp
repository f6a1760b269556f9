// Textures: the cells of every element type, and what kernels and hosts must not do with them.
#include <gtest/gtest.h>

#include "executor/fixture.h"

namespace stencilc::check {
namespace {

// A program whose kernel `body` has a texture `u` with texels of so many of the 96 `type`s 1, 2,
// ... in memory that begins `front` of them behind the beginning of an allocation, and a place for
// a number.
struct Ran {
  int status = -1;
  long long number = 0;
  std::vector<std::string> faults;
};

Ran run_kernel(const std::string& type, int cells, const std::string& body, int front = 0,
               const std::string& before_launch = "") {
  const std::string text =
      "#include <stencil/cuda_texture.h>\n#include <stencil/device.h>\n"
      "using T = " +
      type + ";\nusing Cells = st::Texture<T, " + std::to_string(cells) + ", int>;\n" +
      "__global__ void test(const Cells u, long long* number) {\n" + body + "\n}\n";
  const std::string adapter = R"(
extern "C" int call(long long* number) {
  T host[96], *data = nullptr;
  for (int x = 0; x < 96; ++x) host[x] = static_cast<T>(x + 1);
  long long* device = nullptr;
  constexpr int front = )" + std::to_string(front) +
                              R"(;
  cudaMalloc(&data, front * sizeof(T) + sizeof host);
  cudaMalloc(&device, sizeof *device);
  cudaMemcpy(data + front, host, sizeof host, cudaMemcpyHostToDevice);
  const T* const buffers[] = {data + front};
  int status = 0;
  {
    const stencil::Textures<T, )" +
                              std::to_string(cells) +
                              R"(, int, 1> textures(
        "test", buffers, stencil::shape({96}, 96), nullptr);
    status = static_cast<int>(textures.status().code());
)" + before_launch + R"(
    if (status == 0) test<<<1, 1>>>(textures.at[0], device);
  }
  cudaGetLastError();
  cudaMemcpy(number, device, sizeof *number, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(device);
  return status;
})";
  Ran ran;
  const Loaded loaded = load_text("test.cu", text, adapter);
  if (!loaded.executor) return ran;
  const auto call = reinterpret_cast<int (*)(long long*)>(symbol(*loaded.executor, "call"));
  ran.status = call(&ran.number);
  ran.faults = take_faults(*loaded.executor);
  return ran;
}

TEST(check_textures, cells_and_vectors_of_every_size) {
  const std::pair<const char*, int> types[] = {
      {"unsigned char", 16}, {"unsigned char", 2}, {"short", 8},     {"int", 1}, {"float", 4},
      {"float", 2},          {"double", 2},        {"long long", 1}, {"int", 4}};
  const std::string sum = R"(
  T own[16] = {};
  st::load<16>(own, u + 16);
  long long sum = 0;
  for (int k = 0; k < 16; ++k) sum += static_cast<long long>(own[k]) * (k + 1);
  for (int k = 0; k < 96; ++k) sum += static_cast<long long>((u + 1)[k - 1]) * (k + 1);
  *number = sum;)";
  long long expected = 0;
  for (int k = 0; k < 16; ++k) expected += (k + 17) * (k + 1);
  for (int k = 0; k < 96; ++k) expected += (k + 1) * (k + 1);
  for (const auto& [type, cells] : types)
    for (const int front : {0, cells}) {
      const Ran ran = run_kernel(type, cells, sum, front);
      EXPECT_EQ(ran.status, 0) << type;
      EXPECT_EQ(ran.faults, std::vector<std::string>{}) << type;
      EXPECT_EQ(ran.number, expected) << type << " x " << cells << " from " << front;
    }
}

TEST(check_textures, a_cell_of_memory_that_is_no_multiple_of_texels) {
  const Ran ran = run_kernel("float", 4, "  *number = static_cast<long long>(u[5]);", 3);
  EXPECT_EQ(ran.faults, std::vector<std::string>{});
  EXPECT_EQ(ran.number, 6);
}

std::string fault_of(const std::string& line, const std::string& before_launch = "") {
  const Ran ran = run_kernel("float", 4, "  " + line, 0, before_launch);
  return ran.faults.size() == 1 ? ran.faults[0] : std::to_string(ran.faults.size()) + " faults";
}

TEST(check_textures, faults_are_told) {
  const std::string here = "test: block (0,0,0) thread (0,0,0): ";
  EXPECT_EQ(fault_of("*number = u[95];"), "0 faults");
  // A texture begins at a multiple of 512 bytes, which may lie in front of the memory.
  for (const char* beyond : {"*number = u[96];", "*number = u[-65];"})
    EXPECT_TRUE(
        fault_of(beyond).starts_with(here + "a fetch of 4 bytes beyond the ends of a texture of "))
        << fault_of(beyond);
  EXPECT_EQ(fault_of("float v[4]; st::load<4>(v, u + 2); *number = v[0];"),
            here + "a fetch of 16 bytes that are no part of a texel");
  EXPECT_EQ(fault_of("*number = Cells{7000, 0}[0];"),
            here + "a fetch from something that is no texture");
  EXPECT_EQ(fault_of("*number = u[0];", "cudaDestroyTextureObject(textures.at[0].object);"),
            here + "a fetch from something that is no texture");
  const std::string freed = fault_of("*number = u[0];", "cudaFree(data);");
  EXPECT_TRUE(freed.starts_with(here + "a fetch of 4 bytes ")) << freed;
}

TEST(check_textures, a_grid_of_too_many_texels_is_refused) {
  const Ran ran =
      run_kernel("float", 1, "  *number = 7;", 0,
                 "const stencil::Textures<T, 1, int, 1> wide(\"test\", buffers, "
                 "stencil::shape({1 << 28, 2}, 1 << 28), nullptr);\n"
                 "if (wide.status().code() == stencil::Code::bad_extents) status = 77;");
  EXPECT_EQ(ran.status, 77);
}

}  // namespace
}  // namespace stencilc::check
