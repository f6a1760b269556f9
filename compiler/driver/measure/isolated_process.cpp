#include "driver/measure/isolated_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>

#include "driver/execute/openmp.h"

namespace stencilc::driver {
namespace {

// Writes a result as a line, and reads it back.
std::string line_of(const Measured& one) {
  std::string text = fmt::format("{:.17g} {} {}", one.seconds, one.checksum, one.problem);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + '\n';
}
Measured measured_of(const std::string& line) {
  Measured one;
  std::istringstream text(line);
  text >> one.seconds >> one.checksum;
  text.ignore(1);
  std::getline(text, one.problem);
  return one;
}

// The process that measures, starting with `first`, and the pipe that it writes to.
struct Worker {
  pid_t process = -1;
  int results = -1;
};

[[noreturn]] void work(size_t first, size_t count, const std::function<Measured(size_t)>& measure,
                       int to) {
  ::signal(SIGINT, SIG_DFL);
  try {
    for (size_t n = first; n < count; ++n) {
      const std::string line = line_of(measure(n));
      if (::write(to, line.data(), line.size()) != static_cast<ssize_t>(line.size())) break;
    }
  } catch (const std::exception& error) {
    const std::string line = line_of({0, 0, error.what()});
    if (::write(to, line.data(), line.size()) < 0) ::_exit(1);
  }
  ::_exit(0);
}

Worker start(size_t first, size_t count, const std::function<Measured(size_t)>& measure) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  end_openmp_threads();
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    work(first, count, measure, ends[1]);
  }
  ::close(ends[1]);
  if (process < 0) ::close(ends[0]);
  return process < 0 ? Worker{} : Worker{process, ends[0]};
}

// How a process without a result ended.
std::string stop(Worker& worker, bool in_time) {
  if (worker.process < 0) return "cannot start a process to measure in";
  ::kill(worker.process, SIGKILL);
  ::close(worker.results);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  worker = {};
  if (!in_time) return "it took too long";
  return WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL
             ? fmt::format("it was ended by signal {}", WTERMSIG(status))
             : "its process exited";
}

// Waits for a line. Returns false if the process has ended or the time is over.
bool read_line(const Worker& worker, double limit, std::string& line, bool& in_time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(limit);
  for (line.clear();;) {
    const std::chrono::duration<double, std::milli> left = end - Clock::now();
    in_time = left.count() > 0;
    if (!in_time) return false;
    pollfd waiting = {worker.results, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min(left.count(), 1e6)) + 1) <= 0) continue;
    char c = 0;
    if (::read(worker.results, &c, 1) != 1) return false;
    if (c == '\n') return true;
    line += c;
  }
}

}  // namespace

std::vector<Measured> measure_apart(size_t count, const std::function<Measured(size_t)>& measure,
                                    double limit, const std::function<bool()>& go_on) {
  std::vector<Measured> all;
  Worker worker;
  while (all.size() < count && go_on()) {
    if (worker.process < 0) worker = start(all.size(), count, measure);
    std::string line;
    bool in_time = true;
    if (worker.process >= 0 && read_line(worker, limit, line, in_time))
      all.push_back(measured_of(line));
    else
      all.push_back({0, 0, stop(worker, in_time)});
    // After a failure the device may fail for everything that follows, so a new process is used.
    if (!all.back().problem.empty() && worker.process >= 0) stop(worker, true);
  }
  if (worker.process >= 0) stop(worker, true);
  return all;
}

}  // namespace stencilc::driver
