#include "cli/command_cue_fmt.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/arena.h"
#include "base/arena_file.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/large_run.h"
#include "base/path.h"
#include "base/text_diff.h"
#include "base/thread_pool.h"
#include "cli/cue_errors.h"
#include "cli/cue_experiments.h"
#include "cli/cue_flags.h"
#include "cli/standard_input.h"
#include "cue/load/load.h"
#include "cue/load/workspace.h"
#include "cue/syntax/format.h"
#include "cue/syntax/format_parts.h"
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
  // "-": standard input. A relative one stays as it is: the kernel then has fewer folders to walk.
  std::string path;
  const diag::Source* source = nullptr;  // nullptr: not read yet
  const syntax::File* syntax = nullptr;  // nullptr: not parsed yet
  std::optional<std::string_view> formatted;  // if that is not what it was
  std::string output;
  Diagnostics errors;
};

// What a file needs while it is laid out. The next file goes to the same memory: to touch fresh memory for each of many
// files takes longer than to parse them.
struct Desk {
  diag::Source source;
  base::Arena arena;
  base::Arena kept;  // texts, until all files are written
};

// A file that was named, before it is laid out.
struct Reading {
  base::OpenedFile file;
  std::optional<std::span<char>> text;  // nothing: not read yet
  std::vector<std::span<char>> parts;   // if it is so long that others would have to wait for the thread that has it
};

// What one thread does at a time: a file, or a part of one.
struct Piece {
  std::size_t file = 0;
  std::span<char> text;  // of a part
  bool is_last = true;   // of the parts of its file
  std::optional<std::string_view> formatted;
  bool is_changed = false;
};

// A file that was laid out in parts.
struct PartedFile {
  std::size_t file = 0;
  std::span<const Piece> parts;
};

// Files are laid out and written many at a time; what is said about them comes in their order.
class Formatting {
 public:
  Formatting(Session& session, const Options& options) : session_(session), options_(options) {
    std::error_code error;
    directory_ = std::filesystem::current_path(error).string();
  }

  ExitCode run() {
    Diagnostics errors;
    if (auto wrong = wrong_experiment(base::real_environment()))
      return print_errors(session_, sources_, one_error(std::move(*wrong)), directory_, options_.flags.errors);
    if (!lay_out_named_files()) {
      errors = options_.files ? gather_files() : gather_packages();
      format_all();
    }
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
  // Files named as arguments need none of what makes packages of files: each is read, parsed and laid out in one go,
  // while the processor still has it at hand. They are written when all of them are known to be in order. False:
  // they are not, or it takes a loader to know, and nothing was done.
  bool lay_out_named_files() {
    const std::vector<std::string>& names = options_.flags.arguments;
    auto is_plain = [](const std::string& name) {
      return name.ends_with(".cue") && name.find(':') == name.npos && name.find("...") == name.npos;
    };
    if (options_.files || names.empty() || !std::ranges::all_of(names, is_plain)) return false;
    works_.resize(names.size());
    // Very many of them are read when it is their turn, so that not all are in memory at once.
    std::vector<Reading> readings(names.size() <= kFilesToReadAhead ? names.size() : 0);
    if (names.size() >= kFilesWorthAThread) {
      start_pool(true, readings.size(), [&](std::size_t file) { readings[file].file = base::OpenedFile(names[file]); });
    }
    if (!read_ahead(names, readings)) return give_up();
    std::vector<Piece> pieces = cut(readings, names.size());
    std::atomic<bool> all_well = true;
    auto done = pool_->parallel_for(pieces.size(), [&](std::size_t index) {
      Piece& piece = pieces[index];
      if (!piece.text.empty()) {
        lay_out_part(piece);
      } else if (all_well && !lay_out_named_file(names[piece.file], reading_of(piece.file, readings), works_[piece.file])) {
        all_well = false;
      }
    });
    std::vector<PartedFile> parted;
    if (!done || !all_well || !find_parts(names, readings, pieces, parted)) return give_up();
    std::vector<Work*> changed;
    for (Work& work : works_) {
      if (work.formatted) changed.push_back(&work);
    }
    // Files in parts, which are the longest, come first.
    std::size_t count = parted.size() + changed.size();
    done = pool_->parallel_for_at_last(count, [&](std::size_t index) {
      if (index < parted.size()) deliver(parted[index], view(*readings[parted[index].file].text));
      else deliver(*changed[index - parted.size()]);
    });
    if (!done) {
      std::size_t index = done.error().index;
      Work& work = index < parted.size() ? works_[parted[index].file] : *changed[index - parted.size()];
      work.errors = one_error(done.error().message);
    }
    bool has_errors = std::ranges::any_of(works_, [](const Work& work) { return !work.errors.empty(); });
    if (options_.check || options_.diff || has_errors) sort_as_package();
    return true;
  }

  bool give_up() {
    works_.clear();
    return false;
  }

  std::string absolute(const std::string& name) const {
    return base::is_absolute_path(name) ? base::clean_path(name) : base::join_path(directory_, name);
  }

  // Whether there is a module is found while files are read. False: it is not in order, or a file cannot be read.
  bool read_ahead(const std::vector<std::string>& names, std::vector<Reading>& readings) {
    std::atomic<bool> all_well = true;
    auto prepare = [&](std::size_t index) {
      if (!(index == 0 ? has_module_in_order() : read(names[index - 1], readings[index - 1]))) all_well = false;
    };
    std::size_t count = readings.size() + 1;
    if (pool_) return pool_->parallel_for(count, prepare) && all_well;
    for (std::size_t index = 0; index < count; ++index) prepare(index);
    return all_well;
  }

  bool has_module_in_order() const {
    cue::load::LoadOptions load;
    load.directory = directory_;
    diag::SourceMap sources;
    std::vector<std::unique_ptr<base::Arena>> arenas;
    return cue::load::Workspace(load, base::real_file_system(), sources, arenas).open_module().has_value();
  }

  bool read(const std::string& name, Reading& reading) {
    std::unique_ptr<Desk> desk = borrow_desk();
    auto text = base::read_file(name, desk->kept, std::move(reading.file));
    return_desk(std::move(desk));
    if (!text) return false;
    reading.text = *text;
    if (text->size() >= kBytesWorthCutting && !options_.flags.simplify) {
      for (std::string_view part : syntax::parts_to_format(view(*text), kBytesOfAPart)) {
        reading.parts.push_back(text->subspan(static_cast<std::size_t>(part.data() - text->data()), part.size()));
      }
    }
    return true;
  }

  static const Reading& reading_of(std::size_t file, const std::vector<Reading>& readings) {
    static const Reading none;
    return readings.empty() ? none : readings[file];
  }

  static std::string_view view(std::span<const char> text) { return {text.data(), text.size()}; }

  // The pieces in the order in which they are best laid out, the largest first: what is left at the end is then spread
  // evenly. Starts the threads if that is still to be done.
  std::vector<Piece> cut(const std::vector<Reading>& readings, std::size_t count) {
    std::vector<Piece> pieces;
    pieces.reserve(count);
    if (readings.empty()) {
      for (std::size_t file = 0; file < count; ++file) pieces.push_back({.file = file});
      return pieces;
    }
    std::vector<std::size_t> order(readings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto size = [&](std::size_t file) { return readings[file].text ? readings[file].text->size() : 0; };
    std::ranges::stable_sort(order, std::ranges::greater(), size);
    std::size_t bytes = 0;
    for (std::size_t file : order) bytes += size(file);
    bool is_divisible = readings.size() > 1 || readings.front().parts.size() > 1;
    start_pool(is_divisible && bytes >= kBytesWorthAThread);
    for (std::size_t file : order) {
      const std::vector<std::span<char>>& parts = readings[file].parts;
      if (parts.size() > 1 && pool_->size() > 1) {
        for (std::span<char> part : parts) pieces.push_back({.file = file, .text = part, .is_last = false});
        pieces.back().is_last = true;
      } else {
        pieces.push_back({.file = file});
      }
    }
    return pieces;
  }

  // A file that is cut at the wrong place is laid out whole; false: that cannot be done either.
  bool find_parts(const std::vector<std::string>& names, std::vector<Reading>& readings, std::span<const Piece> pieces,
                  std::vector<PartedFile>& parted) {
    for (auto begin = pieces.begin(); begin != pieces.end();) {
      std::size_t file = begin->file;
      auto end = std::find_if(begin, pieces.end(), [&](const Piece& piece) { return piece.file != file; });
      if (begin->text.empty()) {
        // Laid out already.
      } else if (std::all_of(begin, end, [](const Piece& piece) { return piece.formatted.has_value(); })) {
        works_[file].path = names[file];
        parted.push_back({file, std::span(begin, end)});
      } else {
        readings[file].text.reset();  // parts of it may have been laid out where they stood
        if (!lay_out_named_file(names[file], readings[file], works_[file])) return false;
      }
      begin = end;
    }
    return true;
  }

  // Parts are written as they are; only to show what changed they are put together.
  void deliver(const PartedFile& file, std::string_view text) {
    Work& work = works_[file.file];
    std::vector<std::string_view> parts;
    bool is_changed = false;
    for (const Piece& part : file.parts) {
      if (!parts.empty()) parts.push_back("\n");
      parts.push_back(*part.formatted);
      is_changed = is_changed || part.is_changed;
    }
    if (!is_changed) return;
    if (options_.diff || options_.check) {
      std::string formatted;
      for (std::string_view part : parts) formatted += part;
      note_change(work, text, formatted);
      work.formatted = "";  // only shown
      deliver(work);
    } else {
      found_change_ = true;
      note(work, base::real_file_writer().rewrite_file(work.path, parts));
    }
  }

  // It stays without a layout if it cannot be parsed, or if it takes a loader.
  void lay_out_part(Piece& piece) {
    std::unique_ptr<Desk> desk = borrow_desk();
    desk->source.text = view(piece.text);
    desk->source.begin = diag::Position{1};
    syntax::ParsedFile parsed = syntax::parse_file(desk->arena, desk->source);
    if (parsed.errors.empty() && !parsed.has_loader_attributes) {
      std::string formatted = syntax::format(*parsed.file, format_options(desk->source));
      // An empty line parts it from the next one.
      std::string_view text = view(piece.text);
      bool is_same = piece.is_last ? text == formatted : text.ends_with('\n') && text.substr(0, text.size() - 1) == formatted;
      piece.is_changed = !is_same;
      piece.formatted = is_same ? text.substr(0, formatted.size()) : keep(formatted, piece.text, *desk);
    }
    return_desk(std::move(desk));
  }

  // Where the text that it takes the place of is no longer needed, it goes there: memory that nobody had yet takes time.
  std::string_view keep(std::string_view formatted, std::span<char> place, Desk& desk) const {
    if (formatted.size() > place.size() || options_.diff || options_.check) return desk.kept.copy_text(formatted);
    std::memcpy(place.data(), formatted.data(), formatted.size());
    return view(place.first(formatted.size()));
  }

  syntax::FormatOptions format_options(const diag::Source& source) const {
    syntax::FormatOptions format;
    format.simplify = options_.flags.simplify;
    format.source = &source;
    return format;
  }

  // What is said about files comes in the order that the files of a package have.
  void sort_as_package() {
    std::ranges::stable_sort(works_, {}, [this](const Work& work) {
      std::string path = absolute(work.path);
      return std::pair(std::ranges::count(path, '/'), path);
    });
  }

  bool lay_out_named_file(const std::string& name, const Reading& reading, Work& work) {
    std::unique_ptr<Desk> desk = borrow_desk();
    bool is_well = take_text(name, reading, *desk);
    if (is_well) {
      desk->source.begin = diag::Position{1};
      syntax::ParsedFile parsed = syntax::parse_file(desk->arena, desk->source);
      is_well = parsed.errors.empty() && !parsed.has_loader_attributes;
      if (is_well) {
        work.path = name;
        work.source = &desk->source;
        work.syntax = parsed.file;
        lay_out(work, *desk, reading.text.value_or(std::span<char>()));
        work.source = nullptr;
        work.syntax = nullptr;
      }
    }
    return_desk(std::move(desk));
    return is_well;
  }

  static bool take_text(const std::string& name, const Reading& reading, Desk& desk) {
    std::optional<std::span<char>> text = reading.text;
    if (!text) {
      auto content = base::read_file(name, desk.arena);
      if (!content) return false;
      text = *content;
    }
    desk.source.text = view(*text);
    return true;
  }

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
      std::string path = absolute(argument);
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
    base::ThreadPool& pool = start_pool(bytes >= kBytesWorthAThread);
    // The largest first: what is left at the end is then spread evenly.
    std::vector<Work*> order;
    for (Work& work : works_) order.push_back(&work);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const Work* work) { return work->source->text.size(); });
    auto done = pool.parallel_for(order.size(), [&](std::size_t index) {
      std::unique_ptr<Desk> desk = borrow_desk();
      if (lay_out(*order[index], *desk)) deliver(*order[index]);
      return_desk(std::move(desk));
    });
    if (!done) order[done.error().index]->errors = one_error(done.error().message);
  }

  // A thread has to be worth its start. While one of them has a huge page cleared for all, the others do the jobs, which
  // must not take memory.
  base::ThreadPool& start_pool(bool is_worth_it, std::size_t jobs = 0, const std::function<void(std::size_t)>& job = {}) {
    if (pool_) return *pool_;
    if (is_worth_it) base::share_heap();
    pool_ = std::make_unique<base::ThreadPool>(is_worth_it ? 0 : 1);
    if (!is_worth_it) return *pool_;
    // A job that fails is one that is left to be done.
    std::ignore = pool_->parallel_for(jobs + 1, [&](std::size_t index) {
      if (index == 0) base::expect_large_run();
      else job(index - 1);
    });
    return *pool_;
  }

  std::unique_ptr<Desk> borrow_desk() {
    std::lock_guard lock(desks_mutex_);
    if (desks_.empty()) return std::make_unique<Desk>();
    std::unique_ptr<Desk> desk = std::move(desks_.back());
    desks_.pop_back();
    return desk;
  }

  void return_desk(std::unique_ptr<Desk> desk) {
    desk->arena.reset();
    std::lock_guard lock(desks_mutex_);
    desks_.push_back(std::move(desk));
  }

  // False: it cannot be parsed. `place`: where the layout may go.
  bool lay_out(Work& work, Desk& desk, std::span<char> place = {}) {
    if (work.syntax == nullptr) {
      syntax::ParsedFile parsed = syntax::parse_file(desk.arena, *work.source);
      work.syntax = parsed.file;
      work.errors = std::move(parsed.errors);
      if (!work.errors.empty()) return false;
    }
    std::string formatted = syntax::format(*work.syntax, format_options(*work.source));
    if (work.path == "-" && !options_.diff && !options_.check) work.output = formatted;
    if (formatted == work.source->text) return true;
    note_change(work, work.source->text, formatted);
    work.formatted = keep(formatted, place, desk);
    return true;
  }

  void note_change(Work& work, std::string_view text, std::string_view formatted) {
    found_change_ = true;
    if (!options_.diff) return;
    std::string shown = shown_path(work);
    work.output = base::unified_diff(shown + ".orig", text, shown, formatted) + "\n";
  }

  void deliver(Work& work) {
    if (!work.formatted || options_.diff) return;
    if (options_.check) {
      work.output = shown_path(work) + "\n";
    } else if (work.path != "-") {
      note(work, base::real_file_writer().rewrite_file(work.path, *work.formatted));
    }
  }

  void note(Work& work, const std::expected<void, base::FileError>& written) const {
    if (!written) work.errors = one_error("open " + shown_path(work) + ": " + written.error().message);
  }

  std::string shown_path(const Work& work) const {
    return work.path == "-" ? work.path : base::relative_path(directory_, absolute(work.path));
  }

  static constexpr std::size_t kBytesWorthAThread = 64 * 1024;
  static constexpr std::size_t kBytesWorthCutting = 48 * 1024;
  static constexpr std::size_t kBytesOfAPart = 24 * 1024;
  static constexpr std::size_t kFilesWorthAThread = 12;
  static constexpr std::size_t kFilesToReadAhead = 128;

  Session& session_;
  const Options& options_;
  std::string directory_;
  diag::SourceMap sources_;
  cue::load::LoadResult loaded_;  // owns the trees
  std::vector<Work> works_;
  std::atomic<bool> found_change_ = false;
  std::mutex desks_mutex_;
  std::vector<std::unique_ptr<Desk>> desks_;
  std::unique_ptr<base::ThreadPool> pool_;
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
