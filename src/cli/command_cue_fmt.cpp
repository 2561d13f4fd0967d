#include "cli/command_cue_fmt.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "base/text_diff.h"
#include "base/thread_pool.h"
#include "cli/cue_errors.h"
#include "cli/cue_flags.h"
#include "cli/standard_input.h"
#include "cue/load/load.h"
#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"

namespace opm::cli {

namespace {

using cue::Diagnostics;
namespace syntax = cue::syntax;

struct Options {
  CueFlags flags;
  bool check = false;
  bool diff = false;
  bool files = false;
};

// One file on its way through: what it is to be, and what is to be said about it.
struct Work {
  std::string path;  // "-": standard input
  const diag::Source* source = nullptr;
  const syntax::File* syntax = nullptr;  // nullptr: not parsed yet
  std::unique_ptr<base::Arena> arena;    // of the tree, if it was parsed here
  std::string output;
  Diagnostics errors;
};

// Files are laid out and written many at a time; what is said about them comes in their order.
class Formatting {
 public:
  Formatting(Session& session, const Options& options) : session_(session), options_(options) {
    std::error_code error;
    directory_ = std::filesystem::current_path(error).string();
  }

  ExitCode run() {
    Diagnostics errors = options_.files ? gather_files() : gather_packages();
    format_all();
    for (Work& work : works_) {
      session_.out.write(work.output);
      if (!work.errors.empty()) {
        errors = std::move(work.errors);
        break;
      }
    }
    if (!errors.empty()) {
      print_errors(session_, sources_, std::move(errors), directory_, options_.flags.errors);
      return ExitCode::failure;
    }
    return options_.check && found_change_ ? ExitCode::failure : ExitCode::success;
  }

 private:
  // What goes wrong ends the list: files before it are still formatted.
  Diagnostics gather_packages() {
    cue::load::LoadOptions load;
    load.directory = directory_;
    load.tests = load.tools = load.ignore_build_attributes = load.skip_imports = true;
    load.package = "*";
    if (std::ranges::find(options_.flags.arguments, "-") != options_.flags.arguments.end()) {
      auto text = read_standard_input();
      if (!text) return one_error("read stdin: " + text.error());
      load.standard_input = std::move(*text);
    }
    loaded_ = cue::load::load(options_.flags.arguments, load, sources_);
    if (loaded_.instances.empty()) return loaded_.errors.empty() ? one_error("invalid args") : loaded_.errors;
    for (cue::load::PackageId id : loaded_.instances) {
      const cue::load::Package& package = loaded_.package(id);
      if (!package.errors.empty()) return package.errors;
      for (const cue::load::PackageFile& file : package.files) {
        bool is_own = package.is_command_line || file.path == "-" || base::parent_path(file.path) == package.directory;
        if (is_own) add(file.path, file.source, file.syntax);
      }
    }
    return {};
  }

  // With --files: all CUE files below folders, whatever packages they belong to.
  Diagnostics gather_files() {
    std::vector<std::string> arguments = options_.flags.arguments;
    for (const std::string& argument : arguments)
      if (argument.find("...") != std::string::npos) return one_error("cannot use \"...\" in --files mode");
    if (arguments.empty()) arguments.push_back(".");
    for (const std::string& argument : arguments) {
      if (argument == "-") {
        auto text = read_standard_input();
        if (!text) return one_error("read stdin: " + text.error());
        if (Diagnostics errors = add_text("-", std::move(*text)); !errors.empty()) return errors;
        continue;
      }
      std::string path = base::is_absolute_path(argument) ? base::clean_path(argument)
                                                          : base::join_path(directory_, argument);
      auto status = base::real_file_system().status(path);
      if (!status) return one_error("lstat " + base::clean_path(argument) + ": " + status.error().message);
      if (Diagnostics errors = walk(path, status->kind); !errors.empty()) return errors;
    }
    return {};
  }

  Diagnostics walk(const std::string& path, base::FileKind kind) {
    if (kind == base::FileKind::symbolic_link) {
      // A link to a folder is left alone, so that there are no loops.
      auto status = base::real_file_system().status(path);
      if (!status || status->kind == base::FileKind::directory) return {};
    }
    if (kind != base::FileKind::directory) {
      if (!path.ends_with(".cue")) return {};
      auto text = base::real_file_system().read_file(path);
      if (!text) return one_error("open " + base::relative_path(directory_, path) + ": " + text.error().message);
      return add_text(path, std::move(*text));
    }
    auto entries = base::real_file_system().list_directory(path);
    if (!entries) return one_error("open " + base::relative_path(directory_, path) + ": " + entries.error().message);
    for (const base::DirectoryEntry& entry : *entries) {
      bool is_left_out = entry.kind == base::FileKind::directory &&
                         (entry.name == "cue.mod" || entry.name.starts_with('.') || entry.name.starts_with('_'));
      if (is_left_out) continue;
      if (Diagnostics errors = walk(base::join_path(path, entry.name), entry.kind); !errors.empty()) return errors;
    }
    return {};
  }

  Diagnostics add_text(const std::string& path, std::string text) {
    const diag::Source* source = sources_.add(path, std::move(text));
    if (source == nullptr) return one_error("open " + path + ": too much source text");
    add(path, source, nullptr);
    return {};
  }

  void add(std::string path, const diag::Source* source, const syntax::File* tree) {
    Work& work = works_.emplace_back();
    work.path = std::move(path);
    work.source = source;
    work.syntax = tree;
  }

  void format_all() {
    std::size_t bytes = 0;
    for (const Work& work : works_) bytes += work.source->text.size();
    // A thread has to be worth its start.
    base::ThreadPool pool(bytes < kBytesWorthAThread ? 1 : 0);
    // The largest first: what is left at the end is then spread evenly.
    std::vector<Work*> order;
    for (Work& work : works_) order.push_back(&work);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const Work* work) { return work->source->text.size(); });
    auto done = pool.parallel_for(order.size(), [&](std::size_t index) { format(*order[index]); });
    if (!done) order[done.error().index]->errors = one_error(done.error().message);
  }

  void format(Work& work) {
    if (work.syntax == nullptr) {
      work.arena = std::make_unique<base::Arena>();
      syntax::ParsedFile parsed = syntax::parse_file(*work.arena, *work.source);
      work.syntax = parsed.file;
      work.errors = std::move(parsed.errors);
      if (!work.errors.empty()) return;
    }
    syntax::FormatOptions format;
    format.simplify = options_.flags.simplify;
    format.source = work.source;
    std::string formatted = syntax::format(*work.syntax, format);
    if (work.path == "-" && !options_.diff && !options_.check) work.output = formatted;
    if (formatted == work.source->text) return;
    found_change_ = true;
    std::string shown = work.path == "-" ? work.path : base::relative_path(directory_, work.path);
    if (options_.diff) {
      work.output = base::unified_diff(shown + ".orig", work.source->text, shown, formatted) + "\n";
    } else if (options_.check) {
      work.output = shown + "\n";
    } else if (work.path != "-") {
      auto written = base::real_file_writer().rewrite_file(work.path, formatted);
      if (!written) work.errors = one_error("open " + shown + ": " + written.error().message);
    }
  }

  static constexpr std::size_t kBytesWorthAThread = 64 * 1024;

  Session& session_;
  const Options& options_;
  std::string directory_;
  diag::SourceMap sources_;
  cue::load::LoadResult loaded_;  // owns the trees
  std::vector<Work> works_;
  std::atomic<bool> found_change_ = false;
};

}  // namespace

void add_cue_fmt_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("fmt", "Format CUE files in place");
  command.flag("--check", options->check, "Exit with an error if a file is not formatted")
      .flag("-d,--diff", options->diff, "Print differences instead of rewriting files")
      .flag("--files", options->files, "Take arguments as folders and files rather than packages");
  declare_global_flags(command, options->flags);
  command.arguments("inputs", options->flags.arguments, "Packages, files, or - for standard input");
  command.run([&session, options] { return Formatting(session, *options).run(); });
}

}  // namespace opm::cli
