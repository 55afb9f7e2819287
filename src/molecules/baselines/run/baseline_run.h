#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/core/text/csv.h"
#include "base/memory/plan/run_cost.h"
#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/baselines/run/stored_detector.h"
#include "molecules/ood/head/evaluation.h"
#include "molgauge/baseline.h"

namespace molgauge::baselines {

/// The identity of the inputs of a run folder of baselines.
struct BaselineIdentity {
  std::string encoder;  ///< weights and options that change the features (as in the store)
  std::string data;     ///< identity of the drawn molecules and their labels
  std::size_t shared_molecules =
      0;  ///< molecules that occur in several parts, such as training and test; recorded but not compared
};

/// The classifier of a finished training in a run folder, with its report. read_classifier() returns nothing
/// if the training is not finished. It throws InputError with the file if the file is damaged.
struct StoredClassifier {
  Classifier classifier;
  ClassifierReport report;
};
std::optional<StoredClassifier> read_classifier(const std::filesystem::path& folder, ObjectiveKind objective);

/// Writes the file that read_classifier() reads, atomically.
void write_classifier(const std::filesystem::path& folder, ObjectiveKind objective,
                      const Classifier& classifier, const ClassifierReport& report);

/// The run folder of `molgauge baseline`. It contains config.json, training_stats.json,
/// classifier.safetensors and dam_classifier.safetensors. For each method, it contains METHOD_results.json,
/// METHOD_scores.npz (id_scores, ood_scores), METHOD_predictions.csv (scores with molecules, like
/// detailed_predictions.csv of a trained head) and METHOD_detector.safetensors (fitted state,
/// stored_detector.h). Every file is replaced atomically when its results are complete. If a call was
/// stopped, a second call with the same options therefore continues the work.
class BaselineRun {
 public:
  /// Creates the folder and writes config.json. Continues a run with the same options, encoder and molecules.
  /// For another run, throws InputError with the difference. Without request.resume, removes the files of an
  /// earlier run, so the caller must hold the lock of the folder.
  BaselineRun(const BaselineRequest& request, const BaselineIdentity& identity);

  const std::filesystem::path& folder() const { return folder_; }

  /// Returns read_classifier() of this folder.
  std::optional<StoredClassifier> classifier(ObjectiveKind objective) const {
    return read_classifier(folder_, objective);
  }
  void store(ObjectiveKind objective, const Classifier& classifier, const ClassifierReport& report) const;

  /// Returns the result of a finished method, or nothing if the method is not finished. Throws InputError
  /// with the file if it is damaged.
  std::optional<BaselineResult> result(const std::string& method) const;
  /// Writes METHOD_detector.safetensors, like write_detector().
  void store(const std::string& method, const Detector& detector, LabelKind kind,
             const std::vector<float>& held_out) const;
  /// Writes METHOD_predictions.csv and the files of write_method(). `scores`: all test molecules with SMILES.
  void store(const BaselineResult& result, MetricVariant metric_variant, const ood::Evaluation& scores,
             CsvTexts texts = CsvTexts::exact) const;

  /// Writes training_stats.json: times, the progress of each training, and the peak of each phase in bytes.
  void write_training_stats(const BaselineReport& report, const memory::RunCost& cost) const;

 private:
  void require_same_options(const std::string& options) const;
  void remove_earlier_run() const;

  std::filesystem::path folder_;
};

/// Writes config.json with all settings and inputs that determine the results. Keys that the Python project
/// has keep their names.
void write_config(const std::filesystem::path& folder, const BaselineRequest& request,
                  const BaselineIdentity& identity);

/// The request of a run folder, and the identity of the encoder. read_config() throws InputError with the
/// file if config.json is missing or damaged.
struct BaselineConfig {
  BaselineRequest request;
  std::string encoder_identity;
};
BaselineConfig read_config(const std::filesystem::path& folder);

/// The methods whose results are in the folder, in the order in which tables list them.
std::vector<std::string> finished_methods(const std::filesystem::path& folder);

/// Writes METHOD_scores.npz, then METHOD_results.json, so that a result always has its scores.
void write_method(const std::filesystem::path& folder, const BaselineResult& result,
                  MetricVariant metric_variant, const std::vector<float>& id_scores,
                  const std::vector<float>& ood_scores);

/// Returns "supervised" or "auc_margin".
std::string to_string(ObjectiveKind objective);

}  // namespace molgauge::baselines
