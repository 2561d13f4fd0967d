#include "cue/export/unshadow.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

namespace opm::cue::exporting {

using syntax::as;
using syntax::Node;
using syntax::NodeKind;

// A permuted congruential generator (PCG-DXSM) of 128 bits.
std::uint64_t NameNumbers::next() {
  constexpr std::uint64_t kFactorHigh = 2549297995355413924, kFactorLow = 4865540595714422341;
  constexpr std::uint64_t kStepHigh = 6364136223846793005, kStepLow = 1442695040888963407;
  constexpr std::uint64_t kMix = 0xda942042e4dd58b5;
  __extension__ using Wide = unsigned __int128;
  Wide state = (static_cast<Wide>(high_) << 64) | low_;
  state = state * ((static_cast<Wide>(kFactorHigh) << 64) | kFactorLow) + ((static_cast<Wide>(kStepHigh) << 64) | kStepLow);
  high_ = static_cast<std::uint64_t>(state >> 64);
  low_ = static_cast<std::uint64_t>(state);
  std::uint64_t mixed = high_;
  mixed ^= mixed >> 32;
  mixed *= kMix;
  mixed ^= mixed >> 48;
  return mixed * (low_ | 1);
}

std::uint64_t NameNumbers::below(std::uint64_t limit) {
  if ((limit & (limit - 1)) == 0) return next() & (limit - 1);
  // Limits are small; what the last part of the range would favour does not matter for names.
  return ((next() >> 32) * limit) >> 32;
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  std::string text(digits.data(), end);
  for (char& digit : text) {
    if (digit >= 'a') digit = static_cast<char>(digit - 'a' + 'A');
  }
  return text;
}

namespace {

class Unshadowing {
 public:
  Unshadowing(Builder& make, const Resolution& resolution) : make_(make), resolution_(resolution) {}

  std::vector<Import> run(syntax::File& file) {
    scopes_.push_back({nullptr, {}});  // imports
    if (resolution_.fields.empty() && resolution_.imports.empty()) {
      is_looking_ = true;
      walk_declarations(&file, file.declarations);
      is_looking_ = false;
      if (!has_pattern_alias_) return {};
    }
    is_counting_ = true;
    walk_declarations(&file, file.declarations);
    is_counting_ = false;
    walk_declarations(&file, file.declarations);
    for (auto& [owner, lets] : new_lets_) add_lets(*owner, lets);
    return imports_;
  }

 private:
  struct Entry {
    Node* owner = nullptr;             // the struct or file
    syntax::Field* field = nullptr;    // null: a let, a variable or an import
    std::size_t import = kNone;
    std::string_view new_name;  // that names which lead here are to get
  };
  struct Scope {
    const Node* node;
    std::map<std::string_view, Entry> names;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void declare(std::string_view name, const Entry& entry) {
    if (name.empty() || name == "_" || is_looking_) return;
    if (is_counting_) taken_.emplace(name);
    scopes_.back().names[name] = entry;
  }

  std::string unique_name(std::string_view base) {
    for (std::uint64_t limit = 16;; limit *= 16) {
      std::string name = std::string(base) + "_" + hexadecimal(numbers_.below(std::min<std::uint64_t>(limit, 1U << 24U)));
      if (taken_.insert(name).second) return name;
    }
  }

  void walk_declarations(Node* owner, std::span<syntax::Declaration*> declarations) {
    const Node* node = owner->kind == NodeKind::file ? resolution_.root : owner;
    scopes_.push_back({node, {}});
    for (syntax::Declaration* declaration : declarations) {
      if (declaration->kind == NodeKind::let_clause) declare(as<syntax::LetClause>(declaration)->name->name, {owner});
      if (declaration->kind != NodeKind::field) continue;
      auto* field = as<syntax::Field>(declaration);
      const Node* label = field->label;
      if (label->kind == NodeKind::alias) {
        const auto* alias = as<syntax::Alias>(label);
        label = alias->value;
        if (label->kind != NodeKind::list_literal) declare(alias->name->name, {owner, field});
      }
      if (field->alias != nullptr && field->alias->field_name != nullptr && label->kind != NodeKind::list_literal) {
        declare(field->alias->field_name->name, {owner, field});
      }
      if (label->kind == NodeKind::identifier) declare(as<syntax::Identifier>(label)->name, {owner, field});
    }
    for (syntax::Declaration* declaration : declarations) walk(declaration);
    scopes_.pop_back();
  }

  void walk_field(syntax::Field& field) {
    std::size_t depth = scopes_.size();
    Node* label = field.label;
    std::string_view alias;
    if (label->kind == NodeKind::alias) {
      alias = as<syntax::Alias>(label)->name->name;
      label = as<syntax::Alias>(label)->value;
    }
    if (label->kind == NodeKind::parenthesis || label->kind == NodeKind::interpolation) walk(label);
    if (label->kind == NodeKind::list_literal && as<syntax::ListLiteral>(label)->elements.size() == 1) {
      scopes_.push_back({&field, {}});
      declare(alias, {});
      Node* pattern = as<syntax::ListLiteral>(label)->elements[0];
      if (pattern->kind == NodeKind::alias) {
        declare_pattern_alias(*as<syntax::Alias>(pattern)->name);
        pattern = as<syntax::Alias>(pattern)->value;
      }
      walk(pattern);
    }
    Node* value = field.value;
    if (value != nullptr && value->kind == NodeKind::alias) {
      scopes_.push_back({&field, {}});
      declare(as<syntax::Alias>(value)->name->name, {});
      value = as<syntax::Alias>(value)->value;
    }
    walk(value);
    scopes_.resize(depth);
  }

  // It may not be called as a field around it.
  void declare_pattern_alias(syntax::Identifier& name) {
    has_pattern_alias_ = true;
    const Entry* around = find(name.name);
    Entry entry;
    std::string_view written = name.name;
    if (!is_counting_ && around != nullptr && around->field != nullptr) {
      int number = 1;
      while (!taken_.insert(std::string(written) + "_" + std::to_string(number)).second) ++number;
      name.name = entry.new_name = make_.arena().copy_text(std::string(written) + "_" + std::to_string(number));
    }
    declare(written, entry);
  }

  void walk_comprehension(syntax::Comprehension& comprehension) {
    std::size_t depth = scopes_.size();
    for (syntax::Clause* clause : comprehension.clauses) {
      switch (clause->kind) {
        case NodeKind::for_clause: {
          auto* loop = as<syntax::ForClause>(clause);
          walk(loop->source);
          scopes_.push_back({clause, {}});
          if (loop->key != nullptr) declare(loop->key->name, {});
          declare(loop->value->name, {});
          break;
        }
        case NodeKind::let_clause:
          walk(as<syntax::LetClause>(clause)->value);
          scopes_.push_back({clause, {}});
          declare(as<syntax::LetClause>(clause)->name->name, {});
          break;
        case NodeKind::try_clause: {
          auto* attempt = as<syntax::TryClause>(clause);
          walk(attempt->value);
          scopes_.push_back({clause, {}});
          if (attempt->name != nullptr) declare(attempt->name->name, {});
          break;
        }
        default: walk(as<syntax::IfClause>(clause)->condition); break;
      }
    }
    walk(comprehension.body);
    scopes_.resize(depth);
    if (comprehension.fallback != nullptr) walk(comprehension.fallback->body);
  }

  void walk(Node* node) {
    if (node == nullptr) return;
    auto all = [&](auto nodes) {
      for (auto* each : nodes) walk(each);
    };
    switch (node->kind) {
      case NodeKind::identifier: if (!is_counting_ && !is_looking_) resolve(*as<syntax::Identifier>(node)); break;
      case NodeKind::field: walk_field(*as<syntax::Field>(node)); break;
      case NodeKind::struct_literal: walk_declarations(node, as<syntax::StructLiteral>(node)->elements); break;
      case NodeKind::comprehension: walk_comprehension(*as<syntax::Comprehension>(node)); break;
      case NodeKind::let_clause: walk(as<syntax::LetClause>(node)->value); break;
      case NodeKind::embedding: walk(as<syntax::Embedding>(node)->expression); break;
      case NodeKind::list_literal: all(as<syntax::ListLiteral>(node)->elements); break;
      case NodeKind::interpolation: all(as<syntax::Interpolation>(node)->elements); break;
      case NodeKind::alias: walk(as<syntax::Alias>(node)->value); break;
      case NodeKind::ellipsis: walk(as<syntax::Ellipsis>(node)->type); break;
      case NodeKind::parenthesis: walk(as<syntax::Parenthesis>(node)->inner); break;
      case NodeKind::unary: walk(as<syntax::Unary>(node)->operand); break;
      case NodeKind::postfix: walk(as<syntax::Postfix>(node)->operand); break;
      case NodeKind::binary:
        walk(as<syntax::Binary>(node)->left);
        walk(as<syntax::Binary>(node)->right);
        break;
      case NodeKind::selector: walk(as<syntax::Selector>(node)->operand); break;
      case NodeKind::index:
        walk(as<syntax::Index>(node)->operand);
        walk(as<syntax::Index>(node)->index);
        break;
      case NodeKind::slice:
        walk(as<syntax::Slice>(node)->operand);
        walk(as<syntax::Slice>(node)->low);
        walk(as<syntax::Slice>(node)->high);
        break;
      case NodeKind::call:
        walk(as<syntax::Call>(node)->function);
        all(as<syntax::Call>(node)->arguments);
        break;
      default: break;
    }
  }

  const Entry* find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      auto found = scope->names.find(name);
      if (found != scope->names.end()) return &found->second;
    }
    return nullptr;
  }

  void resolve(syntax::Identifier& name) {
    if (auto import = resolution_.imports.find(&name); import != resolution_.imports.end()) return resolve_import(name, import->second);
    auto meant = resolution_.fields.find(&name);
    if (meant == resolution_.fields.end()) {
      const Entry* entry = find(name.name);
      if (entry != nullptr && !entry->new_name.empty()) name.name = entry->new_name;
      return;
    }
    bool is_hidden = false;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      auto found = scope->names.find(name.name);
      if (found == scope->names.end()) continue;
      if (scope->node != meant->second || found->second.field == nullptr) {
        is_hidden = true;
        continue;
      }
      if (is_hidden) name.name = make_.arena().copy_text(other_name(found->second, name.name));
      return;
    }
  }

  std::string other_name(const Entry& entry, std::string_view name) {
    syntax::Field& field = *entry.field;
    auto [known, is_new] = other_names_.try_emplace(&field);
    if (!is_new) return known->second;
    known->second = unique_name(name);
    if (field.label->kind == NodeKind::identifier) {
      field.label = make_.alias(known->second, field.label);
    } else {
      syntax::LetClause* let = make_.let(known->second, make_.identifier(name));
      new_lets_[entry.owner].emplace_back(&field, let);
    }
    return known->second;
  }

  void resolve_import(syntax::Identifier& name, const Import& import) {
    const Entry* entry = find(name.name);
    if (entry == nullptr) {
      Entry added;
      added.import = imports_.size();
      scopes_.front().names[make_.arena().copy_text(import.name)] = added;
      imports_.push_back(import);
      return;
    }
    if (entry->import != kNone && imports_[entry->import].path == import.path) return;
    auto [known, is_new] = other_imports_.try_emplace(import.path);
    if (is_new) {
      known->second = unique_name(import.name);
      imports_.push_back({import.path, known->second});
    }
    name.name = make_.arena().copy_text(known->second);
  }

  using NewLets = std::vector<std::pair<const Node*, syntax::LetClause*>>;
  void add_lets(Node& owner, const NewLets& lets) {
    auto& declarations = owner.kind == NodeKind::file ? as<syntax::File>(&owner)->declarations
                                                      : as<syntax::StructLiteral>(&owner)->elements;
    std::vector<syntax::Declaration*> all(declarations.begin(), declarations.end());
    for (const auto& [before, let] : lets) all.insert(std::ranges::find(all, before), let);
    declarations = make_.arena().copy(all);
  }

  Builder& make_;
  const Resolution& resolution_;
  std::vector<Scope> scopes_;
  std::set<std::string, std::less<>> taken_;
  // Data, and most of what is evaluated, has no names that could mean something else; a look tells.
  bool is_looking_ = false;
  bool has_pattern_alias_ = false;
  bool is_counting_ = false;
  NameNumbers numbers_;
  std::unordered_map<const syntax::Field*, std::string> other_names_;
  std::unordered_map<Node*, NewLets> new_lets_;
  std::map<std::string, std::string, std::less<>> other_imports_;
  std::vector<Import> imports_;
};

}  // namespace

std::vector<Import> unshadow(Builder& make, syntax::File& file, const Resolution& resolution) {
  return Unshadowing(make, resolution).run(file);
}

}  // namespace opm::cue::exporting
