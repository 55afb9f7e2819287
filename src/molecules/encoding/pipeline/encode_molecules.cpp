#include "molecules/encoding/pipeline/encode_molecules.h"

#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/text/duration.h"
#include "base/core/threads/bounded_queue.h"
#include "base/core/threads/worker_group.h"
#include "base/memory/recover/recovery.h"
#include "molecules/encoding/pipeline/atom_pair_features.h"
#include "molecules/encoding/pipeline/input_stage.h"
#include "molecules/encoding/pipeline/record_tracker.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/pipeline/stage_times.h"
#include "molecules/encoding/pipeline/work.h"
#include "molecules/encoding/pipeline/worker_stage.h"
#include "molecules/files/molecule_reader.h"

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

/// Stores finished batches until the queue is closed and empty. Each transaction writes all waiting batches.
/// A single batch is therefore written immediately, and batches that arrive faster than the disk syncs share
/// a transaction. Runs in one thread.
///
/// Before the rows of a molecule, `fine` writes its atom features and pair features. `fine` is null if these
/// features are not requested.
///
/// A transaction that runs out of memory is repeated, batch by batch.
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

[[noreturn]] void refuse(const FailedMolecule& failed) {
  throw InputError(failed.file + ":" + std::to_string(failed.line) + ": " + failed.reason +
                   ". Correct or remove the record, or leave out --strict to continue without it");
}

memory::Workload workload(const PipelineOptions& options) {
  memory::Workload encoding;
  encoding.name = "encoding";
  encoding.unit = "atoms";
  encoding.planned = options.batch_tokens;
  encoding.projected_bytes = options.projected_bytes;
  encoding.largest_contributor = [](std::size_t tokens) {
    return "the encoder's activations of " + std::to_string(tokens) + " atoms";
  };
  return encoding;
}

}  // namespace

MoleculeSource source_of(std::span<const chem::MoleculeRecord> records) {
  return [records, next = std::size_t{0}]() mutable -> std::optional<chem::MoleculeRecord> {
    return next < records.size() ? std::optional(records[next++]) : std::nullopt;
  };
}

MoleculeSource source_of(io::MoleculeReader& reader) {
  return [&reader]() -> std::optional<chem::MoleculeRecord> {
    auto row = reader.next();
    return row ? std::optional(std::move(row->record)) : std::nullopt;
  };
}

Hash128 key_of(const chem::MoleculeRecord& record) {
  // The NUL character makes the key of an unreadable text different from the key of every molecule, because
  // no text contains it.
  return hash128(record.unreadable.empty() ? record.text : record.text + '\0' + record.unreadable);
}

EncodeOutcome encode_molecules(const MoleculeSource& source, const encoders::Encoder& encoder,
                               RowTable& table, const PipelineOptions& options) {
  const Stopwatch watch;
  const std::size_t workers = options.in_this_thread ? 1
                              : options.threads == 0 ? available_processors()
                                                     : options.threads;
  Progress progress("encode", "molecule", options.total, options.quiet);
  RecordTracker tracker(progress, options.scratch);
  StageTimes times;
  memory::Recovery recovery(workload(options), options.allocator);
  WorkQueue work(options.waiting_per_worker * workers);
  BoundedQueue<EncodedBatch> finished(options.waiting_per_worker * workers);
  InputStage input(source, encoder, table, options, tracker, times, recovery, work);
  std::optional<FineWriter> fine;
  if (options.fine != nullptr) {
    fine.emplace(*options.fine);
  }
  FineWriter* const fine_writer = fine ? &*fine : nullptr;
  WorkerStage worker(encoder, options, tracker, times, recovery, work, finished, fine_writer);

  WorkerGroup writing([&] {
    finished.abandon();
    work.abandon();
  });
  WorkerGroup making([&] { work.abandon(); });
  std::exception_ptr failure;
  const auto keep_failure = [&failure](const std::function<void()>& step) {
    try {
      step();
    } catch (...) {
      failure = failure ? failure : std::current_exception();
    }
  };
  const auto write = [&] { write_finished(finished, table, tracker, times, recovery, fine_writer); };
  keep_failure([&] {
    if (options.in_this_thread) {
      input.run();
      worker.run();
      return;
    }
    writing.start(write);
    making.start([&] { input.run(); });
    for (std::size_t i = 0; i < workers; ++i) {
      making.start([&] { worker.run(); });
    }
  });
  if (failure) {
    work.abandon();  // stops the other threads, which would wait for a thread that could not be started
  }
  keep_failure([&] { making.join(); });
  // Finished batches are written before a failure is reported.
  finished.close();
  if (options.in_this_thread) {
    keep_failure(write);
  }
  keep_failure([&] { writing.join(); });
  if (failure) {
    std::rethrow_exception(failure);
  }
  progress.finish();

  EncodeOutcome outcome;
  outcome.failed = tracker.take_failed();
  throw_if_cancelled();
  if (options.strict && !outcome.failed.empty()) {
    refuse(outcome.failed.first(1).front());
  }
  outcome.keys = input.take_keys();
  outcome.rows = input.records();
  outcome.encoded = tracker.encoded();
  outcome.batches = tracker.batches();
  outcome.cropped = tracker.cropped_molecules();
  outcome.from_store = outcome.rows - outcome.encoded - outcome.failed.size();
  outcome.seconds = watch.seconds();
  outcome.stages = times.report(outcome.seconds, workers);
  outcome.memory = recovery.counts();
  outcome.bottleneck = times.bottleneck(outcome.seconds, workers);
  return outcome;
}

}  // namespace molgauge::pipeline
