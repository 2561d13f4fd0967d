#include "opm/render/job_groups.h"

#include <algorithm>
#include <map>

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
  using Look = std::pair<std::vector<std::uint32_t>, std::size_t>;  // the transformers and the component's shape
  std::vector<ComponentJobs> components = by_component(jobs);
  std::map<Look, std::vector<ComponentJobs>> alike;
  for (const ComponentJobs& component : components) {
    Look look;
    for (std::size_t i = component.begin; i < component.end; ++i) look.first.push_back(jobs[i].transformer);
    look.second = inputs.frozen().shape(inputs.inputs()[component.begin].component);
    alike[std::move(look)].push_back(component);
  }
  std::vector<std::vector<ComponentJobs>> groups;
  for (const auto& [look, members] : alike) {
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
