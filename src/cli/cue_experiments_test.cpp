#include "cli/cue_experiments.h"

#include <gtest/gtest.h>

namespace opm::cli {
namespace {

std::string wrong(const std::string& value) {
  return wrong_experiment(base::MemoryEnvironment({{"CUE_EXPERIMENT", value}})).value_or("fine");
}

TEST(CueExperiments, CompletedOnesMayBeNamed) {
  EXPECT_FALSE(wrong_experiment(base::MemoryEnvironment()));
  EXPECT_EQ(wrong("evalv3,embed=1,,toposort=true"), "fine");
  EXPECT_EQ(wrong("formatv2=0"), "fine");
}

TEST(CueExperiments, OthersAreWrong) {
  EXPECT_EQ(wrong("evalv3=0"), "error in CUE_EXPERIMENT: cannot disable stable experiment \"evalv3\"");
  EXPECT_EQ(wrong("formatv2"), "error in CUE_EXPERIMENT: cannot set experiment \"formatv2\" before version v0.18.0");
  EXPECT_EQ(wrong("x,a"), "error in CUE_EXPERIMENT: unknown experiment \"a\"\nunknown experiment \"x\"");
  EXPECT_EQ(wrong("embed=maybe"), "cannot parse CUE_EXPERIMENT: invalid value \"maybe\" for experiment \"embed\"");
}

}  // namespace
}  // namespace opm::cli
