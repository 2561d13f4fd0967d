#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

extern char** environ;

namespace opm::base {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }
  int get() const { return value_; }

 private:
  int value_;
};

struct Pipe {
  Descriptor reader, writer;
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reader = Descriptor(ends[0]);
    writer = Descriptor(ends[1]);
    return true;
  }
};

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::unexpected<FileError> fail(int code) { return std::unexpected(system_error(code)); }

// Moves data until both outputs are closed; false: too slow or too much.
bool converse(Pipe& in, Pipe& out, Pipe& err, const ProcessOptions& options, ProcessResult& result) {
  std::string_view input = options.input;
  if (input.empty()) in.writer.close();
  ::fcntl(in.writer.get(), F_SETFL, O_NONBLOCK);
  auto deadline = std::chrono::steady_clock::now() + options.timeout;
  std::array<char, 16 * 1024> buffer;
  while (out.reader.get() >= 0 || err.reader.get() >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    std::array<pollfd, 3> waiting{pollfd{out.reader.get(), POLLIN, 0}, pollfd{err.reader.get(), POLLIN, 0},
                                  pollfd{in.writer.get(), POLLOUT, 0}};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    for (auto [pipe, text, events] : {std::tuple(&out, &result.out, waiting[0].revents),
                                      std::tuple(&err, &result.err, waiting[1].revents)}) {
      if (events == 0) continue;
      ssize_t count = ::read(pipe->reader.get(), buffer.data(), buffer.size());
      if (count > 0) text->append(buffer.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR) pipe->reader.close();
      if (text->size() > options.max_output) return false;
    }
    if (waiting[2].revents != 0) {
      ssize_t count = ::write(in.writer.get(), input.data(), input.size());
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      if ((count < 0 && errno != EAGAIN && errno != EINTR) || input.empty()) in.writer.close();
    }
  }
  return true;
}

}  // namespace

std::expected<ProcessResult, FileError> run_process(const std::vector<std::string>& words,
                                                    const ProcessOptions& options) {
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open()) return fail(errno);
  SpawnActions actions;
  ::posix_spawn_file_actions_adddup2(actions.get(), out.writer.get(), STDOUT_FILENO);
  if (!options.at_terminal) {
    ::posix_spawn_file_actions_adddup2(actions.get(), in.reader.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(actions.get(), err.writer.get(), STDERR_FILENO);
  }
  if (!options.directory.empty()) ::posix_spawn_file_actions_addchdir_np(actions.get(), options.directory.c_str());
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<std::string> added;
  for (const auto& [name, value] : options.variables) added.push_back(name + "=" + value);
  std::vector<char*> variables;
  for (std::string& line : added) variables.push_back(line.data());
  for (char** line = environ; *line != nullptr; ++line) {
    std::string_view name = std::string_view(*line).substr(0, std::string_view(*line).find('='));
    if (std::ranges::find(options.variables, name, &std::pair<std::string, std::string>::first) ==
        options.variables.end())
      variables.push_back(*line);
  }
  variables.push_back(nullptr);
  pid_t child = 0;
  int code = ::posix_spawnp(&child, arguments.front(), actions.get(), nullptr, arguments.data(), variables.data());
  if (code != 0) return fail(code);
  in.reader.close();
  out.writer.close();
  err.writer.close();

  // A helper that ends before it has read everything must not end us.
  struct sigaction ignore {}, before {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  ProcessResult result;
  bool done = converse(in, out, err, options, result);
  ::sigaction(SIGPIPE, &before, nullptr);
  if (!done) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!done) return std::unexpected(FileError{FileErrorKind::other, words.front() + " did not end, or said too much"});
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

bool input_is_terminal() { return ::isatty(STDIN_FILENO) == 1; }

}  // namespace opm::base
