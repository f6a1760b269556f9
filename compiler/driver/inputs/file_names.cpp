#include "driver/inputs/file_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/files/netcdf.h"

namespace stencilc::driver {
namespace {

constexpr std::pair<std::string_view, FileKind> kEndings[] = {
    {".npy", FileKind::npy}, {".npz", FileKind::npz},   {".png", FileKind::png},
    {".vti", FileKind::vti}, {".nc", FileKind::netcdf}, {".h5", FileKind::netcdf}};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "step=300" of "a,b:step=300", which keeps the rest.
std::string taken_place(std::string& words) {
  const size_t colon = words.rfind(':');
  const std::string last = colon == std::string::npos ? words : words.substr(colon + 1);
  if (std::ranges::none_of(data::kPlaces, [&](const auto& one) {
        return last.starts_with(std::string(one.second) + "=");
      }))
    return "";
  words.resize(colon == std::string::npos ? 0 : colon);
  return last;
}

}  // namespace

bool ends_in(const std::string& file, std::string_view ending) {
  return file.size() > ending.size() && lower(file).ends_with(ending);
}

std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names(1);
  for (const char c : list) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

FileName file_name(const std::string& text) {
  for (const auto& [ending, kind] : kEndings)
    if (ends_in(text, ending)) return {text, kind};
  for (const auto& [ending, kind] : kEndings) {
    const size_t found = lower(text).rfind(std::string(ending) + ":");
    if (found == std::string::npos || found == 0) continue;
    const size_t end = found + ending.size();
    FileName file{text.substr(0, end), kind};
    std::string words = text.substr(end + 1);
    if (kind == FileKind::netcdf) file.place = taken_place(words);
    if (file.place.empty() || !words.empty()) file.words = split_names(words);
    return file;
  }
  return {text};
}

bool holds_names(FileKind kind) { return kind == FileKind::npz || holds_places(kind); }

bool holds_places(FileKind kind) { return kind == FileKind::vti || kind == FileKind::netcdf; }

std::string listed_endings() {
  std::string list;
  for (const auto& one : kEndings) {
    if (!list.empty()) list += &one == std::end(kEndings) - 1 ? " or " : ", ";
    list += one.first;
  }
  return list;
}

std::string unread_file(const std::string& what) {
  const std::string name = what.substr(0, what.find(':'));
  if (name.find_first_of("./") == std::string::npos) return "";
  return fmt::format("only {} files can be read; convert it", listed_endings());
}

std::string numbered_file(const std::string& path) {
  const size_t percent = path.find('%');
  if (percent == std::string::npos) return "";
  const size_t end = path.find_first_not_of("0123456789", percent + 1);
  if (end == std::string::npos || std::string_view("diu").find(path[end]) == std::string_view::npos)
    return "";
  return fmt::format("a run writes only its last step, and does not number files: leave out `{}`",
                     path.substr(percent, end + 1 - percent));
}

}  // namespace stencilc::driver
