#include "opm/render/job_dump.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "base/path.h"
#include "cue/module/import_path.h"
#include "cue/syntax/literal.h"

namespace opm::render {

namespace {

using cue::syntax::quote;

constexpr std::string_view kModule = "opm.local/jobs";

std::string file_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name + ".cue";
}

// a.b["c d"] as an expression behind an identifier.
std::string selectors(const cue::Path& path) {
  std::string text;
  for (const cue::Path::Element& element : path.elements) {
    bool is_plain = element.kind != cue::Path::Element::Kind::field || cue::syntax::quote_label(element.name) == element.name;
    text += is_plain ? "." + element.name : "[" + quote(element.name) + "]";
  }
  return text;
}

// The packages that transformers are made of, where cue looks for packages of other modules.
void add_packages(const Loaded& loaded, std::vector<DumpedFile>& files) {
  const cue::load::LoadResult& result = loaded.program->loaded(loaded.config_instance);
  for (const cue::load::Package& package : result.packages) {
    std::string path = cue::module::parse_import_path(package.identity).path;
    for (const cue::load::PackageSource& file : cue::load::sources_of(package))
      files.push_back({fmt::format("cue.mod/pkg/{}/{}", path, base::base_name(file.path)),
                       loaded.program->sources().find(file.begin)->text});
  }
}

}  // namespace

// Packages are given a field of their own: cue v0.15 does not see through a path that starts at an import and leads on to
// others.
std::vector<DumpedFile> dump_jobs(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release,
                                  const std::vector<Job>& jobs, const cue::Frozen& frozen,
                                  const std::vector<JobInput>& inputs) {
  std::vector<DumpedFile> files;
  files.push_back({"cue.mod/module.cue", fmt::format("module: \"{}@v0\"\nlanguage: version: \"v0.15.0\"\n", kModule)});
  add_packages(loaded, files);
  const cue::Instance& config = loaded.program->instances()[loaded.config_instance];
  std::set<std::uint32_t> transformers, components;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const model::Transformer& transformer = provider.provider.transformers[jobs[i].transformer];
    const model::Component& component = release.components[jobs[i].component];
    if (transformers.insert(jobs[i].transformer).second) {
      files.push_back({"transformers/" + file_name(transformer.fqn),
                       fmt::format("package transformers\n\nimport configuration {}\n\n_configuration: configuration\n{}: _configuration{}\n",
                                   quote(config.identity), quote(transformer.fqn),
                                   selectors(provider.transformers.path.child(transformer.fqn)))});
    }
    if (components.insert(jobs[i].component).second) {
      files.push_back({"components/" + file_name(component.key),
                       fmt::format("package components\n\n{}: {}\n", quote(component.key), frozen.source(inputs[i].component))});
    }
    files.push_back({fmt::format("jobs/{}.cue", i + 1),
                     fmt::format("package jobs\n\nimport (\n\t\"{0}/components\"\n\t\"{0}/transformers\"\n)\n\n"
                                 "_components: components\n_transformers: transformers\n\n"
                                 "\"{1}\": (_transformers[{2}].#transform & {{\n\t#component: _components[{3}]\n"
                                 "\t#context: {4}\n}}).output\n",
                                 kModule, i + 1, quote(transformer.fqn), quote(component.key), frozen.source(inputs[i].context))});
  }
  return files;
}

}  // namespace opm::render
