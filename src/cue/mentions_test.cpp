#include "cue/mentions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/program_parts.h"

namespace opm::cue {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// By the field "x".
std::vector<std::string> mentioned(const std::string& text) {
  auto program = Program::from_text("x.cue", text);
  const Program::Parts& parts = program->parts();
  base::Name name = parts.names.find("x");
  PackageField field{parts.instances[0].package, Label::make(LabelKind::string, static_cast<std::uint32_t>(name))};
  return mentioned_definitions(*program, {&field, 1});
}

TEST(Mentions, AreWhatIsDeclaredAndSelected) {
  EXPECT_THAT(mentioned("x: {#a: 1, b: #a, c: d.#e, d: _}"), ElementsAre("#a", "#e"));
  EXPECT_THAT(mentioned("x: [for y in [{#a: 1}] if y.#b != _|_ {\"\\(y.#c)\"}]"), ElementsAre("#a", "#b", "#c"));
  EXPECT_THAT(mentioned("x: {let l = {#a: 1}, b: len(l.#b) + 1, c: >l.#d | *l.#e, d: {[=~l.#c]: 1, (l.#f): 1}}"),
              ElementsAre("#a", "#b", "#c", "#d", "#e", "#f"));
  EXPECT_THAT(mentioned("x: {a: _#h, _#h: 1, b: \"#c\"}"), IsEmpty()) << "hidden ones nobody else comes to";
}

TEST(Mentions, GoOnInWhatIsReferredTo) {
  EXPECT_THAT(mentioned("x: {a: f}\nf: g & {v: 1}\ng: h.#b\nh: {#b: 1}\nother: {#c: 1}\n"), ElementsAre("#b"));
  EXPECT_THAT(mentioned("x: #A\n#A: {#B: #A, #C?: _}\n"), ElementsAre("#B", "#C")) << "#A is at the top";
  EXPECT_THAT(mentioned("let l = {y: z.#a}\nx: l.y\nz: #a: 1\n"), ElementsAre("#a"));
}

TEST(Mentions, HoldWhatAFileSaysOfAllFields) {
  EXPECT_THAT(mentioned("x: _\n[string]: {#a: 1}\n"), ElementsAre("#a"));
  EXPECT_THAT(mentioned("x: _\ny: true\nif y {x: #a: 1}\n"), ElementsAre("#a"));
}

}  // namespace
}  // namespace opm::cue
