#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "encoders/encoder.h"
#include "memory/plan/cost.h"
#include "memory/recover/portion_size.h"

namespace headroom::pipeline {

/// Bytes that encoding may take beyond what is taken already.
struct EncodingRoom {
  std::uint64_t host = 0;               ///< tensors included where no device is used
  std::optional<std::uint64_t> device;  ///< of the GPU that encodes; nothing: the CPU does
};

/// What is known of the records to come, as far as the host's needs depend on it.
struct RecordSizes {
  memory::ItemSize largest;             ///< of the molecules that will be encoded
  double text_bytes_per_token = 2;      ///< of all of them
  std::uint64_t longest_text = 0;       ///< bytes of a record's text, at most
  std::uint64_t featurising_bytes = 0;  ///< that making one of them ready takes, at most
};

/// How molecules are encoded within that room.
struct BatchChoice {
  std::size_t workers = 1;                         ///< batches in flight
  std::size_t batch_tokens = 1;                    ///< most tokens in each, padding counted
  std::uint64_t host_bytes = 0, device_bytes = 0;  ///< what that takes at most
  std::uint64_t tensor_bytes = 0;                  ///< out of those: of all batches in flight
  /// Tensors will take so much instead.
  void set_tensors(std::uint64_t bytes);
  bool operator==(const BatchChoice&) const = default;
};

/// Chooses workers and batches: the host's own needs beside tensors, which the caller projects.
class BatchChooser {
 public:
  /// `tensors`: bytes of the tensors of one batch of so many tokens at their peak (memory/plan/planner.h), or
  /// of the largest molecule by itself where that is more. The encoder outlives the object.
  BatchChooser(const encoders::Encoder& encoder, memory::ProjectedBytes tensors, RecordSizes records,
               bool on_device);

  /// The fastest choice that fits: as many workers as are wanted with the usual batches, else smaller
  /// batches, else fewer workers with batches that are large enough to be worth a worker, and one worker with
  /// the smallest batches at last. Nothing when that does not fit either. More room never gives fewer
  /// workers. `batch_tokens`: forced; 0: chosen here.
  std::optional<BatchChoice> choose(const EncodingRoom& room, std::size_t workers,
                                    std::size_t batch_tokens) const;

  /// The smallest there is: one worker, and small batches unless they are forced.
  BatchChoice smallest(std::size_t batch_tokens) const;

 private:
  BatchChoice describe(std::size_t workers, std::size_t batch_tokens) const;

  const encoders::Encoder& encoder_;
  memory::ProjectedBytes tensors_;
  RecordSizes records_;
  bool on_device_;
};

}  // namespace headroom::pipeline
