// One run over the schemas of a document. What the keywords of a schema say is gathered in a Draft,
// by the type of value that it is about, and becomes an expression once all of them are read.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cue/schema/json_schema.h"
#include "cue/schema/uri.h"

namespace opm::cue::schema {

// Sets of types of values, as bits.
using Types = std::uint8_t;
constexpr Types kNull = 1, kBool = 2, kInt = 4, kFloat = 8, kString = 16, kList = 32, kStruct = 64;
constexpr Types kNumber = kInt | kFloat;
constexpr Types kAllTypes = 127;
// What keywords tell apart; integers are numbers to them.
enum class Core : std::uint8_t { null, boolean, number, string, list, object, count };

Types type_of(const data::Value& value);
std::string_view type_name(const data::Value& value);

// Where a schema goes: labels as they are written, from the root of the file.
using Location = std::vector<std::string>;

class SchemaReader {
 public:
  using Expression = syntax::Expression;

  SchemaReader(base::Arena& arena, const diag::Source& source, const data::Value& root,
               const JsonSchemaOptions& options, bool is_openapi);

  // Declarations for the root of a file. `title`: what it is about.
  std::expected<std::vector<syntax::Declaration*>, Errors> read();
  const std::string& title() const { return title_; }
  TreeMaker& maker() { return make_; }

  // What a schema is known to be after it was read.
  struct Summary {
    Types allowed = kAllTypes;  // what values may be
    Types known = kAllTypes;    // what the expressions gathered for all types already tell
    std::string title;
    std::string description;
    std::optional<Uri> id;
    bool deprecated = false;
    bool has_version = false;
    bool has_constraints = false;
    Version version = Version::draft2020_12;
  };

  struct PerType {
    bool is_used = false;
    std::vector<Expression*> constraints;
  };

  enum class Openness : std::uint8_t { implicit, open, closed, covered };

  struct Draft : Summary {
    const Draft* up = nullptr;
    const data::Value* node = nullptr;
    std::array<PerType, static_cast<std::size_t>(Core::count)> types;
    std::vector<Expression*> all;
    Expression* nullable = nullptr;
    bool exclusive_minimum = false, exclusive_maximum = false;
    bool is_root = false;
    std::optional<std::uint64_t> min_contains, max_contains;
    const data::Value* if_schema = nullptr;
    const data::Value* then_schema = nullptr;
    const data::Value* else_schema = nullptr;
    bool has_object = false;
    const data::Value* object_node = nullptr;
    std::vector<syntax::Declaration*> object;
    std::vector<Expression*> patterns;
    bool has_prefix = false;  // of a list
    const data::Value* prefix_node = nullptr;
    std::vector<Expression*> prefix;
    Expression* rest = nullptr;  // what follows the prefix; null: anything
    bool prefix_is_all = false;
    bool items_is_list = false;
    bool has_items = false, is_array = false;
    bool has_reference = false;
    Openness openness = Openness::implicit;

    PerType& of(Core type) { return types[static_cast<std::size_t>(type)]; }
  };

  using Handler = void (SchemaReader::*)(Draft& draft, const std::string& keyword, const data::Value& value);
  struct Keyword {
    int phase;
    unsigned versions;
    Handler handle;
  };

 private:
  struct Place {
    const data::Value* parent = nullptr;
    std::string step;
    diag::Position position;
  };
  struct Definition {
    std::string import_path;  // empty: in this file
    Location location;
  };
  struct Entry {  // of the file that is made
    Expression* value = nullptr;
    std::string comment;
    std::map<std::pair<int, std::string>, Entry> entries;  // definitions before hidden ones
  };

  static const std::map<std::string_view, Keyword>& keywords();

  // ---- the document ----
  void index(const data::Value& value, const data::Value* parent, std::string step, diag::Position position);
  diag::Position position_of(const data::Value& value) const;
  std::vector<std::string> steps_to(const data::Value& value, const data::Value* from) const;
  const data::Value* at_pointer(const data::Value& from, const std::vector<std::string>& steps) const;

  // ---- schemas ----
  bool pass(bool is_first_look);
  std::pair<Expression*, Summary> schema(const Draft& up, const data::Value& node, Types types, bool is_root = false);
  Expression* schema_of(const Draft& up, const data::Value& node) { return schema(up, node, kAllTypes).first; }
  Expression* read_schema(Draft& draft);
  void read_keyword(Draft& draft, int phase, const std::string& keyword, const data::Value& value);
  void warn_unrecognized(const Draft& draft, const std::string& keyword, const data::Value& value, std::string message);
  Expression* conclude(Draft& draft);
  void conclude_object(Draft& draft);
  void conclude_list(Draft& draft);
  void conclude_condition(Draft& draft);
  static bool constrains(const Draft& draft);
  Expression* type_expression(Core type);
  static std::string comment_of(const Summary& summary);

  // ---- definitions and references ----
  const Draft& identified(const Draft& draft) const;
  std::optional<Uri> resolve(const Draft& draft, const data::Value& value);
  void ensure_definition(const data::Value& node);
  Expression* maybe_define(const Draft& draft, Expression* expression);
  const Definition* definition_of(const Draft& draft);
  std::expected<Definition, std::string> locate(const std::optional<std::vector<std::string>>& local_steps,
                                                const Uri& id) const;
  std::expected<Location, std::string> map_steps(const std::vector<std::string>& steps) const;
  std::expected<Definition, std::string> target_of(const Draft& draft, const Uri& uri);
  Expression* reference(const Definition& definition, diag::Position position);
  bool put(const Location& location, Expression* value, std::string comment);
  void append(const Entry& entry, Location& path, std::vector<syntax::Declaration*>& declarations);
  std::vector<syntax::Declaration*> declarations_of(Expression* value);
  syntax::Declaration* field_at(const Location& path, Expression* value, const std::string& comment);

  // ---- helpers of keywords ----
  Expression* fail(const data::Value& node, std::string message);
  void add(Draft& draft, Core type, const data::Value& node, Expression* constraint);
  void add_for_all(Draft& draft, const data::Value& node, Expression* constraint);
  void use_type(Draft& draft, Core type) { draft.of(type).is_used = true; }
  void start_object(Draft& draft, const data::Value& node);
  std::optional<std::string> text_of(const data::Value& node);
  std::optional<std::uint64_t> count_of(const data::Value& node);
  bool flag_of(const data::Value& node);
  Expression* number_of(const data::Value& node);
  Expression* count_expression(const data::Value& node);
  bool is_pattern(const data::Value& node, const std::string& pattern);
  Expression* constant(const data::Value& node);
  std::vector<const data::Value*> items_of(const std::string& keyword, const data::Value& node, bool may_be_empty);
  Expression* call(std::string_view function, std::vector<Expression*> arguments, diag::Position position);
  Expression* call_imported(std::string_view package, std::string_view function, std::vector<Expression*> arguments,
                            diag::Position position);
  Expression* boolean_schema(bool accepts, diag::Position position);
  void set_rest(Draft& draft, Expression* element);
  void add_bound(Draft& draft, const data::Value& value, syntax::Token op);

  // ---- keywords ----
  void on_unsupported(Draft&, const std::string&, const data::Value&);
  void on_ignored(Draft&, const std::string&, const data::Value&) {}
  void on_schema(Draft&, const std::string&, const data::Value&);
  void on_id(Draft&, const std::string&, const data::Value&);
  void on_reference(Draft&, const std::string&, const data::Value&);
  void on_definitions(Draft&, const std::string&, const data::Value&);
  void on_title(Draft&, const std::string&, const data::Value&);
  void on_description(Draft&, const std::string&, const data::Value&);
  void on_deprecated(Draft&, const std::string&, const data::Value&);
  void on_examples(Draft&, const std::string&, const data::Value&);
  void on_type(Draft&, const std::string&, const data::Value&);
  void on_const(Draft&, const std::string&, const data::Value&);
  void on_enum(Draft&, const std::string&, const data::Value&);
  void on_nullable(Draft&, const std::string&, const data::Value&);
  void on_all_of(Draft&, const std::string&, const data::Value&);
  void on_any_of(Draft&, const std::string&, const data::Value&);
  void on_one_of(Draft&, const std::string&, const data::Value&);
  void on_not(Draft&, const std::string&, const data::Value&);
  void on_condition(Draft&, const std::string&, const data::Value&);
  void on_minimum(Draft&, const std::string&, const data::Value&);
  void on_maximum(Draft&, const std::string&, const data::Value&);
  void on_exclusive_minimum(Draft&, const std::string&, const data::Value&);
  void on_exclusive_maximum(Draft&, const std::string&, const data::Value&);
  void on_multiple_of(Draft&, const std::string&, const data::Value&);
  void on_min_length(Draft&, const std::string&, const data::Value&);
  void on_max_length(Draft&, const std::string&, const data::Value&);
  void on_pattern(Draft&, const std::string&, const data::Value&);
  void on_format(Draft&, const std::string&, const data::Value&);
  void on_items(Draft&, const std::string&, const data::Value&);
  void on_prefix_items(Draft&, const std::string&, const data::Value&);
  void on_additional_items(Draft&, const std::string&, const data::Value&);
  void on_min_contains(Draft&, const std::string&, const data::Value&);
  void on_max_contains(Draft&, const std::string&, const data::Value&);
  void on_contains(Draft&, const std::string&, const data::Value&);
  void on_min_items(Draft&, const std::string&, const data::Value&);
  void on_max_items(Draft&, const std::string&, const data::Value&);
  void on_unique_items(Draft&, const std::string&, const data::Value&);
  void on_properties(Draft&, const std::string&, const data::Value&);
  void on_pattern_properties(Draft&, const std::string&, const data::Value&);
  void on_additional_properties(Draft&, const std::string&, const data::Value&);
  void on_property_names(Draft&, const std::string&, const data::Value&);
  void on_required(Draft&, const std::string&, const data::Value&);
  void on_dependencies(Draft&, const std::string&, const data::Value&);
  void on_min_properties(Draft&, const std::string&, const data::Value&);
  void on_max_properties(Draft&, const std::string&, const data::Value&);

  TreeMaker make_;
  const diag::Source& source_;
  const data::Value& root_;
  const JsonSchemaOptions& options_;
  const bool is_openapi_;
  const Uri root_id_;
  const data::Value nothing_{data::Map{}, {}};  // where an API has no schemas
  std::string title_;
  Errors errors_;
  unsigned depth_ = 0;
  std::unordered_map<const data::Value*, Place> places_;
  // Nodes that are known to need a definition; nothing: referred to, but not come by yet.
  std::unordered_map<const data::Value*, std::optional<Definition>> defined_;
  std::vector<const data::Value*> referred_to_;  // those of them that were added by references, in order
  std::map<std::string, Definition> by_id_;
  std::size_t dangling_ = 0;
  bool needs_another_pass_ = false;
  std::set<const data::Value*> extra_;  // referred to, but no schemas by their place
  Entry file_;
  bool refers_to_root_ = false;
  Summary root_summary_;
};

}  // namespace opm::cue::schema
