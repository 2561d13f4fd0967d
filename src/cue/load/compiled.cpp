#include "cue/load/compiled.h"

#include <cstdint>
#include <map>

#include "base/path.h"
#include "cue/compile/package_image.h"
#include "cue/load/source_files.h"

namespace opm::cue::load {
namespace {

class CompiledLoader {
 public:
  CompiledLoader(const compile::PackageImage& image, LoadResult& result) : image_(image), result_(result) {}

  // What a package imports stands before it, and is left to the image to tell. An image has no circles.
  PackageId add(std::uint32_t index) {
    if (auto known = known_.find(index); known != known_.end()) return known->second;
    for (std::size_t i = 0; i < image_.import_count(index); ++i) {
      compile::PackageImage::Import written = image_.import(index, i);
      if (!written.is_standard) add(written.package);
    }
    auto id = PackageId(static_cast<std::uint32_t>(result_.packages.size()));
    Package& package = result_.packages.emplace_back();
    package.id = id;
    package.identity = std::string(image_.identity(index));
    package.import_path = package.identity;
    package.display_path = package.identity;
    package.name = std::string(image_.name(index));
    package.directory = std::string(image_.directory(index));
    package.file_system = &image_.files();
    package.module = {std::string(image_.module_path(index)), std::string(image_.module_version(index))};
    package.compiled = {&image_, index};
    known_.emplace(index, id);
    return id;
  }

 private:
  const compile::PackageImage& image_;
  LoadResult& result_;
  std::map<std::uint32_t, PackageId> known_;
};

}  // namespace

std::optional<LoadResult> load_compiled(const std::vector<std::string>& arguments, const LoadOptions& options) {
  const auto* files = dynamic_cast<const compile::CompiledFiles*>(options.files);
  const compile::PackageImage* image = files == nullptr ? nullptr : files->image();
  if (image == nullptr || options.module_files == nullptr) return std::nullopt;
  std::vector<std::uint32_t> packages;
  for (const std::string& argument : arguments) {
    std::size_t colon = argument.rfind(':');
    if (colon == std::string::npos || !base::is_absolute_path(argument)) return std::nullopt;
    auto package = image->find(std::string_view(argument).substr(0, colon), std::string_view(argument).substr(colon + 1));
    if (!package) return std::nullopt;
    packages.push_back(*package);
  }
  if (packages.empty() || !options.module_files->take(*image)) return std::nullopt;
  LoadResult result;
  CompiledLoader loader(*image, result);
  for (std::uint32_t package : packages) result.instances.push_back(loader.add(package));
  return result;
}

}  // namespace opm::cue::load
