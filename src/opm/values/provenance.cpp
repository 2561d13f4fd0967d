#include "opm/values/provenance.h"

#include <fmt/core.h>

#include "opm/values/tiers.h"

namespace opm::values {

namespace {

class Walk {
 public:
  std::vector<Leaf> leaves;

  void visit(const Tree& tree) {
    if (tree.is_struct && !tree.fields.empty()) {
      for (const Field& field : tree.fields) {
        path_.push_back(field.name);
        visit(field.value);
        path_.pop_back();
      }
      return;
    }
    if (path_.empty()) return;  // no values at all
    Leaf leaf;
    leaf.path = path_;
    leaf.tree = &tree;
    // What another file of the same tier said before is not what the user overrode.
    for (const Tree& step : tree.history) {
      if (step.tier < tree.tier) leaf.replaced = &step;
    }
    leaf.status = status_of(tree, leaf.replaced != nullptr);
    leaves.push_back(std::move(leaf));
  }

 private:
  static Status status_of(const Tree& tree, bool is_override) {
    if (tree.tier == Tier::author) return Status::author_default;
    if (tree.tier == Tier::user) return is_override ? Status::overridden : Status::added;
    return tree.is_struct || !is_locked(tree) ? Status::platform_default : Status::locked;
  }

  FieldPath path_;
};

}  // namespace

std::vector<Leaf> leaves_of(const Tree& effective) {
  Walk walk;
  walk.visit(effective);
  return std::move(walk.leaves);
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::locked: return "locked";
    case Status::platform_default: return "platform-default";
    case Status::overridden: return "overridden";
    case Status::author_default: return "author-default";
    case Status::added: return "added";
  }
  return {};
}

std::string marked_text(const Tree& tree) { return (tree.is_default ? "*" : "") + value_text(data_of(tree)); }

std::string status_text(const Leaf& leaf) {
  switch (leaf.status) {
    case Status::locked: return "LOCKED (concrete value)";
    case Status::platform_default: return "Platform default (can be overridden)";
    case Status::author_default: return "Default (not overridden)";
    case Status::added: return "Set by End User (no default)";
    case Status::overridden: break;
  }
  return fmt::format("Overridden {} default ({})", leaf.replaced->tier == Tier::platform ? "platform" : "author",
                     marked_text(*leaf.replaced));
}

}  // namespace opm::values
