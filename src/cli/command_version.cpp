#include "cli/command_version.h"

#include <algorithm>
#include <memory>
#include <string>

#include OPM_BUILD_FACTS
#include "data/build.h"
#include "data/json.h"
#include "opm/builtin/catalog.h"

namespace opm::cli {

namespace {

// The CUE language versions between which the engine follows the version that a module states.
constexpr std::string_view kOldestLanguage = "v0.15.0";
constexpr std::string_view kNewestLanguage = "v0.17.0";

// "curl 7.88.1,fmt 9.1.0": what CMake found.
data::Value libraries() {
  data::List list;
  std::string_view all = OPM_LIBRARIES;
  while (!all.empty()) {
    std::string_view entry = all.substr(0, all.find(','));
    all.remove_prefix(std::min(entry.size() + 1, all.size()));
    std::size_t space = entry.find(' ');
    data::Value library = data::map({{"name", data::text(std::string(entry.substr(0, space)))}});
    if (space + 1 < entry.size()) data::set(library, "version", data::text(std::string(entry.substr(space + 1))));
    list.push_back(std::move(library));
  }
  return data::list(std::move(list));
}

data::Value version_data() {
  data::List modules;
  std::string version(builtin::catalog_version());
  for (const builtin::CatalogModule& known : builtin::catalog_modules())
    modules.push_back(data::map({{"path", data::text(std::string(known.path))}, {"version", data::text(version)}}));
  data::Value build = data::map({{"commit", data::text(kBuildCommit)},
                                 {"modified", data::boolean(kBuildModified)},
                                 {"compiler", data::text("gcc " __VERSION__)},
                                 {"dependencies", libraries()}});
  return data::map({{"version", data::text(OPM_VERSION)},
                    {"cueLanguage", data::map({{"oldest", data::text(std::string(kOldestLanguage))},
                                               {"newest", data::text(std::string(kNewestLanguage))}})},
                    {"build", std::move(build)},
                    {"modules", data::list(std::move(modules))}});
}

void print_version(Output& out, std::string_view format) {
  std::string_view version = builtin::catalog_version();
  if (format == "json") {
    out.write(data::write_json(version_data(), {.indent = 4, .final_newline = true}));
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
