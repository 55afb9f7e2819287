#include "molecules/baselines/detectors/methods.h"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "molecules/baselines/detectors/logistic_regression.h"
#include "molecules/baselines/detectors/mahalanobis.h"
#include "molecules/baselines/detectors/raw_neighbours.h"
#include "molgauge/choices.h"

namespace molgauge::baselines {
namespace {

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
