#include "cue/load/source_files.h"

#include <algorithm>
#include <atomic>
#include <expected>
#include <functional>
#include <thread>

namespace opm::cue::load {
namespace {

// Starting a thread costs about as much as parsing this much.
constexpr std::size_t kBytesWorthAThread = 64 * 1024;
constexpr unsigned kMaxThreads = 16;

// Calls work(item, worker) for every item; items are taken in order, so a worker sees rising ones.
void for_each_parallel(std::size_t count, unsigned workers, const std::function<void(std::size_t, unsigned)>& work) {
  if (workers <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i, 0);
    return;
  }
  std::atomic<std::size_t> next = 0;
  auto run = [&](unsigned worker) {
    for (std::size_t i = next++; i < count; i = next++) work(i, worker);
  };
  std::vector<std::jthread> threads;
  for (unsigned worker = 1; worker < workers; ++worker) threads.emplace_back(run, worker);
  run(0);
}

}  // namespace

SourceFiles::SourceFiles(diag::SourceMap& sources, std::vector<std::unique_ptr<base::Arena>>& arenas,
                         const Options& options)
    : sources_(sources), arenas_(arenas), options_(options) {
  if (options_.threads == 0) options_.threads = std::thread::hardware_concurrency();
  options_.threads = std::clamp(options_.threads, 1u, kMaxThreads);
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
  unsigned readers = pending.size() < 16 ? 1 : options_.threads;
  for_each_parallel(pending.size(), readers, [&](std::size_t i, unsigned) {
    pending[i].content = pending[i].request->files->read_file(pending[i].request->path, options_.max_bytes);
  });
  std::vector<SourceFile*> read;
  for (Pending& item : pending) {
    auto fail = [&](const std::string& message) {
      diag::Diagnostic diagnostic;
      diagnostic.code = "unreadable-file";
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

void SourceFiles::parse(std::vector<SourceFile*> files) {
  std::size_t bytes = 0;
  for (const SourceFile* file : files) bytes += file->source->text.size();
  unsigned workers = static_cast<unsigned>(
      std::min({static_cast<std::size_t>(options_.threads), files.size(), bytes / kBytesWorthAThread + 1}));
  while (arenas_.size() < workers) arenas_.push_back(std::make_unique<base::Arena>());
  syntax::ParseOptions options;
  options.comments = options_.comments;
  for_each_parallel(files.size(), workers, [&](std::size_t i, unsigned worker) {
    syntax::ParsedFile parsed = syntax::parse_file(*arenas_[worker], *files[i]->source, options);
    files[i]->syntax = parsed.file;
    files[i]->errors = std::move(parsed.errors);
  });
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

}  // namespace opm::cue::load
