#include "baselines/logit_detectors.h"

#include <algorithm>

#include "baselines/fitted_tensors.h"
#include "baselines/logit_scores.h"
#include "core/error.h"

namespace headroom::baselines {

std::vector<float> MaximumProbability::score_rows(const at::Tensor& features) const {
  std::vector<float> scores = confidence(read_out(*model_.classifier, features).logits, model_.kind);
  for (float& score : scores) {
    score = 1 - score;
  }
  return scores;
}

std::vector<float> FreeEnergy::score_rows(const at::Tensor& features) const {
  return free_energy(read_out(*model_.classifier, features).logits, model_.kind);
}

void Conformal::fit(const FitData& data) {
  if (!data.calibration.defined() || data.calibration.size(0) == 0) {
    throw InputError(
        "conformal: no calibration molecules; it needs validation molecules besides those that "
        "choose the model");
  }
  calibration_ = confidence(read_out(*model_.classifier, data.calibration, data.batches).logits, model_.kind);
  std::sort(calibration_.begin(), calibration_.end());
}

io::TensorMap Conformal::fitted() const { return {{"calibration", list_to_file(calibration_)}}; }

void Conformal::restore(const io::TensorMap& tensors, std::int64_t, const std::string& source) {
  calibration_ = take_list(tensors, "calibration", source);
  if (!std::is_sorted(calibration_.begin(), calibration_.end())) {
    throw InputError(source + ": its calibration is not in ascending order");
  }
}

std::vector<float> Conformal::score_rows(const at::Tensor& features) const {
  std::vector<float> scores = confidence(read_out(*model_.classifier, features).logits, model_.kind);
  for (float& score : scores) {
    const auto at_most = std::upper_bound(calibration_.begin(), calibration_.end(), score);
    const auto rank = static_cast<double>(1 + (at_most - calibration_.begin()));
    score = static_cast<float>(1 - rank / static_cast<double>(1 + calibration_.size()));
  }
  return scores;
}

}  // namespace headroom::baselines
