#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "baselines/classifier_trainer.h"
#include "core/csv.h"
#include "headroom/baseline.h"
#include "ood/evaluation.h"
#include "ood/run_cost.h"

namespace headroom::baselines {

/// What the content of a run folder of baselines depends on.
struct BaselineIdentity {
  std::string encoder;               ///< weights and options that change the features (as in the store)
  std::string data;                  ///< of the molecules that were drawn, and their labels
  std::size_t shared_molecules = 0;  ///< in parts that must not share any: recorded only
};

/// The run folder of `headroom baseline`: config.json; classifier.safetensors and dam_classifier.safetensors;
/// for each method METHOD_results.json, METHOD_scores.npz (id_scores, ood_scores) and METHOD_predictions.csv
/// (the same with molecules, as detailed_predictions.csv of a trained head); training_stats.json.
/// Every file is replaced atomically and appears only when what it tells is finished, so that a call that was
/// stopped is continued by the same call.
class BaselineRun {
 public:
  /// Creates the folder and writes config.json. A folder that holds a run is continued when its options,
  /// encoder and molecules are the same; throws InputError that names the difference otherwise. Without
  /// request.resume what an earlier run left is removed, so the caller holds the folder's lock.
  BaselineRun(const BaselineRequest& request, const BaselineIdentity& identity);

  const std::filesystem::path& folder() const { return folder_; }

  /// The trained classifier of a finished training, its report beside it; nothing when there is none. Throws
  /// InputError naming the file when it is damaged.
  struct StoredClassifier {
    Classifier classifier;
    ClassifierReport report;
  };
  std::optional<StoredClassifier> classifier(ObjectiveKind objective) const;
  void store(ObjectiveKind objective, const Classifier& classifier, const ClassifierReport& report) const;

  /// The result of a finished method; nothing when there is none. Throws InputError naming the file when it
  /// is damaged.
  std::optional<BaselineResult> result(const std::string& method) const;
  /// METHOD_predictions.csv, and as write_method(). `scores`: of every test molecule, with its SMILES.
  void store(const BaselineResult& result, const std::string& metric_variant, const ood::Evaluation& scores,
             CsvTexts texts = CsvTexts::exact) const;

  /// training_stats.json: times, how each classifier was trained, and peaks per phase (bytes).
  void write_training_stats(const BaselineReport& report, const ood::RunCost& cost) const;

 private:
  void require_same_options(const std::string& options) const;
  void remove_earlier_run() const;
  std::filesystem::path classifier_file(ObjectiveKind objective) const;

  std::filesystem::path folder_;
};

/// config.json: everything that a result depends on, under the Python project's names where it has them.
void write_config(const std::filesystem::path& folder, const BaselineRequest& request,
                  const BaselineIdentity& identity);

/// METHOD_scores.npz and METHOD_results.json. Scores first, then the result: a result never lacks its scores.
void write_method(const std::filesystem::path& folder, const BaselineResult& result,
                  const std::string& metric_variant, const std::vector<float>& id_scores,
                  const std::vector<float>& ood_scores);

/// "supervised", "auc_margin".
std::string to_string(ObjectiveKind objective);

}  // namespace headroom::baselines
