#pragma once

#include <vector>

#include "memgauge/explain/moment.h"
#include "memgauge/explain/subject.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// A verdict, and how far its figures are from the threshold.
struct Judgement {
  MemoryVerdict verdict = MemoryVerdict::sound;
  std::vector<MemoryMargin> margins;
};

/// The verdict about a program that ran out of memory at `moment`.
Judgement judge_failure(const Subject& subject, const ExplainedMoment& moment,
                        const std::vector<MemoryOfPool>& pools);

/// The verdict about a program that fits. `reserved`, `in_use`: its peaks in bytes.
Judgement judge_peaks(std::uint64_t reserved, std::uint64_t in_use);

/// Whether the verdict says that memory ran out.
bool ran_out(MemoryVerdict verdict);

}  // namespace molgauge::allocator
