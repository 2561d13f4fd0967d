#include "kube/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "data/json.h"
#include "kube/watch.h"

namespace opm::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Scripted = std::expected<http::Answer, http::Failure>;

// Gives the answers that a test wrote down, in their order, and remembers what was asked.
struct Script {
  std::deque<Scripted> answers;
  std::vector<std::string> asked;
  std::vector<std::map<std::string, std::string>> headers;
};

class FakeTransport : public http::Client {
 public:
  explicit FakeTransport(Script& script) : script_(script) {}

  Scripted send(const http::Request& request) override {
    script_.asked.push_back(request.method + " " + request.url.target);
    script_.headers.emplace_back(request.headers.begin(), request.headers.end());
    if (script_.answers.empty()) return http::Answer{599, {}, "nothing is scripted"};
    Scripted answer = std::move(script_.answers.front());
    script_.answers.pop_front();
    if (answer && request.on_piece && answer->status == 200) {
      // In pieces that end anywhere.
      for (std::size_t at = 0; at < answer->body.size(); at += 7)
        if (!request.on_piece(std::string_view(answer->body).substr(at, 7))) break;
      answer->body.clear();
    }
    return answer;
  }

 private:
  Script& script_;
};

http::Answer answer(int status, std::string body, std::map<std::string, std::string> headers = {}) {
  return {status, std::move(headers), std::move(body)};
}
Scripted lost(http::FailureKind kind) { return std::unexpected(http::Failure{kind, "made up"}); }

class ClientTest : public testing::Test {
 protected:
  ClientTest() {
    connection_.server = *http::parse_url("https://one.example:6443");
    connection_.server.target = "/prefix";
    connection_.identity.token = "s3cr3t";
  }

  Client& client(ClientOptions options = {}) {
    client_ = std::make_unique<Client>(
        connection_,
        ClientServices{environment_, files_, writer_, clock_,
                       [this](http::ClientOptions) { return std::make_unique<FakeTransport>(script_); }},
        options);
    return *client_;
  }

  Resource pods_{{"", "v1"}, "Pod", "pods", true, {"get", "list", "watch", "patch"}, {}, {"status"}};
  Connection connection_;
  base::MemoryEnvironment environment_;
  base::MemoryFileSystem files_;
  base::MemoryFileWriter writer_{files_};
  base::ManualClock clock_{base::Clock::Time(std::chrono::seconds(1'000'000))};
  Script script_;
  std::unique_ptr<Client> client_;
};

TEST_F(ClientTest, AsksWithTheTokenBelowThePrefix) {
  script_.answers = {answer(200, R"({"kind":"Pod","metadata":{"name":"a"}})")};
  auto pod = client().run(get_object(pods_, "shop", "a/../b"));
  ASSERT_TRUE(pod);
  EXPECT_EQ(name_of(*pod), "a");
  EXPECT_FALSE(pod->position.valid());
  EXPECT_THAT(script_.asked, ElementsAre("GET /prefix/api/v1/namespaces/shop/pods/a%2F..%2Fb"));
  EXPECT_EQ(script_.headers[0]["Authorization"], "Bearer s3cr3t");
}

TEST_F(ClientTest, TellsFailuresApart) {
  auto kind_of_answer = [&](int status, const std::string& reason) {
    script_.answers = {answer(status, R"({"kind":"Status","message":"said","reason":")" + reason + "\"}")};
    auto result = client().run(get_object(pods_, "shop", "a"));
    EXPECT_FALSE(result);
    EXPECT_EQ(result.error().message.find("s3cr3t"), std::string::npos);
    return result.error().kind;
  };
  EXPECT_EQ(kind_of_answer(401, "Unauthorized"), FailureKind::unauthorized);
  EXPECT_EQ(kind_of_answer(403, "Forbidden"), FailureKind::forbidden);
  EXPECT_EQ(kind_of_answer(404, "NotFound"), FailureKind::not_found);
  EXPECT_EQ(kind_of_answer(409, "AlreadyExists"), FailureKind::already_exists);
  EXPECT_EQ(kind_of_answer(409, "Conflict"), FailureKind::conflict);
  EXPECT_EQ(kind_of_answer(410, "Expired"), FailureKind::gone);
  EXPECT_EQ(kind_of_answer(422, "Invalid"), FailureKind::invalid);
  EXPECT_EQ(client_->requests_sent(), 1U);
}

TEST_F(ClientTest, NamesTheOwnersOfFields) {
  script_.answers = {answer(409, R"({"kind":"Status","message":"Apply failed","reason":"Conflict","details":{"causes":[
    {"reason":"FieldManagerConflict","message":"conflict with \"alice\" using apps/v1","field":".spec.replicas"}]}})")};
  auto result = client().run(apply_object(pods_, "shop", {}, {}));
  auto conflicts = field_conflicts(result.error());
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].manager, "alice");
  EXPECT_EQ(conflicts[0].field, ".spec.replicas");
}

TEST_F(ClientTest, HidesWhatASecretHolds) {
  auto secret = data::read_json({"secret", R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},
    "stringData":{"a":"hunter22","pem":"-----BEGIN KEY-----\nabcdefgh\n"},"data":{"b":"cGFzc3dvcmQ=","n":12345,"s":"x"}})", {}});
  script_.answers = {answer(422, R"({"kind":"Status","reason":"Invalid","message":"bad: \"hunter22\", 12345, cGFzc3dvcmQ=",
    "details":{"causes":[{"message":"password and -----BEGIN KEY-----\\nabcdefgh\\n and \"x\" in next"}]}})",
                            {{"warning", "299 - \"hunter22 is short\""}})};
  Client& asked = client();
  auto result = asked.run(apply_object(pods_, "shop", *secret));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "cannot apply pods \"shop/s\": bad: \"<redacted sha256:20d2fe5e>\", <redacted sha256:"
                                    "5994471a>, <redacted sha256:5e884898>");
  EXPECT_EQ(result.error().causes.at(0).message,
            "<redacted sha256:5e884898> and <redacted sha256:c94fa6b6>\\n<redacted sha256:9c56cc51>\\n and <redacted "
            "sha256:2d711642> in next");
  EXPECT_THAT(asked.take_warnings(), ElementsAre(HasSubstr("> is short")));
}

TEST_F(ClientTest, AsksAgainWhenTheServerIsBusyAndWaitsAsItSays) {
  script_.answers = {answer(429, "", {{"retry-after", "7"}}), answer(503, ""), lost(http::FailureKind::interrupted),
                     answer(200, "{}")};
  auto result = client().run(get_object(pods_, "shop", "a"));
  EXPECT_TRUE(result);
  EXPECT_EQ(script_.asked.size(), 4U);
  auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.elapsed());
  EXPECT_GE(waited.count(), 7000 + 400 + 800);
  EXPECT_LE(waited.count(), 7000 + (400 + 800) * 5 / 4);
}

TEST_F(ClientTest, GivesUpInTheEnd) {
  for (int i = 0; i < 10; ++i) script_.answers.push_back(answer(500, "<html>"));
  auto result = client().run(get_object(pods_, "shop", "a"));
  EXPECT_EQ(result.error().kind, FailureKind::server);
  EXPECT_EQ(result.error().message, "cannot get pods \"shop/a\": the server answered with status 500");
  EXPECT_EQ(script_.asked.size(), 6U);
  // Longer than we are ready to wait is not waited at all.
  script_.answers = {answer(429, "", {{"retry-after", "3600"}})};
  EXPECT_EQ(client().run(get_object(pods_, "shop", "a")).error().kind, FailureKind::too_many);
}

TEST_F(ClientTest, DoesNotCreateTwice) {
  script_.answers = {lost(http::FailureKind::interrupted)};
  auto result = client().run(create_object(pods_, "shop", {}));
  EXPECT_EQ(result.error().kind, FailureKind::unreachable);
  script_.answers = {answer(500, "")};
  EXPECT_EQ(client().run(create_object(pods_, "shop", {})).error().kind, FailureKind::server);
  EXPECT_EQ(script_.asked.size(), 2U);
  script_.answers = {answer(429, ""), answer(201, "{}")};
  EXPECT_TRUE(client().run(create_object(pods_, "shop", {})));
}

TEST_F(ClientTest, WaitsForAServerOnlyOnceItHasBeenThere) {
  script_.answers = {lost(http::FailureKind::no_connection)};
  EXPECT_EQ(client().run(get_object(pods_, "shop", "a")).error().kind, FailureKind::unreachable);
  EXPECT_EQ(script_.asked.size(), 1U);
  script_.answers = {answer(200, "{}"), lost(http::FailureKind::no_connection), answer(200, "{}")};
  Client& again = client();
  EXPECT_TRUE(again.run(get_object(pods_, "shop", "a")));
  EXPECT_TRUE(again.run(get_object(pods_, "shop", "a")));
}

TEST_F(ClientTest, ShowsWarningsOnceEach) {
  std::map<std::string, std::string> headers{{"warning", R"(299 - "old \"thing\"", 299 - "other", 199 - "not for us")"}};
  script_.answers = {answer(200, "{}", headers), answer(200, "{}", headers)};
  Client& asked = client();
  (void)asked.run(get_object(pods_, "shop", "a"));
  EXPECT_THAT(asked.take_warnings(), ElementsAre("old \"thing\"", "other"));
  (void)asked.run(get_object(pods_, "shop", "a"));
  EXPECT_TRUE(asked.take_warnings().empty());
}

TEST_F(ClientTest, RefusesAnswersThatAreNone) {
  for (const char* body : {"<html>", "[1]", "{", "\"x\""}) {
    script_.answers = {answer(200, body)};
    auto result = client().run(get_object(pods_, "shop", "a"));
    ASSERT_FALSE(result) << body;
    EXPECT_EQ(result.error().kind, FailureKind::server);
  }
}

TEST_F(ClientTest, ListsEveryPageAndBeginsAgainWhenTheServerForgot) {
  script_.answers = {
      answer(200, R"({"metadata":{"continue":"a&b","resourceVersion":"5"},"items":[{"metadata":{"name":"x"}}]})"),
      answer(410, R"({"kind":"Status","reason":"Expired"})"),
      answer(200, R"({"metadata":{"continue":"c","resourceVersion":"7"},"items":[{"metadata":{"name":"x"}}]})"),
      answer(200, R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"y"}}, 3]})")};
  auto list = client().list(pods_, "", {.label_selector = "a=b", .limit = 1});
  ASSERT_TRUE(list);
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(kind_of(list->items[1]), "Pod");
  EXPECT_EQ(api_version_of(list->items[1]), "v1");
  EXPECT_EQ(list->resource_version, "7");
  EXPECT_THAT(script_.asked, ElementsAre("GET /prefix/api/v1/pods?labelSelector=a%3Db&limit=1",
                                         "GET /prefix/api/v1/pods?labelSelector=a%3Db&limit=1&continue=a%26b",
                                         "GET /prefix/api/v1/pods?labelSelector=a%3Db&limit=1",
                                         "GET /prefix/api/v1/pods?labelSelector=a%3Db&limit=1&continue=c"));
}

TEST_F(ClientTest, EndsAListThatHasNoEnd) {
  for (int i = 0; i < 20'010; ++i) script_.answers.push_back(answer(200, R"({"metadata":{"continue":"more"},"items":[]})"));
  auto list = client().list(pods_, "", {});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message, "the list of pods has no end");
}

constexpr const char* kCore = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{},"versions":[{"version":"v1",
  "resources":[{"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Namespaced","verbs":["get"],
  "subresources":[{"subresource":"status"}]}]}]}]})";
constexpr const char* kGroups = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"apps"},"versions":[
  {"version":"v1","resources":[{"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced"}]}]},
  {"metadata":{"name":"../evil"},"versions":[{"version":"v1","resources":[
  {"resource":"x","responseKind":{"kind":"X"}}]}]}]})";

// Discovery asks for two things at once, so a test answers by what is asked.
class ByPath : public http::Client {
 public:
  ByPath(std::map<std::string, http::Answer>& answers, std::vector<std::string>& asked, std::mutex& mutex)
      : answers_(answers), asked_(asked), mutex_(mutex) {}
  Scripted send(const http::Request& request) override {
    std::lock_guard lock(mutex_);
    asked_.push_back(request.url.target);
    auto found = answers_.find(request.url.target);
    return found == answers_.end() ? answer(404, "") : found->second;
  }

 private:
  std::map<std::string, http::Answer>& answers_;
  std::vector<std::string>& asked_;
  std::mutex& mutex_;
};

class DiscoveryTest : public ClientTest {
 protected:
  Client& client_with_cache() {
    client_ = std::make_unique<Client>(connection_,
                                       ClientServices{environment_, files_, writer_, clock_,
                                                      [this](http::ClientOptions) {
                                                        return std::make_unique<ByPath>(answers_, asked_, mutex_);
                                                      }},
                                       ClientOptions{.cache_folder = "/cache/kube"});
    return *client_;
  }
  void SetUp() override {
    connection_.server.target = "";
    answers_ = {{"/api", answer(200, kCore)}, {"/apis", answer(200, kGroups)}};
  }

  std::map<std::string, http::Answer> answers_;
  std::vector<std::string> asked_;
  std::mutex mutex_;
};

TEST_F(DiscoveryTest, LearnsFromTheServerAndRemembersForTenMinutes) {
  auto deployment = client_with_cache().resource({"apps", "v1"}, "Deployment");
  ASSERT_TRUE(deployment);
  EXPECT_EQ(deployment->plural, "deployments");
  EXPECT_TRUE(deployment->namespaced);
  EXPECT_EQ(asked_.size(), 2U);
  auto pod = client_with_cache().resource({"", "v1"}, "Pod");
  ASSERT_TRUE(pod);
  EXPECT_TRUE(pod->has_subresource("status"));
  EXPECT_EQ(asked_.size(), 2U);
  clock_.advance(std::chrono::minutes(11));
  EXPECT_TRUE(client_with_cache().resource({"", "v1"}, "Pod"));
  EXPECT_EQ(asked_.size(), 4U);
}

TEST_F(DiscoveryTest, AsksAgainForWhatIsNew) {
  EXPECT_TRUE(client_with_cache().resources());
  Client& later = client_with_cache();
  answers_["/apis"] = answer(200, R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"example.com"},
    "versions":[{"version":"v1","resources":[{"resource":"things","responseKind":{"kind":"Thing"},"scope":"Cluster"}]}]}]})");
  auto thing = later.resource({"example.com", "v1"}, "Thing");
  ASSERT_TRUE(thing);
  EXPECT_FALSE(thing->namespaced);
  auto nothing = later.resource({"example.com", "v2"}, "Thing");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, FailureKind::unknown_kind);
  EXPECT_EQ(nothing.error().message, "the cluster has no kind \"Thing\" in example.com/v2");
  EXPECT_EQ(nothing.error().advice, "it has that kind in example.com/v1");
  EXPECT_EQ(asked_.size(), 4U);
}

TEST_F(DiscoveryTest, IgnoresWhatIsNoNameAndAFileThatIsBroken) {
  Client& first = client_with_cache();
  EXPECT_FALSE(first.resource({"../evil", "v1"}, "X"));
  auto kept = files_.list_directory("/cache/kube", 10);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  for (const char* content : {"", "{", "[]", R"({"server":"https://one.example:6443","fetched":"1970-01-12T13:46:40Z"})",
                              R"({"server":"https://one.example:6443","fetched":"2970-01-01T00:00:00Z","resources":[{}]})"}) {
    files_.add_file("/cache/kube/" + kept->front().name, content);
    EXPECT_TRUE(client_with_cache().resource({"", "v1"}, "Pod")) << content;
  }
}

TEST_F(DiscoveryTest, UnderstandsOlderServers) {
  answers_ = {{"/api", answer(200, R"({"kind":"APIVersions","versions":["v1"]})")},
              {"/apis", answer(200, R"({"kind":"APIGroupList","groups":[{"name":"apps","preferredVersion":
                 {"groupVersion":"apps/v1"},"versions":[{"groupVersion":"apps/v1beta1"},{"groupVersion":"apps/v1"}]},
                 {"name":"down","versions":[{"groupVersion":"down/v1"}]}]})")},
              {"/api/v1", answer(200, R"({"groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true,
                 "verbs":["get"]},{"name":"pods/log","kind":"Pod"}]})")},
              {"/apis/apps/v1", answer(200, R"({"groupVersion":"apps/v1","resources":[{"name":"deployments",
                 "kind":"Deployment","namespaced":true}]})")},
              {"/apis/apps/v1beta1", answer(200, R"({"groupVersion":"apps/v1beta1","resources":[{"name":"deployments",
                 "kind":"Deployment","namespaced":true}]})")},
              {"/apis/down/v1", answer(501, "")}};
  auto resources = client_with_cache().resources();
  ASSERT_TRUE(resources) << resources.error().message;
  EXPECT_TRUE((*resources)->find({"", "v1"}, "Pod")->has_subresource("log"));
  EXPECT_EQ((*resources)->find_preferred("apps", "Deployment")->group_version.version, "v1");
  EXPECT_THAT((*resources)->stale_groups(), ElementsAre("down/v1"));
}

TEST_F(ClientTest, WatchesThroughEndsBookmarksAndForgottenVersions) {
  auto event = [](const char* type, const char* name, const char* version) {
    return std::string(R"({"type":")") + type + R"(","object":{"metadata":{"name":")" + name +
           R"(","namespace":"n","uid":"u-)" + name + R"(","resourceVersion":")" + version + "\"}}}\n";
  };
  script_.answers = {
      answer(200, R"({"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","namespace":"n","uid":"u-a"}}]})"),
      answer(200, event("ADDED", "b", "6") + event("BOOKMARK", "", "8")),
      lost(http::FailureKind::interrupted),
      answer(200, event("DELETED", "a", "9") + event("MODIFIED", "b", "10")),
      answer(200, R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})" "\n"),
      answer(200, R"({"metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"c","namespace":"n","uid":"u-c"}}]})"),
      answer(200, event("ADDED", "last", "21")),
  };
  std::vector<std::string> told;
  auto result = watch(client(), pods_, "n", {}, [&](Event happened) {
    const char* kind = happened.kind == EventKind::present ? "+" : happened.kind == EventKind::deleted ? "-" : "=";
    told.push_back(kind + name_of(happened.object));
    return name_of(happened.object) != "last";
  });
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(told, ElementsAre("+a", "=", "+b", "-a", "+b", "-b", "+c", "+last"));
  EXPECT_THAT(script_.asked[3], HasSubstr("resourceVersion=8"));
}

TEST_F(ClientTest, EndsAWatchThatIsNotAllowed) {
  script_.answers = {answer(200, R"({"metadata":{"resourceVersion":"5"},"items":[]})"), answer(403, "")};
  auto result = watch(client(), pods_, "n", {}, [](const Event&) { return true; });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FailureKind::forbidden);
  // Nor one that will not work again and again.
  for (int i = 0; i < 200; ++i) script_.answers.push_back(lost(http::FailureKind::interrupted));
  EXPECT_EQ(watch(client(), pods_, "n", {}, [](const Event&) { return true; }).error().kind, FailureKind::unreachable);
}

}  // namespace
}  // namespace opm::kube
