#pragma once

#include <cstddef>

#include <ATen/Parallel.h>

namespace headroom::ood {

/// While it lives, ATen and the BLAS beneath it compute on the calling thread alone, and threads() tells how
/// many they were allowed before.
///
/// The work here is cut over threads of our own instead. A product or a sum that the BLAS or ATen splits has
/// other bytes for other numbers of threads; and the many small operators of a training step would spend
/// their time waiting for each other wherever the processors are shared with other programs.
class SerialTensors {
 public:
  SerialTensors() { at::set_num_threads(1); }
  ~SerialTensors() { at::set_num_threads(threads_); }
  SerialTensors(const SerialTensors&) = delete;
  SerialTensors& operator=(const SerialTensors&) = delete;

  std::size_t threads() const { return static_cast<std::size_t>(threads_); }

 private:
  int threads_ = at::get_num_threads();
};

}  // namespace headroom::ood
