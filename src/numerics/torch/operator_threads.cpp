#include "numerics/torch/operator_threads.h"

#include <ATen/Parallel.h>

namespace headroom::torch {

OperatorThreads::OperatorThreads(int count) : former_(at::get_num_threads()) { at::set_num_threads(count); }

OperatorThreads::~OperatorThreads() { at::set_num_threads(former_); }

void join_operator_threads() {
  // LibTorch sets the number of operator threads of a thread at the first request for this number.
  at::get_num_threads();
}

}  // namespace headroom::torch
