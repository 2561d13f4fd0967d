// Phase 1: the provider that was asked for, with what each of its transformers requires.
#pragma once

#include <expected>
#include <vector>

#include "opm/model/provider.h"
#include "opm/render/config_loader.h"

namespace opm::render {

struct LoadedProvider {
  model::Provider provider;
  Place transformers;  // the map of them
  // What each of them, in the provider's order, is the unification of; nothing where that is not known, and it has to be
  // looked up in the map.
  std::vector<std::vector<cue::PackageField>> definitions;

  // The definitions of a component that its jobs are given; null: all. Who reads a dump of them may look at any.
  const std::vector<std::string>* given_definitions(const RenderOptions& options) const {
    return provider.mentioned_definitions && !options.dump_jobs ? &*provider.mentioned_definitions : nullptr;
  }

  // Whether two transformers are known to declare their #context in the same places.
  bool declare_contexts_alike(std::size_t one, std::size_t other) const {
    const std::optional<std::size_t>& like = provider.transformers[one].context_like;
    return like && like == provider.transformers[other].context_like;
  }

  // A transformer, in any context, and in the one that everything was loaded in.
  cue::Value transformer(cue::Context& context, std::size_t index) const;
  cue::Value transformer(const Loaded& loaded, std::size_t index) const;
};

std::expected<LoadedProvider, std::vector<Problem>> load_provider(const Loaded& loaded, const RenderOptions& options);

}  // namespace opm::render
