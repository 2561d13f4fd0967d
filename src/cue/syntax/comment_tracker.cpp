#include "cue/syntax/comment_tracker.h"

#include <vector>

namespace opm::cue::syntax {

// In a list, comments between two children belong to the earlier one; before the first
// child, to that one.
void CommentTracker::hand_over(CommentScope& child) {
  CommentScope& list = *current_;
  std::span<CommentGroup*> pending(groups_.begin() + list.first_group, groups_.size() - list.first_group);
  if (!list.last_child) {
    for (CommentGroup* group : pending) group->position = 0;
    child.first_group = list.first_group;
    return;
  }
  std::vector<CommentGroup*> merged;
  for (CommentGroup* group : pending) {
    if (group->position == 0) merged.push_back(group);
  }
  Node* node = list.last_child;
  merged.insert(merged.end(), node->comments.begin(), node->comments.end());
  for (CommentGroup* group : pending) {
    if (group->position == 0) continue;
    group->position = list.last_position;
    merged.push_back(group);
  }
  node->comments = arena_.copy(merged);
  groups_.cut(list.first_group);
  child.first_group = list.first_group;
}

void CommentTracker::attach(CommentScope& scope, Node* node) {
  if (node) {
    for (std::size_t i = scope.first_group; i < groups_.size(); ++i) add_to_node(node, groups_[i]);
  }
  groups_.cut(scope.first_group);
}

void CommentTracker::attach_behind(std::size_t before, Node* leaf) {
  for (std::size_t i = before; i < groups_.size(); ++i) {
    groups_[i]->position = 1;
    add_to_node(leaf, groups_[i]);
  }
  groups_.cut(before);
}

// Comments behind the leaf's token are its own; those before it stay in the scope.
void CommentTracker::leave_behind(CommentScope& scope, Node* leaf) {
  std::size_t kept = scope.first_group;
  for (std::size_t i = kept; i < groups_.size(); ++i) {
    if (groups_[i]->position == 0) {
      groups_[kept++] = groups_[i];
    } else {
      add_to_node(leaf, groups_[i]);
    }
  }
  groups_.cut(kept);
}

void CommentTracker::attach_to_last(CommentScope& scope) {
  for (std::size_t i = scope.first_group; i < groups_.size(); ++i) {
    groups_[i]->position = scope.last_position;
    add_to_node(scope.last_child, groups_[i]);
  }
  groups_.cut(scope.first_group);
}

// Keeps the groups of a node in the order of their positions.
void CommentTracker::add_to_node(Node* node, CommentGroup* group) {
  std::span<CommentGroup*> groups = arena_.make_array<CommentGroup*>(node->comments.size() + 1);
  std::size_t i = node->comments.size();
  for (std::size_t j = 0; j < i; ++j) groups[j] = node->comments[j];
  groups[i] = group;
  for (; i > 0 && groups[i - 1]->position > group->position; --i) std::swap(groups[i - 1], groups[i]);
  node->comments = groups;
}

}  // namespace opm::cue::syntax
