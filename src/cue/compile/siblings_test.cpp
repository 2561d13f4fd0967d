#include "cue/compile/siblings.h"

#include "cue/compile/compile_fixture.h"

namespace opm::cue::compile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SiblingsTest : public CompileTest {
 protected:
  // What the value of the file's field x refers to; "*" for the whole file.
  std::vector<std::string> siblings(const std::string& text, std::string_view version = "") {
    CompileResult result = compile({text}, version);
    if (!result.package) return told(result.errors);
    const StructExpression& file = *result.package->files[0];
    for (const Field* field : file.fields) {
      if (label_text(names_, field->label) != "x") continue;
      auto found = sibling_references(file, field->value);
      if (!found) return {"*"};
      std::vector<std::string> names;
      for (Label label : *found) names.emplace_back(label_text(names_, label));
      return names;
    }
    return {"no field x"};
  }
};

TEST_F(SiblingsTest, AreFoundInEveryKindOfExpression) {
  EXPECT_THAT(siblings(R"cue(a: 1, b: 2, x: a + b)cue"), ElementsAre("a", "b"));
  EXPECT_THAT(siblings(R"cue(a: {}, x: a.b.c)cue"), ElementsAre("a"));
  EXPECT_THAT(siblings(R"cue(a: [1], b: 0, c: 1, x: a[b:c][b])cue"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(siblings(R"cue(a: 1, x: "\(a)")cue"), ElementsAre("a"));
  EXPECT_THAT(siblings(R"cue(a: 1, b: 2, x: >a & <b | !=3)cue"), ElementsAre("a", "b"));
  EXPECT_THAT(siblings(R"cue(a: 1, x: len([a, ...a]))cue"), ElementsAre("a"));
  EXPECT_THAT(siblings(R"cue(a: true, x: !a)cue"), ElementsAre("a"));
}

TEST_F(SiblingsTest, AreFoundInNestedStructsAndNotTakenForTheirFields) {
  EXPECT_THAT(siblings(R"cue(a: 1, b: 2, x: {c: a, b: 3, d: b, e: {f: d}})cue"), ElementsAre("a"));
  EXPECT_THAT(siblings(R"cue(a: 1, b: "k", c: 3, x: {[b]: a, (b): c})cue"), ElementsAre("b", "a", "c"));
  EXPECT_THAT(siblings(R"cue(a: {}, b: 1, c: 2, x: {for k, v in a if k != b {(k): v + c}})cue"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(siblings(R"cue(a: 1, x: {let l = a, y: l})cue"), ElementsAre("a"));
}

TEST_F(SiblingsTest, AreFoundThroughLetsOfTheStruct) {
  EXPECT_THAT(siblings(R"cue(a: 1, let l = a, let m = l, x: {y: m})cue"), ElementsAre("a"));
}

TEST_F(SiblingsTest, AreNoneInConstantsAndPackages) {
  EXPECT_THAT(siblings(R"cue(import "example.com/shapes"
x: shapes.#Square & {side: 3})cue"),
              IsEmpty());
}

TEST_F(SiblingsTest, CannotBeToldWhereTheWholeStructIsMeant) {
  EXPECT_THAT(siblings(R"cue(k: "x", X=(k): 1, x: {y: X})cue"), ElementsAre("*"));
}

}  // namespace
}  // namespace opm::cue::compile
