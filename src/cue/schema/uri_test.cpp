#include "cue/schema/uri.h"

#include <gtest/gtest.h>

namespace opm::cue::schema {
namespace {

std::string resolved(std::string_view base, std::string_view reference) {
  return Uri::parse(base)->resolve(*Uri::parse(reference)).text();
}

TEST(Uri, ResolvesReferences) {
  EXPECT_EQ(resolved("https://a.example/x/y", "z"), "https://a.example/x/z");
  EXPECT_EQ(resolved("https://a.example/x/y", "../z#/a"), "https://a.example/z#/a");
  EXPECT_EQ(resolved("https://a.example/x/y", "/z/./w"), "https://a.example/z/w");
  EXPECT_EQ(resolved("https://a.example/x/y", "#/a"), "https://a.example/x/y#/a");
  EXPECT_EQ(resolved("https://a.example", "x"), "https://a.example/x");
  EXPECT_EQ(resolved("https://a.example/x", "urn:y"), "urn:y");
  EXPECT_EQ(resolved("https://a.example/x", "//b.example/y"), "https://b.example/y");
  EXPECT_EQ(resolved("urn:a", "#/b"), "urn:a#/b");
}

TEST(Uri, EscapesWhatMayNotStandThere) {
  EXPECT_EQ(Uri::parse("https://a.example/b  ")->text(), "https://a.example/b%20%20");
  EXPECT_EQ(Uri::parse("https://a.example/b%20c")->text(), "https://a.example/b%20c");
}

TEST(Uri, RefusesWhatIsNone) {
  EXPECT_FALSE(Uri::parse("a%zz"));
  EXPECT_FALSE(Uri::parse("a\nb"));
  EXPECT_FALSE(Uri::parse("1a:b"));
}

TEST(Uri, ReadsPointers) {
  EXPECT_EQ(*pointer_steps("/a~1b/c~0d/"), (std::vector<std::string>{"a/b", "c~d", ""}));
  EXPECT_EQ(pointer_of({"a/b", "c~d"}), "/a~1b/c~0d");
  EXPECT_TRUE(pointer_steps("")->empty());
  EXPECT_FALSE(pointer_steps("anchor"));
}

}  // namespace
}  // namespace opm::cue::schema
