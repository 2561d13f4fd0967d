#include "cli/markup.h"

#include <gtest/gtest.h>

namespace opm::cli {
namespace {

TEST(Markup, NothingOfATextIsTakenForATag) {
  EXPECT_EQ(escape_markup("<a href=\"x\">&'</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
}

TEST(Markup, WhatXmlHasNoPlaceForIsLeftOut) {
  EXPECT_EQ(escape_markup(std::string_view("a\0\x1b\tb\nc", 7)), "a\tb&#10;c");
}

}  // namespace
}  // namespace opm::cli
