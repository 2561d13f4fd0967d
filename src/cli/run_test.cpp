#include "cli/run.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace opm::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Result {
  ExitCode code;
  std::string out;
  std::string err;
};

Result run_words(std::vector<const char*> words) {
  words.insert(words.begin(), "opm");
  Output out = Output::to_text();
  Output err = Output::to_text();
  ExitCode code = run(words, out, err);
  return {code, std::string(out.text()), std::string(err.text())};
}

TEST(Run, WithoutWordsShowsTheHelp) {
  Result result = run_words({});
  EXPECT_EQ(result.code, ExitCode::success);
  EXPECT_THAT(result.out, HasSubstr("version"));
  EXPECT_EQ(result.err, "");
}

TEST(Run, HelpInFrontOrBehindIsTheSame) {
  EXPECT_EQ(run_words({"help"}).out, run_words({"--help"}).out);
  EXPECT_EQ(run_words({"help", "version"}).out, run_words({"version", "--help"}).out);
  EXPECT_THAT(run_words({"help", "version"}).out, HasSubstr("--output"));
}

TEST(Run, HelpForWhatIsNotThereIsAnError) {
  Result result = run_words({"help", "sing"});
  EXPECT_EQ(result.code, ExitCode::failure);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: unknown command \"sing\" for \"opm\"\n"));
}

TEST(Run, WrongUsageNamesTheWordAndTheHelp) {
  Result result = run_words({"sing"});
  EXPECT_EQ(result.code, ExitCode::failure);
  EXPECT_EQ(result.err, "error: unknown command \"sing\" for \"opm\"\n  help: run \"opm --help\" for what it takes\n");
  EXPECT_THAT(run_words({"version", "--loud"}).err, StartsWith("error: unknown flag \"--loud\" for \"opm version\"\n"));
  EXPECT_THAT(run_words({"version", "loud"}).err, StartsWith("error: unexpected argument \"loud\" for \"opm version\"\n"));
  EXPECT_THAT(run_words({"version", "-o", "xml"}).err, HasSubstr("\"xml\" is not one of text, json\n"));
  EXPECT_EQ(run_words({"version", "-o"}).code, ExitCode::failure);
}

TEST(Run, AReaderThatLeavesIsNoFailure) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  auto before = std::signal(SIGPIPE, SIG_IGN);
  Output out(ends[1]);
  Output err = Output::to_text();
  const char* words[] = {"opm", "version"};
  EXPECT_EQ(run(words, out, err), ExitCode::success);
  EXPECT_EQ(err.text(), "");
  std::signal(SIGPIPE, before);
  close(ends[1]);
}

TEST(Run, OutputThatCannotBeWrittenIsAFailure) {
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  Output out(full);
  Output err = Output::to_text();
  const char* words[] = {"opm", "version"};
  EXPECT_EQ(run(words, out, err), ExitCode::failure);
  EXPECT_EQ(err.text(), "error: cannot write to standard output: No space left on device\n");
  close(full);
}

TEST(Output, KeepsOrderOverManyPieces) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Output out(ends[1]);
  out.print("{}-", 1);
  out.write("2");
  EXPECT_TRUE(out.flush());
  char text[8];
  ASSERT_EQ(read(ends[0], text, sizeof text), 3);
  EXPECT_EQ(std::string_view(text, 3), "1-2");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace opm::cli
