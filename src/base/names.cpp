#include "base/names.h"

namespace opm::base {

namespace {

template <typename Word>
Word read_word(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

std::uint32_t hash_text(std::string_view text) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ull ^ text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; at += 8, left -= 8) {
    hash = (hash ^ read_word<std::uint64_t>(at)) * 0xFF51AFD7ED558CCDull;
    hash ^= hash >> 32;
  }
  // The last bytes, some of them twice.
  std::uint64_t tail = 0;
  if (left >= 4) {
    tail = (std::uint64_t{read_word<std::uint32_t>(at)} << 32) | read_word<std::uint32_t>(at + left - 4);
  } else if (left > 0) {
    tail = (read_word<std::uint8_t>(at) << 16) | (read_word<std::uint8_t>(at + left / 2) << 8) | read_word<std::uint8_t>(at + left - 1);
  }
  hash = (hash ^ tail) * 0xC4CEB9FE1A85EC53ull;
  hash ^= hash >> 29;
  return static_cast<std::uint32_t>(hash);
}

// `text_of`: of an id that stands in a slot.
template <typename TextOf>
Name find_in(std::span<const NameTable::Slot> slots, std::string_view text, std::uint32_t hash, TextOf text_of) {
  if (slots.empty()) return kNoName;
  std::size_t mask = slots.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const NameTable::Slot& slot = slots[i];
    if (slot.name == 0) return kNoName;
    if (slot.hash == hash && text_of(slot.name) == text) return Name{slot.name};
  }
}

std::string_view stored_text(const NameTable::Stored& stored, std::uint32_t id) {
  if (id == 0 || id > stored.texts.size()) return {};
  NameTable::Stored::Text text = stored.texts[id - 1];
  return {stored.bytes + text.begin, text.size};
}

}  // namespace

NameTable::NameTable(const NameTable* parent, BlockPool* memory)
    : parent_(parent), base_(parent ? parent->size() : 1), arena_(memory) {  // id 0 is no name
  // Those that have none of their own will not get any as long as they have children.
  while (parent_ != nullptr && parent_->parent_ != nullptr && parent_->texts_.empty()) parent_ = parent_->parent_;
}

NameTable::NameTable(const Stored& stored)
    : parent_(nullptr), stored_(stored), base_(static_cast<std::uint32_t>(stored.texts.size()) + 1) {}

Name NameTable::find_hashed(std::string_view text, std::uint32_t hash) const {
  for (const NameTable* table = this;; table = table->parent_) {
    Name found = find_in(table->slots_, text, hash, [&](std::uint32_t id) { return table->texts_[id - table->base_]; });
    if (found != kNoName) return found;
    if (table->parent_ == nullptr)
      return find_in(table->stored_.slots, text, hash, [&](std::uint32_t id) { return stored_text(table->stored_, id); });
  }
}

Name NameTable::find(std::string_view text) const { return find_hashed(text, hash_text(text)); }

Name NameTable::intern(std::string_view text) {
  std::uint32_t hash = hash_text(text);
  Name found = find_hashed(text, hash);
  if (found != kNoName) return found;
  if ((texts_.size() + 1) * 2 > slots_.size()) grow();
  std::uint32_t id = size();
  texts_.push_back(arena_.copy_text(text));
  std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i].name != 0) i = (i + 1) & mask;
  slots_[i] = {hash, id};
  return Name{id};
}

std::string_view NameTable::text(Name name) const {
  auto id = static_cast<std::uint32_t>(name);
  if (id < base_) return parent_ ? parent_->text(name) : stored_text(stored_, id);
  return texts_[id - base_];
}

void NameTable::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 128 : old.size() * 2, Slot{0, 0});
  std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.name == 0) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].name != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace opm::base
