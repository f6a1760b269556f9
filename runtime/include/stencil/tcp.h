// Processes that reach each other over TCP, without MPI: on one machine or on several in a network
// whose machines trust each other. A program includes this file by itself.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <utility>

#include "communicator.h"

namespace stencil {

class Tcp : public Communicator {
 public:
  // Process `rank` of `size`. Process 0 listens at this address and port; the others come there
  // until the deadline. Failures are in status().
  Tcp(int rank, int size, const std::string& address, int port, int local_rank = 0)
      : rank_(rank), size_(size), local_rank_(local_rank), peers_(static_cast<size_t>(size)) {
    if (size < 1 || rank < 0 || rank >= size) {
      refuse(failure(Code::bad_extents, "process %d of %d: the number is at least 0, and smaller",
                     rank, size));
      return;
    }
    meet(address, port);
  }
  // Of connections that there are already: a socket to each other process, which this takes over.
  static Tcp of_sockets(int rank, const std::vector<int>& sockets) {
    Tcp made(rank, static_cast<int>(sockets.size()), sockets);
    return made;
  }
  // As launchers say it in the environment: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and
  // MASTER_PORT, as torchrun does, or SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID. STENCIL_PORT is
  // the port of this program, where MASTER_PORT is in use. Without MASTER_ADDR, process 0 is on the
  // first node of the step of Slurm, or on this machine. Without any of them: one process.
  static Tcp from_environment() {
    const char* const of_slurm = std::getenv("SLURM_PROCID");
    const bool plain = std::getenv("RANK") != nullptr || of_slurm == nullptr;
    const int rank = number(plain ? "RANK" : "SLURM_PROCID", 0);
    const int size = number(plain ? "WORLD_SIZE" : "SLURM_NTASKS", 1);
    const int local = number(plain ? "LOCAL_RANK" : "SLURM_LOCALID", rank);
    const char* const address = std::getenv("MASTER_ADDR");
    const char* const nodes = std::getenv("SLURM_STEP_NODELIST");
    // Where torchrun's agent keeps a store of its own, MASTER_PORT belongs to that.
    const bool taken = std::getenv("TORCHELASTIC_USE_AGENT_STORE") != nullptr;
    const int port = number("STENCIL_PORT", number("MASTER_PORT", 29500) + (taken ? 1 : 0));
    return Tcp(rank, size, address != nullptr ? address : first_of(plain ? nullptr : nodes), port,
               local);
  }

  Tcp(Tcp&&) = default;
  Tcp& operator=(Tcp&&) = delete;

  const char* name() const override { return "tcp"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }

 private:
  Tcp(int rank, int size, const std::vector<int>& sockets)
      : rank_(rank), size_(size), local_rank_(rank), peers_(static_cast<size_t>(size)) {
    for (int p = 0; p < size; ++p)
      if (p != rank) peer(p).socket = Socket(sockets[static_cast<size_t>(p)]);
  }

  class Socket {
   public:
    explicit Socket(int fd = -1) : fd_(fd) {}
    Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
      std::swap(fd_, other.fd_);
      return *this;
    }
    ~Socket() {
      if (fd_ >= 0) (void)close(fd_);
    }
    int fd() const { return fd_; }

   private:
    int fd_;
  };

  static constexpr uint32_t kMagic = 0x73746e63;
  struct Header {
    uint32_t magic;
    int32_t tag;
    int64_t count;
  };
  // What a process says of itself when it comes.
  struct Hello {
    uint32_t magic;
    int32_t rank, size;
    uint32_t port;  // where it listens for the others
  };
  struct Address {
    char host[64];
    uint32_t port;
  };

  // A message of the exchange that goes on.
  struct Running {
    Transfer what;
    bool done;
  };
  // On its way to a process: bytes that the caller keeps, or `copy`.
  struct Outgoing {
    Header header;
    const char* bytes;
    std::vector<char> copy;
    size_t sent;  // of header and bytes
    Running* of;
  };
  struct Early {
    int tag;
    std::vector<char> bytes;
  };
  struct Peer {
    Socket socket;
    std::deque<Outgoing> out;
    std::deque<Running*> asked;
    std::deque<Early> early;  // what nobody has asked for yet
    // What is being received: its header, then its bytes, to where somebody asked for them or to
    // the end of `early`.
    Header header{};
    size_t got = 0;
    char* into = nullptr;
    Running* of = nullptr;
    std::string ended;  // why there is no connection any more
  };

  Failure start(size_t, const Transfer& message) override {
    running_.push_back({message, false});
    Running& one = running_.back();
    Peer& from = peer(message.process);
    if (message.sends) {
      from.out.push_back({{kMagic, message.tag, message.count},
                          static_cast<const char*>(message.bytes),
                          {},
                          0,
                          &one});
      return {};
    }
    for (auto early = from.early.begin(); early != from.early.end(); ++early) {
      // The last one is not there yet.
      if (early->tag != message.tag ||
          (from.into != nullptr && from.of == nullptr && early + 1 == from.early.end()))
        continue;
      if (static_cast<int64_t>(early->bytes.size()) != message.count)
        return {message.process, differs(static_cast<int64_t>(early->bytes.size()), message.count)};
      std::memcpy(message.bytes, early->bytes.data(), early->bytes.size());
      from.early.erase(early);
      one.done = true;
      return {};
    }
    from.asked.push_back(&one);
    return {};
  }
  Failure test(size_t n, bool* done) override {
    const Running& one = running_[n];
    *done = one.done;
    Peer& of = peer(one.what.process);
    if (!one.done && !of.ended.empty()) return {one.what.process, of.ended};
    return {};
  }
  void end_exchange(bool failed) override {
    // Others learn from what is sent here why it failed.
    const auto began = Clock::now();
    const auto leaves = [&] {
      return std::any_of(peers_.begin(), peers_.end(),
                         [](const Peer& one) { return !one.out.empty() && one.ended.empty(); });
    };
    while (failed && leaves() && seconds_since(began) < 0.5) move(1);
    for (Peer& one : peers_) {
      one.out.clear();
      one.asked.clear();
      one.of = nullptr;
    }
    running_.clear();
  }
  void notify(int process, const Notice& notice) override {
    Peer& to = peer(process);
    if (!to.ended.empty()) return;
    const char* const bytes = reinterpret_cast<const char*>(&notice);
    to.out.push_back({{kMagic, kNotice, int64_t{sizeof notice}},
                      nullptr,
                      std::vector<char>(bytes, bytes + sizeof notice),
                      0,
                      nullptr});
    write(to);
  }
  bool next_notice(Notice* notice) override {
    if (notices_.empty()) move(0);
    if (notices_.empty()) return false;
    *notice = notices_.front();
    notices_.pop_front();
    return true;
  }
  std::string end_of(int process) const override {
    return peers_[static_cast<size_t>(process)].ended;
  }
  void idle() override { move(1); }

  Peer& peer(int process) { return peers_[static_cast<size_t>(process)]; }

  // Waits at most so long for any connection; then all of them send and receive what they can.
  void move(int milliseconds) {
    std::vector<pollfd> fds;
    for (const Peer& one : peers_) {
      if (one.socket.fd() < 0 || !one.ended.empty()) continue;
      const short events = one.out.empty() ? POLLIN : POLLIN | POLLOUT;
      fds.push_back({one.socket.fd(), events, 0});
    }
    if (poll(fds.data(), fds.size(), milliseconds) <= 0) return;
    for (Peer& one : peers_) {
      if (one.socket.fd() < 0 || !one.ended.empty()) continue;
      write(one);
      read(one);
    }
  }
  static void end(Peer& peer, const char* why) {
    if (peer.ended.empty()) peer.ended = why;
  }
  void write(Peer& to) {
    while (!to.out.empty() && to.ended.empty()) {
      Outgoing& one = to.out.front();
      const char* const bytes = one.bytes != nullptr ? one.bytes : one.copy.data();
      const size_t all = sizeof(Header) + static_cast<size_t>(one.header.count);
      const bool head = one.sent < sizeof(Header);
      const ssize_t sent =
          send(to.socket.fd(),
               head ? reinterpret_cast<const char*>(&one.header) + one.sent
                    : bytes + (one.sent - sizeof(Header)),
               head ? sizeof(Header) - one.sent : all - one.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0) {
        // What it said before it ended is read first.
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) to.out.clear();
        return;
      }
      one.sent += static_cast<size_t>(sent);
      if (one.sent < all) continue;
      if (one.of != nullptr) one.of->done = true;
      to.out.pop_front();
    }
  }
  void read(Peer& from) {
    while (from.ended.empty()) {
      const bool head = from.got < sizeof(Header);
      const size_t left = head ? sizeof(Header) - from.got
                               : sizeof(Header) + static_cast<size_t>(from.header.count) - from.got;
      if (left > 0) {
        char* const to = head ? reinterpret_cast<char*>(&from.header) + from.got
                              : from.into + (from.got - sizeof(Header));
        const ssize_t got = recv(from.socket.fd(), to, left, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
        if (got <= 0)
          return end(from, got == 0 || errno == ECONNRESET ? "has ended" : std::strerror(errno));
        from.got += static_cast<size_t>(got);
      }
      if (from.got == sizeof(Header) && from.into == nullptr) begin_message(from);
      if (from.got == sizeof(Header) + static_cast<size_t>(from.header.count)) end_message(from);
    }
  }
  // A header is there: where do the bytes go?
  void begin_message(Peer& from) {
    constexpr int64_t most = int64_t{1} << 40;
    if (from.header.magic != kMagic || from.header.count < 0 || from.header.count > most)
      return end(from, "sent what is no message of a mesh");
    const auto asked = std::find_if(from.asked.begin(), from.asked.end(), [&](const Running* one) {
      return one->what.tag == from.header.tag;
    });
    if (asked == from.asked.end()) {
      from.early.push_back(
          {from.header.tag, std::vector<char>(static_cast<size_t>(from.header.count) + 1)});
      from.early.back().bytes.pop_back();
      from.into = from.early.back().bytes.data();
      return;
    }
    from.of = *asked;
    if (from.of->what.count != from.header.count)
      return end(from, differs(from.header.count, from.of->what.count).c_str());
    from.into = static_cast<char*>(from.of->what.bytes);
    from.asked.erase(asked);
  }
  void end_message(Peer& from) {
    if (from.of != nullptr) {
      from.of->done = true;
    } else if (from.header.tag == kNotice && from.header.count == int64_t{sizeof(Notice)}) {
      notices_.emplace_back();
      std::memcpy(&notices_.back(), from.into, sizeof(Notice));
      from.early.pop_back();
    } else if (Running* const late = first_asked(from); late != nullptr) {
      give(from, *late);
    }
    from.of = nullptr;
    from.into = nullptr;
    from.got = 0;
  }
  // It was asked for while it came.
  Running* first_asked(Peer& from) {
    for (auto one = from.asked.begin(); one != from.asked.end(); ++one)
      if ((*one)->what.tag == from.header.tag) {
        Running* const found = *one;
        from.asked.erase(one);
        return found;
      }
    return nullptr;
  }
  void give(Peer& from, Running& to) {
    if (to.what.count != from.header.count)
      return end(from, differs(from.header.count, to.what.count).c_str());
    std::memcpy(to.what.bytes, from.into, static_cast<size_t>(to.what.count));
    from.early.pop_back();
    to.done = true;
  }

  // How the processes come together.

  // The first of several nodes: "node07" of "node[07-12,20],gpu1".
  static std::string first_of(const char* nodes) {
    const std::string list = nodes == nullptr ? "" : nodes;
    const size_t bracket = list.find('['), comma = list.find(',');
    if (bracket == list.npos && comma == list.npos) return "127.0.0.1";
    if (comma < bracket) return list.substr(0, comma);
    const size_t end = list.find_first_of(",-]", bracket);
    return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1);
  }
  static int number(const char* name, int otherwise) {
    const char* const given = std::getenv(name);
    return given == nullptr ? otherwise : std::atoi(given);
  }
  double left() const { return deadline() - seconds_since(began_); }
  // Until then: is there something to read, or room to write?
  bool ready(int fd, short events) const {
    pollfd one{fd, events, 0};
    const double seconds = std::clamp(left(), 0.0, 1e6);
    return poll(&one, 1, static_cast<int>(seconds * 1000)) > 0;
  }
  bool put(int fd, const void* bytes, size_t count) const {
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
      if (!ready(fd, POLLOUT)) return false;
      const ssize_t sent = send(fd, at, count, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
      at += sent > 0 ? sent : 0;
      count -= sent > 0 ? static_cast<size_t>(sent) : 0;
    }
    return true;
  }
  bool take(int fd, void* bytes, size_t count) const {
    char* at = static_cast<char*>(bytes);
    while (count > 0) {
      if (!ready(fd, POLLIN)) return false;
      const ssize_t got = recv(fd, at, count, MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
      at += got > 0 ? got : 0;
      count -= got > 0 ? static_cast<size_t>(got) : 0;
    }
    return true;
  }

  // Listens at this port, or at any if it is 0; says at which.
  Socket listener(int port, uint32_t* at) {
    for (const int family : {AF_INET6, AF_INET}) {
      Socket made(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (made.fd() < 0) continue;
      const int on = 1, off = 0;
      (void)setsockopt(made.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      if (family == AF_INET6)
        (void)setsockopt(made.fd(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
      sockaddr_storage address{};
      socklen_t length = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
      address.ss_family = static_cast<sa_family_t>(family);
      port_of(address) = htons(static_cast<uint16_t>(port));
      auto* const any = reinterpret_cast<sockaddr*>(&address);
      if (bind(made.fd(), any, length) != 0 || ::listen(made.fd(), size_) != 0) {
        if (errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT) continue;
        break;
      }
      (void)getsockname(made.fd(), any, &length);
      *at = ntohs(port_of(address));
      return made;
    }
    refuse(failure(Code::lost_process,
                   "process %d cannot listen at port %d: %s; STENCIL_PORT sets another port", rank_,
                   port, std::strerror(errno)));
    return Socket();
  }
  static in_port_t& port_of(sockaddr_storage& address) {
    return address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                         : reinterpret_cast<sockaddr_in*>(&address)->sin_port;
  }

  // Connects to a process, which may begin to listen only later.
  Socket connect_to(int process, const std::string& host, int port) {
    std::string why = "nobody listens there";
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error != 0) why = gai_strerror(error);
    while (found != nullptr && left() > 0) {
      for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
        Socket made(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (made.fd() < 0) continue;
        if (connect(made.fd(), one->ai_addr, one->ai_addrlen) == 0) {
          freeaddrinfo(found);
          return made;
        }
        why = std::strerror(errno);
      }
      (void)poll(nullptr, 0, 20);
    }
    if (found != nullptr) freeaddrinfo(found);
    refuse(failure(Code::lost_process,
                   "process %d does not find process %d at %s, port %d, within %g s: %s", rank_,
                   process, host.c_str(), port, deadline(), why.c_str()));
    return Socket();
  }
  // Takes the processes from `first` on, which come in any order.
  void accept_from(const Socket& listener, int first, std::vector<Address>* table) {
    int missing = size_ - first;
    while (missing > 0 && status().ok()) {
      if (!ready(listener.fd(), POLLIN)) break;
      sockaddr_storage address{};
      socklen_t length = sizeof address;
      auto* const from = reinterpret_cast<sockaddr*>(&address);
      Socket made(accept4(listener.fd(), from, &length, SOCK_CLOEXEC));
      Hello hello{};
      // Who knocks at a port need not be one of the processes.
      if (made.fd() < 0 || !take(made.fd(), &hello, sizeof hello) || hello.magic != kMagic)
        continue;
      if (hello.size != size_ || hello.rank < first || hello.rank >= size_ ||
          peer(hello.rank).socket.fd() >= 0) {
        refuse(failure(Code::lost_process, "process %d of %d came to process %d of %d%s",
                       hello.rank, hello.size, rank_, size_,
                       hello.size == size_ ? ", where there is one of this number" : ""));
        return;
      }
      if (table != nullptr) {
        Address& one = (*table)[static_cast<size_t>(hello.rank)];
        one.port = hello.port;
        (void)getnameinfo(from, length, one.host, sizeof one.host, nullptr, 0, NI_NUMERICHOST);
      }
      peer(hello.rank).socket = std::move(made);
      --missing;
    }
    for (int p = first; p < size_ && status().ok(); ++p)
      if (peer(p).socket.fd() < 0)
        refuse(failure(Code::lost_process, "process %d of %d did not come within %g s", p, size_,
                       deadline()));
  }

  void meet(const std::string& address, int port) {
    if (size_ == 1) return;
    uint32_t own = 0;
    const Socket listens = listener(rank_ == 0 ? port : 0, &own);
    std::vector<Address> table(static_cast<size_t>(size_));
    const size_t bytes = table.size() * sizeof(Address);
    const Hello hello{kMagic, rank_, size_, own};
    if (rank_ == 0) {
      if (status().ok()) accept_from(listens, 1, &table);
      for (int p = 1; p < size_ && status().ok(); ++p)
        if (!put(peer(p).socket.fd(), table.data(), bytes)) lost_at_start(p);
    } else {
      for (int p = 0; p < rank_ && status().ok(); ++p) {
        const Address& at = table[static_cast<size_t>(p)];
        peer(p).socket = p == 0 ? connect_to(0, address, port)
                                : connect_to(p, at.host, static_cast<int>(at.port));
        if (!status().ok()) return;
        const int fd = peer(p).socket.fd();
        if (!put(fd, &hello, sizeof hello) || (p == 0 && !take(fd, table.data(), bytes)))
          lost_at_start(p);
      }
      if (status().ok()) accept_from(listens, rank_ + 1, nullptr);
    }
    const int on = 1;
    for (const Peer& one : peers_)
      if (one.socket.fd() >= 0)
        (void)setsockopt(one.socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  void lost_at_start(int process) {
    refuse(
        failure(Code::lost_process, "process %d of %d ended before all had come", process, size_));
  }

  int rank_, size_, local_rank_;
  std::vector<Peer> peers_;
  std::deque<Running> running_;
  std::deque<Notice> notices_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace stencil

extern "C" {

__attribute__((used)) inline int stencil_tcp_from_environment(stencil_communicator** processes) {
  if (processes == nullptr)
    return stencil::code_of(stencil::null_handle("the place for a communicator"));
  return stencil::open_communicator(processes, new stencil::Tcp(stencil::Tcp::from_environment()));
}
__attribute__((used)) inline int stencil_tcp_open(int rank, int size, const char* address, int port,
                                                  stencil_communicator** processes) {
  if (processes == nullptr || address == nullptr)
    return stencil::code_of(stencil::null_handle("the address, or the place for a communicator,"));
  return stencil::open_communicator(processes, new stencil::Tcp(rank, size, address, port, rank));
}

}  // extern "C"
