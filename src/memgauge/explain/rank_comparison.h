#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memgauge/recordings/recording.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The memory of one rank. If its snapshot contains several devices, the device with the highest peak.
struct RankMemory {
  std::string source;  ///< the file
  std::size_t device = 0;
  std::uint64_t peak_bytes = 0, peak_reserved_bytes = 0;
  bool ran_out = false;  ///< a request failed
};

/// What differs between the ranks of one program.
struct RankComparison {
  std::vector<RankMemory> ranks;      ///< in the order of the recordings
  std::size_t least = 0, most = 0;    ///< the ranks with the lowest and the highest peak
  std::vector<MemoryGrowth> at_peak;  ///< holders that differ between `least` (before) and `most` (after)
  std::string text;                   ///< a table of the ranks, and the largest differences
};

/// Compares recordings of several files.
RankComparison compare_ranks(const std::vector<Recording>& recordings);

/// Adds the comparison to the text and to the JSON (`ranks`) of an explanation.
void add_ranks(const RankComparison& comparison, MemoryExplanation& explanation);

}  // namespace molgauge::allocator
