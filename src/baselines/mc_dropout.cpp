#include "baselines/mc_dropout.h"

#include "baselines/classifier_pass.h"
#include "baselines/logit_scores.h"
#include "core/error.h"
#include "core/hash.h"

namespace headroom::baselines {
namespace {

constexpr double kWithinLogarithm = 1e-10;

at::Tensor weighted_logarithm(const at::Tensor& p) { return p * (p + kWithinLogarithm).log(); }

/// [n] of mean probabilities [n, outputs].
at::Tensor entropy(const at::Tensor& mean, LabelKind kind) {
  return kind == LabelKind::classes ? -weighted_logarithm(mean).sum(1)
                                    : -(weighted_logarithm(mean) + weighted_logarithm(1 - mean)).mean(1);
}

/// [samples, n] of probabilities [samples, n, outputs].
at::Tensor largest_probability(const at::Tensor& p, LabelKind kind) {
  const bool single = kind != LabelKind::classes && p.size(2) == 1;
  return single ? at::maximum(p, 1 - p).squeeze(2) : p.amax(2);
}

std::vector<std::uint64_t> keys_of(const at::Tensor& features, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(features.size(0)));
  const std::span<const float> numbers(features.data_ptr<float>(),
                                       static_cast<std::size_t>(features.numel()));
  const std::size_t width = static_cast<std::size_t>(features.size(1));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = keyed_number(mix(seed), checksum64(std::as_bytes(numbers.subspan(i * width, width))));
  }
  return keys;
}

}  // namespace

std::vector<float> uncertainty_of(const at::Tensor& sampled_logits, LabelKind kind, Uncertainty uncertainty) {
  const at::Tensor p = probabilities(sampled_logits, kind);
  const at::Tensor result = uncertainty == Uncertainty::entropy
                                ? entropy(p.mean(0), kind).contiguous()
                                : largest_probability(p, kind).var(0, true).contiguous();
  const auto* const first = result.data_ptr<float>();
  return {first, first + result.numel()};
}

McDropout::McDropout(TrainedClassifier model, const McDropoutOptions& options)
    : model_(std::move(model)), options_(options) {
  if (options.samples < (options.uncertainty == Uncertainty::variance ? 2U : 1U)) {
    throw UsageError("mc-dropout-samples must be at least 1, and 2 for a variance");
  }
}

std::vector<float> McDropout::score_rows(const at::Tensor& features) const {
  const std::vector<std::uint64_t> keys = keys_of(features, options_.seed);
  ClassifierPass pass(*model_.classifier, features.size(0));
  const auto samples = static_cast<std::int64_t>(options_.samples);
  at::Tensor logits = at::empty({samples, features.size(0), model_.classifier->shape().outputs}, at::kFloat);
  logits[0].copy_(pass.forward(features, NormalizationMode::running, {options_.dropout, keys, 0}));
  for (std::int64_t sample = 1; sample < samples; ++sample) {
    logits[sample].copy_(pass.again({options_.dropout, keys, static_cast<std::uint64_t>(sample)}));
  }
  return uncertainty_of(logits, model_.kind, options_.uncertainty);
}

}  // namespace headroom::baselines
