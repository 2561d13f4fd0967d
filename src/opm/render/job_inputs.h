// What all jobs are given, frozen once before they run. Most transformers declare their #context alike: what it comes to
// is found once for all of them that run on one component, and what of it does not depend on the component once for all.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "opm/render/config_loader.h"
#include "opm/render/job.h"

namespace opm::render {

class JobInputs {
 public:
  using Handle = cue::Frozen::Handle;

  // `told`: the fields of the context that all components share, in each world. When there is but one, there are no
  // worlds; otherwise they are those of the context that everything was loaded in. `frozen`: where components are that
  // were frozen already.
  JobInputs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
            const std::vector<model::Component>& components, std::vector<ContextFields> told, const std::vector<Job>& jobs,
            cue::Frozen* frozen = nullptr);

  // False: more differs between the worlds than numbers and texts.
  bool usable() const { return usable_; }

  const cue::Frozen& frozen() const { return contexts_ != nullptr ? *contexts_ : frozen_; }
  const std::vector<JobInput>& inputs() const { return inputs_; }
  // What the job is given, as it is where its component is frozen by itself; into `evaluated`, which stands on frozen().
  JobInput alone(std::size_t job, cue::Frozen& evaluated, base::BlockPool& memory) const;

  // Before anything is evaluated: finds what the contexts of these jobs come to, of those that differ in texts and numbers only
  // at once. It is worth it for those that others share, and then also for those of jobs that are `alone` with theirs: these make
  // less of it themselves. None of them is a component's that is frozen with others.
  void evaluate_contexts(std::span<const std::size_t> shared, std::span<const std::size_t> alone);
  // Whether that is known already.
  bool knows_context(std::size_t job) const { return evaluated_.contains(inputs_[job].reduced_context); }

  // Whether two jobs of one component are given the same context.
  bool share_context(std::size_t one, std::size_t other) const;
  // What the context of the job comes to, frozen into `evaluated`, which stands on frozen(); nothing, if part of it is not
  // known without the rest of the transformer. `reduced`: the job's own, or that of several which are run together. `held`:
  // the worlds that it is to be known in, and is; empty: there are none.
  Handle evaluate_context(std::size_t job, Handle reduced, cue::Frozen& evaluated, base::BlockPool& memory,
                          std::vector<bool>& held) const;
  // Where a job's context is declared: what need not be said again of an evaluated one.
  const std::vector<cue::Declaration>& context_declarations(std::size_t job) const;
  // Likewise of a reduced one.
  const std::vector<cue::Declaration>& known_declarations(std::size_t job) const;

 private:
  using Fields = std::vector<std::pair<std::string, Handle>>;
  struct ContextInput {
    Handle whole = nullptr;
    Handle reduced = nullptr;
  };
  struct Part {
    Handle value = nullptr;
    Handle metadata = nullptr;
    std::map<std::size_t, ContextInput> inputs;  // by group
  };
  // Transformers that declare their context alike.
  struct Group {
    std::optional<std::vector<cue::Declaration>> declarations;
    std::vector<std::string> names;  // of the fields that the context has a place for
    Fields known;                   // the fields of the context that are the same for all components
    std::vector<cue::Declaration> known_declarations;
  };

  // What several are frozen as, or the component.
  using PartKey = std::pair<Handle, std::uint32_t>;

  JobInput input(const Job& job);
  PartKey key(std::uint32_t component) const;
  // In how many evaluations contexts are found, about.
  std::size_t context_evaluations();
  // In the context that everything was loaded in.
  std::optional<cue::Value> told_value(std::size_t field) const;
  Part& component(std::uint32_t index);  // one for all that are frozen as one
  std::size_t group(std::uint32_t transformer);
  void evaluate_known(Group& group, const cue::Value& declared);
  const ContextInput& context_input(std::size_t group, Part& part);
  Handle context_structure(const Group& group, const Part& part, bool with_known);
  void evaluate_together(std::span<const std::size_t> jobs);

  const RenderOptions& options_;
  const Loaded& loaded_;
  const LoadedProvider& provider_;
  const std::vector<model::Component>& components_;
  const std::vector<ContextFields> told_;
  const std::vector<Job>& jobs_;
  bool usable_ = true;
  std::unique_ptr<cue::Frozen> own_frozen_;  // unless the release has some already
  cue::Frozen& frozen_;
  Fields release_fields_;
  std::map<PartKey, Part> parts_;
  std::map<std::uint32_t, std::size_t> groups_of_;  // by transformer
  std::vector<Group> groups_;
  std::vector<JobInput> inputs_;                    // by job
  std::unique_ptr<cue::Frozen> contexts_;           // those that were evaluated together; stands on frozen_
  std::map<Handle, Handle> evaluated_;              // by what jobs are given
};

}  // namespace opm::render
