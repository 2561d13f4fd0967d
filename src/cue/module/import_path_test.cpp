#include "cue/module/import_path.h"

#include <gtest/gtest.h>

namespace opm::cue::module {
namespace {

TEST(ImportPath, IsTakenApart) {
  ImportPath path = parse_import_path("host.org/dir/name@v1:other");
  EXPECT_EQ(path.path, "host.org/dir/name");
  EXPECT_EQ(path.version, "v1");
  EXPECT_EQ(path.qualifier, "other");
  EXPECT_TRUE(path.explicit_qualifier);
  EXPECT_EQ(path.text(), "host.org/dir/name@v1:other");
  EXPECT_EQ(path.unqualified().text(), "host.org/dir/name@v1");
}

TEST(ImportPath, LastElementImpliesThePackage) {
  EXPECT_EQ(parse_import_path("host.org/dir/name").qualifier, "name");
  EXPECT_EQ(parse_import_path("host.org/dir/my-name").qualifier, "");
  EXPECT_EQ(parse_import_path("host.org/dir/_").qualifier, "");
  EXPECT_EQ(parse_import_path("host.org/name:name").canonical().text(), "host.org/name");
  EXPECT_EQ(parse_import_path("host.org/name:name").text(), "host.org/name:name");
}

TEST(ImportPath, LoneQualifierMeansHere) {
  ImportPath path = parse_import_path(":name");
  EXPECT_EQ(path.path, ".");
  EXPECT_EQ(path.qualifier, "name");
}

TEST(ImportPath, WhatIsMalformedIsNamed) {
  EXPECT_FALSE(check_import_path("host.org/a/B~x+y@v1:z"));
  EXPECT_EQ(check_import_path("host.org//a"), "malformed import path \"host.org//a\": double slash");
  EXPECT_EQ(check_import_path("host.org/a/"), "malformed import path \"host.org/a/\": trailing slash");
  EXPECT_EQ(check_import_path("host.org/a b"), "malformed import path \"host.org/a b\": invalid char ' '");
  EXPECT_EQ(check_import_path("host.org/../b"), "malformed import path \"host.org/../b\": invalid path element \"..\"");
  EXPECT_EQ(check_import_path("host.org/a@v1.2.3"),
            "malformed import path \"host.org/a@v1.2.3\": import paths can only contain a major version specifier");
  EXPECT_EQ(check_import_path("host.org/nul.x"),
            "malformed import path \"host.org/nul.x\": \"nul\" disallowed as path element component on Windows");
}

TEST(ModulePath, NeedsAHostAndLowerCase) {
  EXPECT_FALSE(check_module_path("host.org/my-mod/x_y@v0"));
  EXPECT_EQ(check_module_path("abc"), "malformed module path \"abc\": missing dot in first path element");
  EXPECT_EQ(check_module_path("a.b/C"), "malformed module path \"a.b/C\": invalid char 'C'");
  EXPECT_EQ(check_module_path("a.b/_c"), "malformed module path \"a.b/_c\": leading '_' in path element");
  EXPECT_EQ(check_module_path("a.b/c@v1.2"),
            "malformed module path \"a.b/c@v1.2\": path can contain major version only");
  EXPECT_TRUE(check_module_path("a.b/c..d"));
}

TEST(ImportPath, StandardAndRelativeByTheirLook) {
  EXPECT_TRUE(looks_standard("encoding/json"));
  EXPECT_FALSE(looks_standard("a.b/c"));
  EXPECT_FALSE(looks_standard("/abs"));
  EXPECT_TRUE(is_relative_import("./x"));
  EXPECT_FALSE(is_relative_import(".x"));
}

}  // namespace
}  // namespace opm::cue::module
