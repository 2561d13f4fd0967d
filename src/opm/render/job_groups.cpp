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

std::vector<AlikeJobs> alike_jobs(const std::vector<Job>& jobs, const JobInputs& inputs) {
  // The transformers, what it is frozen as with others, or the shape of one that is frozen by itself.
  using Look = std::tuple<std::vector<std::uint32_t>, cue::Frozen::Handle, std::size_t>;
  std::map<Look, AlikeJobs> by_look;
  for (const ComponentJobs& component : by_component(jobs)) {
    Look look;
    for (std::size_t i = component.begin; i < component.end; ++i) std::get<0>(look).push_back(jobs[i].transformer);
    const JobInput& input = inputs.inputs()[component.begin];
    if (input.worlds > 0) std::get<1>(look) = input.component;
    else std::get<2>(look) = inputs.frozen().shape(input.component);
    AlikeJobs& alike = by_look[std::move(look)];
    alike.members.push_back(component);
    alike.are_frozen_together = input.worlds > 0;
  }
  std::vector<AlikeJobs> all;
  for (auto& [look, alike] : by_look) all.push_back(std::move(alike));
  return all;
}

std::size_t worthwhile_threads(const std::vector<AlikeJobs>& alike, std::size_t worlds, std::size_t most) {
  // In jobs that are run together with another one: to run one by itself, or the first of a group, takes as long as several of them,
  // and to start a thread, which has everything to evaluate anew, as long as many.
  constexpr std::size_t kFirst = 8;
  constexpr std::size_t kThread = 160;
  std::size_t work = 0;
  for (const auto& [members, are_frozen_together] : alike) {
    std::size_t groups = are_frozen_together ? 1 : (members.size() + kLargestGroup - 1) / kLargestGroup;
    work += (members.front().end - members.front().begin) * (groups * kFirst + members.size() * worlds);
  }
  return std::min(most, 1 + work / kThread);
}

std::vector<std::vector<ComponentJobs>> group_jobs(const std::vector<AlikeJobs>& alike, std::size_t threads) {
  std::vector<std::vector<ComponentJobs>> groups;
  for (const auto& [members, are_frozen_together] : alike) {
    if (are_frozen_together) {
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
