#include "http/url.h"

#include <gtest/gtest.h>

namespace opm::http {
namespace {

std::string read(std::string_view text) {
  auto url = parse_url(text);
  return url ? url->scheme + " " + url->host + " " + url->port + " " + url->target : "bad";
}

TEST(Url, IsTakenApart) {
  EXPECT_EQ(read("https://Reg.Test/v2/x?a=b#c"), "https reg.test 443 /v2/x?a=b");
  EXPECT_EQ(read("http://127.0.0.1:5000"), "http 127.0.0.1 5000 /");
  EXPECT_EQ(read("http://[::1]:80/x"), "http [::1] 80 /x");
  EXPECT_EQ(read("http://[::1]"), "http [::1] 80 /");
  EXPECT_EQ(read("https://reg.test?x"), "https reg.test 443 /?x");
}

TEST(Url, WhatCouldMeanAnotherHostIsRefused) {
  for (const char* text : {"ftp://x.test", "https://user@x.test/", "https://x.test\\@y.test/", "https://", "x.test/y",
                           "https://x.test/a b", "https://x.test/\r\nHost: y", "https://x.test:99999999/", "file:///x"})
    EXPECT_EQ(read(text), "bad") << text;
}

TEST(Url, LocationsAreResolved) {
  Url base = *parse_url("https://reg.test/v2/a/b?x=1");
  EXPECT_EQ(resolve_url(base, "/c")->text(), "https://reg.test/c");
  EXPECT_EQ(resolve_url(base, "c?y")->text(), "https://reg.test/v2/a/c?y");
  EXPECT_EQ(resolve_url(base, "?y")->text(), "https://reg.test/v2/a/b?y");
  EXPECT_EQ(resolve_url(base, "//other.test/c")->text(), "https://other.test/c");
  EXPECT_EQ(resolve_url(base, "http://other.test:8080/c")->text(), "http://other.test:8080/c");
  EXPECT_FALSE(resolve_url(base, "ftp://other.test/"));
}

TEST(Url, OriginIsSchemeHostAndPort) {
  Url url = *parse_url("https://reg.test/x");
  EXPECT_TRUE(url.same_origin(*parse_url("https://REG.test:443/y")));
  EXPECT_FALSE(url.same_origin(*parse_url("http://reg.test/x")));
  EXPECT_FALSE(url.same_origin(*parse_url("https://reg.test:444/x")));
  EXPECT_TRUE(url.is_private());
  EXPECT_FALSE(parse_url("http://reg.test")->is_private());
  EXPECT_TRUE(parse_url("http://[::1]:5000")->is_private());
}

TEST(Url, QueriesAreEncoded) { EXPECT_EQ(encode_query("a b/ä~"), "a%20b%2F%C3%A4~"); }

}  // namespace
}  // namespace opm::http
