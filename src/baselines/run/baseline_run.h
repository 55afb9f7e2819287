#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baselines/classifier/classifier_trainer.h"
#include "baselines/run/stored_detector.h"
#include "core/csv.h"
#include "headroom/baseline.h"
#include "ood/head/evaluation.h"
#include "ood/run/run_cost.h"

namespace headroom::baselines {

/// What the content of a run folder of baselines depends on.
struct BaselineIdentity {
  std::string encoder;               ///< weights and options that change the features (as in the store)
  std::string data;                  ///< of the molecules that were drawn, and their labels
  std::size_t shared_molecules = 0;  ///< in parts that must not share any: recorded only
};

/// The trained classifier of a finished training in a run folder, its report beside it; nothing when there is
/// none. Throws InputError naming the file when it is damaged.
struct StoredClassifier {
  Classifier classifier;
  ClassifierReport report;
};
std::optional<StoredClassifier> read_classifier(const std::filesystem::path& folder, ObjectiveKind objective);

/// The file that read_classifier() reads, replaced atomically.
void write_classifier(const std::filesystem::path& folder, ObjectiveKind objective,
                      const Classifier& classifier, const ClassifierReport& report);

/// The run folder of `headroom baseline`: config.json; classifier.safetensors and dam_classifier.safetensors;
/// for each method METHOD_results.json, METHOD_scores.npz (id_scores, ood_scores), METHOD_predictions.csv
/// (the same with molecules, as detailed_predictions.csv of a trained head) and METHOD_detector.safetensors
/// (what it has learned, stored_detector.h); training_stats.json. Every file is replaced atomically and
/// appears only when what it tells is finished, so that a call that was stopped is continued by the same
/// call.
class BaselineRun {
 public:
  /// Creates the folder and writes config.json. A folder that holds a run is continued when its options,
  /// encoder and molecules are the same; throws InputError that names the difference otherwise. Without
  /// request.resume what an earlier run left is removed, so the caller holds the folder's lock.
  BaselineRun(const BaselineRequest& request, const BaselineIdentity& identity);

  const std::filesystem::path& folder() const { return folder_; }

  /// As read_classifier().
  std::optional<StoredClassifier> classifier(ObjectiveKind objective) const {
    return read_classifier(folder_, objective);
  }
  void store(ObjectiveKind objective, const Classifier& classifier, const ClassifierReport& report) const;

  /// The result of a finished method; nothing when there is none. Throws InputError naming the file when it
  /// is damaged.
  std::optional<BaselineResult> result(const std::string& method) const;
  /// METHOD_detector.safetensors, as write_detector().
  void store(const std::string& method, const Detector& detector, LabelKind kind,
             const std::vector<float>& held_out) const;
  /// METHOD_predictions.csv, and as write_method(). `scores`: of every test molecule, with its SMILES.
  void store(const BaselineResult& result, const std::string& metric_variant, const ood::Evaluation& scores,
             CsvTexts texts = CsvTexts::exact) const;

  /// training_stats.json: times, how each classifier was trained, and peaks per phase (bytes).
  void write_training_stats(const BaselineReport& report, const ood::RunCost& cost) const;

 private:
  void require_same_options(const std::string& options) const;
  void remove_earlier_run() const;

  std::filesystem::path folder_;
};

/// config.json: everything that a result depends on, under the Python project's names where it has them.
void write_config(const std::filesystem::path& folder, const BaselineRequest& request,
                  const BaselineIdentity& identity);

/// What was asked for when the folder was made, and the identity of the encoder. Throws InputError naming the
/// file when it is missing or damaged.
struct BaselineConfig {
  BaselineRequest request;
  std::string encoder_identity;
};
BaselineConfig read_config(const std::filesystem::path& folder);

/// The methods whose results are in the folder, in the order in which tables list them.
std::vector<std::string> finished_methods(const std::filesystem::path& folder);

/// METHOD_scores.npz and METHOD_results.json. Scores first, then the result: a result never lacks its scores.
void write_method(const std::filesystem::path& folder, const BaselineResult& result,
                  const std::string& metric_variant, const std::vector<float>& id_scores,
                  const std::vector<float>& ood_scores);

/// "supervised", "auc_margin".
std::string to_string(ObjectiveKind objective);

}  // namespace headroom::baselines
