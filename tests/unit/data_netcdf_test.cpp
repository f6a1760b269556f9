// NetCDF files through their library. Without it the tests are skipped; the long tests bring it.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/netcdf.h"
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
      EXPECT_EQ(converted(*back, element)->bytes, volume.bytes);
      EXPECT_EQ(netcdf->read("line")->extents, (Extents{3}));
      const auto placement = netcdf->placement("volume");
      ASSERT_TRUE(placement);
      EXPECT_EQ(placement->origin, (std::array<double, 3>{-1, 2, 0}));
      EXPECT_EQ(placement->spacing[0], 0.5);
      EXPECT_NEAR(placement->spacing[1], 0.1, 1e-15);
      EXPECT_EQ(netcdf->read("other").error(), "it has no variable `other`");
    }
}

TEST_F(NetcdfFiles, AreRefusedWhenCutOff) {
  const Array array = ascending(Element::i16, {3, 2});
  const std::string text = made({"test", {{"x", 3}, {"y", 2}}, {{{"u", &array}, {"x", "y"}}}});
  EXPECT_EQ(Netcdf::open("").error(), "this is not a NetCDF or HDF5 file, or it is damaged");
  EXPECT_EQ(Netcdf::open("\x93NUMPY and more").error().substr(0, 56),
            "this is not a NetCDF or HDF5 file, or it is damaged (Net");
  for (size_t length = 0; length < text.size(); length += length < 100 ? 1 : 97)
    EXPECT_FALSE(Netcdf::open(text.substr(0, length)).ok()) << length;
  EXPECT_TRUE(Netcdf::open(text)->read("u").ok());
}

}  // namespace
}  // namespace stencilc::data
