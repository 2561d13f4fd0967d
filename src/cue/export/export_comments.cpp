// What the source says beside the program: comments, and attributes with theirs.
#include <algorithm>

#include "cue/export/exporter.h"

namespace opm::cue::exporting {

using syntax::CommentGroup;

namespace {

bool says_the_same(const CommentGroup& a, const CommentGroup& b) {
  return std::ranges::equal(a.comments, b.comments, {}, &syntax::Comment::text, &syntax::Comment::text);
}

std::vector<CommentGroup*> documentation_in(const syntax::Node& node) {
  std::vector<CommentGroup*> groups;
  std::ranges::copy_if(node.comments, std::back_inserter(groups), [](const CommentGroup* group) { return group->is_doc; });
  return groups;
}

}  // namespace

// A comment in front of `a: b: 1` is about b, and only found by what looks at evaluated fields.
std::vector<CommentGroup*> Exporter::documentation_of(const compile::Field& field) {
  std::vector<CommentGroup*> groups;
  if (const syntax::Field* source = trees_.field_at(field.position)) {
    if (SourceTrees::is_shorthand(*source)) return groups;
    groups = documentation_in(*source);
    if (!options_.definition) {
      for (source = trees_.field_around(*source); source != nullptr; source = trees_.field_around(*source)) {
        std::ranges::copy(documentation_in(*source), std::back_inserter(groups));
      }
    }
  }
  if (groups.empty() && !field.documentation.empty()) groups.push_back(make_.documentation(field.documentation));
  return groups;
}

void Exporter::add_documentation(syntax::Node& node, std::span<const Conjunct> conjuncts) {
  std::vector<CommentGroup*> groups;
  for (const Conjunct& conjunct : conjuncts) {
    const compile::Expression* written = conjunct.expression;
    if (written == nullptr || written->kind != ExpressionKind::field) continue;
    for (CommentGroup* group : documentation_of(*static_cast<const compile::Field*>(written))) {
      bool is_known = std::ranges::any_of(groups, [&](const CommentGroup* known) { return says_the_same(*known, *group); });
      if (!is_known) groups.push_back(group);
    }
  }
  for (CommentGroup* group : groups) make_.add_comment(node, group);
}

void Exporter::add_documentation_of(syntax::Node& node, const syntax::Node* source) {
  if (source == nullptr || !options_.documentation) return;
  for (CommentGroup* group : documentation_in(*source)) make_.add_comment(node, group);
}

syntax::Attribute* Exporter::attribute(const compile::Attribute& written) {
  syntax::Attribute* made = make_.attribute(written.text);
  const syntax::Node* source = trees_.node_at(syntax::NodeKind::attribute, written.position);
  if (source != nullptr && options_.documentation) {
    made->spacing = source->spacing;
    made->comments = source->comments;
  }
  return made;
}

void Exporter::add_attributes(std::vector<syntax::Attribute*>& attributes, std::span<const compile::Attribute> written) {
  for (const compile::Attribute& each : written) {
    bool is_there = std::ranges::any_of(attributes, [&](const syntax::Attribute* known) { return known->text == each.text; });
    if (!is_there) attributes.push_back(attribute(each));
  }
}

namespace {

const syntax::Node* package_of(const syntax::File& file) {
  for (const syntax::Declaration* declaration : file.declarations) {
    if (declaration->kind == syntax::NodeKind::package) return declaration;
  }
  return nullptr;
}

}  // namespace

// What several files say of their package becomes one comment.
std::vector<CommentGroup*> Exporter::united_documentation(const std::vector<CommentGroup*>& groups) {
  std::vector<CommentGroup*> documentation;
  std::vector<CommentGroup*> others;
  for (CommentGroup* group : groups) (group->is_doc ? documentation : others).push_back(group);
  if (documentation.size() > 1) {
    std::vector<syntax::Comment> lines;
    for (const CommentGroup* group : documentation) {
      if (!lines.empty()) {
        syntax::Comment separator;
        separator.text = "//";
        separator.spacing = syntax::Spacing::newline;
        lines.push_back(separator);
      }
      std::size_t first = lines.size();
      lines.insert(lines.end(), group->comments.begin(), group->comments.end());
      if (first > 0 && first < lines.size()) lines[first].spacing = syntax::Spacing::newline;
    }
    auto* united = make_.arena().make<CommentGroup>(*documentation.front());
    united->comments = make_.arena().copy(lines);
    documentation = {united};
  }
  std::ranges::copy(others, std::back_inserter(documentation));
  return documentation;
}

Exporter::FileComments Exporter::file_comments(const Node& node) {
  FileComments comments;
  if (!options_.documentation || !options_.definition) return comments;
  for (const Conjunct& conjunct : node.conjuncts) {
    bool is_file = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::structure &&
                   static_cast<const StructExpression*>(conjunct.expression)->is_file;
    const syntax::File* file = is_file ? trees_.file_at(conjunct.expression->position) : nullptr;
    if (file == nullptr) continue;
    std::vector<CommentGroup*> documentation;
    std::vector<CommentGroup*> others;
    const syntax::Node* package = package_of(*file);
    if (package != nullptr) documentation.assign(package->comments.begin(), package->comments.end());
    for (CommentGroup* group : file->comments) (group->is_doc ? documentation : others).push_back(group);
    if (package == nullptr && documentation.empty() && !others.empty()) {
      auto* first = make_.arena().make<CommentGroup>(*others.front());
      first->is_doc = true;
      documentation.push_back(first);
      others.erase(others.begin());
    }
    for (CommentGroup*& group : documentation) {
      group = make_.arena().make<CommentGroup>(*group);
      group->comments = make_.arena().copy(std::span<const syntax::Comment>(group->comments));
      if (!group->comments.empty()) group->comments[0].spacing = syntax::Spacing::new_section;
    }
    std::ranges::copy(documentation, std::back_inserter(comments.of_package));
    std::ranges::copy(others, std::back_inserter(comments.of_file));
  }
  if (options_.package_name.empty()) {
    std::ranges::copy(comments.of_file, std::back_inserter(comments.of_package));
    comments.of_file = united_documentation(comments.of_package);
    comments.of_package.clear();
  } else {
    comments.of_package = united_documentation(comments.of_package);
  }
  return comments;
}

}  // namespace opm::cue::exporting
