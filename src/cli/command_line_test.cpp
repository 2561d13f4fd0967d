#include "cli/command_line.h"

#include <gtest/gtest.h>

namespace opm::cli {
namespace {

// A command line with one command of each kind, as commands declare them.
struct CommandLineTest : testing::Test {
  Output out = Output::to_text();
  Output err = Output::to_text();
  Session session{out, err};
  CommandLine line;
  bool loud = false;
  std::string name;
  std::optional<std::string> maybe;
  int count = 1;
  std::vector<std::string> tags;
  std::string colour = "auto";
  std::string verbose = "off";
  std::string first;
  std::string second;
  std::vector<std::string> rest;
  int runs = 0;

  CommandLineTest() {
    Command group = line.root().add("group", "A group");
    group.flag_or_value("-v,--verbose", verbose, "text", "json", "Say more");
    group.add("work", "Work")
        .flag("-l,--loud", loud, "Be loud")
        .option("-n,--name", name, "NAME", "A name")
        .option("-m,--maybe", maybe, "TEXT", "Or nothing")
        .option("-c,--count", count, "N", "How often")
        .option("-t,--tag", tags, "TAG", "A tag")
        .choice("--colour", colour, {"auto", "never"}, "Colour")
        .argument("first", first, "The first")
        .optional_argument("second", second, "The second")
        .arguments("rest", rest, "The others")
        .run([this] {
          ++runs;
          return ExitCode::invalid;
        });
    group.add("idle", "Do nothing");
  }

  ExitCode run(std::vector<const char*> words) {
    words.insert(words.begin(), "opm");
    return line.run(words, session);
  }
};

TEST_F(CommandLineTest, TakesHundredsOfArguments) {
  std::vector<std::string> files;
  for (int i = 0; i < 300; ++i) files.push_back("file" + std::to_string(i) + ".cue");
  std::vector<const char*> words{"group", "work", "-l", "-n"};
  for (const std::string& file : files) words.push_back(file.c_str());
  EXPECT_EQ(run(words), ExitCode::invalid);
  EXPECT_TRUE(loud);
  EXPECT_EQ(name, "file0.cue");
  EXPECT_EQ(first, "file1.cue");
  EXPECT_EQ(second, "file2.cue");
  EXPECT_EQ(rest, std::vector<std::string>(files.begin() + 3, files.end()));

  words.insert(words.begin() + 2, "--lout");
  EXPECT_EQ(run(words), ExitCode::failure);
  EXPECT_NE(err.text().find("unknown flag \"--lout\""), std::string_view::npos);
  EXPECT_EQ(runs, 1);
}

TEST_F(CommandLineTest, SetsTargetsAndReturnsWhatTheActionReturns) {
  EXPECT_EQ(run({"group", "work", "-l", "-n", "a b", "--maybe=x", "-c", "7", "-t", "p", "1", "-t", "q", "2", "3", "-"}),
            ExitCode::invalid);
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(loud);
  EXPECT_EQ(name, "a b");
  EXPECT_EQ(maybe, "x");
  EXPECT_EQ(count, 7);
  EXPECT_EQ(tags, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(first, "1");
  EXPECT_EQ(second, "2");
  EXPECT_EQ(rest, (std::vector<std::string>{"3", "-"}));
}

// So that what a script passes on can add to what it says itself.
TEST_F(CommandLineTest, OfAnOptionThatIsGivenTwiceTheLastCounts) {
  EXPECT_EQ(run({"group", "work", "-n", "a", "--maybe=x", "-c", "7", "--colour", "auto", "1", "-n", "b", "-m", "y", "--count=8",
                 "--colour", "never"}),
            ExitCode::invalid);
  EXPECT_EQ(name, "b");
  EXPECT_EQ(maybe, "y");
  EXPECT_EQ(count, 8);
  EXPECT_EQ(colour, "never");
}

TEST_F(CommandLineTest, LeavesTargetsAloneThatAreNotNamed) {
  run({"group", "work", "1"});
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(maybe.has_value());
  EXPECT_EQ(count, 1);
  EXPECT_EQ(colour, "auto");
  EXPECT_EQ(verbose, "off");
}

TEST_F(CommandLineTest, ArgumentsMayBeNamedLikeCommands) {
  run({"group", "work", "group", "idle", "work"});
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(first, "group");
  EXPECT_EQ(second, "idle");
  EXPECT_EQ(rest, (std::vector<std::string>{"work"}));
}

TEST_F(CommandLineTest, AValueMayLookLikeAFlagAndAnArgumentToo) {
  run({"group", "work", "-n", "-l", "--", "--loud"});
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(loud);
  EXPECT_EQ(name, "-l");
  EXPECT_EQ(first, "--loud");
}

TEST_F(CommandLineTest, FlagsOfTheGroupMayStandBehindTheCommand) {
  run({"group", "work", "1", "--verbose"});
  EXPECT_EQ(verbose, "text");
  run({"group", "-v", "work", "1"});
  EXPECT_EQ(verbose, "text");
  run({"group", "work", "--verbose=json", "1"});
  EXPECT_EQ(verbose, "json");
  EXPECT_EQ(first, "1");
}

TEST_F(CommandLineTest, SaysWhatIsWrongAndRunsNothing) {
  for (std::vector<const char*> words : std::vector<std::vector<const char*>>{{"group", "work"},
                                                                              {"group", "work", "1", "--count", "many"},
                                                                              {"group", "work", "1", "--colour", "red"},
                                                                              {"group", "work", "1", "--what"},
                                                                              {"group", "play"},
                                                                              {"group", "work", "1", "-n"}}) {
    EXPECT_EQ(run(words), ExitCode::failure) << words.back();
  }
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(out.text(), "");
  EXPECT_EQ(err.text(),
            "error: first is required\n"
            "  help: run \"opm group work --help\" for what it takes\n"
            "error: --count: \"many\" is not a whole number\n"
            "  help: run \"opm group work --help\" for what it takes\n"
            "error: --colour: \"red\" is not one of auto, never\n"
            "  help: run \"opm group work --help\" for what it takes\n"
            "error: unknown flag \"--what\" for \"opm group work\"\n"
            "  help: run \"opm group work --help\" for what it takes\n"
            "error: unknown command \"play\" for \"opm group\"\n"
            "  help: run \"opm group --help\" for what it takes\n"
            "error: --name needs a value\n"
            "  help: run \"opm group work --help\" for what it takes\n");
}

TEST_F(CommandLineTest, AGroupOnItsOwnShowsItsHelp) {
  EXPECT_EQ(run({"group"}), ExitCode::success);
  EXPECT_NE(out.text().find("Usage: opm group"), std::string_view::npos) << out.text();
}

}  // namespace
}  // namespace opm::cli
