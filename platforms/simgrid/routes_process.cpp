// SPDX-License-Identifier: MIT
#include "platforms/simgrid/routes_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "trace-io/base/error.hpp"

extern char** environ;

namespace reprise::platforms {
namespace {

namespace fs = std::filesystem;

constexpr char kProgram[] = "reprise-simgrid-routes";
constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr int kAboveStandard =
    10;  // file descriptors of ours must not be those that the child gets

// In a build tree, or installed.
std::string program_path(const std::string& file) {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path installed = (bin / REPRISE_PROGRAMS_FROM_BIN / kProgram).lexically_normal(),
                 built = bin / kProgram;
  for (const fs::path& path : {installed, built})
    if (fs::exists(path, ignored)) return path.string();
  throw InputError(file,
                   "SimGrid reads it in a separate program, and " + std::string(kProgram) +
                       " is not in " + installed.parent_path().string() + " or " + bin.string(),
                   "install it beside reprise (cmake --install), or describe the machine in JSON");
}

class Descriptor {
 public:
  explicit Descriptor(int number)
      : number_(number < 0 ? -1 : fcntl(number, F_DUPFD_CLOEXEC, kAboveStandard)) {
    if (number >= 0) close(number);
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

bool write_whole(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return lseek(descriptor, 0, SEEK_SET) == 0;
}

// The first line of what it wrote to stderr.
std::string first_words(int descriptor) {
  std::array<char, 1024> text{};
  const ssize_t count = pread(descriptor, text.data(), text.size(), 0);
  std::string words(text.data(), static_cast<std::size_t>(count > 0 ? count : 0));
  const auto first = words.find_first_not_of("\n ");
  if (first == std::string::npos) return "";
  words = words.substr(first, words.find('\n', first) - first);
  for (char& letter : words)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return words;
}

}  // namespace

RoutesProcess::RoutesProcess(std::string file, const std::string& text, const std::string& folder)
    : file_(std::move(file)), parent_(getpid()) {
  const std::string program = program_path(file_);
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail(std::string("no channel to SimGrid: ") + std::strerror(errno));
  Descriptor ours(ends[0]), its(ends[1]), input(memfd_create("platform", MFD_CLOEXEC)),
      words(memfd_create("words", MFD_CLOEXEC));
  if (ours.number() < 0 || its.number() < 0 || input.number() < 0 || words.number() < 0 ||
      !write_whole(input.number(), text))
    fail(std::string("no channel to SimGrid: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, its.number(), 0);
  posix_spawn_file_actions_adddup2(&actions, its.number(), 1);
  posix_spawn_file_actions_adddup2(&actions, words.number(), 2);
  posix_spawn_file_actions_adddup2(&actions, input.number(), 3);
  std::string name = kProgram, place = folder;
  char* const arguments[] = {name.data(), place.data(), nullptr};
  const int error = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    process_ = -1;
    fail(program + " could not be run: " + std::strerror(error));
  }
  channel_ = ours.release();
  words_ = words.release();
}

RoutesProcess::~RoutesProcess() {
  if (channel_ >= 0) close(channel_);
  if (words_ >= 0) close(words_);
  if (process_ <= 0 || !is_ours()) return;
  kill(process_, SIGKILL);  // it has nothing to finish
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool RoutesProcess::is_ours() const { return getpid() == parent_; }

void RoutesProcess::fail(const std::string& why) { throw InputError(file_, why); }

void RoutesProcess::ask(const std::string& line) {
  REPRISE_ASSERT(is_ours(), "a process asks its own child");
  const std::string text = line + '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = send(channel_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) tell_end();
    sent += static_cast<std::size_t>(count);
  }
}

std::string RoutesProcess::answer() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (std::size_t searched = begin_;;) {
    const auto end = received_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = received_.substr(begin_, end - begin_);
      begin_ = end + 1;
      if (begin_ == received_.size()) {
        received_.clear();
        begin_ = 0;
      }
      return line;
    }
    received_.erase(0, std::exchange(begin_, 0));
    searched = received_.size();
    if (searched > kLongestLine) fail("SimGrid's answer does not end");
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd channel{channel_, POLLIN, 0};
    if (left.count() <= 0)
      fail("SimGrid has not answered for " + std::to_string(kPatience.count()) + " s");
    const int ready = poll(&channel, 1, static_cast<int>(left.count()));
    if (ready <= 0) continue;
    std::array<char, 65536> piece{};
    const ssize_t count = read(channel_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) tell_end();
    received_.append(piece.data(), static_cast<std::size_t>(count));
  }
}

void RoutesProcess::tell_end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  const std::string words = first_words(words_);
  fail("SimGrid " +
       (WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                  strsignal(WTERMSIG(status)) + ")"
                            : "ended with exit status " + std::to_string(WEXITSTATUS(status))) +
       (words.empty() ? "" : ": " + words));
}

}  // namespace reprise::platforms
