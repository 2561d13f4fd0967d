// What apply and delete did to each object, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "opm/release/apply.h"
#include "opm/release/delete.h"

namespace opm::cli {

struct ObjectOutcome {
  release::Entry entry;
  std::string_view word;
};

struct OutcomeReport {
  std::string release;
  std::string namespace_name;
  std::string change;  // empty: none
  bool dry_run = false;
  std::vector<ObjectOutcome> objects;
  std::optional<bool> ready;  // where it was waited for
  data::Value differences;    // as diff_tree gives them; null where nobody asked
};

OutcomeReport report_of(const release::ApplyResult& result, const std::string& namespace_name, bool dry_run);
OutcomeReport report_of(const release::DeleteResult& result, const std::string& namespace_name, bool dry_run);

// One object a line, then how many had which outcome. `with_summary`: whether it has come to an end.
std::string outcome_text(const OutcomeReport& report, bool with_summary);
std::string outcome_json(const OutcomeReport& report);

// "deleted", "is still there", …
std::string_view word_for(release::RemovalOutcome outcome, bool dry_run);

}  // namespace opm::cli
