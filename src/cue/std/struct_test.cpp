#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Struct, FieldCounts) {
  expect_all({"struct"}, {
    {"struct.MinFields(1) & {a: 1}", "{a:1}"},
    {"struct.MinFields(2) & close({a: 1})",
     "error: invalid value {a:1} (does not satisfy struct.MinFields(2)): len(fields) < MinFields(2) (1 < 2)"},
    {"struct.MinFields(1) & close({_a: 1})",
     "error: invalid value {_a:1} (does not satisfy struct.MinFields(1)): len(fields) < MinFields(1) (0 < 1)"},
    {"struct.MaxFields(1) & {a: 1, b?: 2}", "{a:1,b?:2}"},
    {"struct.MaxFields(1) & {a: 1, #c: 3}", "{a:1,#c:3}"},
    {"struct.MaxFields(0) & {a: 1}",
     "error: invalid value {a:1} (does not satisfy struct.MaxFields(0)): len(fields) > MaxFields(0) (1 > 0)"},
    {"struct.MinFields({a: 1, b: 2}, 2)", "true"},
    {"struct.MaxFields({a: 1, b: 2}, 1)", "false"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
