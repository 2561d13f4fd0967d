// Addresses of the web and of hosts: escaping, and whether they are well formed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cue/std/bind.h"

namespace opm::cue::standard::url {

std::string escape_path_segment(std::string_view text);
std::string escape_query(std::string_view text);
Result<std::string> unescape_path(std::string_view text);
Result<std::string> unescape_query(std::string_view text);

struct Checked {
  bool is_absolute = false;  // has a scheme
};
// A URL or a relative reference.
Result<Checked> check(std::string_view text);

// "host:port" and "[host]:port" in two.
Result<std::vector<std::string>> split_host_port(std::string_view text);
std::string join_host_port(std::string_view host, std::string_view port);
// A fully qualified domain name; a dot may end it.
bool is_domain_name(std::string_view text);

}  // namespace opm::cue::standard::url
