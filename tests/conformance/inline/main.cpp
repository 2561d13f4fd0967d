// Scores the engine by the assertions that CUE's own test suite carries in its archives.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "process.h"

namespace {

using opm::inline_test::ArchiveResult;
using opm::inline_test::Outcome;
using opm::inline_test::Verdict;

constexpr std::string_view kUsage =
    "usage: inline_conformance [--filter TEXT] [--verbose] [--list-failures] [--cases] [--jobs N] FOLDER...\n"
    "  --filter TEXT    only archives whose path contains TEXT\n"
    "  --verbose        each failing assertion: what it says, and what is wrong\n"
    "  --list-failures  the names of the failing assertions, nothing else\n"
    "  --cases          a line for each assertion: verdict, name, reason, separated by tabs\n"
    "  --jobs N         archives at a time\n";

struct Options {
  std::string filter;
  bool verbose = false;
  bool list_failures = false;
  bool cases = false;
  unsigned jobs = 2;
  std::vector<std::string> folders;
};

bool parse(int count, char** words, Options& options) {
  for (int i = 1; i < count; ++i) {
    std::string_view word = words[i];
    if (word == "--verbose") options.verbose = true;
    else if (word == "--list-failures") options.list_failures = true;
    else if (word == "--cases") options.cases = true;
    else if (word == "--filter" && i + 1 < count) options.filter = words[++i];
    else if (word == "--jobs" && i + 1 < count) options.jobs = static_cast<unsigned>(std::max(1, std::atoi(words[++i])));
    else if (word.starts_with('-')) return false;
    else options.folders.emplace_back(word);
  }
  return !options.folders.empty();
}

bool has_tests(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text.find("@test(") != std::string::npos;
}

struct Found {
  std::string path;
  std::string name;  // folder/archive, relative to where the search began
};

std::vector<Found> find_archives(const Options& options) {
  std::vector<Found> found;
  for (const std::string& folder : options.folders) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder, error)) {
      found.push_back({folder, std::filesystem::path(folder).stem().string()});
      continue;
    }
    for (auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".txtar" || !has_tests(entry.path())) continue;
      std::filesystem::path relative = std::filesystem::relative(entry.path(), folder);
      std::string name = relative.replace_extension().generic_string();
      if (name.find(options.filter) != std::string::npos) found.push_back({entry.path().string(), name});
    }
  }
  std::ranges::sort(found, {}, &Found::name);
  return found;
}

struct Score {
  std::size_t passed = 0, counted = 0, skipped = 0, full = 0, files = 0;
  void add(const Score& other) {
    passed += other.passed;
    counted += other.counted;
    skipped += other.skipped;
    full += other.full;
    files += other.files;
  }
};

Score score_of(const ArchiveResult& result) {
  Score score;
  for (const Outcome& outcome : result.outcomes) {
    if (outcome.verdict == Verdict::skip) ++score.skipped;
    else ++score.counted;
    if (outcome.verdict == Verdict::pass) ++score.passed;
  }
  if (score.counted > 0) {
    score.files = 1;
    score.full = score.passed == score.counted ? 1 : 0;
  }
  return score;
}

void print_row(std::string_view name, const Score& score) {
  double percent = score.counted == 0 ? 0 : 100.0 * static_cast<double>(score.passed) / static_cast<double>(score.counted);
  fmt::print("{:<28} {:>5} / {:<5} {:>5.1f} %   files {:>3} / {:<3}\n", name, score.passed, score.counted, percent, score.full,
             score.files);
}

}  // namespace

int main(int count, char** words) {
  Options options;
  if (!parse(count, words, options)) {
    std::cerr << kUsage;
    return 2;
  }
  std::vector<Found> archives = find_archives(options);
  if (archives.empty()) {
    std::cerr << "no archives with assertions found\n";
    return 2;
  }
  std::vector<std::string> paths;
  for (const Found& archive : archives) paths.push_back(archive.path);
  std::vector<ArchiveResult> results = opm::inline_test::run_archives(paths, options.jobs, {});

  std::map<std::string, Score> folders;
  Score total;
  std::size_t deaths = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ArchiveResult& result = results[i];
    const std::string& name = archives[i].name;
    Score score = score_of(result);
    std::size_t slash = name.rfind('/');
    folders[slash == std::string::npos ? "." : name.substr(0, slash)].add(score);
    total.add(score);
    if (!result.death.empty()) ++deaths;
    if (options.cases) {
      for (const Outcome& outcome : result.outcomes) {
        const char* verdict = outcome.verdict == Verdict::pass ? "pass" : outcome.verdict == Verdict::skip ? "skip" : "fail";
        fmt::print("{}\t{} {}\t{}\n", result.death.empty() ? verdict : "crash", name, outcome.name, outcome.reason);
      }
      continue;
    }
    if (options.list_failures) {
      for (const Outcome& outcome : result.outcomes) {
        if (outcome.verdict == Verdict::fail) fmt::print("{} {}\n", name, outcome.name);
      }
      continue;
    }
    fmt::print("{:<60} {:>3} / {:<3} {}\n", name, score.passed, score.counted, result.death);
    if (!options.verbose) continue;
    for (const Outcome& outcome : result.outcomes) {
      if (outcome.verdict != Verdict::fail) continue;
      fmt::print("    FAIL {} {}\n         {}\n         {}\n", name, outcome.name, outcome.directive, outcome.reason);
    }
  }
  if (options.cases || options.list_failures) return 0;
  fmt::print("\n");
  for (const auto& [folder, score] : folders) print_row(folder, score);
  print_row("total", total);
  fmt::print("{} crashed or hung, {} assertions skipped\n", deaths, total.skipped);
  return 0;
}
