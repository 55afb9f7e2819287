#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/readout.h"
#include "molgauge/choices.h"

namespace molgauge::baselines {

/// The outputs of a classifier that a detector reads.
enum class OutputsRead {
  all,
  /// With two classes, only output 1 is used, as a yes/no question. AUC maximisation (make_auc_objective())
  /// trains only that output, and output 0 keeps its random initial weights. Otherwise all outputs are used.
  trained_by_auc,
};

/// Maximum softmax probability (Hendrycks and Gimpel 2017, arXiv:1610.02136): 1 - confidence.
class MaximumProbability : public Detector {
 public:
  explicit MaximumProbability(TrainedClassifier model, OutputsRead outputs = OutputsRead::all)
      : model_(std::move(model)), outputs_(outputs) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  OutputsRead outputs_;
};

struct OdinOptions {
  double temperature = 10, noise = 0.0014;
};

/// ODIN (Liang, Li and Srikant 2018, arXiv:1706.02690). Each feature is moved by `noise` against the sign of
/// the gradient of the cross-entropy between softmax(z / T) and the predicted class. The score is 1 - the
/// confidence at temperature T. With a single output the gradient is zero, so the features do not change.
class Odin : public Detector {
 public:
  Odin(TrainedClassifier model, const OdinOptions& options) : model_(std::move(model)), options_(options) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  OdinOptions options_;
};

/// Free energy of the logits (Liu et al. 2020, arXiv:2010.03759).
class FreeEnergy : public Detector {
 public:
  explicit FreeEnergy(TrainedClassifier model, OutputsRead outputs = OutputsRead::all)
      : model_(std::move(model)), outputs_(outputs) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  OutputsRead outputs_;
};

/// The first logit of a classifier with one output, which distinguishes OOD from ID molecules.
class FirstLogit : public Detector {
 public:
  explicit FirstLogit(TrainedClassifier model) : model_(std::move(model)) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
};

struct McDropoutOptions {
  std::size_t samples = 20;
  DropoutUncertainty uncertainty = DropoutUncertainty::entropy;
  double dropout = 0.5;
  std::uint64_t seed = 42;
};

/// Uncertainty [n] of logits [samples, n, outputs] that were drawn with dropout.
std::vector<float> uncertainty_of(const at::Tensor& sampled_logits, LabelKind kind,
                                  DropoutUncertainty uncertainty);

/// Monte-Carlo dropout (Gal and Ghahramani 2016, arXiv:1506.02142): several passes with dropout,
/// normalisation with the running statistics. The dropout mask of a molecule depends only on the seed and its
/// features. The score therefore does not depend on the batch or the order.
class McDropout : public Detector {
 public:
  /// Throws UsageError if an option is out of range.
  McDropout(TrainedClassifier model, const McDropoutOptions& options);

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  McDropoutOptions options_;
};

/// Conformal p-value of the confidence: with n calibration confidences, p = (1 + #{c_k <= c(x)}) / (1 + n).
/// The score is 1 - p. A p-value is valid if the calibration molecules were used neither to train nor to
/// choose the model.
class Conformal : public Detector {
 public:
  explicit Conformal(TrainedClassifier model) : model_(std::move(model)) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  std::vector<float> calibration_;  ///< ascending
};

}  // namespace molgauge::baselines
