// A provider as bytes: what reading it from CUE comes to, for those who have read it once and keep it. What its
// transformers make is not part of it, but where in the provider's packages each of them stands.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "opm/model/provider.h"

namespace opm::model {

// A field at the top of a package that the provider's own imports.
struct ImportedField {
  std::string import_path;  // as the provider's package writes it
  std::string name;
  bool operator==(const ImportedField&) const = default;
};

struct StoredProvider {
  Provider provider;  // without values
  std::vector<std::vector<ImportedField>> definitions;  // by transformer: what it is the unification of
};

// What is wrong, if a transformer requires a label to be something else than one of several texts.
std::expected<std::string, std::string> store_provider(const StoredProvider& provider);
// Of bytes that store_provider made.
StoredProvider restore_provider(const unsigned char* bytes);

}  // namespace opm::model
