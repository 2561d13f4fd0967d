#include "cli/command_mod_publish.h"

#include <memory>
#include <optional>

#include "base/file_system.h"
#include "base/path.h"
#include "cli/configure.h"
#include "cli/cue_errors.h"
#include "cli/git_repository.h"
#include "cli/module_folder.h"
#include "cue/load/tidy.h"
#include "cue/module/module_folder.h"
#include "cue/module/version.h"
#include "data/build.h"
#include "data/json.h"
#include "oci/module_registry.h"

namespace opm::cli {
namespace {

namespace module = cue::module;

// Modules written for older versions of the language need not say what they are made of.
constexpr std::string_view kSourceNeededSince = "v0.9.0-alpha.2";

struct Options {
  ConfigFlags flags;
  ModFace face = ModFace::opm;
  std::string version;
  bool dry_run = false;
  bool json = false;
};

class Publishing {
 public:
  Publishing(Session& session, const Options& options, Configured& configured)
      : session_(session), options_(options), configured_(configured) {}

  ExitCode run() {
    auto current = open_current_module(session_, configured_.working_directory, sources_,
                                       {.strictness = module::Strictness::strict});
    if (!current) return current.error();
    if (auto problem = check_version(current->file)) return fail(*problem);
    if (auto code = check_tidy(*current)) return *code;
    if (base::real_file_system().status(base::join_path(current->root, "cue.mod/local-module.cue")))
      session_.err.write("note: cue.mod/local-module.cue is not published; it only affects local development\n");
    oci::Publication publication;
    publication.module = {current->file.path, options_.version};
    if (auto problem = pack(*current, publication)) return fail(*problem);

    oci::ModuleRegistry* registry = configured_.modules->registry();
    auto location = registry != nullptr ? registry->map().locate(publication.module.base_path(), options_.version)
                                        : std::nullopt;
    if (!location) {
      session_.err.print("no registry is set for module {}; set one with --registry or OPM_REGISTRY\n",
                         publication.module.base_path());
      return ExitCode::not_found;
    }
    if (options_.json) {
      data::Value files = data::list();
      for (const std::string& path : files_) files.as_list().push_back(data::text(path));
      data::Value report = data::map({{"version", data::text(publication.module.text())},
                                      {"ref", data::text(location->text())},
                                      {"files", std::move(files)}});
      session_.out.write(data::write_json(report, {.indent = 4, .final_newline = true}));
      return ExitCode::success;
    }
    if (options_.dry_run) {
      session_.out.print("dry-run published {} to {}\n", publication.module.text(), location->text());
      return ExitCode::success;
    }
    // Whoever has the version in a cache would never see a change of it.
    auto there = registry->published_digest(publication.module);
    if (!there) return print_module_error(session_, there.error());
    if (*there && **there != oci::digest_of(oci::write_manifest(publication)))
      return fail(location->text() + " is already published with other content; a version never changes, publish another");
    if (!*there) {
      auto published = registry->publish(publication);
      if (!published) return print_module_error(session_, published.error());
    }
    session_.out.print("published {} to {}\n", publication.module.text(), location->text());
    return ExitCode::success;
  }

 private:
  ExitCode fail(const std::string& message) {
    session_.err.print("{}\n", message);
    return ExitCode::invalid;
  }

  std::optional<std::string> check_version(const module::ModuleFile& file) const {
    const std::string& version = options_.version;
    if (!module::is_version(version))
      return "invalid publish version \"" + version + "\"; must be valid semantic version (see http://semver.org)";
    if (module::canonical_version(version) != version)
      return "publish version \"" + version + "\" is not in canonical form; say " + module::canonical_version(version);
    std::string major(file.major_version());
    if (module::major_version(version) != major)
      return "publish version \"" + version + "\" does not match the major version \"" + major +
             "\" declared in cue.mod/module.cue; must be " + major + ".N.N";
    if (file.source_kind.empty() && module::compare_versions(file.language_version, kSourceNeededSince) >= 0)
      return "no source field found in cue.mod/module.cue; add source: kind: \"self\" to publish all files of the "
             "folder, or \"git\" for those that are committed";
    return std::nullopt;
  }

  std::optional<ExitCode> check_tidy(const CurrentModule& current) {
    cue::load::LoadOptions load;
    load.directory = current.root;
    load.comments = false;
    auto result = cue::load::tidy(cue::load::TidyMode::check, load, configured_.modules->sources(), sources_);
    if (!result)
      return report_module_errors(session_, options_.face, sources_, std::move(result.error()),
                                  configured_.working_directory);
    if (!result->published_changed()) return std::nullopt;
    if (options_.face == ModFace::cue)
      return report_module_errors(session_, options_.face, sources_, one_error("module is not tidy"), {});
    session_.err.write("cue.mod/module.cue is not tidy; \"opm mod tidy\" would change:\n");
    for (const std::string& change : describe_changes(result->before, result->after))
      session_.err.print("  {}\n", change);
    return ExitCode::invalid;
  }

  // Fills the publication; says what is wrong, or nothing.
  std::optional<std::string> pack(const CurrentModule& current, oci::Publication& publication) {
    const base::FileSystem& files = base::real_file_system();
    std::expected<std::vector<std::string>, std::string> paths;
    std::string license_path;
    if (current.file.source_kind == "git") {
      auto repository = read_git_repository(current.root);
      if (!repository) return repository.error();
      paths = module::select_module_files(std::move(repository->files));
      license_path = repository->license_path;
      publication.annotations = {{"org.cuelang.vcs-type", "git"},
                                 {"org.cuelang.vcs-commit", repository->commit},
                                 {"org.cuelang.vcs-commit-time", repository->commit_time}};
    } else {
      paths = module::list_module_files(files, current.root);
    }
    if (!paths) return paths.error();
    auto content = module::read_module_files(files, current.root, *paths);
    if (!content) return content.error();
    if (!license_path.empty()) {
      auto license = files.read_file(license_path, module::ArchiveLimits{}.max_license_bytes);
      if (!license) return license_path + ": " + license.error().message;
      content->push_back({"LICENSE", std::move(*license)});
    }
    for (const module::ArchiveFile& file : *content) files_.push_back(file.path);
    for (const module::ArchiveFile& file : *content)
      if (file.path == "cue.mod/module.cue") publication.module_file = file.content;
    publication.archive = module::write_archive(*content);
    if (publication.archive.size() > module::ArchiveLimits{}.max_archive_bytes) return "the module is too large to publish";
    return std::nullopt;
  }

  Session& session_;
  const Options& options_;
  Configured& configured_;
  diag::SourceMap sources_;
  std::vector<std::string> files_;  // that are published
};

}  // namespace

void add_mod_publish_command(const Command& group, Session& session, ModFace face) {
  auto options = std::make_shared<Options>();
  options->face = face;
  Command command = group.add("publish", "Publish this module at a version, to the registry that is set for it");
  command.argument("VERSION", options->version, "The version, such as v1.2.3")
      .flag("--dry-run", options->dry_run, "Check everything and publish nothing")
      .flag("--json", options->json, "Tell what would be published, as JSON, and publish nothing");
  declare_config_flags(command, options->flags);
  command.run([&session, options] {
    auto configured = configure(session, options->flags);
    if (!configured) return configured.error();
    return Publishing(session, *options, *configured).run();
  });
}

}  // namespace opm::cli
