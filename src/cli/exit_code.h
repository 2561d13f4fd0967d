// What the process tells its caller when it ends.
#pragma once

namespace opm::cli {

enum class ExitCode : int {
  success = 0,
  failure = 1,      // anything not below, wrong usage too; for the diff commands: there are differences
  invalid = 2,      // validation failed: CUE, values, unmatched component, strict
  unreachable = 3,  // no answer from the cluster or the registry
  denied = 4,       // permission denied
  not_found = 5,
};

}  // namespace opm::cli
