#include "baselines/odin.h"

#include "baselines/classifier_pass.h"
#include "baselines/logit_scores.h"

namespace headroom::baselines {
namespace {

/// Up to a positive factor: softmax(z / T) minus 1 at the largest.
at::Tensor gradient_in_logits(const at::Tensor& logits, double temperature) {
  const at::Tensor largest = logits.argmax(1, true);
  return at::softmax(logits / temperature, 1).scatter_add_(1, largest, at::full({logits.size(0), 1}, -1.0));
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
