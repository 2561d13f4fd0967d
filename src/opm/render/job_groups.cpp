#include "opm/render/job_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace opm::render {

namespace {

// More worlds make one evaluation longer than several of them.
constexpr std::size_t kLargestGroup = 32;

std::vector<ComponentJobs> by_component(const std::vector<Job>& jobs) {
  std::vector<ComponentJobs> components;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i == 0 || jobs[i].component != jobs[i - 1].component) components.push_back({i, i});
    components.back().end = i + 1;
  }
  return components;
}

}  // namespace

std::vector<std::vector<ComponentJobs>> group_jobs(const std::vector<Job>& jobs, const JobInputs& inputs, std::size_t threads) {
  // The transformers, what it is frozen as with others, or the shape of one that is frozen by itself.
  using Look = std::tuple<std::vector<std::uint32_t>, cue::Frozen::Handle, std::size_t>;
  std::vector<ComponentJobs> components = by_component(jobs);
  std::map<Look, std::vector<ComponentJobs>> alike;
  for (const ComponentJobs& component : components) {
    Look look;
    for (std::size_t i = component.begin; i < component.end; ++i) std::get<0>(look).push_back(jobs[i].transformer);
    const JobInput& input = inputs.inputs()[component.begin];
    if (input.worlds > 0) std::get<1>(look) = input.component;
    else std::get<2>(look) = inputs.frozen().shape(input.component);
    alike[std::move(look)].push_back(component);
  }
  std::vector<std::vector<ComponentJobs>> groups;
  for (const auto& [look, members] : alike) {
    if (std::get<1>(look) != nullptr) {
      groups.push_back(members);
      continue;
    }
    std::size_t most = kLargestGroup * threads;
    std::size_t parts = std::min(threads * ((members.size() + most - 1) / most), members.size());
    for (std::size_t i = 0; i < parts; ++i) {
      groups.emplace_back(members.begin() + static_cast<std::ptrdiff_t>(i * members.size() / parts),
                          members.begin() + static_cast<std::ptrdiff_t>((i + 1) * members.size() / parts));
    }
  }
  // The largest first: what is left at the end is then spread evenly.
  std::ranges::stable_sort(groups, std::ranges::greater(), [](const auto& group) { return group.size(); });
  return groups;
}

}  // namespace opm::render
