#include "kube/credentials.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace opm::kube {
namespace {

TEST(ExecCredentialTest, ReadsTokensAndCertificates) {
  auto token = parse_exec_credential(
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"abc","expirationTimestamp":"1970-01-01T00:01:00Z"}})",
      "client.authentication.k8s.io/v1");
  ASSERT_TRUE(token);
  EXPECT_EQ(token->token, "abc");
  EXPECT_EQ(token->expiry, base::Clock::Time(std::chrono::seconds(60)));
  auto certificate = parse_exec_credential(
      R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"clientCertificateData":"c","clientKeyData":"k"}})",
      "client.authentication.k8s.io/v1beta1");
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->key, "k");
}

TEST(ExecCredentialTest, RefusesEverythingElseWithoutShowingIt) {
  const char* version = "client.authentication.k8s.io/v1";
  for (const char* printed :
       {"", "hidden", "[]", R"({"kind":"hidden"})",
        R"({"kind":"ExecCredential","apiVersion":"hidden","status":{"token":"hidden"}})",
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}})",
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"hid\r\nden: x"}})",
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientKeyData":"hidden"}})",
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"a","expirationTimestamp":"hidden"}})"}) {
    auto credential = parse_exec_credential(printed, version);
    ASSERT_FALSE(credential) << printed;
    EXPECT_EQ(credential.error().find("hidden"), std::string::npos) << credential.error();
  }
}

std::string header(CredentialSource& source, const std::string& name) {
  auto authorization = source.authorization();
  if (!authorization) return "failed: " + authorization.error().message;
  for (const auto& [each, value] : authorization->headers)
    if (each == name) return value;
  return {};
}

TEST(CredentialSourceTest, SendsTokensPasswordsAndWhomToActAs) {
  base::MemoryFileSystem files;
  base::ManualClock clock;
  Connection connection;
  connection.identity = {.username = "me", .password = "pw", .as = "bob", .as_groups = {"a", "b"},
                         .as_extra = {{"example.com/x", "1"}}};
  CredentialSource source(connection, base::real_environment(), files, clock);
  EXPECT_EQ(header(source, "Authorization"), "Basic bWU6cHc=");
  EXPECT_EQ(header(source, "Impersonate-User"), "bob");
  EXPECT_EQ(header(source, "Impersonate-Extra-example.com%2Fx"), "1");
  connection.identity.as = "bob\r\nX: y";
  EXPECT_EQ(header(source, "Impersonate-User"), "failed: what is to be sent as Impersonate-User has control characters");
}

TEST(CredentialSourceTest, ReadsTokenFilesAgain) {
  base::MemoryFileSystem files;
  files.add_file("/token", "one\n");
  base::ManualClock clock;
  Connection connection;
  connection.identity.token_file = "/token";
  CredentialSource source(connection, base::real_environment(), files, clock);
  EXPECT_EQ(header(source, "Authorization"), "Bearer one");
  files.add_file("/token", "two");
  EXPECT_EQ(header(source, "Authorization"), "Bearer one");
  clock.advance(std::chrono::minutes(2));
  EXPECT_EQ(header(source, "Authorization"), "Bearer two");
  // Refused by the server: there may be a new one at once.
  files.add_file("/token", "three");
  EXPECT_TRUE(source.renew(*source.authorization()));
  EXPECT_EQ(header(source, "Authorization"), "Bearer three");
  files.remove_file("/token");
  clock.advance(std::chrono::minutes(2));
  EXPECT_EQ(header(source, "Authorization"), "Bearer three");
}

class PluginTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("opm-plugin-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Connection connection_with(const std::string& script) {
    std::ofstream(folder_ / "plugin.sh") << script;
    Connection connection;
    connection.server = *http::parse_url("https://one.example:6443");
    connection.server.target.clear();
    ExecPlugin plugin;
    plugin.api_version = "client.authentication.k8s.io/v1";
    plugin.command = "sh";
    plugin.arguments = {(folder_ / "plugin.sh").string()};
    plugin.environment = {{"GIVEN", "this"}};
    plugin.interaction = ExecPlugin::Interaction::never;
    plugin.provide_cluster_info = true;
    plugin.install_hint = "install it from there";
    connection.identity.exec = plugin;
    return connection;
  }

  std::filesystem::path folder_;
  base::ManualClock clock_{base::Clock::Time(std::chrono::seconds(1000))};
};

TEST_F(PluginTest, IsKeptUntilItRunsOut) {
  Connection connection = connection_with(
      "echo x >> " + (folder_ / "runs").string() + "\nn=$(wc -l < " + (folder_ / "runs").string() +
      ")\nprintf '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":"
      "\"%s-%s\",\"expirationTimestamp\":\"1970-01-01T00:20:00Z\"}}' $GIVEN $n\n");
  CredentialSource source(connection, base::real_environment(), base::real_file_system(), clock_);
  EXPECT_EQ(header(source, "Authorization"), "Bearer this-1");
  EXPECT_EQ(header(source, "Authorization"), "Bearer this-1");
  clock_.advance(std::chrono::seconds(198));
  EXPECT_EQ(header(source, "Authorization"), "Bearer this-2");
  clock_ = base::ManualClock(base::Clock::Time(std::chrono::seconds(1000)));
  auto refused = source.authorization();
  EXPECT_TRUE(source.renew(*refused));
  EXPECT_EQ(header(source, "Authorization"), "Bearer this-3");
}

TEST_F(PluginTest, IsToldAboutTheCluster) {
  Connection connection = connection_with(
      "t=$(printf %s \"$KUBERNETES_EXEC_INFO\" | tr -d '{}[]\",')\nprintf "
      "'{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"%s\"}}' "
      "\"$t\"\n");
  CredentialSource source(connection, base::real_environment(), base::real_file_system(), clock_);
  EXPECT_EQ(header(source, "Authorization"),
            "Bearer kind:ExecCredentialapiVersion:client.authentication.k8s.io/v1spec:interactive:falsecluster:server:"
            "https://one.example:6443");
}

TEST_F(PluginTest, FailsWithItsLastWord) {
  Connection connection = connection_with("echo first >&2; echo 'please log in' >&2; exit 3\n");
  CredentialSource source(connection, base::real_environment(), base::real_file_system(), clock_);
  EXPECT_EQ(header(source, "Authorization"),
            "failed: cannot get credentials from \"sh\": it ended with exit code 3: please log in");
  EXPECT_EQ(source.authorization().error().advice, "install it from there");
  connection.identity.exec->command = "no-such-program-of-opm";
  EXPECT_EQ(header(source, "Authorization"),
            "failed: cannot get credentials from \"no-such-program-of-opm\": there is no such program");
}

}  // namespace
}  // namespace opm::kube
