#include "base/arena.h"

#include <algorithm>
#include <bit>

namespace opm::base {

namespace {
constexpr std::size_t kSmallestBlock = 16u << 10;
constexpr std::size_t kLargestBlock = 4u << 20;
}  // namespace

BlockPool::~BlockPool() {
  for (const PageBlock& block : blocks_) give_pages(block);
}

Arena::~Arena() { release(); }

Arena::Arena(Arena&& other) noexcept { *this = std::move(other); }

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  release();
  pool_ = std::exchange(other.pool_, nullptr);
  cursor_ = std::exchange(other.cursor_, 0);
  limit_ = std::exchange(other.limit_, 0);
  total_ = std::exchange(other.total_, 0);
  blocks_ = std::move(other.blocks_);
  other.blocks_.clear();
  return *this;
}

void Arena::release() {
  for (const Block& block : blocks_) {
    if (pool_ != nullptr) pool_->blocks_.push_back(block);
    else give_pages(block);
  }
  blocks_.clear();
}

void Arena::reset() {
  if (blocks_.empty()) return;
  auto largest = std::max_element(blocks_.begin(), blocks_.end(),
                                  [](const Block& a, const Block& b) { return a.size < b.size; });
  std::swap(*largest, blocks_.front());
  Block kept = blocks_.front();
  blocks_.erase(blocks_.begin());
  release();
  blocks_.push_back(kept);
  total_ = blocks_.front().size;
  cursor_ = reinterpret_cast<std::uintptr_t>(blocks_.front().memory);
  limit_ = cursor_ + total_;
}

// Blocks grow with what is there already, so that there are few of them and little of the last one is left over.
void* Arena::allocate_slow(std::size_t bytes, std::size_t alignment) {
  std::size_t needed = (bytes + alignment + 4095) & ~std::size_t{4095};
  Block block{};
  if (pool_ != nullptr) {
    // The largest one, so that few are needed.
    auto largest = std::ranges::max_element(pool_->blocks_, {}, &Block::size);
    if (largest != pool_->blocks_.end() && largest->size >= needed) {
      block = *largest;
      *largest = pool_->blocks_.back();
      pool_->blocks_.pop_back();
    }
  }
  if (block.memory == nullptr) {
    block = take_pages(std::max(needed, std::clamp(std::bit_floor(total_ / 8), kSmallestBlock, kLargestBlock)));
  }
  blocks_.push_back(block);
  total_ += block.size;
  cursor_ = reinterpret_cast<std::uintptr_t>(block.memory);
  limit_ = cursor_ + block.size;
  std::uintptr_t start = (cursor_ + alignment - 1) & ~(alignment - 1);
  cursor_ = start + bytes;
  return reinterpret_cast<void*>(start);
}

}  // namespace opm::base
