// Files of VTK: those that VTK writes, our own, and broken ones.
#include <gtest/gtest.h>

#include "data/encoding/base64.h"
#include "data/encoding/xml.h"
#include "data/files/vti.h"
#include "support/text.h"

namespace stencilc::data {
namespace {

// As vtkXMLImageDataWriter writes it: two arrays of 3 x 2, or another text in place of some words.
std::string vtk_file(const std::string& attributes, const std::string& arrays,
                     const std::string& behind = "") {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" " + attributes +
         ">\n  <ImageData WholeExtent=\"0 2 0 1 0 0\" Origin=\"1 2 0\" Spacing=\"0.5 0.25 1\" "
         "Direction=\"1 0 0 0 1 0 0 0 1\">\n  <Piece Extent=\"0 2 0 1 0 0\">\n    <PointData "
         "Scalars=\"u a\">\n" +
         arrays +
         "    </PointData>\n    <CellData>\n    </CellData>\n  </Piece>\n  </ImageData>\n" +
         behind + "</VTKFile>\n";
}
const std::string kInPlace =
    vtk_file("byte_order=\"LittleEndian\" header_type=\"UInt64\"",
             "      <DataArray type=\"Float32\" Name=\"u a\" format=\"binary\" RangeMin=\"1\">\n"
             "        GAAAAAAAAAAAAIA/AAAAQAAAQEAAAIBAAACgQAAAwEA=\n      </DataArray>\n"
             "      <DataArray type=\"Int16\" Name=\"v\" format=\"binary\">\n"
             "        DAAAAAAAAAD9//7///8AAAEAAgA=\n      </DataArray>\n");
const std::string kAppended = vtk_file(
    "byte_order=\"LittleEndian\" header_type=\"UInt32\" compressor=\"vtkZLibDataCompressor\"",
    "<DataArray type=\"Float32\" Name=\"u a\" format=\"appended\" RangeMin=\"1\"   offset=\"0\"  "
    "/>\n"
    "<DataArray type=\"Int16\" Name=\"v\" format=\"appended\"          offset=\"60\"   />\n",
    "  <AppendedData encoding=\"base64\">\n   "
    "_AQAAAACAAAAYAAAAGgAAAA==eF5jYGiwZ2BgcAAiIG4A4gVAfMABAClDBCA=A"
    "QAAAACAAAAMAAAAFAAAAA==eF77+//f////GRgYGZgYADi5Bfs=\n  </AppendedData>\n");

std::string error_of(std::string_view file, const std::string& name = "v") {
  const Result<Vti> vti = Vti::open(file);
  if (!vti.ok()) return vti.error();
  const Result<Array> array = vti->read(name);
  return array.ok() ? "" : array.error();
}
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Vti, ReadsWhatVtkWrites) {
  for (const std::string& file : {kInPlace, kAppended}) {
    const Result<Vti> vti = Vti::open(file);
    ASSERT_TRUE(vti.ok()) << vti.error();
    EXPECT_EQ(vti->names(), (std::vector<std::string>{"u a", "v"}));
    EXPECT_EQ(vti->placement(), (Placement{{1, 2, 0}, {0.5, 0.25, 1}}));
    const Result<Array> u = vti->read("u a"), v = vti->read("v");
    ASSERT_TRUE(u.ok() && v.ok()) << (u.ok() ? v.error() : u.error());
    EXPECT_EQ(u->extents, (Extents{3, 2, 1}));
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(u->as<float>()[i], static_cast<float>(i + 1));
      EXPECT_EQ(v->as<int16_t>()[i], i - 3);
    }
  }
  // Cells of VTK are one less than the points along each axis that has several.
  std::string cells = changed(kInPlace, "<PointData Scalars=\"u a\">", "<CellData>");
  cells = changed(cells, "</PointData>", "</CellData>");
  cells = changed(changed(cells, "0 2 0 1 0 0", "4 7 -1 1 0 0"), "0 2 0 1 0 0", "4 7 -1 1 0 0");
  const Result<Vti> vti = Vti::open(cells);
  ASSERT_TRUE(vti.ok()) << vti.error();
  EXPECT_EQ((*vti->read("v")).extents, (Extents{3, 2, 1}));
  EXPECT_EQ(vti->placement().origin, (std::array<double, 3>{3, 1.75, 0}));
}

// The type of the file for each element, and whether the bytes stay as they are.
TEST(Vti, WritesWhatItReads) {
  for (const Element element :
       {Element::f64, Element::f32, Element::f16, Element::bf16, Element::i64, Element::i32,
        Element::i16, Element::u16, Element::i8, Element::u8, Element::boolean})
    for (const Extents& extents : {Extents{5}, Extents{3, 2}, Extents{4, 3, 2}})
      for (const bool compressed : {false, true}) {
        Array array = *make_array(element, extents);
        for (size_t i = 0; i < array.bytes.size(); ++i)
          array.bytes[i] = static_cast<std::byte>(element == Element::boolean ? i % 2 : i * 3);
        const Placement placement{{-1, 0.1, 1e300}, {0.1, 2, 3e-9}};
        const Result<std::string> text =
            vti_file({{"a<\"&>b", &array}, {"c", &array}}, placement, compressed);
        ASSERT_TRUE(text.ok()) << text.error();
        const Result<Vti> vti = Vti::open(*text);
        ASSERT_TRUE(vti.ok()) << vti.error();
        EXPECT_EQ(vti->names(), (std::vector<std::string>{"a<\"&>b", "c"}));
        EXPECT_EQ(vti->placement(), placement);
        for (const std::string& name : vti->names()) {
          const Result<Array> back = vti->read(name);
          ASSERT_TRUE(back.ok()) << back.error();
          EXPECT_EQ(back->count(), array.count());
          EXPECT_EQ(back->extent(0), extents[0]);
          EXPECT_EQ((*converted(*back, element)).bytes, array.bytes) << name_of(element);
        }
      }
}

TEST(Vti, PacksLargeArraysInBlocks) {
  for (const int64_t count : {(1 << 18) - 1, 1 << 18, 1 << 19, (1 << 19) + 1}) {
    Array array = *make_array(Element::i32, {count});
    for (int64_t i = 0; i < count; ++i) array.as<int32_t>()[i] = static_cast<int32_t>(i / 100);
    const std::string text = *vti_file({{"a", &array}}, {}, true);
    EXPECT_LT(text.size(), array.bytes.size() / 20);
    const Result<Array> back = (*Vti::open(text)).read("a");
    ASSERT_TRUE(back.ok()) << back.error();
    EXPECT_EQ(back->bytes, array.bytes);
  }
}

TEST(Vti, RefusesFilesThatAreCutOff) {
  const Array array = *make_array(Element::u8, {7, 3});
  const std::string own = *vti_file({{"v", &array}}, {}, false),
                    packed = *vti_file({{"v", &array}}, {}, true);
  for (const std::string& file : {own, packed, kAppended, kInPlace}) {
    EXPECT_EQ(error_of(file), "");
    const size_t end = file.rfind("\n  </AppendedData>"), last = file.find("AgA=") + 4;
    const size_t needed = end != std::string::npos ? end : last;
    for (size_t length = 0; length < needed; ++length)
      EXPECT_NE(error_of(std::string_view(file).substr(0, length)), "") << length;
  }
  EXPECT_EQ(error_of(own.substr(0, own.size() - 45)),
            "the array `v`: the file ends within it, or is damaged there");
}

// Whatever a byte becomes, nothing crashes, and an array that is read has its size.
TEST(Vti, SurvivesEveryChangedByte) {
  const Array array = *make_array(Element::i16, {3, 2});
  const std::string own = *vti_file({{"v", &array}}, {}, true);
  for (const std::string& file : {own, kAppended, kInPlace})
    for (size_t at = 0; at < file.size(); ++at)
      for (const char value : {'\0', '\1', '0', '9', '"', '<', '=', '\x7f', '\xff'}) {
        std::string text = file;
        text[at] = value;
        const Result<Vti> vti = Vti::open(text);
        if (!vti.ok()) continue;
        for (const std::string& name : vti->names()) {
          const Result<Array> read = vti->read(name);
          if (read.ok()) {
            EXPECT_EQ(static_cast<int64_t>(read->bytes.size()),
                      *byte_count(read->element, read->extents));
          }
        }
      }
}

TEST(Vti, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "this is not a .vti file");
  EXPECT_EQ(error_of("\x93NUMPY"), "this is not a .vti file");
  EXPECT_EQ(error_of("<html><body>"), "this is not a .vti file");
  EXPECT_EQ(error_of("<VTKFile type=\"ImageData\">"), "it has no `ImageData`, or ends before it");
  const auto error = [](const std::string& from, const std::string& to) {
    return error_of(changed(kInPlace, from, to));
  };
  EXPECT_EQ(error("\"ImageData\"", "\"UnstructuredGrid\""),
            "it holds `UnstructuredGrid`, and only `ImageData` can be read: save a regular grid");
  EXPECT_EQ(error("LittleEndian", "BigEndian"),
            "its numbers are big endian; save them little endian");
  EXPECT_EQ(error("header_type", "compressor=\"vtkLZ4DataCompressor\" header_type"),
            "it is packed by `vtkLZ4DataCompressor`; save it packed by ZLib, or not packed");
  EXPECT_EQ(error("UInt64", "UInt16"), "its `header_type` is `UInt16`, not UInt32 or UInt64");
  EXPECT_EQ(error("Direction=\"1", "Direction=\"0"), "its grid is rotated; save it along the axes");
  EXPECT_EQ(error("Extent=\"0 2 0 1 0 0\"", "Extent=\"0 2 0 1\""),
            "its `ImageData` has no `WholeExtent` of six numbers");
  EXPECT_EQ(error("Extent=\"0 2 0", "Extent=\"0 99999999999999 0"),
            "its extent from 0 to 99999999999999 is no part of an axis");
  EXPECT_EQ(error("Piece Extent=\"0 2", "Piece Extent=\"0 1"),
            "it has several pieces; save it as one");
  EXPECT_EQ(error("Spacing=\"0.5 0.25 1\"", "Spacing=\"0.5 wide 1\""),
            "its `ImageData` has no `Origin` or no `Spacing`");
  EXPECT_EQ(error("Spacing=", "Spacing "), "its XML is damaged at byte 172: `=` was expected");
  EXPECT_EQ(error("\"Int16\"", "\"UInt64\""),
            "the array `v`: its type is `UInt64`, which no field holds");
  EXPECT_EQ(error("\"v\"", "\"v\" NumberOfComponents=\"3\""),
            "the array `v`: it has 3 components; save one of them");
  EXPECT_EQ(error("\"v\" format=\"binary\"", "\"v\" format=\"ascii\""),
            "the array `v`: its format is `ascii`; save it as `appended` or `binary`");
  EXPECT_EQ(error("\"v\"", "\"w\""), "it has no array `v`");
  EXPECT_EQ(error("DAAAAAAA", "DQAAAAAA"), "the array `v`: it has 13 bytes and needs 12");
  EXPECT_EQ(error("///8AAAEA", "//!8AAAEA"),
            "the array `v`: the file ends within it, or is damaged there");
  // A terabyte that 28 letters cannot hold is not asked for.
  std::string huge = changed(kInPlace, "0 2 0 1 0 0", "0 999999 0 499999 0 0");
  huge = changed(huge, "0 2 0 1 0 0", "0 999999 0 499999 0 0");
  EXPECT_EQ(error_of(huge), "the array `v`: the file ends within it, or is damaged there");
  const auto packed = [](const std::string& head) {
    return error_of(changed(kAppended, "AQAAAACAAAAMAAAAFAAAAA==", head));
  };
  EXPECT_EQ(packed("AgAAAACAAAAMAAAAFAAAAA=="),
            "the array `v`: its 2 blocks of 32768 bytes are not the 12 bytes that it needs");
  EXPECT_EQ(packed("AQAAAACAAAANAAAAFAAAAA=="),
            "the array `v`: its 1 blocks of 32768 bytes are not the 12 bytes that it needs");
  EXPECT_EQ(packed("AQAAAACAAAAMAAAAEwAAAA=="),
            "the array `v`: its block 0: its packed data end after byte 19");
  EXPECT_EQ(packed("AQAAAACAAAAMAAAA//////=="),
            "the array `v`: the file ends within it, or is damaged there");
}

TEST(Vti, RefusesArraysOfSeveralSizes) {
  const Array a = *make_array(Element::u8, {2}), b = *make_array(Element::u8, {3});
  EXPECT_EQ(vti_file({{"a", &a}, {"b", &b}}, {}, false).error(),
            "the arrays of a .vti file have one size, but `a` is 2 and `b` 3");
}

TEST(Vti, ASeriesNamesItsFiles) {
  EXPECT_EQ(pvd_file({{0, "u_0.vti"}, {0.25, "a&b.vti"}}),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
            "  <Collection>\n"
            "    <DataSet timestep=\"0\" part=\"0\" file=\"u_0.vti\"/>\n"
            "    <DataSet timestep=\"0.25\" part=\"0\" file=\"a&amp;b.vti\"/>\n"
            "  </Collection>\n</VTKFile>\n");
}

TEST(Base64, IsThatOfTheStandard) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xff\xef\xbe", "/+++"}}) {
    EXPECT_EQ(from_base64(text), bytes) << text;
    EXPECT_EQ(to_base64(bytes), text);
  }
  for (const std::string text : {"Z", "Zg=", "Zg===", "Z===", "=Zg=", "Zg==Zg==", "Zm9*"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

TEST(Xml, ReadsTagsAttributesAndWords) {
  XmlReader xml("<?xml?><!-- <no> --><a b='1 &lt; 2' c = \"x\">words</a>\n<d/>");
  const auto a = xml.next();
  ASSERT_TRUE(a.ok() && *a);
  EXPECT_EQ((*a)->name, "a");
  EXPECT_EQ(*(*a)->find("b"), "1 < 2");
  EXPECT_EQ(*(*a)->find("c"), "x");
  EXPECT_EQ((*a)->find("d"), nullptr);
  EXPECT_FALSE((*a)->closes);
  EXPECT_EQ(xml.words(), "words");
  EXPECT_FALSE((*xml.next())->opens);
  const auto d = xml.next();
  EXPECT_TRUE((*d)->opens && (*d)->closes);
  EXPECT_FALSE(*xml.next());
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"<", "its XML is damaged at byte 1: the name of a tag was expected"},
           {"<a b>", "its XML is damaged at byte 4: `=` was expected"},
           {"<a b=1>", "its XML is damaged at byte 5: a value in quotes was expected"},
           {"<a b='1>", "its XML is damaged at byte 5: a value in quotes was expected"},
           {"<a ?>", "its XML is damaged at byte 3: an attribute or `>` was expected"},
           {"<!-- ", "its XML is damaged at byte 0: a comment does not end"},
           {"<? ", "its XML is damaged at byte 0: `<?` is not followed by `?>`"}})
    EXPECT_EQ(XmlReader(text).next().error(), error) << text;
}

}  // namespace
}  // namespace stencilc::data
