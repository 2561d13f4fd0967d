// Decides which node a comment belongs to while the tree is being made. A scope is
// open for every production of the grammar on its way; a comment goes to the innermost
// one, with the number of tokens and children that it has seen so far as its position.
// The formatter depends on these numbers, so the scopes follow CUE's own parser.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/stack.h"
#include "cue/syntax/ast.h"

namespace opm::cue::syntax {

struct CommentScope {
  CommentScope* parent = nullptr;
  Node* last_child = nullptr;
  std::uint32_t first_group = 0;    // of its groups on the tracker's stack
  std::uint32_t list_depth = 0;     // above 0: a list of nodes that share one position
  std::int8_t position = 0;         // wraps around in long lists, as the field of the group does
  std::int8_t last_position = 0;    // of the last child when it closed
};

class CommentTracker {
 public:
  explicit CommentTracker(base::Arena& arena) : arena_(arena) {
    root_.position = -1;
    current_ = &root_;
  }

  CommentScope& root() { return root_; }

  void open(CommentScope& scope) {
    scope.parent = current_;
    scope.first_group = static_cast<std::uint32_t>(groups_.size());
    if (current_->list_depth > 0 && groups_.size() > current_->first_group) hand_over(scope);
    if (lead_) {
      groups_.push_back(lead_);
      lead_ = nullptr;
    }
    current_ = &scope;
  }
  void close(CommentScope& scope, Node* node) {
    current_ = scope.parent;
    if (current_) {
      current_->last_child = node;
      current_->last_position = scope.position;
      advance(*current_);
    }
    if (groups_.size() > scope.first_group) attach(scope, node);
  }

  void open_list(CommentScope& scope) {
    if (current_->list_depth > 0) {
      ++current_->list_depth;
      return;
    }
    scope.parent = current_;
    scope.first_group = static_cast<std::uint32_t>(groups_.size());
    scope.list_depth = 1;
    current_ = &scope;
  }
  void close_list() {
    CommentScope& scope = *current_;
    if (groups_.size() > scope.first_group && scope.last_child) attach_to_last(scope);
    if (--scope.list_depth > 0) return;
    // Groups that are left now lie on top of those of the parent: they are its own.
    current_ = scope.parent;
    advance(*current_);
  }

  // A production of a single token needs no scope when no comment waits for it: what
  // its scope would have done is done behind its token. `before` is the number of
  // groups before the token was taken.
  bool is_quiet() const {
    return !lead_ && (current_->list_depth == 0 || groups_.size() == current_->first_group);
  }
  std::size_t group_count() const { return groups_.size(); }
  void close_leaf(std::size_t before, Node* node) {
    current_->last_child = node;
    current_->last_position = 1;
    if (groups_.size() > before) attach_behind(before, node);
  }
  // The token turned out to be the first operand of an expression: opens the scope of
  // that expression, and of its list of operands, as if they had been open all along.
  void open_around_leaf(CommentScope& scope, CommentScope& list, Node* leaf) {
    current_->position = static_cast<std::int8_t>(static_cast<std::uint8_t>(current_->position) - 1);
    scope.parent = current_;
    scope.first_group = static_cast<std::uint32_t>(groups_.size());
    current_ = &scope;
    open_operands(list, leaf);
  }
  // The same where the leaf had the scope.
  void open_list_behind(CommentScope& scope, CommentScope& list, Node* leaf) {
    if (groups_.size() > scope.first_group) leave_behind(scope, leaf);
    scope.position = 0;
    open_operands(list, leaf);
  }
  // A list that is empty.
  void pass_list() { advance(*current_); }

  // A token was taken; a comment before it that no production claimed stays inside.
  void before_token() {
    if (lead_) {
      add(lead_);
      lead_ = nullptr;
    }
  }
  void after_token() { advance(*current_); }

  void add(CommentGroup* group) {
    group->position = current_->position;
    groups_.push_back(group);
  }
  // The comment right before the next token: it goes to the production that starts there.
  void set_lead(CommentGroup* group) { lead_ = group; }

 private:
  static void advance(CommentScope& scope) {
    scope.position = static_cast<std::int8_t>(static_cast<std::uint8_t>(scope.position) + 1);
  }
  void open_operands(CommentScope& list, Node* leaf) {
    open_list(list);
    list.last_child = leaf;
    list.last_position = 1;
    list.position = 1;
  }
  void hand_over(CommentScope& child);
  void attach(CommentScope& scope, Node* node);
  void attach_behind(std::size_t before, Node* leaf);
  void leave_behind(CommentScope& scope, Node* leaf);
  void attach_to_last(CommentScope& scope);
  void add_to_node(Node* node, CommentGroup* group);

  base::Arena& arena_;
  CommentScope root_;
  CommentScope* current_;
  CommentGroup* lead_ = nullptr;
  base::Stack<CommentGroup*> groups_;  // of all open scopes, those of the innermost last
};

}  // namespace opm::cue::syntax
