// The processes of a run, as mpirun, torchrun or Slurm have started them. This one is one of them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/execute/launcher.h"
#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {

class Launched {
 public:
  // All processes call it. What fails is in problem().
  explicit Launched(Launcher launcher);
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;
  ~Launched();

  const std::string& problem() const { return problem_; }
  bool tool_missing() const { return tool_missing_; }              // there is no mpicxx
  stencil::Communicator* processes() const { return processes_; }  // null: this process is alone
  int rank() const { return processes_ == nullptr ? 0 : processes_->rank(); }
  int size() const { return processes_ == nullptr ? 1 : processes_->size(); }
  // How many of them share the memory of this machine, and whether the first one is among them.
  int here() const { return here_; }
  bool first_is_here() const { return first_is_here_; }
  // The first process of each machine does something before the others do it.
  void first_of_machine_first(const std::function<void()>& work) const;
  // Before this process ends with this code. MPI ends the others if one of them is lost.
  void leave(int code);

 private:
  void open_mpi();
  void count_here();

  stencil::Communicator* processes_ = nullptr;
  std::unique_ptr<stencil::Communicator> own_;
  void (*close_mpi_)(stencil_communicator*, int) = nullptr;
  std::string problem_;
  bool tool_missing_ = false;
  int here_ = 1;
  bool first_is_here_ = true;
};

}  // namespace stencilc::driver
