#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory_resource>
#include <optional>
#include <vector>

#include "base/memory/trace/allocator_settings.h"
#include "memgauge/simulator/allocator_statistics.h"
#include "memgauge/simulator/block.h"
#include "memgauge/simulator/block_pool.h"
#include "memgauge/simulator/device_memory.h"

namespace molgauge::allocator {

struct SegmentPicture;

/// A range of addresses from the driver: either a segment with memory for all addresses, or an expandable
/// segment with pages that are mapped when needed.
struct Segment {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t page_bytes = 0;  ///< size of the pages, or 0 if not expandable
  Block* first = nullptr;        ///< the block at `address`
};

/// Simulates the native CUDA caching allocator of PyTorch: choosing, splitting and merging blocks, requests
/// to the driver, and the release of cached memory.
///
/// Source of the algorithm: c10/cuda/CUDACachingAllocator.cpp (PyTorch 2.x). Capturing CUDA graphs and
/// free-memory callbacks are not simulated, because traces do not contain them.
///
/// Thread safety: none.
class CachingAllocator {
 public:
  /// `capacity`: the bytes that the process can reserve. `card`: the total memory of the card. The memory
  /// fraction and the garbage collection threshold are shares of `card`. If `card` is empty, they are shares
  /// of `capacity`.
  explicit CachingAllocator(AllocatorSettings settings, std::uint64_t capacity = DeviceMemory::kUnlimited,
                            std::optional<std::uint64_t> card = {});
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// Restores segments with their addresses, blocks and holders (BlockPicture::allocation becomes
  /// Block::holder). Call it before the first allocation. Expandable segments are not restored. Returns the
  /// blocks in use in the order of the pictures.
  std::vector<Block*> restore(const std::vector<SegmentPicture>& segments);
  /// Marks a stream as a private pool of a CUDA graph or MemPool. Its cache is kept if memory runs out or the
  /// cache is emptied.
  void declare_private(StreamNumber stream);
  /// Adds the recorded address of a future segment of this size. New segments of this size get these
  /// addresses in the order of the calls.
  void foresee_segment(std::uint64_t address, std::uint64_t bytes) {
    device_.declare_requirement(address, bytes);
  }

  /// Returns a block of at least `bytes` for the stream, or null if memory runs out. `bytes` is at most 2^60.
  Block* allocate(std::uint64_t bytes, StreamNumber stream);
  /// Frees a block from allocate() that no stream uses.
  void free(Block* block);
  /// Frees a block that another stream may still use. It can be reused after complete_free(), or if memory
  /// runs out.
  void request_free(Block* block);
  void complete_free(Block* block);
  /// Simulates torch.cuda.empty_cache(): completes pending blocks and releases all memory without a live
  /// block.
  void empty_cache();

  const AllocatorSettings& settings() const { return settings_; }
  const AllocatorStatistics& statistics() const { return statistics_; }
  /// The bytes that the simulated driver can still hand out.
  std::uint64_t device_free() const { return device_.capacity() - device_.taken(); }
  std::uint64_t largest_free_block() const { return std::max(small_.largest_free(), large_.largest_free()); }
  /// Segments by address.
  const std::map<std::uint64_t, Segment>& segments() const { return segments_; }
  const BlockPool& small_pool() const { return small_; }
  const BlockPool& large_pool() const { return large_; }

 private:
  struct Request {
    std::uint64_t bytes;  ///< rounded bytes
    StreamNumber stream;
    BlockPool& pool;
  };

  // Requests (caching_allocator.cpp).
  Block* find_free(const Request& request);
  Block* skip_what_expands_further(const Request& request, Block* found) const;
  bool is_oversize_for(const Request& request, const Block& block) const;
  Block* grow(const Request& request);
  bool should_split(const Request& request, const Block& block) const;
  Block* occupy(const Request& request, Block* block, std::uint64_t requested);

  // Blocks (block_lists.cpp).
  Block* make_block(const Block& like, std::uint64_t address, std::uint64_t bytes);
  Block* split(Block* block, std::uint64_t bytes);
  Block* merge_neighbours(Block* block);
  Block* absorb(Block* left, Block* right);
  void discard(Block* block);

  // Release of memory if it runs out (release.cpp).
  void collect_garbage();
  bool release_oversize(const Request& request);
  void release_cached();
  void release_pool(BlockPool& pool);
  void release_segment(Block* block);
  void complete_pending();

  // Expandable segments (expandable_segments.cpp).
  Block* grow_expandable(const Request& request);
  Block* find_stretch(const Request& request);
  Block* reserve_region(const Request& request);
  Block* map_pages(Block* block, std::uint64_t bytes);
  void unmap_pages(Block* block);
  std::uint64_t page_bytes(const BlockPool& pool) const;

  bool fraction_allows(std::uint64_t more) const;
  bool is_private(StreamNumber stream) const {
    return stream < private_streams_.size() && private_streams_[stream];
  }

  AllocatorSettings settings_;
  DeviceMemory device_;
  std::uint64_t card_;
  std::vector<bool> private_streams_;  ///< whether each stream is private, by number
  AllocatorStatistics statistics_;
  std::pmr::unsynchronized_pool_resource nodes_;
  BlockPool small_, large_;
  std::map<std::uint64_t, Segment> segments_;
  std::vector<Block*> pending_;
  std::deque<Block> blocks_;
  std::vector<Block*> unused_;  ///< blocks that were merged into others
};

}  // namespace molgauge::allocator
