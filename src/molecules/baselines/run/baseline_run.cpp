#include "molecules/baselines/run/baseline_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/format_version.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/io/tensors/finite_numbers.h"
#include "base/io/tensors/npz.h"
#include "base/io/tensors/safetensors.h"
#include "base/options/config_keys.h"
#include "base/options/tables.h"
#include "molecules/baselines/detectors/methods.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/run_results.h"

namespace molgauge::baselines {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kConfig = "config.json";
constexpr const char* kClassifierFormat = "molgauge baseline classifier 1";
constexpr const char* kSharedMolecules = "shared_molecules";
constexpr const char* kRemedy = "Remove it, or start from scratch with --restart";

/// Returns the text of config.json, with the options in the order of the option table. It does not contain
/// the list of methods, because several calls may add methods to one folder.
std::string config_text(const BaselineRequest& request, const BaselineIdentity& identity) {
  ordered_json asked, content;
  options::write_config_keys(options::view(request), asked);
  for (const auto& [key, value] : asked.items()) {
    content[key] = value;
    if (key == "foundation_model") {
      content["encoder_identity"] = identity.encoder;
      content["data_identity"] = identity.data;
    }
  }
  content[kSharedMolecules] = identity.shared_molecules;
  return json_text(content);
}

/// Returns true for a key that may differ between calls that continue the same run. Such a key can change
/// results only by changing the molecules, and the identity of the molecules is a separate key.
bool is_remark(const std::string& key) {
  return key == kSharedMolecules || options::is_remark(options::table<BaselineRequest>(), key);
}

/// Calls visit(name, value) for every field of a result file, for reading and for writing.
template <typename Result, typename Visit>
void for_each_field(Result& result, Visit visit) {
  visit("method", result.method);
  visit("auroc", result.auroc);
  visit("aupr", result.aupr);
  visit("fpr95", result.fpr95);
  visit("validation_auroc", result.validation_auroc);
  visit("id_scores_mean", result.id_scores_mean);
  visit("id_scores_std", result.id_scores_std);
  visit("ood_scores_mean", result.ood_scores_mean);
  visit("ood_scores_std", result.ood_scores_std);
  visit("id_count", result.id_count);
  visit("ood_count", result.ood_count);
  visit("fit_seconds", result.fit_seconds);
  visit("score_seconds", result.score_seconds);
  visit("classifier_collapsed", result.classifier_collapsed);
}

ordered_json to_json(const ClassifierReport& report) {
  return {{"objective", report.objective},           {"selection", report.selection},
          {"best_selection", report.best_selection}, {"best_epoch", report.best_epoch},
          {"epochs_run", report.epochs_run},         {"stopped_early", report.stopped_early},
          {"collapsed", report.collapsed},           {"train_time_seconds", report.seconds},
          {"oom_recoveries", report.oom_recoveries}};
}

ClassifierReport report_from_json(const json& fields) {
  ClassifierReport report;
  get_checked(fields.at("objective"), report.objective);
  get_checked(fields.at("selection"), report.selection);
  get_checked(fields.at("best_selection"), report.best_selection);
  get_checked(fields.at("best_epoch"), report.best_epoch);
  get_checked(fields.at("epochs_run"), report.epochs_run);
  get_checked(fields.at("stopped_early"), report.stopped_early);
  get_checked(fields.at("collapsed"), report.collapsed);
  get_checked(fields.at("train_time_seconds"), report.seconds);
  report.oom_recoveries =
      checked_or(fields, "oom_recoveries", std::size_t{0});  // earlier runs do not have this field
  return report;
}

std::filesystem::path results_file(const std::filesystem::path& folder, const std::string& method) {
  return folder / (method + "_results.json");
}

std::filesystem::path scores_file(const std::filesystem::path& folder, const std::string& method) {
  return folder / (method + "_scores.npz");
}

std::filesystem::path classifier_file(const std::filesystem::path& folder, ObjectiveKind objective) {
  return folder /
         (objective == ObjectiveKind::supervised ? "classifier.safetensors" : "dam_classifier.safetensors");
}

std::filesystem::path predictions_file(const std::filesystem::path& folder, const std::string& method) {
  return folder / (method + "_predictions.csv");
}

/// The number of scores must match the molecules, also if the folder has no checksums.
void require_scores(const std::filesystem::path& file, const BaselineResult& result) {
  try {
    for (const auto& [name, count] :
         {std::pair("id_scores", result.id_count), {"ood_scores", result.ood_count}}) {
      const std::int64_t found = io::read_npz(file, name).element_count();
      if (found != static_cast<std::int64_t>(count)) {
        throw InputError(fmt::format("{}: has {} {}, not {}", file.string(), found, name, count));
      }
    }
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + ". " + kRemedy);
  }
}

}  // namespace

std::string to_string(ObjectiveKind objective) {
  return objective == ObjectiveKind::supervised ? "supervised" : "auc_margin";
}

BaselineRun::BaselineRun(const BaselineRequest& request, const BaselineIdentity& identity)
    : folder_(request.run) {
  const std::string options = config_text(request, identity);
  make_folder(folder_);
  if (!request.resume) {
    remove_earlier_run();
  } else if (std::filesystem::exists(folder_ / kConfig)) {
    require_same_options(options);
  }
  keep_checksums(folder_);
  replace_file(folder_ / kConfig, options);
}

void BaselineRun::require_same_options(const std::string& options) const {
  const std::filesystem::path path = folder_ / kConfig;
  require_intact(path, kRemedy);
  note_missing_checksums(folder_);
  const json earlier = parse_json_or_nothing(read_file(path)), now = parse_json(options);
  if (!earlier.is_object()) {
    throw InputError(path.string() + ": not a file of 'molgauge baseline'. " + kRemedy);
  }
  require_format_version(earlier, path);
  for (const auto& [name, value] : now.items()) {
    if (!is_remark(name) && (!earlier.contains(name) || earlier[name] != value)) {
      const std::string before = earlier.contains(name) ? json_line(earlier[name]) : "absent";
      throw InputError(path.string() + ": this folder contains a run with " + name + " " + before + ", not " +
                       json_line(value) + ". Name another folder, or start from scratch with --restart");
    }
  }
}

void BaselineRun::remove_earlier_run() const {
  forget_checksums(folder_);
  std::filesystem::remove(folder_ / "training_stats.json");
  for (const auto objective : {ObjectiveKind::supervised, ObjectiveKind::auc_margin}) {
    std::filesystem::remove(classifier_file(folder_, objective));
  }
  for (const std::string& method : all_method_names()) {
    std::filesystem::remove(results_file(folder_, method));
    std::filesystem::remove(scores_file(folder_, method));
    std::filesystem::remove(predictions_file(folder_, method));
    std::filesystem::remove(detector_file(folder_, method));
  }
  // Removes this file last. If it were removed first, and the removal were interrupted, the next call would
  // treat the remaining results as its own.
  std::filesystem::remove(folder_ / kConfig);
}

std::optional<StoredClassifier> read_classifier(const std::filesystem::path& folder,
                                                ObjectiveKind objective) {
  const std::filesystem::path path = classifier_file(folder, objective);
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  require_intact(path, kRemedy);
  try {
    const io::SafetensorsFile file = io::read_safetensors(path);
    require_format(file.metadata, kClassifierFormat, path);
    io::require_finite(file.tensors, path.string(), "The training diverged, or the file is damaged");
    return StoredClassifier{Classifier::from_tensors(file.tensors, path.string()),
                            report_from_json(parse_json(file.metadata.at("training")))};
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + ". " + kRemedy);
  } catch (const std::exception&) {
    throw InputError(path.string() + ": does not say how it was trained. " + kRemedy);
  }
}

void write_classifier(const std::filesystem::path& folder, ObjectiveKind objective,
                      const Classifier& classifier, const ClassifierReport& report) {
  io::write_safetensors(classifier_file(folder, objective), classifier.to_tensors(),
                        {{"format", kClassifierFormat}, {"training", json_line(to_json(report))}});
}

void BaselineRun::store(ObjectiveKind objective, const Classifier& classifier,
                        const ClassifierReport& report) const {
  write_classifier(folder_, objective, classifier, report);
}

std::optional<BaselineResult> BaselineRun::result(const std::string& method) const {
  const std::filesystem::path path = results_file(folder_, method);
  const std::filesystem::path scores = scores_file(folder_, method);
  if (!std::filesystem::exists(path) || !std::filesystem::exists(scores)) {
    return std::nullopt;
  }
  for (const auto& file : {path, scores, predictions_file(folder_, method), detector_file(folder_, method)}) {
    require_intact(file, kRemedy);
  }
  try {
    const json fields = parse_json(read_file(path));
    BaselineResult result;
    for_each_field(result, [&](const char* name, auto& value) { get_checked(fields.at(name), value); });
    get_checked(fields.at("shared_molecules"), result.shared_molecules);
    get_checked(fields.at("overlap_accepted"), result.overlap_accepted);
    result.resumed = true;
    require_scores(scores, result);
    return result;
  } catch (const json::exception& problem) {
    throw InputError(path.string() + ": not a file of 'molgauge baseline' (" + json_problem(problem) + "). " +
                     kRemedy);
  }
}

void BaselineRun::store(const std::string& method, const Detector& detector, LabelKind kind,
                        const std::vector<float>& held_out) const {
  write_detector(folder_, method, detector, kind, held_out);
}

void BaselineRun::store(const BaselineResult& result, MetricVariant metric_variant,
                        const ood::Evaluation& scores, CsvTexts texts) const {
  ood::write_predictions(predictions_file(folder_, result.method), scores, texts);
  write_method(folder_, result, metric_variant, scores.id_scores, scores.ood_scores);
}

BaselineConfig read_config(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kConfig;
  require_intact(path, kRemedy);
  BaselineConfig config;
  BaselineRequest& request = config.request;
  request.run = folder.string();
  try {
    const json content = parse_json(read_file(path));
    options::read_config_keys(options::mutable_view(request), content);
    get_checked(content.at("encoder_identity"), config.encoder_identity);
    method_options(request);
  } catch (const json::exception& problem) {
    throw InputError(path.string() + ": not a file of 'molgauge baseline' (" + json_problem(problem) + "). " +
                     kRemedy);
  } catch (const UsageError& problem) {
    throw InputError(path.string() + ": not a file of 'molgauge baseline' (" + problem.what() + "). " +
                     kRemedy);
  }
  return config;
}

std::vector<std::string> finished_methods(const std::filesystem::path& folder) {
  std::vector<std::string> finished;
  for (const std::string& method : all_method_names()) {
    if (std::filesystem::exists(results_file(folder, method))) {
      finished.push_back(method);
    }
  }
  return finished;
}

void write_config(const std::filesystem::path& folder, const BaselineRequest& request,
                  const BaselineIdentity& identity) {
  replace_file(folder / kConfig, config_text(request, identity));
}

void write_method(const std::filesystem::path& folder, const BaselineResult& result,
                  MetricVariant metric_variant, const std::vector<float>& id_scores,
                  const std::vector<float>& ood_scores) {
  io::write_npz(scores_file(folder, result.method), {{"id_scores", id_scores}, {"ood_scores", ood_scores}});
  ordered_json fields;
  for_each_field(result, [&](const char* name, const auto& value) { fields[name] = value; });
  const ood::DetectionMetrics id_positive = ood::id_positive_metrics(id_scores, ood_scores, metric_variant);
  fields["aupr_id_positive"] = id_positive.aupr;
  fields["fpr95_id_positive"] = id_positive.fpr95;
  fields["separation"] = result.ood_scores_mean - result.id_scores_mean;
  fields["metric_variant"] = to_string(metric_variant);
  fields["shared_molecules"] = result.shared_molecules;
  fields["overlap_accepted"] = result.overlap_accepted;
  replace_file(results_file(folder, result.method), json_text(fields));
}

void BaselineRun::write_training_stats(const BaselineReport& report, const memory::RunCost& cost) const {
  ordered_json fields;
  double seconds = 0;
  std::size_t epochs = 0;
  for (const ClassifierReport& classifier : report.classifiers) {
    fields["classifiers"][classifier.objective] = to_json(classifier);
    seconds += classifier.seconds;
    epochs += classifier.epochs_run;
  }
  fields["train_time_seconds"] = seconds;
  fields["avg_epoch_time_seconds"] = seconds / static_cast<double>(std::max<std::size_t>(epochs, 1));
  fields["peak_gpu_memory_train_gb"] = 0.0;  // classifiers are trained on the CPU
  fields["peak_gpu_memory_encoding_gb"] = memory::device_peak_in_gib(cost.phases, "encoding");
  memory::add_cost(fields, cost);
  replace_file(folder_ / "training_stats.json", json_text(fields));
}

}  // namespace molgauge::baselines
