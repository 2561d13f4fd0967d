#include "cue/export/unshadow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.h"
#include "cue/syntax/format.h"

namespace opm::cue::exporting {
namespace {

using testing::ElementsAre;

TEST(NameNumbers, AreTheOnesThatCueTakes) {
  NameNumbers numbers;
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 5; ++i) first.push_back(numbers.below(16));
  EXPECT_THAT(first, ElementsAre(9, 11, 6, 0, 7));
}

TEST(NameNumbers, AreWrittenInCapitals) { EXPECT_EQ(hexadecimal(0x1AB), "1AB"); }

// a: 1, b: {a: 2, c: a}, where the last a means the first.
TEST(Unshadow, GivesAFieldThatIsHiddenAnotherName) {
  base::Arena arena;
  Builder make(arena);
  syntax::Identifier* reference = make.identifier("a");
  std::vector<syntax::Declaration*> inner = {
      make.field(make.identifier("a"), syntax::Constraint::none, make.literal(syntax::Token::integer, "2")),
      make.field(make.identifier("c"), syntax::Constraint::none, reference)};
  std::vector<syntax::Declaration*> outer = {
      make.field(make.identifier("a"), syntax::Constraint::none, make.literal(syntax::Token::integer, "1")),
      make.field(make.identifier("b"), syntax::Constraint::none, make.structure(inner))};
  auto* file = make.make<syntax::File>(syntax::NodeKind::file);
  file->declarations = arena.copy(outer);
  syntax::StructLiteral* root = make.structure(outer);
  Resolution resolution;
  resolution.root = root;
  resolution.fields[reference] = root;
  EXPECT_TRUE(unshadow(make, *file, resolution).empty());
  EXPECT_EQ(syntax::format(*file), "a_9=a: 1\nb: {\n\ta: 2\n\tc: a_9\n}\n");
}

}  // namespace
}  // namespace opm::cue::exporting
