// Reads and parses CUE files, each once, many at a time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/thread_pool.h"
#include "cue/syntax/parser.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::compile {
class PackageImage;
}

namespace opm::cue::load {

struct SourceFile {
  const diag::Source* source = nullptr;  // nullptr: could not be read
  syntax::File* syntax = nullptr;
  std::vector<diag::Diagnostic> errors;  // of reading or of syntax
};

struct SourceRequest {
  const base::FileSystem* files = nullptr;
  std::string path;     // absolute
  std::string display;  // what messages call it
};

class SourceFiles {
 public:
  struct Options {
    unsigned threads = 0;
    std::size_t max_bytes = base::FileSystem::kDefaultMaxBytes;
    bool comments = true;
  };
  // Trees are made in arenas that are appended to `arenas`.
  SourceFiles(diag::SourceMap& sources, std::vector<std::unique_ptr<base::Arena>>& arenas, const Options& options);

  // Whatever is not known yet. Sources are added in the order of the requests, whichever thread
  // is fastest, so that positions are the same in every run.
  // For trees that are made otherwise; lives as long as those of the files.
  base::Arena& new_arena() { return *arenas_.emplace_back(std::make_unique<base::Arena>()); }
  void read_all(const std::vector<SourceRequest>& requests);
  const SourceFile& get(const SourceRequest& request);
  // Content that comes from no file.
  const SourceFile& add(const std::string& path, const std::string& display, std::string content);

  // Has the sources of an image at hand. False: those of another one are, or there is no room for them.
  bool take(const compile::PackageImage& image);
  // The one that was taken; null: none was.
  const compile::PackageImage* image() const { return image_; }

 private:
  using Key = std::pair<const base::FileSystem*, std::string>;

  void parse(std::vector<SourceFile*> files);
  // With more than one thread: while nobody else parses.
  void parse(SourceFile& file, const syntax::ParseOptions& options, std::size_t threads);
  std::size_t threads() const;
  base::ThreadPool& pool();
  // A tree goes into an arena that no other thread uses meanwhile.
  base::Arena* borrow_arena();
  void return_arena(base::Arena* arena);

  diag::SourceMap& sources_;
  std::vector<std::unique_ptr<base::Arena>>& arenas_;
  Options options_;
  std::map<Key, std::unique_ptr<SourceFile>> files_;
  std::optional<base::ThreadPool> pool_;  // started when there is enough to do
  const compile::PackageImage* image_ = nullptr;
  std::mutex arenas_mutex_;
  std::vector<base::Arena*> idle_arenas_;
};

}  // namespace opm::cue::load
