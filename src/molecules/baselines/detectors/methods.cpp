#include "molecules/baselines/detectors/methods.h"

#include <cmath>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/numerics/ops/neighbours/distances.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/baselines/detectors/logistic_regression.h"
#include "molecules/baselines/detectors/mahalanobis.h"
#include "molecules/baselines/detectors/neighbour_detectors.h"
#include "molgauge/choices.h"

namespace molgauge::baselines {
namespace {

/// Mean Euclidean distance of the features, scaled to length 1, to the k nearest training molecules (after
/// Sun et al. 2022, arXiv:2204.06507). With one neighbour, the order is the order of the cosine similarity.
/// Needs no classifier and no labels. Features that are all 0 stay 0. fit() throws InputError if k exceeds
/// the training set.
class RawNeighbourDistance : public Detector {
 public:
  explicit RawNeighbourDistance(const NeighbourOptions& options) : options_(options) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  NeighbourOptions options_;
  std::unique_ptr<NearestNeighbours> points_;
};

/// Returns the rows, scaled to length 1. A row is computed on its own, so it does not depend on its batch.
at::Tensor unit_rows(const at::Tensor& features) {
  at::Tensor rows = features.contiguous().clone();
  const auto width = static_cast<std::size_t>(rows.size(1));
  float* row = rows.data_ptr<float>();
  for (std::int64_t i = 0; i < rows.size(0); ++i, row += width) {
    const float length = std::sqrt(ops::dot_product(width, row, row));
    for (std::size_t j = 0; length > 0 && j < width; ++j) {
      row[j] /= length;
    }
  }
  return rows;
}

void RawNeighbourDistance::fit(const FitData& data) {
  require_neighbours(options_.neighbours, data.train.features.size(0));
  points_ = std::make_unique<NearestNeighbours>(unit_rows(data.train.features));
}

io::TensorMap RawNeighbourDistance::fitted() const {
  io::TensorMap tensors;
  add_search(*points_, tensors);
  return tensors;
}

void RawNeighbourDistance::restore(const io::TensorMap& tensors, std::int64_t width,
                                   const std::string& source) {
  points_ = std::make_unique<NearestNeighbours>(take_search(tensors, width, source));
  require_neighbours(options_.neighbours, *points_, source);
}

std::vector<float> RawNeighbourDistance::score_rows(const at::Tensor& features) const {
  return mean_distances(points_->find(unit_rows(features), options_.neighbours));
}

using Make = std::unique_ptr<Detector> (*)(const TrainedClassifier&, const MethodOptions&);

struct Method {
  std::optional<ObjectiveKind> objective;  ///< of the classifier, if the method has one
  Make make;
};

template <typename Kind>
std::unique_ptr<Detector> without_options(const TrainedClassifier& model, const MethodOptions&) {
  return std::make_unique<Kind>(model);
}

template <typename Kind, auto options_of>
std::unique_ptr<Detector> with_options(const TrainedClassifier& model, const MethodOptions& options) {
  return std::make_unique<Kind>(model, options.*options_of);
}

template <typename Kind>
std::unique_ptr<Detector> of_trained_outputs(const TrainedClassifier& model, const MethodOptions&) {
  return std::make_unique<Kind>(model, OutputsRead::trained_by_auc);
}

std::unique_ptr<Detector> raw_neighbours(const TrainedClassifier&, const MethodOptions& options) {
  return std::make_unique<RawNeighbourDistance>(options.knn);
}

std::unique_ptr<Detector> logistic_regression(const TrainedClassifier&, const MethodOptions&) {
  return std::make_unique<LogisticRegression>();
}

/// The methods of "all". They are not trained on OOD molecules.
constexpr std::size_t kInAll = 12;

/// All methods, in the order of BaselineMethod. The methods of "all" come first.
constexpr Method kMethods[] = {
    {ObjectiveKind::supervised, without_options<MaximumProbability>},
    {ObjectiveKind::supervised, with_options<Odin, &MethodOptions::odin>},
    {ObjectiveKind::supervised, without_options<FreeEnergy>},
    {ObjectiveKind::supervised, without_options<Mahalanobis>},
    {ObjectiveKind::supervised, with_options<NeighbourDistance, &MethodOptions::knn>},
    {ObjectiveKind::supervised, with_options<OutlierFactor, &MethodOptions::lof>},
    {ObjectiveKind::supervised, with_options<McDropout, &MethodOptions::mc_dropout>},
    {ObjectiveKind::supervised, without_options<Conformal>},
    {ObjectiveKind::auc_margin, of_trained_outputs<MaximumProbability>},
    {ObjectiveKind::auc_margin, of_trained_outputs<FreeEnergy>},
    {std::nullopt, without_options<Mahalanobis>},
    {std::nullopt, raw_neighbours},
    {ObjectiveKind::auc_margin, without_options<MaximumProbability>},
    {ObjectiveKind::auc_margin, without_options<FreeEnergy>},
    {ObjectiveKind::supervised, without_options<FirstLogit>},
    {ObjectiveKind::supervised, without_options<MaximumProbability>},
    {std::nullopt, logistic_regression},
};
static_assert(std::size(kMethods) == kWords<BaselineMethod>.size());

const Method& find(const std::string& name) {
  if (const auto method = from_word<BaselineMethod>(name)) {
    return kMethods[static_cast<std::size_t>(*method)];
  }
  std::vector<std::string> names = {"all"};
  names.insert(names.end(), all_method_names().begin(), all_method_names().end());
  throw UsageError(fmt::format("there is no baseline '{}'. Available: {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names(all_method_names().begin(),
                                              all_method_names().begin() + kInAll);
  return names;
}

const std::vector<std::string>& all_method_names() {
  static const std::vector<std::string> names(kWords<BaselineMethod>.begin(), kWords<BaselineMethod>.end());
  return names;
}

std::vector<std::string> methods_of(const std::string& method) {
  if (method == "all") {
    return method_names();
  }
  find(method);
  return {method};
}

std::optional<ObjectiveKind> objective_of(const std::string& method) { return find(method).objective; }

bool trains_on_ood(const std::string& method) {
  return method == "ood_classifier" || method == "outlier_exposure" || method == "logistic_regression";
}

bool learns_ood(const std::string& method) {
  return method == "ood_classifier" || method == "logistic_regression";
}

bool reads_labels(const std::string& method) {
  return objective_of(method).has_value() && !learns_ood(method);
}

std::unique_ptr<Detector> make_detector(const std::string& method, const TrainedClassifier& model,
                                        const MethodOptions& options) {
  return find(method).make(model, options);
}

std::unique_ptr<Detector> make_detector(const std::string& method, const MethodOptions& options) {
  return make_detector(method, {nullptr, LabelKind::continuous}, options);
}

}  // namespace molgauge::baselines
