// `molgauge domain`: finds the candidates outside the applicability domain of the training molecules.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/options/report_fields.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/folders.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/verbs/describe/result_table.h"
#include "molecules/verbs/domain/calibration_split.h"
#include "molecules/verbs/domain/contributions.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/domain_phases.h"
#include "molecules/verbs/domain/domain_plan.h"
#include "molecules/verbs/domain/fit_domain.h"
#include "molecules/verbs/domain/judged_candidates.h"
#include "molecules/verbs/domain/model_predictions.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/domain/write_domain.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

void require_training(const DomainRequest& request) {
  if (request.training == "-") {
    throw UsageError(
        "the training molecules are read more than once and cannot come from standard input. Name a file");
  }
  if (std::filesystem::exists(request.training) && !std::filesystem::is_directory(request.training) &&
      !std::filesystem::is_regular_file(request.training)) {
    throw UsageError(request.training +
                     ": is a pipe, but the training molecules are read more than once. Name a file");
  }
}

void require_files(const DomainRequest& request) {
  if (std::filesystem::path(request.out).extension() != ".csv") {
    throw UsageError(fmt::format(
        "--out {}: does not end in .csv. Name a .csv file. A .json and an .html file are written next to it",
        request.out));
  }
  require_endings({request.workbook, request.sdf});
  if (request.candidates.empty()) {
    throw UsageError("the name of the candidates is empty. Name a file with candidates");
  }
  require_training(request);
}

/// Throws UsageError if the request has options whose values are already fixed by the saved domain.
void require_nothing_else(const DomainRequest& request) {
  const auto refuse = [&](const char* option, bool given) {
    if (given) {
      throw UsageError(
          fmt::format("{} has no effect on the saved domain {}. Leave it out", option, request.training));
    }
  };
  refuse("--method", request.method.has_value());
  refuse("--standardize", request.standardize.has_value());
  refuse("--keep-isotopes", request.keep_isotopes);
  refuse("--encoder", !request.encoder.empty());
  refuse("--model", !request.model.empty());
  refuse("--features", !request.features.empty());
  refuse("--label-column", !request.label_column.empty() && request.calibration.empty());
  refuse("--name-column", !request.name_column.empty());
  refuse("--train-smiles-column", request.training_smiles_column != "smiles" && request.calibration.empty());
  refuse("--save", !request.save.empty());
  refuse("--as-drawn", request.as_drawn);
  refuse("--conformer-fallback", request.placement.conformer_fallback != ConformerFallback::by_default);
  refuse("--conformer-engine", request.placement.conformer_engine != ConformerEngine::by_default);
  refuse("--max-atoms", request.placement.max_atoms.has_value());
}

/// The task of a call after the calibration.
enum class Task { save, judge };

void warn_about_small_training(const std::string& training, std::size_t left_out,
                               const domain::Levels& levels) {
  if (const auto warning = small_training_warning(left_out, levels)) {
    log_warning("{}: {}", training, *warning);
  }
}

void declare_requirement(const DomainWork& work, const DomainPhases& phases) {
  work.memory.declare_requirement(need_of_domain(phases.sizes));
  for (const DomainPhases::Encoding& encoding : phases.encodings) {
    runtime::MemoryRequirement need = work.encoding.smallest_need(encoding.molecules);
    need.host_bytes += encoding.bytes_beside;
    work.memory.declare_requirement(std::move(need));
  }
}

/// Fits a domain, or takes the saved domain of the request, and then does the task. `source`: the features of
/// the saved domain or, without a saved domain, the requested features. `predicted`: the predictions of the
/// model in the request, or null.
DomainReport run(const DomainRequest& request, domain::FeatureSource source,
                 std::optional<domain::SavedDomain> saved, const ModelPredictions* predicted, Task task) {
  const std::size_t threads = runtime::threads_of(request.compute);
  runtime::BudgetScope memory(request.compute, runtime::parse_device(request.compute.device));
  pipeline::FailureLog failed(runtime::store_folder(request.store), pipeline::FailureLog::Order::as_appended);
  const bool is_saved = saved.has_value();
  domain::SavedDomain domain =
      is_saved ? std::move(*saved) : unfitted_domain(request, std::move(source), threads);
  require_domain_columns(request, domain);
  MeasuredRows measured = require_prediction_columns(request, domain, predicted);
  const domain::Levels levels = levels_of(request, domain);
  session::EncodingSession encoding(settings_of(request, domain.source), memory);
  const DomainWork work{request, predicted, threads, memory, encoding, failed};
  const DomainSetup setup{.saved = is_saved ? &domain : nullptr,
                          .method = domain.settings.method,
                          .mode = domain.standardize.mode,
                          .width = encoding.encoder().width(),
                          .added_columns = predicted == nullptr ? 0 : predicted->candidates_columns(),
                          .threads = threads};
  DomainPhases phases = phases_of(request, setup, session::list_molecules);
  session::MoleculeList candidates = phases.encodings.back().molecules;
  if (is_saved) {
    require_same_features(domain, request.training, encoding.encoder());
    declare_requirement(work, phases);
    warn_about_small_training(request.training, domain.domain->calibration().left_out.size(), levels);
  } else {
    require_model(request, encoding.encoder());
    domain.source.identity = session::encoder_identity(encoding.encoder());
    session::MoleculeList training = phases.encodings.front().molecules;
    warn_about_small_training(request.training, std::min(training.records, domain::kMaxLeftOut), levels);
    declare_requirement(work, phases);
    domain = with_training(work, std::move(domain), std::move(training));
  }
  domain = with_predictions(work, std::move(domain), levels, std::move(measured));
  if (!request.save.empty()) {
    domain::save_domain(domain, request.save);
  }
  DomainReport report;
  if (task == Task::judge) {
    JudgedCandidates judged(work, domain, setup, std::move(candidates));
    report = write_domain(work, domain, levels, judged);
  } else {
    report = training_report(work, domain, levels);
  }
  runtime::report_failed(failed, report);
  report.phases = memory.phases().reports();
  return report;
}

/// Does the task. If the request or its saved domain has a chemprop model, this model first predicts the
/// candidates and the calibration molecules.
DomainReport run_with_model(const DomainRequest& given, Task task) {
  const CalibrationSplit split(given);
  const DomainRequest request = split.applied_to(given);
  std::optional<domain::SavedDomain> saved;
  if (domain::is_saved_domain(request.training)) {
    require_nothing_else(request);
    saved = domain::load_domain(request.training, runtime::threads_of(request.compute));
  }
  domain::FeatureSource source = saved ? saved->source : source_of(request);
  if (source.models == nullptr) {
    const auto refuse = [](const char* option, bool is_set) {
      if (is_set) {
        throw UsageError(
            fmt::format("{} has no effect without a chemprop model. Add --model, or leave it out", option));
      }
    };
    refuse("--descriptor-columns", !request.descriptor_columns.empty());
    refuse("--as-drawn", request.as_drawn);
    refuse("--contributions", request.contributions);
    return run(request, std::move(source), std::move(saved), nullptr, task);
  }
  session::require_chemprop_options(source.tuned, request.compute);
  if (request.contributions) {
    require_contributions(*source.models);
  }
  const ModelPredictions predicted(request, source, saved ? &*saved : nullptr);
  DomainReport report = run(predicted.request(), std::move(source), std::move(saved), &predicted, task);
  report.phases.insert(report.phases.begin(), predicted.phases().begin(), predicted.phases().end());
  return report;
}

}  // namespace

DomainReport judge_domain(const DomainRequest& request) {
  require_files(request);
  return run_with_model(request, Task::judge);
}

DomainReport fit_domain(const DomainRequest& request) {
  if (request.save.empty() || !request.candidates.empty()) {
    throw UsageError(
        "fitting a domain saves it and judges no candidates. Name a folder with `save`, and leave out "
        "`candidates`");
  }
  if (!request.card.empty() || !request.workbook.empty() || !request.sdf.empty()) {
    throw UsageError("`card`, `workbook` and `sdf` contain judged candidates. Remove them");
  }
  if (request.contributions) {
    throw UsageError("contributions are drawn on the page of judged candidates. Remove `contributions`");
  }
  require_training(request);
  if (domain::is_saved_domain(request.training)) {
    throw UsageError(request.training + ": is already a saved domain. Name training molecules");
  }
  return run_with_model(request, Task::save);
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(DomainReport, notices, training_molecules, training_failed, training_duplicates,
                       training_redrawn, label_conflicts, label_ties, label_median_range, censored_labels,
                       censored_in_calibration, inside, borderline, outside, unreadable, resumed,
                       error_summary, prediction_summary, csv, json, page, card, failed, failed_records,
                       phases)

template <>
verbs::Verb verbs::verb<DomainRequest>() {
  return planned<DomainRequest>(budget_row<DomainRequest>("domain", judge_domain), plan_domain);
}

}  // namespace molgauge
