// Meshes of several processes: what comes late changes nothing, and what does not come is found by
// all of them within the deadline.
#include <gtest/gtest.h>
#include <stencil/cpu.h>
#include <stencil/mesh_cpu.h>

#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace processes_test {
namespace {

using stencil::Code;
using stencil::Communicator;
using stencil::Mesh;
using stencil::Status;
using stencil::Transfer;

// ---- processes that are threads, with faults ----

enum class Kind {
  none,
  late,
  lost,
  twice,  // and the second time instead of the next one
  shortened,
  other_tag,
  ends,   // the process is no more, and others can know it
  stops,  // it does nothing for a while
  fails,  // a call of it fails
};
struct Fault {
  Kind kind;
  int process, at;  // the message that it sends, or the leg
};

struct Message {
  std::vector<char> bytes;
  std::chrono::steady_clock::time_point there;
};

class Network {
 public:
  explicit Network(const Fault& fault) : fault(fault) {}

  std::mutex mutex;
  const Fault fault;
  std::map<std::tuple<int, int, int>, std::deque<Message>> messages;  // from, to, tag
  std::map<int, std::deque<std::vector<char>>> notices;
  std::map<int, bool> ended;
};

class FakeProcess final : public Communicator {
 public:
  FakeProcess(Network& network, int rank, int size) : all_(network), rank_(rank), size_(size) {
    set_deadline(0.4);
  }
  ~FakeProcess() override {
    const std::scoped_lock lock(all_.mutex);
    all_.ended[rank_] = true;
  }
  const char* name() const override { return "fake"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return rank_; }

 private:
  // Of a mesh; agreements before it are not counted.
  bool meets(const Transfer& message, Kind kind) const {
    return message.tag < kTags && all_.fault.kind == kind && all_.fault.process == rank_ &&
           all_.fault.at == sent_;
  }
  Failure start(size_t, const Transfer& message) override {
    const std::scoped_lock lock(all_.mutex);
    running_.push_back(message);
    if (!message.sends) return {};
    const char* const bytes = static_cast<const char*>(message.bytes);
    Message made{{bytes, bytes + message.count}, std::chrono::steady_clock::now()};
    int tag = message.tag;
    if (meets(message, Kind::late)) made.there += std::chrono::milliseconds(60);
    if (meets(message, Kind::shortened)) made.bytes.pop_back();
    if (meets(message, Kind::other_tag)) tag ^= 1;
    auto& queue = all_.messages[{rank_, message.process, tag}];
    if (!meets(message, Kind::lost)) queue.push_back(made);
    if (meets(message, Kind::twice)) queue.push_back(made);
    sent_ += message.tag < kTags ? 1 : 0;
    return {};
  }
  Failure test(size_t n, bool* done) override {
    const std::scoped_lock lock(all_.mutex);
    const Transfer& message = running_[n];
    if (message.sends) {
      *done = true;
      return {};
    }
    auto& queue = all_.messages[{message.process, rank_, message.tag}];
    if (queue.empty() && all_.ended[message.process]) return {message.process, "has ended"};
    if (queue.empty() || queue.front().there > std::chrono::steady_clock::now()) return {};
    const std::vector<char> bytes = queue.front().bytes;
    queue.pop_front();
    if (static_cast<int64_t>(bytes.size()) != message.count)
      return {message.process, differs(static_cast<int64_t>(bytes.size()), message.count)};
    std::copy(bytes.begin(), bytes.end(), static_cast<char*>(message.bytes));
    *done = true;
    return {};
  }
  void end_exchange(bool) override { running_.clear(); }
  void notify(int process, const Notice& notice) override {
    const std::scoped_lock lock(all_.mutex);
    const char* const bytes = reinterpret_cast<const char*>(&notice);
    all_.notices[process].emplace_back(bytes, bytes + sizeof notice);
  }
  bool next_notice(Notice* notice) override {
    const std::scoped_lock lock(all_.mutex);
    auto& queue = all_.notices[rank_];
    if (queue.empty()) return false;
    std::memcpy(notice, queue.front().data(), sizeof *notice);
    queue.pop_front();
    return true;
  }
  void idle() override { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

  Network& all_;
  int rank_, size_, sent_ = 0;
  std::vector<Transfer> running_;
};

// ---- a program ----

constexpr int64_t kX = 5, kY = 23, kSteps = 6;
constexpr stencil::MeshArray kArrays[] = {stencil::mesh_array<float>("u", "xy", 1, 2, true, 1, 2),
                                          stencil::mesh_array<float>("c", "xy", 1, 1, false, 1, 0)};
stencil::MeshLaunch launch_on(const stencil::Shape&, int64_t) { return {1, false}; }
constexpr stencil::MeshProgram kProgram =
    stencil::mesh_program_of("s", 2, kArrays, 1, 2, true, false, false, false, false, launch_on);
constexpr stencil::MeshField<float, 2> kU{&kProgram, 0};
constexpr stencil::MeshField<float, 2> kC{&kProgram, 1};

struct Gone {};

// u[t+1] = u[y-1] - u[y+2] / 2 + c[y-1], around a periodic axis.
Status run(Mesh& mesh, stencil::MeshGrid<float>& u, stencil::MeshGrid<float>& c, int64_t steps,
           const Fault& fault, double param, float item) {
  stencil::MeshRun<2> run(kProgram, mesh.handle(), u.handle(), c.handle());
  run.check_steps(steps);
  run.compare("k", 3);
  run.compare("param", param);
  std::vector<float> list(7, 1);
  list[6] = item;
  run.compare("list", list.data(), static_cast<int64_t>(list.size()));
  if (!run.ok()) return run.status();
  Communicator* const processes = mesh.share().communicator();
  const bool meets = processes != nullptr && processes->rank() == fault.process;
  run.legs(steps, false, [&](const stencil::MeshRun<2>::Leg& leg) -> Status {
    if (meets && leg.window.taken == fault.at) {
      if (fault.kind == Kind::fails) return stencil::failure(Code::cuda_error, "no such kernel");
      if (fault.kind == Kind::ends) throw Gone();
      if (fault.kind == Kind::stops) std::this_thread::sleep_for(std::chrono::seconds(2));
    }
    float** const levels = leg.levels<float>(0);
    const float* const added = leg.only<float>(1);
    const int64_t pitch = run.pitch(0);
    // Each step computes beside the window what later ones read there.
    for (int64_t left = leg.steps - 1; left >= 0; --left) {
      const float* const from = levels[0];
      for (int64_t y = leg.window.first - left; y < leg.window.end + 2 * left; ++y)
        for (int64_t x = 0; x < kX; ++x) {
          const int64_t i = (y - leg.window.piece.first) * pitch + x;
          levels[1][i] = from[i - pitch] - from[i + 2 * pitch] / 2 + added[i - pitch];
        }
      std::swap(levels[0], levels[1]);
    }
    return {};
  });
  return run.status();
}

// One process of it: fills its planes, takes the steps, reads its planes.
Status process(Mesh& mesh, std::vector<float>& whole, int64_t steps, const Fault& fault,
               double param = 0.5, float item = 1) {
  stencil::MeshGrid<float> u(mesh, kU, {kX, kY}), c(mesh, kC, {kX, kY});
  std::vector<float> start(static_cast<size_t>(kX * kY)), more(start);
  for (size_t i = 0; i < start.size(); ++i) {
    start[i] = static_cast<float>(i * 37 % 101) / 16;
    more[i] = static_cast<float>(i * 53 % 97) / 32;
  }
  Status status = u.copy_from(u.part_of(start.data()));
  if (status.ok()) status = c.copy_from(c.part_of(more.data()));
  if (status.ok()) status = run(mesh, u, c, steps, fault, param, item);
  if (status.ok()) status = u.copy_to(u.part_of(whole.data()));
  return status;
}

struct Ended {
  std::vector<Status> status;
  std::vector<float> cells = std::vector<float>(static_cast<size_t>(kX * kY));
  double seconds = 0;
};
Ended run_all(int processes, const Fault& fault) {
  Network network(fault);
  Ended ended;
  ended.status.resize(static_cast<size_t>(processes));
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < processes; ++rank)
    threads.emplace_back([&, rank] {
      try {
        FakeProcess others(network, rank, processes);
        Mesh mesh = rank == 1 ? Mesh::in_pieces(others, 2) : Mesh::across(others);
        ended.status[static_cast<size_t>(rank)] = process(mesh, ended.cells, kSteps, fault);
      } catch (const Gone&) {
      }
    });
  for (std::thread& thread : threads) thread.join();
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return ended;
}

std::vector<float> alone() {
  std::vector<float> cells(static_cast<size_t>(kX * kY));
  Mesh mesh = Mesh::in_pieces(1);
  EXPECT_TRUE(process(mesh, cells, kSteps, {Kind::none, -1, 0}).ok());
  return cells;
}

TEST(RuntimeProcesses, HaveTheBitsOfOne) {
  const std::vector<float> expected = alone();
  for (const int processes : {1, 2, 3, 4}) {
    const Ended ended = run_all(processes, {Kind::none, -1, 0});
    for (const Status& status : ended.status) EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(ended.cells, expected) << processes << " processes";
  }
}

// A short run, then a long one: inputs were sent once, for both.
TEST(RuntimeProcesses, ALaterRunMayHaveLongerLegs) {
  const auto two_runs = [](Mesh& mesh, std::vector<float>& whole) {
    stencil::MeshGrid<float> u(mesh.legs_of(3), kU, {kX, kY}), c(mesh, kC, {kX, kY});
    std::vector<float> start(whole.size()), more(whole.size());
    for (size_t i = 0; i < start.size(); ++i) {
      start[i] = static_cast<float>(i * 37 % 101) / 16;
      more[i] = static_cast<float>(i * 53 % 97) / 32;
    }
    const Fault none = {Kind::none, -1, 0};
    EXPECT_TRUE(u.copy_from(u.part_of(start.data())).ok());
    EXPECT_TRUE(c.copy_from(c.part_of(more.data())).ok());
    EXPECT_TRUE(run(mesh, u, c, 1, none, 0.5, 1).ok());
    EXPECT_TRUE(run(mesh, u, c, 7, none, 0.5, 1).ok());
    EXPECT_TRUE(u.copy_to(u.part_of(whole.data())).ok());
  };
  std::vector<float> expected(static_cast<size_t>(kX * kY)), cells(expected);
  Mesh one = Mesh::in_pieces(1);
  two_runs(one, expected);
  Network network({Kind::none, -1, 0});
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      FakeProcess others(network, rank, 3);
      Mesh mesh = Mesh::across(others);
      two_runs(mesh, cells);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cells, expected);
}

TEST(RuntimeProcesses, WaitForWhatIsLate) {
  const std::vector<float> expected = alone();
  for (const int at : {0, 3, 7}) {
    const Ended ended = run_all(3, {Kind::late, 2, at});
    for (const Status& status : ended.status) EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(ended.cells, expected);
  }
}

// Every process returns, and says what is wrong.
void expect_all_fail(const Fault& fault, const std::vector<std::string>& texts) {
  const Ended ended = run_all(4, fault);
  EXPECT_LT(ended.seconds, 8);
  for (size_t rank = 0; rank < ended.status.size(); ++rank) {
    const Status& status = ended.status[rank];
    if (static_cast<int>(rank) == fault.process && fault.kind == Kind::ends) continue;
    EXPECT_FALSE(status.ok()) << "process " << rank;
    const std::string text = status.message();
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                            [&](const std::string& one) { return text.find(one) != text.npos; }))
        << "process " << rank << ": " << text;
  }
}

// Where the next message comes in its place, that is seen first.
TEST(RuntimeProcesses, FindWhatIsLost) {
  const std::vector<std::string> texts = {"did not answer within 0.4 s", "says nothing",
                                          "processes wait for each other",
                                          "sent the planes of exchange", "were expected"};
  for (const int at : {0, 5})
    for (const int process : {0, 2}) expect_all_fail({Kind::lost, process, at}, texts);
  expect_all_fail({Kind::other_tag, 1, 2}, texts);
}

TEST(RuntimeProcesses, FindWhatIsDamaged) {
  expect_all_fail({Kind::shortened, 2, 4}, {"process 2 of 4 sent"});
  expect_all_fail({Kind::twice, 3, 2}, {"process 3 sent the planes of exchange"});
}

// Before anything runs. The next run is as good as any.
TEST(RuntimeProcesses, ArgumentsThatDifferAreRefusedByAll) {
  const std::vector<float> expected = alone();
  Network network({Kind::none, -1, 0});
  std::vector<float> cells(expected.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      FakeProcess others(network, rank, 3);
      Mesh mesh = Mesh::across(others);
      const Fault none = {Kind::none, -1, 0};
      const std::string steps = process(mesh, cells, rank == 2 ? 7 : kSteps, none).message(),
                        param =
                            process(mesh, cells, kSteps, none, rank == 1 ? 0.25 : 0.5).message(),
                        list = process(mesh, cells, kSteps, none, 0.5, rank == 2 ? 7 : 1).message();
      EXPECT_NE(steps.find("process 0 begins `s` of 6 steps"), steps.npos) << steps;
      EXPECT_NE(steps.find("and process 2 `s` of 7 steps"), steps.npos) << steps;
      EXPECT_NE(list.find("`list` of process 2 is not that of process 0"), list.npos) << list;
      EXPECT_NE(param.find("`param` of process 1 is not that of process 0"), param.npos) << param;
      EXPECT_TRUE(process(mesh, cells, kSteps, none).ok());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cells, expected);
}

TEST(RuntimeProcesses, NameTheOneThatFailsEndsOrStops) {
  expect_all_fail({Kind::ends, 2, 2}, {"process 2 of 4 has ended"});
  expect_all_fail({Kind::ends, 0, 1}, {"process 0 of 4 has ended"});
  expect_all_fail({Kind::fails, 1, 3}, {"process 1 of 4 failed: no such kernel", "no such kernel"});
  expect_all_fail({Kind::stops, 2, 2},
                  {"process 2 of 4 did not answer within 0.4 s", "processes wait for each other",
                   "process 2 of 4 says nothing"});
}

}  // namespace
}  // namespace processes_test
