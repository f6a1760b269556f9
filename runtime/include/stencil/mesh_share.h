// The processes of a mesh: who has which pieces, and the messages that go between them.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "communicator.h"

namespace stencil {

// Where a piece begins if a grid is cut evenly; for the piece behind the last one, its end.
inline int64_t even_cut(int64_t planes, int pieces, int piece) {
  return planes / pieces * piece + planes % pieces * piece / pieces;
}

// Which pieces of a mesh are those of this process: some that follow each other, or all of them.
class MeshShare {
 public:
  explicit MeshShare(int pieces) : first_({0, pieces}) {}
  // Each process has its own number of pieces, in the order of the processes. All call this.
  MeshShare(Communicator& all, int here, Status* status) : communicator_(&all), first_({0}) {
    const size_t count = static_cast<size_t>(all.size());
    std::vector<int> of(count, here);
    *status = all.gather(&here, of.data(), std::vector<int64_t>(count, int64_t{sizeof here}));
    if (status->ok()) *status = all.broadcast(of.data(), static_cast<int64_t>(count * sizeof here));
    for (const int one : of) first_.push_back(first_.back() + (status->ok() ? one : here));
  }

  int pieces() const { return first_.back(); }
  int first() const { return first_[rank()]; }
  int end() const { return first_[rank() + 1]; }
  bool has(int piece) const { return piece >= first() && piece < end(); }
  int process_of(int piece) const {
    int process = 0;
    while (piece >= first_[static_cast<size_t>(process) + 1]) ++process;
    return process;
  }
  // Null where one process has all pieces.
  Communicator* communicator() const { return communicator_; }
  // All processes exchange planes equally often.
  uint64_t count_exchange() { return ++exchanges_; }
  uint64_t exchanges() const { return exchanges_; }
  int processes() const { return static_cast<int>(first_.size()) - 1; }

 private:
  size_t rank() const {
    return communicator_ == nullptr ? 0 : static_cast<size_t>(communicator_->rank());
  }

  Communicator* communicator_ = nullptr;
  uint64_t exchanges_ = 0;
  std::vector<int> first_;  // piece of each process, and the end
};

// Planes that follow each other in the memory of a piece.
struct MeshPlanes {
  char* at;
  int64_t bytes;
};

// What a piece sends to a neighbour in another process, or receives from there: a stamp, then
// planes, in memory of the host.
struct MeshParcel {
  struct Stamp {
    uint64_t exchange;
    int64_t bytes;
  };

  int piece, side;
  Transfer message;  // its bytes are those of the parcel
  std::vector<MeshPlanes> planes;

  static int64_t bytes_of(const std::vector<MeshPlanes>& planes) {
    int64_t all = int64_t{sizeof(Stamp)};
    for (const MeshPlanes& one : planes) all += one.bytes;
    return all;
  }
  // Tells `copy` where planes are in memory and in the parcel, with their bytes.
  template <typename Copy>
  void each(const Copy& copy) const {
    char* at = static_cast<char*>(message.bytes) + sizeof(Stamp);
    for (const MeshPlanes& one : planes) {
      copy(one.at, at, one.bytes);
      at += one.bytes;
    }
  }
  void stamp(uint64_t exchange) const {
    const Stamp made{exchange, message.count};
    std::memcpy(message.bytes, &made, sizeof made);
  }
  Status check(uint64_t exchange) const {
    Stamp found{};
    std::memcpy(&found, message.bytes, sizeof found);
    if (found.exchange == exchange && found.bytes == message.count) return {};
    return failure(Code::lost_process,
                   "process %d sent the planes of exchange %llu, in %lld bytes; expected are those "
                   "of exchange %llu, in %lld bytes",
                   message.process, static_cast<unsigned long long>(found.exchange),
                   static_cast<long long>(found.bytes), static_cast<unsigned long long>(exchange),
                   static_cast<long long>(message.count));
  }
};

}  // namespace stencil
