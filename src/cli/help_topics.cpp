#include "cli/help_topics.h"

#include "base/embedded_files.h"

extern "C" const unsigned char opm_help_topics[];

namespace opm::cli {

std::vector<HelpTopic> help_topics() {
  static const base::EmbeddedFiles files(opm_help_topics);
  constexpr std::string_view kSuffix = ".md";
  std::vector<HelpTopic> topics;
  for (std::size_t i = 0; i < files.size(); ++i) {
    base::EmbeddedFiles::File file = files.file(i);
    std::string_view heading = file.content.substr(0, file.content.find('\n'));
    if (heading.starts_with("# ")) heading.remove_prefix(2);
    topics.push_back({std::string(file.path.substr(0, file.path.size() - kSuffix.size())), std::string(heading), file.content});
  }
  return topics;
}

}  // namespace opm::cli
