// Says how long evaluations take within the process, without its start: tests/tools/cue/times does the same with cue's own
// packages. A line of input is a command (eval or export), a folder and the files in it, separated by tabs. A line of output is a
// verdict (0: all is well, 1: there are errors, 2: they are found when it is read and parsed) and three times in microseconds: to read
// and parse the files, to compile them and to evaluate and check everything, and to write it as CUE or JSON.
// Each round starts from nothing; the first one is not counted, the figures are medians of the others.
//
//   evaluation_times ROUNDS
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/pages.h"
#include "cue/load/load.h"
#include "cue/std/standard.h"
#include "cue/value.h"
#include "data/json.h"

namespace {

using namespace opm;
using Clock = std::chrono::steady_clock;

struct Case {
  bool is_export = false;
  std::string folder;
  std::vector<std::string> files;
};

Case read_case(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t begin = 0;;) {
    std::size_t end = line.find('\t', begin);
    words.push_back(line.substr(begin, end - begin));
    if (end == line.npos) break;
    begin = end + 1;
  }
  Case result;
  if (words.size() < 3) return result;
  result.is_export = words[0] == "export";
  result.folder = words[1];
  result.files.assign(words.begin() + 2, words.end());
  return result;
}

// As the commands of the same names load.
cue::load::LoadOptions load_options(const Case& work) {
  cue::load::LoadOptions options;
  options.directory = work.folder;
  options.comments = false;
  options.all_standard_packages = false;
  return options;
}

double microseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::micro>(Clock::now() - from).count();
}

// As the command of that name writes what it is given. False: there are errors.
bool write(cue::Context& context, const cue::Value& value, bool is_export, std::string& text) {
  if (is_export) {
    auto data = value.to_data();
    if (!data) return false;
    data::JsonWriteOptions options;
    options.indent = 4;
    text = data::write_json(*data, options);
    return true;
  }
  if (!value.validate({.to_be_shown = true}).empty()) return false;
  cue::SourceSettings settings;
  settings.definitions = true;
  settings.indent_spaces = 4;
  text = value.to_cue(settings);
  return context.exhaustion().empty();
}

struct Times {
  double loading = 0, evaluation = 0, writing = 0;
};

// As the commands of the same names do it. False: there are errors.
bool evaluate(const Case& work, Times& times, bool& is_loaded) {
  auto start = Clock::now();
  std::vector<cue::LoadRequest> requests;
  requests.push_back({work.files, load_options(work)});
  cue::ProgramFiles files(std::move(requests));
  times.loading = microseconds(start);
  start = Clock::now();
  std::shared_ptr<const cue::Program> program = std::move(files).compile();
  const cue::load::LoadResult& loaded = program->loaded();
  is_loaded = loaded.errors.empty() && std::ranges::all_of(loaded.packages, [](const auto& package) { return package.errors.empty(); });
  bool is_compiled = program->errors().empty() && !program->instances().empty() &&
                     std::ranges::all_of(program->instances(), [](const auto& instance) { return instance.errors.empty(); });
  if (!is_compiled) {
    times.evaluation = microseconds(start);
    return false;
  }
  cue::Context context(program);
  cue::Value value = context.instance(0);
  bool is_well = value.validate().empty();
  times.evaluation = microseconds(start);
  if (!is_well) return false;
  start = Clock::now();
  std::string text;
  is_well = write(context, value, work.is_export, text);
  times.writing = microseconds(start);
  return is_well;
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  std::size_t middle = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

void run(const Case& work, int rounds) {
  std::vector<double> loading, evaluation, writing;
  bool is_loaded = false, is_well = false;
  for (int round = 0; round <= rounds; ++round) {
    Times times;
    cue::run_on_large_stack([&] { is_well = evaluate(work, times, is_loaded); });
    if (round == 0) continue;
    loading.push_back(times.loading);
    evaluation.push_back(times.evaluation);
    writing.push_back(times.writing);
  }
  std::printf("%d\t%.2f\t%.2f\t%.2f\n", !is_loaded ? 2 : is_well ? 0 : 1, median(loading), median(evaluation), median(writing));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  base::tune_heap();
  base::open_heap();
  int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 9;
  for (std::string line; std::getline(std::cin, line);) run(read_case(line), rounds);
}
