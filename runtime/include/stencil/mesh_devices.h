// Meshes of GPUs: those of one process, or of several.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "cuda.h"
#include "cuda_driver.h"
#include "mesh.h"
#include "nccl.h"

namespace stencil {
inline namespace cuda {

// How a leg and the copies of planes follow each other.
enum class MeshForm {
  automatic,
  whole,    // all planes of a piece, then copies
  borders,  // first the planes that neighbours read, by launches of their own; they are copied
            // while the others are computed
  blocks,   // one launch, which counts those planes as it stores them; they are copied meanwhile
};
// What gives work to the devices.
enum class MeshFeed {
  automatic,
  calls,  // the thread of the call, leg by leg
  graph,  // recorded legs of all devices, many at once
};

// How planes reach a piece in another process.
enum class MeshLink {
  automatic,
  staged,  // through memory of the host
  direct,  // the communicator takes memory of the GPU
  nccl,
};

// What makes the communicators of NCCL, and their connections by a first message. These calls wait
// without end for a process that does not come: so a thread makes them, which is left behind then
// with all that it uses.
struct NcclOpening {
  struct Rank {
    int piece, device;
    std::vector<int> others;  // in other processes, with which it will exchange planes
    cudaStream_t stream;
    unsigned* words;  // of the device, for the first messages
    Nccl::Communicator made;
  };
  NcclOpening(int all, const Nccl::Id& of) : count(all), id(of) {}

  const int count;
  const Nccl::Id id;
  std::vector<Rank> ranks;
  int error = Nccl::kSuccess;
  std::atomic<bool> ended{false};

  void run() {
    const Nccl& nccl = Nccl::library();
    grouped([&](Rank& one) { take(nccl.init_rank(&one.made, count, id, one.piece)); });
    grouped([&](Rank& one) {
      unsigned* word = one.words + 1;  // none that counts blocks
      for (const int other : one.others) {
        take(nccl.send(word, sizeof *word, Nccl::kBytes, other, one.made, one.stream));
        take(nccl.receive(++word, sizeof *word, Nccl::kBytes, other, one.made, one.stream));
      }
    });
    ended = true;
  }

 private:
  void take(int result) {
    if (error == Nccl::kSuccess) error = result;
  }
  template <typename Call>
  void grouped(const Call& call) {
    if (error == Nccl::kSuccess) error = Nccl::library().group_start();
    if (error != Nccl::kSuccess) return;
    for (Rank& one : ranks) {
      (void)cudaSetDevice(one.device);
      call(one);
    }
    take(Nccl::library().group_end());
  }
};

class Mesh final : public BasicMesh<Mesh> {
 public:
  static constexpr const char* kTarget = "cuda";
  using Memory = DeviceMemory;
  // While it lives, the device of this piece is the current one.
  class On {
   public:
    On(const Mesh& mesh, int p) {
      if (cudaGetDevice(&before_) != cudaSuccess) before_ = -1;
      (void)cudaSetDevice(mesh.device(p));
    }
    On(const On&) = delete;
    On& operator=(const On&) = delete;
    ~On() {
      if (before_ >= 0) (void)cudaSetDevice(before_);
    }

   private:
    int before_ = -1;
  };

  // A piece on each of these devices; of the first ones by default.
  static Mesh devices(int count) {
    std::vector<int> all;
    for (int device = 0; device < count; ++device) all.push_back(device);
    return Mesh(all);
  }
  static Mesh devices(const int* which, int count) {
    return Mesh(std::vector<int>(which, which + (count > 0 ? count : 0)));
  }
  // For tests: so many pieces, each on a device of its own where there are as many, or else all on
  // the current one.
  static Mesh in_pieces(int count) { return Mesh(devices_for(count, 0)); }
  // The same in each of several processes.
  static Mesh in_pieces(Communicator& processes, int here) {
    return Mesh(processes, devices_for(here, processes.local_rank()), MeshLink::automatic);
  }
  // Of several processes, with a piece on each of these devices here; by default on one, which
  // differs from those of the other processes of the machine as long as there are as many. All call
  // this. The communicator outlives the mesh.
  static Mesh across(Communicator& processes, std::vector<int> here = {},
                     MeshLink link = MeshLink::automatic) {
    int there = 0;
    if (cudaGetDeviceCount(&there) != cudaSuccess) (void)cudaGetLastError();
    if (here.empty()) here.push_back(there > 0 ? processes.local_rank() % there : 0);
    return Mesh(processes, here, link);
  }

  Mesh(Mesh&&) = default;
  Mesh& operator=(Mesh&&) = delete;
  ~Mesh() override {
    if (pieces_ == nullptr || hangs_) return;
    for (int p = share_.first(); p < share_.end() && !pieces_->empty(); ++p) {
      const On on(*this, p);
      Piece& piece = this->piece(p);
      if (piece.nccl != nullptr)
        (void)(status().ok() ? Nccl::library().destroy : Nccl::library().abort)(piece.nccl);
      for (auto& side : piece.parcels)
        for (HostBuffer& buffer : side) (void)cudaFreeHost(buffer.at);
      for (cudaStream_t* stream : piece.streams())
        if (*stream != nullptr) (void)cudaStreamDestroy(*stream);
      for (cudaEvent_t* event : piece.events())
        if (*event != nullptr) (void)cudaEventDestroy(*event);
      (void)cudaFree(piece.counters);
    }
  }

  int device(int p) const { return piece(p).device; }
  MeshLink link() const { return link_; }
  // Waits for all that was asked of the devices.
  Status synchronize() const override {
    Status status = this->status();
    for (int p = share_.first(); p < share_.end() && link_ == MeshLink::nccl && status.ok(); ++p)
      status = wait_for(p, piece(p).landed[0]);
    if (status.ok() && pieces() > 1) status = wait_for_devices();
    for (int p = share_.first(); p < share_.end() && status.ok(); ++p) {
      const On on(*this, p);
      status = cuda_status(cudaDeviceSynchronize(), "a mesh");
    }
    works_ = works_ && !status.ok();
    return status;
  }
  // May memory of the devices be released? That waits for them, and one that hangs never ends.
  bool can_release() const {
    if (pieces() > 1 && works_) (void)synchronize();
    return !hangs_;
  }
  cudaStream_t stream(int p) const { return piece(p).main; }
  Mesh& in_form(MeshForm form) {
    form_ = form;
    return *this;
  }
  MeshForm form() const { return form_; }
  Mesh& fed_by(MeshFeed feed) {
    feed_ = feed;
    return *this;
  }
  MeshFeed feed() const { return feed_; }

  Status forget(int p, void* at, int64_t bytes) const {
    const On on(*this, p);
    return cuda_status(cudaMemset(at, 0xff, static_cast<size_t>(bytes)), "a mesh");
  }
  Status move(void* there, int from, const void* here, int64_t bytes) const {
    const On on(*this, from);
    return cuda_status(copy(there, here, bytes, stream(from)), "a mesh");
  }

  // What follows is for MeshRun.
  static constexpr uint64_t kMarks = 8;     // on their way at a time
  static constexpr int64_t kMostApart = 8;  // legs
  // More legs than are on their way at a time, but for those that graphs replay.
  static constexpr int64_t kRecorded = (kMarks + 1) * kMostApart;
  static constexpr size_t kCounters = st::Borders::kWords * st::Borders::kApart * sizeof(unsigned);
  static constexpr size_t kCounted = kCounters / 2;  // those that launches count
  // A stream waits until a word of the device is at least so great, in cyclic order, or writes a
  // word: cuStreamWaitValue32, cuStreamWriteValue32. Null: the driver has none.
  using OfWord = int (*)(cudaStream_t stream, unsigned long long address, uint32_t value,
                         unsigned flags);
  static OfWord wait_for_word() {
    static const OfWord known = driver_function("cuStreamWaitValue32");
    return known;
  }
  static OfWord write_word() {
    static const OfWord known = driver_function("cuStreamWriteValue32");
    return known;
  }
  // Can copies tell the kernels of a piece that planes have come? Each piece has a device of its
  // own, whose memory those of its neighbours reach: kernels of one device that wait for each other
  // would have no place to run.
  bool tells_kernels() const { return tells_kernels_; }

  // Memory of the host which copies of a device reach directly.
  struct HostBuffer {
    void* at = nullptr;
    int64_t bytes = 0;

    cudaError_t grow(int64_t needed) {
      if (needed <= bytes) return cudaSuccess;
      (void)cudaFreeHost(at);
      at = nullptr;
      bytes = 0;
      const cudaError_t error = cudaMallocHost(&at, static_cast<size_t>(needed));
      if (error == cudaSuccess) bytes = needed;
      return error;
    }
  };
  struct Piece {
    int device = 0;
    // Legs, or their inner planes; the planes at the borders; copies to the neighbour on each side.
    cudaStream_t main{}, border{}, send[2]{};
    cudaEvent_t inner_done{}, border_done{}, ready{}, sent[2]{}, begun{}, joined[4]{};

    // inner_done and sent are the last ones of these, which show how far a piece has come.
    struct Recorded {
      cudaEvent_t at[kRecorded]{};
      int64_t legs[kRecorded]{};  // before each
      int64_t count = 0;
      cudaEvent_t next(int64_t leg) {
        ++count;
        legs[count % kRecorded] = leg;
        return at[count % kRecorded];
      }
      // The legs before the last one that has come.
      int64_t come() const {
        int64_t n = count;
        while (n > 0 && n > count - kRecorded && cudaEventQuery(at[n % kRecorded]) != cudaSuccess)
          --n;
        return n > count - kRecorded ? legs[n % kRecorded] : -1;
      }
    };
    Recorded ends, sends[2];
    int64_t legs = 0;
    void next_leg() { inner_done = ends.next(++legs); }
    void next_sent(int side) { sent[side] = sends[side].next(legs); }

    // Words to which launches count the planes at each end, to where they have come, and whether
    // the last one does.
    unsigned* counters = nullptr;
    int64_t counted[2] = {};
    bool counts[2] = {};
    // How often copies from each side have told its kernels that planes have come, or will have;
    // and whether the last one does.
    unsigned told[2] = {};
    bool tells[2] = {};

    cudaEvent_t landed[2]{};     // planes of neighbours in other processes
    cudaEvent_t mark[kMarks]{};  // some legs before have ended
    HostBuffer parcels[2][2];    // to and from the neighbour on each side
    Nccl::Communicator nccl = nullptr;

    std::vector<cudaStream_t*> streams() { return {&main, &border, &send[0], &send[1]}; }
    std::vector<cudaEvent_t*> events() {
      std::vector<cudaEvent_t*> all = {&border_done, &ready,     &begun,     &joined[0], &joined[1],
                                       &joined[2],   &joined[3], &landed[0], &landed[1]};
      for (Recorded* some : {&ends, &sends[0], &sends[1]})
        for (cudaEvent_t& event : some->at) all.push_back(&event);
      for (cudaEvent_t& event : mark) all.push_back(&event);
      return all;
    }
  };
  const Piece& piece(int p) const { return (*pieces_)[static_cast<size_t>(p)]; }
  Piece& piece(int p) { return (*pieces_)[static_cast<size_t>(p)]; }
  // To another device, too: by its memory where that can be reached, else through the host.
  cudaError_t copy(void* there, const void* here, int64_t bytes, cudaStream_t stream) const {
    return cudaMemcpyAsync(there, here, static_cast<size_t>(bytes), cudaMemcpyDefault, stream);
  }

  // Devices that have work are looked at in turn: a kernel that waits for planes of a device that
  // is lost, or hangs, would never end. `asks(p)` says of a piece, whose device is the current one,
  // whether that has come so far.
  template <typename Asks>
  Status wait_until(const Asks& asks) const {
    Pause pause(deadline());
    for (bool late = false;;) {
      bool all = true;
      for (int p = share_.first(); p < share_.end(); ++p) {
        const On on(*this, p);
        const cudaError_t error = asks(p);
        if (error != cudaSuccess) (void)cudaGetLastError();
        if (error != cudaSuccess && error != cudaErrorNotReady) return status_ = lost(p, error);
        all = all && error == cudaSuccess;
      }
      if (all) return {};
      if (late) return status_ = stuck();
      pause();
      late = pause.seconds() > deadline();  // after which they are asked once more
    }
  }
  Status wait_for_devices() const {
    while (marks_.seen < marks_.made) {
      const Status status = wait_for_mark();
      if (!status.ok()) return status;
    }
    return wait_until([&](int p) { return asked(p); });
  }
  Status wait_for_event(int p, cudaEvent_t event) const {
    return wait_until([&](int q) { return q == p ? cudaEventQuery(event) : cudaSuccess; });
  }

  // Marks in the streams that compute show that devices come forward. Some are on their way at a
  // time, between them legs that take well less than the deadline.
  void begin_watch() {
    works_ = true;
    marks_.legs = 0;
    marks_.at = Clock::now();
  }
  Status watch(int64_t legs) {
    marks_.legs += legs;
    if (share_.processes() > 1 || pieces() < 2 || marks_.legs < marks_.apart) return {};
    cudaError_t error = cudaSuccess;
    for (int p = 0; p < pieces() && error == cudaSuccess; ++p) {
      const On on(*this, p);
      error = cudaEventRecord(piece(p).mark[marks_.made % kMarks], piece(p).main);
    }
    if (error != cudaSuccess) return cuda_status(error, "a mesh");
    marks_.of[marks_.made++ % kMarks] = std::exchange(marks_.legs, 0);
    return marks_.made - marks_.seen < kMarks ? Status() : wait_for_mark();
  }
  // Would so many legs at once be no sign of life for too long?
  bool is_long(int64_t legs) const {
    return marks_.seconds_a_leg * static_cast<double>(legs) > deadline() / 10;
  }

  // Has all been done that its streams were asked for?
  cudaError_t asked(int p) const {
    for (cudaStream_t* stream : (*pieces_)[static_cast<size_t>(p)].streams()) {
      const cudaError_t error = cudaStreamQuery(*stream);
      if (error == cudaSuccess) continue;
      (void)cudaGetLastError();
      return error;
    }
    return cudaSuccess;
  }
  // Where it is told that planes have come from one side.
  uint64_t told_at(int p, int side) const {
    return reinterpret_cast<uintptr_t>(piece(p).counters + (2 + side) * st::Borders::kApart);
  }

  // The host waits for something that other processes have to do first. They may never do it.
  Status wait_for(int p, cudaEvent_t event) const {
    const Nccl& nccl = Nccl::library();
    const On on(*this, p);
    cudaError_t error = cudaSuccess;
    int lost = 0;
    const auto ready = [&] {
      error = cudaEventQuery(event);
      if (error != cudaErrorNotReady) return true;
      return nccl.async_error(piece(p).nccl, &lost) != Nccl::kSuccess ||
             (lost != Nccl::kSuccess && lost != Nccl::kInProgress);
    };
    int process = (share_.process_of(p) + 1) % share_.processes();
    Status status = share_.communicator()->wait(ready, process);
    if (status.ok()) status = nccl.status_of(lost, "another process is lost");
    if (status.ok()) return cuda_status(error, "a mesh");
    status = share_.communicator()->fail_by_others(status);
    // Kernels that wait for a lost process would never end.
    for (int q = share_.first(); q < share_.end(); ++q) {
      (void)nccl.abort(piece(q).nccl);
      (*pieces_)[static_cast<size_t>(q)].nccl = nullptr;
    }
    return status;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Status wait_for_mark() const {
    constexpr double short_time = 0.05, long_time = 0.5;
    const size_t now = marks_.seen % kMarks;
    const Status status = wait_until([&](int p) { return cudaEventQuery(piece(p).mark[now]); });
    if (!status.ok()) return status;
    ++marks_.seen;
    const Clock::time_point before = std::exchange(marks_.at, Clock::now());
    const double seconds = std::chrono::duration<double>(marks_.at - before).count();
    marks_.seconds_a_leg = seconds / static_cast<double>(marks_.of[now]);
    if (seconds < short_time && marks_.apart < kMostApart) marks_.apart *= 2;
    if (seconds > long_time && marks_.apart > 1) marks_.apart /= 2;
    return {};
  }
  double deadline() const {
    return share_.communicator() != nullptr ? share_.communicator()->deadline()
                                            : Communicator::default_deadline();
  }

  // What waits for planes of a lost device is let go, and the others end as good as they can.
  Status lost(int lost, cudaError_t why) const {
    let_go(device(lost));
    return cuda_status(why, ("device " + std::to_string(device(lost)) + ", which has piece " +
                             std::to_string(lost) + " of " + std::to_string(pieces()))
                                .c_str());
  }
  // Likewise, where no device has come forward within the deadline. Those hang that do not end
  // then, unless they wait for others.
  Status stuck() const {
    hangs_ = true;
    let_go(-1);
    std::vector<int> open, hang;
    for (int p = share_.first(); p < share_.end(); ++p)
      if (asked(p) != cudaSuccess) open.push_back(p);
    for (const int p : open)
      if (!waits_for_others(p)) hang.push_back(p);
    std::string names;
    for (const int p : hang.empty() ? open : hang)
      names += (names.empty() ? "device " : " or device ") + std::to_string(device(p)) +
               ", which has piece " + std::to_string(p) + " of " + std::to_string(pieces());
    const Status status =
        failure(Code::sticky_error,
                "%s: nothing has ended there for %g s, and nothing can stop it; end the process, "
                "and look for errors of the device in the log of the system. `STENCIL_DEADLINE` "
                "sets another time, in seconds",
                names.empty() ? "a mesh" : names.c_str(), deadline());
    if (share_.communicator() != nullptr) share_.communicator()->fail(status);
    return status;
  }
  // Where streams wait for events: does a piece lack planes that its neighbours have to send after
  // the legs that it has ended? Not so one whose own planes could have been sent, and were not.
  bool waits_for_others(int p) const {
    const Piece& at = piece(p);
    const int64_t ended = at.ends.come();
    bool lacks = false;
    for (const int side : {0, 1}) {
      const int to = (p + (side == 0 ? pieces() - 1 : 1)) % pieces();
      if (!share_.has(to)) continue;
      const Piece& other = piece(to);
      const bool sends = at.sends[side].count > 0 && at.sends[side].come() < at.legs;
      if (sends && at.sends[side].come() < std::min(ended, other.ends.come())) return false;
      if (other.sends[1 - side].count > 0 && other.sends[1 - side].come() < ended) lacks = true;
    }
    (void)cudaGetLastError();
    return lacks;
  }
  void let_go(int lost) const {
    for (int p = share_.first(); p < share_.end() && tells_kernels_; ++p) {
      const On on(*this, p);
      for (const int side : {0, 1})
        if (device(p) != lost)
          (void)write_word()(piece(p).border, told_at(p, side), st::Borders::kReleased, 0);
    }
    const double most = deadline() < 10 ? deadline() : 10;
    Pause pause(most);
    for (bool all = false; !all && pause.seconds() < most; pause()) {
      all = true;
      for (int p = share_.first(); p < share_.end(); ++p) {
        const On on(*this, p);
        all = (device(p) == lost || asked(p) != cudaErrorNotReady) && all;
      }
    }
    (void)cudaGetLastError();
  }
  // Between two looks: short at first, then long enough to leave the processor to others. What
  // looking takes does not count, and no pause counts for much: this process may have been stopped.
  class Pause {
   public:
    explicit Pause(double deadline) : most_(deadline / 16) {}
    void operator()() {
      constexpr double short_time = 0.02;
      const Clock::time_point begin = Clock::now();
      if (seconds_ < short_time)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
      seconds_ += taken < most_ ? taken : most_;
    }
    double seconds() const { return seconds_; }

   private:
    double most_, seconds_ = 0;
  };

  static OfWord driver_function(const char* name) {
    void* found = nullptr;
    if (find_driver_function(name, 11070, &found) != cudaSuccess) (void)cudaGetLastError();
    return reinterpret_cast<OfWord>(found);
  }

  // From the device of this number on, where there are as many; else all on the current one.
  static std::vector<int> devices_for(int count, int first) {
    int device = 0, there = 0;
    (void)cudaGetDevice(&device);
    if (cudaGetDeviceCount(&there) != cudaSuccess) (void)cudaGetLastError();
    std::vector<int> all(static_cast<size_t>(count > 0 ? count : 0), device);
    for (int n = 0; n < count && there >= first + count; ++n)
      all[static_cast<size_t>(n)] = first + n;
    return all;
  }
  explicit Mesh(const std::vector<int>& devices)
      : BasicMesh(static_cast<int>(devices.size())), pieces_(new std::vector<Piece>) {
    make_pieces(devices);
  }
  Mesh(Communicator& processes, const std::vector<int>& devices, MeshLink link)
      : BasicMesh(processes, static_cast<int>(devices.size())), pieces_(new std::vector<Piece>) {
    if (status_.ok()) make_pieces(devices);
    status_ = processes.agree(status_, "a mesh of GPUs");
    if (status_.ok()) choose(link);
  }

  void make_pieces(const std::vector<int>& devices) {
    int count = 0;
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found != cudaSuccess || count == 0) {
      (void)cudaGetLastError();
      status_ = cuda_status(found == cudaSuccess ? cudaErrorNoDevice : found, "a mesh");
      return;
    }
    if (devices.empty())
      status_ = failure(Code::bad_extents, "a mesh of no devices; it has one at least");
    for (const int device : devices)
      if (status_.ok() && (device < 0 || device >= count))
        status_ =
            failure(Code::no_device, "a mesh asks for device %d, and the last one is device %d",
                    device, count - 1);
    if (!status_.ok()) return;
    pieces_->resize(static_cast<size_t>(pieces()));
    int p = share_.first();
    for (const int device : devices) piece(p++).device = device;
    // Where a launch only returns when it has ended, none may wait for a later one.
    const char* const blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    const bool blocks = blocking != nullptr && *blocking != 0 && *blocking != '0';
    tells_kernels_ = share_.processes() == 1 && write_word() != nullptr && !blocks;
    for (p = share_.first(); p < share_.end() && status_.ok(); ++p) make(p);
  }

  // How planes reach other processes: what each piece has for it.
  struct Means {
    char machine[64], device[32];
    int32_t nccl, direct;
  };
  void choose(MeshLink link) {
    Communicator& processes = *share_.communicator();
    const size_t count = static_cast<size_t>(pieces());
    std::vector<Means> mine(static_cast<size_t>(share_.end() - share_.first())), all(count);
    std::vector<int64_t> bytes(static_cast<size_t>(processes.size()), 0);
    for (int p = 0; p < pieces(); ++p)
      bytes[static_cast<size_t>(share_.process_of(p))] += int64_t{sizeof(Means)};
    for (size_t n = 0; n < mine.size(); ++n) {
      (void)gethostname(mine[n].machine, sizeof mine[n].machine - 1);
      (void)cudaDeviceGetPCIBusId(mine[n].device, sizeof mine[n].device,
                                  device(share_.first() + static_cast<int>(n)));
      mine[n].nccl = Nccl::library().version();
      mine[n].direct = processes.takes_device_memory() ? 1 : 0;
    }
    status_ = processes.gather(mine.data(), all.data(), bytes);
    if (status_.ok())
      status_ = processes.broadcast(all.data(), static_cast<int64_t>(count * sizeof(Means)));
    if (!status_.ok()) return;
    const std::string no_nccl = reason_against_nccl(all);
    bool direct = processes.size() > 1;
    for (const Means& one : all) direct = direct && one.direct != 0;
    if (link == MeshLink::nccl && !no_nccl.empty())
      status_ = failure(Code::no_device, "a mesh by NCCL: %s", no_nccl.c_str());
    if (link == MeshLink::direct && !direct)
      status_ =
          failure(Code::no_device, "a mesh by %s from GPU to GPU: %s takes no memory of a GPU",
                  processes.name(), processes.name());
    link_ = link != MeshLink::automatic ? link
            : no_nccl.empty()           ? MeshLink::nccl
            : direct                    ? MeshLink::direct
                                        : MeshLink::staged;
    if (status_.ok() && link_ == MeshLink::nccl) status_ = open_nccl();
    if (status_.ok() && link_ == MeshLink::direct) try_direct(link == MeshLink::automatic);
    status_ = processes.agree(status_, "the links of a mesh");
  }
  std::string reason_against_nccl(const std::vector<Means>& all) const {
    if (share_.processes() < 2) return "there is one process";
    for (size_t p = 0; p < all.size(); ++p) {
      if (all[p].nccl == 0)
        return "process " + std::to_string(share_.process_of(static_cast<int>(p))) +
               " does not find it: " + Nccl::library().missing();
      for (size_t q = 0; q < p; ++q)
        if (std::strcmp(all[p].machine, all[q].machine) == 0 &&
            std::strcmp(all[p].device, all[q].device) == 0)
          return "pieces " + std::to_string(q) + " and " + std::to_string(p) + " are on one GPU";
    }
    return "";
  }
  Status open_nccl() {
    const Nccl& nccl = Nccl::library();
    // Multicast of NVLink is of no use here, and not everywhere allowed.
    (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
    Nccl::Id id{};
    Status status;
    if (share_.first() == 0) status = nccl.status_of(nccl.get_unique_id(&id), "a mesh");
    // Nobody begins a call that the first process does not come to.
    status = share_.communicator()->agree(status, "a mesh by NCCL");
    if (status.ok()) status = share_.communicator()->broadcast(&id, int64_t{sizeof id});
    if (!status.ok()) return status;
    const auto opening = std::make_shared<NcclOpening>(pieces(), id);
    for (int p = share_.first(); p < share_.end(); ++p) {
      const int count = pieces(), low = (p + count - 1) % count, high = (p + 1) % count;
      NcclOpening::Rank one{p, device(p), {}, piece(p).send[0], piece(p).counters, nullptr};
      if (!share_.has(low)) one.others.push_back(low);
      if (!share_.has(high) && high != low) one.others.push_back(high);
      opening->ranks.push_back(one);
    }
    std::thread thread([opening] { opening->run(); });
    const int next = (share_.communicator()->rank() + 1) % share_.processes();
    status = share_.communicator()->wait([&] { return opening->ended.load(); }, next, true);
    if (!status.ok()) {
      thread.detach();
      return status;
    }
    thread.join();
    for (const NcclOpening::Rank& one : opening->ranks) piece(one.piece).nccl = one.made;
    status = nccl.status_of(opening->error, "a mesh");
    if (!status.ok()) return share_.communicator()->fail_by_others(status);
    for (int p = share_.first(); p < share_.end() && status.ok(); ++p) {
      const On on(*this, p);
      status = cuda_status(cudaEventRecord(piece(p).landed[0], piece(p).send[0]), "a mesh");
      if (status.ok()) status = wait_for(p, piece(p).landed[0]);
    }
    return status;
  }
  // Does a message from GPU to GPU arrive? An MPI may say so of itself and not do it.
  void try_direct(bool or_staged) {
    Communicator& processes = *share_.communicator();
    const On on(*this, share_.first());
    const int count = processes.size(), rank = processes.rank();
    const int32_t sent = 1000 + rank, expected = 1000 + (rank + count - 1) % count;
    int32_t* words = nullptr;
    int32_t found = 0;
    cudaError_t error = cudaMalloc(reinterpret_cast<void**>(&words), 2 * sizeof *words);
    if (error == cudaSuccess) error = cudaMemcpy(words, &sent, sizeof sent, cudaMemcpyHostToDevice);
    status_ = processes.agree(cuda_status(error, "a mesh"), "a message from GPU to GPU");
    if (status_.ok())
      status_ = processes.exchange(
          {{true, (rank + 1) % count, 0, words, int64_t{sizeof *words}},
           {false, (rank + count - 1) % count, 0, words + 1, int64_t{sizeof *words}}});
    const bool read = status_.ok() && cudaMemcpy(&found, words + 1, sizeof found,
                                                 cudaMemcpyDeviceToHost) == cudaSuccess;
    (void)cudaFree(words);
    int32_t right = read && found == expected ? 1 : 0;
    std::vector<int32_t> all(static_cast<size_t>(count), 0);
    if (status_.ok())
      status_ = processes.gather(&right, all.data(),
                                 std::vector<int64_t>(all.size(), int64_t{sizeof right}));
    right = *std::min_element(all.begin(), all.end());
    if (status_.ok()) status_ = processes.broadcast(&right, int64_t{sizeof right});
    if (!status_.ok() || right != 0) return;
    if (or_staged)
      link_ = MeshLink::staged;
    else
      status_ = failure(Code::no_device, "a mesh by %s from GPU to GPU: a message came damaged",
                        processes.name());
  }

  void make(int p) {
    const On on(*this, p);
    Piece& piece = (*pieces_)[static_cast<size_t>(p)];
    int least = 0, most = 0;
    cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &most);
    for (cudaStream_t* stream : piece.streams())
      if (error == cudaSuccess)
        error = cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking,
                                             stream == &piece.main ? least : most);
    for (cudaEvent_t* event : piece.events())
      if (error == cudaSuccess) error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    piece.inner_done = piece.ends.at[0];
    for (const int side : {0, 1}) piece.sent[side] = piece.sends[side].at[0];
    if (error == cudaSuccess)
      error = cudaMalloc(reinterpret_cast<void**>(&piece.counters), kCounters);
    if (error == cudaSuccess) error = cudaMemset(piece.counters, 0, kCounters);
    // Where devices cannot reach each other's memory, copies go through the host.
    for (int q = share_.first(); q < share_.end() && error == cudaSuccess; ++q) {
      int reaches = 0;
      if (device(q) == piece.device) {
        tells_kernels_ = tells_kernels_ && q == p;
        continue;
      }
      error = cudaDeviceCanAccessPeer(&reaches, piece.device, device(q));
      if (reaches == 0) tells_kernels_ = false;
      if (error != cudaSuccess || reaches == 0) continue;
      error = cudaDeviceEnablePeerAccess(device(q), 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        error = cudaSuccess;
      }
    }
    status_ = cuda_status(error, "a mesh");
  }

  std::unique_ptr<std::vector<Piece>> pieces_;  // of the whole mesh; those of other processes: none
  MeshLink link_ = MeshLink::automatic;
  MeshForm form_ = MeshForm::automatic;
  MeshFeed feed_ = MeshFeed::automatic;
  bool tells_kernels_ = false;
  struct Marks {
    uint64_t made = 0, seen = 0;
    int64_t of[kMarks] = {};  // legs
    int64_t legs = 0;         // since the last one
    int64_t apart = 1;        // so many legs
    double seconds_a_leg = 0;
    Clock::time_point at = {};  // when the last one was seen
  };
  mutable Marks marks_;
  mutable bool works_ = false;  // legs were begun, and not waited for
  mutable bool hangs_ = false;  // some device does
};

template <typename T>
using MeshGrid = TypedMeshGrid<T, Mesh>;

}  // namespace cuda
}  // namespace stencil

extern "C" {

__attribute__((used)) inline int stencil_cuda_mesh_of(const int* devices, int count,
                                                      stencil_mesh** mesh) {
  if (devices == nullptr)
    return stencil::code_of(stencil::null_handle("the list of the devices of a mesh"));
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::devices(devices, count); });
}
__attribute__((used)) inline int stencil_cuda_mesh_of_first(int count, stencil_mesh** mesh) {
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::devices(count); });
}
__attribute__((used)) inline int stencil_cuda_mesh_across(stencil_communicator* processes,
                                                          const int* devices, int count,
                                                          stencil_mesh** mesh) {
  std::vector<int> here;
  if (devices != nullptr && count > 0) here.assign(devices, devices + count);
  return stencil::open_mesh_across(processes, mesh, [&](stencil::Communicator& all) {
    return stencil::cuda::Mesh::across(all, here);
  });
}
__attribute__((used)) inline int stencil_cuda_mesh_in_pieces(int count, stencil_mesh** mesh) {
  return stencil::open_mesh(mesh, [&] { return stencil::cuda::Mesh::in_pieces(count); });
}

}  // extern "C"
