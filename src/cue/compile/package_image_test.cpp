#include "cue/compile/package_image.h"

#include <sys/mman.h>

#include <cstring>

#include "base/joined.h"
#include "base/move_pages.h"
#include "base/sanitized.h"
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

using Placement = PackageImage::Placement;

// Bytes of an image on pages of their own, as they stand in a program.
class Pages {
 public:
  explicit Pages(std::string_view bytes) : size_(base::whole_pages(bytes.size())) {
    pages_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(pages_, bytes.data(), bytes.size());
    ::mprotect(pages_, size_, PROT_READ);
  }
  ~Pages() { ::munmap(pages_, size_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  const unsigned char* bytes() const { return static_cast<const unsigned char*>(pages_); }
  void were_moved() { pages_ = reinterpret_cast<void*>(image::kAddress); }

 private:
  std::size_t size_;
  void* pages_;
};

class ImageTest : public CompileTest {
 protected:
  ImageTest() { files_.add_file("/test/0.cue", std::string(kEverything)); }

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

class PackageImageTest : public ImageTest, public testing::WithParamInterface<Placement> {};

constexpr std::uint32_t kFirstPackage = 5;

TEST_P(PackageImageTest, HasEverythingThatWasCompiled) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package) << base::joined(told(result.errors), "; ");
  auto bytes = write_image({image_package(result)}, names_, kFirstPackage);
  ASSERT_TRUE(bytes) << bytes.error();
  Pages pages(*bytes);
  PackageImage image(pages.bytes(), files_, GetParam());
  if (image.was_moved()) pages.were_moved();
#ifdef OPM_SANITIZED
  EXPECT_FALSE(image.was_moved());
#else
  EXPECT_EQ(image.was_moved(), GetParam() == Placement::moved);
#endif

  EXPECT_EQ(image.find("/test", "other"), std::nullopt);
  EXPECT_EQ(image.find("/tes", "test"), std::nullopt);
  ASSERT_EQ(image.find("/test", "test"), 0u);
  ASSERT_EQ(image.import_count(0), 3u);
  EXPECT_EQ(image.import(0, 0).path, "example.com/shapes");
  EXPECT_FALSE(image.import(0, 0).is_standard);
  EXPECT_TRUE(image.import(0, 0).is_used);
  EXPECT_TRUE(image.import(0, 1).is_standard);
  EXPECT_FALSE(image.import(0, 1).is_used);  // but for a function

  diag::SourceMap sources;
  const diag::Source* before = sources.add("before.cue", "a: 1\n");
  ASSERT_TRUE(sources.stand_on(image.stored_sources()));
  EXPECT_LT(before->begin, image.source_begin(0));
  EXPECT_EQ(image.source_path(image.sources(0)[0]), "/test/0.cue");
  EXPECT_EQ(sources.find(image.source_begin(0))->text, kEverything);
  base::NameTable names(&image.names());
  ASSERT_EQ(image.packages().size(), 1u);
  const Package* package = image.packages()[0];
  EXPECT_EQ(package->path, "example.com/test");
  EXPECT_EQ(package->name, "test");
  ASSERT_EQ(package->files.size(), 1u);
  std::string expected = dump(names_, *result.package->files[0]);
  EXPECT_EQ(dump(names, *package->files[0]), expected);

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
  EXPECT_EQ(static_cast<const ImportReference*>(square.operand)->package, kFirstPackage);
}

TEST_P(PackageImageTest, HasItsPlaceInAList) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package);
  auto bytes = write_image({image_package(result)}, names_, 1);
  ASSERT_TRUE(bytes) << bytes.error();
  Pages pages(*bytes);
  PackageImage image(pages.bytes(), files_, GetParam());
  if (image.was_moved()) pages.were_moved();

  PackageList list;
  list.add(nullptr);
  list.stand_on(image, environment_);
  list.add(result.package);
  ASSERT_EQ(list.size(), 3u);
  list.replace(0, result.package);
  EXPECT_EQ(list.package(0), result.package);
  EXPECT_EQ(list.package(1), image.packages()[0]);
  EXPECT_EQ(list.package(2), result.package);

  // Functions of it are those that everyone has.
  auto function = [&](const Package& package) -> const BuiltinExpression& {
    const Field* field = package.files[0]->find(identifier_label(names_, "when", ""));
    return static_cast<const BuiltinExpression&>(*field->value);
  };
  const BuiltinExpression& own = function(*result.package);
  const BuiltinExpression& stored = function(*list.package(1));
  EXPECT_NE(stored.builtin, own.builtin);
  EXPECT_EQ(stored.builtin->package, "time");
  EXPECT_EQ(stored.builtin->name, "Parse");
  EXPECT_EQ(list.builtin(own), own.builtin);
  EXPECT_EQ(list.builtin(stored), own.builtin);
  EXPECT_EQ(list.builtin(stored), own.builtin);
}

INSTANTIATE_TEST_SUITE_P(Placements, PackageImageTest, testing::Values(Placement::moved, Placement::copied),
                         [](const auto& test) { return test.param == Placement::moved ? "Moved" : "Copied"; });

// The place may be taken.
TEST_P(PackageImageTest, IsCopiedWhereItCannotBeMoved) {
  CompileResult result = compile({std::string(kEverything)});
  auto bytes = write_image({image_package(result)}, names_, kFirstPackage);
  ASSERT_TRUE(bytes) << bytes.error();
  Pages pages(*bytes), more(*bytes);
  PackageImage image(pages.bytes(), files_, GetParam());
  if (image.was_moved()) pages.were_moved();
  PackageImage second(more.bytes(), files_, Placement::moved);
  if (second.was_moved()) more.were_moved();
  EXPECT_FALSE(image.was_moved() && second.was_moved());
  EXPECT_EQ(dump(names_, *second.packages()[0]->files[0]), dump(names_, *image.packages()[0]->files[0]));
}

TEST_F(ImageTest, RefusesWhatIsNotListed) {
  CompileResult result = compile({std::string(kEverything)});
  ASSERT_TRUE(result.package);
  ImagePackage package = image_package(result);
  package.imports.erase(package.imports.begin());
  EXPECT_FALSE(write_image({package}, names_, kFirstPackage));
  package = image_package(result);
  package.sources.clear();
  EXPECT_FALSE(write_image({package}, names_, kFirstPackage));
}

}  // namespace
}  // namespace opm::cue::compile
