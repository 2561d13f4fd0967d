// Secrets among values: fields that the schema, or the value itself, says are a #Secret of the catalog. Whatever shows
// values to people shows them as a checksum, and messages go without them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cue/value.h"
#include "opm/values/merge.h"
#include "opm/values/text.h"

namespace opm::values {

class SecretMask {
 public:
  // `config`: the schema of the values.
  explicit SecretMask(cue::Value config);

  // Masks what is secret in a tree, and remembers it for hide().
  void mask(Tree& tree);
  // The same for one value that stands at that path.
  void mask(const FieldPath& path, data::Value& value);
  // Takes the secrets seen so far out of messages. `all`: they are about files that could not be read, so not all
  // secrets have been seen; in messages about a secret then no literal stays.
  void hide(cue::Diagnostics& errors, bool all = false);

 private:
  void visit(const cue::Value& schema, Tree& tree);
  void visit(const cue::Value& schema, data::Value& value);
  void cover(Tree& tree);
  void cover(data::Value& value);
  void cover_text(data::Value& value);
  bool is_secret(const cue::Value& schema) const;
  bool is_about_secret(std::string_view path) const;

  cue::Value config_;
  cue::Value secret_;  // what a secret takes,
  cue::Value other_;   // and what it does not
  std::set<std::string> texts_;
};

}  // namespace opm::values
