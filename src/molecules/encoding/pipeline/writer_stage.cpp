#include "molecules/encoding/pipeline/writer_stage.h"

#include <deque>
#include <utility>

namespace molgauge::pipeline {
namespace {

EncodedBatch join(const std::deque<EncodedBatch>& batches) {
  EncodedBatch all;
  for (const EncodedBatch& batch : batches) {
    all.keys.insert(all.keys.end(), batch.keys.begin(), batch.keys.end());
    all.rows.insert(all.rows.end(), batch.rows.begin(), batch.rows.end());
  }
  return all;
}

/// Writes a batch, unless all of its molecules failed.
void write(RowTable& table, const EncodedBatch& batch) {
  if (!batch.keys.empty()) {
    table.write(batch.keys, batch.rows);
  }
}

}  // namespace

void write_finished(BoundedQueue<EncodedBatch>& finished, RowTable& table, RecordTracker& tracker,
                    StageTimes& times, memory::Recovery& recovery, FineWriter* fine) {
  for (auto batches = finished.pop_all(); !batches.empty(); batches = finished.pop_all()) {
    {
      const StageTimes::Busy busy(times, Stage::write);
      if (fine != nullptr) {
        recovery.retry_until_fits("writing the features of atoms and of pairs to the store",
                                  [&] { fine->flush(); });
      }
      bool together = true;
      recovery.retry_until_fits("writing rows to the store", [&] {
        if (std::exchange(together, false)) {
          write(table, join(batches));
          return;
        }
        for (const EncodedBatch& batch : batches) {
          write(table, batch);
        }
      });
    }
    for (const EncodedBatch& batch : batches) {
      tracker.written(batch.keys);
    }
  }
}

}  // namespace molgauge::pipeline
