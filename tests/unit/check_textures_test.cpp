// Textures: the cells of every element type, and what kernels and hosts must not do with them.
#include <gtest/gtest.h>

#include "support/kernels.h"

namespace stencilc::check {
namespace {

// Kernels with a texture `u` with texels of so many of the 96 `type`s 1, 2, ... in memory that
// begins `front` of them after the beginning of an allocation, and a place for a number.
struct Ran {
  int status = -1;
  long long number = 0;
  std::vector<std::string> faults;
};

class Textures {
 public:
  // `before`: lines before the launch of each.
  Textures(const std::string& type, int cells, const std::vector<std::string>& bodies,
           const std::vector<std::string>& before = {})
      : loaded_(load_text(
            "test.cu",
            "#include <stencil/cuda_texture.h>\n#include <stencil/device.h>\nusing T = " + type +
                ";\nconstexpr int cells = " + std::to_string(cells) +
                ";\nusing Cells = st::Texture<T, cells, int>;\n" +
                kernels_of(bodies, "const Cells u, long long* number"),
            R"(
extern "C" int call(long long* number, int front, int which) {
  T host[96], *data = nullptr;
  for (int x = 0; x < 96; ++x) host[x] = static_cast<T>(x + 1);
  long long* device = nullptr;
  cudaMalloc(&data, front * sizeof(T) + sizeof host);
  cudaMalloc(&device, sizeof *device);
  cudaMemcpy(data + front, host, sizeof host, cudaMemcpyHostToDevice);
  const T* const buffers[] = {data + front};
  int status = 0;
  {
    const stencil::Textures<T, cells, int, 1> textures(
        "test", buffers, stencil::shape({96}, 96), nullptr);
    status = static_cast<int>(textures.status().code());
)" + before_launch(before) +
                "  if (status == 0) {\n" +
                for_kernel(bodies, "K<<<1, 1>>>(textures.at[0], device);") + R"(  }
  }
  cudaGetLastError();
  cudaMemcpy(number, device, sizeof *number, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(device);
  return status;
})")) {}

  Ran run(int front = 0, size_t which = 0) const {
    Ran ran;
    if (!loaded_.executor) return ran;
    const auto call =
        reinterpret_cast<int (*)(long long*, int, int)>(symbol(*loaded_.executor, "call"));
    ran.status = call(&ran.number, front, static_cast<int>(which));
    ran.faults = faults_of(loaded_);
    return ran;
  }

 private:
  static std::string before_launch(const std::vector<std::string>& lines) {
    std::string text;
    for (size_t n = 0; n < lines.size(); ++n)
      text += "    if (which == " + std::to_string(n) + ") {\n" + lines[n] + "\n    }\n";
    return text;
  }
  Loaded loaded_;
};

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
  for (const auto& [type, cells] : types) {
    const Textures textures(type, cells, {sum});
    for (const int front : {0, cells}) {
      const Ran ran = textures.run(front);
      EXPECT_EQ(ran.status, 0) << type;
      EXPECT_EQ(ran.faults, std::vector<std::string>{}) << type;
      EXPECT_EQ(ran.number, expected) << type << " x " << cells << " from " << front;
    }
  }
}

TEST(check_textures, a_cell_of_memory_that_is_no_multiple_of_texels) {
  const Ran ran = Textures("float", 4, {"  *number = static_cast<long long>(u[5]);"}).run(3);
  EXPECT_EQ(ran.faults, std::vector<std::string>{});
  EXPECT_EQ(ran.number, 6);
}

// A line, what is said of it, and what the host does before. A texture begins at a multiple of 512
// bytes, which may lie in front of the memory.
TEST(check_textures, faults_are_told) {
  const std::vector<testing::Cells> table = testing::rows(R"(
    *number = u[95];  => 0 faults =>
    *number = u[96];  => HERE a fetch of 4 bytes outside a texture of ... =>
    *number = u[-65]; => HERE a fetch of 4 bytes outside a texture of ... =>
    float v[4]; st::load<4>(v, u + 2); *number = v[0]; => HERE a fetch of 16 bytes that are not in one texel =>
    *number = Cells{7000, 0}[0]; => HERE a fetch from something that is not a texture =>
    *number = u[0]; => HERE a fetch from something that is not a texture
      => cudaDestroyTextureObject(textures.at[0].object);
    *number = u[0]; => HERE a fetch of 4 bytes ... => cudaFree(data);
  )");
  std::vector<std::string> before;
  for (const testing::Cells& row : table) before.push_back(row[2]);
  const Textures textures("float", 4, bodies_of(table), before);
  for (size_t n = 0; n < table.size(); ++n) {
    std::string expected = fault_in(table[n]), found = only_of(textures.run(0, n).faults);
    if (expected.ends_with("...")) {  // goes on
      expected.resize(expected.size() - 3);
      found.resize(std::min(found.size(), expected.size()));
    }
    EXPECT_EQ(found, expected) << table[n][0];
  }
}

TEST(check_textures, a_grid_of_too_many_texels_is_refused) {
  const Textures textures("float", 1, {"  *number = 7;"},
                          {"const stencil::Textures<T, 1, int, 1> wide(\"test\", buffers, "
                           "stencil::shape({1 << 28, 2}, 1 << 28), nullptr);\n"
                           "if (wide.status().code() == stencil::Code::bad_extents) status = 77;"});
  EXPECT_EQ(textures.run().status, 77);
}

}  // namespace
}  // namespace stencilc::check
