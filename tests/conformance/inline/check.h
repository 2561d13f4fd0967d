// One directive against the value that it is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records.h"
#include "subject.h"

namespace opm::inline_test {

// The directives of a path that count, of those that override each other only one.
std::vector<const Record*> active_records(const std::vector<Record>& records, const StepPath& path, bool file_level);

// What is wrong, if anything.
std::optional<std::string> check_directive(Engine& engine, const Subject& root, const Record& record, bool check_positions);

}  // namespace opm::inline_test
