// NCCL, loaded where it is present: there is nothing to link. It sends planes between the GPUs of
// several processes, also on several machines.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <string>
#include <type_traits>

#include "nccl_place.h"
#include "status.h"

namespace stencil {

// The functions of libnccl.so.2 that are needed; their types are those of nccl.h.
class Nccl {
 public:
  using Communicator = struct Opaque*;
  struct Id {
    char bytes[128];
  };
  static constexpr int kSuccess = 0, kInProgress = 7, kBytes = 0;

  int (*get_version)(int* version) = nullptr;
  int (*get_unique_id)(Id* id) = nullptr;
  int (*init_rank)(Communicator* made, int ranks, Id id, int rank) = nullptr;
  int (*abort)(Communicator) = nullptr;
  int (*destroy)(Communicator) = nullptr;
  int (*async_error)(Communicator, int* error) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*send)(const void*, size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;
  int (*receive)(void*, size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;
  const char* (*error_string)(int error) = nullptr;

  // Found once: where STENCIL_NCCL says, where the loader of the system looks, in the Python
  // environment or the HPC SDK.
  static const Nccl& library() {
    static const Nccl known;
    return known;
  }
  int version() const { return version_; }  // 22803 is 2.28.3; 0: there is none
  const std::string& missing() const { return missing_; }

  Status status_of(int result, const char* what) const {
    if (result == kSuccess || result == kInProgress) return {};
    return failure(Code::cuda_error, "NCCL: %s: %s", what, error_string(result));
  }

 private:
  Nccl() {
    void* const library = nccl_place::open_nccl(missing_);
    bool all = library != nullptr;
    const auto find = [&](auto& function, const char* name) {
      if (!all) return;
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function != nullptr) return;
      all = false;
      missing_ = std::string("libnccl.so.2 has no ") + name;
    };
    find(get_version, "ncclGetVersion");
    find(get_unique_id, "ncclGetUniqueId");
    find(init_rank, "ncclCommInitRank");
    find(abort, "ncclCommAbort");
    find(destroy, "ncclCommDestroy");
    find(async_error, "ncclCommGetAsyncError");
    find(group_start, "ncclGroupStart");
    find(group_end, "ncclGroupEnd");
    find(send, "ncclSend");
    find(receive, "ncclRecv");
    find(error_string, "ncclGetErrorString");
    if (all && get_version(&version_) != kSuccess) version_ = 0;
  }
  int version_ = 0;
  std::string missing_;
};

}  // namespace stencil
