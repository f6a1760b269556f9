// Operations of streams that run later, in an order that is drawn. Internal to the fake_*.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/cuda/fake_cuda.h"

namespace stencilc::check {

using Operation = std::function<cudaError_t()>;  // or nothing, for what only orders others

struct Task;
using TaskPtr = std::shared_ptr<Task>;

// Which operations have run before another one is all that streams and events say.
struct Task {
  Operation run;
  const void* stream;
  std::vector<Task*> before;  // that have not run
  std::vector<TaskPtr> next;  // that wait for this one
  // Of a wait for a word: has it come so far? And what of the same device may bring it there.
  std::function<bool()> until = {};
  std::vector<TaskPtr> bringing = {};
  bool began = false;   // a kernel, which waits for a word
  bool needed = false;  // somebody waits for it
  bool done = false;
};

// An operation is added after those that it waits for, so there is always one that can run.
class Tasks {
 public:
  Tasks() = default;
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;
  ~Tasks();

  // The seed of what is drawn from now on.
  void draw_by(uint64_t seed) { state_ = seed; }
  // Null stands for nothing, here and below.
  TaskPtr add(const void* stream, Operation run, const std::vector<TaskPtr>& before);
  // The same, for what runs when `until` holds.
  TaskPtr add_wait(const void* stream, Operation run, const std::vector<TaskPtr>& before,
                   std::function<bool()> until, std::vector<TaskPtr> bringing);
  // Runs these with what they wait for, and maybe others. Returns the first error.
  cudaError_t run(const std::vector<TaskPtr>& wanted);
  cudaError_t run_all();
  // The same, as far as words have come that they wait for: somebody may still write others.
  cudaError_t run_what_can(const std::vector<TaskPtr>& wanted);
  // While a kernel runs that has changed a word: maybe runs what waits for it, and what follows in
  // the same streams.
  cudaError_t run_early();
  // Of the operation that runs: it has to wait for a word, and runs again when `until` holds, or
  // when nothing else can run.
  void suspend(std::function<bool()> until) { suspended_ = std::move(until); }
  // Likewise: it never ends. run() then returns where nothing else can run.
  void hang() { hangs_ = true; }
  // Does one that never ends keep so many of a stream waiting?
  bool keeps_waiting(const void* stream, size_t most) const;
  bool any_hangs() const { return !hung_.empty(); }
  // Nothing that was asked for runs any more.
  void drop_all();

 private:
  void need(const std::vector<TaskPtr>& wanted);
  uint64_t draw(uint64_t below);
  size_t pick(uint64_t generous);
  cudaError_t run_at(size_t place);
  TaskPtr take(size_t place);
  void end(Task& task);

  uint64_t state_ = 0;
  void release(TaskPtr task);
  void look();
  void give_up();
  void need_no_more();

  std::vector<TaskPtr> ready_, waiting_;  // for nothing; for a word alone
  std::vector<TaskPtr> hung_;             // that never end
  bool hangs_ = false;
  std::function<bool()> suspended_;
  const void* favourite_ = nullptr;  // the stream that ran last
  bool early_ = false;               // in run_early()
  size_t left_ = 0;                  // that are needed in run()
};

}  // namespace stencilc::check
