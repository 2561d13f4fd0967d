// Runs programs in turns and says how long they took. Nothing of what it does itself is counted but the start of a process and
// the wait for its end, and it is small: a child starts from the pages of its parent, and the kernel's peak of its memory is never
// less than its parent's was.
//
//   launch [OPTION VALUE]... SEPARATOR PROGRAM [ARGUMENT]... [SEPARATOR PROGRAM [ARGUMENT]...]...
//
//   --folder FOLDER     where the programs run
//   --prepare SCRIPT    a shell runs it before each run; not timed
//   --least N --most N  turns; each program runs in each of them
//   --budget SECONDS    no further turn after so long, once the least number is reached
//   --row N             runs of a program one after the other in a turn. The first of a row is not counted: it finds the caches of
//                       the processor full of what the other program left there. With 1 there are no uncounted runs at all
//   --long SECONDS      a run that takes longer does not notice what is in the caches: it counts, and its row ends with it
//
// It prints an object of JSON on a line for each program.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace {

struct Run {
  double seconds = 0;
  double processor_seconds = 0;
  double peak_kilobytes = 0;
};

struct Program {
  std::vector<char*> words;  // the last one is null
  std::vector<Run> runs;
  int code = 0;  // of the last run; less than nothing: the signal that ended it
};

struct Plan {
  const char* folder = ".";
  char* prepare = nullptr;
  long least = 1;
  long most = 1;
  long row = 1;
  double budget = 0;
  double long_run = 0.1;
  std::vector<Program> programs;
};

[[noreturn]] void fail(const char* what, const char* which) {
  std::fprintf(stderr, "launch: %s: %s\n", what, which);
  std::exit(2);
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Run run_once(char* const* words, const posix_spawn_file_actions_t& actions, int& code) {
  rusage usage{};
  int status = 0;
  pid_t child = 0;
  double start = now();
  if (int error = posix_spawn(&child, words[0], &actions, nullptr, words, environ)) {
    fail(words[0], std::strerror(error));
  }
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  double end = now();
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return {end - start, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), static_cast<double>(usage.ru_maxrss)};
}

class Launcher {
 public:
  explicit Launcher(Plan& plan) : plan_(plan) {
    for (auto* actions : {&quiet_, &actions_}) posix_spawn_file_actions_init(actions);
    // In the child: a preparation may have made the folder anew.
    posix_spawn_file_actions_addchdir_np(&actions_, plan.folder);
    for (auto* actions : {&quiet_, &actions_}) {
      posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
      posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDOUT_FILENO);
      posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDERR_FILENO);
    }
  }
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  ~Launcher() {
    for (auto* actions : {&quiet_, &actions_}) posix_spawn_file_actions_destroy(actions);
  }

  void run_all() {
    double start = now();
    if (plan_.row > 1) {  // so that files are in memory
      for (Program& program : plan_.programs) prepared_run(program);
    }
    for (long turn = 1; turn <= plan_.most; ++turn) {
      for (Program& program : plan_.programs) run_row(program);
      if (turn >= plan_.least && now() - start > plan_.budget) break;
    }
  }

 private:
  void run_row(Program& program) {
    for (long number = 0; number < plan_.row; ++number) {
      Run run = prepared_run(program);
      bool is_long = run.seconds > plan_.long_run;
      if (number > 0 || plan_.row == 1 || is_long) program.runs.push_back(run);
      if (is_long) break;
    }
  }

  Run prepared_run(Program& program) {
    if (plan_.prepare) {
      char shell[] = "/bin/sh", option[] = "-c";
      char* words[] = {shell, option, plan_.prepare, nullptr};
      int code = 0;
      run_once(words, quiet_, code);
      if (code != 0) fail("the preparation fails", plan_.prepare);
    }
    return run_once(program.words.data(), actions_, program.code);
  }

  Plan& plan_;
  posix_spawn_file_actions_t quiet_{};
  posix_spawn_file_actions_t actions_{};  // the same, in the folder
};

double median(const std::vector<Run>& runs, double Run::*what) {
  std::vector<double> sorted;
  for (const Run& run : runs) sorted.push_back(run.*what);
  std::sort(sorted.begin(), sorted.end());
  std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

void print(const Program& program) {
  auto faster = [](const Run& left, const Run& right) { return left.seconds < right.seconds; };
  double least = std::min_element(program.runs.begin(), program.runs.end(), faster)->seconds;
  std::printf(
      "{\"seconds\": %.9f, \"least_seconds\": %.9f, \"cpu_seconds\": %.9f, \"peak_kilobytes\": %.0f, \"code\": %d, "
      "\"runs\": %zu}\n",
      median(program.runs, &Run::seconds), least, median(program.runs, &Run::processor_seconds),
      median(program.runs, &Run::peak_kilobytes), program.code, program.runs.size());
}

std::optional<double> number(const char* text) {
  char* end = nullptr;
  double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= 0 && value < 1e9)) return std::nullopt;
  return value;
}

Plan read_plan(int count, char** words) {
  Plan plan;
  int next = 1;
  for (; next < count && std::string_view(words[next]).starts_with("--"); next += 2) {
    std::string_view option = words[next];
    if (next + 1 == count) fail("the option needs a value", words[next]);
    char* value = words[next + 1];
    if (option == "--folder") {
      plan.folder = value;
    } else if (option == "--prepare") {
      plan.prepare = value;
    } else {
      std::optional<double> amount = number(value);
      if (!amount) fail("not a number", value);
      if (option == "--budget") {
        plan.budget = *amount;
      } else if (option == "--long") {
        plan.long_run = *amount;
      } else {
        long whole = std::max(1L, static_cast<long>(*amount));
        if (option == "--least") plan.least = whole;
        else if (option == "--most") plan.most = whole;
        else if (option == "--row") plan.row = whole;
        else fail("unknown option", words[next]);
      }
    }
  }
  if (next == count) fail("no programs", "a separator and a program must follow the options");
  std::string_view separator = words[next];
  for (; next < count; ++next) {
    if (words[next] == separator) plan.programs.emplace_back();
    else plan.programs.back().words.push_back(words[next]);
  }
  for (Program& program : plan.programs) {
    if (program.words.empty()) fail("no program after the separator", separator.data());
    program.words.push_back(nullptr);
  }
  return plan;
}

}  // namespace

int main(int count, char** words) {
  Plan plan = read_plan(count, words);
  Launcher(plan).run_all();
  for (const Program& program : plan.programs) print(program);
}
