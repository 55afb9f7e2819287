#pragma once

namespace headroom::torch {

/// While an object of this class lives, operators on the CPU use `count` threads each: in the thread that
/// made it, in threads started after it, and in threads that call join_operator_threads(). Work that is
/// spread over threads itself (batches side by side) wants one.
///
/// The count is the process's: make one object at a time, where threads are handed out.
class OperatorThreads {
 public:
  explicit OperatorThreads(int count);
  /// Gives the process, and the thread that this runs in, the former count back.
  ~OperatorThreads();
  OperatorThreads(const OperatorThreads&) = delete;
  OperatorThreads& operator=(const OperatorThreads&) = delete;

 private:
  int former_;
};

/// Makes the calling thread obey the process's count before its first operator: the matrix library would
/// otherwise start with a thread for every processor.
void join_operator_threads();

}  // namespace headroom::torch
