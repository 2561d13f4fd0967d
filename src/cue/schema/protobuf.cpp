#include "cue/schema/protobuf.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/path.h"
#include "cue/schema/proto_syntax.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes

namespace {

using Kind = ProtoItem::Kind;

constexpr std::size_t kMaxImports = 1000;

const std::map<std::string_view, std::string_view>& scalars() {
  static const std::map<std::string_view, std::string_view> table = {
      {"sint32", "int32"},    {"sint64", "int64"},    {"fixed32", "uint32"}, {"fixed64", "uint64"}, {"sfixed32", "int32"},
      {"sfixed64", "int64"},  {"int32", "int32"},     {"int64", "int64"},    {"uint32", "uint32"},  {"uint64", "uint64"},
      {"double", "float64"},  {"float", "float32"},   {"bool", "bool"},      {"string", "string"},  {"bytes", "bytes"}};
  return table;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// string_value as JSON has it: stringValue.
std::string json_name(std::string_view name) {
  std::string result;
  bool capital = false;
  for (char c : name) {
    if (c == '_') {
      capital = true;
      continue;
    }
    result += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return name.starts_with('_') || result.empty() ? std::string(name) : result;
}

// What a file says of its package.
struct Header {
  std::string proto_package;
  std::string path;        // of the CUE package
  std::string short_name;

  std::string qualified() const {
    std::string last(path.substr(path.rfind('/') + 1));
    return short_name.empty() || short_name == last ? path : path + ":" + short_name;
  }
};

std::expected<Header, diag::Diagnostic> header_of(const std::vector<ProtoItem>& items) {
  Header header;
  for (const ProtoItem& item : items) {
    if (item.kind == Kind::package) header.proto_package = item.name;
    if (item.kind != Kind::option || item.options.empty() || item.options[0].name != "go_package") continue;
    std::vector<std::string> parts = split(item.options[0].text, ';');
    if (parts[0].find('.') != std::string::npos) {
      header.path = parts[0];
      if (parts.size() > 2)
        return std::unexpected(schema_error("unexpected ';' in " + quote(item.options[0].text), item.position));
      header.short_name = parts.size() == 2 ? parts[1] : parts[0].substr(parts[0].rfind('/') + 1);
    } else if (parts.size() == 1) {
      header.short_name = parts[0];
    } else {
      return std::unexpected(schema_error("malformed go_package clause " + item.options[0].text, item.position));
    }
  }
  if (header.path.empty() && !header.proto_package.empty()) {
    header.path = "googleapis.com/" + header.proto_package;
    std::ranges::replace(header.path.begin() + 15, header.path.end(), '.', '/');
  }
  if (header.short_name.empty() && !header.proto_package.empty())
    header.short_name = split(header.proto_package, '.').back();
  return header;
}

void collect_symbols(const std::vector<ProtoItem>& items, const std::string& prefix, std::set<std::string>& symbols) {
  for (const ProtoItem& item : items) {
    if (item.kind != Kind::message && item.kind != Kind::enumeration) continue;
    symbols.insert(prefix + item.name);
    if (item.kind == Kind::message) collect_symbols(item.items, prefix + item.name + ".", symbols);
  }
}

class Converter {
 public:
  Converter(base::Arena& arena, diag::SourceMap& sources, const diag::Source& source, const ProtoOptions& options)
      : make_(arena), sources_(sources), source_(source), options_(options) {}

  std::expected<ProtoFile, Errors> run() {
    auto items = parse_proto(source_);
    if (!items) return std::unexpected(std::move(items.error()));
    auto header = header_of(*items);
    if (!header) return std::unexpected(Errors{std::move(header.error())});
    header_ = std::move(*header);
    scopes_.emplace_back();
    add_names(*items);
    for (const ProtoItem& item : *items) {
      if (item.kind == Kind::import) import(item);
    }
    std::vector<Declaration*> declarations;
    std::vector<ProtoComment> comments;
    for (const ProtoItem& item : *items) {
      if (item.kind == Kind::comment || (item.kind == Kind::package && !item.comment.empty()))
        comments.push_back(item.comment);
      if (item.kind == Kind::message) message(declarations, item);
      if (item.kind == Kind::enumeration) enumeration(declarations, item);
    }
    if (!errors_.empty()) return std::unexpected(in_order(std::move(errors_)));
    ProtoFile result;
    result.package_name = options_.package_name.empty() ? header_.short_name : options_.package_name;
    result.package_path = header_.path;
    result.import_path = header_.qualified();
    result.imports = std::move(imports_);
    result.syntax = make_.file(source_, result.package_name, "", std::move(declarations));
    put_above(*result.syntax, comments);
    return result;
  }

 private:
  using Target = std::function<Expression*(diag::Position)>;
  using Scope = std::map<std::string, Target>;

  void fail(std::string message, diag::Position position) {
    errors_.push_back(schema_error("protobuf: " + std::move(message), position));
  }

  // ---- names ----
  void add_names(const std::vector<ProtoItem>& items) {
    for (const ProtoItem& item : items) {
      if (item.kind != Kind::message && item.kind != Kind::enumeration) continue;
      std::string name = "#" + item.name;
      auto target = [this, name](diag::Position position) -> Expression* {
        return TreeMaker::at(position, make_.identifier(name));
      };
      if (!scopes_.back().emplace(item.name, target).second)
        fail("entity " + quote(item.name) + " already defined", item.position);
    }
  }

  Expression* resolve(const std::string& written, diag::Position position) {
    if (auto scalar = scalars().find(written); scalar != scalars().end())
      return TreeMaker::at(position, make_.identifier(scalar->second));
    std::string_view name = written;
    bool is_absolute = name.starts_with('.');
    if (is_absolute) name.remove_prefix(1);
    std::string own = header_.proto_package + ".";
    for (std::size_t end = name.find('.');; end = name.find('.', end + 1)) {
      std::string_view first = name.substr(0, end);
      if (first.starts_with(own)) first.remove_prefix(own.size());
      for (std::size_t i = is_absolute ? 1 : scopes_.size(); i-- > 0;) {
        auto found = scopes_[i].find(std::string(first));
        if (found == scopes_[i].end()) continue;
        Expression* made = found->second(position);
        if (end == std::string_view::npos) return made;
        for (const std::string& step : split(name.substr(end + 1), '.'))
          made = TreeMaker::at(position, make_.selector(made, make_.identifier("#" + step)));
        return made;
      }
      if (end == std::string_view::npos) break;
    }
    fail("name " + quote(written) + " not found", position);
    return make_.identifier("_");
  }

  // ---- imports ----
  void set(std::string_view name, Target target) { scopes_.front()[std::string("google.protobuf.") + std::string(name)] = std::move(target); }
  void set_type(std::string_view name, std::string_view type) {
    set(name, [this, type](diag::Position p) -> Expression* { return TreeMaker::at(p, make_.identifier(type)); });
  }
  void set_nullable(std::string_view name, std::string_view type) {
    set(name, [this, type](diag::Position p) -> Expression* {
      Expression* either[] = {make_.literal(Token::null, "null"), make_.identifier(type)};
      return TreeMaker::at(p, make_.disjunction(either));
    });
  }

  // Types that every reader of JSON knows by another form.
  bool import_known(const std::string& file) {
    if (file == "cue/cue.proto") return true;
    if (file == "google/protobuf/struct.proto") {
      set("Struct", [this](diag::Position p) -> Expression* {
        Declaration* rest[] = {make_.ellipsis(nullptr)};
        return TreeMaker::at(p, make_.structure(rest));
      });
      set("ListValue", [this](diag::Position p) -> Expression* {
        Expression* rest[] = {make_.ellipsis(nullptr)};
        return TreeMaker::at(p, make_.list(rest));
      });
      set("NullValue", [this](diag::Position p) -> Expression* { return TreeMaker::at(p, make_.literal(Token::null, "null")); });
      set_type("Value", "_");
      set_type("StringValue", "string");
      set_type("BoolValue", "bool");
      set_type("NumberValue", "number");
      return true;
    }
    if (file == "google/protobuf/empty.proto") {
      set("Empty", [this](diag::Position p) -> Expression* {
        Expression* none[] = {make_.number("0")};
        return TreeMaker::at(p, make_.call(make_.imported("struct", "MaxFields", p), none));
      });
      return true;
    }
    if (file == "google/protobuf/duration.proto") {
      set("Duration", [this](diag::Position p) { return make_.imported("time", "Duration", p); });
      return true;
    }
    if (file == "google/protobuf/timestamp.proto") {
      set("Timestamp", [this](diag::Position p) { return make_.imported("time", "Time", p); });
      return true;
    }
    if (file == "google/protobuf/any.proto") {
      set("Any", [this](diag::Position p) -> Expression* {
        Field* type = make_.data_field("@type", Constraint::none, make_.identifier("string"));
        make_.document(*type, "The URL of the type that the other fields belong to; its last step is the type's full name.");
        Declaration* fields[] = {type, make_.ellipsis(nullptr)};
        return TreeMaker::at(p, make_.structure(fields));
      });
      return true;
    }
    if (file == "google/protobuf/wrappers.proto") {
      set_nullable("DoubleValue", "float");
      set_nullable("FloatValue", "float");
      set_nullable("Int64Value", "int64");
      set_nullable("UInt64Value", "uint64");
      set_nullable("Int32Value", "int32");
      set_nullable("UInt32Value", "uint32");
      set_nullable("BoolValue", "bool");
      set_nullable("StringValue", "string");
      set_nullable("BytesValue", "bytes");
      return true;
    }
    return false;
  }

  void import(const ProtoItem& item) {
    if (import_known(item.name)) return;
    std::string clean = base::clean_path(item.name);
    bool stays_below = !base::is_absolute_path(clean) && clean != ".." && !clean.starts_with("../");
    std::string path;
    for (const std::string& root : options_.roots) {
      std::string candidate = base::join_path(root, clean);
      if (!stays_below || options_.files == nullptr || !options_.files->status(candidate)) continue;
      auto real = options_.files->real_path(candidate);
      auto real_root = options_.files->real_path(root);
      if (!real || !real_root || !base::is_within(*real, *real_root)) continue;
      path = candidate;
      break;
    }
    if (path.empty()) return fail("could not find import " + quote(item.name), item.position);
    if (imports_.size() >= kMaxImports) return fail("more than 1000 imports", item.position);
    auto content = options_.files->read_file(path);
    if (!content) return fail("open " + path + ": " + content.error().message, item.position);
    const diag::Source* source = sources_.add(path, std::move(*content));
    if (source == nullptr) return fail("too much source text", item.position);
    auto parsed = parse_proto(*source);
    if (!parsed) {
      errors_.insert(errors_.end(), parsed.error().begin(), parsed.error().end());
      return;
    }
    auto header = header_of(*parsed);
    if (!header) {
      errors_.push_back(std::move(header.error()));
      return;
    }
    imports_.push_back(path);
    std::set<std::string> symbols;
    collect_symbols(*parsed, "", symbols);
    add_imported(*header, symbols);
  }

  // Types may be named with the whole package, or without what it has in common with the file's own.
  void add_imported(const Header& header, const std::set<std::string>& symbols) {
    std::vector<std::string> theirs = split(header.proto_package, '.'), ours = split(header_.proto_package, '.');
    bool is_same = header.qualified() == header_.qualified();
    for (std::size_t common = 0;; ++common) {
      std::string prefix;
      for (std::size_t i = common; i < theirs.size(); ++i) prefix += theirs[i] + ".";
      for (const std::string& symbol : symbols) {
        auto target = [this, header, symbol, is_same](diag::Position position) -> Expression* {
          Expression* made = is_same ? nullptr : make_.import(header.qualified(), header.short_name, position);
          for (const std::string& step : split(symbol, '.')) {
            Identifier* name = TreeMaker::at(position, make_.identifier("#" + step));
            made = made == nullptr ? name : TreeMaker::at(position, make_.selector(made, name));
          }
          return made;
        };
        scopes_.front().emplace(prefix + symbol, target);
      }
      if (common >= theirs.size() || common >= ours.size() || theirs[common] != ours[common]) return;
    }
  }

  // ---- comments ----
  CommentGroup* comment_group(const ProtoComment& lines, bool is_doc) {
    auto comments = make_.arena().make_array<Comment>(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      comments[i].text = make_.arena().copy_text("//" + lines[i]);
      comments[i].spacing = i == 0 ? Spacing::none : Spacing::newline;
    }
    auto* group = make_.arena().make<CommentGroup>();
    group->comments = comments;
    group->is_doc = is_doc;
    group->is_line = !is_doc;
    group->position = is_doc ? 0 : 10;
    return group;
  }

  void comment(Node& node, const ProtoItem& item, bool begins_section) {
    std::vector<CommentGroup*> groups(node.comments.begin(), node.comments.end());
    if (!item.comment.empty()) {
      groups.push_back(comment_group(item.comment, true));
      if (begins_section) groups.back()->comments[0].spacing = Spacing::new_section;
    }
    if (!item.inline_comment.empty()) groups.push_back(comment_group(item.inline_comment, false));
    node.comments = make_.arena().copy(groups);
  }

  Declaration* standing_alone(const ProtoItem& item) {
    auto* made = make_.make<CommentDeclaration>(NodeKind::comment_declaration);
    made->group = comment_group(item.comment, false);
    made->group->is_line = false;
    made->group->position = 0;
    made->spacing = Spacing::new_section;
    made->group->comments[0].spacing = Spacing::new_section;
    return made;
  }

  // What is said of the whole file stands above its first declaration.
  void put_above(File& file, const std::vector<ProtoComment>& comments) {
    if (comments.empty() || file.declarations.empty()) return;
    Node& first = *file.declarations[0];
    std::vector<CommentGroup*> groups;
    for (const ProtoComment& lines : comments) {
      groups.push_back(comment_group(lines, true));
      if (groups.size() > 1) groups.back()->comments[0].spacing = Spacing::new_section;
    }
    groups.insert(groups.end(), first.comments.begin(), first.comments.end());
    first.comments = make_.arena().copy(groups);
  }

  // ---- declarations ----
  void message(std::vector<Declaration*>& into, const ProtoItem& item) {
    scopes_.emplace_back();
    add_names(item.items);
    std::vector<Declaration*> fields;
    for (const ProtoItem& part : item.items) member(fields, part);
    scopes_.pop_back();
    StructLiteral* body = make_.braced(item.position, fields);
    if (!fields.empty()) body->right_spacing = Spacing::newline;
    Field* made = make_.field(TreeMaker::at(item.position, make_.identifier("#" + item.name)), Constraint::none, body);
    made->begin = item.position;
    TreeMaker::set_spacing(*made, Spacing::new_section);
    comment(*made, item, true);
    into.push_back(made);
  }

  void member(std::vector<Declaration*>& into, const ProtoItem& item) {
    switch (item.kind) {
      case Kind::comment: into.push_back(standing_alone(item)); break;
      case Kind::field: {
        Expression* type = resolve(item.type, item.position);
        if (item.is_repeated) {
          Expression* rest[] = {make_.ellipsis(type)};
          type = TreeMaker::at(item.position, make_.list(rest));
        }
        field(into, item, type, fmt::format("{},{}", item.number, item.type), false);
        break;
      }
      case Kind::map: {
        Expression* any[] = {make_.identifier("string")};
        Declaration* pattern[] = {make_.field(make_.list(any), Constraint::none, resolve(item.type, item.position))};
        TreeMaker::set_spacing(*as<Field>(pattern[0]), Spacing::newline);
        StructLiteral* body = make_.braced(item.position, pattern);
        body->right_spacing = Spacing::newline;
        field(into, item, body, fmt::format("{},map[{}]{}", item.number, item.key_type, item.type), true);
        break;
      }
      case Kind::enumeration: enumeration(into, item); break;
      case Kind::message: message(into, item); break;
      case Kind::one_of: one_of(into, item); break;
      case Kind::option: {
        const ProtoOption& option = item.options.front();
        std::string value = option.is_string ? option.text : option.value;
        Attribute* made = TreeMaker::at(item.position, make_.attribute("@protobuf(option " + option.name + "=" + value + ")"));
        comment(*made, item, !into.empty());
        into.push_back(made);
        break;
      }
      default: break;
    }
  }

  Field* field(std::vector<Declaration*>& into, const ProtoItem& item, Expression* type, std::string tags, bool is_map) {
    std::string name = json_name(item.name);
    Field* made = make_.field(TreeMaker::at(item.position, make_.label(name)), Constraint::optional, type);
    made->begin = item.position;
    TreeMaker::set_spacing(*made, Spacing::newline);
    comment(*made, item, !into.empty());
    if (name != item.name) tags += (is_map ? "," : ",name=") + item.name;
    into.push_back(made);
    bool is_required = false;
    for (const ProtoOption& option : item.options) {
      if (option.name == "(cue.opt).required") {
        is_required = true;
      } else if (option.name == "(google.api.field_behavior)") {
        if (option.value == "REQUIRED") is_required = true;
      } else if (option.name == "(cue.val)") {
        constraint(into, item, name, option, is_required);
      } else {
        tags += ",";
        tags += quoted_option(option.value == "true" ? option.name : option.name + "=" + option.value);
      }
    }
    if (is_required) made->constraint = Constraint::none;
    Attribute* attributes[] = {make_.attribute("@protobuf(" + tags + ")")};
    made->attributes = make_.copy(std::span<Attribute* const>(attributes));
    return made;
  }

  // A constraint that is written in CUE.
  void constraint(std::vector<Declaration*>& into, const ProtoItem& item, const std::string& name,
                  const ProtoOption& option, bool is_required) {
    const diag::Source* source = sources_.add(source_.path + " (cue.val)", option.text);
    auto parsed = parse_expression(make_.arena(), *source);
    if (!parsed.errors.empty())
      return fail("invalid cue.val value: " + parsed.errors.front().message, option.position);
    Field* made = make_.field(make_.label(name), is_required ? Constraint::none : Constraint::optional, parsed.expression);
    made->begin = item.position;
    into.push_back(made);
  }

  static std::string quoted_option(const std::string& text) {
    bool is_plain = std::ranges::all_of(text, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
    if (is_plain) return text;
    if (text.find_first_of("\"\\") == std::string::npos) return quote(text);
    std::string hashes = "#";
    while (text.find("\\" + hashes) != std::string::npos || text.find("\"" + hashes) != std::string::npos) hashes += "#";
    return hashes + "\"" + text + "\"" + hashes;
  }

  void one_of(std::vector<Declaration*>& into, const ProtoItem& item) {
    std::vector<Expression*> alternatives{make_.braced(item.position, {})};
    std::vector<Declaration*> waiting;  // comments that stand before the next field
    for (const ProtoItem& part : item.items) {
      if (part.kind == Kind::comment) continue;
      std::vector<Declaration*> fields = std::exchange(waiting, {});
      std::size_t first = fields.size();
      member(fields, part);
      if (part.kind == Kind::field && fields.size() > first) as<Field>(fields[first])->constraint = Constraint::none;
      StructLiteral* body = make_.braced(part.position, fields);
      body->right_spacing = Spacing::newline;
      alternatives.push_back(body);
    }
    Expression* made = make_.disjunction(alternatives);
    made->begin = item.position;
    auto* embedded = TreeMaker::at(item.position, make_.embedding(made));
    embedded->spacing = Spacing::newline;
    comment(*embedded, item, !into.empty());
    into.push_back(embedded);
  }

  void enumeration(std::vector<Declaration*>& into, const ProtoItem& item) {
    std::vector<Expression*> alternatives;
    std::vector<Declaration*> numbers, constants;
    bool last_was_single = false;
    for (const ProtoItem& part : item.items) {
      if (part.kind != Kind::value) continue;
      Field* number = make_.field(make_.label(part.name), Constraint::none, make_.number(part.number));
      TreeMaker::set_spacing(*number, Spacing::newline);
      numbers.push_back(number);
      if (options_.enums_as_numbers) {
        Expression* named = TreeMaker::at(part.position, make_.identifier("#" + part.name));
        named->spacing = Spacing::newline;
        alternatives.push_back(named);
        Field* constant = make_.field(make_.identifier("#" + part.name), Constraint::none, make_.number(part.number));
        constant->begin = part.position;
        TreeMaker::set_spacing(*constant, constants.empty() ? Spacing::new_section : Spacing::newline);
        comment(*constant, part, false);
        constants.push_back(constant);
        continue;
      }
      Embedding* name = make_.embedding(TreeMaker::at(part.position, make_.quoted(part.name)));
      Field* value = make_.field(make_.identifier("#enumValue"), Constraint::none, make_.number(part.number));
      Declaration* parts[] = {name, value};
      bool is_single = part.comment.empty() && part.inline_comment.empty();
      name->spacing = name->expression->spacing = is_single ? Spacing::no_space : Spacing::newline;
      value->spacing = value->label->spacing = is_single ? Spacing::blank : Spacing::newline;
      comment(*name, part, false);
      StructLiteral* body = make_.braced(part.position, parts);
      body->spacing = is_single && last_was_single ? Spacing::newline : Spacing::blank;
      body->right_spacing = is_single ? Spacing::no_space : Spacing::newline;
      alternatives.push_back(body);
      last_was_single = is_single;
    }
    if (alternatives.empty()) return fail("empty enum", item.position);
    Field* made = make_.field(TreeMaker::at(item.position, make_.identifier("#" + item.name)), Constraint::none,
                              make_.disjunction(alternatives));
    made->begin = item.position;
    TreeMaker::set_spacing(*made, into.empty() ? Spacing::newline : Spacing::new_section);
    comment(*made, item, true);
    into.push_back(made);
    into.insert(into.end(), constants.begin(), constants.end());
    StructLiteral* table = make_.structure(numbers);
    table->right_spacing = Spacing::newline;
    Field* values = make_.field(make_.identifier("#" + item.name + "_value"), Constraint::none, table);
    values->begin = item.position;
    TreeMaker::set_spacing(*values, Spacing::new_section);
    into.push_back(values);
  }

  TreeMaker make_;
  diag::SourceMap& sources_;
  const diag::Source& source_;
  const ProtoOptions& options_;
  Header header_;
  std::vector<Scope> scopes_;
  std::vector<std::string> imports_;
  Errors errors_;
};

}  // namespace

std::expected<ProtoFile, Errors> read_protobuf(base::Arena& arena, diag::SourceMap& sources, const diag::Source& source,
                                               const ProtoOptions& options) {
  return Converter(arena, sources, source, options).run();
}

}  // namespace opm::cue::schema
