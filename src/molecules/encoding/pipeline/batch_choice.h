#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/memory/plan/available_memory.h"
#include "base/memory/plan/cost.h"
#include "base/memory/recover/portion_size.h"
#include "molecules/encoders/encoder.h"

namespace molgauge::pipeline {

/// The sizes of records from which the memory of the host is computed.
struct RecordSizes {
  memory::ItemSize largest;             ///< size of the largest molecule that will be encoded
  double text_bytes_per_token = 2;      ///< mean over the molecules that will be encoded
  std::uint64_t longest_text = 0;       ///< maximum bytes of the text of a record
  std::uint64_t featurising_bytes = 0;  ///< maximum bytes for featurising a molecule
};

/// The chosen number of workers and batch size, and their memory.
struct BatchChoice {
  std::size_t workers = 1;                         ///< workers, each with one batch at a time
  std::size_t batch_tokens = 1;                    ///< maximum tokens in a batch, padding included
  std::uint64_t host_bytes = 0, device_bytes = 0;  ///< upper bounds of the needed bytes
  std::uint64_t tensor_bytes = 0;  ///< bytes of the tensors of all batches that are encoded at the same time.
                                   ///< They are part of host_bytes or device_bytes
  /// Sets the bytes of the tensors, and updates the upper bound that contains them.
  void set_tensors(std::uint64_t bytes);
  bool operator==(const BatchChoice&) const = default;
};

/// Chooses the number of workers and the batch size. Estimates the memory of each choice: the caller provides
/// the bytes of the tensors, and this class computes all other bytes.
class BatchChooser {
 public:
  /// `tensors`: a function that returns the peak bytes of tensors while one batch with the given number of
  /// tokens is encoded (base/memory/plan/planner.h). If the largest molecule alone needs more, the function
  /// returns the bytes of that molecule. The encoder must outlive the object.
  BatchChooser(const encoders::Encoder& encoder, memory::ProjectedBytes tensors, RecordSizes records,
               bool on_device);

  /// Returns the fastest choice that fits. It first tries the requested workers with the usual batches, and
  /// then with smaller batches. Then it tries fewer workers with batches that are large enough to be
  /// efficient. Finally, it tries one worker with the smallest batches. Returns nothing if none of these
  /// choices fits. More memory never gives fewer workers. `batch_tokens`: the forced batch size. If 0, the
  /// function chooses the batch size.
  std::optional<BatchChoice> choose(const memory::AvailableMemory& room, std::size_t workers,
                                    std::size_t batch_tokens) const;

  /// The choice that needs the least memory: one worker, and the smallest batches unless another size is
  /// forced.
  BatchChoice smallest(std::size_t batch_tokens) const;

  /// The number of tokens in a batch if memory suffices.
  std::size_t usual_batch_tokens() const;

 private:
  BatchChoice describe(std::size_t workers, std::size_t batch_tokens) const;

  const encoders::Encoder& encoder_;
  memory::ProjectedBytes tensors_;
  RecordSizes records_;
  bool on_device_;
};

}  // namespace molgauge::pipeline
