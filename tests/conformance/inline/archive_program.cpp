#include "archive_program.h"

#include "cue/syntax/parser.h"

namespace opm::inline_test {

namespace {

constexpr std::string_view kFolder = "/archive";

}  // namespace

ArchiveSyntax::ArchiveSyntax(const Archive& archive) {
  for (const ArchiveFile& file : archive.files) {
    if (file.name.find('/') != std::string::npos || !file.name.ends_with(".cue")) continue;
    const diag::Source* source = sources_.add(file.name, file.text);
    cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena_, *source);
    files_.push_back({file.name, parsed.file});
    for (Record& record : extract_records(*parsed.file, sources_, file.name)) records_.push_back(std::move(record));
  }
}

ArchiveProgram::ArchiveProgram(const Archive& archive) {
  std::vector<std::string> arguments;
  for (const ArchiveFile& file : archive.files) {
    files_.add_file(std::string(kFolder) + "/" + file.name, file.text);
    if (file.name.find('/') == std::string::npos) arguments.push_back(file.name);
  }
  cue::load::LoadOptions options;
  options.directory = std::string(kFolder);
  options.module_root = ".";
  options.files = &files_;
  options.threads = 1;
  program_ = cue::Program::load(arguments, options);
  for (const diag::Diagnostic& error : program_->errors()) problem_ += error.message + "; ";
  if (program_->instances().empty()) {
    if (problem_.empty()) problem_ = "no instance";
    return;
  }
  if (problem_.empty()) {
    for (const diag::Diagnostic& error : program_->instances().front().errors) problem_ += error.message + "; ";
  }
  context_ = std::make_unique<cue::Context>(program_);
}

}  // namespace opm::inline_test
