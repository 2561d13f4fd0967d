#include "opm/render/release_overlay.h"

#include <fmt/core.h>

#include "cue/syntax/literal.h"

namespace opm::render {

std::string release_overlay(std::string_view package, const ReleaseIdentity& identity) {
  std::string name = identity.name ? cue::syntax::quote(*identity.name) : "moduleMetadata.name";
  std::string where = "moduleMetadata.defaultNamespace";
  if (identity.namespace_name) {
    where = cue::syntax::quote(*identity.namespace_name);
  } else if (!identity.fallback_namespace.empty()) {
    where = fmt::format("[if {0} != _|_ {{{0}}}, {1}][0]", where, cue::syntax::quote(identity.fallback_namespace));
  }
  // The declarations without a value let a module leave the fields out: what is missing is then told in the words
  // of the catalog. Components refer to the package's own #config, so that is where the values have to be.
  return fmt::format(R"(package {}

import core "opmodel.dev/core@v0"

metadata: _
values:   _
#config:  _
#components: {{...}}
#policies: {{...}}

#config: values

let moduleMetadata = metadata
let moduleComponents = #components
let moduleConfig = #config
let modulePolicies = #policies
let moduleValues = values

_opmRelease: core.#ModuleRelease & {{
	metadata: {{
		name:      {}
		namespace: {}
	}}
	#module: {{
		metadata:    moduleMetadata
		#components: moduleComponents
		#config:     moduleConfig
		#policies:   modulePolicies
		values:      moduleValues
	}}
	values: moduleValues
}}
)",
                     package, name, where);
}

std::string_view package_clause(std::string_view text) {
  std::size_t at = 0;
  auto skip_line = [&] {
    while (at < text.size() && text[at] != '\n') ++at;
  };
  while (at < text.size()) {
    char c = text[at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',') {
      ++at;
    } else if (text.substr(at).starts_with("//") || c == '@') {
      skip_line();
    } else {
      break;
    }
  }
  constexpr std::string_view kWord = "package";
  std::string_view rest = text.substr(at);
  if (rest.starts_with("\xEF\xBB\xBF")) return package_clause(rest.substr(3));
  if (!rest.starts_with(kWord)) return {};
  rest.remove_prefix(kWord.size());
  std::size_t begin = rest.find_first_not_of(" \t");
  if (begin == 0 || begin == std::string_view::npos) return {};
  std::size_t end = begin;
  auto is_letter = [](char c) {
    return c == '_' || c == '$' || c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  };
  while (end < rest.size() && is_letter(rest[end])) ++end;
  return rest.substr(begin, end - begin);
}

}  // namespace opm::render
