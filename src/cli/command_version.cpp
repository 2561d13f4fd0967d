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

struct License {
  std::string_view library;
  std::string_view terms;  // as SPDX writes them
};
// Those of Debian 12's packages.
constexpr License kLicenses[] = {{"CLI11", "BSD-3-Clause"},
                                 {"brotli", "MIT"},
                                 {"curl", "curl"},
                                 {"fmt", "MIT"},
                                 {"glibc", "LGPL-2.1-or-later"},
                                 {"gmp", "LGPL-3.0-or-later OR GPL-2.0-or-later"},
                                 {"idn2", "LGPL-3.0-or-later OR GPL-2.0-or-later"},
                                 {"mpfr", "LGPL-3.0-or-later"},
                                 {"nghttp2", "MIT"},
                                 {"openssl", "Apache-2.0"},
                                 {"psl", "MIT"},
                                 {"re2", "BSD-3-Clause"},
                                 {"unistring", "LGPL-3.0-or-later OR GPL-2.0-or-later"},
                                 {"utf8proc", "MIT"},
                                 {"yaml", "MIT"},
                                 {"zlib", "Zlib"},
                                 {"zstd", "BSD-3-Clause OR GPL-2.0-only"}};

// A component of the list of what is in the program, by CycloneDX's rules.
data::Value part(std::string_view type, const std::string& name, const std::string& version, std::string_view terms) {
  std::string address = std::string("pkg:generic/") + name + (version.empty() ? "" : "@" + version);
  data::Value entry = data::map({{"type", data::text(std::string(type))}, {"bom-ref", data::text(address)}, {"name", data::text(name)}});
  if (!version.empty()) data::set(entry, "version", data::text(version));
  if (!terms.empty()) {
    data::Value license = data::map({{"expression", data::text(std::string(terms))}});
    data::set(entry, "licenses", data::list({std::move(license)}));
  }
  data::set(entry, "purl", data::text(address));
  return entry;
}

// What the program is made of, as CycloneDX writes it. It has no time and no number of its own: the same program says the same.
data::Value bill_of_materials() {
  data::List parts;
  data::List used;
  auto add = [&](data::Value entry) {
    used.push_back(*entry.find("bom-ref"));
    parts.push_back(std::move(entry));
  };
  data::Value known_libraries = libraries();
  for (const data::Value& library : known_libraries.as_list()) {
    const std::string& name = library.find("name")->as_string();
    const data::Value* version = library.find("version");
    auto license = std::ranges::find(kLicenses, name, &License::library);
    add(part("library", name, version != nullptr ? version->as_string() : "",
             license != std::end(kLicenses) ? license->terms : std::string_view()));
  }
  for (const builtin::CatalogModule& known : builtin::catalog_modules()) {
    std::string path(known.path.substr(0, known.path.find('@')));
    add(part("data", path, std::string(builtin::catalog_version()), "Apache-2.0"));
  }
  data::Value program = part("application", "opm", OPM_VERSION, "Apache-2.0");
  data::Value needs = data::map({{"ref", *program.find("bom-ref")}, {"dependsOn", data::list(std::move(used))}});
  if (*kBuildCommit != '\0') {
    data::Value commit = data::map({{"name", data::text("opm:commit")}, {"value", data::text(kBuildCommit)}});
    data::set(program, "properties", data::list({std::move(commit)}));
  }
  return data::map({{"bomFormat", data::text("CycloneDX")},
                    {"specVersion", data::text("1.5")},
                    {"version", data::integer(1)},
                    {"metadata", data::map({{"component", std::move(program)}})},
                    {"components", data::list(std::move(parts))},
                    {"dependencies", data::list({std::move(needs)})}});
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
  // Editors that start opm in the place of cue look for a line that begins so.
  out.print("opm {}\ncue version {}; modules may state {} or later\n\nbuilt-in modules\n", OPM_VERSION, kNewestLanguage, kOldestLanguage);
  for (const builtin::CatalogModule& known : builtin::catalog_modules()) out.print("  {:<34} {}\n", known.path, version);
}

}  // namespace

void add_version_command(CommandLine& line, Session& session) {
  auto format = std::make_shared<std::string>("text");
  auto json = std::make_shared<bool>(false);
  auto bill = std::make_shared<bool>(false);
  line.root()
      .add("version", "Print the version of opm and of the modules built into it")
      .choice("-o,--output", *format, {"text", "json"}, "Form of the output")
      .flag("--json", *json, "The same as -o json")
      .flag("--sbom", *bill, "What opm is made of, as a CycloneDX document")
      .run([&session, format, json, bill] {
        if (*bill) {
          session.out.write(data::write_json(bill_of_materials(), {.indent = 2, .final_newline = true}));
          return ExitCode::success;
        }
        print_version(session.out, *json ? "json" : *format);
        return ExitCode::success;
      });
}

}  // namespace opm::cli
