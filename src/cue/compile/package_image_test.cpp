#include "base/joined.h"
#include "cue/compile/package_image.h"

#include <cstring>

#include "cue/compile/compile_fixture.h"
#include "cue/compile/package_image_writer.h"
#include "cue/compile/package_list.h"

namespace opm::cue::compile {
namespace {

// Something of everything that a program is made of.
constexpr std::string_view kEverything = R"cue(
@file(attribute)
package test

import (
	"strings"
	"time"
	"example.com/shapes"
)

// documented
// twice
a: {b: 1, b: int @tag(x,y), "c d": true, null: null}
#Open: {x?: string, y!: bytes, [=~"^k"]: int, [Name=string]: {name: Name}, ...}
numbers: [1, -2.5, 18446744073709551616, 0x1F, ...number]
text: "in \(a.b) and \(strings.ToUpper("x"))"
raw: '\x01'
choice: *"a" | "b" | >=3 & <5 | !="z"
sum: (a.b+2)*3 - len("x")
flags: !true || 1 == 2
let local = a
from: local.b
shape: shapes.#Square & {side: 2}
when: time.Parse
sliced: numbers[0:1][0]
for k, v in a if k != "b" let w = v {
	(k): w
	"\(k)-x": k
}
X="dy-\(a.b)": 1
again: X
alias: Y={z: Y.q, q: 1}
list: [for x in numbers {x}]
_hidden: _|_
anything: _
kinds: uint64
)cue";

class PackageImageTest : public CompileTest {
 protected:
  PackageImageTest() { files_.add_file("/test/0.cue", std::string(kEverything)); }

  ImagePackage image_package(const CompileResult& result) {
    ImagePackage package;
    package.package = result.package;
    package.directory = "/test";
    package.imports = {{"example.com/shapes", false, 0}, {"strings", true, 0}, {"time", true, 0}};
    package.sources = {{"/test/0.cue", sources_.find({1})}};
    return package;
  }

  base::MemoryFileSystem files_;
};

TEST_F(PackageImageTest, HasEverythingThatWasCompiled) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package) << base::joined(told(result.errors), "; ");
  auto bytes = write_image({image_package(result)}, names_);
  ASSERT_TRUE(bytes) << bytes.error();
  std::vector<std::max_align_t> aligned(bytes->size() / sizeof(std::max_align_t) + 1);
  std::memcpy(aligned.data(), bytes->data(), bytes->size());
  PackageImage image(reinterpret_cast<const unsigned char*>(aligned.data()), files_);

  EXPECT_EQ(image.find("/test", "other"), std::nullopt);
  EXPECT_EQ(image.find("/tes", "test"), std::nullopt);
  ASSERT_EQ(image.find("/test", "test"), 0u);
  ASSERT_EQ(image.import_count(0), 3u);
  EXPECT_EQ(image.import(0, 0).path, "example.com/shapes");
  EXPECT_FALSE(image.import(0, 0).is_standard);
  EXPECT_TRUE(image.import(0, 0).is_used);
  EXPECT_TRUE(image.import(0, 1).is_standard);
  EXPECT_FALSE(image.import(0, 1).is_used);  // but for a function

  std::vector<const BuiltinSignature*> builtins;
  for (std::size_t i = 0; i < image.builtin_count(); ++i)
    builtins.push_back(environment_.builtin(image.builtin(i).package, image.builtin(i).name));
  diag::SourceMap sources;
  sources.add("before.cue", "a: 1\n");
  std::vector<const diag::Source*> added = image.add_sources(sources);
  ASSERT_EQ(added.size(), 1u);
  base::NameTable names(&image.names());
  std::vector<std::byte> memory(image.node_bytes(0));
  const Package* package =
      image.place(0, memory.data(), std::vector<std::uint32_t>{70, 80, 90}, {added.front()->begin, builtins});
  EXPECT_EQ(package->path, "example.com/test");
  EXPECT_EQ(package->name, "test");
  ASSERT_EQ(package->files.size(), 1u);
  std::string before = dump(names_, *result.package->files[0]);
  EXPECT_EQ(dump(names, *package->files[0]), before);

  // Where it was written is still known.
  const StructExpression& was = *result.package->files[0];
  const StructExpression& is = *package->files[0];
  ASSERT_EQ(is.fields.size(), was.fields.size());
  for (std::size_t i = 0; i < is.fields.size(); ++i) {
    diag::Location then = sources_.locate(was.fields[i]->value->position);
    diag::Location now = sources.locate(is.fields[i]->value->position);
    EXPECT_EQ(now.line, then.line);
    EXPECT_EQ(now.column, then.column);
    EXPECT_EQ(now.file, then.file);
    EXPECT_EQ(sources.line_text(is.fields[i]->position), sources_.line_text(was.fields[i]->position));
  }
  EXPECT_THAT(is.fields[0]->documentation, testing::ElementsAre("// documented", "// twice"));
  EXPECT_EQ(is.attributes.size(), was.attributes.size());
  Label label = identifier_label(names, "shape", "");
  const auto& shape = static_cast<const Unify&>(*is.find(label)->value);
  const auto& square = static_cast<const Selector&>(*shape.left);
  EXPECT_EQ(static_cast<const ImportReference*>(square.operand)->package, 70u);
}

TEST_F(PackageImageTest, PlacesPackagesWhenTheyAreAskedFor) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package);
  auto bytes = write_image({image_package(result)}, names_);
  ASSERT_TRUE(bytes) << bytes.error();
  std::vector<std::max_align_t> aligned(bytes->size() / sizeof(std::max_align_t) + 1);
  std::memcpy(aligned.data(), bytes->data(), bytes->size());
  PackageImage image(reinterpret_cast<const unsigned char*>(aligned.data()), files_);
  std::vector<const BuiltinSignature*> builtins;
  for (std::size_t i = 0; i < image.builtin_count(); ++i)
    builtins.push_back(environment_.builtin(image.builtin(i).package, image.builtin(i).name));

  PackageList list;
  list.stand_on(image, diag::Position{100}, builtins);
  list.add(result.package);
  list.add_placed_later(0, std::vector<std::uint32_t>{70, 80, 90});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.package(0), result.package);
  const Package* placed = list.package(1);
  EXPECT_EQ(list.package(1), placed);
  EXPECT_NE(placed, result.package);
  base::NameTable names(&image.names());
  EXPECT_EQ(dump(names, *placed->files[0]), dump(names_, *result.package->files[0]));
}

TEST_F(PackageImageTest, RefusesWhatIsNotListed) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package);
  ImagePackage package = image_package(result);
  package.imports.erase(package.imports.begin());
  EXPECT_FALSE(write_image({package}, names_));
  package = image_package(result);
  package.sources.clear();
  EXPECT_FALSE(write_image({package}, names_));
}

}  // namespace
}  // namespace opm::cue::compile
