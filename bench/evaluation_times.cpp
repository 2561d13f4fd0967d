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

// What a program spends on this cannot be told from outside, so it is done once more.
double time_loading(const Case& work, bool& is_well) {
  auto start = Clock::now();
  {
    cue::load::LoadOptions options = load_options(work);
    options.is_standard_package = cue::standard::is_standard_path;
    diag::SourceMap sources;
    cue::load::LoadResult loaded = cue::load::load(work.files, options, sources);
    is_well = loaded.errors.empty();
    for (const cue::load::Package& package : loaded.packages) is_well = is_well && package.errors.empty();
  }
  return microseconds(start);
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

// As the commands of the same names do it. False: there are errors.
bool evaluate(const Case& work, std::string& text, double& write_time) {
  std::shared_ptr<const cue::Program> program = cue::Program::load(work.files, load_options(work));
  if (!program->errors().empty() || program->instances().empty()) return false;
  for (const cue::Instance& instance : program->instances()) {
    if (!instance.errors.empty()) return false;
  }
  cue::Context context(program);
  cue::Value value = context.instance(0);
  if (!value.validate().empty()) return false;
  auto start = Clock::now();
  bool is_well = write(context, value, work.is_export, text);
  write_time = microseconds(start);
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
    double load_time = time_loading(work, is_loaded);
    std::string text;
    double write_time = 0;
    auto start = Clock::now();
    cue::run_on_large_stack([&] { is_well = evaluate(work, text, write_time); });
    double all = microseconds(start);
    if (round == 0) continue;
    loading.push_back(load_time);
    evaluation.push_back(all - load_time - write_time);
    writing.push_back(write_time);
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
