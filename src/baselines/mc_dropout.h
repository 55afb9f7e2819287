#pragma once

#include <cstdint>

#include "baselines/detector.h"
#include "baselines/readout.h"

namespace headroom::baselines {

enum class Uncertainty {
  entropy,   ///< of the mean prediction; for tasks the mean over the tasks
  variance,  ///< unbiased, over the passes, of the largest probability (several tasks: the largest sigmoid)
};

struct McDropoutOptions {
  std::size_t samples = 20;
  Uncertainty uncertainty = Uncertainty::entropy;
  double dropout = 0.5;
  std::uint64_t seed = 42;
};

/// Of logits [samples, n, outputs] that were drawn with dropout. [n]
std::vector<float> uncertainty_of(const at::Tensor& sampled_logits, LabelKind kind, Uncertainty uncertainty);

/// Monte-Carlo dropout (Gal and Ghahramani 2016, arXiv:1506.02142): several passes with dropout,
/// normalisation with the running statistics. What is dropped for a molecule follows from the seed and its
/// features, so that its score depends on neither the batch nor the order.
class McDropout : public Detector {
 public:
  /// Throws UsageError when an option is out of range.
  McDropout(TrainedClassifier model, const McDropoutOptions& options);

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  McDropoutOptions options_;
};

}  // namespace headroom::baselines
