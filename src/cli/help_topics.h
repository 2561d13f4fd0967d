// Pages about things that are no single command: the pages of docs/ that are for those who use opm, inside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opm::cli {

struct HelpTopic {
  std::string name;   // "getting-started"
  std::string title;  // the page's first heading
  std::string_view text;
};

// By name.
std::vector<HelpTopic> help_topics();

}  // namespace opm::cli
