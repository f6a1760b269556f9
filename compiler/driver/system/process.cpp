#include "driver/system/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

extern char** environ;

namespace stencilc::driver {
namespace {

// The folders of PATH without relative ones. An empty entry means the current folder, and a `g++`
// in a folder with somebody else's data must not run.
std::vector<std::string> folders_of_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::vector<std::string> result;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/')) result.push_back(folder);
  return result;
}

std::string safe_path() {
  std::string path;
  for (const std::string& folder : folders_of_path()) path += (path.empty() ? "" : ":") + folder;
  return path.empty() ? "/nowhere" : path;  // an empty PATH would mean a default one
}

}  // namespace

namespace {

// Starts a program with these files as its input and output. Returns its process, or -1.
int spawn(const std::vector<std::string>& arguments, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  // Programs that this program starts are searched for in the same folders.
  const std::string path = "PATH=" + safe_path();
  std::vector<char*> environment = {const_cast<char*>(path.c_str())};
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::string_view(*variable).substr(0, 5) != "PATH=") environment.push_back(*variable);
  environment.push_back(nullptr);
  const std::string program =
      arguments[0].find('/') == std::string::npos ? find_program(arguments[0]) : arguments[0];
  const int failed = program.empty() ? ENOENT
                                     : ::posix_spawn(&child, program.c_str(), &actions, nullptr,
                                                     argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

// Its exit code, or -1.
int wait_for(int child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int run_process(const std::vector<std::string>& arguments, std::string& output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  const int child = spawn(arguments, -1, ends[1]);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return -1;
  }
  char buffer[4096];
  for (ssize_t got;
       (got = ::read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);)
    if (got > 0) output.append(buffer, static_cast<size_t>(got));
  ::close(ends[0]);
  return wait_for(child);
}

Piped::Piped(const std::vector<std::string>& arguments) {
  int ends[2];
  output_ = ::memfd_create("output", MFD_CLOEXEC);
  if (output_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
    problem_ = std::strerror(errno);
    return;
  }
  child_ = spawn(arguments, ends[0], output_);
  ::close(ends[0]);
  input_ = ends[1];
  if (child_ < 0) problem_ = "`" + arguments[0] + "` cannot be started";
}

Piped::~Piped() {
  if (input_ >= 0) ::close(input_);
  if (child_ >= 0) {
    ::kill(child_, SIGTERM);
    (void)wait_for(child_);
  }
  if (output_ >= 0) ::close(output_);
}

bool Piped::write(const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put = ::write(input_, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    done += static_cast<size_t>(put);
  }
  return true;
}

std::string Piped::finish() {
  ::close(input_);
  input_ = -1;
  const int code = wait_for(child_);
  child_ = -1;
  if (code == 0) return "";
  std::string said;
  char buffer[4096];
  off_t at = 0;
  for (ssize_t got; (got = ::pread(output_, buffer, sizeof buffer, at)) > 0; at += got)
    said.append(buffer, static_cast<size_t>(got));
  while (said.ends_with('\n')) said.pop_back();
  return said.empty() ? "it failed" : said;
}

std::string find_program(const std::string& name) {
  for (const std::string& folder : folders_of_path()) {
    const std::string file = folder + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace stencilc::driver
