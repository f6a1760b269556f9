#include "data/files/npz.h"

#include <fmt/format.h>

#include <utility>

#include "data/files/npy.h"

namespace stencilc::data {
namespace {

constexpr std::string_view ending = ".npy";

std::string without_ending(const std::string& name) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

}  // namespace

Result<Npz> Npz::open(std::string_view file) {
  Result<std::vector<ZipMember>> members = zip_members(file);
  if (!members.ok()) return Error{members.error()};
  Npz npz;
  npz.members_ = std::move(*members);
  return npz;
}

std::vector<std::string> Npz::names() const {
  std::vector<std::string> names;
  for (const ZipMember& member : members_) names.push_back(without_ending(member.name));
  return names;
}

Result<Array> Npz::read(const std::string& name) const {
  for (const ZipMember& member : members_) {
    if (without_ending(member.name) != name) continue;
    std::string unpacked;
    const Result<std::string_view> content = content_of(member, unpacked);
    if (!content.ok()) return Error{fmt::format("the array `{}`: {}", name, content.error())};
    Result<Array> array = parse_npy(*content);
    if (!array.ok()) return Error{fmt::format("the array `{}`: {}", name, array.error())};
    return array;
  }
  return Error{fmt::format("it has no array `{}`", name)};
}

std::string npz_file(const std::vector<NamedArray>& arrays, bool compressed) {
  ZipWriter zip;
  for (const auto& [name, array] : arrays)
    zip.add(name + std::string(ending), npy_file(*array), compressed);
  return std::move(zip).finish();
}

}  // namespace stencilc::data
