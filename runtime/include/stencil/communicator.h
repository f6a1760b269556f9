// How the processes of a mesh reach each other: messages with a deadline. tcp.h and mpi.h have
// communicators that a program can use.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mesh_c.h"
#include "status.h"

struct stencil_communicator {
  virtual ~stencil_communicator() = default;
};

namespace stencil {

// One message: bytes that this process sends to another one, or receives from it. Messages between
// two processes with the same tag arrive in the order in which they were sent.
struct Transfer {
  bool sends;
  int process;
  int tag;
  void* bytes;
  int64_t count;
};

// The processes have numbers from 0 on. All functions are called by one thread. After a process
// was lost, every later call fails with the status that says so.
class Communicator : public stencil_communicator {
 public:
  static constexpr int kTags = 1 << 14;  // tags of callers are below this

  virtual const char* name() const = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The number of this process among those of its machine.
  virtual int local_rank() const = 0;
  // Can messages lie in the memory of a GPU?
  virtual bool takes_device_memory() const { return false; }
  const Status& status() const { return status_; }

  // How many seconds a process waits for another one before it takes it for lost. 120, or what the
  // environment has as STENCIL_DEADLINE.
  void set_deadline(double seconds) { deadline_ = seconds; }
  double deadline() const { return deadline_; }
  static double default_deadline() {
    const char* const given = std::getenv("STENCIL_DEADLINE");
    const double seconds = given == nullptr ? 0 : std::strtod(given, nullptr);
    return seconds > 0 ? seconds : 120;
  }

  // Returns when all messages have been sent and received. A process that does not answer in time,
  // has ended or says that it failed makes this fail, here and in all other processes, with a
  // status that names it.
  Status exchange(std::vector<Transfer> messages) {
    if (!status_.ok()) return status_;
    take_own(messages);
    for (size_t n = 0; n < messages.size() && status_.ok(); ++n)
      if (Failure error = start(n, messages[n]); error.process >= 0) lose(error);
    std::vector<bool> done(messages.size(), false);
    const auto began = Clock::now();
    for (size_t left = messages.size(); left > 0 && status_.ok();) {
      size_t moved = 0, waits = messages.size();
      for (size_t n = 0; n < messages.size() && status_.ok(); ++n) {
        if (done[n]) continue;
        bool ends = false;
        if (Failure error = test(n, &ends); error.process >= 0) lose(error);
        done[n] = ends;
        moved += ends ? 1 : 0;
        if (!ends && waits == messages.size()) waits = n;
      }
      left -= moved;
      if (left == 0 || !status_.ok()) break;
      take_notices();
      if (status_.ok() && (!gave_up_.empty() || seconds_since(began) > deadline_))
        give_up(messages[waits].process);
      if (moved == 0) idle();
    }
    end_exchange(!status_.ok());
    return status_;
  }

  // Until `ready` says so, for what another process has to do first: this one, or a third.
  // `needs_all`: one that has ended will never do it.
  template <typename Ready>
  Status wait(const Ready& ready, int process, bool needs_all = false) {
    const auto began = Clock::now();
    while (status_.ok() && !ready()) {
      take_notices();
      for (int one = 0; one < size() && status_.ok() && needs_all; ++one)
        if (const std::string why = end_of(one); !why.empty()) lose({one, why});
      if (status_.ok() && (!gave_up_.empty() || seconds_since(began) > deadline_)) give_up(process);
      idle();
    }
    return status_;
  }
  // Rank 0 gets what every process gives, in order; `counts` are the bytes of each. The others may
  // give a null pointer for `all`.
  Status gather(const void* mine, void* all, const std::vector<int64_t>& counts) {
    std::vector<Transfer> messages;
    char* at = static_cast<char*>(all);
    for (int from = 0; from < size(); ++from) {
      const int64_t count = counts[static_cast<size_t>(from)];
      if (rank() == 0 && from == 0)
        std::memmove(at, mine, static_cast<size_t>(count));
      else if (rank() == 0)
        messages.push_back({false, from, kGather, at, count});
      else if (rank() == from)
        messages.push_back({true, 0, kGather, const_cast<void*>(mine), count});
      at += rank() == 0 ? count : 0;
    }
    return exchange(std::move(messages));
  }
  // All get what rank 0 has.
  Status broadcast(void* bytes, int64_t count) {
    std::vector<Transfer> messages;
    if (rank() != 0) messages.push_back({false, 0, kBroadcast, bytes, count});
    for (int to = 1; to < size() && rank() == 0; ++to)
      messages.push_back({true, to, kBroadcast, bytes, count});
    return exchange(std::move(messages));
  }
  // What has to be the same in all processes, by its hash.
  struct Compared {
    const char* name;
    uint64_t hash;
  };
  // All call it before they do the same. Fails everywhere if one of them comes with a failure, with
  // another text of what they are about to do, or with another value of something compared.
  Status agree(const Status& mine, const std::string& what,
               const std::vector<Compared>& compared = {}) {
    struct Vote {
      int32_t code;
      char message[Status::text_size];
      char what[Status::text_size];
      uint64_t hashes[kCompared];

      void take(const Status& status) {
        code = static_cast<int32_t>(status.code());
        std::memcpy(message, status.message(), sizeof message);
      }
    } vote{};
    vote.take(mine);
    std::snprintf(vote.what, sizeof vote.what, "%s", what.c_str());
    for (size_t n = 0; n < compared.size(); ++n) {
      uint64_t& hash = vote.hashes[n % kCompared];
      hash = mixed(hash, compared[n].hash);
    }
    const size_t count = static_cast<size_t>(size());
    std::vector<Vote> votes(rank() == 0 ? count : 1);
    const Status sent =
        gather(&vote, votes.data(), std::vector<int64_t>(count, int64_t{sizeof vote}));
    if (!sent.ok()) return sent;
    Vote verdict{};
    for (size_t r = 0; r < votes.size() && rank() == 0 && verdict.code == STENCIL_OK; ++r) {
      const Vote& one = votes[r];
      if (one.code != STENCIL_OK)
        verdict.take(failure(static_cast<Code>(one.code), "process %zu: %.270s", r, one.message));
      else if (std::strcmp(one.what, vote.what) != 0)
        verdict.take(failure(Code::bad_extents,
                             "processes were called with different arguments: process 0 begins "
                             "%.115s, and process %zu %.115s",
                             vote.what, r, one.what));
    }
    // A failure says more than what differs because of it.
    for (size_t n = 0; n < compared.size() && rank() == 0 && verdict.code == STENCIL_OK; ++n)
      for (size_t r = 1; r < count && verdict.code == STENCIL_OK; ++r)
        if (votes[r].hashes[n % kCompared] != vote.hashes[n % kCompared])
          verdict.take(
              failure(Code::bad_extents,
                      "processes were called with different arguments: `%.100s` of process "
                      "%zu is not that of process 0",
                      compared[n].name, r));
    const Status told = broadcast(&verdict, sizeof verdict);
    if (!told.ok() || verdict.code == STENCIL_OK) return told;
    return mine.ok() ? Status(static_cast<Code>(verdict.code), verdict.message) : mine;
  }
  // A hash with another number in it, in this order.
  static uint64_t mixed(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
  }
  // This process cannot go on: the others fail at once, with its message.
  void fail(const Status& reason) {
    if (!status_.ok() || reason.ok()) return;
    status_ = reason;
    tell(Notice::failed, rank(), reason.message());
  }
  // The same, where another process may be the reason: one that has ended, or of which others tell.
  Status fail_by_others(const Status& seen) {
    listen_a_while();
    for (int one = 0; one < size() && status_.ok(); ++one)
      if (const std::string why = end_of(one); !why.empty()) declare({one, why});
    fail(seen);
    return status_;
  }

 protected:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kCompared = 32;  // hashes of a vote; more are mixed into these
  static constexpr int kGather = kTags, kBroadcast = kTags + 1, kNotice = kTags + 2;

  // A message that any process may get at any time.
  struct Notice {
    enum Kind : int32_t { waiting, lost, failed };
    int32_t kind, from, about;
    char text[Status::text_size];
  };
  // What went wrong with a process; none if its number is negative.
  struct Failure {
    int process = -1;
    std::string what;
  };

  // The n-th message of an exchange: begins it; is it done? Then the exchange has ended; where it
  // failed, messages are left behind.
  virtual Failure start(size_t n, const Transfer& message) = 0;
  virtual Failure test(size_t n, bool* done) = 0;
  virtual void end_exchange(bool failed) = 0;
  // To one process, which may not be there any more. And from any: is there one?
  virtual void notify(int process, const Notice& notice) = 0;
  virtual bool next_notice(Notice* notice) = 0;
  // How a process ended that is known to have; or "".
  virtual std::string end_of(int) const { return ""; }
  // Nothing has moved.
  virtual void idle() { sched_yield(); }

  static std::string differs(int64_t sent, int64_t expected) {
    return "sent " + std::to_string(sent) + " bytes, and " + std::to_string(expected) +
           " were expected";
  }
  void refuse(const Status& status) { status_ = status; }
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

 private:
  // What a process sends to itself: around a periodic axis it can be its own neighbour.
  void take_own(std::vector<Transfer>& messages) const {
    for (const Transfer& from : messages)
      for (Transfer& to : messages)
        if (from.process == rank() && from.sends && to.process == rank() && !to.sends &&
            to.tag == from.tag && to.bytes != nullptr) {
          std::memmove(to.bytes, from.bytes, static_cast<size_t>(from.count));
          to.bytes = nullptr;
          break;
        }
    messages.erase(std::remove_if(messages.begin(), messages.end(),
                                  [&](const Transfer& one) { return one.process == rank(); }),
                   messages.end());
  }

  void tell(Notice::Kind kind, int about, const char* text) {
    Notice notice{kind, rank(), about, {}};
    std::snprintf(notice.text, sizeof notice.text, "%.*s", Status::text_size - 1, text);
    for (int to = 0; to < size(); ++to)
      if (to != rank()) notify(to, notice);
  }
  // Takes the notices of others.
  void take_notices() {
    Notice notice{};
    while (status_.ok() && next_notice(&notice)) {
      if (notice.kind == Notice::waiting) {
        gave_up_.push_back({notice.from, notice.about});
      } else {
        status_ = failure(Code::lost_process, "process %d of %d %s%s", notice.about, size(),
                          notice.kind == Notice::failed ? "failed: " : "", notice.text);
      }
    }
  }
  void listen_a_while() {
    const auto began = Clock::now();
    while (status_.ok() && seconds_since(began) < std::clamp(deadline_ / 4, 0.1, 2.0)) {
      take_notices();
      idle();
    }
    take_notices();  // that came while time ran out
  }
  // For whom a process waits that has given up; -1: it has not.
  int awaited_by(int process) const {
    for (const auto& [from, about] : gave_up_)
      if (from == process) return about;
    return -1;
  }

  // Something is wrong with a process: maybe because of another one, of which others tell.
  void lose(const Failure& failed) {
    listen_a_while();
    if (!status_.ok()) return;
    if (awaited_by(failed.process) >= 0)
      blame(failed.process);
    else
      declare(failed);
  }
  void declare(const Failure& failed) {
    status_ = failure(Code::lost_process, "process %d of %d %s", failed.process, size(),
                      failed.what.c_str());
    tell(Notice::lost, failed.process, failed.what.c_str());
  }
  // This process has waited for another one for too long, or learns that somebody else has. All
  // tell each other for whom they wait.
  void give_up(int process) {
    tell(Notice::waiting, process, "");
    listen_a_while();
    for (int one = 0; one < size() && status_.ok(); ++one)
      if (const std::string why = end_of(one); !why.empty() && awaited_by(one) < 0)
        declare({one, why});
    if (status_.ok()) blame(process);
  }
  // Lost is who is waited for, and says nothing.
  void blame(int process) {
    std::vector<int> chain = {rank()};
    while (std::find(chain.begin(), chain.end(), process) == chain.end()) {
      chain.push_back(process);
      if (awaited_by(process) >= 0) process = awaited_by(process);
    }
    if (process == chain.back()) {
      status_ = failure(Code::lost_process,
                        "process %d of %d did not answer within %g s; process %d waits for it "
                        "(STENCIL_DEADLINE sets another time)",
                        process, size(), deadline_, chain[chain.size() - 2]);
      return;
    }
    for (int one = 0; one < size(); ++one) {
      if (one == rank() || awaited_by(one) >= 0) continue;
      status_ = failure(Code::lost_process,
                        "process %d of %d says nothing, and the others wait for each other for "
                        "%g s (STENCIL_DEADLINE sets another time)",
                        one, size(), deadline_);
      return;
    }
    std::string names;
    for (const int one : chain) names += (names.empty() ? "" : ", ") + std::to_string(one);
    status_ = failure(Code::lost_process,
                      "processes wait for each other: %s, and %d again; a message was lost, or one "
                      "of them was late by more than %g s (STENCIL_DEADLINE sets another time)",
                      names.c_str(), process, deadline_);
  }

  Status status_;
  double deadline_ = default_deadline();
  std::vector<std::pair<int, int>> gave_up_;  // who waits for whom
};

// Makes one for a caller in C.
template <typename Made>
int open_communicator(stencil_communicator** handle, Made* made) {
  const Status status = made->status();
  if (status.ok()) {
    *handle = made;
  } else {
    delete made;
    *handle = nullptr;
  }
  return code_of(status);
}
inline Status null_handle(const char* what) {
  return failure(Code::null_pointer, "%s is a null pointer", what);
}

}  // namespace stencil

extern "C" __attribute__((used)) inline int stencil_communicator_close(
    stencil_communicator* processes) {
  delete processes;
  return STENCIL_OK;
}
