#include "cli/module_chain.h"

#include "opm/builtin/catalog.h"

namespace opm::cli {
namespace {

// Stands where a registry would. What a module asks for that nobody can be asked about is taken to ask for nothing: it is an
// error only if something imports it. So a module whose file lists what the published catalog needs works with ours.
class NoRegistry : public cue::module::ModuleSource {
 public:
  std::string name() const override { return "no registry"; }
  std::expected<std::optional<std::string>, cue::module::ModuleError> module_file(
      const cue::module::ModuleVersion& wanted) override {
    return "module: \"" + wanted.path + "\"\nlanguage: version: \"v0.9.0\"\n";
  }
  std::expected<std::optional<cue::module::ModuleTree>, cue::module::ModuleError> content(
      const cue::module::ModuleVersion&) override {
    return std::unexpected(cue::module::ModuleError{cue::module::ModuleErrorKind::not_found,
                                                    "no registry is set to get it from"});
  }
  std::expected<std::vector<std::string>, cue::module::ModuleError> versions(std::string_view) override {
    return std::vector<std::string>();
  }
};

std::vector<std::shared_ptr<cue::module::ModuleSource>> chain(const ModuleChain::Options& options) {
  std::vector<std::shared_ptr<cue::module::ModuleSource>> sources;
  if (options.builtin)
    sources.push_back(std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::up_to_it));
  sources.push_back(std::make_shared<NoRegistry>());
  return sources;
}

}  // namespace

ModuleChain::ModuleChain(const Options& options) : sources_(chain(options)), resolver_(sources_) {}

}  // namespace opm::cli
