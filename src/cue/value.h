// The engine's whole public face. A Program is loaded and compiled once and never
// changes; any number of Contexts may evaluate it, each in its own thread. A Value is a
// handle to a node of a context and lives as long as that does.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/number.h"
#include "cue/compile/label.h"
#include "cue/compile/program.h"
#include "cue/load/load.h"
#include "data/tree.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue {

namespace eval {
class Evaluator;
struct Node;
struct Limits;
}  // namespace eval

using Diagnostics = std::vector<diag::Diagnostic>;
using compile::KindSet;
namespace kinds = compile::kinds;

// --- programs ---------------------------------------------------------------------------

// One package that was named to load, or the files that were.
struct Instance {
  std::uint32_t package = 0;  // index into the program's packages
  std::size_t request = 0;    // of those that were loaded together
  std::string display_path;
  std::string import_path;
  std::string name;
  std::string directory;
  std::string identity;  // what its hidden fields belong to
  bool is_command_line = false;  // made of files named as arguments
  bool has_files = true;         // of CUE
  std::vector<load::DataFile> data_files;
  Diagnostics errors;  // of loading and compiling it; it can't be evaluated if there are any
};

// What to load of one main module.
struct LoadRequest {
  std::vector<std::string> arguments;
  load::LoadOptions options;
};

class Program;

// The files of a program, read and parsed. Program::load() compiles them as well; this is for whoever wants to do something in
// between, to look at the time say.
class ProgramFiles {
 public:
  explicit ProgramFiles(std::vector<LoadRequest> requests);
  ~ProgramFiles();
  std::shared_ptr<const Program> compile() &&;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

class Program {
 public:
  // What `arguments` name, with everything that is imported. Errors that concern one
  // instance are with the instance, those of the arguments in errors().
  static std::shared_ptr<const Program> load(const std::vector<std::string>& arguments, load::LoadOptions options);
  // Several main modules in one program. A package of a module that they depend on at the same version is there once.
  static std::shared_ptr<const Program> load(std::vector<LoadRequest> requests);
  // One file from memory; imports of standard packages work, others don't.
  static std::shared_ptr<const Program> from_text(std::string name, std::string text);

  ~Program();
  std::span<const Instance> instances() const;
  const Diagnostics& errors() const;
  const diag::SourceMap& sources() const;
  diag::SourceMap& mutable_sources() const;  // adding a source is safe from any thread
  const load::LoadResult& loaded(std::size_t request = 0) const;
  // Whether a file of the instance, other than those left out, declares that field at its top.
  bool declares(std::size_t instance, std::string_view field, const std::function<bool(std::string_view file)>& left_out) const;

  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  friend class ProgramFiles;
  Program();
  std::unique_ptr<Parts> parts_;
};

// --- paths --------------------------------------------------------------------------------

// a.b[3]."c d".#E
class Path {
 public:
  struct Element {
    enum class Kind : std::uint8_t { field, index, definition, hidden } kind = Kind::field;
    std::string name;
    std::uint32_t index = 0;
    std::string package;  // hidden: "" is the package that the context's first instance is
  };
  std::vector<Element> elements;

  static std::expected<Path, std::string> parse(std::string_view text);
  static Path of(std::initializer_list<std::string_view> fields);
  Path child(std::string_view field) const;
  std::string text() const;
};

// --- values --------------------------------------------------------------------------------

class Context;

// A top-level field of a package of the program: the same in every context.
struct PackageField {
  std::uint32_t package = 0;
  Label label;
};

// Of the fields of a struct as data. The order in which they are written follows from all the literals that make up the
// struct, which takes time to find out.
enum class MemberOrder : std::uint8_t { written, by_name };

// What is written about a field in one place.
using Declaration = const compile::Expression*;

struct ValidateSettings {
  bool concrete = false;  // all regular fields have concrete values, required ones are there
  bool incomplete = false;  // report what is incomplete even if it need not be concrete
  // Definitions and hidden fields of the value itself are evaluated as far as its other fields need them, and not checked.
  bool only_regular = false;
  // Before it is printed as CUE: what is not in the way of that is left out. If the value itself has failed, for whatever
  // reason, it has to be more than that: no references in circles, no required fields that are missing.
  bool to_be_shown = false;
};

// How a value is written as CUE source.
struct SourceSettings {
  bool definition = false;   // as it is defined, references and all, rather than what it is
  bool take_defaults = true;
  bool optional = false;     // optional fields,
  bool definitions = false;  // definitions,
  bool hidden = false;       // hidden fields of `package`,
  bool documentation = false;
  bool attributes = false;
  bool errors_as_values = false;  // what is beside an error is shown too
  std::string package = "_";      // whose hidden fields
  std::string package_name;       // a package clause, unless empty
  bool simplify_labels = false;   // no needless quotes and braces
  unsigned indent_spaces = 0;     // 0: tabs
};

class Value {
 public:
  Value() = default;
  Value(Context* context, eval::Node* node) : context_(context), node_(node) {}

  bool valid() const { return node_ != nullptr; }
  Context& context() const { return *context_; }
  eval::Node* node() const { return node_; }

  // The field or element; an invalid value if there is none.
  Value find(const Path& path) const;
  Value find(std::string_view path) const;
  Value field(std::string_view name) const;  // a regular field by its exact name
  bool exists() const;                       // valid, and not an error from not being there
  KindSet kind() const;                      // of the value, with its default taken; bottom for errors
  KindSet possible_kinds() const;            // without
  bool concrete() const;
  bool has_error() const;                    // here or below, incompleteness aside
  Diagnostics errors() const;

  std::optional<std::string_view> string() const;
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;

  // What a value that only refers to another refers to, or the value itself.
  Value target() const;
  // The declarations that say something of the field, if each refers to nothing but fields of packages: then they say the
  // same of any other field, too.
  std::optional<std::vector<Declaration>> package_declarations() const;
  // Fields of a struct that stay what they are whatever the fields with these names ("#name" for a definition) become, as
  // far as that shows in what is written.
  struct IndependentField {
    std::string name;
    std::vector<Declaration> declarations;
  };
  std::vector<IndependentField> fields_independent_of(std::span<const std::string> names) const;
  // The default of a disjunction, or the value itself.
  Value with_default() const;
  // Whether it is a disjunction with one default: *1 | int.
  bool has_default() const;

  enum FieldSelection : unsigned { regular = 0, definitions = 1, hidden = 2, optional = 4, all = 7 };
  struct FieldEntry;
  std::vector<FieldEntry> fields(unsigned selection = regular) const;
  // Which regular fields there are, in no order. Nothing below is evaluated for that, so what is wrong there stays untold.
  std::vector<FieldEntry> shallow_fields() const;
  std::vector<Value> elements() const;
  std::string label() const;
  std::string path() const;

  // Whether a field of that name may be added.
  bool allows(std::string_view field) const;

  Value unify(const Value& other) const;
  // What it would be without the declarations that stand in such files.
  using FilePredicate = std::function<bool(std::string_view file)>;
  Value without_files(const FilePredicate& left_out) const;
  // What it would be if fields below it had been declared otherwise; evaluated at once, all of it. Declarations that
  // stand in files that `kept` names stay.
  struct Redeclaration;
  Value redeclared(std::span<const Redeclaration> fields, const FilePredicate& kept) const;
  // The value with all these paths filled, in one step.
  Value fill(std::span<const std::pair<Path, Value>> values) const;

  // Evaluates everything below and gives all errors.
  Diagnostics validate(const ValidateSettings& settings = {}) const;

  // As plain data: concrete all the way down, defaults taken. Numbers are written in `style`.
  std::expected<data::Value, Diagnostics> to_data(base::NumberStyle style = base::NumberStyle::json,
                                                  MemberOrder order = MemberOrder::written) const;

  // As CUE source. What is incomplete is written as the expression that it comes from.
  std::string to_cue(const SourceSettings& settings = {}) const;

  // The fields of packages that the value is the unification of; none if it is anything else.
  std::vector<PackageField> package_fields() const;

  // Where each conjunct of the value stands in the sources, the innermost last.
  std::vector<diag::Position> positions() const;
  // Where everything stands that the value itself was made of, through references and the branches of disjunctions.
  std::vector<diag::Position> origins() const;

 private:
  Context* context_ = nullptr;
  eval::Node* node_ = nullptr;
};

struct Value::Redeclaration {
  Value field;  // as it was found below the value
  Value value;  // an invalid one: it is declared without saying anything
};

struct Value::FieldEntry {
  std::string name;  // as a selector: quoted where needed
  Label label;
  bool is_optional = false;
  bool is_required = false;
  Value value;
};

// --- contexts -------------------------------------------------------------------------------

// Evaluation ends with an error when it takes more than this.
struct Budget {
  std::uint64_t steps = 100'000'000;
  std::uint32_t depth = 20'000;
  std::uint64_t bytes = 2ull << 30;
};

// Evaluation nests as deeply as the configuration does, within its budget: this runs `work` in
// a thread that has the stack for it, and returns when it is done.
void run_on_large_stack(const std::function<void()>& work);

class Frozen;
struct FrozenParts;

// To be used by one thread at a time; one that is made on a large stack stays there.
class Context {
 public:
  explicit Context(std::shared_ptr<const Program> program, const Budget& budget = {});
  // `frozen`: values that it can take up; `memory`: what it takes and gives back. Both have to live as long.
  Context(std::shared_ptr<const Program> program, const Frozen* frozen, base::BlockPool* memory = nullptr,
          const Budget& budget = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Program& program() const { return *program_; }
  // The value of an instance (by its place in Program::instances).
  Value instance(std::size_t index);
  Value package(std::uint32_t package);
  // A top-level field of a package, and nothing else of it; invalid if there is none.
  Value package_field(std::uint32_t package, std::string_view name);
  Value package_field(const PackageField& field);
  // An expression that sees the fields and imports of an instance.
  std::expected<Value, Diagnostics> expression(std::string_view text, std::size_t instance, std::string_view name = "expression");
  // An expression that sees the fields of a value. `package_path` is whose hidden fields it sees.
  std::expected<Value, Diagnostics> expression(std::string_view text, const Value& scope, std::string_view name,
                                               std::string_view package_path);
  // CUE source of its own.
  std::expected<Value, Diagnostics> compile(std::string_view text, std::string_view name = "value");
  Value from_data(const data::Value& data);
  // Data files: all of them at once, each as if it were a CUE file of one package.
  Value from_documents(std::span<const data::Value> documents);
  Value from_string(std::string_view text);
  // In all that is evaluated from now on, a field at the top of a file of the instance is that value instead of what is
  // written there.
  void redeclare(std::size_t instance, std::string_view file, std::string_view field, const Value& value);
  // In all that is evaluated from now on, these say nothing. For those who know already that what they say is so.
  void mute(std::span<const Declaration> declarations);
  // Whether the data is certainly an instance of the definition, and concrete: seen at a glance, without evaluating them
  // together. No means that it has to be evaluated to know.
  bool is_instance(const data::Value& data, const Value& definition);
  // What the context's frozen values hold under that handle.
  Value thaw(const eval::Node* frozen);

  // Several worlds at once. A value of from_worlds is something else in each of them; what does not depend on it is
  // evaluated once. Everything is evaluated as it is in the first world that is held. When a decision would be another
  // one in some world, that world is dropped: what was evaluated says nothing about it. To be asked at the end.
  void open_worlds(std::vector<bool> held);
  bool holds(std::size_t world) const;
  // Nothing: more differs between them than numbers and texts.
  std::optional<Value> from_worlds(std::span<const data::Value* const> worlds);
  // What `work` reads is as it is in that world. Without it, reading what varies drops the worlds where it differs.
  void in_world(std::size_t world, const std::function<void()>& work);

  eval::Evaluator& evaluator() { return *evaluator_; }
  // Why evaluation ended early, if it did: what was made since is incomplete.
  Diagnostics exhaustion();
  std::size_t bytes_used() const;
  // Misspelt fields are reported beside other errors: more than cue says, for those who want to know all at once.
  void report_all_errors();
  // Runs `work` on a large stack. Everything that evaluates must run inside; the methods of
  // Value do so themselves when they are not.
  void run(const std::function<void()>& work);

 private:
  void note_stack();

  std::shared_ptr<const Program> program_;
  std::unique_ptr<eval::Evaluator> evaluator_;
  bool inside_ = false;
};

// --- frozen values --------------------------------------------------------------------------

// Values that left their context: immutable, so that any number of contexts, each in its own
// thread, may take them up at once. They are kept as the nodes that evaluation meets, so that taking them up costs nothing,
// and know where in the sources each part was written. Several threads may freeze at once, but not while a context uses what
// is frozen: that grows.
class Frozen {
 public:
  using Handle = const eval::Node*;

  explicit Frozen(std::shared_ptr<const Program> program);
  // One that stands on another: the other's handles can be parts of its values. It is for values of contexts with `base`.
  explicit Frozen(const Frozen* base);
  ~Frozen();
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

  // A concrete value with its definitions, in the order in which comprehensions meet its fields; in all worlds of its
  // context, if there are some. Hidden ones and whatever is not concrete (schemas in definitions) are left out.
  Handle freeze(const Value& value);
  Handle freeze(const data::Value& data);
  // The same, or nothing if something of the value would be left out.
  Handle freeze_whole(const Value& value);
  // What is the first of these in the first world, the second in the second…; one that varies stands several times in a row,
  // for its own worlds. Nothing: they are not of the same shape, or more differs between them than texts and numbers.
  Handle varying(std::span<const Handle> worlds);
  // The same for all handles that varying() can put together, and another one for most that it can't.
  std::size_t shape(Handle frozen) const;
  // A struct of these fields; "#name" is a definition.
  Handle structure(std::span<const std::pair<std::string_view, Handle>> fields);

  // As CUE source, in the order of its fields: what it evaluates to is the frozen value.
  std::string source(Handle frozen) const;

  const base::NameTable& names() const;

 private:
  Handle freeze(const Value& value, bool whole);

  std::shared_ptr<const Program> program_;
  std::unique_ptr<FrozenParts> parts_;
};

}  // namespace opm::cue
