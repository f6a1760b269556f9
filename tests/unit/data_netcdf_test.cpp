// NetCDF files through their library. Without it the tests are skipped; the long tests bring it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "data/files/netcdf.h"
#include "support/text.h"

namespace stencilc::data {
namespace {

class NetcdfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string problem = netcdf_problem(); !problem.empty()) GTEST_SKIP() << problem;
  }
};

Array ascending(Element element, const Extents& extents) {
  Array array = *make_array(Element::i32, extents);
  for (int64_t i = 0; i < array.count(); ++i) array.as<int32_t>()[i] = static_cast<int32_t>(i % 90);
  return *converted(array, element);
}
std::string made(const NetcdfFile& file) {
  const Result<std::string> text = netcdf_file(file);
  EXPECT_TRUE(text.ok()) << text.error();
  return text.ok() ? *text : "";
}

TEST_F(NetcdfFiles, HoldWhatIsWritten) {
  for (const Element element :
       {Element::f64, Element::f32, Element::f16, Element::bf16, Element::i64, Element::i32,
        Element::i16, Element::u16, Element::i8, Element::u8, Element::boolean})
    for (const bool compressed : {false, true}) {
      const Array volume = ascending(element, {5, 3, 2}), line = ascending(element, {3});
      NetcdfFile file{"test",
                      {{"x", 5, -1, 0.5}, {"y", 3, 2, 0.1}, {"z", 2}},
                      {{{"volume", &volume}, {"x", "y", "z"}}, {{"line", &line}, {"y"}}}};
      file.step = 7;
      file.time = 0.25;
      file.units = {{"x", "m"}, {"volume", "K"}};
      file.compressed = compressed;
      const std::string text = made(file);
      const Result<Netcdf> netcdf = Netcdf::open(text);
      ASSERT_TRUE(netcdf.ok()) << netcdf.error();
      std::vector<std::string> names = netcdf->names();
      std::ranges::sort(names);
      EXPECT_EQ(names, (std::vector<std::string>{"line", "volume"}));
      const Result<Array> back = netcdf->read("volume");
      ASSERT_TRUE(back.ok()) << back.error();
      EXPECT_EQ(back->extents, volume.extents);
      EXPECT_EQ(back->element, common_element(element));
      EXPECT_EQ((*converted(*back, element)).bytes, volume.bytes);
      EXPECT_EQ((*netcdf->read("line")).extents, (Extents{3}));
      const auto placement = netcdf->placement("volume");
      ASSERT_TRUE(placement);
      EXPECT_EQ(placement->origin, (std::array<double, 3>{-1, 2, 0}));
      EXPECT_EQ(placement->spacing[0], 0.5);
      EXPECT_NEAR(placement->spacing[1], 0.1, 1e-15);
      EXPECT_EQ(netcdf->read("other").error(), "it has no variable `other`");
    }
}

TEST_F(NetcdfFiles, HaveOneTimeOfASeries) {
  const std::string path =
      ::testing::TempDir() + "stencilc_series_" + std::to_string(getpid()) + ".nc";
  for (int64_t step = 10; step <= 80; step += 10) {
    Array plane = ascending(Element::f32, {3, 2});
    plane.as<float>()[0] = static_cast<float>(step);
    NetcdfFile file{"test", {{"x", 3}, {"y", 2}}, {{{"u", &plane}, {"x", "y"}}}};
    file.step = step;
    file.time = static_cast<double>(0.1f) * static_cast<double>(step);
    EXPECT_EQ(step == 10 ? begin_netcdf_series(path, file) : add_to_netcdf(path, file), "");
  }
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::remove(path.c_str());
  const Result<Netcdf> netcdf = Netcdf::open(text);
  ASSERT_TRUE(netcdf.ok()) << netcdf.error();
  EXPECT_EQ(netcdf->names(), std::vector<std::string>{"u"});
  EXPECT_EQ(netcdf->lengths("u"), (std::vector<size_t>{8, 2, 3}));
  const auto first_cell = [&](const NetcdfPlace& place) -> std::string {
    const Result<size_t> cell = netcdf->cell_at("u", place);
    if (!cell.ok()) return cell.error();
    const Result<Array> array = netcdf->read("u", *cell);
    EXPECT_EQ(array->extents, (Extents{3, 2}));
    return std::to_string(static_cast<int>(array->as<float>()[0]));
  };
  using enum NetcdfPlace::By;
  EXPECT_EQ(first_cell({step, 30}), "30");
  EXPECT_EQ(first_cell({time, 3}), "30");  // which is 3.0000000447
  EXPECT_EQ(first_cell({index, 0}), "10");
  EXPECT_EQ(first_cell({index, -1}), "80");
  EXPECT_EQ(first_cell({step, 31}), "`u` has no step 31; it has 10, 20, 30, 40, ... and 80");
  EXPECT_EQ(first_cell({index, 8}), "`u` has the indices 0 to 7 along `time`, and not 8");
  EXPECT_EQ(first_cell({index, -9}), "`u` has the indices 0 to 7 along `time`, and not -9");
  EXPECT_EQ(first_cell({time, 3.1}).substr(0, 31), "`u` has no time 3.1; it has 1.0");
  EXPECT_EQ(netcdf->last_place("u").first, "`time`");
  EXPECT_EQ(netcdf->last_place("u").second.front(), "step=80");
  EXPECT_EQ(netcdf->placement("u", 2)->spacing, (std::array<double, 3>{1, 1, 1}));
}

TEST_F(NetcdfFiles, AreRefusedWhenCutOff) {
  const Array array = ascending(Element::i16, {3, 2});
  const std::string text = made({"test", {{"x", 3}, {"y", 2}}, {{{"u", &array}, {"x", "y"}}}});
  EXPECT_EQ(Netcdf::open("").error(), "this is not a NetCDF or HDF5 file, or it is damaged");
  EXPECT_EQ(Netcdf::open("\x93NUMPY and more").error().substr(0, 56),
            "this is not a NetCDF or HDF5 file, or it is damaged (Net");
  for (size_t length = 0; length < text.size(); length += length < 100 ? 1 : 97)
    EXPECT_FALSE(Netcdf::open(text.substr(0, length)).ok()) << length;
  EXPECT_TRUE((*Netcdf::open(text)).read("u").ok());
}

}  // namespace
}  // namespace stencilc::data
