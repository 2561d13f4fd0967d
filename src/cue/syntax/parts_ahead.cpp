#include "cue/syntax/parts_ahead.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "cue/syntax/parse_in_parts.h"

namespace opm::cue::syntax {

namespace {

// Starting a thread costs as much as reading some of these; parts are smaller, so that whoever is slower has fewer of them.
constexpr std::size_t kBytesWorthAThread = 24 * 1024;
constexpr std::size_t kPartsOfThread = 2;
// How far to look for a line that a part may begin with.
constexpr std::size_t kFurthest = 16 * 1024;
// A part is read by a thread with a stack like any other. What is nested more deeply is left to the parser of the file.
constexpr unsigned kDeepestPart = 200;

bool begins_declaration(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"' || c == '#' || c == '_' || c == '$';
}

// The line of those from `from` on that is indented least.
std::uint32_t find_begin(std::string_view text, std::size_t from) {
  std::uint32_t best = PartsAhead::kNone;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t end = std::min(text.size(), from + kFurthest);
  for (std::size_t line = text.find('\n', from); line < end && least > 0; line = text.find('\n', line)) {
    ++line;
    std::size_t first = text.find_first_not_of(" \t", line);
    if (first == std::string_view::npos) break;
    if (first - line >= least || !begins_declaration(text[first])) continue;
    least = first - line;
    best = static_cast<std::uint32_t>(first);
  }
  return best;
}

}  // namespace

PartsAhead::PartsAhead(const diag::Source& source, const ParseOptions& options, std::size_t threads) {
  if (options.comments || options.only_imports || options.max_depth <= kDeepestPart) return;
  std::size_t size = source.text.size();
  threads = std::min(threads, size / kBytesWorthAThread);
  if (threads < 2) return;
  std::size_t count = threads * kPartsOfThread;
  for (std::size_t i = 1; i < count; ++i) {
    std::uint32_t begin = find_begin(source.text, i * size / count);
    if (begin == kNone || (!parts_.empty() && begin <= parts_.back().begin)) continue;
    if (!parts_.empty()) parts_.back().stop = begin;
    parts_.emplace_back(begin);
  }
  workers_.start(std::min(threads - 1, parts_.size()), [this, &source, options](std::size_t) { read_some(source, options); });
}

// From the middle on first: the beginning is what the parser of the file gets to itself.
void PartsAhead::read_some(const diag::Source& source, const ParseOptions& options) {
  auto read = [&](Part& part) {
    if (part.is_claimed.exchange(true)) return;
    part.parser.emplace(*part.arena, source, options, part.begin);
    part.parser->parse_part(part.stop);
    part.is_read = true;
    part.is_read.notify_one();
  };
  std::size_t middle = std::min(parts_.size(), kPartsOfThread - 1);
  for (std::size_t i = middle; i < parts_.size(); ++i) read(parts_[i]);
  for (std::size_t i = middle; i-- > 0;) read(parts_[i]);
}

const Parser* PartsAhead::take() {
  Part& part = parts_[next_++];
  if (!part.is_claimed.exchange(true)) return nullptr;
  part.is_read.wait(false);
  return &*part.parser;
}

void PartsAhead::move_arenas_to(std::vector<std::unique_ptr<base::Arena>>& arenas) {
  for (Part& part : parts_) {
    if (part.is_kept) arenas.push_back(std::move(part.arena));
  }
}

ParsedFile parse_in_parts(base::Arena& arena, std::vector<std::unique_ptr<base::Arena>>& more_arenas,
                          const diag::Source& source, const ParseOptions& options, std::size_t threads) {
  Parser parser(arena, source, options);
  PartsAhead ahead(source, options, threads);
  parser.use(ahead);
  ParsedFile result;
  result.file = parser.parse_file();
  result.errors = parser.take_errors();
  result.has_loader_attributes = parser.has_loader_attributes();
  ahead.move_arenas_to(more_arenas);
  return result;
}

Parser::Parser(base::Arena& arena, const diag::Source& source, const ParseOptions& options, std::uint32_t begin)
    : Parser(NotBegun{}, arena, source, options) {
  depth_ = options.max_depth - kDeepestPart;
  lexer_.begin_at(begin);
  next();
  first_ = token_;
}

void Parser::use(PartsAhead& ahead) {
  ahead_ = &ahead;
  next_part_ = ahead.next_begin();
}

void Parser::parse_part(std::uint32_t stop) {
  CommentScope list;
  comments_.open_list(list);
  while (!at(Token::right_brace) && !at(Token::end_of_file) && token_.offset < stop) parse_element();
  comments_.close_list();
}

// In front of a declaration behind which a part begins, or in front of that part.
bool Parser::take_part() {
  for (; ahead_->next_begin() < token_.offset; ahead_->skip()) continue;
  const Parser* part = ahead_->next_begin() == token_.offset ? ahead_->take() : nullptr;
  next_part_ = ahead_->next_begin();
  if (part == nullptr || !fits(*part)) return false;
  for (Node* child : part->children_) children_.push_back(child);
  ahead_->keep();
  lexer_.go_on_from(part->lexer_, part->first_, token_);
  std::uint32_t line = part->token_.line - part->first_.line + token_.line;
  token_ = part->token_;
  token_.line = line;
  last_end_ = part->last_end_;
  has_loader_attributes_ = has_loader_attributes_ || part->has_loader_attributes_;
  return true;
}

// Whether this parser, where it is, would read what the other one has read.
bool Parser::fits(const Parser& part) const {
  const LexedToken& other = part.first_;
  return other.offset == token_.offset && other.end == token_.end && other.kind == token_.kind &&
         other.spacing == token_.spacing && other.after_comma == token_.after_comma && !has_peeked_ && !part.has_peeked_ &&
         !lexer_.is_in_string() && !part.lexer_.is_in_string() && part.errors_.empty() && errors_.empty() && !part.given_up_ &&
         depth_ <= options_.max_depth - kDeepestPart;
}

}  // namespace opm::cue::syntax
