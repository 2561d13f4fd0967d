#include "cli/render_rounds.h"

#include <unistd.h>

#include "cli/cue_errors.h"
#include "cli/diff_report.h"
#include "cli/render_diff.h"

namespace opm::cli {

RenderRounds::Change RenderRounds::show(std::vector<render::Resource> resources) {
  release::DiffResult diff;
  if (last_) diff = diff_renders(*last_, resources);
  // On a terminal both outputs are one page: each waits for what the other has said.
  session_.err.flush();
  if (diff.differs()) session_.out.write(diff_text(diff, wants_color("auto", ::isatty(STDOUT_FILENO) != 0)));
  session_.out.flush();
  Change change = !last_ ? Change::first : diff.differs() ? Change::some : Change::none;
  last_ = std::move(resources);
  return change;
}

}  // namespace opm::cli
