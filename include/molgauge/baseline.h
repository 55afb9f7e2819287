#pragma once

#include <limits>

#include "molgauge/benchmark_draw.h"
#include "molgauge/choices.h"
#include "molgauge/conformers.h"
#include "molgauge/types.h"

namespace molgauge {

struct BaselineReport;

/// `molgauge baseline`: trains classifiers on the frozen features of a benchmark, and evaluates published
/// out-of-distribution detectors that use these classifiers. The classifier of the method ood_classifier
/// learns to separate out-of-distribution (OOD) from in-distribution (ID) molecules. All other classifiers
/// learn the labels of the ID molecules. The methods raw_mahalanobis, raw_knn and logistic_regression have no
/// classifier. Methods that need the same classifier share it. The defaults follow
/// the published program.
struct BaselineRequest : BenchmarkDraw {
  using Report = BaselineReport;

  std::string benchmark;  ///< DrugOOD JSON, or the name of a data set in data_path
  std::string data_path;  ///< folder of the named data sets
  std::string run;        ///< run folder
  std::string method = "all";
  std::string encoder = "minimol";
  std::string store, weights;       ///< folders, as in EncodeRequest
  std::string features = "native";  ///< native (encoded here), imported:NAME (molgauge store import)

  LabelChoice labels = LabelChoice::automatic;
  std::size_t hidden_channels = 64, num_layers = 3;
  double dropout = 0.5;
  double learning_rate = 0.01, weight_decay = 5e-4;
  std::size_t epochs = 200, batch_size = 32, patience = 20;
  std::size_t eval_batch_size = 64;

  double odin_temperature = 10, odin_noise = 0.0014;
  std::size_t knn_k = 50, lof_neighbors = 20;
  std::size_t mc_dropout_samples = 20;
  DropoutUncertainty mc_dropout_metric = DropoutUncertainty::entropy;
  double dam_learning_rate = 0.1, dam_margin = 1.0;

  CalibrationMolecules calibration = CalibrationMolecules::held_out;
  MetricVariant metrics = MetricVariant::evaluation;

  PlacementOptions placement;
  std::uint64_t seed = 42;
  bool resume = true;  ///< reuse the finished methods and trained classifiers in the run folder
  bool strict = false;
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// How one classifier was trained.
struct ClassifierReport {
  std::string objective;  ///< supervised, auc_margin
  std::string selection;  ///< the metric that chose the epoch: accuracy, auroc or negative_squared_error
  double best_selection = 0;
  std::size_t best_epoch = 0, epochs_run = 0;  ///< best_epoch: counted from 0
  bool stopped_early = false;
  bool collapsed = false;  ///< the classifier gives the same answer for all validation molecules
  double seconds = 0;
  std::size_t oom_recoveries = 0;  ///< number of recoveries from out-of-memory errors
};

struct BaselineResult {
  std::string method;
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions, computed by the MetricVariant of the request
  /// AUROC on the validation molecules (val_id and val_ood). ood_classifier chooses its epoch by this value,
  /// and logistic_regression its penalty. All other methods only report it.
  double validation_auroc = 0;
  double id_scores_mean = 0, id_scores_std = 0, ood_scores_mean = 0, ood_scores_std = 0;
  std::size_t id_count = 0, ood_count = 0;
  double fit_seconds = 0, score_seconds = 0;
  bool classifier_collapsed = false;  ///< the classifier gives the same answer for all molecules
  std::size_t shared_molecules = 0;   ///< molecules that occur in several parts, accepted by allow_overlap
  bool overlap_accepted = false;      ///< the request accepted molecules in several parts
  bool resumed = false;               ///< the method was finished by an earlier call
};

struct BaselineReport {
  std::vector<ClassifierReport> classifiers;
  std::vector<BaselineResult> results;
  std::size_t failed_records = 0;      ///< failed molecules, which are in none of the parts
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules. failed.csv has all of
                                       ///< them
  std::size_t oom_recoveries = 0;      ///< number of recoveries from out-of-memory errors
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
