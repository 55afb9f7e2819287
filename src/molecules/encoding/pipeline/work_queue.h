#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "molecules/encoding/pipeline/work.h"

namespace molgauge::pipeline {

/// The tasks of the workers. The input stage adds chunks to featurise. The workers make batches to encode
/// from the chunks.
///
/// Thread safety: every method may be called from any thread. Invariants: At most `capacity` chunks wait, so
/// slow workers stop the input stage. next() returns batches before chunks, so batches do not accumulate. As
/// long as the queue is open or a worker featurises a chunk, more work may arrive.
class WorkQueue {
 public:
  explicit WorkQueue(std::size_t capacity) : capacity_(capacity) {}

  using Work = std::variant<Chunk, Batch>;

  /// Waits until there is room. Returns false, and drops the chunk, if the queue is closed or abandoned.
  bool push(Chunk chunk);
  /// Announces that no more chunks will be pushed.
  void close();

  /// Waits for work. Returns nothing if all work is done, or the queue is abandoned. For every returned
  /// chunk, the worker must call finish_chunk() or abandon().
  std::optional<Work> next();
  /// Reports that a chunk has been featurised, and adds the batches that are now ready. Never waits.
  void finish_chunk(std::vector<Batch> ready);

  /// Drops the remaining work, and makes next() return nothing.
  void abandon();
  /// Whether abandon() was called. Records that are read afterwards will not be encoded.
  bool is_abandoned() const { return abandoned_; }
  const std::atomic<bool>& abandoned() const { return abandoned_; }

 private:
  bool all_done() const { return closed_ && chunks_.empty() && batches_.empty() && chunks_in_work_ == 0; }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable room_, changed_;
  std::deque<Chunk> chunks_;
  std::deque<Batch> batches_;
  std::size_t chunks_in_work_ = 0;
  bool closed_ = false;
  std::atomic<bool> abandoned_ = false;  ///< changed only while the mutex is held
};

}  // namespace molgauge::pipeline
