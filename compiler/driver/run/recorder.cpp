#include "driver/run/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/encoding/xml.h"
#include "diag/codes.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/points.h"
#include "driver/run/checkpoint.h"
#include "driver/run/numbered.h"
#include "driver/run/output_names.h"
#include "driver/run/outputs.h"
#include "driver/run/plot_options.h"
#include "driver/system/files.h"

namespace stencilc::driver {
namespace {

// The smallest and the largest finite cell, their sum, and how many cells are not finite.
nlohmann::ordered_json summary(const data::Array& array) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  int64_t bad = 0;
  data::visit(array.element, [&](auto type) {
    using T = decltype(type);
    const T* const cells = array.as<T>();
    const int64_t count = array.count();
    for (int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(cells[i]);
      if (!std::isfinite(value)) {
        ++bad;
        continue;
      }
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
    }
  });
  nlohmann::ordered_json result;
  const bool any = low <= high;
  result["min"] = any ? nlohmann::ordered_json(low) : nlohmann::ordered_json();
  result["max"] = any ? nlohmann::ordered_json(high) : nlohmann::ordered_json();
  result["sum"] = sum;
  result["not_finite"] = bad;
  return result;
}

bool has_cells(const data::Extents& halo) {
  return std::ranges::any_of(halo, [](int64_t width) { return width != 0; });
}

}  // namespace

HostData without_arrays(const HostData& host) {
  HostData copy;
  copy.extents = host.extents;
  copy.params = host.params;
  copy.weights = host.weights;
  copy.points = host.points;
  copy.linear = host.linear;
  copy.series_steps = host.series_steps;
  copy.first = host.first;
  copy.buffers.resize(host.buffers.size());
  return copy;
}

std::vector<bool> changed_slots(const ir::Stencil& stencil) {
  std::vector<bool> changed;
  for (const ir::Field& field : stencil.fields)
    for (int level = field.role == ir::Role::stepped ? field.levels() : 1; level > 0; --level)
      changed.push_back(field.role != ir::Role::input);
  return changed;
}

std::vector<bool> shown_slots(const Options& options, const ir::Stencil& stencil) {
  std::vector<bool> shown(changed_slots(stencil).size(), false);
  if (options.long_run.every == 0) return shown;
  const auto show = [&](const std::string& name) {
    shown[newest_slot(stencil, field_index(stencil, name))] = true;
  };
  for (const auto& [names, file] : options.outputs)
    if (!is_series(stencil, names))
      for (const std::string& name : split_names(names)) show(name);
  std::vector<std::string> drawn = options.plots;
  drawn.insert(drawn.end(), options.long_run.films.begin(), options.long_run.films.end());
  for (const std::string& plot : drawn) {
    const PlotOptions figure = *plot_options(plot, stencil);
    for (const std::string& name : figure.fields) show(name);
  }
  if (!options.long_run.log.empty())
    for (const ir::Field& field : stencil.fields)
      if (field.role != ir::Role::input) show(field.name);
  return shown;
}

size_t field_of_slot(const ir::Stencil& stencil, size_t slot) {
  size_t field = 0;
  while (field + 1 < stencil.fields.size() &&
         newest_slot(stencil, static_cast<int>(field) + 1) <= slot)
    ++field;
  return field;
}

std::vector<bool> recorded_slots(const Options& options, const ir::Stencil& stencil) {
  std::vector<bool> slots = shown_slots(options, stencil);
  const std::vector<bool> changed = changed_slots(stencil);
  if (!options.long_run.checkpoint.empty())
    for (size_t slot = 0; slot < slots.size(); ++slot) slots[slot] = slots[slot] || changed[slot];
  return slots;
}

Recorder::Recorder(const Options& options, const Compiled& compiled, const HostData& host,
                   const InputFacts& facts, int64_t before)
    : options_(options),
      compiled_(compiled),
      stencil_(compiled.stencil),
      host_(host),
      facts_(facts),
      shown_(shown_slots(options, compiled.stencil)),
      changed_slots_(changed_slots(compiled.stencil)),
      frames_(kFrames) {
  for (Frame& frame : frames_) frame.run.push_back(without_arrays(host));
  for (const std::string& film : options.long_run.films) {
    const PlotOptions plot = *plot_options(film, stencil_);
    films_.push_back(std::make_unique<Film>(plot.path, plot.pictures_a_second));
  }
  if (!options.long_run.log.empty()) begin_log(before);
  // Files that go on; see goes_on_in_series().
  if (before > 0)
    for (const auto& [names, text] : options.outputs)
      if (const FileName file = file_name(text); is_one_file(file, options.long_run.every))
        if (std::error_code error; std::filesystem::exists(file.path, error))
          begun_.insert(file.path);
  if (options.long_run.every != 0)
    for (int64_t step = options.long_run.every; step <= before; step += options.long_run.every)
      write_collections(step, true);
  thread_ = std::thread([this] { work(); });
}

// What an earlier run has written after its last checkpoint is written again.
void Recorder::begin_log(int64_t before) {
  const std::string& path = options_.long_run.log;
  std::string kept;
  const int64_t last = options_.first + before;
  if (before > 0) {
    const std::string text = read_text(path, kMaxData).text;
    for (size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
      const auto line =
          nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
      if (line.is_object() && line.value("step", last + 1) <= last)
        kept += text.substr(at, end + 1 - at);
    }
  }
  if (const std::string why = write_text(path, kept); !why.empty()) return cannot_write(path, why);
  log_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_APPEND);
  if (log_ < 0) cannot_write(path, std::strerror(errno));
}

Recorder::~Recorder() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (log_ >= 0) ::close(log_);
}

Frame* Recorder::take() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || !free_.empty(); });
  if (failed_) return nullptr;
  Frame* const frame = free_.back();
  free_.pop_back();
  return frame;
}

void Recorder::give(Frame* frame) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    full_.push_back(frame);
  }
  changed_.notify_all();
}

bool Recorder::failed() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failed_;
}

// Zeros, so that the pages are there; but inputs have their values.
data::Array* Recorder::array_of(Frame& frame, size_t slot) {
  data::Array& array = frame.run[0].buffers[slot];
  if (!array.extents.empty()) return &array;
  const data::Array& like = host_.buffers[slot];
  data::Result<data::Array> made = data::make_array(like.element, like.extents);
  if (!made.ok()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failed_ = no_memory_ = true;
    return nullptr;
  }
  array = std::move(*made);
  if (!changed_slots_[slot]) array.bytes = like.bytes;
  return &array;
}

// Makes what snapshots need, while the device begins. Where this thread itself gets them from a
// device, it mostly has one frame.
void Recorder::prepare(Frame& frame) {
  const bool spare = &frame != &frames_.back() && options_.compilation.target == plan::Target::cuda;
  for (size_t slot = 0; slot < shown_.size(); ++slot)
    if (shown_[slot] && !spare) (void)array_of(frame, slot);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(&frame);
  }
  changed_.notify_all();
}

std::vector<bool> Recorder::slots_of(const Frame& frame) const {
  std::vector<bool> slots(shown_.size());
  for (size_t slot = 0; slot < slots.size(); ++slot)
    slots[slot] = (frame.snapshot && shown_[slot]) || (frame.checkpoint && changed_slots_[slot]);
  return slots;
}

std::vector<data::Array*> Recorder::needed(Frame& frame) {
  const std::vector<bool> slots = slots_of(frame);
  std::vector<data::Array*> arrays(slots.size(), nullptr);
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (!slots[slot]) continue;
    arrays[slot] = array_of(frame, slot);
    if (arrays[slot] == nullptr) return {};
  }
  return arrays;
}

void Recorder::work() {
  // A film whose encoder has ended is an error of this thread, not the end of the process.
  sigset_t pipes;
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
  for (Frame& frame : frames_) prepare(frame);
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !full_.empty(); });
    if (full_.empty()) return;
    Frame* const frame = full_.front();
    full_.pop_front();
    bool broken = failed_;
    lock.unlock();
    if (frame->late != nullptr) broken = !arrives(*frame, !broken);
    if (!broken && frame->snapshot) write(*frame);
    if (!broken && frame->checkpoint && !engine_.has_errors()) write_state(*frame);
    lock.lock();
    failed_ = failed_ || engine_.has_errors();
    free_.push_back(frame);
    changed_.notify_all();
  }
}

// The run waits for this, also when the values are no longer wanted.
bool Recorder::arrives(Frame& frame, bool wanted) {
  std::vector<data::Array*> arrays;
  if (wanted) arrays = needed(frame);
  wanted = !arrays.empty();
  arrays.resize(shown_.size(), nullptr);
  if (std::exchange(frame.late, nullptr)->arrive(arrays)) return wanted;
  engine_.report(diag::run_failed, diag::nowhere,
                 fmt::format("the fields of step {} did not come from the device", frame.step));
  return false;
}

void Recorder::write(Frame& frame) {
  frame.run[0].steps_taken = frame.step;
  write_outputs(at_step(frame.step), stencil_, frame.run, facts_, engine_);
  if (engine_.has_errors()) return;
  write_series(frame);
  write_collections(frame.step);
  for (size_t film = 0; film < films_.size(); ++film) write_film(film, frame);
  if (log_ >= 0) write_log(frame);
  last_ = options_.first + frame.step;
  if (count_++ == 0) first_ = last_;
}

void Recorder::write_state(const Frame& frame) {
  const std::string& path = options_.long_run.checkpoint;
  const std::string why = write_checkpoint(path, compiled_, options_.compilation.target, host_,
                                           frame.run[0], {options_.first, frame.step, frame.ended});
  if (why.empty())
    saved_ = frame.step;
  else
    engine_.report(diag::cannot_write, diag::nowhere, why);
}

Options Recorder::at_step(int64_t step) const {
  Options options = options_;
  options.long_run.quiet = true;
  options.outputs.clear();
  for (const auto& [names, file] : options_.outputs)
    if (!is_series(stencil_, names) && !is_one_file(file_name(file), options.long_run.every))
      options.outputs.emplace_back(names, numbered(file, options_.first + step));
  for (std::string& plot : options.plots) {
    const PlotOptions drawn = *plot_options(plot, stencil_);
    // The name of the file no longer says that of the field.
    if (!drawn.named) plot = drawn.fields[0] + "=" + plot;
    plot = numbered(plot, options_.first + step);
  }
  return options;
}

void Recorder::write_series(const Frame& frame) {
  for (const auto& [names, text] : options_.outputs) {
    const FileName file = file_name(text);
    if (!is_one_file(file, options_.long_run.every)) continue;
    const bool first = begun_.insert(file.path).second;
    const std::string why =
        write_in_series(names, file, first, options_, stencil_, frame.run, facts_);
    if (!why.empty()) cannot_write(file.path, why);
  }
}

// A list of the snapshots in each series of .vti files.
void Recorder::write_collections(int64_t step, bool earlier) {
  for (const auto& [names, text] : options_.outputs) {
    const FileName file = file_name(text);
    if (file.kind != FileKind::vti || is_series(stencil_, names)) continue;
    const std::string path = collection_name(file.path);
    const std::filesystem::path snapshot = numbered(file.path, options_.first + step);
    std::error_code error;
    if (earlier && !std::filesystem::exists(snapshot, error)) continue;
    std::string& entries = collections_[path];
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    entries += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                           time_of(options_, stencil_, host_, options_.first + step),
                           data::xml_escaped(snapshot.lexically_relative(folder).string()));
    const std::string why =
        write_text(path,
                   "<?xml version=\"1.0\"?>\n"
                   "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                   "  <Collection>\n" +
                       entries + "  </Collection>\n</VTKFile>\n");
    if (!why.empty()) cannot_write(path, why);
  }
}

void Recorder::write_film(size_t film, const Frame& frame) {
  const PlotOptions plot = *plot_options(options_.long_run.films[film], stencil_);
  const std::string why =
      films_[film]->add(picture_of(plot, options_, stencil_, frame.run, facts_));
  if (!why.empty()) cannot_write(films_[film]->path(), why);
}

void Recorder::write_log(const Frame& frame) {
  nlohmann::ordered_json line;
  line["step"] = options_.first + frame.step;
  line["time"] = time_of(options_, stencil_, host_, options_.first + frame.step);
  for (size_t f = 0; f < stencil_.fields.size(); ++f) {
    if (stencil_.fields[f].role == ir::Role::input) continue;
    const data::Array& array = newest(stencil_, frame.run[0], static_cast<int>(f));
    const data::Extents halo = halo_of(stencil_, f);
    line["fields"][stencil_.fields[f].name] =
        has_cells(halo) ? summary(without_halo(array, halo)) : summary(array);
  }
  const std::string text = line.dump() + "\n";
  const ssize_t put = ::write(log_, text.data(), text.size());
  if (put != static_cast<ssize_t>(text.size()))
    cannot_write(options_.long_run.log, put < 0 ? std::strerror(errno) : "no space is left");
}

void Recorder::cannot_write(const std::string& path, const std::string& why) {
  engine_.report(diag::cannot_write, diag::nowhere,
                 fmt::format("cannot write `{}`: {}", path, why));
}

std::vector<std::string> Recorder::finish(diag::Engine& engine) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  std::vector<std::string> written;
  const auto said = [&](const std::string& path) { written.push_back(path); };
  const auto said_of = [&](const std::string& path) {
    if (count_ > 1)
      said(
          fmt::format("{} to {}, {} files", numbered(path, first_), numbered(path, last_), count_));
    else if (count_ == 1)
      said(numbered(path, first_));
  };
  for (const auto& [names, text] : options_.outputs) {
    const FileName file = file_name(text);
    if (is_series(stencil_, names)) continue;
    if (!is_one_file(file, options_.long_run.every))
      said_of(file.path);
    else if (count_ > 0)
      said(fmt::format("{}, {} snapshot{}", file.path, count_, count_ == 1 ? "" : "s"));
  }
  for (const auto& [path, entries] : collections_)
    if (count_ > 0) said(path);
  for (const std::string& plot : options_.plots) said_of(plot_path(plot));
  for (const std::unique_ptr<Film>& film : films_) {
    if (engine_.has_errors() || count_ == 0) continue;
    if (const std::string why = film->finish(); !why.empty())
      cannot_write(film->path(), why);
    else
      said(film->path());
  }
  if (log_ >= 0 && count_ > 0) said(options_.long_run.log);
  if (saved_ >= 0) said(fmt::format("{}, at step {}", options_.long_run.checkpoint, saved_));
  if (no_memory_)
    engine_.report(diag::memory_limit, diag::nowhere,
                   "there is no memory for the copies of the fields that are written");
  for (const diag::Diagnostic& one : engine_.all()) {
    diag::Diagnostic& again = engine.report(one.code, diag::nowhere, one.text);
    if (saved_ >= 0) again.note(fmt::format("the last checkpoint is that of step {}", saved_));
    if (count_ > 0)
      again.note(fmt::format("the last snapshot that was written is that of step {}", last_));
  }
  return written;
}

}  // namespace stencilc::driver
