#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace molgauge::baselines {

/// The number of rows in a batch, and the number of threads that process batches.
struct RowBatches {
  std::size_t batch_size = 256;
  std::size_t threads = 0;  ///< 0 means all processors that this process may use
};

/// Calls work(first, count) for consecutive ranges that cover `rows`. Each call runs on one thread. Within a
/// call, LibTorch operators are serial and record no gradients. Throws the first exception of any call, or
/// Interrupted if the user asked to stop.
void for_each_batch(std::int64_t rows, const RowBatches& batches,
                    const std::function<void(std::int64_t first, std::int64_t count)>& work);

}  // namespace molgauge::baselines
