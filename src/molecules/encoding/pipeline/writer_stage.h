#pragma once

#include "base/core/threads/bounded_queue.h"
#include "base/memory/recover/recovery.h"
#include "molecules/encoding/pipeline/atom_pair_features.h"
#include "molecules/encoding/pipeline/record_tracker.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/pipeline/stage_times.h"
#include "molecules/encoding/pipeline/work.h"

namespace molgauge::pipeline {

/// Stores finished batches until the queue is closed and empty. Each transaction writes all waiting batches.
/// A single batch is therefore written immediately, and batches that arrive faster than the disk syncs share
/// a transaction. Runs in one thread.
///
/// Before the rows of a molecule, `fine` writes its atom features and pair features. `fine` is null if these
/// features are not requested.
///
/// A transaction that runs out of memory is repeated, batch by batch.
void write_finished(BoundedQueue<EncodedBatch>& finished, RowTable& table, RecordTracker& tracker,
                    StageTimes& times, memory::Recovery& recovery, FineWriter* fine);

}  // namespace molgauge::pipeline
