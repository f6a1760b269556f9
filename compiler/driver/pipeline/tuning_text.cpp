#include "driver/pipeline/tuning_text.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "diag/codes.h"
#include "driver/system/json_text.h"

namespace stencilc::driver {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kBegin = "\n";  // the member of an object that holds its position in the text
constexpr int64_t kMaxExtent = int64_t{1} << 40;

// An iterator that counts the characters that were read.
struct Counting {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  size_t* read = nullptr;  // characters

  reference operator*() const { return *at; }
  Counting& operator++() {
    ++at;
    ++*read;
    return *this;
  }
  friend bool operator==(const Counting& a, const Counting& b) { return a.at == b.at; }
  friend bool operator!=(const Counting& a, const Counting& b) { return a.at != b.at; }
};

// What is wrong, and its position in bytes.
struct Fault {
  size_t at;
  std::string text;
};

// Parses the JSON and records the position of each object.
json parsed(const std::string& text) {
  size_t read = 0;
  std::vector<size_t> open;
  const auto note = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) open.push_back(read - 1);
    if (event == json::parse_event_t::object_end) {
      value[kBegin] = open.back();
      open.pop_back();
    }
    return true;
  };
  const char* const begin = text.data();
  try {
    return json::parse(Counting{begin, &read}, Counting{begin + text.size(), &read}, note);
  } catch (const json::parse_error& error) {
    throw Fault{error.byte > 0 ? error.byte - 1 : 0, "this is not JSON"};
  } catch (const json::out_of_range&) {
    throw Fault{read > 1 ? read - 2 : 0, "this number is too large"};
  }
}

// The members of one object, by name and type. `text` is that of the file.
class Members {
 public:
  Members(const json& object, const std::string& text, size_t at) : object_(object), text_(text) {
    if (!object.is_object()) throw Fault{at, "an object is expected here"};
    at_ = object[kBegin];
  }

  std::string string(const char* key) const {
    const json& value = member(key);
    if (!value.is_string()) fail(key, "is not a string");
    return value;
  }
  // 1, where there is no such member.
  int count(const char* key) const {
    if (!object_.contains(key)) return 1;
    const json& value = member(key);
    if (!value.is_number_integer() || value < 1 || value > 1 << 20)
      fail(key, "is not a whole number of at least 1");
    return value;
  }
  double number(const char* key) const {
    const json& value = member(key);
    if (!value.is_number() || !(value.get<double>() >= 0))
      fail(key, "is not a number of at least 0");
    return value;
  }
  std::vector<int64_t> size(const char* key) const {
    std::vector<int64_t> extents;
    const json& list = member(key);
    for (const json& extent : list.is_array() ? list : json::array()) {
      const bool whole = extent.is_number_integer() && extent >= 1 && extent <= kMaxExtent;
      if (!whole) fail(key, "is not a list of extents");
      extents.push_back(extent);
    }
    if (extents.empty() || extents.size() > ir::kMaxRank) fail(key, "is not a list of extents");
    return extents;
  }
  const json& list(const char* key) const {
    const json& value = member(key);
    if (!value.is_array()) fail(key, "is not a list");
    return value;
  }
  Members object(const char* key) const { return {member(key), text_, place(key)}; }
  // The objects of a list.
  std::vector<Members> objects(const char* key) const {
    std::vector<Members> all;
    for (const json& one : list(key)) all.emplace_back(one, text_, place(key));
    return all;
  }

  [[noreturn]] void fail(const char* key, const std::string& what) const {
    throw Fault{place(key), fmt::format("`{}` {}", key, what)};
  }

 private:
  const json& member(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw Fault{at_, fmt::format("there is no `{}` here", key)};
    return *found;
  }
  size_t place(const char* key) const {
    const size_t found = text_.find('"' + std::string(key) + '"', at_);
    return found == std::string::npos ? at_ : found;
  }

  const json& object_;
  const std::string& text_;
  size_t at_ = 0;
};

TunedEntry entry_of(const Members& members) {
  TunedEntry entry;
  entry.arch = members.string("arch");
  entry.device = members.string("device");
  entry.size = members.size("size");
  entry.schedule = members.string("schedule");
  entry.gcells = members.number("gcells");
  entry.fraction_of_copy = members.number("fraction_of_copy");
  const Members chosen = members.object("chosen");
  entry.chosen_schedule = chosen.string("schedule");
  entry.chosen_gcells = chosen.number("gcells");
  entry.tried = static_cast<int>(std::min(members.number("tried"), 1e9));
  entry.date = members.string("date");
  entry.devices = members.count("devices");
  return entry;
}

std::vector<TunedStencil> stencils_of(const std::string& text) {
  const json file = parsed(text);
  const Members top(file, text, 0);
  if (top.number("version") != kVersion) top.fail("version", fmt::format("is not {}", kVersion));
  std::vector<TunedStencil> stencils;
  for (const Members& one : top.objects("stencils")) {
    stencils.push_back({one.string("stencil"), one.string("digest"), {}});
    for (const Members& entry : one.objects("entries"))
      stencils.back().entries.push_back(entry_of(entry));
  }
  return stencils;
}

}  // namespace

std::string json_of(const Tuning& tuning) {
  ordered_json stencils = ordered_json::array();
  for (const TunedStencil& stencil : tuning.stencils) {
    ordered_json entries = ordered_json::array();
    for (const TunedEntry& entry : stencil.entries) {
      ordered_json& made = entries.emplace_back(ordered_json(
          {{"arch", entry.arch},
           {"device", entry.device},
           {"size", entry.size},
           {"schedule", entry.schedule},
           {"gcells", entry.gcells},
           {"fraction_of_copy", entry.fraction_of_copy},
           {"chosen", {{"schedule", entry.chosen_schedule}, {"gcells", entry.chosen_gcells}}},
           {"tried", entry.tried},
           {"date", entry.date}}));
      if (entry.devices > 1) made["devices"] = entry.devices;
    }
    stencils.push_back(
        {{"stencil", stencil.name}, {"digest", stencil.digest}, {"entries", entries}});
  }
  return json_text({{"version", kVersion}, {"stencils", stencils}});
}

bool read_tuning(const diag::Sources& sources, uint16_t file, Tuning& tuning,
                 diag::Engine& engine) {
  const std::string& text = sources[file].text;
  tuning.file = sources[file].name;
  try {
    tuning.stencils = stencils_of(text);
    return true;
  } catch (const Fault& fault) {
    const auto at = static_cast<uint32_t>(std::min(fault.at, text.size()));
    engine.report(diag::bad_tuning, {at, at + (at < text.size() ? 1u : 0u), file}, fault.text)
        .help("write the file again with `stencilc tune`, or compile with `--no-tune`");
    return false;
  }
}

}  // namespace stencilc::driver
