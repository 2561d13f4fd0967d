// Diagnostics as people and programs read them: text in CUE's form, one JSON object a
// line, or annotations that a CI system shows beside the code. Here they are only made
// into text; cli/ writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::diag {

// By first position (file, line, column; those without one first), then by path; what is
// said twice is said once.
void sort_and_unite(const SourceMap& sources, std::vector<Diagnostic>& diagnostics);

struct PrintOptions {
  // Absolute; files are shown relative to it ("./values.cue"). Empty: as they were named.
  std::string working_directory;
  bool with_advice = true;  // notes and advice too
  bool with_color = false;  // of text
};

// `path: message:`, then one position a line, as CUE prints errors; after them notes with
// their positions and advice, where there are any.
std::string format_text(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options = {});

// One line: {"severity":…,"code":…,"path":…,"message":…,"positions":[{"file":…,"line":…,"column":…}],
// "notes":[{"message":…,"positions":[…]}],"advice":…}. Empty parts are left out, except positions.
std::string format_json(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options = {});

// A workflow command of GitHub, which GitLab's and Gitea's runners understand or ignore:
// `::error file=values.cue,line=3,col=9,title=code::message`.
std::string format_annotation(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options = {});

}  // namespace opm::diag
