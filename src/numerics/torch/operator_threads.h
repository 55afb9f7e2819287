#pragma once

#include <cstddef>

namespace headroom::torch {

/// While an object of this class lives, operators on the CPU use `count` threads each: in the thread that
/// made it, in threads started after it, and in threads that call join_operator_threads(). Work that is
/// spread over threads itself (batches side by side, shards of a training step) wants one: a product or a sum
/// that the BLAS or ATen splits has different bytes for different numbers of threads, and many small
/// operators of a training step would wait for each other wherever the processors are shared with other
/// programs.
///
/// The count belongs to the process. Create one object at a time, in the thread that starts the others.
class OperatorThreads {
 public:
  explicit OperatorThreads(int count);
  /// Restores the previous count of the process and of the calling thread.
  ~OperatorThreads();

  /// The number of threads that operators had before.
  std::size_t former() const { return static_cast<std::size_t>(former_); }

  OperatorThreads(const OperatorThreads&) = delete;
  OperatorThreads& operator=(const OperatorThreads&) = delete;

 private:
  int former_;
};

/// Applies the count of the process to the calling thread before its first operator. Otherwise the matrix
/// library starts one thread for each processor.
void join_operator_threads();

}  // namespace headroom::torch
