#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace headroom::baselines {

/// How rows are worked through: so many at a time, on so many threads.
struct RowBatches {
  std::size_t batch_size = 256;
  std::size_t threads = 0;  ///< 0: every processor this process may use
};

/// Calls work(first, count) for consecutive ranges that cover `rows`, each on one thread on which operators
/// are serial and record no gradients. The first exception comes out of this call; Interrupted when the user
/// asked to stop.
void for_each_batch(std::int64_t rows, const RowBatches& batches,
                    const std::function<void(std::int64_t first, std::int64_t count)>& work);

}  // namespace headroom::baselines
