// Files as editors name them: file:///home/me/a%20b.cue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opm::lsp {

// The absolute path that a file: URI means; nothing for anything else.
std::optional<std::string> path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace opm::lsp
