// Names in a tree that was put together from several places. Where a struct gained a field, a name inside it may mean
// that one now rather than the field further out that it was written for; such a field gets another name, and so does
// an import. Imports are listed in the order in which the tree uses them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cue/export/builder.h"
#include "cue/syntax/ast.h"

namespace opm::cue::exporting {

struct Import {
  std::string path;
  std::string name;  // that it is bound to
};

// What the names of a tree stand for.
struct Resolution {
  std::unordered_map<const syntax::Identifier*, const syntax::Node*> fields;  // the struct with the field
  std::unordered_map<const syntax::Identifier*, Import> imports;
  const syntax::Node* root = nullptr;  // the struct whose declarations are those of the file
};

std::vector<Import> unshadow(Builder& make, syntax::File& file, const Resolution& resolution);

// The numbers behind new names: always the same ones, those that `cue` takes.
class NameNumbers {
 public:
  std::uint64_t below(std::uint64_t limit);

 private:
  std::uint64_t next();
  std::uint64_t high_ = 123;
  std::uint64_t low_ = 456;
};

std::string hexadecimal(std::uint64_t number);  // in capitals

}  // namespace opm::cue::exporting
