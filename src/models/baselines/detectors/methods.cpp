#include "models/baselines/detectors/methods.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "core/nearest_name.h"
#include "models/baselines/detectors/mahalanobis.h"

namespace headroom::baselines {
namespace {

using Make = std::unique_ptr<Detector> (*)(const TrainedClassifier&, const MethodOptions&);

struct Method {
  const char* name;
  ObjectiveKind objective;
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

constexpr std::size_t kPublished = 10;

/// The published ones first.
constexpr Method kMethods[] = {
    {"msp", ObjectiveKind::supervised, without_options<MaximumProbability>},
    {"odin", ObjectiveKind::supervised, with_options<Odin, &MethodOptions::odin>},
    {"energy", ObjectiveKind::supervised, without_options<FreeEnergy>},
    {"mahalanobis", ObjectiveKind::supervised, without_options<Mahalanobis>},
    {"knn", ObjectiveKind::supervised, with_options<NeighbourDistance, &MethodOptions::knn>},
    {"lof", ObjectiveKind::supervised, with_options<OutlierFactor, &MethodOptions::lof>},
    {"mc_dropout", ObjectiveKind::supervised, with_options<McDropout, &MethodOptions::mc_dropout>},
    {"conformal", ObjectiveKind::supervised, without_options<Conformal>},
    {"dam_msp", ObjectiveKind::auc_margin, of_trained_outputs<MaximumProbability>},
    {"dam_energy", ObjectiveKind::auc_margin, of_trained_outputs<FreeEnergy>},
    {"dam_msp_two_outputs", ObjectiveKind::auc_margin, without_options<MaximumProbability>},
    {"dam_energy_two_outputs", ObjectiveKind::auc_margin, without_options<FreeEnergy>},
    {"ood_classifier", ObjectiveKind::supervised, without_options<FirstLogit>},
    {"outlier_exposure", ObjectiveKind::supervised, without_options<MaximumProbability>},
};

const Method& find(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(kMethods), std::end(kMethods), [&](const Method& m) { return m.name == name; });
  if (found == std::end(kMethods)) {
    std::vector<std::string> names = {"all"};
    std::string text = "there is no baseline '" + name + "'; there are: all";
    for (const Method& method : kMethods) {
      names.emplace_back(method.name);
      text += ", " + names.back();
    }
    throw UsageError(text + did_you_mean(name, names));
  }
  return *found;
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names(all_method_names().begin(),
                                              all_method_names().begin() + kPublished);
  return names;
}

const std::vector<std::string>& all_method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Method& method : kMethods) {
      all.emplace_back(method.name);
    }
    return all;
  }();
  return names;
}

std::vector<std::string> methods_of(const std::string& method) {
  return method == "all" ? method_names() : std::vector<std::string>{find(method).name};
}

ObjectiveKind objective_of(const std::string& method) { return find(method).objective; }

bool trains_on_ood(const std::string& method) {
  return method == "ood_classifier" || method == "outlier_exposure";
}

bool reads_trained_outputs(const std::string& method) {
  return method == "dam_msp" || method == "dam_energy";
}

std::unique_ptr<Detector> make_detector(const std::string& method, const TrainedClassifier& model,
                                        const MethodOptions& options) {
  return find(method).make(model, options);
}

}  // namespace headroom::baselines
