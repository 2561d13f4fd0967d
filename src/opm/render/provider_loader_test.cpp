#include "opm/render/provider_loader.h"

#include <gtest/gtest.h>

#include "cue/inspection.h"
#include "cue/mentions.h"
#include "opm/builtin/catalog.h"
#include "opm/builtin/catalog_image.h"
#include "opm/model/stored_provider.h"
#include "opm/render/job.h"

namespace opm::render {
namespace {

// What was read when opm was built is what would be read now.
TEST(BuiltinProvider, IsStoredAsItIsRead) {
  cue::load::LoadOptions options;
  options.directory = "/";
  options.files = &builtin::catalog_files();
  auto program = cue::Program::load({"/providers/kubernetes:kubernetes"}, options);
  ASSERT_EQ(program->instances().size(), 1u);
  cue::Context context(program);
  auto read = model::read_provider(context.instance(0).find(kBuiltinProvider));
  ASSERT_TRUE(read);
  model::StoredProvider stored = model::restore_provider(builtin::stored_provider());
  EXPECT_EQ(stored.provider.name, read->name);
  EXPECT_EQ(stored.provider.version, read->version);
  ASSERT_EQ(stored.provider.transformers.size(), read->transformers.size());
  ASSERT_EQ(stored.definitions.size(), read->transformers.size());
  std::vector<cue::PackageField> transformers;
  for (std::size_t i = 0; i < read->transformers.size(); ++i) {
    const model::Transformer& is = stored.provider.transformers[i];
    const model::Transformer& was = read->transformers[i];
    EXPECT_EQ(is.fqn, was.fqn);
    EXPECT_EQ(is.required_resources, was.required_resources);
    EXPECT_EQ(is.required_traits, was.required_traits);
    EXPECT_EQ(is.optional_traits, was.optional_traits);
    EXPECT_EQ(is.requirements_key, was.requirements_key);
    ASSERT_EQ(is.required_labels.size(), was.required_labels.size());
    for (std::size_t k = 0; k < is.required_labels.size(); ++k) {
      EXPECT_EQ(is.required_labels[k].key, was.required_labels[k].key);
      EXPECT_EQ(is.required_labels[k].text, was.required_labels[k].text);
      EXPECT_EQ(is.required_labels[k].texts, was.required_labels[k].texts);
      EXPECT_FALSE(is.required_labels[k].texts->empty());
    }
    std::vector<cue::PackageField> fields = was.value.package_fields();
    ASSERT_EQ(stored.definitions[i].size(), fields.size());
    ASSERT_FALSE(fields.empty());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      auto found = cue::imported_field(*program, 0, stored.definitions[i][k].import_path, stored.definitions[i][k].name);
      ASSERT_TRUE(found) << stored.definitions[i][k].name;
      EXPECT_EQ(found->package, fields[k].package);
      EXPECT_EQ(found->label, fields[k].label);
      transformers.push_back(fields[k]);
    }
  }
  for (const model::Transformer& is : stored.provider.transformers) {
    ASSERT_TRUE(is.context_like && *is.context_like < read->transformers.size());
    auto declared = [&](std::size_t index) { return declarations_of_context(declared_context(read->transformers[index].value)); };
    EXPECT_EQ(declared(static_cast<std::size_t>(&is - stored.provider.transformers.data())), declared(*is.context_like)) << is.fqn;
  }
  EXPECT_EQ(stored.provider.mentioned_definitions, cue::mentioned_definitions(*program, transformers));
}

TEST(BuiltinProvider, CannotStoreWhatMightMentionAnything) {
  model::StoredProvider stored;
  auto bytes = model::store_provider(stored);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error(), "it is not known what transformers mention");
}

TEST(BuiltinProvider, CannotStoreARequirementThatIsNoText) {
  model::StoredProvider stored;
  stored.provider.transformers.emplace_back().fqn = "example.com/t@v0#T";
  stored.provider.transformers.front().required_labels.push_back({"size", ">5", {}, {}});
  auto bytes = model::store_provider(stored);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error(), "example.com/t@v0#T requires of label size what is no text");
}

}  // namespace
}  // namespace opm::render
