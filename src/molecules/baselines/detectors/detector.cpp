#include "molecules/baselines/detectors/detector.h"

#include <limits>

namespace molgauge::baselines {

void Detector::fit(const FitData&) {}

io::TensorMap Detector::fitted() const { return {}; }

void Detector::restore(const io::TensorMap&, std::int64_t, const std::string&) {}

std::vector<float> Detector::score(const at::Tensor& features, const RowBatches& batches) const {
  TORCH_CHECK(features.device().is_cpu(), "detectors score rows on the CPU");
  std::vector<float> scores(static_cast<std::size_t>(features.size(0)));
  const at::Tensor rows = features.contiguous();
  for_each_batch(rows.size(0), batches, [&](std::int64_t first, std::int64_t count) {
    const at::Tensor part = rows.narrow(0, first, count);
    const at::Tensor failed = at::isfinite(part).all(1).logical_not();
    // The features show whether a row has failed. The outputs do not, because an activation may turn NaN into
    // 0.
    const std::vector<float> own = score_rows(at::nan_to_num(part, 0.0, 0.0, 0.0));
    const bool* const is_failed = failed.data_ptr<bool>();
    for (std::size_t i = 0; i < own.size(); ++i) {
      scores[static_cast<std::size_t>(first) + i] =
          is_failed[i] ? std::numeric_limits<float>::quiet_NaN() : own[i];
    }
  });
  return scores;
}

}  // namespace molgauge::baselines
