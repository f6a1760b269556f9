// Saved grids: what is restored, and that no damaged file is believed and no good one lost.
#include <gtest/gtest.h>
#include <signal.h>
#include <stencil/cpu.h>
#include <stencil/save.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using stencil::Grid;

class Saved : public testing::Test {
 protected:
  Saved() {
    std::string name = (fs::temp_directory_path() / "stencil-save-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
    file_ = (folder_ / "run.save").string();
  }
  ~Saved() override { fs::remove_all(folder_); }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  fs::path folder_;
  std::string file_;
};

std::vector<float> counted(size_t count, float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_F(Saved, GridsComeBackWithTheirHalosAndTheStep) {
  const Grid<float, 2> u({5, 3}, {1, 2}), old({5, 3}, {1, 2});
  Grid<float, 2> a({5, 3}, {1, 2}), b({5, 3}, {1, 2});
  Grid<int16_t, 3> n({4, 3, 2}), m({4, 3, 2});
  const std::vector<float> first = counted(49, 1), second = counted(49, 100);
  std::vector<int16_t> whole(24, -7);
  ASSERT_TRUE(a.copy_from(first.data(), {1, 2}).ok());
  ASSERT_TRUE(b.copy_from(second.data(), {1, 2}).ok());
  ASSERT_TRUE(n.copy_from(whole.data()).ok());
  ASSERT_TRUE(stencil::save(file_.c_str(), 41, a, b, n).ok());
  EXPECT_FALSE(fs::exists(file_ + ".previous"));
  ASSERT_TRUE(stencil::save(file_.c_str(), 42, a, b, n).ok());
  Grid<float, 2> c({5, 3}, {1, 2}), d({5, 3}, {1, 2});
  int64_t step = 0;
  ASSERT_TRUE(stencil::restore(file_.c_str(), &step, c, d, m).ok());
  EXPECT_EQ(step, 42);
  std::vector<float> values(49);
  std::vector<int16_t> others(24);
  ASSERT_TRUE(c.copy_to(values.data(), {1, 2}).ok());
  EXPECT_EQ(values, first);
  ASSERT_TRUE(d.copy_to(values.data(), {1, 2}).ok());
  EXPECT_EQ(values, second);
  ASSERT_TRUE(m.copy_to(others.data()).ok());
  EXPECT_EQ(others, whole);
  ASSERT_TRUE(stencil::restore((file_ + ".previous").c_str(), &step, c, d, m).ok());
  EXPECT_EQ(step, 41);
  EXPECT_FALSE(fs::exists(file_ + ".tmp"));
}

TEST_F(Saved, OtherGridsAreRefusedWithWhatDiffers) {
  Grid<float, 2> u({5, 3}), wide({6, 3});
  Grid<double, 2> twice({5, 3});
  const std::vector<float> values(15, 1);
  ASSERT_TRUE(u.copy_from(values.data()).ok());
  ASSERT_TRUE(stencil::save(file_.c_str(), 1, u).ok());
  int64_t step = 0;
  const auto said = [&](auto&... grids) {
    const stencil::Status status = stencil::restore(file_.c_str(), &step, grids...);
    EXPECT_EQ(status.code(), stencil::Code::bad_file);
    return std::string(status.message()).substr(file_.size() + 2);
  };
  EXPECT_EQ(said(wide),
            ": grid 1 was float32, 5 x 3 x 1 and a halo of 0 x 0 x 0, and is float32, 6 x 3 x 1 "
            "and a halo of 0 x 0 x 0");
  EXPECT_EQ(said(twice).substr(0, 71),
            ": grid 1 was float32, 5 x 3 x 1 and a halo of 0 x 0 x 0, and is float64");
  EXPECT_EQ(said(u, u), " has no grid 2; it was saved with fewer grids");
  ASSERT_TRUE(stencil::save(file_.c_str(), 1, u, u).ok());
  EXPECT_EQ(said(u), " has more than 1 grids; restore all of them");
  EXPECT_EQ(step, 0);
  const stencil::Status lost = stencil::restore((file_ + "2").c_str(), &step, u);
  EXPECT_EQ(lost.message(), "`" + file_ + "2` cannot be read: No such file or directory");
  Grid<float, 2> none({-1, 2});
  EXPECT_EQ(stencil::save(file_.c_str(), 1, none).code(), stencil::Code::bad_extents);
}

// Each byte of a small file, by other bits, and each length.
TEST_F(Saved, ADamagedFileIsNeverBelieved) {
  Grid<float, 2> u({5, 3}), v({5, 3});
  const std::vector<float> ones(15, 1), twos(15, 2);
  ASSERT_TRUE(u.copy_from(ones.data()).ok());
  ASSERT_TRUE(stencil::save(file_.c_str(), 7, u).ok());
  const std::string good = text_of(file_);
  std::vector<float> values(15);
  const auto refused = [&](const std::string& text) {
    write(file_, text);
    int64_t step = -1;
    EXPECT_TRUE(v.copy_from(twos.data()).ok());
    const stencil::Status status = stencil::restore(file_.c_str(), &step, v);
    EXPECT_TRUE(v.copy_to(values.data()).ok());
    return status.code() == stencil::Code::bad_file && step == -1 && values == twos;
  };
  for (size_t size = 0; size < good.size(); ++size)
    ASSERT_TRUE(refused(good.substr(0, size))) << size;
  ASSERT_TRUE(refused(good + std::string(8, '\0')));
  std::mt19937 random(1);
  for (size_t at = 0; at < good.size(); ++at)
    for (const unsigned bit :
         {static_cast<unsigned>(at % 8), static_cast<unsigned>(random() % 8)}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      ASSERT_TRUE(refused(bad)) << at << " " << bit;
    }
  std::string newer = good;
  newer[8] = 2;
  write(file_, newer);
  int64_t step = -1;
  EXPECT_EQ(stencil::restore(file_.c_str(), &step, v).message(),
            "`" + file_ +
                "` has version 2 of the format, and this program knows version 1; take "
                "a newer one");
  write(file_, good);
  ASSERT_TRUE(stencil::restore(file_.c_str(), &step, v).ok());
  EXPECT_EQ(step, 7);
}

// The system allows a file of so many bytes and no more, as a disk that is full.
TEST_F(Saved, AFullDiskLeavesTheGoodFiles) {
  Grid<float, 2> u({5, 3}), v({5, 3});
  const std::vector<float> ones(15, 1);
  ASSERT_TRUE(u.copy_from(ones.data()).ok());
  ASSERT_TRUE(stencil::save(file_.c_str(), 1, u).ok());
  ASSERT_TRUE(stencil::save(file_.c_str(), 2, u).ok());
  const uint64_t size = fs::file_size(file_);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  for (uint64_t room = 0; room <= size; ++room) {
    const rlimit full = {room, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    const stencil::Status status = stencil::save(file_.c_str(), 3, u);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_EQ(status.ok(), room == size) << room;
    int64_t step = 0, previous = 0;
    ASSERT_TRUE(stencil::restore(file_.c_str(), &step, v).ok());
    ASSERT_TRUE(stencil::restore((file_ + ".previous").c_str(), &previous, v).ok());
    ASSERT_EQ(step, room == size ? 3 : 2);
    ASSERT_EQ(previous, room == size ? 2 : 1);
    ASSERT_FALSE(fs::exists(file_ + ".tmp"));
    if (room < size) {
      ASSERT_EQ(status.message(), "`" + file_ + "` cannot be written: File too large");
    }
  }
  signal(SIGXFSZ, handler);
}

}  // namespace
