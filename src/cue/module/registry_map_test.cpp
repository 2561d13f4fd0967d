#include "cue/module/registry_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/digest.h"

namespace opm::cue::module {
namespace {

class RegistryMapTest : public ::testing::Test {
 protected:
  // Where a module is, or why that is not known.
  std::string where(std::string_view text, std::string_view path, std::string_view version = "v1.2.3") {
    auto map = RegistryMap::parse(text, kCentralRegistry, files);
    if (!map) return map.error();
    auto location = map->locate(path, version);
    if (!location) return "nowhere";
    return location->text() + (location->host.insecure ? "+insecure" : "+secure");
  }

  base::MemoryFileSystem files;
};

TEST_F(RegistryMapTest, OneRegistryIsForAllModules) {
  EXPECT_EQ(where("", "a.test/m"), "registry.cue.works/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where("reg.test", "a.test/m"), "reg.test/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where("reg.test:5000/x/y", "a.test/m"), "reg.test:5000/x/y/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where("reg.test/x+insecure", "a.test/m"), "reg.test/x/a.test/m:v1.2.3+insecure");
  EXPECT_EQ(where("localhost:5000", "a.test/m"), "localhost:5000/a.test/m:v1.2.3+insecure");
  EXPECT_EQ(where("127.0.0.1:5000/p", "a.test/m"), "127.0.0.1:5000/p/a.test/m:v1.2.3+insecure");
  EXPECT_EQ(where("[::1]:5000", "a.test/m"), "[::1]:5000/a.test/m:v1.2.3+insecure");
  EXPECT_EQ(where("localhost+secure", "a.test/m"), "localhost/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where("none", "a.test/m"), "nowhere");
  EXPECT_EQ(where("simple:reg.test", "a.test/m"), "reg.test/a.test/m:v1.2.3+secure");
}

TEST_F(RegistryMapTest, TheLongestPrefixOfWholeElementsWins) {
  const char* text = "a.test=one.test,a.test/m=two.test/r,b.test=none,rest.test";
  EXPECT_EQ(where(text, "a.test"), "one.test/a.test:v1.2.3+secure");
  EXPECT_EQ(where(text, "a.test/m"), "two.test/r/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where(text, "a.test/m/n"), "two.test/r/a.test/m/n:v1.2.3+secure");
  EXPECT_EQ(where(text, "a.test/mm"), "one.test/a.test/mm:v1.2.3+secure");
  EXPECT_EQ(where(text, "a.testing/m"), "rest.test/a.testing/m:v1.2.3+secure");
  EXPECT_EQ(where(text, "b.test/x"), "nowhere");
  EXPECT_EQ(where("a.test=one.test", "c.test/x"), "registry.cue.works/c.test/x:v1.2.3+secure");
}

TEST_F(RegistryMapTest, MistakesAreTold) {
  auto problem = [&](std::string_view text) { return where(text, "a.test/m"); };
  EXPECT_EQ(problem("a.test=x.test,"), "bad value for registry: empty registry part");
  EXPECT_EQ(problem("x.test,y.test"), "bad value for registry: duplicate catch-all registry");
  EXPECT_EQ(problem("=x.test"), "bad value for registry: empty module prefix");
  EXPECT_EQ(problem("a.test="), "bad value for registry: empty registry reference");
  EXPECT_EQ(problem("a.test=x.test,a.test=y.test"), "bad value for registry: duplicate module prefix \"a.test\"");
  EXPECT_EQ(problem("a.test@v0=x.test"),
            "bad value for registry: invalid module path \"a.test@v0\": module path inappropriately contains version");
  EXPECT_EQ(problem("x.test+odd"),
            "bad value for registry: invalid registry \"x.test+odd\": unknown suffix (\"+odd\"), need +insecure, "
            "+secure or no suffix)");
  EXPECT_EQ(problem("x_y.test"),
            "bad value for registry: invalid registry \"x_y.test\": invalid host name \"x_y.test\" in registry");
  EXPECT_EQ(problem("x.test/r:tag"),
            "bad value for registry: invalid registry \"x.test/r:tag\": cannot have an associated tag or digest");
  EXPECT_EQ(problem("a.test=x.test,x.test+insecure"),
            "bad value for registry: registry host \"x.test\" is specified both as secure and insecure");
  EXPECT_EQ(problem("file:/nope.cue"), "bad value for registry: open /nope.cue: no such file or directory");
}

TEST_F(RegistryMapTest, FilesSayMore) {
  files.add_file("/registries.cue", R"(
    moduleRegistries: {
      "a.test": {registry: "one.test/r", stripPrefix: true}
      "b.test": {registry: "two.test/h", pathEncoding: "hashAsRepo", prefixForTags: "cue-"}
      "c.test": {registry: "two.test/t", pathEncoding: "hashAsTag"}
    }
    defaultRegistry: registry: "none"
  )");
  const char* text = "file:/registries.cue";
  EXPECT_EQ(where(text, "a.test/m/n"), "one.test/r/m/n:v1.2.3+secure");
  EXPECT_EQ(where(text, "a.test"), "one.test/r:v1.2.3+secure");
  EXPECT_EQ(where(text, "b.test/m"), "two.test/h/" + base::sha256_hex("b.test/m") + ":cue-v1.2.3+secure");
  EXPECT_EQ(where(text, "c.test/m"), "two.test/t:" + base::sha256_hex("c.test/m") + "-v1.2.3+secure");
  EXPECT_EQ(where(text, "d.test/m"), "nowhere");
  EXPECT_EQ(where("inline:moduleRegistries: \"a.test\": registry: \"one.test\"", "a.test/m"),
            "one.test/a.test/m:v1.2.3+secure");
  EXPECT_EQ(where("inline:defaultRegistry: registry: \"one.test\", extra: 1", "a.test/m"),
            "bad value for registry: invalid configuration file: field extra is not allowed or has a wrong value");
  EXPECT_EQ(where("inline:defaultRegistry: {registry: \"one.test\", stripPrefix: true}", "a.test/m"),
            "bad value for registry: invalid registry configuration in defaultRegistry: use of stripPrefix requires a "
            "non-empty repository within the registry");
}

TEST(LoopbackHost, IsThisMachine) {
  for (const char* host : {"localhost", "localhost:80", "127.0.0.1:5000", "127.1.2.3", "[::1]", "[::1]:443"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
  for (const char* host : {"localhost.evil.test", "128.0.0.1", "10.0.0.1", "127.0.0.1.evil.test", "[::2]", ""})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

}  // namespace
}  // namespace opm::cue::module
