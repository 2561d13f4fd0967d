// Large structs, by several threads. Each compiles a part of the declarations with a compiler of its own, which knows what
// the leader knows, in an arena and with a table of names of its own. In the end the leader takes all of them over in the
// order of the declarations, so that every name gets the id that it would have got from one thread. Where something is
// wrong, or out of the ordinary, the parts are dropped and the leader does it all, so that errors are what they always are.
#include <algorithm>
#include <atomic>
#include <deque>

#include "base/workers.h"
#include "cue/compile/compiler.h"
#include "cue/compile/label_table.h"

namespace opm::cue::compile {

namespace {

// Starting a thread costs as much as compiling some of these.
constexpr std::size_t kBytesWorthAThread = 24 * 1024;
constexpr std::size_t kPartsOfThread = 2;  // so that whoever is slower has fewer of them
// Threads have stacks like any other. What is nested more deeply is left to the leader.
constexpr unsigned kDeepestPart = 200;

}  // namespace

struct Compiler::Part {
  Part(const Compiler& leader, std::span<syntax::Declaration* const> some)
      : memory(std::make_unique<PartMemory>(leader.names_)),
        compiler(memory->arena, memory->names, leader),
        declarations(some),
        parts(memory->arena, some.size()) {}

  void compile() {
    parts.structure = &structure;
    parts.scope = compiler.scope_;
    for (const syntax::Declaration* declaration : declarations) compiler.compile_declaration(parts, *declaration);
  }
  bool is_good() const { return compiler.errors_.empty() && !compiler.is_unfit_; }

  std::unique_ptr<PartMemory> memory;
  Compiler compiler;
  std::span<syntax::Declaration* const> declarations;
  StructExpression structure{};  // what these declarations say of the struct
  StructParts parts;
};

// Stands where the leader stands.
Compiler::Compiler(base::Arena& arena, base::NameTable& names, const Compiler& leader)
    : arena_(arena), names_(names), environment_(leader.environment_), package_path_(leader.package_path_),
      language_version_(leader.language_version_), features_(leader.features_), source_(leader.source_),
      bindings_(leader.bindings_), newest_(leader.newest_), imports_(leader.imports_), package_names_(leader.package_names_),
      root_is_dynamic_(leader.root_is_dynamic_), depth_(std::max(leader.depth_, kMaxDepth - kDeepestPart)),
      try_depth_(leader.try_depth_), first_young_(names.size()) {
  Scope** place = &scope_;
  for (const Scope* scope = leader.scope_; scope; scope = scope->outer) {
    *place = scratch_.make<Scope>(*scope);
    place = &(*place)->outer;
  }
  stand_in(scope_);
  for (Binding& binding : bindings_) binding.scope = path_[binding.scope->depth];
}

// Where the parts of a struct end; empty: it is not worth while, or there are things that threads would have to share.
std::vector<std::size_t> Compiler::part_ends(std::span<syntax::Declaration* const> declarations) const {
  if (declarations.size() < 2) return {};
  std::size_t first = declarations.front()->begin.value;
  std::size_t bytes = declarations.back()->end.value - first;
  std::size_t threads = std::min<std::size_t>(threads_, bytes / kBytesWorthAThread);
  if (threads < 2 || !errors_.empty() || is_root_expression_ || pattern_scope_ || scope_->dynamic_aliases > 0) return {};
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    if (!scope->lets.empty()) return {};
  }
  std::size_t count = threads * kPartsOfThread;
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= declarations.size(); ++i) {
    std::size_t done = i < declarations.size() ? declarations[i]->begin.value - first : bytes;
    if (done < (ends.size() + 1) * bytes / count && i < declarations.size()) continue;
    ends.push_back(i);
  }
  // One of them may hold nearly everything: then its own declarations are what can be divided.
  return ends.size() > threads ? ends : std::vector<std::size_t>();
}

bool Compiler::compile_in_parts(StructParts& parts, std::span<syntax::Declaration* const> declarations) {
  std::vector<std::size_t> ends = part_ends(declarations);
  if (ends.empty()) return false;
  std::deque<Part> made;
  for (std::size_t begin = 0; std::size_t end : ends) {
    made.emplace_back(*this, declarations.subspan(begin, end - begin));
    begin = end;
  }
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i = next++; i < made.size(); i = next++) made[i].compile();
  };
  {
    base::Workers others(std::min<std::size_t>(threads_, made.size()) - 1, [&](std::size_t) { work(); });
    work();
  }
  if (!std::ranges::all_of(made, &Part::is_good)) return false;
  for (Part& part : made) take_over(parts, part);
  return true;
}

void Compiler::take_over(StructParts& parts, Part& part) {
  Compiler& other = part.compiler;
  std::vector<base::Name> names;
  for (std::uint32_t young = other.first_young_; young < other.names_.size(); ++young)
    names.push_back(names_.intern(other.names_.text(base::Name{young})));
  for (Label* label : other.young_labels_) {
    base::Name name = names[label->index() - other.first_young_];
    *label = Label::make(label->kind(), static_cast<std::uint32_t>(name));
  }
  for (auto& [structure, fields] : other.young_tables_) structure->table = link_fields(arena_, fields);
  part_memory_->push_back(std::move(part.memory));
  for (std::size_t i = 0; i < bindings_.size(); ++i) bindings_[i].used = bindings_[i].used || other.bindings_[i].used;
  for (std::size_t i = 0; i < imports_.size(); ++i) imports_[i].used = imports_[i].used || other.imports_[i].used;
  const auto append = [](auto& all, const auto& some) {
    for (const auto& item : some) all.push_back(item);
  };
  append(parts.declarations, part.parts.declarations.all());
  append(parts.fields, part.parts.fields.all());
  append(parts.attributes, part.parts.attributes);
  StructExpression& structure = *parts.structure;
  if (part.structure.ellipsis) structure.ellipsis = part.structure.ellipsis;
  structure.has_embedding = structure.has_embedding || part.structure.has_embedding;
  structure.has_dynamic = structure.has_dynamic || part.structure.has_dynamic;
  structure.has_pattern = structure.has_pattern || part.structure.has_pattern;
  structure.has_required_or_optional = structure.has_required_or_optional || part.structure.has_required_or_optional;
}

}  // namespace opm::cue::compile
