#include "cli/command_version.h"

#include <memory>
#include <string>

#include "opm/builtin/catalog.h"

namespace opm::cli {

namespace {

// The CUE language versions between which the engine follows the version that a module states.
constexpr std::string_view kOldestLanguage = "v0.15.0";
constexpr std::string_view kNewestLanguage = "v0.17.0";

void print_version(Output& out, std::string_view format) {
  std::string_view version = builtin::catalog_version();
  if (format == "json") {
    out.print(
        "{{\n"
        "    \"version\": \"{}\",\n"
        "    \"cueLanguage\": {{\n"
        "        \"oldest\": \"{}\",\n"
        "        \"newest\": \"{}\"\n"
        "    }},\n"
        "    \"modules\": [",
        OPM_VERSION, kOldestLanguage, kNewestLanguage);
    std::string_view separator = "\n";
    for (const builtin::CatalogModule& known : builtin::catalog_modules()) {
      out.print("{}        {{\n            \"path\": \"{}\",\n            \"version\": \"{}\"\n        }}", separator, known.path,
                version);
      separator = ",\n";
    }
    out.write("\n    ]\n}\n");
    return;
  }
  out.print("opm {}\nCUE language {} to {}\n\nbuilt-in modules\n", OPM_VERSION, kOldestLanguage, kNewestLanguage);
  for (const builtin::CatalogModule& known : builtin::catalog_modules()) out.print("  {:<34} {}\n", known.path, version);
}

}  // namespace

void add_version_command(CommandLine& line, Session& session) {
  auto format = std::make_shared<std::string>("text");
  auto json = std::make_shared<bool>(false);
  line.root()
      .add("version", "Print the version of opm and of the modules built into it")
      .choice("-o,--output", *format, {"text", "json"}, "Form of the output")
      .flag("--json", *json, "The same as -o json")
      .run([&session, format, json] {
        print_version(session.out, *json ? "json" : *format);
        return ExitCode::success;
      });
}

}  // namespace opm::cli
