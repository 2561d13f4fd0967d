// What stands in an import declaration or a package argument: "host/dir/name@v1:package".
// Module paths ("host/name@v1") share the notation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace opm::cue::module {

struct ImportPath {
  std::string path;                 // without version and qualifier
  std::string version;              // behind '@', mostly a major one; empty: none
  std::string qualifier;            // the package name: behind ':', else what the last element implies, else empty
  bool explicit_qualifier = false;  // written, and to be written again

  bool operator==(const ImportPath&) const = default;

  // The qualifier only where it differs from what the path implies.
  ImportPath canonical() const;
  ImportPath unqualified() const;
  std::string text() const;
};

// Takes anything apart; whether the parts are valid is for check_import_path to say.
// ":name" stands for ".:name".
ImportPath parse_import_path(std::string_view text);

// "path" and "version" of "path@version"; the version is empty where there is none.
std::pair<std::string_view, std::string_view> split_version(std::string_view path);

// What is wrong with it, or nothing. The message is what `cue` says.
std::optional<std::string> check_import_path(std::string_view text);
// "host.name/path" or "host.name/path@vN"
std::optional<std::string> check_module_path(std::string_view text);

// By the look of it: no dot in the first element.
bool looks_standard(std::string_view import_path);
// The grammar of names of repositories in registries.
bool is_repository_name(std::string_view path);
// Names that Windows reserves for devices; a module has to unpack everywhere.
bool is_device_name(std::string_view name);
// ".", "..", "./x", "../x"
bool is_relative_import(std::string_view path);

}  // namespace opm::cue::module
