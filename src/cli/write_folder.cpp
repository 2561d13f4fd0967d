#include "cli/write_folder.h"

#include "base/path.h"
#include "opm/builtin/templates.h"

namespace opm::cli {
namespace {

// Remembers what was changed and undoes it unless told that all went well.
class Undo {
 public:
  ~Undo() {
    if (done_) return;
    base::FileWriter& writer = base::real_file_writer();
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
      if (file->content) static_cast<void>(writer.write_file(file->path, *file->content));
      else static_cast<void>(writer.remove_file(file->path));
    }
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder)
      static_cast<void>(writer.remove_directory(*folder));
  }
  void file(std::string path, std::optional<std::string> content) {
    files_.push_back({std::move(path), std::move(content)});
  }
  void folder(std::string path) { folders_.push_back(std::move(path)); }
  void done() { done_ = true; }

 private:
  struct Old {
    std::string path;
    std::optional<std::string> content;  // nothing: there was none
  };
  std::vector<Old> files_;
  std::vector<std::string> folders_;
  bool done_ = false;
};

std::optional<base::FileError> make_folder(const std::string& path, base::FileAccess access, Undo& undo) {
  std::vector<std::string> missing;
  for (std::string at = path; !base::real_file_system().status(at) && at != base::parent_path(at);
       at = base::parent_path(at))
    missing.push_back(at);
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    if (auto made = base::real_file_writer().make_directories(*at, access); !made) return made.error();
    undo.folder(*at);
  }
  auto status = base::real_file_system().status(path);
  if (!status) return status.error();
  if (status->kind != base::FileKind::directory)
    return base::FileError{base::FileErrorKind::not_a_directory, "not a directory"};
  return std::nullopt;
}

}  // namespace

std::vector<NewFile> files_of_template(std::string_view folder) {
  std::string prefix = std::string(folder.substr(1)) + "/";
  const base::EmbeddedFiles& templates = builtin::template_files();
  std::vector<NewFile> files;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    base::EmbeddedFiles::File file = templates.file(i);
    if (file.path.starts_with(prefix))
      files.push_back({std::string(file.path.substr(prefix.size())), std::string(file.content)});
  }
  return files;
}

std::optional<FolderProblem> update_folder(const std::string& folder, const std::vector<NewFile>& files,
                                           const std::vector<std::string>& removed, base::FileAccess access) {
  Undo undo;
  auto fail = [](std::string_view what, const std::string& path, const base::FileError& error) {
    return FolderProblem{error.kind, "cannot " + std::string(what) + " " + path + ": " + error.message};
  };
  for (const NewFile& file : files) {
    std::string path = base::join_path(folder, file.path);
    if (auto error = make_folder(base::parent_path(path), access, undo)) return fail("write", path, *error);
    auto old = base::real_file_system().read_file(path);
    if (!old && old.error().kind != base::FileErrorKind::not_found) return fail("write", path, old.error());
    if (auto written = base::real_file_writer().write_file(path, file.content, access); !written)
      return fail("write", path, written.error());
    undo.file(path, old ? std::optional(std::move(*old)) : std::nullopt);
  }
  for (const std::string& name : removed) {
    std::string path = base::join_path(folder, name);
    auto old = base::real_file_system().read_file(path);
    if (!old) continue;
    if (auto gone = base::real_file_writer().remove_file(path); !gone) return fail("remove", path, gone.error());
    undo.file(path, std::move(*old));
  }
  undo.done();
  return std::nullopt;
}

std::optional<std::string> write_folder(const std::string& folder, const std::vector<NewFile>& files,
                                        base::FileAccess access) {
  auto problem = update_folder(folder, files, {}, access);
  if (!problem) return std::nullopt;
  return std::move(problem->message);
}

}  // namespace opm::cli
