#include "check/cuda/tasks.h"

#include <algorithm>
#include <cassert>

namespace stencilc::check {

// One by one, because those that wait belong to those that they wait for.
Tasks::~Tasks() {
  while (!ready_.empty()) take(ready_.size() - 1);
}

TaskPtr Tasks::add(const void* stream, Operation run, const std::vector<TaskPtr>& before) {
  auto task = std::make_shared<Task>(Task{std::move(run), stream, {}, {}});
  for (const TaskPtr& one : before) {
    if (one == nullptr || one->done || std::count(task->before.begin(), task->before.end(), &*one))
      continue;
    task->before.push_back(&*one);
    one->next.push_back(task);
  }
  if (task->before.empty()) ready_.push_back(task);
  return task;
}

cudaError_t Tasks::run(const std::vector<TaskPtr>& wanted) {
  std::vector<Task*> open;
  const auto need = [&](Task* task) {
    if (task->done || task->needed) return;
    task->needed = true;
    open.push_back(task);
  };
  for (const TaskPtr& task : wanted)
    if (task != nullptr) need(&*task);
  for (size_t n = 0; n < open.size(); ++n)
    for (Task* before : open[n]->before) need(before);
  // Nothing else, little or much runs besides.
  const uint64_t generous = draw(3);
  cudaError_t error = cudaSuccess;
  for (size_t left = open.size(); left > 0;) {
    const size_t place = pick(generous);
    if (ready_[place]->needed) --left;
    if (const cudaError_t one = run_at(place); error == cudaSuccess) error = one;
  }
  return error;
}

cudaError_t Tasks::run_all() {
  cudaError_t error = cudaSuccess;
  while (!ready_.empty())
    if (const cudaError_t one = run_at(draw(ready_.size())); error == cudaSuccess) error = one;
  return error;
}

// The generator of Knuth's MMIX.
uint64_t Tasks::draw(uint64_t below) {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return (state_ >> 33) % below;
}

// Mostly a stream goes on as far as it can, so that others fall behind it.
size_t Tasks::pick(uint64_t generous) {
  const bool any = draw(3) < generous;
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
  const Operation run = std::move(task->run);
  return run ? run() : cudaSuccess;
}

TaskPtr Tasks::take(size_t place) {
  std::swap(ready_[place], ready_.back());
  TaskPtr task = std::move(ready_.back());
  ready_.pop_back();
  task->done = true;
  for (TaskPtr& next : std::exchange(task->next, {})) {
    std::erase(next->before, &*task);
    if (next->before.empty()) ready_.push_back(std::move(next));
  }
  return task;
}

}  // namespace stencilc::check
