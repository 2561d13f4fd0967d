#include "opm/model/stored_provider.h"

#include "base/packed_bytes.h"

namespace opm::model {

std::expected<std::string, std::string> store_provider(const StoredProvider& stored) {
  base::PackedWriter writer;
  writer.text(stored.provider.name);
  writer.text(stored.provider.version);
  std::string problem;
  writer.list(stored.provider.transformers, [&](const Transformer& transformer) {
    writer.text(transformer.fqn);
    writer.list(transformer.required_labels, [&](const LabelRequirement& label) {
      if (!label.texts) problem = transformer.fqn + " requires of label " + label.key + " what is no text";
      writer.text(label.key);
      writer.text(label.text);
      writer.texts(label.texts.value_or(std::vector<std::string>()));
    });
    writer.texts(transformer.required_resources);
    writer.texts(transformer.required_traits);
    writer.texts(transformer.optional_traits);
    writer.text(transformer.requirements_key);
    writer.number(transformer.context_like.value_or(static_cast<std::size_t>(&transformer - stored.provider.transformers.data())));
  });
  if (!stored.provider.mentioned_definitions && problem.empty()) problem = "it is not known what transformers mention";
  writer.texts(stored.provider.mentioned_definitions.value_or(std::vector<std::string>()));
  writer.list(stored.definitions, [&](const std::vector<ImportedField>& definitions) {
    writer.list(definitions, [&](const ImportedField& field) {
      writer.text(field.import_path);
      writer.text(field.name);
    });
  });
  if (!problem.empty()) return std::unexpected(std::move(problem));
  return writer.take();
}

StoredProvider restore_provider(const unsigned char* bytes) {
  base::PackedReader reader(bytes);
  StoredProvider stored;
  stored.provider.name = reader.text();
  stored.provider.version = reader.text();
  stored.provider.transformers = reader.list<Transformer>([&](Transformer& transformer) {
    transformer.fqn = reader.text();
    transformer.required_labels = reader.list<LabelRequirement>([&](LabelRequirement& label) {
      label.key = reader.text();
      label.text = reader.text();
      label.texts = reader.texts();
    });
    transformer.required_resources = reader.texts();
    transformer.required_traits = reader.texts();
    transformer.optional_traits = reader.texts();
    transformer.requirements_key = reader.text();
    transformer.context_like = reader.number();
  });
  stored.provider.mentioned_definitions = reader.texts();
  stored.definitions = reader.list<std::vector<ImportedField>>([&](std::vector<ImportedField>& definitions) {
    definitions = reader.list<ImportedField>([&](ImportedField& field) {
      field.import_path = reader.text();
      field.name = reader.text();
    });
  });
  return stored;
}

}  // namespace opm::model
