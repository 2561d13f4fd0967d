#include "cli/command_version.h"

#include <memory>
#include <string>

namespace opm::cli {

namespace {

// The CUE language versions between which the engine follows the version that a module states.
constexpr std::string_view kOldestLanguage = "v0.15.0";
constexpr std::string_view kNewestLanguage = "v0.17.0";

void print_version(Output& out, std::string_view format) {
  if (format == "json") {
    out.print(
        "{{\n"
        "    \"version\": \"{}\",\n"
        "    \"cueLanguage\": {{\n"
        "        \"oldest\": \"{}\",\n"
        "        \"newest\": \"{}\"\n"
        "    }}\n"
        "}}\n",
        OPM_VERSION, kOldestLanguage, kNewestLanguage);
  } else {
    out.print("opm {}\nCUE language {} to {}\n", OPM_VERSION, kOldestLanguage, kNewestLanguage);
  }
}

}  // namespace

void add_version_command(CommandLine& line, Session& session) {
  auto format = std::make_shared<std::string>("text");
  line.root()
      .add("version", "Print the version of opm")
      .choice("-o,--output", *format, {"text", "json"}, "Form of the output")
      .run([&session, format] {
        print_version(session.out, *format);
        return ExitCode::success;
      });
}

}  // namespace opm::cli
