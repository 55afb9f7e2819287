#pragma once

#include <cstddef>

namespace molgauge::torch {

/// While an object of this class exists, CPU operators use `count` threads each. This applies to the thread
/// that created it, to threads started later, and to threads that call join_operator_threads(). Use a count
/// of one for work that runs in several threads, such as parallel batches or shards of a training step.
/// Otherwise results would depend on the number of threads, because the BLAS and ATen divide sums among
/// threads. Small operators would also be slow if other programs use the processors, because the threads of
/// an operator wait for each other.
///
/// The count applies to the whole process. Create one object at a time, in the thread that starts the others.
class OperatorThreads {
 public:
  explicit OperatorThreads(int count);
  /// Restores the previous count of the process and of the calling thread.
  ~OperatorThreads();

  /// The number of operator threads before this object was created.
  std::size_t former() const { return static_cast<std::size_t>(former_); }

  OperatorThreads(const OperatorThreads&) = delete;
  OperatorThreads& operator=(const OperatorThreads&) = delete;

 private:
  int former_;
};

/// Applies the count of the process to the calling thread. Call it before the first operator of the thread.
/// Otherwise the matrix library starts one thread for each processor.
void join_operator_threads();

}  // namespace molgauge::torch
