#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/memory/trace/allocator_settings.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// The reason why consecutive segments were released to the driver.
enum class ReleaseReason : std::uint8_t {
  empty_cache,  ///< the program called torch.cuda.empty_cache()
  retry,        ///< a request found no memory and released the whole cache
  request,      ///< a request released part of the cache, because settings of the allocator demand it
};

/// Finds the reason of each run of segment_free and segment_unmap events in a trace.
///
/// After a retry, the next event is a new segment or a failure of the request that caused the retry. If C++
/// frames were recorded, they identify releases by empty_cache(). Otherwise, a release is not a retry if the
/// request would have fitted without it. The request would have fitted if the bytes that were reserved before
/// the release plus the request do not exceed the peak of the recording.
///
/// With garbage_collection_threshold or max_split_size_mb, a request can release part of the cache. Releases
/// before a new segment then count as such releases.
class ReleaseBursts {
 public:
  /// `trace`: the events. `reserved_at_start` and `peak_reserved`: reserved bytes at the start and at the
  /// peak of the recording. `settings`: the settings of the recorded allocator.
  ReleaseBursts(const SnapshotTables& tables, const std::vector<SnapshotValue>& trace,
                std::uint64_t reserved_at_start, std::uint64_t peak_reserved,
                const AllocatorSettings& settings);

  /// Returns the reason of the run that ends before entry `index` of the trace, or nothing if no run ends
  /// there.
  std::optional<ReleaseReason> ended_before(std::size_t index) const;

  std::size_t retries() const { return retries_; }
  std::size_t calls_of_empty_cache() const { return calls_of_empty_cache_; }
  /// Upper bound of the bytes that the program could reserve. It follows from the requests that caused
  /// retries, and is empty if there were no retries.
  std::optional<std::uint64_t> most_capacity() const { return most_capacity_; }

 private:
  void add(std::size_t index, ReleaseReason reason);
  bool names_empty_cache(std::uint32_t frames);

  const SnapshotTables& tables_;
  std::unordered_map<std::size_t, ReleaseReason> bursts_;  ///< reasons by the index of the entry after the
                                                           ///< run
  std::unordered_map<std::uint64_t, bool> frame_names_empty_cache_;
  std::size_t retries_ = 0, calls_of_empty_cache_ = 0;
  std::optional<std::uint64_t> most_capacity_;
};

}  // namespace molgauge::allocator
