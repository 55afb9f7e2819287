#include "baselines/odin.h"

#include <algorithm>
#include <vector>

#include "baselines/classifier_pass.h"
#include "baselines/logit_scores.h"

namespace headroom::baselines {
namespace {

/// Up to a positive factor: softmax(z / T) minus 1 at the largest.
at::Tensor gradient_in_logits(const at::Tensor& logits, double temperature) {
  at::Tensor gradient = logits / temperature;
  const auto outputs = static_cast<std::size_t>(logits.size(1));
  std::vector<double> p(outputs);
  float* row = gradient.data_ptr<float>();
  for (std::int64_t i = 0; i < logits.size(0); ++i, row += outputs) {
    probabilities({row, outputs}, LabelKind::classes, p);
    const auto largest = static_cast<std::size_t>(std::max_element(row, row + outputs) - row);
    p[largest] -= 1;
    std::copy(p.begin(), p.end(), row);
  }
  return gradient;
}

}  // namespace

std::vector<float> Odin::score_rows(const at::Tensor& features) const {
  ClassifierPass pass(*model_.classifier, features.size(0));
  const at::Tensor gradient =
      pass.input_gradient(gradient_in_logits(pass.forward(features), options_.temperature));
  const at::Tensor moved = features - options_.noise * gradient.sign();
  std::vector<float> scores = confidence(pass.forward(moved), model_.kind, options_.temperature);
  for (float& score : scores) {
    score = 1 - score;
  }
  return scores;
}

}  // namespace headroom::baselines
