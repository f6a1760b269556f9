#include "data/plots/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/encoding/base64.h"

namespace stencilc::data {
namespace {

std::string hex(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= ' ')
      result += c;
  }
  return result;
}

std::string svg(const Line& line) {
  return fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="{}"/>)",
                     number(line.x0), number(line.y0), number(line.x1), number(line.y1),
                     hex(line.color), number(line.width));
}
std::string svg(const Box& box) {
  return fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>)", number(box.x),
                     number(box.y), number(box.width), number(box.height), hex(box.color));
}
std::string svg(const Disc& disc) {
  return fmt::format(R"(<circle cx="{}" cy="{}" r="{}" fill="{}"/>)", number(disc.x),
                     number(disc.y), number(disc.radius), hex(disc.color));
}
std::string svg(const Text& text) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  // Letters of a monospaced font are 0.6 of its size wide, and capitals are 0.73 high.
  const double size = 10 * text.dot, down = 0.365 * size;
  const std::string turned = text.upwards ? fmt::format(R"-( transform="rotate(-90 {} {})")-",
                                                        number(text.x), number(text.y))
                                          : "";
  return fmt::format(R"(<text x="{}" y="{}" font-size="{}" text-anchor="{}" fill="{}"{}>{}</text>)",
                     number(text.x), number(text.y + down), number(size),
                     kAnchors[static_cast<int>(text.anchor)], hex(text.color), turned,
                     escaped(text.text));
}

// Programs that show SVG would else blur the edges of large pixels.
std::string svg(const Image& image) {
  const Result<std::string> file = encode_png(image.pixels);
  if (!file.ok()) return "";
  return fmt::format(R"(<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" )"
                     R"(style="image-rendering:pixelated" href="data:image/png;base64,{}"/>)",
                     number(image.x), number(image.y),
                     number(static_cast<double>(image.pixels.width) * image.side),
                     number(static_cast<double>(image.pixels.height) * image.side),
                     to_base64(*file));
}

}  // namespace

double width_of(const Text& text) { return 6 * text.dot * static_cast<double>(text.text.size()); }

std::string svg_of(const Figure& figure) {
  const std::string width = number(figure.width), height = number(figure.height);
  std::string file = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace">)"
      "\n",
      width, height);
  file += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", width, height);
  for (const auto& part : figure.parts)
    file += std::visit([](const auto& one) { return svg(one); }, part) + "\n";
  return file + "</svg>\n";
}

Result<std::string> figure_file(const Figure& figure, const std::string& path) {
  std::string ending = path.substr(path.size() - std::min<size_t>(path.size(), 4));
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".svg") return svg_of(figure);
  return encode_png(pixels_of(figure));
}

}  // namespace stencilc::data
