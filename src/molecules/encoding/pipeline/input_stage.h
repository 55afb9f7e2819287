#pragma once

#include <memory>
#include <vector>

#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/packing.h"
#include "molecules/encoding/pipeline/record_tracker.h"
#include "molecules/encoding/pipeline/stage_times.h"
#include "molecules/encoding/pipeline/work_queue.h"

namespace molgauge::pipeline {

/// Reads the records and makes windows and chunks of them. Skips a record if its row is stored, or if a
/// record with the same text is being encoded or has failed. Runs in one thread.
///
/// Windows are cut by estimated cost. They depend only on the input and the table, so every run makes the
/// same batches. A record that fills a batch by its estimated cost gets its own window, because it must not
/// delay other records.
class InputStage {
 public:
  InputStage(const MoleculeSource& source, const encoders::Encoder& encoder, RowTable& table,
             const PipelineOptions& options, RecordTracker& tracker, StageTimes& times,
             memory::Recovery& recovery, WorkQueue& work);

  /// Runs until the source ends, a record has failed in strict mode, another stage has failed and abandoned
  /// the queue, or the user asks to stop. Closes the queue.
  void run();

  /// Number of records read. Call it after run() has returned.
  std::size_t records() const { return records_; }
  /// Returns the keys of all records in order, if the options keep them. Call it after run() has returned.
  std::vector<Hash128> take_keys() { return std::move(keys_); }

 private:
  std::optional<chem::MoleculeRecord> next_record();
  void look_up(std::vector<PendingMolecule>& group);
  void put_into_window(PendingMolecule molecule);
  void hand_over(std::unique_ptr<Window> window);

  const MoleculeSource& source_;
  const encoders::Encoder& encoder_;
  RowTable& table_;
  const PipelineOptions& options_;
  RecordTracker& tracker_;
  StageTimes& times_;
  memory::Recovery& recovery_;
  WorkQueue& work_;
  std::size_t records_ = 0;
  std::vector<Hash128> keys_;
  std::unique_ptr<Window> window_;
  WindowCutter cutter_;
};

}  // namespace molgauge::pipeline
