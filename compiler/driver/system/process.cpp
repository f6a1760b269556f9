#include "driver/system/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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

int run_process(const std::vector<std::string>& arguments, std::string& output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
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
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return -1;
  }
  char buffer[4096];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string find_program(const std::string& name) {
  for (const std::string& folder : folders_of_path()) {
    const std::string file = folder + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace stencilc::driver
