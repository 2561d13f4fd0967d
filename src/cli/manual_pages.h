// The commands as manual pages and as a reference in Markdown, made of what they declare, so that neither can be wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace opm::cli {

struct ManualPage {
  std::string name;  // "opm-mod-build.1"
  std::string content;
};

// One for each command and group that is not hidden, in the form of man(7).
std::vector<ManualPage> manual_pages(const CommandDescription& root, std::string_view version);

// All commands on one page.
std::string reference_page(const CommandDescription& root);

}  // namespace opm::cli
