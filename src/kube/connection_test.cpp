#include "kube/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace opm::kube {
namespace {

using testing::HasSubstr;

constexpr const char* kPem = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";

constexpr const char* kConfig = R"(apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: one
  cluster:
    server: https://one.example:6443/prefix/
    certificate-authority: ca.pem
    tls-server-name: kubernetes.default
    proxy-url: socks5://proxy.example:1080
users:
- name: alice
  user:
    token: s3cr3t
contexts:
- name: dev
  context: {cluster: one, user: alice, namespace: shop}
- name: other
  context: {cluster: two, user: alice}
)";

struct Asked {
  base::MemoryFileSystem files;
  std::map<std::string, std::string> variables{{"HOME", "/home/me"}};
  ConnectionRequest request;
  std::shared_ptr<diag::SourceMap> sources = std::make_shared<diag::SourceMap>();

  std::expected<Connection, std::vector<diag::Diagnostic>> connect() {
    return find_connection(request, "/project", base::MemoryEnvironment(variables), files, *sources);
  }
  // "line:column: message" of the only error.
  std::string error() {
    auto connection = connect();
    if (connection) return "no error";
    const diag::Diagnostic& first = connection.error().front();
    if (first.positions.empty()) return first.message;
    diag::Location at = sources->locate(first.positions.front());
    return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + first.message;
  }
  std::string advice() {
    auto connection = connect();
    return connection ? "" : connection.error().front().advice;
  }
};

Asked with(const std::string& config) {
  Asked asked;
  asked.files.add_file("/home/me/.kube/config", config);
  asked.files.add_file("/home/me/.kube/ca.pem", kPem);
  return asked;
}

TEST(ConnectionTest, ReadsTheCurrentContext) {
  Asked asked = with(kConfig);
  auto connection = asked.connect();
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->server.text(), "https://one.example:6443/prefix");
  EXPECT_EQ(connection->tls.authorities, kPem);
  EXPECT_EQ(connection->tls.server_name, "kubernetes.default");
  EXPECT_EQ(connection->proxy, "socks5://proxy.example:1080");
  EXPECT_EQ(connection->identity.token, "s3cr3t");
  EXPECT_EQ(connection->name_space, "shop");
  EXPECT_EQ(connection->context, "dev");
}

TEST(ConnectionTest, TakesTheFirstPlaceThatSaysSomething) {
  auto config = [](const std::string& host) {
    return "clusters: [{name: c, cluster: {server: 'https://" + host +
           "'}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n";
  };
  auto asked_with = [&](std::map<std::string, std::string> variables, ConnectionRequest request) {
    Asked asked;
    asked.variables.merge(variables);
    asked.request = std::move(request);
    for (const char* name : {"flag", "platform", "own", "usual", "configured"})
      asked.files.add_file(std::string("/project/") + name, config(name));
    asked.files.add_file("/home/me/.kube/config", config("home"));
    auto connection = asked.connect();
    return connection ? connection->server.host : asked.error();
  };
  std::map<std::string, std::string> both{{"OPM_KUBECONFIG", "own"}, {"KUBECONFIG", "/project/usual"}};
  EXPECT_EQ(asked_with(both, {.kubeconfig_flag = {"flag"}, .kubeconfig_of_platform = "platform"}), "flag");
  EXPECT_EQ(asked_with(both, {.kubeconfig_of_platform = "platform"}), "platform");
  EXPECT_EQ(asked_with(both, {.kubeconfig_of_configuration = "configured"}), "own");
  EXPECT_EQ(asked_with({{"KUBECONFIG", "/project/usual"}}, {.kubeconfig_of_configuration = "configured"}), "usual");
  EXPECT_EQ(asked_with({}, {.kubeconfig_of_configuration = "configured"}), "configured");
  EXPECT_EQ(asked_with({}, {.kubeconfig_of_configuration = "~/.kube/config"}), "home");
  EXPECT_EQ(asked_with({}, {}), "home");
}

TEST(ConnectionTest, MergesSeveralFilesAsKubectlDoes) {
  Asked asked;
  asked.variables["KUBECONFIG"] = "/project/a/config::/project/missing:/project/b/config";
  asked.files.add_file("/project/a/config",
                       "clusters: [{name: c, cluster: {server: 'https://first'}}]\n"
                       "contexts: [{name: x, context: {cluster: c, user: u}}]\n");
  asked.files.add_file("/project/b/config",
                       "current-context: x\n"
                       "clusters: [{name: c, cluster: {server: 'https://second'}}]\n"
                       "users: [{name: u, user: {tokenFile: token}}]\n");
  auto connection = asked.connect();
  ASSERT_TRUE(connection) << asked.error();
  EXPECT_EQ(connection->server.host, "first");
  EXPECT_EQ(connection->identity.token_file, "/project/b/token");
}

TEST(ConnectionTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(with("clusters: 3\n").error(), "1:11: \"clusters\" is not a list");
  EXPECT_EQ(with("clusters:\n- cluster: {}\n").error(), "2:3: an entry of \"clusters\" has no name");
  EXPECT_THAT(with("a: [\n").error(), HasSubstr(":"));
  EXPECT_EQ(with("- 1\n").error(), "1:1: this is no kubeconfig: it is not a map");
  EXPECT_EQ(with("kind: Pod\n").error(), "1:7: this is no kubeconfig: its kind is not \"Config\"");
  EXPECT_EQ(with("users: [{name: a, user: {}}, {name: a, user: {}}]\n").error(),
            "1:37: \"users\" has two entries named \"a\"");
  Asked asked = with(kConfig);
  asked.request.context = "nowhere";
  EXPECT_EQ(asked.error(), "/home/me/.kube/config has no context \"nowhere\"");
  EXPECT_EQ(asked.advice(), "there are \"dev\", \"other\"");
  asked.request.context = "other";
  EXPECT_EQ(asked.error(),
            "19:22: the context \"other\" is for the cluster \"two\", which /home/me/.kube/config does not have");
}

std::string with_cluster(const std::string& fields) {
  return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\n"
         "clusters:\n- name: c\n  cluster:\n" +
         fields;
}

TEST(ConnectionTest, RefusesClustersThatMakeNoSense) {
  EXPECT_EQ(with(with_cluster("    a: b\n")).error(), "5:3: the cluster has no \"server\"");
  EXPECT_EQ(with(with_cluster("    server: ftp://x\n")).error(),
            "7:13: \"server\" is no address such as https://host:6443");
  EXPECT_EQ(with(with_cluster("    server: https://me:pw@x\n")).error(),
            "7:13: \"server\" is no address such as https://host:6443");
  EXPECT_EQ(with(with_cluster("    server: https://x\n    certificate-authority-data: '!!'\n")).error(),
            "8:33: \"certificate-authority-data\" of the cluster \"c\" is not base64");
  EXPECT_EQ(with(with_cluster("    server: https://x\n    certificate-authority-data: aGVsbG8=\n")).error(),
            "8:33: \"certificate-authority\" of the cluster \"c\" holds nothing in PEM form (-----BEGIN …)");
  EXPECT_THAT(with(with_cluster("    server: https://x\n    certificate-authority: gone.pem\n")).error(),
              HasSubstr("the file /home/me/.kube/gone.pem: no such file"));
  EXPECT_THAT(
      with(with_cluster("    server: https://x\n    certificate-authority: ca.pem\n    insecure-skip-tls-verify: true\n"))
          .error(),
      HasSubstr("9:31: \"insecure-skip-tls-verify\" and \"certificate-authority\" contradict"));
  EXPECT_THAT(with(with_cluster("    server: https://x\n    tls-server-name: \"a\\nb\"\n")).error(),
              HasSubstr("no name of a server"));
  EXPECT_THAT(with(with_cluster("    server: https://x\n    insecure-skip-tls-verify: 'yes'\n")).error(),
              HasSubstr("neither true nor false"));
}

std::string with_user(const std::string& fields, const std::string& server = "https://x") {
  return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: "
         "{server: '" +
         server + "'}}]\nusers:\n- name: u\n  user:\n" + fields;
}

TEST(ConnectionTest, RefusesUsersThatMakeNoSense) {
  EXPECT_THAT(with(with_user("    token: [1]\n")).error(), HasSubstr("7:12: \"token\" of the user \"u\" is not a string"));
  EXPECT_THAT(with(with_user("    token: abc\n    username: me\n")).error(), HasSubstr("a user name and a token"));
  EXPECT_THAT(with(with_user("    client-certificate: ca.pem\n")).error(), HasSubstr("without a client-key"));
  EXPECT_THAT(with(with_user("    auth-provider: {name: gcp}\n")).error(), HasSubstr("gone from Kubernetes"));
  EXPECT_THAT(with(with_user("    exec: {command: x, apiVersion: v0}\n")).error(), HasSubstr("neither client.auth"));
  EXPECT_THAT(with(with_user("    exec: {apiVersion: client.authentication.k8s.io/v1}\n")).error(),
              HasSubstr("no \"command\""));
}

TEST(ConnectionTest, NeverShowsSecrets) {
  for (const char* fields : {"    token: s3cr3t\n    username: me\n", "    password: {s3cr3t: 1}\n",
                             "    client-key-data: s3cr3t!\n    client-certificate: ca.pem\n"}) {
    Asked asked = with(with_user(fields));
    EXPECT_NE(asked.error(), "no error") << fields;
    EXPECT_EQ(asked.error().find("s3cr3t"), std::string::npos) << asked.error();
  }
}

TEST(ConnectionTest, TellsNobodyWhoWeAreInTheClear) {
  auto connection = with(with_user("    token: s3cr3t\n", "http://x")).connect();
  ASSERT_TRUE(connection);
  EXPECT_EQ(connection->identity.token, "");
}

TEST(ConnectionTest, ReadsPlugins) {
  auto connection = with(with_user("    exec:\n      apiVersion: client.authentication.k8s.io/v1beta1\n"
                                   "      command: ./login\n      args: [token, --for=x]\n"
                                   "      env: [{name: A, value: b}]\n      interactiveMode: Never\n"
                                   "      installHint: install it\n"))
                        .connect();
  ASSERT_TRUE(connection);
  const ExecPlugin& plugin = *connection->identity.exec;
  EXPECT_EQ(plugin.command, "./login");
  EXPECT_EQ(plugin.folder, "/home/me/.kube");
  EXPECT_EQ(plugin.arguments, (std::vector<std::string>{"token", "--for=x"}));
  EXPECT_EQ(plugin.environment.at(0), (std::pair<std::string, std::string>{"A", "b"}));
  EXPECT_EQ(plugin.interaction, ExecPlugin::Interaction::never);
}

TEST(ConnectionTest, DoesNotTrustTheFileOfARepository) {
  Asked asked;
  asked.files.add_file("/project/repo/kube",
                       with_user("    exec: {command: evil, apiVersion: client.authentication.k8s.io/v1}\n"));
  asked.request.kubeconfig_of_platform = "repo/kube";
  EXPECT_EQ(asked.error(), "7:11: this kubeconfig belongs to the repository and wants to run \"evil\"");
  EXPECT_EQ(asked.advice(), "pass --allow-exec if you trust it");
  asked.request.allow_exec = true;
  EXPECT_TRUE(asked.connect());

  Asked other;
  other.files.add_file("/home/me/.ssh/id", "private");
  other.files.add_file("/project/repo/token", "mine");
  other.files.add_link("/project/repo/link", "/home/me/.ssh/id");
  other.request.kubeconfig_of_platform = "repo/kube";
  for (const char* file : {"/home/me/.ssh/id", "../../home/me/.ssh/id", "link"}) {
    other.files.add_file("/project/repo/kube", with_user(std::string("    tokenFile: ") + file + "\n"));
    EXPECT_THAT(other.error(), HasSubstr("send a file from elsewhere")) << file;
  }
  other.files.add_file("/project/repo/kube", with_user("    tokenFile: token\n"));
  EXPECT_TRUE(other.connect()) << other.error();
}

TEST(ConnectionTest, UsesWhatAPodFinds) {
  Asked asked;
  asked.variables["KUBERNETES_SERVICE_HOST"] = "fd00::1";
  asked.variables["KUBERNETES_SERVICE_PORT"] = "443";
  asked.files.add_file("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt", kPem);
  asked.files.add_file("/var/run/secrets/kubernetes.io/serviceaccount/namespace", "builds\n");
  auto connection = asked.connect();
  ASSERT_TRUE(connection) << asked.error();
  EXPECT_EQ(connection->server.host, "[fd00::1]");
  EXPECT_EQ(connection->name_space, "builds");
  EXPECT_EQ(connection->identity.token_file, "/var/run/secrets/kubernetes.io/serviceaccount/token");
}

TEST(ConnectionTest, SaysWhereItLooked) {
  Asked asked;
  EXPECT_EQ(asked.error(), "there is no kubeconfig (looked for /home/me/.kube/config)");
  asked.request.kubeconfig_flag = {"/nowhere"};
  EXPECT_EQ(asked.error(), "cannot read the kubeconfig /nowhere: no such file or directory");
}

TEST(ConnectionTest, ActsAsSomebodyElse) {
  Asked asked = with(with_user("    token: abc\n    as: bob\n    as-groups: [a]\n"));
  EXPECT_EQ(asked.connect()->identity.as_groups, (std::vector<std::string>{"a"}));
  asked.request.as = "carol";
  EXPECT_EQ(asked.connect()->identity.as, "carol");
  EXPECT_TRUE(asked.connect()->identity.as_groups.empty());
  Asked group = with(with_user("    token: abc\n"));
  group.request.as_groups = {"x"};
  EXPECT_THAT(group.error(), HasSubstr("need --as"));
}

}  // namespace
}  // namespace opm::kube
