#include "process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace opm::inline_test {

namespace {

using Clock = std::chrono::steady_clock;

std::string one_line(std::string_view text) {
  std::string result;
  for (char c : text) {
    bool space = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    if (!space) result += c;
    else if (!result.empty() && result.back() != ' ') result += ' ';
  }
  return result;
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void run_child(const std::string& path, int out, const ProcessLimits& limits) {
  rlimit processor{limits.seconds, limits.seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  rlimit memory{limits.bytes, limits.bytes};
  setrlimit(RLIMIT_AS, &memory);
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  Progress progress;
  progress.planned = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) write_all(out, fmt::format("plan\t{}\n", one_line(name)));
  };
  progress.done = [&](const Outcome& outcome) {
    const char* verdict = outcome.verdict == Verdict::pass ? "pass" : outcome.verdict == Verdict::skip ? "skip" : "fail";
    write_all(out, fmt::format("{}\t{}\t{}\t{}\n", verdict, one_line(outcome.name), one_line(outcome.reason),
                               one_line(outcome.directive)));
  };
  run_archive(parse_archive(text.str()), progress);
  write_all(out, "end\n");
  _exit(0);
}

struct Child {
  pid_t process = 0;
  int out = -1;
  std::size_t index = 0;
  std::string text;
  Clock::time_point deadline;
};

std::vector<std::string> split_tabs(const std::string& line) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  std::string part;
  while (std::getline(stream, part, '\t')) parts.push_back(part);
  parts.resize(std::max<std::size_t>(parts.size(), 4));
  return parts;
}

void collect(ArchiveResult& result, const std::string& text, const std::string& death) {
  std::stringstream stream(text);
  std::string line;
  std::vector<std::string> planned;
  bool ended = false;
  while (std::getline(stream, line)) {
    std::vector<std::string> parts = split_tabs(line);
    if (parts[0] == "plan") planned.push_back(parts[1]);
    if (parts[0] == "end") ended = true;
    if (parts[0] != "pass" && parts[0] != "fail" && parts[0] != "skip") continue;
    Verdict verdict = parts[0] == "pass" ? Verdict::pass : parts[0] == "skip" ? Verdict::skip : Verdict::fail;
    result.outcomes.push_back({parts[1], verdict, parts[2], parts[3]});
  }
  if (ended) return;
  // Nothing of an archive that brings the program down counts.
  std::size_t answered = result.outcomes.size();
  result.death = death + (answered < planned.size() ? " in " + planned[answered] : "");
  result.outcomes.clear();
  for (const std::string& name : planned) result.outcomes.push_back({name, Verdict::fail, result.death, ""});
  if (planned.empty()) result.outcomes.push_back({"(archive)", Verdict::fail, result.death, ""});
}

}  // namespace

std::vector<ArchiveResult> run_archives(const std::vector<std::string>& paths, unsigned jobs, const ProcessLimits& limits) {
  std::vector<ArchiveResult> results(paths.size());
  std::vector<Child> children;
  std::size_t next = 0;
  while (next < paths.size() || !children.empty()) {
    while (next < paths.size() && children.size() < std::max(1u, jobs)) {
      results[next].path = paths[next];
      int ends[2];
      if (pipe(ends) != 0) return results;
      pid_t process = fork();
      if (process == 0) {
        close(ends[0]);
        run_child(paths[next], ends[1], limits);
      }
      close(ends[1]);
      if (process < 0) {
        close(ends[0]);
        return results;
      }
      children.push_back({process, ends[0], next++, {}, Clock::now() + std::chrono::seconds(limits.wall_seconds)});
    }
    std::vector<pollfd> waiting;
    for (const Child& child : children) waiting.push_back({child.out, POLLIN, 0});
    poll(waiting.data(), waiting.size(), 200);
    for (std::size_t i = children.size(); i-- > 0;) {
      Child& child = children[i];
      bool late = Clock::now() > child.deadline;
      if (late) kill(child.process, SIGKILL);
      if (!late && waiting[i].revents == 0) continue;
      char buffer[65536];
      ssize_t count = late ? 0 : read(child.out, buffer, sizeof buffer);
      if (count > 0) {
        child.text.append(buffer, static_cast<std::size_t>(count));
        continue;
      }
      close(child.out);
      int status = 0;
      waitpid(child.process, &status, 0);
      std::string death = fmt::format("CRASH: exit code {}", WEXITSTATUS(status));
      if (WIFSIGNALED(status)) {
        int signal = WTERMSIG(status);
        bool hung = late || signal == SIGXCPU || signal == SIGKILL;
        death = hung ? std::string("HANG") : fmt::format("CRASH: {}", strsignal(signal));
      }
      collect(results[child.index], child.text, death);
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return results;
}

}  // namespace opm::inline_test
