#include "oci/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "oci/module_registry.h"

namespace opm::oci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Answers as it was told to, one after the other, and remembers what it was asked.
class FakeClient : public http::Client {
 public:
  std::expected<http::Answer, http::Failure> send(const http::Request& request) override {
    std::string line = request.method + " " + request.url.text();
    for (const auto& [name, value] : request.headers)
      if (name == "Authorization") line += " [" + value + "]";
    asked.push_back(std::move(line));
    if (answers.empty()) return std::unexpected(http::Failure{http::FailureKind::no_connection, "nobody there"});
    auto answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }
  void will_answer(int status, std::string body = {}, std::map<std::string, std::string> headers = {}) {
    answers.push_back(http::Answer{status, std::move(headers), std::move(body)});
  }
  void will_fail(http::FailureKind kind) { answers.push_back(std::unexpected(http::Failure{kind, "failed"})); }

  std::deque<std::expected<http::Answer, http::Failure>> answers;
  std::vector<std::string> asked;
};

class RegistryTest : public ::testing::Test {
 protected:
  Registry registry(const std::string& host = "reg.test", bool insecure = false) {
    return Registry({host, insecure}, {client, credentials, clock, {}, {}});
  }
  void log_in(const std::string& host, const std::string& entry = R"("username":"me","password":"pw")") {
    files.add_file("/home/.docker/config.json", "{\"auths\":{\"" + host + "\":{" + entry + "}}}");
  }
  static Descriptor describe(std::string_view content) { return {"", digest_of(content), content.size()}; }

  base::MemoryEnvironment environment{{{"HOME", "/home"}}};
  base::MemoryFileSystem files;
  CredentialStore credentials{environment, files, [](const std::string&, const std::string&) {
                                return std::expected<std::optional<std::string>, std::string>(std::nullopt);
                              }};
  FakeClient client;
  base::ManualClock clock;
};

constexpr const char* kBasic = "Basic realm=\"r\"";
const std::string kMe = "Basic bWU6cHc=";

TEST_F(RegistryTest, SaysWhoAsksOnceItIsAsked) {
  log_in("reg.test");
  client.will_answer(401, "", {{"www-authenticate", kBasic}});
  client.will_answer(200, "text");
  client.will_answer(200, "more");
  Registry asked = registry();
  EXPECT_EQ(asked.blob("a/b", describe("text"), "x").value(), "text");
  EXPECT_EQ(asked.blob("a/b", describe("more"), "x").value(), "more");
  std::string blob = "GET https://reg.test/v2/a/b/blobs/";
  EXPECT_THAT(client.asked, ElementsAre(blob + digest_of("text"), blob + digest_of("text") + " [" + kMe + "]",
                                        blob + digest_of("more") + " [" + kMe + "]"));
}

TEST_F(RegistryTest, TellsNothingInTheClear) {
  log_in("reg.test");
  client.will_answer(401, "", {{"www-authenticate", kBasic}});
  client.will_answer(401, "", {{"www-authenticate", kBasic}});
  auto answer = registry("reg.test", true).blob("a/b", describe("text"), "x");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ModuleErrorKind::denied);
  EXPECT_THAT(answer.error().message, HasSubstr("credentials are not sent over plain http"));
  for (const std::string& line : client.asked) EXPECT_EQ(line.find('['), std::string::npos) << line;
}

TEST_F(RegistryTest, TellsNothingToWhomARedirectLeadsTo) {
  log_in("reg.test");
  client.will_answer(401, "", {{"www-authenticate", kBasic}});
  client.will_answer(307, "", {{"location", "https://cdn.test/blob"}});
  client.will_answer(200, "text");
  EXPECT_TRUE(registry().blob("a/b", describe("text"), "x"));
  EXPECT_EQ(client.asked.back(), "GET https://cdn.test/blob");
  client.will_answer(302, "", {{"location", "http://cdn.test/blob"}});
  auto answer = registry().blob("a/b", describe("text"), "x");
  EXPECT_THAT(answer.error().message, HasSubstr("from https to plain http"));
}

TEST_F(RegistryTest, FetchesTokensWhereTheDomainIsTheSame) {
  log_in("registry.acme.test");
  client.will_answer(401, "", {{"www-authenticate", "Bearer realm=\"https://auth.acme.test/token\",service=\"s\""}});
  client.will_answer(200, R"({"token":"t1","expires_in":100})");
  client.will_answer(200, "text");
  Registry asked = registry("registry.acme.test");
  EXPECT_TRUE(asked.blob("a/b", describe("text"), "x"));
  EXPECT_EQ(client.asked[1],
            "GET https://auth.acme.test/token?scope=repository%3Aa%2Fb%3Apull&service=s [" + kMe + "]");
  EXPECT_THAT(client.asked[2], HasSubstr("[Bearer t1]"));
  // The token is used until it has run out.
  client.will_answer(200, "text");
  EXPECT_TRUE(asked.blob("a/b", describe("text"), "x"));
  EXPECT_EQ(client.asked.size(), 4u);
  clock.advance(std::chrono::seconds(200));
  client.will_answer(200, R"({"access_token":"t2"})");
  client.will_answer(200, "text");
  EXPECT_TRUE(asked.blob("a/b", describe("text"), "x"));
  EXPECT_THAT(client.asked.back(), HasSubstr("[Bearer t2]"));
}

TEST_F(RegistryTest, TellsNothingToTokenServicesOfOthers) {
  for (const char* realm : {"https://auth.evil.test/token", "http://registry.acme.test/token", "https://acme.test.evil.test/t"}) {
    client.asked.clear();
    log_in("registry.acme.test");
    client.will_answer(401, "", {{"www-authenticate", "Bearer realm=\"" + std::string(realm) + "\""}});
    client.will_answer(401);
    auto answer = registry("registry.acme.test").blob("a/b", describe("text"), "x");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, ModuleErrorKind::denied);
    EXPECT_EQ(client.asked.at(1).find('['), std::string::npos) << client.asked[1];
  }
}

TEST_F(RegistryTest, TriesAgainWhatPasses) {
  client.will_answer(429, "", {{"retry-after", "7"}});
  client.will_answer(503);
  client.will_fail(http::FailureKind::interrupted);
  client.will_answer(200, "damaged");
  client.will_answer(200, "text 12");
  EXPECT_EQ(registry().blob("a/b", describe("text 12"), "x").value(), "text 12");
  EXPECT_GE(clock.elapsed(), std::chrono::seconds(7));
  EXPECT_LT(clock.elapsed(), std::chrono::seconds(12));
}

TEST_F(RegistryTest, WaitsUntilTheMomentThatTheRegistryNames) {
  client.will_answer(429, "", {{"retry-after", "Sun, 15 Nov 2026 12:00:06 GMT"}, {"date", "Sun, 15 Nov 2026 12:00:00 GMT"}});
  client.will_answer(200, "text 12");
  EXPECT_EQ(registry().blob("a/b", describe("text 12"), "x").value(), "text 12");
  EXPECT_GE(clock.elapsed(), std::chrono::seconds(6));
  EXPECT_LT(clock.elapsed(), std::chrono::seconds(8));
  client.will_answer(503, "", {{"retry-after", "Sun, 15 Nov 2026 13:00:00 GMT"}, {"date", "Sun, 15 Nov 2026 12:00:00 GMT"}});
  EXPECT_THAT(registry().manifest("a/b", "v1.0.0").error().message, HasSubstr("try again after 3600 seconds"));
}

TEST_F(RegistryTest, GivesUpInTheEnd) {
  for (int i = 0; i < 50; ++i) client.will_answer(500, R"({"errors":[{"code":"X","message":"disk\nfull"}]})");
  auto answer = registry().manifest("a/b", "v1.0.0");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ModuleErrorKind::unreachable);
  EXPECT_EQ(answer.error().message, "registry reg.test: the registry has a problem (500): disk full (tried 5 times)");
  EXPECT_EQ(client.asked.size(), 5u);
  client.answers.clear();
  client.asked.clear();
  answer = registry().manifest("a/b", "v1.0.0");
  EXPECT_EQ(answer.error().message, "registry reg.test: nobody there");
  EXPECT_EQ(client.asked.size(), 1u);
  client.will_answer(429, "", {{"retry-after", "4000"}});
  EXPECT_THAT(registry().manifest("a/b", "v1.0.0").error().message, HasSubstr("try again after 4000 seconds"));
}

TEST_F(RegistryTest, BelievesOnlyWhatHasThePromisedDigest) {
  for (int i = 0; i < 9; ++i) client.will_answer(200, "evil");
  auto answer = registry().blob("a/b", describe("good"), "x");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ModuleErrorKind::invalid);
  EXPECT_THAT(answer.error().message, HasSubstr("has another content"));
  client.answers.clear();
  for (int i = 0; i < 9; ++i) client.will_answer(200, "{}", {{"docker-content-digest", digest_of("other")}});
  EXPECT_THAT(registry().manifest("a/b", "v1.0.0").error().message, HasSubstr("another digest"));
}

TEST_F(RegistryTest, WhatIsNotThereIsNoError) {
  client.will_answer(404);
  EXPECT_FALSE(registry().manifest("a/b", "v1.0.0").value());
  client.will_answer(403);
  EXPECT_FALSE(registry().manifest("a/b", "v1.0.0").value());
  client.will_answer(404);
  EXPECT_THAT(registry().tags("a/b").value(), IsEmpty());
}

TEST_F(RegistryTest, TagsComeInPages) {
  client.will_answer(200, R"({"tags":["v1.0.0","x"]})", {{"link", "</v2/a/b/tags/list?last=x>; rel=\"next\""}});
  client.will_answer(200, R"({"tags":["v1.1.0"]})");
  EXPECT_THAT(registry().tags("a/b").value(), ElementsAre("v1.0.0", "x", "v1.1.0"));
  client.will_answer(200, R"({"tags":null})", {{"link", "<https://evil.test/tags>; rel=\"next\""}});
  EXPECT_THAT(registry().tags("a/b").error().message, HasSubstr("at another host"));
}

TEST_F(RegistryTest, UploadsStartOverWhenTheyBreakOff) {
  client.will_answer(404);
  client.will_answer(202, "", {{"location", "/v2/a/b/blobs/uploads/1?state=x"}});
  client.will_fail(http::FailureKind::interrupted);
  client.will_answer(202, "", {{"location", "/v2/a/b/blobs/uploads/2"}});
  client.will_answer(201);
  ASSERT_TRUE(registry().push_blob("a/b", describe("text"), "text"));
  EXPECT_THAT(client.asked[2], HasSubstr("uploads/1?state=x&digest=sha256%3A"));
  EXPECT_THAT(client.asked[4], HasSubstr("PUT https://reg.test/v2/a/b/blobs/uploads/2?digest=sha256%3A"));
  client.asked.clear();
  client.will_answer(200);
  ASSERT_TRUE(registry().push_blob("a/b", describe("text"), "text"));
  EXPECT_EQ(client.asked.size(), 1u);
}

TEST_F(RegistryTest, LoginsOfCueAreRenewed) {
  files.add_file("/home/.config/cue/logins.json",
                 R"({"registries":{"reg.test":{"access_token":"old","refresh_token":"r","expiry":"1970-01-01T00:00:05Z"}}})");
  client.will_answer(200, R"({"access_token":"new","expires_in":3600})");
  client.will_answer(404);
  EXPECT_TRUE(registry().manifest("a/b", "v1.0.0"));
  EXPECT_EQ(client.asked[0], "POST https://reg.test/login/oauth/token");
  EXPECT_THAT(client.asked[1], HasSubstr("[Bearer new]"));
}

TEST(Manifest, IsWhatCueWrites) {
  Publication publication{{"a.test/m@v0", "v0.1.0"}, "zip", "file", {{"b", "2<"}, {"a", "1"}}};
  std::string text = write_manifest(publication);
  EXPECT_THAT(text, HasSubstr(R"({"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":)"));
  EXPECT_THAT(text, HasSubstr(R"("size":2},"layers":[{"mediaType":"application/zip","digest":")" + digest_of("zip")));
  EXPECT_THAT(text, HasSubstr(R"(,"annotations":{"a":"1","b":"2\u003c"}})"));
}

}  // namespace
}  // namespace opm::oci
