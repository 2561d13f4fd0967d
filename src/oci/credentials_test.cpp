#include "oci/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::oci {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CredentialsTest : public ::testing::Test {
 protected:
  // What is known for a host, in one line.
  std::string known(const std::string& config, const std::string& host = "reg.test") {
    files.add_file("/docker/config.json", config);
    CredentialStore store(environment, files, runner);
    auto found = store.credentials(host);
    if (!found) return "error: " + found.error();
    return found->username + "/" + found->password + "/" + found->identity_token + "/" + found->access_token;
  }

  base::MemoryEnvironment environment{{{"DOCKER_CONFIG", "/docker"}, {"CUE_CONFIG_DIR", "/cue"}}};
  base::MemoryFileSystem files;
  HelperRunner runner = [](const std::string& helper,
                           const std::string& host) -> std::expected<std::optional<std::string>, std::string> {
    if (helper == "missing") return std::nullopt;
    if (helper == "broken") return std::unexpected("helper broke");
    if (helper == "token") return R"({"Username":"<token>","Secret":"id"})";
    return "{\"Username\":\"" + helper + "\",\"Secret\":\"for " + host + "\"}";
  };
};

TEST_F(CredentialsTest, DockersConfigHasManyForms) {
  EXPECT_EQ(known(R"({"auths":{"reg.test":{"username":"u","password":"p"}}})"), "u/p//");
  EXPECT_EQ(known(R"({"auths":{"reg.test":{"auth":"dTpw"}}})"), "u/p//");
  EXPECT_EQ(known(R"({"auths":{"https://reg.test/v1/":{"auth":"dTpw"}}})"), "u/p//");
  EXPECT_EQ(known(R"({"auths":{"reg.test":{"identitytoken":"id"}}})"), "//id/");
  EXPECT_EQ(known(R"({"auths":{"reg.test":{"registrytoken":"t"}}})"), "///t");
  EXPECT_EQ(known(R"({"auths":{"reg.test.evil.test":{"auth":"dTpw"},"reg":{"auth":"dTpw"}}})"), "///");
  EXPECT_EQ(known(R"({"auths":{"reg.test:5000":{"auth":"dTpw"}}})"), "///");
  EXPECT_EQ(known("{}"), "///");
}

TEST_F(CredentialsTest, HelpersAreAsked) {
  EXPECT_EQ(known(R"({"credHelpers":{"reg.test":"h"},"auths":{"reg.test":{"auth":"dTpw"}}})"), "h/for reg.test//");
  EXPECT_EQ(known(R"({"credsStore":"token"})"), "//id/");
  EXPECT_EQ(known(R"({"credsStore":"missing","auths":{"reg.test":{"auth":"dTpw"}}})"), "u/p//");
  EXPECT_THAT(known(R"({"credHelpers":{"reg.test":"missing"}})"), HasSubstr("docker-credential-missing"));
  EXPECT_EQ(known(R"({"credsStore":"broken"})"), "error: helper broke");
}

TEST_F(CredentialsTest, MistakesAreToldWithoutTheSecret) {
  EXPECT_THAT(known(R"({"auths":{"reg.test":{"auth":"!!"}}})"), HasSubstr("cannot decode the field auth for reg.test"));
  EXPECT_THAT(known(R"({"auths":{"reg.test":{"auth":"secretvalue}}})"),
              ::testing::AllOf(HasSubstr("invalid JSON in /docker/config.json"), Not(HasSubstr("secretvalue"))));
  EXPECT_THAT(known(R"({"auths":{"https://reg.test/a":{"auth":"dTpw"},"http://reg.test/b":{"auth":"dTpw"}}})"),
              HasSubstr("more than one auths entry"));
}

TEST_F(CredentialsTest, LoginsOfCue) {
  files.add_file("/cue/logins.json", R"({"registries":{"reg.test":{"access_token":"t","expiry":"2024-05-01T12:00:00Z"}}})");
  CredentialStore store(environment, files, runner);
  auto login = store.login("reg.test");
  ASSERT_TRUE(login && *login);
  EXPECT_EQ((*login)->access_token, "t");
  EXPECT_EQ((*login)->expiry, base::parse_time("2024-05-01T14:00:00.5+02:00"));
  EXPECT_FALSE(store.login("other.test").value());
  files.add_file("/cue/logins.json", R"({"registries":{"reg.test":{}}})");
  EXPECT_THAT(store.login("reg.test").error(), HasSubstr("missing access_token"));
}

}  // namespace
}  // namespace opm::oci
