#include "check/cuda/tasks.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace stencilc::check {

// One by one, because those that wait belong to those that they wait for.
Tasks::~Tasks() { drop_all(); }

void Tasks::drop_all() {
  for (TaskPtr& task : std::exchange(hung_, {})) ready_.push_back(std::move(task));
  give_up();
  while (!ready_.empty()) {
    end(*take(ready_.size() - 1));
    give_up();
  }
}

bool Tasks::keeps_waiting(const void* stream, size_t most) const {
  std::set<const Task*> seen;
  std::vector<const Task*> open;
  for (const TaskPtr& task : hung_) open.push_back(&*task);
  for (size_t count = 0; !open.empty();) {
    const Task& task = *open.back();
    open.pop_back();
    count += task.stream == stream ? 1 : 0;
    if (count > most) return true;
    for (const TaskPtr& next : task.next)
      if (seen.insert(&*next).second) open.push_back(&*next);
  }
  return false;
}

// It waits for nothing but maybe a word.
void Tasks::release(TaskPtr task) {
  const bool waits = task->until && !task->until();
  (waits ? waiting_ : ready_).push_back(std::move(task));
}

// Which words have come so far?
void Tasks::look() {
  for (size_t n = 0; n < waiting_.size();) {
    if (!waiting_[n]->until()) {
      ++n;
      continue;
    }
    ready_.push_back(std::move(waiting_[n]));
    waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(n));
  }
}

// Nothing brings the words there: those that wait run, and fail.
void Tasks::give_up() {
  for (TaskPtr& task : waiting_) ready_.push_back(std::move(task));
  waiting_.clear();
}

TaskPtr Tasks::add(const void* stream, Operation run, const std::vector<TaskPtr>& before) {
  auto task = std::make_shared<Task>(Task{std::move(run), stream, {}, {}});
  for (const TaskPtr& one : before) {
    if (one == nullptr || one->done || std::count(task->before.begin(), task->before.end(), &*one))
      continue;
    task->before.push_back(&*one);
    one->next.push_back(task);
  }
  if (task->before.empty()) release(task);
  return task;
}

TaskPtr Tasks::add_wait(const void* stream, Operation run, const std::vector<TaskPtr>& before,
                        std::function<bool()> until, std::vector<TaskPtr> bringing) {
  TaskPtr task = add(stream, std::move(run), before);
  task->until = std::move(until);
  task->bringing = std::move(bringing);
  if (!task->before.empty() || task->until()) return task;
  ready_.pop_back();
  waiting_.push_back(task);
  return task;
}

// Those that have to run, with what they wait for, and their number.
void Tasks::need(const std::vector<TaskPtr>& wanted) {
  std::vector<Task*> open;
  const auto need = [&](Task* task) {
    if (task->done || task->needed) return;
    task->needed = true;
    open.push_back(task);
  };
  for (const TaskPtr& task : wanted)
    if (task != nullptr) need(&*task);
  for (size_t n = 0; n < open.size(); ++n) {
    for (Task* before : open[n]->before) need(before);
    for (const TaskPtr& one : open[n]->bringing)
      if (one != nullptr) need(&*one);
  }
  left_ = open.size();
}

cudaError_t Tasks::run(const std::vector<TaskPtr>& wanted) {
  need(wanted);
  // Nothing else, little or much runs besides.
  const uint64_t generous = draw(3);
  cudaError_t error = cudaSuccess;
  while (left_ > 0) {
    if (ready_.empty() && any_hangs()) {
      need_no_more();
      return cudaErrorLaunchTimeout;
    }
    if (ready_.empty()) give_up();
    const size_t place = pick(generous);
    if (const cudaError_t one = run_at(place); error == cudaSuccess) error = one;
  }
  return error;
}

cudaError_t Tasks::run_what_can(const std::vector<TaskPtr>& wanted) {
  need(wanted);
  const uint64_t generous = draw(3);
  cudaError_t error = cudaSuccess;
  while (left_ > 0 && !ready_.empty())
    if (const cudaError_t one = run_at(pick(generous)); error == cudaSuccess) error = one;
  need_no_more();
  return error;
}

// Another call counts anew: nobody waits for what is left, nor for what follows it.
void Tasks::need_no_more() {
  std::vector<Task*> open;
  for (const auto* some : {&ready_, &waiting_, &hung_})
    for (const TaskPtr& task : *some) open.push_back(&*task);
  for (; !open.empty();) {
    Task& task = *open.back();
    open.pop_back();
    task.needed = false;
    for (const TaskPtr& next : task.next)
      if (next->needed) open.push_back(&*next);
  }
  left_ = 0;
}

cudaError_t Tasks::run_all() {
  cudaError_t error = cudaSuccess;
  if (any_hangs()) drop_all();
  while (!ready_.empty() || !waiting_.empty()) {
    if (ready_.empty() && any_hangs()) drop_all();
    if (ready_.empty()) give_up();
    if (ready_.empty()) break;
    if (const cudaError_t one = run_at(draw(ready_.size())); error == cudaSuccess) error = one;
  }
  return error;
}

cudaError_t Tasks::run_early() {
  if (early_ || draw(2) == 0) return cudaSuccess;
  early_ = true;
  look();
  cudaError_t error = cudaSuccess;
  const auto run_one = [&](const auto& wanted) {
    for (size_t place = 0; place < ready_.size(); ++place) {
      if (!wanted(*ready_[place])) continue;
      if (const cudaError_t one = run_at(place); error == cudaSuccess) error = one;
      return true;
    }
    return false;
  };
  while (run_one([](const Task& task) { return task.until != nullptr && !task.began; })) {
    const void* const stream = favourite_;
    while (run_one([&](const Task& task) { return task.stream == stream && !task.until; })) {
    }
  }
  early_ = false;
  return error;
}

// The generator of Knuth's MMIX.
uint64_t Tasks::draw(uint64_t below) {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return (state_ >> 33) % below;
}

// Mostly a stream goes on as far as it can, so that others fall behind it.
size_t Tasks::pick(uint64_t generous) {
  const auto needed = [](const TaskPtr& task) { return task->needed; };
  const bool any = draw(3) < generous || std::none_of(ready_.begin(), ready_.end(), needed);
  std::vector<size_t> places;
  for (size_t n = 0; n < ready_.size(); ++n)
    if (any || ready_[n]->needed) places.push_back(n);
  assert(!places.empty());
  if (draw(4) != 0)
    for (const size_t place : places)
      if (ready_[place]->stream == favourite_) return place;
  return places[draw(places.size())];
}

cudaError_t Tasks::run_at(size_t place) {
  const TaskPtr task = take(place);
  favourite_ = task->stream;
  const cudaError_t error = task->run ? task->run() : cudaSuccess;
  if (std::exchange(hangs_, false)) {
    hung_.push_back(task);
  } else if (suspended_) {
    task->until = std::exchange(suspended_, nullptr);
    task->began = true;
    waiting_.push_back(task);
  } else {
    end(*task);
  }
  look();
  return error;
}

TaskPtr Tasks::take(size_t place) {
  std::swap(ready_[place], ready_.back());
  TaskPtr task = std::move(ready_.back());
  ready_.pop_back();
  return task;
}

void Tasks::end(Task& task) {
  if (task.needed && !task.done) --left_;
  task.done = true;
  task.run = nullptr;
  task.bringing.clear();
  for (TaskPtr& next : std::exchange(task.next, {})) {
    std::erase(next->before, &task);
    if (next->before.empty()) release(std::move(next));
  }
}

}  // namespace stencilc::check
