#include "cli/command_release_rollback.h"

#include <algorithm>
#include <memory>

#include "cli/lifecycle.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/release/inventory_store.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  std::string name;
  std::string change;
  RenderFlags render;
  ClusterFlags cluster;
  ApplyFlags apply;
  bool use_local = false;
};

// The change that was asked for, by the beginning of its id, or the one before the newest.
std::expected<release::Change, std::string> find_change(const release::Inventory& inventory, const std::string& id) {
  if (id.empty()) {
    if (inventory.changes.size() < 2) return std::unexpected("the release has no earlier change");
    return inventory.changes[1];
  }
  const release::Change* found = nullptr;
  for (const release::Change& change : inventory.changes) {
    if (!change.id.starts_with(id)) continue;
    if (found != nullptr) return std::unexpected(fmt::format("several changes begin with \"{}\"", id));
    found = &change;
  }
  if (found == nullptr) return std::unexpected(fmt::format("the release has no change \"{}\"", id));
  return *found;
}

// What was recorded is evaluated by itself, so that it is nothing but data.
std::optional<data::Value> read_values(const std::string& text) {
  std::optional<data::Value> values;
  cue::run_on_large_stack([&] {
    auto program = cue::Program::from_text("recorded values", text);
    if (!program->errors().empty() || program->instances().empty() || !program->instances()[0].errors.empty()) return;
    cue::Context context(program);
    if (auto read = context.instance(0).to_data()) values = std::move(*read);
  });
  return values;
}

std::string module_text(const release::ModuleReference& module) {
  return module.version.empty() ? module.path + " (local)" : fmt::format("{} version {}", module.path, module.version);
}

ExitCode fail(Session& session, std::string_view message, ExitCode code = ExitCode::failure,
              std::string_view advice = {}) {
  session.err.print("error: {}\n", message);
  if (!advice.empty()) session.err.print("  help: {}\n", advice);
  return code;
}

// The module at the recorded version, as a registry or the cache has it.
const cue::module::ModuleContent* fetch(const Configured& configured, const release::ModuleReference& module) {
  if (module.version.empty()) return nullptr;
  std::string version = module.version.starts_with('v') ? module.version : "v" + module.version;
  auto content = configured.modules->resolver().fetch({module.path, version});
  return content ? *content : nullptr;
}

ExitCode rollback(Session& session, const Options& options) {
  auto setup = set_up_render(session, options.render);
  if (!setup) return setup.error();
  auto client = connect(session, *setup->configured, options.cluster);
  if (!client) return client.error();
  std::string where = setup->configured->configuration.namespace_name.value;
  if (where.empty()) where = (*client)->connection().name_space;
  if (where.empty()) where = "default";
  auto found = release::find_inventory(**client, {options.name, where, {}});
  if (!found) return report_problems(session, {release::make_problem(found.error())});
  if (!*found)
    return fail(session, fmt::format("release \"{}\" is not in namespace \"{}\"", options.name, where),
                ExitCode::not_found);
  auto change = find_change(**found, options.change);
  if (!change)
    return fail(session, change.error(), ExitCode::not_found,
                fmt::format("\"opm release history {} -n {}\" lists them", options.name, where));

  setup->options.release_name = (*found)->release_name;
  setup->options.namespace_name = where;
  setup->options.keep_values = true;
  setup->options.find_secrets = true;
  setup->options.recorded_values = read_values(change->values);
  if (!setup->options.recorded_values)
    return fail(session, fmt::format("the values of change {} cannot be read", change->id));
  auto render_here = [&] { return render::render(setup->options); };
  render::RenderResult result = render_here();
  bool is_same = result.module_path == change->module.path && result.module.version == change->module.version;
  if (!is_same && options.use_local) {
    session.err.print("note: change {} was made with {}; the module in {} is {}\n", change->id,
                      module_text(change->module), options.render.directory,
                      module_text({result.module_path, result.module.version, {}}));
  }
  if (!is_same && !options.use_local) {
    const cue::module::ModuleContent* content = fetch(*setup->configured, change->module);
    std::string here = result.module_path.empty()
                           ? fmt::format("there is no module in {}", options.render.directory)
                           : fmt::format("the module in {} is {}", options.render.directory,
                                         module_text({result.module_path, result.module.version, {}}));
    std::string difference =
        fmt::format("change {} was made with {}; {}", change->id, module_text(change->module), here);
    if (content == nullptr) {
      return fail(session, difference, ExitCode::not_found,
                  "check out that version, name the registry that has it with --registry, or take the local module "
                  "with --use-local");
    }
    session.err.print("note: {}, so the module is taken from the registry\n", difference);
    setup->options.files = content->files;
    setup->options.module_directory = content->root;
    result = render_here();
  }
  ReportOptions report{setup->options.working_directory, options.render.verbose, options.render.timings};
  if (ExitCode code = report_render(session, result, report); code != ExitCode::success) return code;
  if (result.release.identity != (*found)->release_id)
    return fail(session, fmt::format("the module makes another release: {} rather than {}", result.release.identity,
                                     (*found)->release_id));
  if (release::manifest_digest(result.resources) != change->manifest_digest)
    session.err.print("warning: the module is not what it was: it renders something else than change {} applied\n",
                      change->id);
  result.program.reset();
  return apply_rendered(session, {*setup->configured, **client}, std::move(result), options.apply);
}

}  // namespace

void add_release_rollback_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("rollback", "Apply an earlier change of a release again");
  command.argument("NAME", options->name, "The release");
  command.optional_argument("CHANGE", options->change, "Which change; by default the one before the newest");
  command.option("--module", options->render.directory, "DIR", "The folder of the module, if it is not here");
  command.flag("--use-local", options->use_local,
               "Take the values only, with the module in the folder whatever its version");
  declare_apply_flags(command, options->apply);
  command.option("-n,--namespace", options->render.config.values.namespace_name, "NAMESPACE",
                 "Namespace of the release; by default that of the context");
  command.option("--provider", options->render.provider, "NAME", "Which of the configured providers renders");
  declare_config_flags(command, options->render.config);
  declare_cluster_flags(command, options->render.config, options->cluster);
  command.run([&session, options] { return rollback(session, *options); });
}

}  // namespace opm::cli
