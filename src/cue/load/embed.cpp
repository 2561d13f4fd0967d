#include "cue/load/embed.h"

#include <algorithm>
#include <expected>
#include <map>
#include <string>

#include "base/path.h"
#include "cue/load/attribute.h"
#include "cue/load/decode.h"
#include "cue/load/glob.h"
#include "cue/load/schema_file.h"
#include "cue/load/walk.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

using syntax::NodeKind;

constexpr std::string_view kEmbed = "embed";
constexpr std::size_t kMaxMatches = 100'000;

template <typename T>
using Result = std::expected<T, std::string>;

// What the arguments of one attribute ask for.
struct Request {
  std::string file;
  std::string glob;
  std::string type;
  bool may_be_empty = false;
};

Result<std::string> checked_path(const std::string& written) {
  std::string clean = base::clean_path(written);
  if (clean != written) return std::unexpected("path not normalized, use " + syntax::quote(clean) + " instead");
  if (base::is_absolute_path(clean)) return std::unexpected("only relative files are allowed");
  if (clean == ".." || clean.starts_with("../")) return std::unexpected("cannot refer to parent directory");
  return clean;
}

Result<Request> understand(const AttributeParts& parts) {
  Request request;
  request.file = parts.lookup(0, "file").value_or("");
  request.glob = parts.lookup(0, "glob").value_or("");
  request.type = parts.lookup(0, "type").value_or("");
  request.may_be_empty = parts.has_flag(0, "allowEmptyGlob");
  if (request.file.empty() && request.glob.empty()) return std::unexpected("attribute must have file or glob field");
  if (!request.file.empty() && !request.glob.empty())
    return std::unexpected("attribute cannot have both file and glob field");
  if (request.may_be_empty && request.glob.empty())
    return std::unexpected("allowEmptyGlob must be specified with a glob field");
  auto path = checked_path(request.file.empty() ? request.glob : request.file);
  if (!path) return std::unexpected(path.error());
  if (request.glob.empty()) return request;
  if (auto valid = check_glob(request.glob); !valid)
    return std::unexpected("invalid glob pattern " + syntax::quote(request.glob) + ": " + valid.error());
  if (request.type.empty()) {
    std::string_view name = base::base_name(request.glob);
    std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || name.find_first_of("*?[\\", dot) != std::string_view::npos)
      return std::unexpected("extension not fully specified; type argument required");
  }
  return request;
}

// Embeds of one package.
class Reader {
 public:
  Reader(Package& package, Workspace& workspace) : package_(package), workspace_(workspace) {}

  void read_file(const PackageFile& file) {
    if (!is_enabled(*file.syntax)) return;
    folder_ = base::parent_path(file.path);
    visit(*file.syntax);
  }

 private:
  void fail(std::string message, diag::Position position) {
    diag::Diagnostic error = load_error(std::move(message), position);
    error.code = "embed";
    package_.errors.push_back(std::move(error));
  }

  // Whether @extern(embed) stands before the package clause.
  bool is_enabled(const syntax::File& file) {
    bool enabled = false;
    bool behind_package = false;
    const syntax::Attribute* first = nullptr;
    for (const syntax::Declaration* declaration : file.declarations) {
      if (declaration->kind == NodeKind::package) behind_package = true;
      if (declaration->kind != NodeKind::attribute) continue;
      const auto* attribute = syntax::as<syntax::Attribute>(declaration);
      if (attribute_name(*attribute) != "extern") continue;
      if (behind_package) {
        if (first == nullptr) fail("extern attribute must appear before package clause", attribute->begin);
        continue;
      }
      first = attribute;
      std::string kind = parse_attribute(*attribute).positional(0);
      if (kind.empty())
        fail("injection name must be non-empty", attribute->begin);
      else if (kind != kEmbed)
        fail("no injection defined for " + syntax::quote(kind), attribute->begin);
      else if (enabled)
        fail("duplicate @extern attribute for kind \"embed\"", attribute->begin);
      else
        enabled = true;
    }
    if (first != nullptr && !behind_package) {
      fail("extern attribute without package clause", first->begin);
      return false;
    }
    if (enabled && package_.module.path.empty()) {
      fail("cannot embed files when not in a module", {});
      return false;
    }
    return enabled;
  }

  void visit(syntax::Node& node) {
    if (node.kind == NodeKind::attribute) return read_attribute(*syntax::as<syntax::Attribute>(&node));
    if (node.kind == NodeKind::field)
      for (const syntax::Attribute* attribute : syntax::as<syntax::Field>(&node)->attributes)
        read_attribute(*attribute);
    for_each_child(node, [&](syntax::Node& child) { visit(child); });
  }

  void read_attribute(const syntax::Attribute& attribute) {
    if (attribute_name(attribute) != kEmbed) return;
    Result<data::Value> value = read(parse_attribute(attribute));
    if (!value) {
      fail("@embed: " + value.error(), attribute.begin);
      std::ranges::copy(std::exchange(inner_positions_, {}), std::back_inserter(package_.errors.back().positions));
      return;
    }
    value->position = attribute.begin;
    if (workspace_.options.revise_data) workspace_.options.revise_data(workspace_.sources, *value);
    package_.embedded.emplace(&attribute, std::move(*value));
  }

  Result<data::Value> read(const AttributeParts& parts) {
    auto request = understand(parts);
    if (!request) return std::unexpected(request.error());
    if (!request->file.empty()) return read_one(request->file, request->type);
    std::vector<std::string> matches = find_glob(files(), folder_, request->glob);
    if (matches.empty() && !request->may_be_empty)
      return std::unexpected("no matches for glob pattern " + syntax::quote(request->glob));
    if (matches.size() > kMaxMatches)
      return std::unexpected("more than " + std::to_string(kMaxMatches) + " matches for glob pattern " +
                             syntax::quote(request->glob));
    data::Value all;
    all.variant = data::Map{};
    for (std::string& match : matches) {
      auto status = files().status(base::join_path(folder_, match));
      if (!status) return std::unexpected("failed to stat " + match + ": " + status.error().message);
      if (status->kind == base::FileKind::directory) continue;
      auto value = read_one(match, request->type);
      if (!value) return value;
      all.as_map().push_back({std::move(match), std::move(*value), {}});
    }
    return all;
  }

  const base::FileSystem& files() const { return *package_.file_system; }

  Result<data::Value> read_one(const std::string& name, const std::string& type_text) {
    for (std::string folder = base::parent_path(name); folder != "."; folder = base::parent_path(folder))
      if (workspace_.is_module_root(files(), base::join_path(folder_, folder)))
        return std::unexpected("cannot embed file " + syntax::quote(name) + ": in different module");
    auto qualifier = parse_qualifier(type_text);
    if (!qualifier) return std::unexpected(qualifier.error());
    auto type = file_type(name, *qualifier, FileMode::definition);
    if (!type) return std::unexpected(type.error());
    std::string path = base::join_path(folder_, name);
    auto status = files().status(path);
    if (!status) return std::unexpected("open " + name + ": no such file or directory");
    if (status->kind == base::FileKind::directory) return std::unexpected("cannot embed directories");
    if (!is_inside_module(path))
      return std::unexpected("cannot embed file " + syntax::quote(name) + ": outside the module");
    switch (type->encoding) {
      case Encoding::text_protobuf:
      case Encoding::binary_protobuf:
        return std::unexpected("encoding " + syntax::quote(encoding_name(type->encoding)) +
                               " not (yet) supported: requires support for schema-guided decoding");
      default:
        break;
    }
    DataFile file{path, *type, &files(), nullptr};
    if (type->interpretation != Interpretation::none || type->encoding == Encoding::protobuf) {
      auto read = read_schema_file(file, name, workspace_);
      if (read) return std::unexpected("schemas in other formats are not (yet) supported");
      inner_positions_ = read.error().front().positions;
      return std::unexpected(read.error().front().message);
    }
    auto values = decode(file, workspace_.display(path), workspace_.sources);
    if (!values) return std::unexpected(first_message(values.error()));
    if (values->size() > 1) return std::unexpected("streaming not implemented: found more than one value in file");
    if (type->encoding == Encoding::json_lines)
      return std::unexpected("encoding \"jsonl\" not (yet) supported: requires support for streaming");
    if (values->empty()) return data::Value();
    return std::move(values->front());
  }

  std::string first_message(const std::vector<diag::Diagnostic>& errors) const {
    if (errors.empty()) return "failed to decode file";
    std::string message = errors.front().message;
    if (errors.front().positions.empty()) return message;
    diag::Location place = workspace_.sources.locate(errors.front().positions.front());
    if (place.file.empty()) return message;
    return message + " (" + std::string(place.file) + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.column) + ")";
  }

  bool is_inside_module(const std::string& path) const {
    auto real = files().real_path(path);
    auto root = files().real_path(package_.root);
    return real && root && base::is_within(*real, *root);
  }

  Package& package_;
  Workspace& workspace_;
  std::string folder_;  // of the file at hand
  std::vector<diag::Position> inner_positions_;  // of what is wrong within a file that is embedded
};

}  // namespace

void read_embedded(Package& package, Workspace& workspace) {
  Reader reader(package, workspace);
  for (const PackageFile& file : package.files) reader.read_file(file);
}

}  // namespace opm::cue::load
