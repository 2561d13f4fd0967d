#include "cli/watch.h"

#include <algorithm>
#include <set>

#include "base/folder_watch.h"
#include "base/path.h"
#include "opm/render/package_folder.h"

namespace opm::cli {

namespace {

// Shorter than anybody notices, longer than it takes a program to write the second of two files.
constexpr std::chrono::milliseconds kQuiet{4};

struct Watched {
  std::set<std::string> trees;
  std::set<std::string> folders;
  std::set<std::string> files;  // in those folders; others there are of no interest
};

Watched watched_files(const RenderFlags& flags, const std::string& here) {
  Watched watched;
  std::string folder = absolute_path(here, flags.directory);
  std::string root = render::module_root(base::real_file_system(), folder);
  watched.trees.insert(root.empty() ? folder : root);
  auto add_file = [&](const std::string& file) {
    std::string path = absolute_path(here, file);
    watched.files.insert(path);
    watched.folders.insert(base::parent_path(path));
  };
  for (const std::vector<std::string>* files : {&flags.values, &flags.platform, &flags.user}) {
    for (const std::string& file : *files) add_file(file);
  }
  std::string configuration =
      flags.config.values.config ? absolute_path(here, *flags.config.values.config) : config::default_folder(base::real_environment());
  if (!configuration.empty()) {
    std::string file = configuration.ends_with(".cue") ? configuration : base::join_path(configuration, "config.cue");
    add_file(file);
  }
  return watched;
}

// Programs that write a file beside the one that it replaces leave a name behind that says nothing.
void forget_passing_files(const std::string& here, std::vector<std::string>& changed) {
  auto is_passing = [&](const std::string& file) {
    bool is_source = file.ends_with(".cue") || file.ends_with(".yaml") || file.ends_with(".yml") || file.ends_with(".json");
    return !is_source && !base::real_file_system().status(absolute_path(here, file));
  };
  if (!std::ranges::all_of(changed, is_passing)) std::erase_if(changed, is_passing);
}

bool is_of_interest(const Watched& watched, const std::string& path) {
  if (watched.files.contains(path)) return true;
  return std::ranges::any_of(watched.trees, [&](const std::string& tree) { return base::is_within(path, tree) || base::is_within(tree, path); });
}

}  // namespace

ExitCode watch_module(Session& session, const RenderFlags& flags,
                      const std::function<void(const std::vector<std::string>& changed)>& round) {
  auto refuse = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return ExitCode::failure;
  };
  auto is_standard_input = [](const std::string& file) { return file == "-" || file.ends_with(":-"); };
  if (std::ranges::any_of(flags.values, is_standard_input)) return refuse("standard input cannot be watched");
  std::string here = current_directory();
  if (here.empty()) return refuse("the working folder is gone");
  auto watch = base::FolderWatch::open();
  if (!watch) return refuse("files cannot be watched: " + watch.error());
  std::vector<std::string> changed;
  bool warned = false;
  for (;;) {
    // Before the round, so that what changes meanwhile is not missed; and each time, because folders come and go.
    Watched watched = watched_files(flags, here);
    for (const std::string& tree : watched.trees) watch->add_tree(tree);
    for (const std::string& folder : watched.folders) watch->add_folder(folder);
    if (watch->is_incomplete() && !std::exchange(warned, true))
      session.err.write("warning: there are more folders than can be watched; changes in some are not seen\n");
    round(changed);
    session.err.flush();
    if (!session.out.flush()) return ExitCode::success;
    changed.clear();
    while (changed.empty()) {
      for (const std::string& path : watch->wait(kQuiet)) {
        if (is_of_interest(watched, path)) changed.push_back(base::relative_path(here, path));
      }
    }
    forget_passing_files(here, changed);
  }
}

}  // namespace opm::cli
