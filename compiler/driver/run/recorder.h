// Writes what a run has computed while it goes on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "diag/diagnostic.h"
#include "driver/cli/options.h"
#include "driver/execute/call.h"
#include "driver/inputs/input_facts.h"
#include "driver/pipeline/compile.h"
#include "driver/run/film.h"

namespace stencilc::driver {

// A copy of the run after a step.
struct Frame {
  int64_t step = 0;
  bool snapshot = false, checkpoint = false;  // what it is written as
  bool ended = false;                         // the condition of `iterate until` holds
  std::vector<HostData> run;                  // one
  const Look* late = nullptr;                 // from which the values are still on their way
};

// The levels of which frames have copies: for snapshots those that are shown, for checkpoints those
// that the run changes. By slot, as in HostData::buffers.
std::vector<bool> recorded_slots(const Options& options, const ir::Stencil& stencil);
std::vector<bool> shown_slots(const Options& options, const ir::Stencil& stencil);
std::vector<bool> changed_slots(const ir::Stencil& stencil);
size_t field_of_slot(const ir::Stencil& stencil, size_t slot);
// A run with room for its arrays, and without them.
HostData without_arrays(const HostData& host);
inline constexpr int kFrames = 2;

// Has a thread that writes the files of snapshots, and two frames: while one is written, the run
// fills the other one. A run that is faster than its files waits for them.
class Recorder {
 public:
  // `host` is the run that is recorded. `before`: the steps that an earlier run has recorded.
  Recorder(const Options& options, const Compiled& compiled, const HostData& host,
           const InputFacts& facts, int64_t before = 0);
  Recorder(const Recorder&) = delete;
  ~Recorder();

  // Waits for a frame that is free; or null after an error, with which the run should end.
  Frame* take();
  void give(Frame* frame);
  // The slots that a frame needs, and their arrays, null where it needs none. After a failure, no
  // arrays.
  std::vector<bool> slots_of(const Frame& frame) const;
  std::vector<data::Array*> needed(Frame& frame);
  bool failed();

  // Waits until all is written. Returns what was, for the user, and reports what went wrong.
  std::vector<std::string> finish(diag::Engine& engine);

 private:
  void work();
  bool arrives(Frame& frame, bool wanted);
  void write(Frame& frame);
  void write_collections(int64_t step, bool earlier = false);  // by an earlier run
  void write_series(const Frame& frame);
  void write_film(size_t film, const Frame& frame);
  void write_log(const Frame& frame);
  void cannot_write(const std::string& path, const std::string& why);
  // The options whose files a snapshot writes.
  Options at_step(int64_t step) const;
  // The arrays of a frame, made where they are missing; null without memory.
  data::Array* array_of(Frame& frame, size_t slot);
  void prepare(Frame& frame);

  void write_state(const Frame& frame);
  void begin_log(int64_t before);

  const Options& options_;
  const Compiled& compiled_;
  const ir::Stencil& stencil_;
  const HostData& host_;
  const InputFacts& facts_;
  std::vector<bool> shown_, changed_slots_;  // by slot

  // Of the thread alone.
  std::vector<std::unique_ptr<Film>> films_;
  std::map<std::string, std::string> collections_;  // the entries of a .pvd
  std::set<std::string> begun_;                     // files of all snapshots
  int log_ = -1;
  int64_t first_ = 0, last_ = 0, count_ = 0;  // of the snapshots
  int64_t saved_ = -1;                        // the step of the last checkpoint
  diag::Engine engine_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Frame> frames_;
  std::vector<Frame*> free_;
  std::deque<Frame*> full_;
  bool failed_ = false, ending_ = false, no_memory_ = false;
  std::thread thread_;
};

}  // namespace stencilc::driver
