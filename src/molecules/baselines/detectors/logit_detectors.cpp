#include "molecules/baselines/detectors/logit_detectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "molecules/baselines/classifier/classifier_pass.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/baselines/detectors/logit_scores.h"

namespace molgauge::baselines {
namespace {

/// The gradient of the cross-entropy with the largest output as target, up to a positive factor: softmax(z /
/// T), minus 1 at the largest output.
at::Tensor gradient_in_logits(const at::Tensor& logits, double temperature) {
  at::Tensor gradient = logits / temperature;
  const auto outputs = static_cast<std::size_t>(logits.size(1));
  std::vector<double> p(outputs);
  auto* row = gradient.data_ptr<float>();
  for (std::int64_t i = 0; i < logits.size(0); ++i, row += outputs) {
    probabilities({row, outputs}, LabelKind::classes, p);
    const auto largest = static_cast<std::size_t>(std::max_element(row, row + outputs) - row);
    p[largest] -= 1;
    std::copy(p.begin(), p.end(), row);
  }
  return gradient;
}

constexpr double kWithinLogarithm = 1e-10;

double weighted_logarithm(double p) { return p * std::log(p + kWithinLogarithm); }

double entropy(std::span<const double> mean, LabelKind kind) {
  double sum = 0;
  for (const double p : mean) {
    sum -= weighted_logarithm(p) + (kind == LabelKind::classes ? 0 : weighted_logarithm(1 - p));
  }
  return kind == LabelKind::classes ? sum : sum / static_cast<double>(mean.size());
}

double largest_probability(std::span<const double> p, LabelKind kind) {
  const bool single = kind != LabelKind::classes && p.size() == 1;
  return single ? std::max(p[0], 1 - p[0]) : *std::max_element(p.begin(), p.end());
}

double unbiased_variance(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return squares / (count - 1);
}

std::vector<std::uint64_t> keys_of(const at::Tensor& features, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(features.size(0)));
  const std::span<const float> numbers(features.data_ptr<float>(),
                                       static_cast<std::size_t>(features.numel()));
  const auto width = static_cast<std::size_t>(features.size(1));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = ops::keyed_number(ops::mix(seed), checksum64(std::as_bytes(numbers.subspan(i * width, width))));
  }
  return keys;
}

struct ReadLogits {
  at::Tensor logits;
  LabelKind kind;
};

ReadLogits read_logits(const TrainedClassifier& model, OutputsRead outputs, const at::Tensor& features) {
  at::Tensor logits = read_out(*model.classifier, features).logits;
  if (outputs == OutputsRead::trained_by_auc && model.kind == LabelKind::classes && logits.size(1) == 2) {
    return {logits.narrow(1, 1, 1).contiguous(), LabelKind::tasks};
  }
  return {logits, model.kind};
}

}  // namespace

std::vector<float> MaximumProbability::score_rows(const at::Tensor& features) const {
  const auto [logits, kind] = read_logits(model_, outputs_, features);
  std::vector<float> scores = confidence(logits, kind);
  for (float& score : scores) {
    score = 1 - score;
  }
  return scores;
}

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

std::vector<float> FreeEnergy::score_rows(const at::Tensor& features) const {
  const auto [logits, kind] = read_logits(model_, outputs_, features);
  return free_energy(logits, kind);
}

std::vector<float> FirstLogit::score_rows(const at::Tensor& features) const {
  const at::Tensor logits = read_out(*model_.classifier, features).logits.contiguous();
  std::vector<float> scores(static_cast<std::size_t>(logits.size(0)));
  const float* row = logits.data_ptr<float>();
  for (float& score : scores) {
    score = *row;
    row += logits.size(1);
  }
  return scores;
}

// Processes one molecule after another, in a fixed order of additions. If ATen sums many molecules at once,
// the result of a molecule depends on its position.
std::vector<float> uncertainty_of(const at::Tensor& sampled_logits, LabelKind kind,
                                  DropoutUncertainty uncertainty) {
  const at::Tensor logits = sampled_logits.contiguous();
  const auto samples = static_cast<std::size_t>(logits.size(0));
  const auto rows = static_cast<std::size_t>(logits.size(1)),
             outputs = static_cast<std::size_t>(logits.size(2));
  const std::span<const float> numbers(logits.data_ptr<float>(), samples * rows * outputs);
  std::vector<double> p(outputs), mean(outputs), largest(samples);
  std::vector<float> result(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    std::fill(mean.begin(), mean.end(), 0.0);
    for (std::size_t sample = 0; sample < samples; ++sample) {
      probabilities(numbers.subspan((sample * rows + row) * outputs, outputs), kind, p);
      largest[sample] = largest_probability(p, kind);
      for (std::size_t output = 0; output < outputs; ++output) {
        mean[output] += p[output] / static_cast<double>(samples);
      }
    }
    result[row] = static_cast<float>(uncertainty == DropoutUncertainty::entropy ? entropy(mean, kind)
                                                                                : unbiased_variance(largest));
  }
  return result;
}

McDropout::McDropout(TrainedClassifier model, const McDropoutOptions& options)
    : model_(std::move(model)), options_(options) {
  if (options.samples < (options.uncertainty == DropoutUncertainty::variance ? 2U : 1U)) {
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

void Conformal::fit(const FitData& data) {
  if (!data.calibration.defined() || data.calibration.size(0) == 0) {
    throw InputError(
        "conformal: no calibration molecules. It needs validation molecules in addition to the ones that "
        "select the model");
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

}  // namespace molgauge::baselines
