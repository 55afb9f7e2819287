// `molgauge domain`: finds the candidates outside the applicability domain of the training molecules.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/files/shown_path.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/options/own_folder.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/folders.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/finished_blocks.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/reread_input.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/files/named_table.h"
#include "molecules/judging/predictions/candidate_range.h"
#include "molecules/pages/domain_page.h"
#include "molecules/pages/error_curve_section.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/domain/calibration_split.h"
#include "molecules/verbs/domain/domain_columns.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/domain_outputs.h"
#include "molecules/verbs/domain/domain_phases.h"
#include "molecules/verbs/domain/model_facts.h"
#include "molecules/verbs/domain/model_predictions.h"
#include "molecules/verbs/domain/page_rows.h"
#include "molecules/verbs/predictions/calibration_input.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molecules/verbs/predictions/prediction_words.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

std::string sha256_if_file(const std::string& path) {
  return std::filesystem::is_regular_file(path) ? store::sha256_of_file(path) : "";
}

std::filesystem::path beside(const std::string& out, const char* extension) {
  return std::filesystem::path(out).replace_extension(extension);
}

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

/// One call of the verb.
class DomainCall {
 public:
  /// `source`: the features of the saved domain or, without a saved domain, the requested features. `saved`:
  /// the saved domain in the request, if there is one. `predicted`: the predictions of the model in the
  /// request, or null.
  DomainCall(const DomainRequest& request, domain::FeatureSource source,
             std::optional<domain::SavedDomain> saved, const session::ModelPredictions* predicted)
      : request_(request),
        predicted_(predicted),
        is_saved_(saved.has_value()),
        threads_(session::threads_of(request.compute)),
        memory_(request.compute, session::parse_device(request.compute.device)) {
    if (saved) {
      saved_ = std::move(*saved);
    } else {
      saved_.source = std::move(source);
      take_settings();
    }
  }

  DomainReport run() {
    open_encoder();
    session::DomainPhases phases = session::phases_of(request_, setup(), session::list_molecules);
    session::MoleculeList candidates = phases.encodings.back().molecules;
    if (is_saved_) {
      session::require_same_features(saved_, request_.training, session_->encoder());
      declare_requirement(phases);
      warn_about_small_training(saved_.domain->calibration().left_out.size());
      calibrate_predictions();
    } else {
      fit(std::move(phases));
    }
    judge_candidates(std::move(candidates));
    return finish();
  }

  /// Calibrates and saves the domain. Judges no candidates.
  DomainReport save() {
    open_encoder();
    fit(session::phases_of(request_, setup(), session::list_molecules));
    describe_training();
    note({});
    session::report_failed(failed_, report_);
    report_.phases = memory_.phases().reports();
    return report_;
  }

 private:
  /// Copies the settings of the request to the domain that this call fits.
  void take_settings() {
    saved_.standardize = session::standardize_of(request_);
    saved_.predicts_drawing = request_.as_drawn;
    saved_.settings = {request_.method.value_or(DomainMethod::combined),
                       request_.level.value_or(domain::kDefaultOutsideLevel), threads_,
                       request_.compute.quiet};
  }

  void open_encoder() {
    session::require_domain_columns(request_, saved_);
    measured_ = session::require_prediction_columns(request_, saved_, predicted_);
    levels_ = session::levels_of(request_, saved_);
    session_.emplace(session::settings_of(request_, saved_.source), memory_);
  }

  void warn_about_small_training(std::size_t held_out) const {
    if (const auto warning = session::small_training_warning(held_out, levels_)) {
      log_warning("{}: {}", request_.training, *warning);
    }
  }

  session::DomainSetup setup() const {
    return {.saved = is_saved_ ? &saved_ : nullptr,
            .method = saved_.settings.method,
            .mode = saved_.standardize.mode,
            .width = session_->encoder().width(),
            .added_columns = predicted_ == nullptr ? 0 : predicted_->candidates_columns(),
            .threads = threads_};
  }

  void declare_requirement(const session::DomainPhases& phases) {
    memory_.declare_requirement(session::need_of_domain(phases.sizes));
    for (const session::DomainPhases::Encoding& encoding : phases.encodings) {
      session::MemoryRequirement need = session_->smallest_need(encoding.molecules);
      need.host_bytes += encoding.bytes_beside;
      memory_.declare_requirement(std::move(need));
    }
  }

  void fit(session::DomainPhases phases) {
    session::require_model(request_, session_->encoder());
    saved_.source.identity = session::encoder_identity(session_->encoder());
    session::MoleculeList molecules = phases.encodings.front().molecules;
    warn_about_small_training(std::min(molecules.records, domain::kMaxLeftOut));
    declare_requirement(phases);
    DomainRequest training = request_;
    if (!session::reads_training_values(request_)) {
      training.label_column.clear();
    }
    domain::TrainingSet set = session::read_training(training, saved_.standardize, std::move(molecules),
                                                     *session_, threads_, memory_.phases(), failed_);
    memory::Phase phase = memory_.phases().begin("calibration");
    saved_.training_file = request_.training;
    saved_.training_sha256 = sha256_if_file(request_.training);
    saved_.duplicates = set.duplicates;
    saved_.failed = set.failed;
    saved_.merged = set.merged;
    saved_.labels = std::move(set.labels);
    saved_.notes = std::move(set.notes);
    std::vector<Hash128> flat;
    for (const domain::FormKeys& keys : saved_.notes.keys) {
      flat.push_back(keys.flat);
    }
    saved_.domain = std::make_shared<const domain::CalibratedDomain>(
        std::move(set.molecules), saved_.notes.scaffolds, flat, saved_.settings);
    saved_.values = std::move(set.values);
    if (!saved_.values.empty()) {
      saved_.value_name = request_.label_column;
      if (session::has_error_curve(request_)) {
        measure_errors();
      }
    }
    phase.end();
    calibrate_predictions();
    if (!request_.save.empty()) {
      domain::save_domain(saved_, request_.save);
    }
  }

  /// Measures the error curve. If there are too few labels, throws InputError. If predictions are judged, the
  /// curve is optional, so the call only logs a warning.
  void measure_errors() {
    try {
      saved_.curve =
          domain::measure_errors(*saved_.domain, saved_.notes.scaffolds, saved_.values, saved_.settings,
                                 saved_.labels.are_classes ? domain::LabelCurve::Task::classification
                                                           : domain::LabelCurve::Task::regression);
    } catch (const InputError& problem) {
      if (!session::judges_predictions(request_)) {
        throw;
      }
      log_warning("the error of a simple predictor is not shown: {}", problem.what());
    }
  }

  session::MoleculeList calibration_molecules() const {
    return session::list_molecules(session::calibration_file(request_), request_.training_smiles_column);
  }

  /// Calibrates the predictions, or applies the options of the request to the stored calibration.
  void calibrate_predictions() {
    if (session::calibrates_predictions(request_)) {
      saved_.labels.censored_in_calibration = measured_.censored;
      if (saved_.opinion == nullptr) {
        const memory::Phase phase = memory_.phases().begin("second opinion");
        saved_.opinion = domain::SecondOpinion::fit(domain::training_of_opinion(saved_), threads_);
      }
      saved_.predictions =
          session::calibrate_predictions({request_, saved_, std::move(measured_.rows), levels_, threads_},
                                         calibration_molecules(), *session_, memory_.phases(), failed_);
    } else if (session::judges_predictions(request_)) {
      saved_.predictions = session::with_options(saved_.predictions, request_);
    }
  }

  Hash128 fingerprint(const session::CandidateList& candidates) const {
    const domain::CalibratedDomain& domain = *saved_.domain;
    GrowingHash128 hash;
    const auto add = [&](const auto& numbers) { hash.append(std::as_bytes(std::span(numbers))); };
    const std::string words =
        fmt::format("domain 2 {} {} {} {} {}", MOLGAUGE_VERSION, saved_.source.identity,
                    to_string(saved_.settings.method), to_string(saved_.standardize.mode),
                    saved_.standardize.keeps_isotopes);
    add(words);
    add(domain.training().features);
    add(domain.calibration().left_out);
    for (const std::string& smiles : saved_.notes.smiles) {
      add(smiles);
    }
    if (saved_.opinion != nullptr) {
      add(saved_.values);
    }
    add(candidates.fingerprint());
    return hash.value();
  }

  /// `molecules`: the known sizes of the candidates. The list is empty if the candidates come through a pipe.
  void judge_candidates(session::MoleculeList molecules) {
    parts_ = request_.out + ".parts";
    const auto hold_parts = [&] {
      options::require_own_folder(parts_, options::FolderKind::unfinished, "--out " + request_.out);
      make_folder(parts_);
      lock_.emplace(parts_);
    };
    const bool is_file = io::is_rereadable(request_.candidates);
    if (!is_file) {
      hold_parts();
    }
    const chem::Standardization mode =
        session::standardize_before_encoding(saved_.standardize, saved_.source.features);
    const std::string path = session::reread_input(request_.candidates, parts_);
    if (!is_file) {
      shown_candidates_.emplace(path, request_.candidates);
      molecules = session::list_molecules(path, request_.smiles_column);
      session::DomainSizes sizes;
      session::add_candidates(molecules, setup(), request_, sizes);
      memory_.declare_requirement(session::need_of_domain(sizes));
    }
    candidates_.emplace(request_, mode, path, request_.candidates, std::move(molecules), *session_, failed_,
                        predicted_ == nullptr ? nullptr : predicted_->candidates());
    if (!lock_) {
      hold_parts();
    }
    memory::Phase phase = memory_.phases().begin("comparing");
    const domain::Judge judge(saved_, threads_);
    map_ = judge.map();
    blocks_.emplace(parts_, fingerprint(*candidates_));
    scores_.reserve(candidates_->size());
    Progress progress("compare", "candidate", candidates_->size(), request_.compute.quiet);
    const auto judge_block = [&](std::size_t block, std::vector<session::CandidateRow>& rows) {
      throw_if_cancelled();
      std::vector<domain::Candidate> found;
      const std::size_t first = block * session::kCandidatesAtOnce;
      const Hash128 failures = candidates_->failures(first, rows.size());
      if (const auto finished = blocks_->find(block, failures)) {
        found = domain::candidates_from(*finished);
        report_.resumed += found.size();
        progress.skip(rows.size());
      } else {
        found = judge.judge(candidates_->judged(first, rows));
        blocks_->keep(block, failures, to_bytes(found));
        progress.advance(rows.size());
      }
      for (const domain::Candidate& candidate : found) {
        scores_.push_back(domain::listed_score(candidate));
        remarked_ += candidate.remarks.empty() ? 0 : 1;
        new_scaffolds_ += candidate.unreadable.empty() && !candidate.foreign.scaffold_seen ? 1 : 0;
      }
    };
    candidates_->for_each_block(session::kCandidatesAtOnce, judge_block);
    phase.end();
  }

  void describe_training() {
    report_.training_molecules = saved_.domain->training().size();
    report_.training_failed = saved_.failed;
    report_.training_duplicates = saved_.duplicates;
    report_.training_redrawn = saved_.merged.redrawn;
    report_.label_conflicts = saved_.labels.conflicts;
    report_.label_ties = saved_.labels.ties;
    report_.label_median_range = saved_.labels.median_range;
    report_.censored_labels = saved_.labels.censored.count;
    report_.censored_in_calibration = saved_.labels.censored_in_calibration.count;
    report_.error_summary = report::error_summary(saved_.curve, saved_.value_name);
  }

  void note(const session::ListedCandidates& candidates) {
    report_.notices = session::domain_notices(saved_, levels_, candidates);
    if (remarked_ > 0) {
      report_.notices.push_back(session::remark_notice(remarked_));
    }
    if (predicted_ != nullptr) {
      report_.notices.push_back(predicted_->notice());
    }
  }

  DomainReport finish() {
    memory::Phase phase = memory_.phases().begin("writing");
    const std::vector<domain::Judgement> judgements =
        domain::judge_list(scores_, saved_.domain->calibration(), levels_);
    const auto counts = session::count_verdicts(judgements);
    report_.inside = counts[0];
    report_.borderline = counts[1];
    report_.outside = counts[2];
    report_.unreadable = counts[3];
    describe_training();
    note({.readable = judgements.size() - report_.unreadable, .new_scaffolds = new_scaffolds_});
    const bool judges_predictions = session::judges_predictions(request_);
    if (judges_predictions) {
      rules_ = domain::DecisionRules(*saved_.predictions);
    }
    const session::DomainResult result{request_,          saved_,
                                       report_,           levels_,
                                       judgements.size(), judges_predictions ? &prediction_counts_ : nullptr,
                                       predicted_form(),  rules_,
                                       decisions_,        sha256_if_file(request_.candidates)};
    report::DomainPage page = empty_page(result);
    write_rows(judgements, page);
    page.decisions = decisions_;
    if (judges_predictions) {
      report_.prediction_summary = session::prediction_summary(*saved_.predictions, prediction_counts_);
    }
    replace_file(beside(request_.out, ".html"), report::domain_page(page));
    replace_file(beside(request_.out, ".json"), session::domain_json(result));
    phase.end();
    options::remove_own_files(parts_, options::FolderKind::unfinished);
    lock_.reset();
    report_.csv = request_.out;
    report_.json = beside(request_.out, ".json").string();
    report_.page = beside(request_.out, ".html").string();
    session::report_failed(failed_, report_);
    report_.phases = memory_.phases().reports();
    return report_;
  }

  /// The form that the chemprop model predicts, or nothing without such a model.
  std::optional<Standardize> predicted_form() const {
    return predicted_ == nullptr ? std::nullopt : std::optional(predicted_->form());
  }

  /// Returns the properties of each row. Without `describe`, no row has properties.
  std::vector<OptionalProperties> properties_of(const std::vector<session::CandidateRow>& rows) const {
    return request_.describe ? properties_of_all(rows.size(), threads_,
                                                 [&](std::size_t i) -> const chem::MoleculeRecord& {
                                                   return rows[i].record;
                                                 })
                             : std::vector<OptionalProperties>(rows.size());
  }

  /// Writes domain.csv, and fills the rows of the page.
  void write_rows(const std::vector<domain::Judgement>& judgements, report::DomainPage& page) {
    std::vector<float> distances;
    for (const domain::ListedScore& score : scores_) {
      distances.push_back(score.distance);
    }
    const std::vector<std::size_t> order = session::page_order(judgements, distances, request_.page_rows);
    std::unordered_map<std::size_t, std::size_t> place_of;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_of[order[i]] = i;
    }
    page.rows_left_out = judgements.size() - order.size();
    session::DomainPageRows page_rows(saved_, map_, order.size(), page);
    session::DomainCsv csv(request_, saved_, *candidates_);
    std::optional<session::CandidatePredictions> predictions;
    std::optional<domain::CandidateRange> range;
    if (session::judges_predictions(request_)) {
      predictions.emplace(*saved_.predictions,
                          session::prediction_columns(request_, saved_.predictions.get()),
                          candidates_->columns(), request_.candidates);
      page_rows.show_predictions(*saved_.predictions);
      range.emplace(*saved_.predictions);
    }
    std::optional<session::ModelFacts> model_facts;
    if (predicted_ != nullptr && !predictions) {
      model_facts.emplace(predicted_->tasks());
      page_rows.show_model(*model_facts);
    }
    if (request_.describe) {
      page_rows.show_properties();
    }
    std::size_t row_number = 0;
    const auto write_block = [&](std::size_t block, std::vector<session::CandidateRow>& rows) {
      const std::size_t first = block * session::kCandidatesAtOnce;
      const auto finished = blocks_->find(block, candidates_->failures(first, rows.size()));
      if (!finished) {
        throw Error(
            fmt::format("{}: a block of results is gone or damaged. Run the same command again", parts_));
      }
      const std::vector<domain::Candidate> found = domain::candidates_from(*finished);
      const std::vector<OptionalProperties> properties = properties_of(rows);
      for (std::size_t i = 0; i < found.size(); ++i, ++row_number) {
        std::optional<session::CandidatePredictions::Judged> judged;
        if (predictions && found[i].unreadable.empty()) {
          judged = predictions->judge(rows[i], found[i], judgements[row_number]);
          prediction_counts_.add(judged->outcome);
          range->add(judged->prediction);
        }
        const domain::PredictionOutcome* const outcome = judged ? &judged->outcome : nullptr;
        const domain::Advice advice = rules_.decide(judgements[row_number].verdict, outcome);
        decisions_.add(advice, !found[i].foreign.scaffold_seen);
        csv.append(rows[i], found[i], judgements[row_number], outcome, rules_, advice, properties[i]);
        if (const auto place = place_of.find(row_number); place != place_of.end()) {
          std::vector<std::string> facts;
          if (model_facts && found[i].unreadable.empty()) {
            facts =
                model_facts->facts(std::span(rows[i].fields).last(predicted_->candidates()->names().size()));
          }
          page_rows.put(place->second, row_number, candidates_->name_of(rows[i]), rows[i].record, found[i],
                        judgements[row_number], judged ? &*judged : nullptr, facts, properties[i]);
        }
      }
    };
    candidates_->for_each_block(session::kCandidatesAtOnce, write_block);
    page_rows.draw(threads_);
    csv.finish();
    for (std::string& warning : range ? range->warnings() : std::vector<std::string>()) {
      page.notices.push_back(warning);
      report_.notices.push_back(std::move(warning));
    }
  }

  report::DomainPage empty_page(const session::DomainResult& result) const {
    report::DomainPage page;
    page.title =
        fmt::format("{} against {}",
                    std::filesystem::path(request_.candidates == "-" ? "Candidates" : request_.candidates)
                        .filename()
                        .string(),
                    std::filesystem::path(saved_.training_file).filename().string());
    page.subtitle = fmt::format("{} candidates compared with {} training molecules", scores_.size(),
                                report_.training_molecules);
    page.words = session::words_of_distances(saved_);
    page.meaning = session::meaning_of(levels_);
    page.notices = report_.notices;
    page.counts = {report_.inside, report_.borderline, report_.outside, report_.unreadable};
    for (const domain::ListedScore& score : scores_) {
      if (std::isfinite(score.distance)) {
        page.candidate_scores.push_back(score.distance);
      }
    }
    page.settings = session::domain_settings(result);
    return page;
  }

  const DomainRequest& request_;
  const session::ModelPredictions* predicted_;
  bool is_saved_;
  std::size_t threads_;
  session::BudgetScope memory_;
  std::optional<session::EncodingSession> session_;
  domain::SavedDomain saved_;
  domain::Levels levels_;
  ops::PrincipalMap map_;
  pipeline::FailureLog failed_{session::store_folder(request_.store),
                               pipeline::FailureLog::Order::as_appended};
  session::MeasuredRows measured_;
  session::PredictionCounts prediction_counts_;
  domain::DecisionRules rules_;
  domain::DecisionCounts decisions_;
  std::size_t new_scaffolds_ = 0;  ///< readable candidates with a new scaffold
  std::string parts_;
  std::optional<FolderLock> lock_;
  std::optional<ShownPath> shown_candidates_;  ///< set if the candidates are in a copy
  std::optional<session::CandidateList> candidates_;
  std::optional<session::FinishedBlocks> blocks_;
  std::vector<domain::ListedScore> scores_;
  std::size_t remarked_ = 0;  ///< candidates that are radicals or mixtures
  DomainReport report_;
};

/// Makes the DomainCall of a request and passes it to `call`. If the request or its saved domain has a
/// chemprop model, this model first predicts the candidates and the calibration molecules.
template <typename Call>
DomainReport with_predictions(const DomainRequest& given, const Call& call) {
  const session::CalibrationSplit split(given);
  const DomainRequest request = split.applied_to(given);
  std::optional<domain::SavedDomain> saved;
  if (domain::is_saved_domain(request.training)) {
    require_nothing_else(request);
    saved = domain::load_domain(request.training, session::threads_of(request.compute));
  }
  domain::FeatureSource source = saved ? saved->source : session::source_of(request);
  if (source.models == nullptr) {
    const auto refuse = [](const char* option, bool is_set) {
      if (is_set) {
        throw UsageError(
            fmt::format("{} has no effect without a chemprop model. Add --model, or leave it out", option));
      }
    };
    refuse("--descriptor-columns", !request.descriptor_columns.empty());
    refuse("--as-drawn", request.as_drawn);
    return call(DomainCall(request, std::move(source), std::move(saved), nullptr));
  }
  session::require_chemprop_options(source.tuned, request.compute);
  const session::ModelPredictions predicted(request, source, saved ? &*saved : nullptr);
  DomainReport report =
      call(DomainCall(predicted.request(), std::move(source), std::move(saved), &predicted));
  report.phases.insert(report.phases.begin(), predicted.phases().begin(), predicted.phases().end());
  return report;
}

}  // namespace

DomainReport judge_domain(const DomainRequest& request) {
  require_files(request);
  return with_predictions(request, [](DomainCall&& call) { return call.run(); });
}

DomainReport fit_domain(const DomainRequest& request) {
  if (request.save.empty() || !request.candidates.empty()) {
    throw UsageError(
        "fitting a domain saves it and judges no candidates. Name a folder with `save`, and leave out "
        "`candidates`");
  }
  require_training(request);
  if (domain::is_saved_domain(request.training)) {
    throw UsageError(request.training + ": is already a saved domain. Name training molecules");
  }
  return with_predictions(request, [](DomainCall&& call) { return call.save(); });
}

}  // namespace molgauge::verbs
