#include "cue/module/stored_module_file.h"

#include "base/packed_bytes.h"

namespace opm::cue::module {

std::expected<std::string, std::string> store_module_files(const std::vector<ModuleFile>& files) {
  base::PackedWriter writer;
  std::string problem;
  writer.list(files, [&](const ModuleFile& file) {
    if (!file.custom.is_null()) problem = file.path + " has fields of other tools";
    writer.text(file.path);
    writer.number(file.has_major_version ? 1 : 0);
    writer.text(file.language_version);
    writer.text(file.source_kind);
    writer.text(file.description);
    writer.list(file.dependencies, [&](const Dependency& dependency) {
      if (!dependency.replace_with.empty()) problem = file.path + " replaces " + dependency.module.path;
      writer.text(dependency.module.path);
      writer.text(dependency.module.version);
      writer.number(dependency.is_default ? 1 : 0);
    });
  });
  if (!problem.empty()) return std::unexpected(std::move(problem));
  return writer.take();
}

std::vector<ModuleFile> restore_module_files(const unsigned char* bytes) {
  base::PackedReader reader(bytes);
  return reader.list<ModuleFile>([&](ModuleFile& file) {
    file.path = reader.text();
    file.has_major_version = reader.number() != 0;
    file.language_version = reader.text();
    file.source_kind = reader.text();
    file.description = reader.text();
    file.dependencies = reader.list<Dependency>([&](Dependency& dependency) {
      dependency.module.path = reader.text();
      dependency.module.version = reader.text();
      dependency.is_default = reader.number() != 0;
    });
  });
}

}  // namespace opm::cue::module
