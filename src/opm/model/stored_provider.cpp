#include "opm/model/stored_provider.h"

#include <cstdint>
#include <cstring>

namespace opm::model {

namespace {

// Lists begin with their length, texts are lists of bytes.
class Writer {
 public:
  void number(std::size_t value) {
    auto small = static_cast<std::uint32_t>(value);
    bytes_.append(reinterpret_cast<const char*>(&small), sizeof small);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& items, Each each) {
    number(items.size());
    for (const T& item : items) each(item);
  }
  void texts(const std::vector<std::string>& texts) {
    list(texts, [&](const std::string& one) { text(one); });
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const unsigned char* bytes) : at_(reinterpret_cast<const char*>(bytes)) {}

  std::size_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    std::size_t size = number();
    const char* begin = at_;
    at_ += size;
    return std::string(begin, size);
  }
  template <typename T, typename Each>
  std::vector<T> list(Each each) {
    std::vector<T> items(number());
    for (T& item : items) each(item);
    return items;
  }
  std::vector<std::string> texts() {
    return list<std::string>([&](std::string& one) { one = text(); });
  }

 private:
  const char* at_;
};

}  // namespace

std::expected<std::string, std::string> store_provider(const StoredProvider& stored) {
  Writer writer;
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
  });
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
  Reader reader(bytes);
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
  });
  stored.definitions = reader.list<std::vector<ImportedField>>([&](std::vector<ImportedField>& definitions) {
    definitions = reader.list<ImportedField>([&](ImportedField& field) {
      field.import_path = reader.text();
      field.name = reader.text();
    });
  });
  return stored;
}

}  // namespace opm::model
