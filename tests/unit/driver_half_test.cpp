// stencilc run and verify with fields of f16 and bf16.
#include <gtest/gtest.h>

#include <cmath>

#include "data/npy.h"
#include "support/cli.h"

namespace stencilc {
namespace {

using test::Finished;
using test::Workplace;

// Storage of 16 bits, computed in f32: what is between two values of the field shows which.
constexpr const char* kProgram =
    "stencil thirds {\n  axes x, y;\n  field f16 u boundary periodic;\n"
    "  field bf16 v boundary constant 0.5;\n  field f16 w out;\n"
    "  u[t+1] = f16((u[x-1] + u[x+1] + u) / 3);\n"
    "  v[t+1] = bf16(v[y-1] * 0.75 + u);\n"
    "  w = f16(f64(u) * f64(v));\n}\n";

constexpr const char* kHalve =
    "stencil halve { axes x; field f16 u boundary clamp; field bf16 v boundary clamp;"
    " u[t+1] = f16(u / 2); v[t+1] = bf16(v / 2); }";

template <class T>
std::string file_of(data::Element element, std::initializer_list<double> values) {
  data::Array made = *data::make_array(element, {static_cast<int64_t>(values.size())});
  int64_t i = 0;
  for (const double value : values) made.as<T>()[i++] = static_cast<T>(value);
  return data::npy_file(made);
}

void expect_agreement(const std::string& target) {
  const Workplace here;
  here.write("thirds.stn", kProgram);
  const Finished finished = here.stencilc({"verify", "thirds.stn", "--target=" + target});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_NE(finished.out.find("every cell and bit"), std::string::npos) << finished.out;
}

TEST(RunHalf, TheCpuAgreesWithTheInterpreter) { expect_agreement("cpu"); }

#ifdef STENCILC_HAS_CHECK
TEST(RunHalf, TheEmittedCudaAgreesWithTheInterpreter) { expect_agreement("cuda"); }
#endif

TEST(RunHalf, FilesOfF32AreRoundedAndF16ComesBackAsItIs) {
  const Workplace here;
  here.write("halve.stn", kHalve);
  here.write("wide.npy", file_of<float>(data::Element::f32, {1, 1 + 0x1p-12, 1e6, -3}));
  here.write("half.npy", file_of<data::F16>(data::Element::f16, {1, 0x1p-24, 65504, -3}));
  const Finished wide =
      here.stencilc({"run", "halve.stn", "--target=cpu", "--steps=1", "--in=u=wide.npy",
                     "--in=v=wide.npy", "--out=u=u.npy", "--out=v=v.npy"});
  ASSERT_EQ(wide.status, 0) << wide.err;
  EXPECT_EQ(test::read(here.path / "u.npy"),
            file_of<data::F16>(data::Element::f16, {0.5, 0.5, HUGE_VAL, -1.5}));
  EXPECT_EQ(test::read(here.path / "v.npy"),  // 1e6 is 999424 in bf16
            file_of<float>(data::Element::f32, {0.5, 0.5, 499712, -1.5}));
  const Finished half = here.stencilc({"run", "halve.stn", "--target=cpu", "--steps=1",
                                       "--in=u=half.npy", "--in=v=wide.npy", "--out=u=u.npy"});
  ASSERT_EQ(half.status, 0) << half.err;
  EXPECT_EQ(test::read(here.path / "u.npy"),
            file_of<data::F16>(data::Element::f16, {0.5, 0, 32752, -1.5}));
}

TEST(RunHalf, OtherFilesAreRefused) {
  const Workplace here;
  here.write("halve.stn", kHalve);
  here.write("half.npy", file_of<data::F16>(data::Element::f16, {1, 2}));
  here.write("double.npy", file_of<double>(data::Element::f64, {1, 2}));
  for (const auto& [given, problem] :
       {std::pair{"v=half.npy", "`half.npy` holds f16 values and the field `v` is bf16"},
        std::pair{"u=double.npy", "`double.npy` holds f64 values and the field `u` is f16"}}) {
    const Finished finished = here.stencilc({"run", "halve.stn", "--target=cpu", "--in", given});
    EXPECT_NE(finished.status, 0);
    EXPECT_NE(finished.err.find(problem), std::string::npos) << finished.err;
  }
}

}  // namespace
}  // namespace stencilc
