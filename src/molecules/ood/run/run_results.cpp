#include "molecules/ood/run/run_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/format_version.h"
#include "base/core/json/json_text.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/finite_numbers.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/gap_json.h"
#include "molecules/ood/run/validation_scores.h"

namespace molgauge::ood {
namespace {

using nlohmann::ordered_json;

constexpr const char* kTrainingStats = "training_stats.json";
/// Two files with the same content, one for each name that the Python project uses.
constexpr const char* kEvaluations[] = {"ood_evaluation_results.json", "test_metrics.json"};
constexpr const char* kRemedy = "Train again with --restart";
constexpr const char* kPredictions = "detailed_predictions.csv";

void append_rows(io::CsvWriter& csv, const std::vector<float>& scores, const std::vector<std::string>& smiles,
                 const char* label, const char* type) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    csv.append({fmt::format("{}", scores[i]), label, type, smiles.empty() ? "" : smiles.at(i)});
  }
}

}  // namespace

std::filesystem::path training_stats_file(const std::filesystem::path& run) { return run / kTrainingStats; }

std::filesystem::path evaluation_file(const std::filesystem::path& run) { return run / kEvaluations[0]; }

HeadWeights load_best_model(const std::filesystem::path& run, std::size_t feature_width) {
  const std::filesystem::path path = best_model_file(run);
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(path.string() +
                     ": missing. Finish the training of this run folder with 'molgauge train'");
  }
  require_intact(path, kRemedy);
  const io::SafetensorsFile file = io::read_safetensors(path);
  require_format(file.metadata, kHeadFormat, path);
  const io::TensorMap& tensors = file.tensors;
  io::require_finite(tensors, path.string(), kRemedy);
  HeadWeights head = HeadWeights::from_tensors(tensors, path.string());
  if (head.feature_width() != static_cast<std::int64_t>(feature_width)) {
    throw InputError(fmt::format("{}: needs features of width {}, not {}. Use the encoder of the training",
                                 path.string(), head.feature_width(), feature_width));
  }
  return head;
}

void write_training_stats(const std::filesystem::path& run, const TrainingResult& result,
                          const memory::RunCost& cost) {
  ordered_json fields;
  fields["train_time_seconds"] = result.train_time_seconds;
  fields["avg_epoch_time_seconds"] = result.avg_epoch_time_seconds;
  fields["peak_gpu_memory_train_gb"] = memory::device_peak_in_gib(cost.phases, "train");
  fields["peak_gpu_memory_encoding_gb"] = memory::device_peak_in_gib(cost.phases, "encoding");
  fields["epochs_run"] = result.epochs_run;
  fields["best_epoch"] = result.best_epoch;
  fields["best_auroc"] = result.best_auroc;
  fields["stopped_early"] = result.stopped_early;
  memory::add_cost(fields, cost);
  replace_file(run / kTrainingStats, json_text(fields));
}

void write_evaluation(const std::filesystem::path& run, const Evaluation& evaluation,
                      const memory::RunCost& cost, CsvTexts texts) {
  ordered_json fields;
  fields["auroc"] = evaluation.metrics.auroc;
  fields["aupr"] = evaluation.metrics.aupr;
  fields["fpr95"] = evaluation.metrics.fpr95;
  if (!evaluation.id_scores.empty() && !evaluation.ood_scores.empty()) {
    const DetectionMetrics id_positive = id_positive_metrics(evaluation.id_scores, evaluation.ood_scores);
    fields["aupr_id_positive"] = id_positive.aupr;
    fields["fpr95_id_positive"] = id_positive.fpr95;
  }
  fields["id_mean_energy"] = evaluation.id.mean;
  fields["ood_mean_energy"] = evaluation.ood.mean;
  fields["energy_separation"] = evaluation.ood.mean - evaluation.id.mean;
  fields["id_count"] = evaluation.id_scores.size();
  fields["ood_count"] = evaluation.ood_scores.size();
  fields["id_std_energy"] = evaluation.id.standard_deviation;
  fields["ood_std_energy"] = evaluation.ood.standard_deviation;
  fields["shared_molecules"] =
      evaluation.shared_molecules ? ordered_json(*evaluation.shared_molecules) : ordered_json();
  fields["overlap_accepted"] = evaluation.overlap_accepted;
  fields[kGapKey] = evaluation.gap ? gap_json(*evaluation.gap) : ordered_json();
  fields["eval_time_seconds"] = memory::find_phase(cost.phases, "eval").seconds;
  fields["peak_gpu_memory_eval_gb"] = memory::device_peak_in_gib(cost.phases, "eval");
  memory::add_cost(fields, cost);
  const std::string text = json_text(fields);
  for (const char* const name : kEvaluations) {
    replace_file(run / name, text);
  }
  write_predictions(run / kPredictions, evaluation, texts);
}

void remove_evaluation(const std::filesystem::path& run) {
  for (const char* const name : kEvaluations) {
    std::filesystem::remove(run / name);
  }
  std::filesystem::remove(run / kPredictions);
}

void remove_results(const std::filesystem::path& run) {
  std::filesystem::remove(run / kTrainingStats);
  remove_validation_scores(run);
  remove_evaluation(run);
}

void write_predictions(const std::filesystem::path& file, const Evaluation& evaluation, CsvTexts texts) {
  io::CsvWriter csv(file, {"score", "true_label", "sample_type", "smiles"}, texts);
  append_rows(csv, evaluation.id_scores, evaluation.id_smiles, "0", "ID");
  append_rows(csv, evaluation.ood_scores, evaluation.ood_smiles, "1", "OOD");
  csv.finish();
}

}  // namespace molgauge::ood
