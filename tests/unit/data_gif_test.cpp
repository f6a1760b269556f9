// GIF films, read by a decoder of their own.
#include <gtest/gtest.h>

#include <map>

#include "data/images/gif.h"

namespace stencilc::data {
namespace {

struct Picture {
  int width = 0, height = 0, hundredths = 0;
  std::vector<uint32_t> colours;
};

class Decoder {
 public:
  explicit Decoder(const std::string& file) : file_(file) {}

  std::vector<Picture> pictures() {
    EXPECT_EQ(file_.substr(0, 6), "GIF89a");
    at_ = 6;
    width = number(), height = number();
    const int flags = byte();
    at_ += 2;
    EXPECT_EQ(flags & 0x80, 0);
    std::vector<Picture> found;
    int hundredths = 0;
    for (;;) {
      const int what = byte();
      if (what == ';') break;
      if (what == 0x21) {
        const int label = byte();
        const std::string block = blocks();
        if (label == 0xf9) hundredths = (block[1] & 0xff) + 256 * (block[2] & 0xff);
        continue;
      }
      EXPECT_EQ(what, 0x2c);
      if (what != 0x2c) break;
      at_ += 4;
      Picture picture;
      picture.width = number(), picture.height = number();
      picture.hundredths = hundredths;
      EXPECT_EQ(byte(), 0x87);
      std::vector<uint32_t> table;
      for (int i = 0; i < 256; ++i) {
        const int red = byte(), green = byte(), blue = byte();
        table.push_back(static_cast<uint32_t>(red << 16 | green << 8 | blue));
      }
      EXPECT_EQ(byte(), 8);
      for (const uint8_t index : unpacked(blocks())) picture.colours.push_back(table[index]);
      found.push_back(picture);
    }
    EXPECT_EQ(at_, file_.size());
    return found;
  }
  int width = 0, height = 0;

 private:
  int byte() { return static_cast<unsigned char>(file_.at(at_++)); }
  int number() {
    const int low = byte();
    return low + 256 * byte();
  }
  std::string blocks() {
    std::string all;
    for (int size = byte(); size != 0; size = byte()) {
      all += file_.substr(at_, static_cast<size_t>(size));
      at_ += static_cast<size_t>(size);
    }
    return all;
  }
  // As the standard says how a reader's table grows.
  static std::vector<uint8_t> unpacked(const std::string& codes) {
    std::vector<std::vector<uint8_t>> table;
    std::vector<uint8_t> result, before;
    int bits = 9;
    size_t at = 0;
    for (;;) {
      if (at + static_cast<size_t>(bits) > codes.size() * 8) {
        ADD_FAILURE() << "no end code";
        return result;
      }
      uint32_t code = 0;
      for (int b = 0; b < bits; ++b, ++at)
        code |= static_cast<uint32_t>(codes[at / 8] >> (at % 8) & 1) << b;
      if (code == 257) return result;
      if (code == 256) {
        table.clear();
        for (int i = 0; i < 258; ++i) table.push_back({static_cast<uint8_t>(i)});
        before.clear();
        bits = 9;
        continue;
      }
      std::vector<uint8_t> sequence = code < table.size() ? table[code] : before;
      if (code >= table.size()) sequence.push_back(before.at(0));
      result.insert(result.end(), sequence.begin(), sequence.end());
      if (!before.empty() && table.size() < 4096) {
        before.push_back(sequence[0]);
        table.push_back(before);
        if (table.size() == size_t{1} << bits && bits < 12) ++bits;
      }
      before = sequence;
    }
  }

  const std::string& file_;
  size_t at_ = 0;
};

Pixels drawn(int64_t width, int64_t height, const std::function<uint32_t(int64_t)>& colour) {
  Pixels pixels{width, height, 3, 8, {}};
  for (int64_t p = 0; p < width * height; ++p)
    for (const int shift : {16, 8, 0})
      pixels.samples.push_back(static_cast<uint16_t>(colour(p) >> shift & 0xff));
  return pixels;
}

uint32_t mixed(int64_t p) {
  auto value = static_cast<uint32_t>(p) * 2654435761u;
  return value ^ value >> 15;
}

TEST(Gif, PicturesOf256ColoursComeBackBitForBit) {
  // Long runs of one colour, and noise that fills the table of sequences several times.
  const Pixels flat = drawn(301, 97, [](int64_t p) { return p < 20000 ? 0x102030u : 0xfffefdu; });
  const Pixels noise =
      drawn(301, 97, [](int64_t p) { return (mixed(p) & 0xff) * 0x010203u & 0xffffff; });
  const Pixels dot = drawn(1, 1, [](int64_t) { return 0x808080u; });
  for (const Pixels& one : {flat, noise, dot}) {
    const std::string file =
        gif_begin(one.width, one.height) + gif_frame(one, 4) + gif_frame(one, 300) + gif_end();
    Decoder decoder(file);
    const std::vector<Picture> pictures = decoder.pictures();
    ASSERT_EQ(pictures.size(), 2u);
    EXPECT_EQ(decoder.width, one.width);
    EXPECT_EQ(pictures[0].hundredths, 4);
    EXPECT_EQ(pictures[1].hundredths, 300);
    for (const Picture& picture : pictures) {
      ASSERT_EQ(picture.colours.size(), one.samples.size() / 3);
      for (size_t p = 0; p < picture.colours.size(); ++p) {
        const uint32_t wanted = uint32_t{one.samples[3 * p]} << 16 |
                                uint32_t{one.samples[3 * p + 1]} << 8 | one.samples[3 * p + 2];
        ASSERT_EQ(picture.colours[p], wanted) << p;
      }
    }
  }
}

TEST(Gif, EveryLengthOfAPictureEndsWell) {
  for (int64_t width = 1; width < 1200; width += width < 280 || width % 256 > 250 ? 1 : 5) {
    const Pixels one = drawn(width, 1, [](int64_t p) { return mixed(p) & 0xf0; });
    const std::string file = gif_begin(width, 1) + gif_frame(one, 1) + gif_end();
    const std::vector<Picture> pictures = Decoder(file).pictures();
    ASSERT_EQ(pictures.size(), 1u);
    ASSERT_EQ(pictures[0].colours.size(), static_cast<size_t>(width));
    for (int64_t p = 0; p < width; ++p)
      ASSERT_EQ(pictures[0].colours[static_cast<size_t>(p)], mixed(p) & 0xf0);
  }
}

TEST(Gif, OfMoreColoursThoseThatAreAlikeBecomeOne) {
  const Pixels many = drawn(64, 64, [](int64_t p) {
    return static_cast<uint32_t>(p / 64 * 4) << 16 | static_cast<uint32_t>(p % 64 * 4) << 8;
  });
  const std::string file = gif_begin(64, 64) + gif_frame(many, 4) + gif_end();
  const std::vector<Picture> pictures = Decoder(file).pictures();
  ASSERT_EQ(pictures.size(), 1u);
  std::map<uint32_t, int> seen;
  for (size_t p = 0; p < pictures[0].colours.size(); ++p) {
    const uint32_t colour = pictures[0].colours[p];
    ++seen[colour];
    EXPECT_LE(std::abs(static_cast<int>(colour >> 16) - many.samples[3 * p]), 8);
    EXPECT_LE(std::abs(static_cast<int>(colour >> 8 & 0xff) - many.samples[3 * p + 1]), 8);
  }
  EXPECT_EQ(seen.size(), 256u);
}

}  // namespace
}  // namespace stencilc::data
