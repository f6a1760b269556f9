// Processes that reach each other by MPI. A program that includes this file is compiled with the
// compiler of its MPI (mpicxx), and calls MPI_Init before and MPI_Finalize after.
#pragma once

// The C++ functions of MPI are not used, and go back to before C++11.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <deque>

#include "communicator.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

namespace stencil {

class Mpi final : public Communicator {
 public:
  // All processes of `comm` call this. Failures are in status().
  explicit Mpi(MPI_Comm comm) {
    int ready = 0, ended = 0;
    (void)MPI_Initialized(&ready);
    if (ready != 0) (void)MPI_Finalized(&ended);
    if (ready == 0 || ended != 0) {
      refuse(failure(Code::lost_process, "MPI is not initialized; call MPI_Init before"));
      return;
    }
    (void)MPI_Comm_dup(comm, &comm_);
    (void)MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(comm_, &rank_);
    (void)MPI_Comm_size(comm_, &size_);
    MPI_Comm near = MPI_COMM_NULL;
    if (MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &near) !=
        MPI_SUCCESS)
      return;
    (void)MPI_Comm_rank(near, &local_rank_);
    (void)MPI_Comm_free(&near);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() override {
    int ended = 0;
    (void)MPI_Finalized(&ended);
    // After a process was lost, MPI may wait for it for ever.
    if (comm_ != MPI_COMM_NULL && ended == 0 && status().ok()) (void)MPI_Comm_free(&comm_);
  }

  const char* name() const override { return "mpi"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  // Does this MPI say that it takes pointers to the memory of GPUs?
  bool takes_device_memory() const override {
#ifdef MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
  }

 private:
  // MPI counts bytes in an int.
  static constexpr int64_t kMost = int64_t{1} << 30;

  struct Part {
    MPI_Request request;
    int count;
  };
  struct Message {
    int process;
    bool sends;
    std::deque<Part> parts;
  };

  Failure start(size_t, const Transfer& message) override {
    running_.push_back({message.process, message.sends, {}});
    std::deque<Part>& parts = running_.back().parts;
    char* at = static_cast<char*>(message.bytes);
    for (int64_t left = message.count;;) {
      const int now = static_cast<int>(std::min(left, kMost));
      parts.push_back({MPI_REQUEST_NULL, now});
      MPI_Request* const request = &parts.back().request;
      const int error =
          message.sends
              ? MPI_Isend(at, now, MPI_BYTE, message.process, message.tag, comm_, request)
              : MPI_Irecv(at, now, MPI_BYTE, message.process, message.tag, comm_, request);
      if (error != MPI_SUCCESS) return {message.process, text_of(error)};
      at += now;
      left -= now;
      if (left == 0) return {};
    }
  }
  Failure test(size_t n, bool* done) override {
    Message& one = running_[n];
    for (; !one.parts.empty(); one.parts.pop_front()) {
      Part& part = one.parts.front();
      MPI_Status status{};
      int ends = 0, count = part.count;
      const int error = MPI_Test(&part.request, &ends, &status);
      if (error != MPI_SUCCESS) return {one.process, text_of(error)};
      if (ends == 0) return {};
      if (!one.sends) (void)MPI_Get_count(&status, MPI_BYTE, &count);
      if (count != part.count) return {one.process, differs(count, part.count)};
    }
    *done = true;
    return {};
  }
  void end_exchange(bool failed) override {
    for (Message& one : running_)
      for (Part& part : one.parts)
        if (failed && part.request != MPI_REQUEST_NULL) {
          if (!one.sends) (void)MPI_Cancel(&part.request);
          (void)MPI_Request_free(&part.request);
        }
    running_.clear();
  }
  void notify(int process, const Notice& notice) override {
    // Kept, because nobody waits until it has left.
    told_.push_back(notice);
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(&told_.back(), int{sizeof(Notice)}, MPI_BYTE, process, kNotice, comm_,
                  &request) == MPI_SUCCESS)
      (void)MPI_Request_free(&request);
  }
  bool next_notice(Notice* notice) override {
    int there = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, kNotice, comm_, &there, &status) != MPI_SUCCESS || there == 0)
      return false;
    return MPI_Recv(notice, int{sizeof(Notice)}, MPI_BYTE, status.MPI_SOURCE, kNotice, comm_,
                    &status) == MPI_SUCCESS;
  }

  static std::string text_of(int error) {
    int kind = 0;
    (void)MPI_Error_class(error, &kind);
    if (kind == MPI_ERR_TRUNCATE) return "sent more bytes than expected";
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    (void)MPI_Error_string(error, text, &length);
    return std::string("cannot be reached: ") + text;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, local_rank_ = 0;
  std::vector<Message> running_;
  std::deque<Notice> told_;
};

}  // namespace stencil

extern "C" __attribute__((used)) inline int stencil_mpi_open(int comm,
                                                             stencil_communicator** processes) {
  if (processes == nullptr)
    return stencil::code_of(stencil::null_handle("the place for a communicator"));
  return stencil::open_communicator(processes,
                                    new stencil::Mpi(MPI_Comm_f2c(static_cast<MPI_Fint>(comm))));
}
