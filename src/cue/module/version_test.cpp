#include "cue/module/version.h"

#include <gtest/gtest.h>

namespace opm::cue::module {
namespace {

TEST(Version, ShortFormsAreVersions) {
  EXPECT_TRUE(is_version("v1"));
  EXPECT_TRUE(is_version("v1.2"));
  EXPECT_TRUE(is_version("v1.2.3-rc.1+build.007"));
  for (const char* text : {"", "v", "1.2.3", "v01", "v1.2.3.4", "v1-rc", "v1.2-rc", "v1.2.3-", "v1.2.3-01",
                           "v1.2.3-a..b", "v1.2.3+", "v1.x"})
    EXPECT_FALSE(is_version(text)) << text;
}

TEST(Version, CanonicalFillsInAndDropsBuild) {
  EXPECT_EQ(canonical_version("v1"), "v1.0.0");
  EXPECT_EQ(canonical_version("v1.2"), "v1.2.0");
  EXPECT_EQ(canonical_version("v1.2.3-rc+b"), "v1.2.3-rc");
  EXPECT_EQ(canonical_version("x"), "");
  EXPECT_EQ(major_version("v12.3.4"), "v12");
  EXPECT_EQ(major_version("latest"), "");
  EXPECT_EQ(prerelease_of("v1.2.3-rc.1+b"), "-rc.1");
}

TEST(Version, OrderIsThatOfPrecedence) {
  const char* rising[] = {"none",
                          "v0.0.1",
                          "v0.9.0",
                          "v0.10.0-alpha",
                          "v0.10.0-alpha.1",
                          "v0.10.0-alpha.beta",
                          "v0.10.0-beta.2",
                          "v0.10.0-beta.11",
                          "v0.10.0",
                          "v1",
                          "v99999999999999999999.0.0"};
  for (std::size_t i = 0; i < std::size(rising); ++i)
    for (std::size_t j = 0; j < std::size(rising); ++j)
      EXPECT_EQ(compare_versions(rising[i], rising[j]), i <=> j) << rising[i] << " " << rising[j];
  EXPECT_EQ(compare_versions("v1.2.3+a", "v1.2.3+b"), std::strong_ordering::equal);
  EXPECT_EQ(compare_versions("v1", "v1.0.0"), std::strong_ordering::equal);
}

}  // namespace
}  // namespace opm::cue::module
