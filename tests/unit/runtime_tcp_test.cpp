// Processes that reach each other over TCP: how they come together, and what becomes of the others
// when one of them is killed or stopped.
#include <gtest/gtest.h>
#include <signal.h>
#include <stencil/tcp.h>
#include <sys/wait.h>

#include <functional>
#include <numeric>
#include <thread>

namespace tcp_test {
namespace {

using stencil::Status;
using stencil::Tcp;

// A port that nobody had a moment ago.
int free_port() {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  EXPECT_EQ(bind(made, reinterpret_cast<sockaddr*>(&address), length), 0);
  EXPECT_EQ(getsockname(made, reinterpret_cast<sockaddr*>(&address), &length), 0);
  close(made);
  return ntohs(address.sin_port);
}

// What `work` returns in each of so many processes, with what it says on failure.
using Work = std::function<Status(Tcp&)>;
struct Started {
  pid_t process;
  int output;
};
Started start(const std::function<std::string()>& work) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t process = fork();
  if (process == 0) {
    const std::string text = work();
    _exit(write(ends[1], text.c_str(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  return {process, ends[0]};
}
std::string finish(const Started& started) {
  std::string text;
  char bytes[512];
  for (ssize_t got; (got = read(started.output, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<size_t>(got));
  close(started.output);
  waitpid(started.process, nullptr, 0);
  return text;
}
std::vector<Started> start_all(int count, double deadline, const Work& work) {
  const int port = free_port();
  std::vector<Started> all;
  for (int rank = 0; rank < count; ++rank)
    all.push_back(start([=] {
      setenv("STENCIL_DEADLINE", std::to_string(deadline).c_str(), 1);
      Tcp made(rank, count, "127.0.0.1", port);
      const Status status = made.status().ok() ? work(made) : made.status();
      return status.ok() ? std::string("ok") : std::string(status.message());
    }));
  return all;
}

// Bytes go around in both directions, more each time.
Status go_around(Tcp& all, int rounds) {
  const int count = all.size(), right = (all.rank() + 1) % count,
            left = (all.rank() + count - 1) % count;
  std::vector<char> out(300000), from_left(out), from_right(out);
  Status status;
  for (int n = 0; n < rounds && status.ok(); ++n) {
    std::iota(out.begin(), out.end(), static_cast<char>(all.rank() + n));
    const int64_t bytes = n % 2 == 0 ? n : 100000 + n * 37;
    status = all.exchange({{true, right, 1, out.data(), bytes},
                           {true, left, 2, out.data(), bytes},
                           {false, right, 2, from_right.data(), bytes},
                           {false, left, 1, from_left.data(), bytes}});
    for (int64_t i = 0; i < bytes && status.ok(); i += 997) {
      const auto sent = [&](int rank) { return static_cast<char>(rank + n + i); };
      if (from_left[static_cast<size_t>(i)] != sent(left) ||
          from_right[static_cast<size_t>(i)] != sent(right))
        status = stencil::failure(stencil::Code::lost_process, "other bytes in round %d", n);
    }
  }
  return status;
}

TEST(RuntimeTcp, MessagesArrive) {
  for (const int count : {1, 2, 4})
    for (const Started& one : start_all(count, 20, [](Tcp& all) { return go_around(all, 40); }))
      EXPECT_EQ(finish(one), "ok");
}

// The process of this number is sent a signal while messages go around.
void expect_named(int signal, const std::string& expected) {
  constexpr int kVictim = 1;
  const std::vector<Started> all =
      start_all(4, 1, [](Tcp& processes) { return go_around(processes, 1 << 30); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(all[kVictim].process, signal);
  for (size_t rank = 0; rank < all.size(); ++rank)
    if (rank != kVictim) {
      EXPECT_EQ(finish(all[rank]).find(expected), 0U) << "process " << rank;
    }
  kill(all[kVictim].process, SIGKILL);
  (void)finish(all[kVictim]);
}
TEST(RuntimeTcp, AKilledProcessIsNamed) { expect_named(SIGKILL, "process 1 of 4 has ended"); }
TEST(RuntimeTcp, AStoppedProcessIsNamed) {
  expect_named(SIGSTOP, "process 1 of 4 did not answer within 1 s");
}

TEST(RuntimeTcp, AProcessThatDoesNotComeIsNamed) {
  setenv("STENCIL_DEADLINE", "0.3", 1);
  const Tcp first(0, 2, "127.0.0.1", free_port());
  EXPECT_STREQ(first.status().message(), "process 1 of 2 did not come within 0.3 s");
  const int port = free_port();
  const Tcp second(1, 2, "127.0.0.1", port);
  EXPECT_EQ(second.status().message(), "process 1 does not find process 0 at 127.0.0.1, port " +
                                           std::to_string(port) +
                                           ", within 0.3 s: Connection refused");
  const Tcp none(3, 2, "127.0.0.1", port);
  EXPECT_STREQ(none.status().message(), "process 3 of 2: the number is at least 0, and smaller");
  unsetenv("STENCIL_DEADLINE");
}

// Somebody else knocks at the port, or a process of another start.
TEST(RuntimeTcp, WhoDoesNotBelongIsRefused) {
  const int port = free_port();
  const auto process = [=](int rank, int size) {
    return start([=] {
      setenv("STENCIL_DEADLINE", "5", 1);
      const Tcp made(rank, size, "127.0.0.1", port);
      return std::string(made.status().message());
    });
  };
  const Started first = process(0, 2);
  const Started other = process(1, 3);
  EXPECT_EQ(finish(first), "process 1 of 3 came to process 0 of 2");
  EXPECT_NE(finish(other), "");
}

TEST(RuntimeTcp, LaunchersAreUnderstood) {
  const std::vector<std::vector<std::pair<const char*, std::string>>> launchers = {
      {{"RANK", "%"}, {"WORLD_SIZE", "3"}, {"LOCAL_RANK", "%"}, {"MASTER_ADDR", "localhost"}},
      {{"RANK", "%"},
       {"WORLD_SIZE", "3"},
       {"LOCAL_RANK", "%"},
       {"MASTER_ADDR", "127.0.0.1"},
       {"TORCHELASTIC_USE_AGENT_STORE", "True"}},
      {{"SLURM_PROCID", "%"}, {"SLURM_NTASKS", "3"}, {"SLURM_LOCALID", "%"}},
      {{"SLURM_PROCID", "%"},
       {"SLURM_NTASKS", "3"},
       {"SLURM_LOCALID", "%"},
       {"SLURM_STEP_NODELIST", "127.0.0.[1-3,9],127.0.0.20"}},
      {{"SLURM_PROCID", "%"},
       {"SLURM_NTASKS", "3"},
       {"SLURM_LOCALID", "%"},
       {"SLURM_STEP_NODELIST", "localhost,127.0.1.[7-8]"}}};
  for (const auto& launcher : launchers) {
    const std::string port = std::to_string(free_port());
    std::vector<Started> all;
    for (int rank = 0; rank < 3; ++rank)
      all.push_back(start([=] {
        setenv("MASTER_PORT", port.c_str(), 1);
        for (const auto& [name, value] : launcher)
          setenv(name, value == "%" ? std::to_string(rank).c_str() : value.c_str(), 1);
        Tcp made = Tcp::from_environment();
        const Status status = made.status().ok() ? go_around(made, 3) : made.status();
        const bool right = made.rank() == rank && made.size() == 3 && made.local_rank() == rank;
        return right && status.ok() ? std::string("ok") : status.message() + std::string("?");
      }));
    for (const Started& one : all) EXPECT_EQ(finish(one), "ok");
  }
  EXPECT_EQ(Tcp::from_environment().size(), 1);
}

}  // namespace
}  // namespace tcp_test
