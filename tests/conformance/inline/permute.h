// @test(permute): the assertions of a struct hold in whatever order its fields stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive_program.h"

namespace opm::inline_test {

struct PermuteGroup {
  StepPath parent;
  std::vector<std::string> fields;  // empty: all
  const Record* record = nullptr;
};

std::vector<PermuteGroup> permute_groups(const std::vector<Record>& records);
std::optional<std::string> check_permute(const Archive& archive, const ArchiveSyntax& syntax, const PermuteGroup& group);

}  // namespace opm::inline_test
