#include "cue/load/source_files.h"

#include <algorithm>
#include <expected>
#include <functional>
#include <new>

#include "cue/compile/package_image.h"
#include "cue/load/load.h"
#include "cue/syntax/parse_in_parts.h"

namespace opm::cue::load {
namespace {

// Starting a thread, or waking one, costs about as much as parsing this much.
constexpr std::size_t kBytesWorthAThread = 24 * 1024;
constexpr std::size_t kBytesWorthWaking = 6 * 1024;
constexpr std::size_t kFilesWorthAThread = 16;
constexpr std::size_t kBytesWorthParts = 64 * 1024;
constexpr unsigned kMaxThreads = 16;

// Reading and parsing do not throw unless memory runs out.
void check_done(const std::expected<void, base::JobFailure>& done) {
  if (!done) throw std::bad_alloc();
}

}  // namespace

std::vector<PackageSource> sources_of(const Package& package) {
  std::vector<PackageSource> sources;
  for (const PackageFile& file : package.files) {
    if (file.source != nullptr) sources.push_back({file.path, file.source->begin});
  }
  if (package.compiled) {
    const compile::PackageImage& image = *package.compiled->image;
    for (std::uint32_t source : image.sources(package.compiled->package))
      sources.push_back({image.source_path(source), image.source_begin(source)});
  }
  return sources;
}

SourceFiles::SourceFiles(diag::SourceMap& sources, std::vector<std::unique_ptr<base::Arena>>& arenas,
                         const Options& options)
    : sources_(sources), arenas_(arenas), options_(options) {}

std::size_t SourceFiles::threads() const {
  return std::clamp<std::size_t>(options_.threads != 0 ? options_.threads : base::usable_processors(), 1, kMaxThreads);
}

base::ThreadPool& SourceFiles::pool() {
  if (!pool_) pool_.emplace(threads());
  return *pool_;
}

base::Arena* SourceFiles::borrow_arena() {
  std::lock_guard lock(arenas_mutex_);
  if (idle_arenas_.empty()) return arenas_.emplace_back(std::make_unique<base::Arena>()).get();
  base::Arena* arena = idle_arenas_.back();
  idle_arenas_.pop_back();
  return arena;
}

void SourceFiles::return_arena(base::Arena* arena) {
  std::lock_guard lock(arenas_mutex_);
  idle_arenas_.push_back(arena);
}

void SourceFiles::read_all(const std::vector<SourceRequest>& requests) {
  struct Pending {
    const SourceRequest* request;
    SourceFile* file;
    std::expected<std::string, base::FileError> content;
  };
  std::vector<Pending> pending;
  for (const SourceRequest& request : requests) {
    auto [entry, is_new] = files_.try_emplace(Key(request.files, request.path));
    if (!is_new) continue;
    entry->second = std::make_unique<SourceFile>();
    pending.push_back({&request, entry->second.get(), {}});
  }
  if (pending.empty()) return;
  auto read_one = [&](std::size_t i) {
    pending[i].content = pending[i].request->files->read_file(pending[i].request->path, options_.max_bytes);
  };
  if (pending.size() >= kFilesWorthAThread) {
    check_done(pool().parallel_for(pending.size(), read_one));
  } else {
    for (std::size_t i = 0; i < pending.size(); ++i) read_one(i);
  }
  std::vector<SourceFile*> read;
  for (Pending& item : pending) {
    auto fail = [&](const std::string& message) {
      bool is_denied = !item.content && item.content.error().kind == base::FileErrorKind::permission;
      diag::Diagnostic diagnostic;
      diagnostic.code = is_denied ? "file-denied" : "unreadable-file";
      diagnostic.message = message;
      item.file->errors.push_back(std::move(diagnostic));
    };
    if (!item.content) {
      fail("open " + item.request->display + ": " + item.content.error().message);
      continue;
    }
    item.file->source = sources_.add(item.request->display, std::move(*item.content));
    if (item.file->source == nullptr)
      fail("open " + item.request->display + ": too much source text");
    else
      read.push_back(item.file);
  }
  parse(std::move(read));
}

void SourceFiles::parse(SourceFile& file, const syntax::ParseOptions& options, std::size_t threads) {
  base::Arena* arena = borrow_arena();
  syntax::ParsedFile parsed = threads > 1 ? syntax::parse_in_parts(*arena, arenas_, *file.source, options, threads)
                                          : syntax::parse_file(*arena, *file.source, options);
  file.syntax = parsed.file;
  file.errors = std::move(parsed.errors);
  return_arena(arena);
}

void SourceFiles::parse(std::vector<SourceFile*> files) {
  syntax::ParseOptions options;
  options.comments = options_.comments;
  // A large file keeps all threads busy by itself.
  if (!options.comments) {
    std::erase_if(files, [&](SourceFile* file) {
      if (file->source->text.size() < kBytesWorthParts) return false;
      parse(*file, options, threads());
      return true;
    });
  }
  std::size_t bytes = 0;
  for (const SourceFile* file : files) bytes += file->source->text.size();
  auto parse_one = [&](std::size_t i) { parse(*files[i], options, 1); };
  if (files.size() < 2 || bytes < (pool_ ? kBytesWorthWaking : kBytesWorthAThread)) {
    for (std::size_t i = 0; i < files.size(); ++i) parse_one(i);
    return;
  }
  // The largest first: what is left at the end is then spread evenly.
  std::ranges::stable_sort(files, std::ranges::greater(), [](const SourceFile* file) { return file->source->text.size(); });
  check_done(pool().parallel_for(files.size(), parse_one));
}

const SourceFile& SourceFiles::get(const SourceRequest& request) {
  auto found = files_.find(Key(request.files, request.path));
  if (found == files_.end()) {
    read_all({request});
    found = files_.find(Key(request.files, request.path));
  }
  return *found->second;
}

const SourceFile& SourceFiles::add(const std::string& path, const std::string& display, std::string content) {
  auto [entry, is_new] = files_.try_emplace(Key(nullptr, path));
  if (is_new) {
    entry->second = std::make_unique<SourceFile>();
    entry->second->source = sources_.add(display, std::move(content));
    if (entry->second->source != nullptr) parse({entry->second.get()});
  }
  return *entry->second;
}

bool SourceFiles::take(const compile::PackageImage& image) {
  if (!sources_.stand_on(image.stored_sources())) return false;
  image_ = &image;
  return true;
}

}  // namespace opm::cue::load
