#include "cue/eval/simple_pattern.h"

#include <algorithm>
#include <bit>

namespace opm::cue::eval {

// Places are numbered as they are read; what may come first and last in each part says which may follow which. Whatever
// it does not know makes it give up: RE2 then says what the pattern means, or what is wrong with it.
class SimplePatternParser {
 public:
  explicit SimplePatternParser(std::string_view text) : text_(text) {}

  std::optional<SimplePattern> run() {
    if (text_.size() > kMaxText) return std::nullopt;
    pattern_.from_start_ = take('^');
    bool is_one = true;
    std::optional<Part> whole = alternatives(0, is_one);
    if (!whole) return std::nullopt;
    pattern_.to_end_ = take('$');
    // An anchor beside alternatives belongs to one of them.
    bool is_anchored = pattern_.from_start_ || pattern_.to_end_;
    if (at_ != text_.size() || (is_anchored && !is_one)) return std::nullopt;
    pattern_.first_ = whole->first;
    pattern_.last_ = whole->last;
    pattern_.matches_empty_ = whole->may_be_empty;
    return std::move(pattern_);
  }

 private:
  using Set = SimplePattern::Set;
  struct Part {
    Set first{};
    Set last{};
    bool may_be_empty = true;
  };
  struct Repetition {
    std::size_t least = 1;
    std::size_t most = 1;
    bool is_endless = false;
  };

  static constexpr std::size_t kMaxText = 512;
  static constexpr std::size_t kMaxDepth = 16;
  static constexpr std::string_view kSpecial = "\\.+*?()|[]{}^$";

  static void unite(Set& set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] |= other[i];
  }
  static void insert(Set& set, std::size_t member) { set[member / 64] |= std::uint64_t{1} << (member % 64); }
  static void insert_range(Set& set, std::size_t low, std::size_t high) {
    for (std::size_t word = low / 64; word <= high / 64; ++word) {
      std::uint64_t from = word == low / 64 ? ~std::uint64_t{0} << (low % 64) : ~std::uint64_t{0};
      std::uint64_t to = word == high / 64 ? ~std::uint64_t{0} >> (63 - high % 64) : ~std::uint64_t{0};
      set[word] |= from & to;
    }
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // What may stand behind the last places of a part.
  void follow(const Set& last, const Set& next) {
    for (std::size_t word = 0; word < last.size(); ++word) {
      for (std::uint64_t left = last[word]; left != 0; left &= left - 1)
        unite(pattern_.places_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))].next, next);
    }
  }

  void append(Part& part, const Part& next) {
    follow(part.last, next.first);
    if (part.may_be_empty) unite(part.first, next.first);
    if (next.may_be_empty) {
      unite(part.last, next.last);
    } else {
      part.last = next.last;
    }
    part.may_be_empty = part.may_be_empty && next.may_be_empty;
  }

  std::optional<Part> alternatives(std::size_t depth, bool& is_one) {
    if (depth > kMaxDepth) return std::nullopt;
    std::optional<Part> part = sequence(depth);
    is_one = true;
    while (part && take('|')) {
      is_one = false;
      std::optional<Part> other = sequence(depth);
      if (!other) return std::nullopt;
      unite(part->first, other->first);
      unite(part->last, other->last);
      part->may_be_empty = part->may_be_empty || other->may_be_empty;
    }
    return part;
  }

  std::optional<Part> sequence(std::size_t depth) {
    Part part;
    bool has_any = false;
    while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')' && text_[at_] != '$') {
      std::optional<Part> next = repeated(depth);
      if (!next) return std::nullopt;
      append(part, *next);
      has_any = true;
    }
    if (!has_any) return std::nullopt;
    return part;
  }

  std::optional<Part> repeated(std::size_t depth) {
    std::size_t begin = at_;
    std::size_t first_place = pattern_.places_.size();
    std::optional<Part> once = atom(depth);
    if (!once) return std::nullopt;
    bool is_single = text_[begin] != '(';
    std::optional<Repetition> repetition = read_repetition();
    if (!repetition) return std::nullopt;
    std::size_t end = at_;
    auto [least, most, is_endless] = *repetition;
    if (once->may_be_empty && (most != 1 || is_endless)) return std::nullopt;
    Part part;
    part.first = once->first;
    part.may_be_empty = least == 0 || once->may_be_empty;
    // Each further time has places of its own: one is copied, more are read again.
    for (std::size_t time = 1; time <= most; ++time) {
      if (time > 1) {
        at_ = begin;
        Set last = once->last;
        once = is_single ? place(pattern_.places_[first_place].characters) : atom(depth);
        if (!once) return std::nullopt;
        follow(last, once->first);
      }
      if (time >= least) unite(part.last, once->last);
      if (time == most && is_endless) follow(once->last, once->first);
    }
    at_ = end;
    return part;
  }

  std::optional<Repetition> read_repetition() {
    Repetition repetition;
    if (take('?')) {
      repetition = {0, 1, false};
    } else if (take('*')) {
      repetition = {0, 1, true};
    } else if (take('+')) {
      repetition = {1, 1, true};
    } else if (take('{')) {
      std::optional<std::size_t> least = count();
      if (!least) return std::nullopt;
      repetition = {*least, *least, false};
      if (take(',')) {
        if (at_ < text_.size() && text_[at_] == '}') {
          repetition.is_endless = true;
          repetition.most = *least == 0 ? 1 : *least;
        } else {
          std::optional<std::size_t> most = count();
          if (!most || *most < *least) return std::nullopt;
          repetition.most = *most;
        }
      }
      if (!take('}') || repetition.most == 0) return std::nullopt;
    }
    // One repetition behind another is a mistake, or says which match is preferred.
    if (at_ < text_.size() && std::string_view("?*+{").find(text_[at_]) != std::string_view::npos) return std::nullopt;
    return repetition;
  }

  std::optional<std::size_t> count() {
    std::size_t number = 0;
    std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      number = number * 10 + static_cast<std::size_t>(text_[at_] - '0');
      if (number > SimplePattern::kMaxPlaces) return std::nullopt;
    }
    if (at_ == begin) return std::nullopt;
    return number;
  }

  std::optional<Part> atom(std::size_t depth) {
    if (take('(')) {
      if (take('?') && !take(':')) return std::nullopt;
      bool is_one = true;
      std::optional<Part> part = alternatives(depth + 1, is_one);
      if (!part || !take(')')) return std::nullopt;
      return part;
    }
    Set characters{};
    if (take('[')) {
      if (!read_class(characters)) return std::nullopt;
    } else {
      std::optional<unsigned char> c = character(kSpecial);
      if (!c) return std::nullopt;
      insert(characters, *c);
    }
    return place(characters);
  }

  // One more, where one of these stands.
  std::optional<Part> place(const Set characters) {
    std::size_t number = pattern_.places_.size();
    if (number == SimplePattern::kMaxPlaces) return std::nullopt;
    pattern_.places_.push_back({characters, {}});
    Part part;
    insert(part.first, number);
    part.last = part.first;
    part.may_be_empty = false;
    return part;
  }

  // Behind the bracket that opens it.
  bool read_class(Set& characters) {
    bool is_first = true;
    for (; !take(']'); is_first = false) {
      if (take('-')) {
        // Itself only at the ends.
        if (!is_first && (at_ >= text_.size() || text_[at_] != ']')) return false;
        insert(characters, '-');
        continue;
      }
      std::optional<unsigned char> low = character("\\[]^");
      if (!low) return false;
      unsigned char high = *low;
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        ++at_;
        std::optional<unsigned char> end = character("\\[]^-");
        if (!end || *end < *low) return false;
        high = *end;
      }
      insert_range(characters, *low, high);
    }
    return !is_first;
  }

  // One that stands for itself, or is escaped to do so.
  std::optional<unsigned char> character(std::string_view special) {
    if (at_ >= text_.size()) return std::nullopt;
    auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '\\') {
      if (at_ + 1 >= text_.size()) return std::nullopt;
      c = static_cast<unsigned char>(text_[at_ + 1]);
      if (std::string_view("\\.+*?()|[]{}^$-/").find(static_cast<char>(c)) == std::string_view::npos) return std::nullopt;
      at_ += 2;
      return c;
    }
    if (c < ' ' || c > '~' || special.find(static_cast<char>(c)) != std::string_view::npos) return std::nullopt;
    ++at_;
    return c;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SimplePattern pattern_;
};

std::optional<SimplePattern> SimplePattern::compile(std::string_view pattern) { return SimplePatternParser(pattern).run(); }

bool SimplePattern::matches(std::string_view text) const {
  if (matches_empty_ && (text.empty() || !from_start_ || !to_end_)) return true;
  auto run = [&]<std::size_t kWords>() {
    std::array<std::uint64_t, kWords> active{};
    bool is_start = true;
    for (char letter : text) {
      auto c = static_cast<unsigned char>(letter);
      std::array<std::uint64_t, kWords> next{};
      if (is_start || !from_start_) std::copy_n(first_.begin(), kWords, next.begin());
      is_start = false;
      for (std::size_t word = 0; word < kWords; ++word) {
        for (std::uint64_t left = active[word]; left != 0; left &= left - 1) {
          const Set& following = places_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))].next;
          for (std::size_t i = 0; i < kWords; ++i) next[i] |= following[i];
        }
      }
      active = {};
      bool is_last = false;
      bool is_alive = false;
      for (std::size_t word = 0; word < kWords && c < kMaxPlaces; ++word) {
        for (std::uint64_t left = next[word]; left != 0; left &= left - 1) {
          std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
          if ((places_[place].characters[c / 64] >> (c % 64) & 1) != 0) active[word] |= left & (~left + 1);
        }
        is_alive = is_alive || active[word] != 0;
        is_last = is_last || (active[word] & last_[word]) != 0;
      }
      if (is_last && !to_end_) return true;
      if (!is_alive && from_start_) return false;
    }
    for (std::size_t word = 0; word < kWords; ++word) {
      if ((active[word] & last_[word]) != 0) return true;
    }
    return false;
  };
  // Most have few places: then one word holds them all.
  return places_.size() <= 64 ? run.operator()<1>() : run.operator()<kMaxPlaces / 64>();
}

}  // namespace opm::cue::eval
