// .npz files and the ZIP files that they are: those of NumPy, our own, and broken ones.
#include <gtest/gtest.h>

#include "data/encoding/deflate.h"
#include "data/encoding/zip.h"
#include "data/files/npy.h"
#include "data/files/npz.h"
#include "support/text.h"

namespace stencilc::data {
namespace {

std::string of_hex(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// numpy.savez_compressed(file, u=[[1, 2, 3], [4, 5, 6]], v=[7.5]), with u of int16.
const std::string kCompressed = of_hex(
    "504b03042d000000080000002100f6bd344cffffffffffffffff05001400752e6e7079010010008c0000000000"
    "000052000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a4aea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e4606260666061606560636"
    "0600504b03042d00000008000000210074659cd7ffffffffffffffff05001400762e6e70790100100088000000"
    "0000000049000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f5452"
    "9498179f5f94920a12774bcc294e058a17672416a402f91a863a9a3a0ab50a14002e063090730000504b01022d"
    "032d000000080000002100f6bd344c520000008c000000050000000000000000000000800100000000752e6e70"
    "79504b01022d032d00000008000000210074659cd7490000008800000005000000000000000000000080018900"
    "0000762e6e7079504b0506000000000200020066000000090100000000");
// numpy.savez(file, u=[1, 2]), of int16.
const std::string kStored = of_hex(
    "504b03042d0000000000000021009d32853affffffffffffffff05001400752e6e707901001000840000000000"
    "00008400000000000000934e554d5059010076007b276465736372273a20273c6932272c2027666f727472616e"
    "5f6f72646572273a2046616c73652c20277368617065273a2028322c292c207d20202020202020202020202020"
    "202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "20200a01000200504b01022d032d0000000000000021009d32853a840000008400000005000000000000000000"
    "0000800100000000752e6e7079504b0506000000000100010033000000bb0000000000");

std::string complaint_of(std::string_view file, const std::string& name) {
  const Result<Npz> npz = Npz::open(file);
  if (!npz.ok()) return npz.error();
  const Result<Array> array = npz->read(name);
  return array.ok() ? "" : array.error();
}
Array counted(const Extents& extents) {
  Array array = *make_array(Element::i32, extents);
  for (int64_t i = 0; i < array.count(); ++i) array.as<int32_t>()[i] = static_cast<int32_t>(i * i);
  return array;
}

TEST(Npz, ReadsWhatNumPyWrites) {
  const Result<Npz> npz = Npz::open(kCompressed);
  ASSERT_TRUE(npz.ok()) << npz.error();
  EXPECT_EQ(npz->names(), (std::vector<std::string>{"u", "v"}));
  const Result<Array> u = npz->read("u"), v = npz->read("v");
  ASSERT_TRUE(u.ok() && v.ok()) << (u.ok() ? v.error() : u.error());
  EXPECT_EQ(u->extents, (Extents{3, 2}));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(u->as<int16_t>()[i], i + 1);
  EXPECT_EQ(value_at(*v, 0), 7.5);
  EXPECT_EQ(value_at(*(*Npz::open(kStored)).read("u"), 1), 2);
  EXPECT_EQ(complaint_of(kStored, "v"), "it has no array `v`");
}

TEST(Npz, WritesWhatItReads) {
  const Array a = counted({5}), b = counted({40, 30, 20});
  for (const bool compressed : {false, true}) {
    const std::string file = npz_file({{"a", &a}, {"b_2", &b}}, compressed);
    EXPECT_EQ(file.size() < b.bytes.size(), compressed);
    const Result<Npz> npz = Npz::open(file);
    ASSERT_TRUE(npz.ok()) << npz.error();
    EXPECT_EQ(npz->names(), (std::vector<std::string>{"a", "b_2"}));
    EXPECT_EQ((*npz->read("a")).bytes, a.bytes);
    EXPECT_EQ((*npz->read("b_2")).extents, b.extents);
    EXPECT_EQ((*npz->read("b_2")).bytes, b.bytes);
  }
}

// As for files of more than 4 GiB, in which sizes and offsets take 64 bits.
TEST(Npz, LargeNumbersAreWrittenAndReadInZip64) {
  const std::string text(300, 'x');
  for (const uint64_t large : {1u, 200u, 320u}) {
    ZipWriter writer(large);
    writer.add("first", text, false);
    writer.add("second", text, true);
    const std::string file = std::move(writer).finish();
    EXPECT_NE(file.find("PK\6\6"), std::string::npos);
    const auto members = zip_members(file);
    ASSERT_TRUE(members.ok()) << members.error();
    ASSERT_EQ(members->size(), 2u);
    for (const ZipMember& member : *members) {
      std::string unpacked;
      const auto content = content_of(member, unpacked);
      ASSERT_TRUE(content.ok()) << content.error();
      EXPECT_EQ(*content, text);
    }
    for (size_t length = 0; length < file.size(); ++length)
      EXPECT_FALSE(zip_members(std::string_view(file).substr(0, length)).ok()) << length;
  }
}

TEST(Npz, RefusesFilesThatAreCutOff) {
  EXPECT_EQ(complaint_of("", "u"), "this is not a ZIP file");
  EXPECT_EQ(complaint_of("\x93NUMPY", "u"), "this is not a ZIP file");
  EXPECT_EQ(complaint_of(kStored.substr(0, 200), "u"),
            "the ZIP file is damaged: it has no directory at its end, so it may be cut off");
  for (const std::string& file : {kStored, kCompressed})
    for (size_t length = 0; length < file.size(); ++length)
      EXPECT_NE(complaint_of(std::string_view(file).substr(0, length), "u"), "") << length;
}

// No changed bit of an array is read as if nothing had happened.
TEST(Npz, FindsEveryChangedBit) {
  const std::vector<std::byte> wanted = (*(*Npz::open(kCompressed)).read("u")).bytes;
  for (const std::string& file : {kStored, kCompressed})
    for (size_t at = 0; at < file.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed = file;
        changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
        const Result<Npz> npz = Npz::open(changed);
        if (!npz.ok()) continue;
        const Result<Array> u = npz->read("u");
        if (u.ok()) {
          EXPECT_EQ(u->bytes,
                    file == kCompressed ? wanted : (*(*Npz::open(kStored)).read("u")).bytes)
              << at << ' ' << bit;
        }
      }
}

// A change of bytes at a place, and what is said then.
std::string with(std::string file, size_t at, const std::string& bytes) {
  return file.replace(at, bytes.size(), bytes);
}
TEST(Npz, SaysWhatIsWrongAndWhere) {
  const size_t record = kStored.size() - 22 - 51;
  const std::string huge("\xfe\xff\xff\xff", 4);
  EXPECT_EQ(complaint_of(with(kStored, record + 10, "\x0c"), "u"),
            "the member at byte 187 of the ZIP file is packed by method 12; pack it by deflate");
  EXPECT_EQ(complaint_of(with(kStored, record + 8, "\1"), "u"),
            "the member at byte 187 of the ZIP file is encrypted");
  EXPECT_EQ(complaint_of(with(kStored, record + 42, "\2"), "u"),
            "the ZIP file is damaged: there is no member at byte 2");
  EXPECT_EQ(complaint_of(with(kStored, record + 20, huge), "u"),
            "the ZIP file is damaged: the member at byte 0 is cut off");
  EXPECT_EQ(complaint_of(with(kStored, record + 24, huge), "u"),
            "the ZIP file is damaged: the member at byte 0 is stored in 132 bytes and has "
            "4294967294");
  EXPECT_EQ(complaint_of(with(kStored, record + 16, "\1"), "u"),
            "the array `u`: its checksum is not that of its bytes");
  EXPECT_EQ(complaint_of(with(kStored, kStored.size() - 12, "\xfe\xff"), "u"),
            "the ZIP file is damaged: 260 bytes cannot hold 65534 members");
  EXPECT_EQ(complaint_of(with(kStored, kStored.size() - 12, "\2"), "u"),
            "the ZIP file is damaged: there is no record of a member at byte 238");
  // Four gigabytes that 82 packed bytes cannot hold are not asked for.
  EXPECT_EQ(complaint_of(with(kCompressed, kCompressed.size() - 22 - 102 + 24, huge), "u"),
            "the array `u`: 82 bytes cannot hold 4294967294");
}

TEST(Deflate, UnpacksExactlyOneStreamOfTheSize) {
  const auto error = [](std::string_view packed, uint64_t size) {
    const auto made = inflated(packed, size, Wrapping::zlib);
    return made.ok() ? "" : made.error();
  };
  const std::string text = "abcabcabcabcabcabc", packed = deflated(text, Wrapping::zlib);
  EXPECT_EQ(*inflated(packed, text.size(), Wrapping::zlib), text);
  EXPECT_EQ(*inflated(deflated("", Wrapping::none), 0, Wrapping::none), "");
  EXPECT_EQ(error(packed, 16), "it unpacks to more than 16 bytes");
  EXPECT_EQ(error(packed, 17), "it unpacks to 18 bytes, not to 17");
  EXPECT_EQ(error(packed, 19), "it unpacks to 18 bytes, not to 19");
  EXPECT_EQ(error(packed + "x", 18), "its packed data end at byte 13 of 14");
  EXPECT_EQ(error(packed.substr(0, 9), 18), "its packed data end after byte 9");
  EXPECT_EQ(error("abcdef", 18), "byte 2 of its packed data is damaged");
  EXPECT_EQ(error(packed, 1 << 20), "13 bytes cannot hold 1048576");
  EXPECT_EQ(checksum("123456789"), 0xcbf43926u);
}

}  // namespace
}  // namespace stencilc::data
