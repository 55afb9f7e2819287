#include "molecules/baselines/detectors/row_batches.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "base/numerics/torch/operator_threads.h"

namespace molgauge::baselines {

void for_each_batch(std::int64_t rows, const RowBatches& batches,
                    const std::function<void(std::int64_t first, std::int64_t count)>& work) {
  const torch::OperatorThreads serial(1);
  const auto step = static_cast<std::int64_t>(std::max<std::size_t>(batches.batch_size, 1));
  const auto count = static_cast<std::size_t>((rows + step - 1) / step);
  const std::size_t threads = batches.threads > 0 ? batches.threads : available_processors();
  const auto run = [&](std::size_t batch) {
    throw_if_cancelled();
    const c10::NoGradGuard no_gradient;
    const std::int64_t first = static_cast<std::int64_t>(batch) * step;
    work(first, std::min(step, rows - first));
  };
  if (std::min(count, threads) <= 1) {
    for (std::size_t batch = 0; batch < count; ++batch) {
      run(batch);
    }
    return;
  }
  parallel_for(count, threads, [&](std::size_t batch) {
    at::set_num_threads(1);  // a new thread starts with the default of OpenMP
    run(batch);
  });
}

}  // namespace molgauge::baselines
