// Stands for libnccl.so.2 in tests: processes of one machine, each with one rank, whose GPU memory
// the host can read and whose streams run at once. Messages go over sockets; between two ranks they
// meet in the order in which each side names them, as in NCCL. A call waits for others as long as
// they take. STENCIL_FAKE_NCCL_FAULT=KIND:RANK:NUMBER makes a rank faulty at a group of messages,
// of which the first is number 1; number 0 is when it comes to the others:
//   ends   its process ends
//   stays  it does not come back
//   fails  the call fails
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int kSuccess = 0, kSystemError = 2, kInvalidUsage = 5;

struct Id {
  char bytes[128];
};

struct Message {
  char* bytes;
  size_t left;
};
struct Peer {
  int socket = -1;
  std::deque<Message> out, in;
};
struct Communicator {
  int rank, ranks;
  std::map<int, Peer> peers;
  int groups = 0;
};

// Does this rank have such a fault now?
bool has_fault(const char* kind, const Communicator& all) {
  const char* const given = std::getenv("STENCIL_FAKE_NCCL_FAULT");
  char text[64];
  snprintf(text, sizeof text, "%s:%d:%d", kind, all.rank, all.groups);
  return given != nullptr && std::strcmp(given, text) == 0;
}
int meet_fault(const Communicator& all) {
  if (has_fault("ends", all)) _exit(0);
  while (has_fault("stays", all)) pause();
  return has_fault("fails", all) ? kSystemError : kSuccess;
}

int grouped = 0;
std::vector<Communicator*> waiting;  // that have messages in this group

sockaddr_un address_of(const Id& id, int rank) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;  // in the namespace without files, which begins with a zero
  snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s-%d", id.bytes, rank);
  return address;
}

// Sends and receives what the group has.
int finish(Communicator& all) {
  for (;;) {
    std::vector<pollfd> fds;
    std::vector<Peer*> of;
    for (auto& [rank, peer] : all.peers) {
      while (!peer.out.empty() && peer.out.front().left == 0) peer.out.pop_front();
      while (!peer.in.empty() && peer.in.front().left == 0) peer.in.pop_front();
      const int events = (peer.out.empty() ? 0 : POLLOUT) | (peer.in.empty() ? 0 : POLLIN);
      if (events == 0) continue;
      fds.push_back({peer.socket, static_cast<short>(events), 0});
      of.push_back(&peer);
    }
    if (fds.empty()) return kSuccess;
    if (poll(fds.data(), fds.size(), -1) <= 0) return kSystemError;
    for (size_t n = 0; n < fds.size(); ++n) {
      const auto moved = [](Message& message, ssize_t bytes) {
        if (bytes <= 0) return false;
        message.bytes += bytes;
        message.left -= static_cast<size_t>(bytes);
        return true;
      };
      if (fds[n].revents & POLLOUT) {
        Message& first = of[n]->out.front();
        if (!moved(first, send(fds[n].fd, first.bytes, first.left, MSG_NOSIGNAL | MSG_DONTWAIT)))
          return kSystemError;
      } else if (fds[n].revents & (POLLIN | POLLHUP | POLLERR)) {
        if (of[n]->in.empty()) return kSystemError;
        Message& first = of[n]->in.front();
        if (!moved(first, recv(fds[n].fd, first.bytes, first.left, MSG_DONTWAIT)))
          return kSystemError;
      }
    }
  }
}

int add(Communicator* all, int peer, void* bytes, size_t count, bool sends) {
  if (all == nullptr || peer < 0 || peer >= all->ranks || peer == all->rank || grouped == 0)
    return kInvalidUsage;
  Peer& to = all->peers[peer];
  (sends ? to.out : to.in).push_back({static_cast<char*>(bytes), count});
  waiting.push_back(all);
  return kSuccess;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = 22803;
  return kSuccess;
}
const char* ncclGetErrorString(int error) {
  return error == kSystemError ? "unhandled system error" : "invalid usage";
}
int ncclGetUniqueId(Id* id) {
  static int made = 0;
  snprintf(id->bytes, sizeof id->bytes, "stencil-fake-nccl-%d-%d", getpid(), ++made);
  return kSuccess;
}
int ncclCommInitRank(Communicator** made, int ranks, Id id, int rank) {
  auto* const all = new Communicator{rank, ranks, {}};
  if (const int error = meet_fault(*all); error != kSuccess) return error;
  const sockaddr_un own = address_of(id, rank);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      listen(listener, ranks) != 0)
    return kSystemError;
  for (int other = 0; other < rank; ++other) {
    const sockaddr_un address = address_of(id, other);
    const int made_socket = socket(AF_UNIX, SOCK_STREAM, 0);
    while (connect(made_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      usleep(5000);
    if (write(made_socket, &rank, sizeof rank) != sizeof rank) return kSystemError;
    all->peers[other].socket = made_socket;
  }
  for (int other = rank + 1; other < ranks; ++other) {
    const int made_socket = accept(listener, nullptr, nullptr);
    int who = 0;
    if (read(made_socket, &who, sizeof who) != sizeof who) return kSystemError;
    all->peers[who].socket = made_socket;
  }
  close(listener);
  *made = all;
  return kSuccess;
}
int ncclCommDestroy(Communicator* all) {
  for (const auto& [rank, peer] : all->peers) close(peer.socket);
  delete all;
  return kSuccess;
}
int ncclCommAbort(Communicator* all) { return ncclCommDestroy(all); }
int ncclCommGetAsyncError(Communicator*, int* error) {
  *error = kSuccess;
  return kSuccess;
}
int ncclGroupStart() {
  ++grouped;
  return kSuccess;
}
int ncclGroupEnd() {
  if (--grouped > 0) return kSuccess;
  int error = kSuccess;
  for (Communicator* all : std::set<Communicator*>(waiting.begin(), waiting.end())) {
    ++all->groups;
    if (error == kSuccess) error = meet_fault(*all);
  }
  for (Communicator* all : waiting)
    if (error == kSuccess) error = finish(*all);
  waiting.clear();
  return error;
}
int ncclSend(const void* bytes, size_t count, int, int peer, Communicator* all, void*) {
  return add(all, peer, const_cast<void*>(bytes), count, true);
}
int ncclRecv(void* bytes, size_t count, int, int peer, Communicator* all, void*) {
  return add(all, peer, bytes, count, false);
}

}  // extern "C"
