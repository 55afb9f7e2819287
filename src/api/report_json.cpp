#include "api/report_json.h"

#include <optional>

#include <nlohmann/json.hpp>

#include "base/core/json/json_reader.h"

namespace nlohmann {

/// Returns null if there is no value.
template <typename Value>
struct adl_serializer<std::optional<Value>> {
  static void to_json(json& object, const std::optional<Value>& value) {
    object = value ? json(*value) : json(nullptr);
  }
};

}  // namespace nlohmann

namespace molgauge {

using nlohmann::json;

// Each macro lists the fields that become keys, in the order of the struct.
#define MOLGAUGE_FIELD(field) object[#field] = report.field;
#define MOLGAUGE_JSON(Type, ...)                                           \
  static void to_json(json& object, const Type& report) {                  \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(MOLGAUGE_FIELD, __VA_ARGS__)) \
  }

MOLGAUGE_JSON(FailedMolecule, row, line, file, text, reason)
MOLGAUGE_JSON(PhaseReport, phase, seconds, peak_host_memory_bytes, peak_tensor_memory_bytes, refused_tensors,
              peak_device_memory_bytes, peak_device_reserved_bytes, peak_device_active_bytes, device_retries,
              device_refusals, device_free_bytes, planned_memory_bytes)
MOLGAUGE_JSON(StageTime, stage, seconds, share)
MOLGAUGE_JSON(SeedReport, seed, epochs_run, best_epoch, best_auroc)
MOLGAUGE_JSON(ClassifierReport, objective, selection, best_selection, best_epoch, epochs_run, stopped_early,
              collapsed, seconds, oom_recoveries)
MOLGAUGE_JSON(BaselineResult, method, auroc, aupr, fpr95, validation_auroc, id_scores_mean, id_scores_std,
              ood_scores_mean, ood_scores_std, id_count, ood_count, fit_seconds, score_seconds,
              classifier_collapsed, shared_molecules, overlap_accepted, resumed)
MOLGAUGE_JSON(MeanAndDeviation, mean, standard_deviation)
MOLGAUGE_JSON(ExperimentRow, benchmark, encoder, variant, runs, failed, auroc, aupr, fpr95, validation_auroc)
MOLGAUGE_JSON(EncoderInfo, name, summary, width, runs_on_gpu, precisions, needs_weights, needs_weights_file)

MOLGAUGE_JSON(ValidationTestGap, validation_auroc, test_auroc, difference_low, difference_high, is_large)

MOLGAUGE_JSON(BaselineReport, classifiers, results, failed_records, failed, oom_recoveries, phases)
MOLGAUGE_JSON(ConformersReport, rows, made, from_store, own, failed_records, failed, flat, not_converged,
              unrefined, from_exact, processes_replaced, seconds)
MOLGAUGE_JSON(DomainReport, notices, training_molecules, training_failed, training_duplicates,
              training_redrawn, label_conflicts, label_ties, label_median_range, censored_labels,
              censored_in_calibration, inside, borderline, outside, unreadable, resumed, error_summary,
              prediction_summary, csv, json, page, card, failed, failed_records, phases)
MOLGAUGE_JSON(EncodeReport, rows, encoded, from_store, failed_records, failed, width, atom_rows, pair_rows,
              pair_width, cropped, conformers_made, conformers_from_store, parts_written, parts_kept,
              molecules_per_second, oom_recoveries, batch_size_planned, batch_size_used, workers,
              batches_planned, batches, bottleneck, stages, phase)
MOLGAUGE_JSON(EvaluateReport, auroc, aupr, fpr95, id_mean_energy, ood_mean_energy, id_std_energy,
              ood_std_energy, id_count, ood_count, shared_molecules, validation_test_gap, failed_records,
              failed, phases)
MOLGAUGE_JSON(ExperimentReport, runs, computed, failed, over_budget, rows, failed_records, failed_molecules,
              phases)
MOLGAUGE_JSON(ImportFeaturesReport, database, encoder, name, rows, imported, width, rounded, failed)
MOLGAUGE_JSON(FailedPocket, complex_id, reason)
MOLGAUGE_JSON(PocketMatch, rank, ligand, distance)
MOLGAUGE_JSON(PocketMatches, pocket, matches)
MOLGAUGE_JSON(RecallAt, k, hits, total, percent)
MOLGAUGE_JSON(HitRate, percentage, k_value, hits, misses, hit_rate, enrichment)
MOLGAUGE_JSON(PocketEmbedReport, pockets, width, seconds, phases)
MOLGAUGE_JSON(PocketSearchReport, pockets, ligands, found, seconds, phases)
MOLGAUGE_JSON(RetrievalFigures, pockets, complexes, mean_rank, mean_normalized_rank, mrr, top1_percent,
              recall_percent, hit_percent)
MOLGAUGE_JSON(PocketEvaluateReport, by_complex, seen_ligands, unseen_ligands, pockets, failed, ligands,
              mean_rank, median_rank, mean_normalized_rank, mrr, top1_percent, random_mrr,
              random_top1_percent, recall, hit_rates, phases)
MOLGAUGE_JSON(PocketTrainReport, train, validation, test, left_out, epochs_run, best_epoch,
              best_validation_loss, best_validation_cosine, stopped_early, resumed, oom_recoveries, seconds,
              rank, processes, phases)
MOLGAUGE_JSON(PocketLigandsReport, compounds, keys, width, failed_records, failed, missing, missing_complexes,
              phases)
MOLGAUGE_JSON(PocketBuildReport, pockets, built, taken_over, too_large, failed_pockets, failed, atoms, bonds,
              angles, dihedrals, pairs, manifest, seconds)
MOLGAUGE_JSON(JoinShardsReport, shards, rows, width, failed_records, number_type)
MOLGAUGE_JSON(PredictedTask, name, head, members, columns, title, category, unit, class_one, lowest, highest,
              importance, implausible_rows, has_percentile, median_spread, largest_spread, parent_tolerance,
              parent_differs_rows, largest_parent_difference)
MOLGAUGE_JSON(PredictReport, rows, predicted, from_store, failed_records, chiral_rows, standardized_rows,
              parent_rows, parent_differs_rows, parent_example, failed, models, tasks, molecules_per_second,
              oom_recoveries, workers, phase)
MOLGAUGE_JSON(ReportSummary, planned, finished, failed, files, gaps)
MOLGAUGE_JSON(ScoredMolecule, row, line, input, score, deviation, disagreement, resembles_training_ood)
MOLGAUGE_JSON(ScoreReport, input_columns, smiles_column, score_name, seeds, molecules, threshold,
              threshold_origin, has_resemblance, validation_test_gap, warning, failed_records, failed, phases)
MOLGAUGE_JSON(ShardsVerification, shards, complete, parts, rows, failed_records, encoder, number_type,
              findings)
MOLGAUGE_JSON(SplitReport, rows, domains, duplicates, respelled, unlabelled, filtered, bondless, acyclic,
              part_sizes, failed)
MOLGAUGE_JSON(StoreDatabase, name, encoder, weights_sha256, options, width, rows, bytes)
MOLGAUGE_JSON(StoreInfo, folder, databases, bytes_used, bytes_on_disk)
MOLGAUGE_JSON(StoreVerification, rows, damaged, findings)
MOLGAUGE_JSON(TrainReport, epochs_run, best_epoch, best_auroc, validation_test_gap, seeds, stopped_early,
              resumed, failed_records, failed, oom_recoveries, batch_size_planned, batch_size_used, phases)
MOLGAUGE_JSON(WeightsInfo, encoder, source, version, sha256, folder, tensors, numbers, problem)

#undef MOLGAUGE_JSON
#undef MOLGAUGE_FIELD

json report_json(const BaselineReport& report) { return report; }
json report_json(const ConformersReport& report) { return report; }
json report_json(const DomainReport& report) { return report; }
json report_json(const EncodeReport& report) { return report; }
json report_json(const EvaluateReport& report) { return report; }
json report_json(const ExperimentReport& report) { return report; }
json report_json(const ImportFeaturesReport& report) { return report; }
json report_json(const MemoryDifference& difference) { return parse_json(difference.json); }
json report_json(const MemoryExplanation& explanation) { return parse_json(explanation.json); }
json report_json(const PocketLigandsReport& report) { return report; }
json report_json(const PocketBuildReport& report) { return report; }
json report_json(const PocketEmbedReport& report) { return report; }
json report_json(const PocketEvaluateReport& report) { return report; }
json report_json(const PocketSearchReport& report) { return report; }
json report_json(const PocketTrainReport& report) { return report; }
json report_json(const PredictReport& report) { return report; }
json report_json(const ReportSummary& report) { return report; }
json report_json(const ScoreReport& report) { return report; }
json report_json(const JoinShardsReport& report) { return report; }
json report_json(const ShardsVerification& verification) { return verification; }
json report_json(const SimulateMemoryReport& report) { return parse_json(report.json); }
json report_json(const SplitReport& report) { return report; }
json report_json(const StoreInfo& info) { return info; }
json report_json(const StoreRows& rows) { return {{"rows", rows.rows}}; }
json report_json(const StoreVerification& verification) { return verification; }
json report_json(const TrainReport& report) { return report; }
json report_json(const WeightsInfo& weights) { return weights; }
json report_json(const std::vector<EncoderInfo>& encoders) { return encoders; }
json report_json(const std::vector<WeightsInfo>& installed) { return installed; }

}  // namespace molgauge
