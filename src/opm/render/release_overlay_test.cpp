#include "opm/render/release_overlay.h"

#include <gtest/gtest.h>

namespace opm::render {
namespace {

TEST(ReleaseOverlay, WhatTheUserGivesIsQuoted) {
  std::string text = release_overlay("main", {.name = "x\"\n#module: _", .namespace_name = "\\(values)", .fallback_namespace = {}});
  EXPECT_NE(text.find(R"-(name:      "x\"\n#module: _")-"), std::string::npos);
  EXPECT_NE(text.find(R"-(namespace: "\\(values)")-"), std::string::npos);
}

TEST(ReleaseOverlay, ThePackageClauseIsFoundBehindCommentsAndAttributes) {
  EXPECT_EQ(package_clause("// package no\n\n@if(x)\npackage main\n"), "main");
  EXPECT_EQ(package_clause("\xEF\xBB\xBFpackage shop"), "shop");
  EXPECT_EQ(package_clause("a: 1\npackage no\n"), "");
  EXPECT_EQ(package_clause("packages: 1\n"), "");
  EXPECT_EQ(package_clause(""), "");
}

}  // namespace
}  // namespace opm::render
