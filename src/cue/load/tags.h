// @tag(name, short=a|b, type=int, var=now): values from outside that are put into fields.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cue/load/load.h"
#include "cue/syntax/ast.h"
#include "diag/diagnostic.h"

namespace opm::cue::load {

// The tags of one load: which are set for @if, and which fields take values.
class Tags {
 public:
  explicit Tags(const std::vector<std::string>& given);

  // For @if; remembers that the tag was asked for.
  bool is_set(std::string_view name);

  // Finds the @tag attributes of a file; what is wrong with them.
  std::vector<diag::Diagnostic> find(syntax::File& file);

  // Changes `field: x` to `field: x & value` for every tag that was given. The new nodes are
  // made in the arena. A tag that no file uses is an error.
  std::vector<diag::Diagnostic> inject(base::Arena& arena,
                                       const std::optional<std::map<std::string, TagVariable>>& variables);

 private:
  enum class Type { string, integer, number, boolean };
  struct Tag {
    std::string key;
    Type type = Type::string;
    std::vector<std::string> shorthands;
    std::string variable;
    bool is_injected = false;
    syntax::Field* field = nullptr;
    diag::Position position;
  };
  class Finder;

  std::optional<diag::Diagnostic> inject_value(base::Arena& arena, Tag& tag, std::string_view value);
  void unify(base::Arena& arena, Tag& tag, syntax::Token token, std::string_view text);

  std::vector<std::string> given_;
  std::set<std::string, std::less<>> used_;
  std::set<const syntax::File*> seen_;
  std::vector<Tag> tags_;
};

}  // namespace opm::cue::load
