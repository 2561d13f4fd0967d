#include "cue/compile/package_image_writer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "base/number_internal.h"
#include "cue/compile/package_image.h"

namespace opm::cue::compile {

namespace {

// What stands in a node is known here alone: whoever adds something to one that refers to memory, or is a position, has
// to add it here as well, and then to this list of sizes.
static_assert(sizeof(Expression) == 12 && sizeof(BooleanExpression) == 16 && sizeof(NumberExpression) == 32 &&
              sizeof(StringExpression) == 32 && sizeof(BasicTypeExpression) == 16 && sizeof(FieldReference) == 20 &&
              sizeof(ValueReference) == 32 && sizeof(LabelReference) == 32 && sizeof(DynamicReference) == 40 &&
              sizeof(ClauseReference) == 40 && sizeof(LetReference) == 40 && sizeof(ImportReference) == 48 &&
              sizeof(BuiltinExpression) == 24 && sizeof(Selector) == 32 && sizeof(Index) == 32 && sizeof(Slice) == 40 &&
              sizeof(Interpolation) == 32 && sizeof(Bound) == 24 && sizeof(Unary) == 24 && sizeof(Binary) == 40 &&
              sizeof(Unify) == 32 && sizeof(Disjunct) == 16 && sizeof(Disjunction) == 40 && sizeof(Call) == 40 &&
              sizeof(Open) == 24 && sizeof(AliasExpression) == 24 && sizeof(ListExpression) == 32 &&
              sizeof(EllipsisExpression) == 24 && sizeof(Clause) == 24 && sizeof(Comprehension) == 48 &&
              sizeof(Attribute) == 24 && sizeof(Field) == 72 && sizeof(Pattern) == 56 && sizeof(DynamicField) == 64 &&
              sizeof(Declaration) == 16 && sizeof(StructExpression) == 128 && sizeof(Package) == 72);

// The image itself: appended to, and then put together.
class Bytes {
 public:
  // Room for that many bytes, all zero.
  std::uint32_t reserve(std::size_t size, std::size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) & ~(alignment - 1));
    std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    return static_cast<std::uint32_t>(at);
  }
  // What lies between the members is left zero, so that each build makes the same bytes.
  template <typename T>
  void put(std::size_t at, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
#if __has_builtin(__builtin_clear_padding)
    if constexpr (!std::is_scalar_v<T>) __builtin_clear_padding(&value);
#endif
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  template <typename T>
  image::Range append(const std::vector<T>& items) {
    std::uint32_t at = reserve(items.size() * sizeof(T), alignof(std::max_align_t));
    for (std::size_t i = 0; i < items.size(); ++i) put(at + i * sizeof(T), items[i]);
    return {at, static_cast<std::uint32_t>(items.size())};
  }
  image::Range append_text(std::string_view text) {
    auto [known, is_new] = texts_.try_emplace(std::string(text), 0);
    if (is_new) {
      known->second = reserve(text.size(), 1);
      std::ranges::copy(text, bytes_.begin() + known->second);
    }
    return {known->second, static_cast<std::uint32_t>(text.size())};
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
  std::map<std::string, std::uint32_t, std::less<>> texts_;
};

// Where in a span or a view of text its pointer stands.
template <typename View>
std::size_t pointer_place() {
  static_assert(sizeof(View) == 2 * sizeof(std::uintptr_t));
  constexpr std::uintptr_t kProbe = 4096;
  View view(reinterpret_cast<typename View::const_pointer>(kProbe), 1);
  std::uintptr_t first;
  std::memcpy(&first, &view, sizeof first);
  return first == kProbe ? 0 : sizeof(std::uintptr_t);
}

// What all packages share.
struct Shared {
  Bytes image;
  std::unordered_map<const diag::Source*, std::uint32_t> sources;  // which of the image's
  std::vector<const diag::Source*> known;                          // by where they began when they were compiled
  std::vector<image::Source> entries;                              // their positions count from the first one, at first
  std::uint32_t position_count = 0;
  std::vector<std::uint32_t> numbers;  // in a program, by package
  std::vector<const BuiltinSignature*> builtins;
  std::map<const BuiltinSignature*, std::uint32_t> builtin_numbers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> builtin_places;  // where pointers to them are, and to which
  std::vector<std::uint32_t> pointers;                                  // where in the image
  std::string problem;

  void add_source(const ImageSource& added) {
    auto [known_source, is_new] = sources.try_emplace(added.source, static_cast<std::uint32_t>(entries.size()));
    if (!is_new) return;
    entries.push_back({image.append_text(added.path), image.append_text(added.source->path), {position_count}});
    position_count += static_cast<std::uint32_t>(added.source->text.size()) + 1;
    known.insert(std::ranges::upper_bound(known, added.source->begin, {}, &diag::Source::begin), added.source);
  }

  // Once all are added.
  void place_sources() {
    for (image::Source& entry : entries) entry.begin = diag::StoredSources::first_of(position_count).plus(entry.begin.value);
  }

  // Where a position is now.
  Position move(Position position) {
    auto after = std::ranges::upper_bound(known, position, {}, &diag::Source::begin);
    if (after != known.begin()) {
      const diag::Source* source = *std::prev(after);
      std::uint32_t offset = position.value - source->begin.value;
      if (offset <= source->text.size()) return entries[sources.at(source)].begin.plus(offset);
    }
    problem = "a position is in no source of the packages";
    return {};
  }

  std::uint32_t builtin(const BuiltinSignature* signature) {
    auto [known_builtin, is_new] = builtin_numbers.try_emplace(signature, static_cast<std::uint32_t>(builtins.size()));
    if (is_new) builtins.push_back(signature);
    return known_builtin->second;
  }

  // Has a pointer at a place of the image lead to another one.
  void point(std::uint32_t place, std::uint32_t target) {
    image.put(place, image::kAddress + target);
    pointers.push_back(place);
  }

  image::Range append_builtins();
};

image::Range Shared::append_builtins() {
  auto count = static_cast<std::uint32_t>(builtins.size());
  image::Range range{image.reserve(count * sizeof(BuiltinSignature), alignof(BuiltinSignature)), count};
  auto append = [&](std::string_view text, std::size_t place) {
    image::Range kept = image.append_text(text);
    image.put(place, std::string_view(nullptr, kept.count));
    if (kept.count > 0) point(static_cast<std::uint32_t>(place + pointer_place<std::string_view>()), kept.begin);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    std::size_t at = range.begin + i * sizeof(BuiltinSignature);
    append(builtins[i]->package, at + offsetof(BuiltinSignature, package));
    append(builtins[i]->name, at + offsetof(BuiltinSignature, name));
  }
  for (auto [place, builtin] : builtin_places)
    point(place, range.begin + builtin * static_cast<std::uint32_t>(sizeof(BuiltinSignature)));
  return range;
}

class NodeWriter {
 public:
  NodeWriter(Shared& shared, const ImagePackage& package) : shared_(shared), package_(package) {}

  // Where the Package stands.
  std::uint32_t write() {
    std::uint32_t at = nodes_.reserve(sizeof(Package), alignof(std::max_align_t));
    Package copy = *package_.package;
    Fields fields{*this, at, &copy};
    fields.text(copy.path);
    fields.text(copy.name);
    fields.text(copy.language_version);
    fields.nodes(copy.files);
    nodes_.put(at, copy);
    Bytes& image = shared_.image;
    std::uint32_t begin = image.reserve(nodes_.bytes().size(), alignof(std::max_align_t));
    std::ranges::copy(nodes_.bytes(), image.bytes().begin() + begin);
    for (auto [place, target] : node_references_) shared_.point(begin + place, begin + target);
    for (auto [place, target] : text_references_) shared_.point(begin + place, target);
    for (auto [place, builtin] : builtin_references_) shared_.builtin_places.emplace_back(begin + place, builtin);
    return begin;
  }

  // Whether what was written refers to an import as a package.
  bool uses(std::size_t import) const { return used_imports_.contains(import); }

 private:
  // Where in the nodes pointers are, and what they lead to.
  using References = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  // The parts of one node or item, of which a copy is changed before it is put where it belongs.
  struct Fields {
    NodeWriter& writer;
    std::uint32_t at;
    void* copy;

    std::uint32_t place(const void* field) const {
      return at + static_cast<std::uint32_t>(static_cast<const char*>(field) - static_cast<const char*>(copy));
    }
    template <typename E>
    void node(const E*& field) {
      if (field == nullptr) return;
      writer.node_references_.emplace_back(place(&field), writer.write(field));
      field = nullptr;
    }
    void text(std::string_view& field) {
      if (field.empty()) {
        field = {};
        return;
      }
      image::Range range = writer.shared_.image.append_text(field);
      field = {static_cast<const char*>(nullptr), range.count};
      writer.text_references_.emplace_back(place(&field) + static_cast<std::uint32_t>(pointer_place<std::string_view>()), range.begin);
    }
    void position(Position& field) {
      if (field.valid()) field = writer.shared_.move(field);
    }
    template <typename T, typename Each>
    void items(std::span<T>& field, const Each& each) {
      using Item = std::remove_const_t<T>;
      if (field.empty()) {
        field = {};
        return;
      }
      std::uint32_t begin = writer.nodes_.reserve(field.size() * sizeof(Item), alignof(Item));
      for (std::size_t i = 0; i < field.size(); ++i) {
        Item item = field[i];
        auto there = static_cast<std::uint32_t>(begin + i * sizeof(Item));
        each(Fields{writer, there, &item}, item);
        writer.nodes_.put(there, item);
      }
      field = {static_cast<T*>(nullptr), field.size()};
      writer.node_references_.emplace_back(place(&field) + static_cast<std::uint32_t>(pointer_place<std::span<T>>()), begin);
    }
    template <typename E>
    void nodes(std::span<const E* const>& field) {
      items(field, [](Fields fields, const E*& item) { fields.node(item); });
    }
    void attributes(std::span<const Attribute>& field) {
      items(field, [](Fields fields, Attribute& attribute) {
        fields.text(attribute.text);
        fields.position(attribute.position);
      });
    }
    void texts(std::span<const std::string_view>& field) {
      items(field, [](Fields fields, std::string_view& text) { fields.text(text); });
    }
  };

  template <typename T, typename Parts>
  std::uint32_t node(const Expression* expression, const Parts& parts) {
    std::uint32_t at = nodes_.reserve(sizeof(T), alignof(T));
    written_.emplace(expression, at);
    T copy = *static_cast<const T*>(expression);
    Fields fields{*this, at, &copy};
    fields.position(copy.position);
    fields.position(copy.end_position);
    parts(fields, copy);
    nodes_.put(at, copy);
    return at;
  }
  template <typename T>
  std::uint32_t plain(const Expression* expression) {
    return node<T>(expression, [](Fields&, T&) {});
  }

  // Where in the nodes the expression stands.
  std::uint32_t write(const Expression* expression) {
    auto known = written_.find(expression);
    return known != written_.end() ? known->second : write_new(expression);
  }

  std::uint32_t write_new(const Expression* expression);
  std::uint32_t write_reference(const Expression* expression);
  std::uint32_t write_declaration(const Expression* expression);
  std::uint32_t write_struct(const Expression* expression);
  std::uint32_t write_number(const Expression* expression);
  // The number of what it refers to.
  std::uint32_t number_of(const ImportReference& reference);

  Shared& shared_;
  const ImagePackage& package_;
  Bytes nodes_;
  std::unordered_map<const Expression*, std::uint32_t> written_;
  std::set<std::size_t> used_imports_;
  References node_references_;  // to places in the nodes,
  References text_references_;  // in the image,
  References builtin_references_;  // and to functions
};

std::uint32_t NodeWriter::number_of(const ImportReference& reference) {
  auto found = std::ranges::find(package_.imports, reference.path, &ImageImport::path);
  if (found == package_.imports.end()) {
    shared_.problem = "the import of " + std::string(reference.path) + " is not listed";
    return 0;
  }
  used_imports_.insert(static_cast<std::size_t>(found - package_.imports.begin()));
  return found->is_standard ? reference.package : shared_.numbers[found->package];
}

std::uint32_t NodeWriter::write_number(const Expression* expression) {
  return node<NumberExpression>(expression, [&](Fields& fields, NumberExpression& copy) {
    if (!base::NumberAccess::is_big(copy.value)) return;
    base::BigInteger integer = base::NumberAccess::big_coefficient(copy.value);
    std::uint32_t at = nodes_.reserve(sizeof integer, alignof(base::BigInteger));
    auto count = static_cast<std::size_t>(std::abs(integer.size));
    std::uint32_t limbs = nodes_.reserve(count * sizeof(mp_limb_t), alignof(mp_limb_t));
    for (std::size_t i = 0; i < count; ++i) nodes_.put(limbs + i * sizeof(mp_limb_t), integer.limbs[i]);
    integer.limbs = nullptr;
    node_references_.emplace_back(Fields{*this, at, &integer}.place(&integer.limbs), limbs);
    nodes_.put(at, integer);
    // What a number points to stands first in it.
    copy.value = base::NumberAccess::big(nullptr, copy.value.exponent(), copy.value.is_float());
    node_references_.emplace_back(fields.place(&copy.value), at);
  });
}

std::uint32_t NodeWriter::write_reference(const Expression* expression) {
  auto named = [](Fields& fields, auto& copy) { fields.text(copy.name); };
  switch (expression->kind) {
    case ExpressionKind::field_reference: return plain<FieldReference>(expression);
    case ExpressionKind::value_reference: return node<ValueReference>(expression, named);
    case ExpressionKind::label_reference: return node<LabelReference>(expression, named);
    case ExpressionKind::clause_reference: return node<ClauseReference>(expression, named);
    case ExpressionKind::let_reference: return node<LetReference>(expression, named);
    case ExpressionKind::dynamic_reference:
      return node<DynamicReference>(expression, [](Fields& fields, DynamicReference& copy) {
        fields.node(copy.label);
        fields.text(copy.name);
      });
    case ExpressionKind::import_reference:
      return node<ImportReference>(expression, [&](Fields& fields, ImportReference& copy) {
        copy.package = number_of(copy);
        fields.text(copy.name);
        fields.text(copy.path);
      });
    default:
      return node<BuiltinExpression>(expression, [&](Fields& fields, BuiltinExpression& copy) {
        std::uint32_t builtin = shared_.builtin(copy.builtin);
        copy.of_image = builtin + 1;
        copy.builtin = nullptr;
        builtin_references_.emplace_back(fields.place(&copy.builtin), builtin);
      });
  }
}

std::uint32_t NodeWriter::write_struct(const Expression* expression) {
  return node<StructExpression>(expression, [](Fields& fields, StructExpression& copy) {
    fields.items(copy.declarations, [](Fields parts, Declaration& declaration) { parts.node(declaration.expression); });
    fields.nodes(copy.fields);
    fields.nodes(copy.lets);
    fields.texts(copy.let_names);
    fields.attributes(copy.attributes);
    fields.items(copy.table, [](Fields, std::uint32_t&) {});
    fields.node(copy.ellipsis);
  });
}

std::uint32_t NodeWriter::write_declaration(const Expression* expression) {
  switch (expression->kind) {
    case ExpressionKind::field:
      return node<Field>(expression, [](Fields& fields, Field& copy) {
        fields.node(copy.value);
        fields.attributes(copy.attributes);
        fields.texts(copy.documentation);
      });
    case ExpressionKind::pattern:
      return node<Pattern>(expression, [](Fields& fields, Pattern& copy) {
        fields.node(copy.pattern);
        fields.node(copy.value);
        fields.attributes(copy.attributes);
      });
    case ExpressionKind::dynamic_field:
      return node<DynamicField>(expression, [](Fields& fields, DynamicField& copy) {
        fields.node(copy.label);
        fields.node(copy.value);
        fields.attributes(copy.attributes);
      });
    default:
      return node<Comprehension>(expression, [](Fields& fields, Comprehension& copy) {
        fields.items(copy.clauses, [](Fields parts, Clause& clause) {
          parts.node(clause.expression);
          parts.position(clause.position);
        });
        fields.node(copy.body);
        fields.node(copy.fallback);
      });
  }
}

std::uint32_t NodeWriter::write_new(const Expression* expression) {
  auto operand = [](Fields& fields, auto& copy) { fields.node(copy.operand); };
  auto value = [](Fields& fields, auto& copy) { fields.node(copy.value); };
  auto sides = [](Fields& fields, auto& copy) {
    fields.node(copy.left);
    fields.node(copy.right);
  };
  switch (expression->kind) {
    case ExpressionKind::null:
    case ExpressionKind::top:
    case ExpressionKind::bottom: return plain<Expression>(expression);
    case ExpressionKind::boolean: return plain<BooleanExpression>(expression);
    case ExpressionKind::basic_type: return plain<BasicTypeExpression>(expression);
    case ExpressionKind::number: return write_number(expression);
    case ExpressionKind::string:
    case ExpressionKind::bytes:
      return node<StringExpression>(expression, [](Fields& fields, StringExpression& copy) { fields.text(copy.value); });
    case ExpressionKind::structure: return write_struct(expression);
    case ExpressionKind::list:
      return node<ListExpression>(expression, [](Fields& fields, ListExpression& copy) { fields.nodes(copy.elements); });
    case ExpressionKind::field_reference:
    case ExpressionKind::value_reference:
    case ExpressionKind::label_reference:
    case ExpressionKind::dynamic_reference:
    case ExpressionKind::clause_reference:
    case ExpressionKind::let_reference:
    case ExpressionKind::import_reference:
    case ExpressionKind::builtin: return write_reference(expression);
    case ExpressionKind::selector:
      return node<Selector>(expression, [](Fields& fields, Selector& copy) {
        fields.node(copy.operand);
        fields.position(copy.label_position);
      });
    case ExpressionKind::index:
      return node<Index>(expression, [](Fields& fields, Index& copy) {
        fields.node(copy.operand);
        fields.node(copy.index);
      });
    case ExpressionKind::slice:
      return node<Slice>(expression, [](Fields& fields, Slice& copy) {
        fields.node(copy.operand);
        fields.node(copy.low);
        fields.node(copy.high);
      });
    case ExpressionKind::interpolation:
      return node<Interpolation>(expression, [](Fields& fields, Interpolation& copy) { fields.nodes(copy.parts); });
    case ExpressionKind::bound: return node<Bound>(expression, operand);
    case ExpressionKind::unary: return node<Unary>(expression, operand);
    case ExpressionKind::binary:
      return node<Binary>(expression, [&](Fields& fields, Binary& copy) {
        sides(fields, copy);
        fields.position(copy.operator_position);
      });
    case ExpressionKind::unify: return node<Unify>(expression, sides);
    case ExpressionKind::disjunction:
      return node<Disjunction>(expression, [](Fields& fields, Disjunction& copy) {
        fields.items(copy.disjuncts, [](Fields parts, Disjunct& disjunct) { parts.node(disjunct.value); });
      });
    case ExpressionKind::call:
      return node<Call>(expression, [](Fields& fields, Call& copy) {
        fields.node(copy.function);
        fields.nodes(copy.arguments);
      });
    case ExpressionKind::open: return node<Open>(expression, operand);
    case ExpressionKind::alias: return node<AliasExpression>(expression, value);
    case ExpressionKind::ellipsis:
      return node<EllipsisExpression>(expression, [](Fields& fields, EllipsisExpression& copy) { fields.node(copy.type); });
    case ExpressionKind::comprehension:
    case ExpressionKind::field:
    case ExpressionKind::pattern:
    case ExpressionKind::dynamic_field: return write_declaration(expression);
  }
  return 0;
}

// Next to each other, as every run looks some of them up.
void write_names(const base::NameTable& names, Bytes& image, image::Header& header) {
  base::NameTable stored;
  std::vector<base::NameTable::Stored::Text> texts;
  for (std::uint32_t id = 1; id < names.size(); ++id) {
    std::string_view text = names.text(base::Name{id});
    stored.intern(text);
    image::Range range = image.append_text(text);
    texts.push_back({range.begin, range.count});
  }
  header.names = image.append(texts);
  header.slots = image.append(std::vector<base::NameTable::Slot>(stored.slots().begin(), stored.slots().end()));
}

}  // namespace

std::expected<std::string, std::string> write_image(const std::vector<ImagePackage>& packages, const base::NameTable& names,
                                                    std::uint32_t first_package) {
  std::vector<std::size_t> order(packages.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto key = [&](std::size_t i) { return std::pair(std::string_view(packages[i].directory), packages[i].package->name); };
  std::ranges::sort(order, {}, key);
  std::vector<std::uint32_t> place(packages.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);

  // What every run looks at stands in front, what belongs to one package behind it.
  Shared shared;
  Bytes& image = shared.image;
  image.reserve(sizeof(image::Header), alignof(std::max_align_t));
  image::Header header{};
  header.address = image::kAddress;
  header.first_package = first_package;
  write_names(names, image, header);
  for (std::size_t i : order) {
    for (const ImageSource& source : packages[i].sources) shared.add_source(source);
  }
  shared.place_sources();
  for (std::uint32_t number : place) shared.numbers.push_back(first_package + number);
  std::vector<image::PackageEntry> entries;
  std::vector<std::vector<image::Import>> imports;
  for (std::size_t i : order) {
    const ImagePackage& package = packages[i];
    image::PackageEntry& entry = entries.emplace_back();
    entry.directory = image.append_text(package.directory);
    entry.name = image.append_text(package.package->name);
    entry.identity = image.append_text(package.package->path);
    entry.module_path = image.append_text(package.module_path);
    entry.module_version = image.append_text(package.module_version);
    std::vector<image::Import>& listed = imports.emplace_back();
    for (const ImageImport& import : package.imports)
      listed.push_back({image.append_text(import.path), import.is_standard ? image::Import::kStandard : place[import.package], 0});
    entry.imports = image.append(listed);
    std::vector<std::uint32_t> sources;
    for (const ImageSource& source : package.sources) sources.push_back(shared.sources.at(source.source));
    entry.sources = image.append(sources);
  }
  header.packages = image.append(entries);
  header.sources = image.append(shared.entries);
  header.roots = image.append(std::vector<std::uintptr_t>(order.size()));
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    NodeWriter writer(shared, packages[order[i]]);
    shared.point(header.roots.begin + i * static_cast<std::uint32_t>(sizeof(std::uintptr_t)), writer.write());
    for (std::uint32_t import = 0; import < imports[i].size(); ++import) {
      imports[i][import].is_used = writer.uses(import) ? 1 : 0;
      image.put(entries[i].imports.begin + import * sizeof(image::Import), imports[i][import]);
    }
  }
  header.builtins = shared.append_builtins();
  std::ranges::sort(shared.pointers);
  header.pointers = image.append(shared.pointers);
  header.size = static_cast<std::uint32_t>(image.bytes().size());
  image.put(0, header);
  if (!shared.problem.empty()) return std::unexpected(shared.problem);
  return std::move(image.bytes());
}

}  // namespace opm::cue::compile
