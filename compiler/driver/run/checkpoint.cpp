#include "driver/run/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "diag/codes.h"
#include "driver/inputs/points.h"
#include "driver/pipeline/tuning.h"
#include "driver/run/recorder.h"
#include "ir/numerics.h"
#include "runtime/include/stencil/save.h"

namespace stencilc::driver {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kCheckpointVersion = 1;  // of the parts; that of the file is in save.h
constexpr const char* kHeadPart = "stencilc run";

std::string name_of(plan::Target target) { return target == plan::Target::cpu ? "cpu" : "cuda"; }

// The bits of values, in words.
uint64_t word_of(const ir::Scalar& value) {
  return ir::is_float(value.type) ? std::bit_cast<uint64_t>(value.real)
                                  : static_cast<uint64_t>(value.integer);
}
ir::Scalar of_word(ir::Type type, uint64_t word) {
  return ir::is_float(type) ? ir::Scalar{type, std::bit_cast<double>(word), 0}
                            : ir::Scalar{type, 0, static_cast<int64_t>(word)};
}

std::vector<uint64_t> words_of(const std::vector<ir::Scalar>& values) {
  std::vector<uint64_t> words;
  words.reserve(values.size());
  for (const ir::Scalar& value : values) words.push_back(word_of(value));
  return words;
}

void put_words(const std::vector<uint64_t>& words, std::vector<ir::Scalar>& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] = of_word(to[i].type, words[i]);
}

std::vector<uint64_t> words_of_places(const HostData& host, size_t list) {
  std::vector<uint64_t> words;
  for (const auto& place : host.points[list])
    for (size_t a = 0; a < host.extents.size(); ++a)
      words.push_back(std::bit_cast<uint64_t>(place[a]));
  return words;
}

// How many values of a series are before a step.
size_t series_until(const ir::Stencil& stencil, const HostData& host, size_t s, int64_t until) {
  const size_t points = host.points[static_cast<size_t>(stencil.series[s].points)].size();
  return std::min(host.series[s].size(), points * static_cast<size_t>(until));
}

std::vector<uint64_t> words_of(const SeriesValues& values, size_t count) {
  std::vector<uint64_t> words;
  words.reserve(count);
  for (size_t i = 0; i < count; ++i) words.push_back(word_of(values[i]));
  return words;
}

// The transcendental functions of a program, as written: their last bits differ between targets.
std::set<std::string> functions_of(const ir::Stencil& stencil) {
  std::set<std::string> names;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* apply = ir::as<ir::Apply>(node); apply && ir::is_transcendental(apply->op))
      names.insert(std::string(ir::name(apply->op)));
  return names;
}

bool not_resumed(const Options& options, const std::string& why, diag::Engine& engine) {
  engine.report(diag::bad_input_data, diag::nowhere,
                fmt::format("`--resume {}`: {}", options.long_run.resume, why));
  return false;
}

// A file with its head.
class OpenedCheckpoint {
 public:
  explicit OpenedCheckpoint(const std::string& path) : file_(path.c_str()) {
    problem_ = file_.status().message();
    if (!problem_.empty()) return;
    const auto* const head = file_.find(kHeadPart);
    if (head == nullptr || head->size > (1u << 20)) {
      problem_ = "it is no checkpoint of `stencilc run`";
      return;
    }
    std::string text(head->size, '\0');
    problem_ = file_.read(*head, text.data()).message();
    if (!problem_.empty()) return;
    head_ = Json::parse(text, nullptr, false);
    if (head_.is_discarded() || !head_.is_object() || number("version") < 1)
      problem_ = "it is no checkpoint of `stencilc run`";
    else if (number("version") > kCheckpointVersion)
      problem_ = fmt::format(
          "it has version {} of checkpoints, and this stencilc knows version {}; take a newer one",
          number("version"), kCheckpointVersion);
  }

  const std::string& problem() const { return problem_; }
  std::string word(const char* name) const {
    const auto found = head_.find(name);
    return found != head_.end() && found->is_string() ? found->get<std::string>() : "";
  }
  int64_t number(const char* name) const {
    const auto found = head_.find(name);
    return found != head_.end() && found->is_number_integer() ? found->get<int64_t>() : -1;
  }
  data::Extents extents() const {
    data::Extents extents;
    if (const auto found = head_.find("extents"); found != head_.end() && found->is_array())
      for (const Json& one : *found)
        extents.push_back(one.is_number_integer() ? one.get<int64_t>() : 0);
    return extents;
  }

  // Exactly `size` bytes of a part, or false.
  bool read(const std::string& name, void* to, size_t size) const {
    const auto* const part = file_.find(name);
    return part != nullptr && part->size == size && file_.read(*part, to).ok();
  }
  // The words of a part, or nothing.
  std::optional<std::vector<uint64_t>> words(const std::string& name) const {
    const auto* const part = file_.find(name);
    if (part == nullptr || part->size % 8 != 0) return std::nullopt;
    std::vector<uint64_t> words(part->size / 8);
    if (!file_.read(*part, words.data()).ok()) return std::nullopt;
    return words;
  }

 private:
  stencil::SavedParts file_;
  Json head_;
  std::string problem_;
};

}  // namespace

std::string write_checkpoint(const std::string& path, const Compiled& compiled, plan::Target target,
                             const HostData& host, const HostData& run, const RunState& state) {
  const ir::Stencil& stencil = compiled.stencil;
  Json head;
  head["version"] = kCheckpointVersion;
  head["numerics"] = ir::kNumericsVersion;
  head["stencil"] = stencil.name;
  head["digest"] = digest_of(stencil);
  head["target"] = name_of(target);
  head["extents"] = host.extents;
  head["first"] = state.first;
  head["step"] = state.step;
  head["ended"] = state.ended ? 1 : 0;
  const std::string text = head.dump();
  std::vector<stencil::SavedPart> parts = {{kHeadPart, text.data(), text.size()}};
  for (size_t slot = 0; slot < host.buffers.size(); ++slot) {
    const data::Array& array =
        run.buffers[slot].bytes.empty() ? host.buffers[slot] : run.buffers[slot];
    parts.push_back({fmt::format("level {}", slot), array.bytes.data(), array.bytes.size()});
  }
  std::vector<std::vector<uint64_t>> lists;
  std::vector<std::string> names;
  const auto add = [&](std::string name, std::vector<uint64_t> words) {
    names.push_back(std::move(name));
    lists.push_back(std::move(words));
  };
  add("params", words_of(host.params));
  add("reductions", words_of(run.reductions));
  for (size_t w = 0; w < host.weights.size(); ++w)
    add("weights " + stencil.weights[w].name, words_of(host.weights[w]));
  for (size_t p = 0; p < host.points.size(); ++p)
    add("points " + stencil.points[p].name, words_of_places(host, p));
  for (size_t s = 0; s < host.series.size(); ++s)
    add("series " + stencil.series[s].name,
        words_of(stencil.series[s].output ? run.series[s] : host.series[s],
                 series_until(stencil, host, s, state.first + state.step)));
  for (size_t i = 0; i < lists.size(); ++i)
    parts.push_back({names[i], lists[i].data(), lists[i].size() * 8});
  return stencil::save_parts(path.c_str(), parts).message();
}

bool open_checkpoint(Options& options, const Compiled& compiled, std::string& note,
                     diag::Engine& engine) {
  const ir::Stencil& stencil = compiled.stencil;
  const OpenedCheckpoint file(options.long_run.resume);
  const auto refuse = [&](const std::string& why) { return not_resumed(options, why, engine); };
  if (!file.problem().empty()) {
    std::string why = file.problem();
    const std::string previous = options.long_run.resume + ".previous";
    if (OpenedCheckpoint(previous).problem().empty())
      why += fmt::format("; `{}` can be resumed", previous);
    return refuse(why);
  }
  if (file.word("stencil") != stencil.name)
    return refuse(fmt::format("it is one of the stencil `{}`, and this is `{}`",
                              file.word("stencil"), stencil.name));
  if (file.number("numerics") != ir::kNumericsVersion)
    return refuse(fmt::format(
        "it was written by a stencilc with version {} of the numerics, and this one has {}",
        file.number("numerics"), ir::kNumericsVersion));
  if (file.word("digest") != digest_of(stencil))
    return refuse(
        fmt::format("`{}` computes something else than when it was written: its text, a `-D` or "
                    "`--fp` has changed",
                    stencil.name));
  const data::Extents extents = file.extents();
  if (extents.size() != static_cast<size_t>(stencil.rank()) ||
      std::ranges::any_of(extents, [](int64_t extent) { return extent < 1; }))
    return refuse("it has no extents");
  if (!options.size.empty() && options.size != extents)
    return refuse(fmt::format("its grid is {}, and `--size` says {}", data::to_string(extents),
                              data::to_string(options.size)));
  if (file.number("first") != options.first)
    return refuse(fmt::format("its first step was {}, and `--first` is {}", file.number("first"),
                              options.first));
  if (const std::string now = name_of(options.compilation.target); file.word("target") != now) {
    const std::set<std::string> functions = functions_of(stencil);
    if (!functions.empty())
      note = fmt::format(
          "the checkpoint was written with `--target={}`, and targets differ in the last bits of "
          "{}: the results are not those of one run on either",
          file.word("target"), diag::listed({functions.begin(), functions.end()}));
  }
  options.size = extents;
  // Fields have what the checkpoint has of them.
  std::erase_if(options.inputs,
                [&](const NameValue& one) { return !is_series(stencil, one.first); });
  for (const ir::Field& field : stencil.fields)
    if (field.role != ir::Role::output) options.inputs.emplace_back(field.name, "zero");
  return true;
}

bool restore_checkpoint(const Options& options, const Compiled& compiled, HostData& host,
                        RunState& state, diag::Engine& engine) {
  const ir::Stencil& stencil = compiled.stencil;
  const OpenedCheckpoint file(options.long_run.resume);
  const auto refuse = [&](const std::string& why) { return not_resumed(options, why, engine); };
  if (!file.problem().empty()) return refuse(file.problem());
  state = {options.first, file.number("step"), file.number("ended") == 1};
  const bool iterates = !options.steps_given && stencil.iterate.given;
  const int64_t all = iterates ? stencil.iterate.limit : options.steps;
  if (state.step < 0 || state.step > all)
    return refuse(fmt::format("it has taken {} step{}, and the whole run takes {}", state.step,
                              state.step == 1 ? "" : "s", all));
  const auto params = file.words("params");
  if (!params || params->size() != host.params.size()) return refuse("it has no params");
  std::vector<ir::Scalar> before = host.params;
  put_words(*params, before);
  const std::vector<uint64_t> now = words_of(host.params);
  for (size_t p = 0; p < now.size(); ++p)
    if (now[p] != (*params)[p])
      return refuse(fmt::format("the param `{}` was {}, and is {}", stencil.params[p].name,
                                ir::print(before[p]), ir::print(host.params[p])));
  for (size_t w = 0; w < host.weights.size(); ++w)
    if (file.words("weights " + stencil.weights[w].name) != words_of(host.weights[w]))
      return refuse(fmt::format("the weights `{}` were others", stencil.weights[w].name));
  for (size_t p = 0; p < host.points.size(); ++p)
    if (file.words("points " + stencil.points[p].name) != words_of_places(host, p))
      return refuse(fmt::format("the points `{}` were others", stencil.points[p].name));
  for (size_t s = 0; s < host.series.size(); ++s) {
    const std::string& name = stencil.series[s].name;
    const auto words = file.words("series " + name);
    SeriesValues& values = host.series[s];
    const size_t count = series_until(stencil, host, s, host.first + state.step);
    if (!words || words->size() != count)
      return refuse(fmt::format("the series `{}` had other steps", name));
    if (!stencil.series[s].output) {
      if (*words != words_of(values, count))
        return refuse(fmt::format("the series `{}` had other values in the first {} steps", name,
                                  state.step));
      continue;
    }
    for (size_t i = 0; i < count; ++i) values.set(i, of_word(values.type, (*words)[i]));
  }
  const auto reductions = file.words("reductions");
  if (!reductions || reductions->size() != host.reductions.size())
    return refuse("it has no reductions");
  put_words(*reductions, host.reductions);
  for (size_t slot = 0; slot < host.buffers.size(); ++slot) {
    data::Array& own = host.buffers[slot];
    const size_t field = field_of_slot(stencil, slot);
    const data::Planes planes = planes_of(stencil, field, host);
    const data::Extents extents = array_extents(stencil, field, host.extents);
    const bool all = planes.count == extents.back();
    // Of several processes each takes its planes.
    data::Result<data::Array> whole = all ? data::Array() : data::make_array(own.element, extents);
    if (!whole.ok()) return refuse(whole.error());
    std::vector<std::byte>& bytes = all ? own.bytes : whole->bytes;
    if (!file.read(fmt::format("level {}", slot), bytes.data(), bytes.size()))
      return refuse("it lacks a level of a field, or it has changed");
    if (!all) own = *data::part_of(*whole, planes);
  }
  host.first += state.step;
  return true;
}

}  // namespace stencilc::driver
