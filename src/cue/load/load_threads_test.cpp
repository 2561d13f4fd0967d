#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cue/load/load.h"

namespace opm::cue::load {
namespace {

std::vector<std::string> errors_of(const base::FileSystem& files, unsigned threads) {
  LoadOptions options;
  options.directory = "/m";
  options.files = &files;
  options.threads = threads;
  diag::SourceMap sources;
  LoadResult result = cue::load::load({"./..."}, options, sources);
  std::vector<std::string> texts;
  for (const diag::Diagnostic& error : result.errors) {
    diag::Location place = sources.locate(error.positions.at(0));
    texts.push_back(std::string(place.file) + ":" + std::to_string(place.line) + ": " + error.message + " " +
                    std::to_string(error.positions.at(0).value));
  }
  return texts;
}

TEST(LoadThreads, ManyThreadsGiveTheSameResultAsOne) {
  base::MemoryFileSystem files{
      {"/m/cue.mod/module.cue", "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\n"}};
  for (int i = 0; i < 200; ++i) {
    std::string name = "/m/p" + std::to_string(i % 7) + "/f" + std::to_string(1000 + i) + ".cue";
    files.add_file(name, "package x\n" + std::string(4000, '\n') + "a" + std::to_string(i) + ": ]\n");
  }
  std::vector<std::string> one = errors_of(files, 1);
  EXPECT_GE(one.size(), 200u);
  EXPECT_EQ(errors_of(files, 8), one);
}

}  // namespace
}  // namespace opm::cue::load
