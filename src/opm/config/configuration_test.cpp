#include "opm/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/module/build_list.h"
#include "opm/builtin/catalog.h"
#include "opm/config/check.h"

namespace opm::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class ConfigurationTest : public testing::Test {
 protected:
  std::expected<Configuration, Failure> resolved() {
    environment_ = base::MemoryEnvironment(variables);
    Inputs inputs;
    inputs.flags = flags;
    inputs.working_directory = "/here";
    inputs.environment = &environment_;
    inputs.files = &files;
    inputs.resolver = [&](const std::string& registry) {
      asked_registry = registry;
      return &resolver;
    };
    return resolve(inputs);
  }
  std::string error() {
    auto configuration = resolved();
    if (configuration) return "no error";
    return configuration.error().errors.front().path + ": " + configuration.error().errors.front().message;
  }

  base::MemoryFileSystem files{{"/here/x", ""}};
  std::map<std::string, std::string> variables{{"HOME", "/home"}};
  Flags flags;
  std::string asked_registry = "not asked";
  cue::module::ModuleSources sources{
      {std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::exact)}};
  cue::module::BuildListResolver resolver{sources};

 private:
  base::MemoryEnvironment environment_;
};

TEST_F(ConfigurationTest, NeedsNoFile) {
  auto configuration = resolved();
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->file.value, "");
  EXPECT_EQ(configuration->registry.value, "");
  EXPECT_EQ(configuration->kubeconfig.value, "/home/.kube/config");
  EXPECT_EQ(configuration->namespace_name.value, "");
  EXPECT_FALSE(configuration->timestamps.value);
  EXPECT_EQ(configuration->api_warnings.value, "warn");
  for (const Row& row : rows(*configuration)) EXPECT_EQ(row.origin.text(), "default") << row.name;
}

TEST_F(ConfigurationTest, HasTheBuiltInProviderWhereNoneIsConfigured) {
  files.add_file("/home/.opm/config.cue", "package config\nconfig: registry: \"r.example.com\"\n");
  auto configuration = resolved();
  ASSERT_TRUE(configuration);
  ASSERT_NE(configuration->find_provider("kubernetes"), nullptr);
  EXPECT_EQ(configuration->find_provider("nomad"), nullptr);
  auto checked = check(*configuration, resolver);
  ASSERT_TRUE(checked) << checked.error().errors.front().message;
  ASSERT_THAT(*checked, SizeIs(1));
  EXPECT_GT(checked->front().transformers, 10u);
}

TEST_F(ConfigurationTest, ProvidersOfTheFileAreInItsPackage) {
  files.add_file("/home/.opm/cue.mod/module.cue",
                 "module: \"x.example/c@v0\"\nlanguage: version: \"v0.15.0\"\ndeps: \"opmodel.dev/providers@v0\": v: \"" +
                     std::string(builtin::catalog_version()) + "\"\n");
  files.add_file("/home/.opm/config.cue",
                 "package config\nimport p \"opmodel.dev/providers@v0\"\n"
                 "config: providers: {\n\tkubernetes: p.#Registry.kubernetes\n\t\"my-own\": kubernetes\n}\n");
  auto configuration = resolved();
  ASSERT_TRUE(configuration);
  ASSERT_THAT(configuration->providers, SizeIs(2));
  EXPECT_EQ(configuration->providers[0].path, "config.providers.kubernetes");
  EXPECT_EQ(configuration->providers[1].path, "config.providers.\"my-own\"");
  EXPECT_EQ(configuration->providers[1].origin.text(), "/home/.opm/config.cue:5:2");
  EXPECT_EQ(asked_registry, "not asked");  // names are known without evaluating
  auto checked = check(*configuration, resolver);
  ASSERT_TRUE(checked) << checked.error().errors.front().message;
  EXPECT_EQ((*checked)[0].transformers, (*checked)[1].transformers);
}

TEST_F(ConfigurationTest, TakesFlagsBeforeTheEnvironmentBeforeTheFile) {
  variables["CUE_REGISTRY"] = "cue.example";
  EXPECT_EQ(resolved()->registry.value, "cue.example");
  files.add_file("/home/.opm/config.cue", "package config\n\nconfig: registry: \"file.example\"\n");
  EXPECT_EQ(resolved()->registry.value, "file.example");
  EXPECT_EQ(resolved()->registry.origin.text(), "/home/.opm/config.cue:3:9");
  variables["OPM_REGISTRY"] = "opm.example";
  EXPECT_EQ(resolved()->registry.origin.text(), "environment OPM_REGISTRY");
  flags.registry = "flag.example";
  EXPECT_EQ(resolved()->registry.origin.text(), "flag --registry");
  EXPECT_EQ(resolved()->registry.value, "flag.example");
}

TEST_F(ConfigurationTest, FindsTheFile) {
  files.add_file("/home/.opm/config.cue", "package config\nconfig: kubernetes: namespace: \"home\"\n");
  files.add_file("/here/own/config.cue", "package config\nconfig: kubernetes: namespace: \"own\"\n");
  EXPECT_EQ(resolved()->namespace_name.value, "home");
  variables["OPM_CONFIG"] = "~/.opm";
  EXPECT_EQ(resolved()->file.value, "/home/.opm/config.cue");
  flags.config = "own/config.cue";
  EXPECT_EQ(resolved()->namespace_name.value, "own");
  EXPECT_EQ(resolved()->file.origin.text(), "flag --config");
  flags.config = "own/missing.cue";
  EXPECT_EQ(resolved().error().kind, Failure::Kind::not_found);
}

TEST_F(ConfigurationTest, EvaluatesSettingsThatAreNoPlainData) {
  files.add_file("/home/.opm/config.cue",
                 "package config\nconfig: {\n\tregistry: \"r.example\"\n\tkubernetes: namespace: \"a-\\(team)\"\n}\n");
  files.add_file("/home/.opm/team.cue", "package config\nteam: \"b\"\n");
  auto configuration = resolved();
  ASSERT_TRUE(configuration) << configuration.error().errors.front().message;
  EXPECT_EQ(configuration->namespace_name.value, "a-b");
  EXPECT_EQ(configuration->namespace_name.origin.text(), "/home/.opm/config.cue:4:25");
  EXPECT_EQ(asked_registry, "r.example");
}

TEST_F(ConfigurationTest, RefusesWhatItDoesNotKnow) {
  auto says = [&](const std::string& text) {
    files.add_file("/home/.opm/config.cue", "package config\n" + text + "\n");
    return error();
  };
  EXPECT_EQ(says("config: namespace: \"x\""), "config.namespace: there is no such setting");
  EXPECT_EQ(says("config: log: timestamps: 1"), "config.log.timestamps: this has to be true or false");
  EXPECT_EQ(says("config: log: 1"), "config.log: this has to be a struct");
  EXPECT_THAT(says("config: registry: string"), HasSubstr("has to be a plain string"));
  EXPECT_THAT(says("config: kubernetes: namespace: string"), HasSubstr("incomplete value string"));
  EXPECT_EQ(says("other: 1"), "no error");
}

TEST_F(ConfigurationTest, SurvivesHostileInput) {
  for (const std::string& text :
       {std::string(), std::string("package config\nconfig: config"), std::string("package config\nconfig: {config}"),
        "package config\nconfig: " + std::string(100'000, '{'), std::string("\xff\xfe\x00", 3),
        std::string("package config\nconfig: providers: {for k, v in config.providers {(k + \"x\"): v}}")}) {
    files.add_file("/home/.opm/config.cue", text);
    static_cast<void>(resolved());
  }
}

}  // namespace
}  // namespace opm::config
