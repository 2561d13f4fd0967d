// Takes secrets out of what a render says. It is done with a second render of the same sources, in which something else
// stands for every secret (secret_sources.h): its words replace those of the first, and what the two made differently is
// what depends on a secret. So nothing has to be looked for in texts, and what is derived from a secret is found too.
#pragma once

#include "opm/render/environments.h"
#include "opm/render/options.h"
#include "opm/render/result.h"
#include "opm/render/secret_sources.h"

namespace opm::render {

// Whether there is anything in it that may not be shown as it is.
bool needs_concealment(const RenderOptions& options, const RenderResult& result);
bool needs_concealment(const RenderOptions& options, const EnvironmentRenders& renders);

// `without`: what the render with `masked` in place of the sources gave.
void conceal_secrets(const RenderOptions& options, const MaskedSources& masked, const RenderResult& without, RenderResult& result);
void conceal_secrets(const RenderOptions& options, const MaskedSources& masked, const EnvironmentRenders& without,
                     EnvironmentRenders& renders);

// Of one list of problems: the words of those that are about the same, in the run with `masked`.
void conceal_problems(const MaskedSources& masked, const diag::SourceMap& other_sources, const std::vector<Problem>& others,
                      const diag::SourceMap& sources, std::vector<Problem>& problems);

// For a render whose sources could not be read: what a message quotes of a file with values may be a secret.
// `knows_schema`: the module itself could be read, so that what is said of its values was made with it.
void conceal_quotes(const RenderOptions& options, const diag::SourceMap& sources, std::vector<Problem>& problems, bool knows_schema);
// The same for a package of releases. A word that stands alone may be a secret without its quotes.
void conceal_quotes(const diag::SourceMap& sources, std::vector<Problem>& problems);

}  // namespace opm::render
