#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <vector>

#include "base/memory/trace/allocator_settings.h"
#include "memgauge/simulator/device_memory.h"

namespace molgauge::allocator {

using StreamNumber = std::uint32_t;
class BlockPool;

enum class BlockState : std::uint8_t {
  free,       ///< cached, so it is available to the next request
  allocated,  ///< holds a live tensor
  pending,    ///< the tensor was freed, but another stream may still use the bytes
  unmapped,   ///< addresses of an expandable segment without memory
};

/// A part of a segment. The blocks of a segment form a list in the order of their addresses and fill it.
struct Block {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t requested = 0;  ///< requested bytes, before rounding; 0 while free
  /// The number of searches in the pool until the block was freed. The age of a block is the number of
  /// searches since then.
  std::uint64_t searches_when_freed = 0;
  Block* previous = nullptr;
  Block* next = nullptr;
  BlockPool* pool = nullptr;
  StreamNumber stream = 0;
  std::uint32_t pending_place = 0;  ///< index in the list of pending blocks
  std::uint32_t holder = 0;         ///< number of the allocation in this block, set by users of the allocator
  BlockState state = BlockState::free;
  bool expandable = false;  ///< part of an expandable segment
  /// The block belongs to a private pool (CUDA graph, MemPool). The allocator keeps the cache of a private
  /// pool, even if memory runs out for other requests.
  bool in_private_pool = false;

  bool can_be_taken() const { return state == BlockState::free || state == BlockState::unmapped; }
  bool is_split() const { return previous != nullptr || next != nullptr; }
};

/// The free blocks for small or for large requests. They are ordered by stream, size and address, because
/// requests search them in this order. The pool also contains the unmapped blocks of its expandable segments,
/// ordered by stream and address.
class BlockPool {
 public:
  /// Allocates nodes from `nodes`, which must outlive the pool.
  BlockPool(bool is_small, std::pmr::memory_resource* nodes)
      : is_small_(is_small), free_(nodes), unmapped_(nodes) {}

  struct FreeOrder {
    StreamNumber stream;
    std::uint64_t bytes, address;
    Block* block;
    bool operator<(const FreeOrder& other) const {
      return stream != other.stream ? stream < other.stream
             : bytes != other.bytes ? bytes < other.bytes
                                    : address < other.address;
    }
  };
  struct AddressOrder {
    StreamNumber stream;
    std::uint64_t address;
    Block* block;
    bool operator<(const AddressOrder& other) const {
      return stream != other.stream ? stream < other.stream : address < other.address;
    }
  };
  using FreeBlocks = std::pmr::set<FreeOrder>;
  using UnmappedBlocks = std::pmr::set<AddressOrder>;

  bool is_small() const { return is_small_; }
  const FreeBlocks& free_blocks() const { return free_; }
  const UnmappedBlocks& unmapped_blocks() const { return unmapped_; }

  /// insert() and erase() treat a block as free or unmapped, according to its state.
  void insert(Block& block);
  void erase(const Block& block);

  /// Returns the first free block of the stream with at least `bytes`. If the stream has no such block,
  /// returns the first block of a later stream, or the end.
  FreeBlocks::const_iterator smallest_fit(StreamNumber stream, std::uint64_t bytes) const {
    return free_.lower_bound({stream, bytes, 0, nullptr});
  }
  UnmappedBlocks::const_iterator first_unmapped(StreamNumber stream) const {
    return unmapped_.lower_bound({stream, 0, nullptr});
  }
  /// Returns the size of the largest free block of all streams, or 0 if no block is free.
  std::uint64_t largest_free() const;

  void count_search() { ++searches_; }
  std::uint64_t age(const Block& block) const { return searches_ - block.searches_when_freed; }

 private:
  bool is_small_;
  std::uint64_t searches_ = 0;
  FreeBlocks free_;
  UnmappedBlocks unmapped_;
};

/// A figure and its highest value so far.
struct Gauge {
  std::uint64_t now = 0, peak = 0;

  void add(std::uint64_t bytes) {
    now += bytes;
    peak = std::max(peak, now);
  }
  void subtract(std::uint64_t bytes) { now -= bytes; }
};

/// The simulated counterparts of the figures in torch.cuda.memory_stats().
struct AllocatorStatistics {
  Gauge reserved;                        ///< bytes of segments and mapped pages
  Gauge active;                          ///< bytes of blocks that are allocated or pending
  Gauge allocated;                       ///< bytes of blocks with a live tensor, after rounding
  Gauge requested;                       ///< bytes of blocks with a live tensor, before rounding
  std::uint64_t device_allocations = 0;  ///< successful requests to the driver
  std::uint64_t device_frees = 0;
  std::uint64_t retries = 0;  ///< requests for which the whole cache was released
  std::uint64_t out_of_memory = 0;
};

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
