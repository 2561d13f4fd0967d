// @test(shareID=name): all fields with that name are one and the same node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records.h"
#include "subject.h"

namespace opm::inline_test {

struct ShareGroup {
  std::string name;
  std::vector<StepPath> paths;  // two or more
};

std::vector<ShareGroup> share_groups(const std::vector<Record>& records);
std::optional<std::string> check_share(Engine& engine, const Subject& root, const ShareGroup& group);

}  // namespace opm::inline_test
