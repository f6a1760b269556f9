#include "driver/system/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

namespace stencilc::driver {
namespace {

// Reads a descriptor up to one byte above the limit.
bool read_all(int fd, size_t limit, std::string& text) {
  char buffer[1 << 16];
  while (text.size() <= limit) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    text.append(buffer, static_cast<size_t>(got));
  }
  return true;
}

using Pieces = std::vector<std::string_view>;

bool write_all(int fd, const Pieces& pieces) {
  for (std::string_view rest : pieces)
    while (!rest.empty()) {
      const ssize_t put = ::write(fd, rest.data(), rest.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return false;
      rest.remove_prefix(static_cast<size_t>(put));
    }
  return true;
}

// Whether a file of the same size holds the pieces. Most files that do not differ early.
bool holds(const std::string& path, const Pieces& pieces) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[1 << 16];
  bool same = true;
  for (std::string_view rest : pieces)
    while (same && !rest.empty()) {
      const ssize_t got = ::read(fd, buffer, std::min(sizeof buffer, rest.size()));
      if (got < 0 && errno == EINTR) continue;
      same = got > 0 && rest.starts_with({buffer, static_cast<size_t>(got)});
      if (same) rest.remove_prefix(static_cast<size_t>(got));
    }
  ::close(fd);
  return same;
}

std::string reason() { return std::strerror(errno); }

}  // namespace

Text read_text(const std::string& path, size_t limit) {
  Text result;
  const int fd = path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    result.problem = reason();
    return result;
  }
  struct stat status = {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
    result.problem = "it is a directory";
  else if (!read_all(fd, limit, result.text))
    result.problem = reason();
  if (fd != 0) ::close(fd);
  if (result.problem.empty() && result.text.size() > limit) {
    result.problem = "it is larger than " + std::to_string(limit >> 20) + " MiB";
    result.too_large = true;
  }
  return result;
}

namespace {

// The file that a path leads to through links, so that renaming does not replace a link. A broken
// link leads to the file that can be created there.
std::string behind_links(std::string path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  std::error_code error;
  for (int n = 0; n < kMostLinks && path != "-"; ++n) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return path;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

// Unfinished files are called `target.tmp-XXXXXX` and locked by their writer. A signal handler
// removes them. Files of a killed process are not locked, and the next process that writes the same
// target removes them.
constexpr const char* kTemporary = ".tmp-";

std::array<std::atomic<char*>, 16> on_their_way;

extern "C" void take_away_and_end(
    int signal) {  // calls only functions that are allowed in a signal handler
  for (std::atomic<char*>& name : on_their_way)
    if (const char* path = name.load()) ::unlink(path);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void watch_signals() {
  static const bool done = [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction old = {};
      if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
      struct sigaction action = {};
      action.sa_handler = take_away_and_end;
      ::sigaction(signal, &action, nullptr);
    }
    return true;
  }();
  (void)done;
}

// A temporary file beside the target. The destructor removes it unless it was renamed.
class Temporary {
 public:
  // If fd() < 0, errno tells why.
  explicit Temporary(const std::string& target) {
    watch_signals();
    for (int tries = 0; tries < 100 && fd_ < 0; ++tries) {
      path_ = target + kTemporary + "XXXXXX";
      fd_ = ::mkostemp(path_.data(), O_CLOEXEC);
      if (fd_ < 0) return;
      struct stat status = {};
      // Another process may have removed it as abandoned before it was locked.
      if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd_, &status) == 0 && status.st_nlink > 0)
        break;
      ::close(fd_);
      fd_ = -1;
    }
    if (fd_ < 0) return;
    for (std::atomic<char*>& name : on_their_way)
      if (char* none = nullptr; name.compare_exchange_strong(none, path_.data())) {
        watched_ = &name;
        break;
      }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (fd_ < 0) return;
    if (!renamed_) ::unlink(path_.c_str());
    if (watched_) watched_->store(nullptr);
    ::close(fd_);
  }

  int fd() const { return fd_; }
  bool put(const std::string& target) {
    renamed_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string path_;
  int fd_ = -1;
  std::atomic<char*>* watched_ = nullptr;
  bool renamed_ = false;
};

// Removes files of killed processes beside the target.
void sweep(const std::string& target) {
  const std::filesystem::path path = target;
  const std::string begin = path.filename().string() + kTemporary;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(begin) || name.size() != begin.size() + 6) continue;
    const int fd = ::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(it->path().c_str());
    ::close(fd);
  }
}

// Writes the text into a file beside the target; directly if the target cannot be replaced, and not
// at all if it already holds the text. Returns what went wrong, or "".
std::string stage(const std::string& path, const Pieces& pieces,
                  std::unique_ptr<Temporary>& temporary) {
  if (path == "-") return write_all(1, pieces) ? "" : reason();
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return reason();
  if (exists && S_ISDIR(status.st_mode)) return "it is a directory";
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return reason();
    const bool good = write_all(fd, pieces);
    const std::string why = good ? "" : reason();
    ::close(fd);
    return why;
  }
  size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  if (exists && static_cast<size_t>(status.st_size) == size && holds(path, pieces)) return "";
  sweep(path);
  temporary = std::make_unique<Temporary>(path);
  const int fd = temporary->fd();
  if (fd < 0) {
    const std::string why = reason();
    temporary.reset();
    return why;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool good =
      ::fchmod(fd, exists ? status.st_mode & 07777 : 0666 & ~mask) == 0 && write_all(fd, pieces);
  // Some file systems report a failed write only on close. The lock stays.
  return good && ::close(::dup(fd)) == 0 ? "" : reason();
}

}  // namespace

std::optional<Unwritten> write_texts(const std::vector<Output>& outputs) {
  std::vector<std::string> paths;
  for (const Output& output : outputs) paths.push_back(behind_links(output.path));
  std::vector<std::unique_ptr<Temporary>> temporaries(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const std::string why = stage(paths[i], {outputs[i].text}, temporaries[i]); !why.empty())
      return Unwritten{outputs[i].path, why};
  // From here on all texts are on disk, and only names change, in order.
  for (size_t i = 0; i < outputs.size(); ++i)
    if (temporaries[i] && !temporaries[i]->put(paths[i]))
      return Unwritten{outputs[i].path, reason()};
  return std::nullopt;
}

std::string write_text(const std::string& path, std::string_view text, std::string_view more) {
  const std::string file = behind_links(path);
  std::unique_ptr<Temporary> temporary;
  if (std::string why = stage(file, {text, more}, temporary); !why.empty()) return why;
  return temporary == nullptr || temporary->put(file) ? "" : reason();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto whole = [&](const std::string& path) {
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    return (error ? std::filesystem::path(path) : absolute).lexically_normal();
  };
  return whole(a) == whole(b);
}

namespace {
std::string escaped(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == '#') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}
}  // namespace

std::string no_dependency(const std::string& name) {
  if (name.empty()) return "is empty";
  // Characters that have a meaning in make that cannot be escaped: commands, rules, variables,
  // patterns, wildcards and line ends.
  for (const char c : name) {
    if (std::string_view(";:=|%*?[\\").find(c) != std::string_view::npos)
      return std::string("holds `") + c + "`";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "holds a control character";
  }
  if (name[0] == '~') return "begins with `~`";
  if (name.back() == ')' || name.back() == '&')
    return std::string("ends with `") + name.back() + "`";
  return "";
}

std::string dependency_rule(const std::vector<std::string>& targets,
                            const std::vector<std::string>& inputs, bool phony) {
  std::string text;
  for (const std::string& target : targets) text += (text.empty() ? "" : " ") + escaped(target);
  text += ":";
  for (const std::string& input : inputs) text += " " + escaped(input);
  text += "\n";
  for (size_t i = 0; phony && i < inputs.size(); ++i) text += "\n" + escaped(inputs[i]) + ":\n";
  return text;
}

}  // namespace stencilc::driver
