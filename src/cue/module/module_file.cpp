#include "cue/module/module_file.h"

#include <algorithm>
#include <array>

#include "cue/module/import_path.h"
#include "cue/module/local_module.h"
#include "cue/module/plain_data.h"
#include "cue/module/version.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::module {
namespace {

using Diagnostics = std::vector<diag::Diagnostic>;

// Older files could hold anything, so no later meaning may be read into them.
constexpr std::string_view kFirstSchemaVersion = "v0.8.0-alpha.0";
constexpr std::string_view kSourceFieldVersion = "v0.9.0-alpha.0";
constexpr std::string_view kReplaceFieldVersion = "v0.17.0";

diag::Diagnostic problem(std::string message, diag::Position position, std::string path = {}) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "module-file";
  diagnostic.path = std::move(path);
  diagnostic.message = std::move(message);
  if (position.valid()) diagnostic.positions.push_back(position);
  return diagnostic;
}

std::string_view kind_name(const data::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "bool";
  if (value.is_number()) return value.as_number().is_integer ? "int" : "float";
  if (value.is_string()) return "string";
  if (value.is_bytes()) return "bytes";
  if (value.is_list()) return "list";
  return "struct";
}

std::string scalar_text(const data::Value& value) {
  if (value.is_string()) return syntax::quote(value.as_string());
  if (value.is_number()) return value.as_number().text;
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_null()) return "null";
  return value.is_list() ? "[...]" : "{...}";
}

class Checker {
 public:
  Checker(const diag::Source& source, Strictness strictness, bool may_replace)
      : source_(source), strictness_(strictness), may_replace_(may_replace) {}

  std::expected<ModuleFile, Diagnostics> check(const data::Value& root) {
    file_.position = source_.begin;
    if (!check_language(root)) return std::unexpected(std::move(errors_));
    check_fields(root);
    if (errors_.empty()) check_module_path_field();
    if (errors_.empty()) check_dependencies();
    if (!errors_.empty()) return std::unexpected(std::move(errors_));
    return std::move(file_);
  }

 private:
  void fail(std::string message, diag::Position position = {}, std::string path = {}) {
    errors_.push_back(problem(std::move(message), position, std::move(path)));
  }
  // For what only the file as a whole can be blamed for.
  void fail_file(const std::string& message, diag::Position position) {
    fail("invalid module file " + source_.path + ": " + message, position);
  }

  bool expect_kind(const data::Value& value, std::string_view kind, const std::string& path) {
    if (kind_name(value) == kind) return true;
    fail("conflicting values " + scalar_text(value) + " and " + (kind == "struct" ? "{...}" : std::string(kind)) +
             " (mismatched types " + std::string(kind_name(value)) + " and " + std::string(kind) + ")",
         value.position, path);
    return false;
  }

  // Decides how the rest is read, so it comes first.
  bool check_language(const data::Value& root) {
    const data::Value* language = root.find("language");
    if (language != nullptr && !expect_kind(*language, "struct", "language")) return false;
    const data::Value* version = language != nullptr ? language->find("version") : nullptr;
    if (version == nullptr) {
      fail("no language version declared in module.cue");
      errors_.back().positions.push_back(source_.begin);
      errors_.back().advice = "add a line such as: language: version: \"v0.15.0\"";
      return false;
    }
    if (!expect_kind(*version, "string", "language.version")) return false;
    const std::string& text = version->as_string();
    if (!is_version(text)) {
      fail("language version " + syntax::quote(text) + " in module.cue is not valid semantic version",
           version->position);
    } else if (compare_versions(text, kLanguageVersion) > 0) {
      fail("language version " + syntax::quote(text) +
               " declared in module.cue is too new for current language version " + syntax::quote(kLanguageVersion),
           version->position);
    } else if (compare_versions(text, kFirstSchemaVersion) < 0) {
      fail("cannot find schema suitable for reading module file with language version " + syntax::quote(text),
           version->position);
    } else if (canonical_version(text) != text) {
      fail_file("language version " + text + " is not canonical", version->position);
    }
    if (!errors_.empty()) return false;
    file_.language_version = text;
    for (const data::Member& member : language->as_map())
      if (member.key != "version") not_allowed(member, "language.");
    return true;
  }

  void not_allowed(const data::Member& member, const std::string& prefix) {
    fail("field not allowed", member.key_position, prefix + syntax::quote_label(member.key));
  }

  void check_fields(const data::Value& root) {
    for (const data::Member& member : root.as_map()) {
      if (member.key == "module") {
        if (expect_kind(member.value, "string", "module")) {
          file_.path = member.value.as_string();
          module_position_ = member.value.position;
        }
      } else if (member.key == "source") {
        check_source(member.value);
      } else if (member.key == "description") {
        if (expect_kind(member.value, "string", "description")) file_.description = member.value.as_string();
      } else if (member.key == "deps") {
        check_deps_field(member.value);
      } else if (member.key == "custom") {
        if (!expect_kind(member.value, "struct", "custom")) continue;
        for (const data::Member& tool : member.value.as_map())
          expect_kind(tool.value, "struct", "custom." + syntax::quote_label(tool.key));
        file_.custom = member.value;
      } else if (member.key != "language") {
        not_allowed(member, {});
      }
    }
  }

  void check_source(const data::Value& source) {
    if (compare_versions(file_.language_version, kSourceFieldVersion) < 0)
      return fail("invalid module file: source field is not allowed at this language version; need at least " +
                      std::string(kSourceFieldVersion),
                  source.position);
    if (!expect_kind(source, "struct", "source")) return;
    for (const data::Member& member : source.as_map()) {
      if (member.key != "kind") {
        not_allowed(member, "source.");
        continue;
      }
      if (!expect_kind(member.value, "string", "source.kind")) continue;
      file_.source_kind = member.value.as_string();
      if (file_.source_kind != "self" && file_.source_kind != "git")
        fail("unrecognized source kind " + syntax::quote(file_.source_kind), member.value.position, "source.kind");
    }
    if (source.find("kind") == nullptr) fail("field is required but not present", source.position, "source.kind");
  }

  void check_deps_field(const data::Value& deps) {
    if (!expect_kind(deps, "struct", "deps")) return;
    for (const data::Member& member : deps.as_map()) {
      // Paths are for messages, and few files need one.
      auto path = [&](std::string_view below) { return "deps." + syntax::quote(member.key) + std::string(below); };
      auto expect = [&](const data::Value& value, std::string_view kind, std::string_view below) {
        return kind_name(value) == kind || expect_kind(value, kind, path(below));
      };
      if (!expect(member.value, "struct", "")) continue;
      Dependency dependency;
      dependency.module.path = member.key;
      dependency.position = member.key_position;
      for (const data::Member& part : member.value.as_map()) {
        if (part.key == "v") {
          if (part.value.is_null() && strictness_ != Strictness::strict) continue;
          if (expect(part.value, "string", ".v")) dependency.module.version = part.value.as_string();
        } else if (part.key == "default") {
          if (expect(part.value, "bool", ".default")) dependency.is_default = part.value.as_bool();
        } else if (part.key == "replaceWith" && compare_versions(file_.language_version, kReplaceFieldVersion) >= 0) {
          if (expect(part.value, "string", ".replaceWith"))
            dependency.replace_with = part.value.as_string();
        } else {
          not_allowed(part, path("."));
        }
      }
      if (!dependency.replace_with.empty() && !may_replace_)
        fail("module replace for " + syntax::quote(member.key) +
                 " is not allowed in module.cue; move it to cue.mod/local-module.cue",
             member.key_position);
      if (member.value.find("v") == nullptr && !may_replace_)
        fail("field is required but not present", member.key_position, path(".v"));
      file_.dependencies.push_back(std::move(dependency));
    }
  }

  void check_module_path_field() {
    auto [base, major] = split_version(file_.path);
    if (base.empty()) return fail_file("empty module path", source_.begin);
    if (!major.empty() && module::major_version(major) != major)
      return fail_file("module path " + file_.path + " should contain the major version only", module_position_);
    if (auto malformed = check_module_path(file_.path)) {
      // Only the reason; the path is named in front of it.
      std::string reason = malformed->substr(malformed->find("\": ") + 3);
      return fail_file("module path " + syntax::quote(base) + " is not valid: " + reason, module_position_);
    }
    if (major.empty()) {
      file_.path += "@v0";
      file_.has_major_version = false;
    }
  }

  void check_dependencies() {
    std::vector<std::string> defaults{std::string(file_.base_path())};
    for (Dependency& dependency : file_.dependencies) {
      ModuleVersion& module = dependency.module;
      std::string written = module.path;
      if (auto reason = complete(module))
        return fail_file("cannot make version from module " + syntax::quote(written) + ", version " +
                             syntax::quote(module.version) + ": " + *reason,
                         dependency.position);
      if (strictness_ == Strictness::strict && module.path != written)
        return fail_file("no major version in " + syntax::quote(written), dependency.position);
      if (!dependency.is_default) continue;
      std::string base(module.base_path());
      if (std::ranges::find(defaults, base) != defaults.end())
        return fail_file("multiple default major versions found for " + base, dependency.position);
      defaults.push_back(std::move(base));
    }
    std::ranges::sort(file_.dependencies, {}, &Dependency::module);
    for (std::size_t i = 1; i < file_.dependencies.size(); ++i)
      if (file_.dependencies[i].module.path == file_.dependencies[i - 1].module.path)
        return fail_file("module " + file_.dependencies[i].module.path + " is listed twice",
                         file_.dependencies[i].position);
  }

  // Adds the major version to the path; what is wrong with the pair, or nothing.
  static std::optional<std::string> complete(ModuleVersion& module) {
    auto [base, written_major] = split_version(module.path);
    if (module.version.empty()) {
      if (written_major.empty()) return "path " + syntax::quote(module.path) + " has no major version";
      return check_module_path(module.path);
    }
    auto about_version = [&](std::string_view what) {
      return "version " + syntax::quote(module.version) + " (of module " + syntax::quote(module.path) + ") " + std::string(what);
    };
    if (!is_version(module.version)) return about_version("is not well formed");
    if (canonical_version(module.version) != module.version) return about_version("is not canonical");
    std::string_view major = module::major_version(module.version);
    if (!written_major.empty() && written_major != major)
      return "mismatched major version suffix in " + syntax::quote(module.path) + " (version " + module.version + ")";
    if (written_major.empty()) module.path += "@" + std::string(major);
    return check_module_path(module.path);
  }

  const diag::Source& source_;
  Strictness strictness_;
  bool may_replace_;
  ModuleFile file_;
  diag::Position module_position_;
  Diagnostics errors_;
};

}  // namespace

std::string ModuleVersion::text() const {
  if (version.empty()) return path;
  return std::string(base_path()) + "@" + version;
}

std::string_view ModuleVersion::base_path() const { return split_version(path).first; }

std::string_view ModuleFile::base_path() const { return split_version(path).first; }

std::string_view ModuleFile::major_version() const { return split_version(path).second; }

std::string_view ModuleFile::default_major_version(std::string_view module_base_path) const {
  if (module_base_path == base_path()) return major_version();
  std::string_view only;
  unsigned count = 0;
  for (const Dependency& dependency : dependencies) {
    if (dependency.module.base_path() != module_base_path) continue;
    std::string_view major = split_version(dependency.module.path).second;
    if (dependency.is_default) return major;
    only = major;
    ++count;
  }
  return count == 1 ? only : std::string_view();
}

namespace {

std::expected<ModuleFile, Diagnostics> read_file(const diag::Source& source, Strictness strictness, bool may_replace) {
  auto with_prefix = [](Diagnostics errors) {
    for (diag::Diagnostic& error : errors) error.message = "invalid module file syntax: " + error.message;
    return std::unexpected(std::move(errors));
  };
  base::Arena arena;
  syntax::ParsedFile parsed = syntax::parse_file(arena, source, {.comments = false});
  if (!parsed.errors.empty()) return with_prefix(std::move(parsed.errors));
  auto root = read_plain_data(arena, *parsed.file);
  if (!root) return with_prefix(std::move(root.error()));
  return Checker(source, strictness, may_replace).check(*root);
}

}  // namespace

std::expected<ModuleFile, std::vector<diag::Diagnostic>> read_module_file(const diag::Source& source,
                                                                          Strictness strictness) {
  return read_file(source, strictness, false);
}

std::expected<ModuleFile, std::vector<diag::Diagnostic>> read_replacing_module_file(const diag::Source& source) {
  return read_file(source, Strictness::lenient, true);
}

}  // namespace opm::cue::module
