#include "pipeline/writer_stage.h"

#include <deque>

namespace headroom::pipeline {
namespace {

EncodedBatch join(std::deque<EncodedBatch> batches) {
  EncodedBatch all = std::move(batches.front());
  batches.pop_front();
  for (const EncodedBatch& batch : batches) {
    all.keys.insert(all.keys.end(), batch.keys.begin(), batch.keys.end());
    all.rows.insert(all.rows.end(), batch.rows.begin(), batch.rows.end());
  }
  return all;
}

}  // namespace

void write_finished(BoundedQueue<EncodedBatch>& finished, RowTable& table, Ledger& ledger,
                    StageTimes& times) {
  for (auto batches = finished.pop_all(); !batches.empty(); batches = finished.pop_all()) {
    const EncodedBatch all = join(std::move(batches));
    if (all.keys.empty()) {
      continue;  // every molecule of the batch failed
    }
    {
      const StageTimes::Busy busy(times, Stage::write);
      table.write(all.keys, all.rows);
    }
    ledger.written(all.keys);
  }
}

}  // namespace headroom::pipeline
