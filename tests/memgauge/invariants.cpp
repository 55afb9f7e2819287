#include "invariants.h"

#include <fmt/format.h>

namespace molgauge::allocator {
namespace {

class InvariantCheck {
 public:
  explicit InvariantCheck(const CachingAllocator& allocator) : allocator_(allocator) {}

  std::optional<std::string> run() {
    std::uint64_t end_of_last = 0;
    for (const auto& [address, segment] : allocator_.segments()) {
      require(address == segment.address && address >= end_of_last, "segments overlap", address);
      end_of_last = address + segment.bytes;
      check_segment(segment);
    }
    check_sums();
    return problem_;
  }

 private:
  void check_segment(const Segment& segment) {
    std::uint64_t end = segment.address;
    const Block* last = nullptr;
    for (const Block* block = segment.first; block != nullptr; last = block, block = block->next) {
      require(block->address == end && block->bytes > 0, "blocks do not tile", block->address);
      require(block->previous == last, "a block does not know its neighbour", block->address);
      require(block->expandable == (segment.page_bytes != 0), "a block of the wrong kind", block->address);
      if (last != nullptr) {
        require(block->stream == last->stream && block->pool == last->pool, "two owners", block->address);
        require(!block->can_be_taken() || block->state != last->state, "free neighbours", block->address);
      }
      count(*block);
      end += block->bytes;
    }
    require(end == segment.address + segment.bytes, "blocks do not fill their segment", segment.address);
  }

  void count(const Block& block) {
    reserved_ += block.state == BlockState::unmapped ? 0 : block.bytes;
    if (block.state == BlockState::free) {
      require(block.pool->free_blocks().contains({block.stream, block.bytes, block.address, nullptr}),
              "a free block is in no pool", block.address);
      ++free_;
    } else if (block.state == BlockState::unmapped) {
      require(block.pool->unmapped_blocks().contains({block.stream, block.address, nullptr}),
              "an unmapped block is in no pool", block.address);
      ++unmapped_;
    } else {
      active_ += block.bytes;
    }
    if (block.state == BlockState::allocated) {
      require(block.bytes >= block.requested, "a block is smaller than asked for", block.address);
      allocated_ += block.bytes;
      requested_ += block.requested;
    }
  }

  void check_sums() {
    const auto& statistics = allocator_.statistics();
    require(statistics.reserved.now == reserved_, "reserved is not the sum of the segments", reserved_);
    require(statistics.active.now == active_, "active is not the sum of its blocks", active_);
    require(statistics.allocated.now == allocated_, "allocated is not the sum of its blocks", allocated_);
    require(statistics.requested.now == requested_, "requested is not the sum of its blocks", requested_);
    require(statistics.reserved.peak >= reserved_, "the peak is lower than the reserved memory", reserved_);
    const auto& small = allocator_.small_pool();
    const auto& large = allocator_.large_pool();
    require(small.free_blocks().size() + large.free_blocks().size() == free_, "a pool holds a stranger",
            free_);
    require(small.unmapped_blocks().size() + large.unmapped_blocks().size() == unmapped_,
            "a pool holds a stranger without memory", unmapped_);
  }

  void require(bool holds, const char* problem, std::uint64_t where) {
    if (!holds && !problem_) {
      problem_ = fmt::format("{} (at {})", problem, where);
    }
  }

  const CachingAllocator& allocator_;
  std::optional<std::string> problem_;
  std::uint64_t reserved_ = 0, active_ = 0, allocated_ = 0, requested_ = 0;
  std::size_t free_ = 0, unmapped_ = 0;
};

}  // namespace

std::optional<std::string> broken_invariant(const CachingAllocator& allocator) {
  return InvariantCheck(allocator).run();
}

}  // namespace molgauge::allocator
