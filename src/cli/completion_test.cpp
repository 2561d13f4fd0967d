#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandDescription commands() {
  OptionDescription verbose{{"-v", "--verbose"}, "json", {"json"}, false, false, false, true, "Say more"};
  OptionDescription output{{"-o", "--output"}, "yaml|json", {"yaml", "json"}, false, false, false, false, "Format"};
  OptionDescription environment{{"-e", "--environment"}, "ENVIRONMENT", {}, false, false, true, false, "Which"};
  OptionDescription folder{{"-C", "--directory"}, "DIR", {}, false, false, false, false, "Where"};
  OptionDescription release{{"RELEASE"}, "", {}, true, true, false, false, "Which"};
  OptionDescription files{{"FILE"}, "", {}, true, false, true, false, "Files"};
  CommandDescription build{"build", "Builds", "", false, {release, files, verbose, output, environment, folder}, {}};
  CommandDescription secret{"__secret", "Hidden", "", true, {}, {}};
  CommandDescription group{"mod", "Group", "", false, {{{"--quiet"}, "", {}, false, false, false, false, "Say less"}}, {build}};
  return {"opm", "", "", false, {}, {group, build, secret}};
}

class CompletionTest : public testing::Test {
 protected:
  std::vector<std::string> values(std::vector<std::string> words) {
    result = complete(commands(), words, [this](NameKind kind, const GivenWords& given) -> std::vector<Candidate> {
      asked = given;
      if (kind == NameKind::release) return {{"shop", "a release"}, {"site", {}}};
      if (kind == NameKind::environment) return {{"prod", {}}, {"staging", {}}};
      return {};
    });
    std::vector<std::string> found;
    for (const Candidate& candidate : result.candidates) found.push_back(candidate.value);
    return found;
  }
  Completion result;
  GivenWords asked;
};

TEST_F(CompletionTest, Commands) {
  EXPECT_THAT(values({""}), ElementsAre("mod", "build"));
  EXPECT_THAT(values({"mod", "b"}), ElementsAre("build"));
  EXPECT_THAT(values({}), ElementsAre("mod", "build"));
  EXPECT_THAT(values({"x"}), IsEmpty());
}

TEST_F(CompletionTest, FlagsOfTheCommandAndOfTheGroupsAboveIt) {
  EXPECT_THAT(values({"mod", "build", "--"}), ElementsAre("--verbose", "--output", "--environment", "--directory", "--quiet"));
  EXPECT_THAT(values({"build", "-o", "json", "-e", "a", "--"}), ElementsAre("--verbose", "--environment", "--directory"));
}

TEST_F(CompletionTest, ValuesOfFlags) {
  EXPECT_THAT(values({"build", "-o", ""}), ElementsAre("yaml", "json"));
  EXPECT_THAT(values({"build", "--output=y"}), ElementsAre("--output=yaml"));
  EXPECT_THAT(values({"build", "--verbose="}), ElementsAre("--verbose=json"));
  EXPECT_THAT(values({"build", "--verbose", "s"}), ElementsAre("shop", "site"));  // it takes none behind a space
  EXPECT_THAT(values({"build", "-C", ""}), IsEmpty());
  EXPECT_EQ(result.rest, CompletionRest::folders);
}

TEST_F(CompletionTest, ArgumentsInTheirOrder) {
  EXPECT_THAT(values({"build", "si"}), ElementsAre("site"));
  EXPECT_THAT(values({"build", "shop", ""}), IsEmpty());
  EXPECT_EQ(result.rest, CompletionRest::files);
  EXPECT_THAT(values({"build", "shop", "a", "b", ""}), IsEmpty());
  EXPECT_EQ(result.rest, CompletionRest::files);
  EXPECT_THAT(values({"build", "--", "-s"}), IsEmpty());
}

TEST_F(CompletionTest, NamesAreAskedForWithWhatStandsOnTheLine) {
  EXPECT_THAT(values({"build", "shop", "--directory=there", "-e", "p"}), ElementsAre("prod"));
  EXPECT_EQ(asked.find("RELEASE")->second, "shop");
  EXPECT_EQ(asked.find("--directory")->second, "there");
}

TEST_F(CompletionTest, TextIsOneLineEachWithoutControls) {
  Completion given{{{"a\x1b[31m", "first\nline"}, {"b", ""}}, CompletionRest::nothing};
  EXPECT_EQ(completion_text(given), "a[31m\tfirstline\nb\n:4\n");
}

TEST(CompletionScript, IsThereForThreeShells) {
  for (std::string_view shell : {"bash", "zsh", "fish"}) {
    std::string script = completion_script(shell, "opm");
    EXPECT_THAT(script, HasSubstr("__complete"));
    EXPECT_THAT(script, testing::Not(HasSubstr("PROGRAM")));
  }
  EXPECT_EQ(completion_script("csh", "opm"), "");
}

}  // namespace
}  // namespace opm::cli
