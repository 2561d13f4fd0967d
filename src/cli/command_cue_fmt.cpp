#include "cli/command_cue_fmt.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "cli/cue_errors.h"
#include "cli/cue_flags.h"
#include "cli/standard_input.h"
#include "cli/text_diff.h"
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

class Formatting {
 public:
  Formatting(Session& session, const Options& options) : session_(session), options_(options) {
    std::error_code error;
    directory_ = std::filesystem::current_path(error).string();
  }

  ExitCode run() {
    Diagnostics errors = options_.files ? format_files() : format_packages();
    if (!errors.empty()) {
      print_errors(session_, sources_, std::move(errors), directory_);
      return ExitCode::failure;
    }
    return options_.check && found_change_ ? ExitCode::failure : ExitCode::success;
  }

 private:
  Diagnostics format_packages() {
    cue::load::LoadOptions load;
    load.directory = directory_;
    load.tests = load.tools = load.ignore_build_attributes = load.skip_imports = true;
    load.package = "*";
    if (std::ranges::find(options_.flags.arguments, "-") != options_.flags.arguments.end()) {
      auto text = read_standard_input();
      if (!text) return one_error("read stdin: " + text.error());
      load.standard_input = std::move(*text);
    }
    cue::load::LoadResult result = cue::load::load(options_.flags.arguments, load, sources_);
    if (result.instances.empty()) return result.errors.empty() ? one_error("invalid args") : result.errors;
    for (cue::load::PackageId id : result.instances) {
      const cue::load::Package& package = result.package(id);
      if (!package.errors.empty()) return package.errors;
      for (const cue::load::PackageFile& file : package.files) {
        bool is_own = package.is_command_line || file.path == "-" || base::parent_path(file.path) == package.directory;
        if (!is_own) continue;
        if (Diagnostics errors = format_file(file.path, *file.source, *file.syntax); !errors.empty()) return errors;
      }
    }
    return {};
  }

  // With --files: all CUE files below folders, whatever packages they belong to.
  Diagnostics format_files() {
    std::vector<std::string> arguments = options_.flags.arguments;
    for (const std::string& argument : arguments)
      if (argument.find("...") != std::string::npos) return one_error("cannot use \"...\" in --files mode");
    if (arguments.empty()) arguments.push_back(".");
    for (const std::string& argument : arguments) {
      if (argument == "-") {
        auto text = read_standard_input();
        if (!text) return one_error("read stdin: " + text.error());
        if (Diagnostics errors = parse_and_format("-", std::move(*text)); !errors.empty()) return errors;
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
      return parse_and_format(path, std::move(*text));
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

  Diagnostics parse_and_format(const std::string& path, std::string text) {
    base::Arena arena;
    const diag::Source* source = sources_.add(path, std::move(text));
    if (source == nullptr) return one_error("open " + path + ": too much source text");
    syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
    if (!parsed.errors.empty()) return std::move(parsed.errors);
    return format_file(path, *source, *parsed.file);
  }

  Diagnostics format_file(const std::string& path, const diag::Source& source, const syntax::File& file) {
    syntax::FormatOptions format;
    format.simplify = options_.flags.simplify;
    format.source = &source;
    std::string formatted = syntax::format(file, format);
    if (path == "-" && !options_.diff && !options_.check) session_.out.write(formatted);
    if (formatted == source.text) return {};
    found_change_ = true;
    std::string shown = path == "-" ? path : base::relative_path(directory_, path);
    if (options_.diff) {
      session_.out.print("{}\n", unified_diff(shown + ".orig", source.text, shown, formatted));
    } else if (options_.check) {
      session_.out.print("{}\n", shown);
    } else if (path != "-") {
      return replace(path, shown, formatted);
    }
    return {};
  }

  // What a link points to is written, and the file stays as accessible as it was.
  static Diagnostics replace(const std::string& path, const std::string& shown, const std::string& text) {
    auto target = base::real_file_system().real_path(path);
    std::string real = target ? *target : path;
    std::error_code error;
    std::filesystem::perms permissions = std::filesystem::status(real, error).permissions();
    auto written = base::real_file_writer().write_file(real, text);
    if (!written) return one_error("open " + shown + ": " + written.error().message);
    std::filesystem::permissions(real, permissions, error);
    return {};
  }

  Session& session_;
  const Options& options_;
  std::string directory_;
  diag::SourceMap sources_;
  bool found_change_ = false;
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
