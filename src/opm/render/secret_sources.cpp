#include "opm/render/secret_sources.h"

#include <algorithm>
#include <set>

#include "base/arena.h"
#include "cue/load/walk.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/literal.h"
#include "opm/model/redaction.h"

namespace opm::render {

namespace {

using cue::syntax::NodeKind;
using cue::syntax::Token;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Each secret is replaced by other letters, so that two of them differ as they did.
class Alphabet {
 public:
  explicit Alphabet(std::size_t number)
      : lower_(static_cast<char>('a' + number % 6)),
        upper_(static_cast<char>('A' + number % 6)),
        digit_(static_cast<char>('1' + number / 6 % 9)) {}

  char instead_of(char c) const {
    if (is_lower(c)) return lower_;
    if (is_upper(c)) return upper_;
    if (is_digit(c)) return digit_;
    // A byte of a longer character would be no text alone.
    return static_cast<unsigned char>(c) >= 0x80 ? lower_ : c;
  }
  char letter() const { return lower_; }

 private:
  char lower_, upper_, digit_;
};

// Of the same length and of the same sorts of characters, so that what is asked of its form holds as it did.
std::string stand_in(std::string_view text, std::size_t number) {
  constexpr std::size_t kAlphabets = 54;
  std::string made;
  for (std::size_t attempt = 0; attempt < kAlphabets; ++attempt) {
    Alphabet alphabet(number + attempt);
    made.clear();
    for (char c : text) made.push_back(alphabet.instead_of(c));
    if (made != text) return made;
  }
  // Nothing but signs.
  Alphabet alphabet(number);
  for (char& c : made) {
    if (!is_blank(c)) c = alphabet.letter();
  }
  return made;
}

// The characters of a literal as it is written: quotes stay, escapes become letters.
std::string masked_literal(std::string_view written, std::size_t number) {
  std::size_t begin = written.find_first_not_of('#');
  if (begin == std::string_view::npos) return std::string(written);
  std::size_t end = written.find_last_not_of('#') + 1;
  // An interpolation continues behind a part that ends with `\(` (or `\#(`).
  if (end > begin && written[end - 1] == '(') {
    end = written.rfind('\\', end);
    if (end == std::string_view::npos) end = written.size();
  }
  std::string plain;
  bool is_escaped = false;
  for (char c : written.substr(begin, end - begin)) {
    bool starts_escape = c == '\\' && !is_escaped;
    plain.push_back(starts_escape || is_escaped ? 'x' : c);
    is_escaped = starts_escape;
  }
  std::string made = stand_in(plain, number);
  auto is_quote = [](char c) { return c == '"' || c == '\''; };
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (is_quote(plain[i]) || plain[i] == '(' || plain[i] == ')') made[i] = plain[i];
  }
  return std::string(written.substr(0, begin)) + made + std::string(written.substr(end));
}

// What of the tree below something is masked: nothing; all but what says where a secret is kept; all.
enum class Part : std::uint8_t { none, secret, everything };

// What is masked: what stands at these places, and what it refers to by these names.
struct Targets {
  std::set<diag::Position> places;
  std::set<std::string, std::less<>> names;
};

// Writes over the literals of a file that are, or are in, what is to be masked. It may be done again when names have been added.
class FileMask {
 public:
  FileMask(const diag::Source& source, Targets& targets, std::vector<StandIn>& stand_ins)
      : source_(source), targets_(targets), stand_ins_(stand_ins), text_(source.text) {}

  void visit(cue::syntax::Node& node, Part part, bool in_call = false) {
    bool is_declaration = node.kind == NodeKind::field;
    if (part == Part::none && !is_declaration && targets_.places.contains(node.begin)) part = Part::secret;
    if (part == Part::none && is_named(node)) part = Part::everything;
    if (is_declaration && part == Part::secret) {
      if (model::is_secret_routing(label_of(*cue::syntax::as<cue::syntax::Field>(&node)))) return;
      part = Part::everything;
    }
    if (node.kind == NodeKind::identifier && part != Part::none) {
      refer(cue::syntax::as<cue::syntax::Identifier>(&node)->name);
      return;
    }
    if (node.kind == NodeKind::basic_literal) {
      if (part != Part::none) mask(*cue::syntax::as<cue::syntax::BasicLiteral>(&node), in_call);
      return;
    }
    // What #config says a secret has to look like is not secret.
    if (!in_values_ && node.kind == NodeKind::unary && is_bound(cue::syntax::as<cue::syntax::Unary>(&node)->op)) return;
    in_call = in_call || node.kind == NodeKind::call;
    bool was_in_values = in_values_;
    if (is_declaration && label_of(*cue::syntax::as<cue::syntax::Field>(&node)) == "values") in_values_ = true;
    cue::load::for_each_child(node, [&](cue::syntax::Node& child) { visit(child, part, in_call); });
    in_values_ = was_in_values;
  }

  bool changed() const { return text_ != source_.text; }
  std::string take() { return std::move(text_); }

 private:
  bool is_named(const cue::syntax::Node& node) const {
    if (node.kind == NodeKind::field) return targets_.names.contains(label_of(*cue::syntax::as<cue::syntax::Field>(&node)));
    if (node.kind == NodeKind::let_clause) return targets_.names.contains(cue::syntax::as<cue::syntax::LetClause>(&node)->name->name);
    return false;
  }

  // Values and schema refer to each other as a whole; their secrets are found without that.
  void refer(std::string_view name) {
    if (name != "values" && name != "#config") targets_.names.emplace(name);
  }

  static bool is_bound(Token op) {
    switch (op) {
      case Token::match:
      case Token::not_match:
      case Token::not_equal:
      case Token::less:
      case Token::less_equal:
      case Token::greater:
      case Token::greater_equal: return true;
      default: return false;
    }
  }

  static std::string_view label_of(const cue::syntax::Field& field) {
    if (field.label->kind == NodeKind::identifier) return cue::syntax::as<cue::syntax::Identifier>(field.label)->name;
    if (field.label->kind != NodeKind::basic_literal) return {};
    std::string_view text = cue::syntax::as<cue::syntax::BasicLiteral>(field.label)->text;
    return text.size() > 2 ? text.substr(1, text.size() - 2) : std::string_view();
  }

  void mask(const cue::syntax::BasicLiteral& literal, bool in_call) {
    if (!done_.insert(literal.begin).second) return;
    bool is_number = literal.token == Token::integer || literal.token == Token::floating;
    bool is_text = literal.token == Token::string || literal.token == Token::interpolation;
    // A number that a function is told says how long a secret is, rather.
    if (!is_text && (!is_number || in_call)) return;
    std::size_t number = stand_ins_.size();
    std::string made = is_number ? stand_in(literal.text, number) : masked_literal(literal.text, number);
    std::size_t offset = literal.begin.value - source_.begin.value;
    if (offset + made.size() > text_.size() || made.size() != literal.text.size()) return;
    text_.replace(offset, made.size(), made);
    if (is_number) {
      stand_ins_.push_back({made, model::redacted(literal.text)});
      return;
    }
    base::Arena arena;
    auto real = cue::syntax::unquote(arena, literal.text);
    auto instead = cue::syntax::unquote(arena, made);
    if (real && instead && !instead->empty()) stand_ins_.push_back({std::string(*instead), model::redacted(*real)});
  }

  const diag::Source& source_;
  Targets& targets_;
  std::vector<StandIn>& stand_ins_;
  std::set<diag::Position> done_;
  bool in_values_ = false;
  std::string text_;
};

class Masker {
 public:
  Masker(const cue::Program& program, std::set<diag::Position> places) : program_(program), targets_{std::move(places), {}} {}

  void add_data(const data::Value& document) { mask_data(document, Part::none); }

  void add_packages(std::size_t request) {
    for (const cue::load::Package& package : program_.loaded(request).packages) {
      // What was published cannot hold secrets of this release.
      if (!package.module.version.empty()) continue;
      for (const cue::load::PackageFile& file : package.files) {
        if (file.source == nullptr || file.syntax == nullptr) continue;
        files_.emplace_back(&file, FileMask(*file.source, targets_, masked_.stand_ins));
      }
      for (const data::Value& document : package.joined_data) mask_data(document, Part::none);
      for (const auto& [attribute, value] : package.embedded) mask_data(value, Part::none);
    }
  }

  MaskedSources take() {
    std::size_t names = 0;
    do {
      names = targets_.names.size();
      for (auto& [file, mask] : files_) mask.visit(*file->syntax, Part::none);
    } while (names != targets_.names.size());
    for (auto& [file, mask] : files_) {
      if (mask.changed()) masked_.files[file->path] = mask.take();
    }
    return std::move(masked_);
  }

 private:
  void mask_data(const data::Value& value, Part part) {
    if (part == Part::none && value.position.valid() && targets_.places.contains(value.position)) part = Part::secret;
    if (value.is_list()) {
      for (const data::Value& element : value.as_list()) mask_data(element, part);
    } else if (value.is_map()) {
      for (const data::Member& member : value.as_map()) {
        if (part != Part::secret) mask_data(member.value, part);
        else if (!model::is_secret_routing(member.key)) mask_data(member.value, Part::everything);
      }
    } else if (part != Part::none && value.position.valid()) {
      const std::string* text = value.is_string() ? &value.as_string() : value.is_number() ? &value.as_number().text : nullptr;
      if (text == nullptr || text->empty()) return;
      std::string made = stand_in(*text, masked_.stand_ins.size());
      diag::Location place = program_.sources().locate(value.position);
      masked_.data[{std::string(place.file), place.offset}] = made;
      masked_.stand_ins.push_back({std::move(made), model::redacted(*text)});
    }
  }

  const cue::Program& program_;
  Targets targets_;
  MaskedSources masked_;
  std::vector<std::pair<const cue::load::PackageFile*, FileMask>> files_;
};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

void MaskedSources::revise(const diag::SourceMap& sources, data::Value& document) const {
  if (document.is_list()) {
    for (data::Value& element : document.as_list()) revise(sources, element);
  } else if (document.is_map()) {
    for (data::Member& member : document.as_map()) revise(sources, member.value);
  } else if (document.position.valid()) {
    diag::Location place = sources.locate(document.position);
    auto found = data.find({std::string(place.file), place.offset});
    if (found == data.end()) return;
    if (document.is_number()) std::get<data::NumberText>(document.variant).text = found->second;
    else document.variant = found->second;
  }
}

std::string MaskedSources::shown(std::string text) const {
  // Two that look alike could be either.
  std::map<std::string_view, std::string_view> known;
  for (const StandIn& secret : stand_ins) {
    auto [at, is_new] = known.try_emplace(secret.text, secret.shown);
    if (!is_new && at->second != secret.shown) at->second = "<redacted>";
  }
  for (const auto& [instead, shown] : known) {
    replace_all(text, cue::syntax::quote(instead), cue::syntax::quote(shown));
    // As part of what was made of it. One that is shorter could be anything.
    constexpr std::size_t kTelling = 5;
    if (instead.size() >= kTelling) replace_all(text, instead, shown);
    bool is_number = std::ranges::all_of(instead, [](char c) { return is_digit(c) || c == '.' || c == '-'; });
    if (!is_number) continue;
    for (std::string_view before : {"value ", "values ", "and "})
      replace_all(text, std::string(before) + std::string(instead) + " ", std::string(before) + std::string(shown) + " ");
  }
  return text;
}

std::optional<MaskedSources> mask_secrets(const cue::Program& program, std::span<const std::size_t> requests,
                                          std::set<diag::Position> places, std::span<const data::Value> documents) {
  if (places.empty()) return std::nullopt;
  Masker masker(program, std::move(places));
  for (const data::Value& document : documents) masker.add_data(document);
  for (std::size_t request : requests) masker.add_packages(request);
  MaskedSources masked = masker.take();
  if (masked.files.empty() && masked.data.empty()) return std::nullopt;
  return masked;
}

void load_masked(const MaskedSources& masked, cue::load::LoadOptions& options) {
  for (const auto& [path, text] : masked.files) {
    if (path != kStandardInput) options.overlay[path] = text;
  }
  for (cue::load::JoinedFile& file : options.joined_files) {
    if (file.content && masked.files.contains(kStandardInput)) file.content = masked.files.at(kStandardInput);
  }
  options.revise_data = [&masked](const diag::SourceMap& sources, data::Value& document) { masked.revise(sources, document); };
}

}  // namespace opm::render
