#pragma once

#include <cstdint>
#include <memory_resource>
#include <set>

#include "memgauge/simulator/block.h"

namespace molgauge::allocator {

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

}  // namespace molgauge::allocator
