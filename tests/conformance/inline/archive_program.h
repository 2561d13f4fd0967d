// An archive as a program: loaded from memory, never from the disk.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "archive.h"
#include "base/arena.h"
#include "base/file_system.h"
#include "cue/value.h"
#include "records.h"

namespace opm::inline_test {

// The files that are named to load: those that are not in a folder.
struct SourceFile {
  std::string name;
  const cue::syntax::File* syntax = nullptr;
};

// What the tests of an archive are, whether it can be loaded or not.
class ArchiveSyntax {
 public:
  explicit ArchiveSyntax(const Archive& archive);
  const std::vector<SourceFile>& files() const { return files_; }
  const std::vector<Record>& records() const { return records_; }
  const diag::SourceMap& sources() const { return sources_; }

 private:
  diag::SourceMap sources_;
  base::Arena arena_;
  std::vector<SourceFile> files_;
  std::vector<Record> records_;
};

class ArchiveProgram {
 public:
  explicit ArchiveProgram(const Archive& archive);
  const std::string& problem() const { return problem_; }  // why it can't be evaluated
  cue::Context& context() { return *context_; }

 private:
  base::MemoryFileSystem files_;
  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;
  std::string problem_;
};

}  // namespace opm::inline_test
