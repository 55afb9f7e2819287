#pragma once

#include <cstddef>
#include <filesystem>

#include "base/core/text/csv.h"
#include "base/memory/plan/run_cost.h"
#include "molecules/ood/head/evaluation.h"
#include "molecules/ood/head/head_weights.h"
#include "molecules/ood/run/training_summary.h"

namespace molgauge::ood {

/// The format of best_model.safetensors.
inline constexpr const char* kHeadFormat = "molgauge energy head 1";

/// The file of the best model of a run. It contains the head, and the encoder layers that were trained.
inline std::filesystem::path best_model_file(const std::filesystem::path& run) {
  return run / "best_model.safetensors";
}

std::filesystem::path training_stats_file(const std::filesystem::path& run);
/// Returns the path of ood_evaluation_results.json in a run folder.
std::filesystem::path evaluation_file(const std::filesystem::path& run);

/// Reads the best head of a run folder. Throws InputError with the file and a remedy if the file is missing,
/// damaged, or for another feature width.
HeadWeights load_best_model(const std::filesystem::path& run, std::size_t feature_width);

/// Writes training_stats.json atomically, with times and memory peaks. Under the keys of the Python project,
/// peaks are in GiB, and 0.0 without a GPU. Under the keys of Molgauge, peaks are in bytes, for each phase.
void write_training_stats(const std::filesystem::path& run, const TrainingResult& result,
                          const memory::RunCost& cost);

/// Writes ood_evaluation_results.json, an identical test_metrics.json, and detailed_predictions.csv (score,
/// true_label, sample_type, smiles). ID rows come first. The column smiles is empty if the evaluation has no
/// SMILES.
void write_evaluation(const std::filesystem::path& run, const Evaluation& evaluation,
                      const memory::RunCost& cost, CsvTexts texts = CsvTexts::exact);

/// Removes the files of write_evaluation(), because they belong to an earlier model.
void remove_evaluation(const std::filesystem::path& run);
/// Removes the files of write_evaluation(), write_training_stats() and write_validation_scores().
void remove_results(const std::filesystem::path& run);

/// Writes `file` in the format of detailed_predictions.csv, for detectors whose scores are not energies.
void write_predictions(const std::filesystem::path& file, const Evaluation& evaluation,
                       CsvTexts texts = CsvTexts::exact);

}  // namespace molgauge::ood
