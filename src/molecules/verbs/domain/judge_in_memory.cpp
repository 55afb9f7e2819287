// Judges molecules in memory by a saved domain that stays open.

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/folders.h"
#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/judging/conformal.h"
#include "molecules/judging/predictions/decision.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/domain/domain_cache.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/domain_words.h"
#include "molecules/verbs/predictions/calibration_input.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<chem::MoleculeRecord> records_of(std::span<const std::string> smiles) {
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    records[row] = {.text = smiles[row], .row = row, .line = row + 1, .file = "molecules"};
  }
  return records;
}

void require_in_memory(const DomainRequest& request) {
  if (!request.candidates.empty() || !request.save.empty() || !request.card.empty() ||
      !request.workbook.empty() || !request.sdf.empty()) {
    throw UsageError(
        "in-memory judging does not accept file paths. Remove `candidates`, `save`, `card`, `workbook` and "
        "`sdf`");
  }
  if (request.contributions) {
    throw UsageError(
        "contributions are drawn on a page, and in-memory judging makes none. Remove `contributions`");
  }
  if (!domain::is_saved_domain(request.training)) {
    throw InputError(request.training + ": is not a saved domain. Name a folder of molgauge domain --save");
  }
}

/// Bytes of the result of one molecule: its judgement, its texts, and its columns in a table.
constexpr std::uint64_t kBytesOfResult = sizeof(domain::Candidate) + sizeof(JudgedMolecule) + 2048;

/// Molecules in memory and their features.
class EncodedRecords {
 public:
  EncodedRecords(std::span<const std::string> smiles, chem::Standardization mode, std::size_t threads,
                 session::EncodingSession& session)
      : records_(records_of(smiles)), session_(session) {
    const std::vector<chem::MoleculeRecord> standard = session::standardized_records(records_, mode, threads);
    const pipeline::EncodeOutcome outcome =
        session.encode(pipeline::source_of(standard), session::list_molecules(standard));
    reasons_.resize(records_.size());
    outcome.failed.for_each([&](FailedMolecule&& failed) {
      reasons_[failed.row] = std::move(failed.reason);
      return true;
    });
    keys_ = outcome.keys;
  }

  std::size_t size() const { return records_.size(); }

  /// Returns `count` records, beginning with `first`, with their features or the reasons why they failed.
  std::vector<domain::JudgedRecord> block(std::size_t first, std::size_t count) {
    std::vector<domain::JudgedRecord> judged(count);
    std::vector<Hash128> keys;
    for (std::size_t i = 0; i < count; ++i) {
      judged[i].record = records_[first + i];
      judged[i].unreadable = reasons_[first + i];
      if (judged[i].unreadable.empty()) {
        keys.push_back(keys_[first + i]);
      }
    }
    const std::size_t width = session_.encoder().width();
    const ops::Floats features = keys.empty() ? ops::Floats() : session_.features(keys);
    std::size_t next = 0;
    for (domain::JudgedRecord& record : judged) {
      if (record.unreadable.empty()) {
        const auto row = features.numbers().subspan(next++ * width, width);
        record.features.assign(row.begin(), row.end());
      }
    }
    return judged;
  }

 private:
  std::vector<chem::MoleculeRecord> records_;
  session::EncodingSession& session_;
  std::vector<std::string> reasons_;  ///< reason why each molecule failed, empty for an encoded molecule
  std::vector<Hash128> keys_;
};

/// Judges the molecules in blocks. For a longer list, first reserves memory for the results.
std::vector<domain::Candidate> judged_candidates(const DomainRequest& request,
                                                 std::span<const std::string> smiles, const OpenDomain& open,
                                                 session::EncodingSession& session,
                                                 runtime::BudgetScope& memory) {
  const domain::SavedDomain& saved = open.saved;
  const std::size_t threads = runtime::threads_of(request.compute);
  const bool is_long = smiles.size() > kCandidatesAtOnce;
  if (is_long) {
    const session::MoleculeList list = session::list_molecules(records_of(smiles));
    runtime::MemoryRequirement need =
        need_of_domain({.candidates = smiles.size(),
                        .width = session.encoder().width(),
                        .describing_bytes =
                            bytes_of_describing(list, threads) +
                            session::bytes_of_standardizing(saved.standardize.mode, threads, smiles.size())});
    need.host_bytes += smiles.size() * kBytesOfResult;
    memory.declare_requirement(std::move(need));
  }
  EncodedRecords records(smiles,
                         session::standardize_before_encoding(saved.standardize, saved.source.features),
                         threads, session);
  Progress progress("compare", "candidate", smiles.size(), request.compute.quiet || !is_long);
  std::vector<domain::Candidate> candidates;
  candidates.reserve(smiles.size());
  for (std::size_t first = 0; first < smiles.size(); first += kCandidatesAtOnce) {
    throw_if_cancelled();
    const std::size_t count = std::min(kCandidatesAtOnce, smiles.size() - first);
    auto found = open.judge.judge(records.block(first, count));
    std::move(found.begin(), found.end(), std::back_inserter(candidates));
    progress.advance(count);
  }
  return candidates;
}

/// The predictions of the model of the user. They are judged with the calibration of a saved domain.
class PredictionJudge {
 public:
  /// Throws UsageError if predictions cannot be judged, and InputError if a prediction is invalid.
  /// `predictions` must outlive the object.
  PredictionJudge(const DomainRequest& request, const domain::SavedDomain& saved,
                  std::span<const InMemoryPrediction> predictions, std::size_t molecules)
      : predictions_(predictions) {
    if (predictions.empty()) {
      require_no_option_of_predictions(request);
      return;
    }
    if (predictions.size() != molecules) {
      throw UsageError(
          fmt::format("{} predictions for {} molecules: give one for each molecule, NaN if it is "
                      "missing",
                      predictions.size(), molecules));
    }
    if (saved.predictions == nullptr) {
      throw UsageError(fmt::format(
          "--prediction-column {}: {} contains no calibration of predictions. Save the domain with "
          "--calibration and --label-column, or leave out the predictions",
          request.prediction_column, request.training));
    }
    require_stored_columns(request, *saved.predictions);
    calibration_ = with_options(saved.predictions, request);
    rules_ = domain::DecisionRules(*calibration_);
    const domain::PredictionColumns columns = prediction_columns(request, saved.predictions.get());
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      require_prediction(user_prediction(i), columns, fmt::format("molecules:{}", i + 1),
                         calibration_->is_classification());
    }
  }

  /// Judges the prediction for molecule `i`, unless there are no predictions or the molecule is unreadable.
  /// Sets the prediction and the decision of `molecule`.
  void judge(std::size_t i, const domain::Candidate& candidate, const domain::Judgement& judgement,
             JudgedMolecule& molecule) const {
    std::optional<domain::PredictionOutcome> outcome;
    if (calibration_ != nullptr && candidate.unreadable.empty()) {
      outcome = calibration_->judge(user_prediction(i), place_of(candidate, judgement));
      molecule.prediction = result_of(*outcome);
    }
    const domain::Advice advice = rules_.decide(judgement.verdict, outcome ? &*outcome : nullptr);
    molecule.decision = advice.decision;
    molecule.decision_reason = rules_.words(advice);
  }

 private:
  JudgedPrediction result_of(const domain::PredictionOutcome& outcome) const {
    JudgedPrediction judged;
    judged.lower = calibration_->is_classification() ? kNone : outcome.interval.lower;
    judged.upper = calibration_->is_classification() ? kNone : outcome.interval.upper;
    judged.set = outcome.set_text();
    judged.probability_lower = outcome.probability ? outcome.probability->lower : kNone;
    judged.probability_upper = outcome.probability ? outcome.probability->upper : kNone;
    judged.expected_error = outcome.expected_error;
    judged.meets_conditions = outcome.meets_conditions;
    judged.reason = outcome.reason;
    judged.doubt = outcome.doubt;
    return judged;
  }

  domain::UserPrediction user_prediction(std::size_t i) const {
    const InMemoryPrediction& own = predictions_[i];
    return {own.value, own.uncertainty, own.lower, own.upper};
  }

  std::span<const InMemoryPrediction> predictions_;
  std::shared_ptr<const domain::PredictionCalibration> calibration_;  ///< null without predictions
  domain::DecisionRules rules_;
};

std::optional<StoredCalibration> stored_calibration(const domain::SavedDomain& saved) {
  if (saved.predictions == nullptr) {
    return std::nullopt;
  }
  const domain::PredictionColumns& columns = saved.predictions->settings().columns;
  return StoredCalibration{saved.predictions->is_classification(), columns.prediction, columns.uncertainty,
                           columns.lower, columns.upper};
}

JudgedMolecule described(const domain::Candidate& candidate, const domain::Judgement& judgement,
                         const domain::SavedDomain& saved) {
  JudgedMolecule molecule;
  molecule.verdict = judgement.verdict;
  if (!candidate.unreadable.empty()) {
    molecule.reason = candidate.unreadable;
    molecule.p_value = molecule.q_value = molecule.p_new_scaffold = molecule.p_range = kNone;
    molecule.distance = molecule.expected_error = molecule.percentile = kNone;
    return molecule;
  }
  molecule.reason = domain_reason(candidate, judgement);
  molecule.smiles = candidate.smiles;
  molecule.p_value = judgement.p_value;
  molecule.q_value = judgement.q_value;
  molecule.p_new_scaffold = judgement.p_scaffold;
  molecule.p_range = judgement.p_range;
  molecule.distance = candidate.score;
  molecule.expected_error = saved.curve.empty() ? kNone : saved.curve.expected_error(candidate.score);
  molecule.percentile = domain::percentile(saved.domain->calibration().left_out, candidate.score);
  molecule.standardized_smiles = candidate.standardized;
  molecule.in_training = candidate.equals_training;
  molecule.training_match = candidate.match.kind;
  if (candidate.match.kind != MatchKind::none) {
    molecule.training_match_name = saved.notes.names[candidate.match.molecule];
    molecule.training_match_smiles = saved.notes.smiles[candidate.match.molecule];
  }
  molecule.scaffold = candidate.scaffold;
  molecule.scaffold_in_training = candidate.foreign.scaffold_seen;
  molecule.foreign_atoms.assign(candidate.foreign.atoms.begin(), candidate.foreign.atoms.end());
  molecule.foreign = foreign_words(candidate, saved.notes);
  molecule.foreign_elements = candidate.foreign.elements;
  molecule.foreign_rings = candidate.foreign.rings;
  molecule.foreign_size = candidate.foreign.size;
  molecule.foreign_log_p = candidate.foreign.log_p;
  molecule.foreign_charge = candidate.foreign.charge;
  for (std::size_t i = 0; i < candidate.nearest_count; ++i) {
    const std::size_t training = candidate.nearest[i].molecule;
    molecule.nearest.push_back({saved.notes.names[training], saved.notes.smiles[training],
                                candidate.tanimoto[i], candidate.nearest[i].distance,
                                saved.values.empty() ? kNone : saved.values[training]});
  }
  return molecule;
}

void add_properties(std::span<const std::string> smiles, std::size_t threads, JudgedList& list) {
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    records[i].text = smiles[i];
  }
  auto properties = properties_of_all(
      smiles.size(), threads, [&](std::size_t i) -> const chem::MoleculeRecord& { return records[i]; });
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    list.molecules[i].properties = std::move(properties[i]);
  }
}

}  // namespace

JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                           std::span<const InMemoryPrediction> predictions, DomainCache& domains,
                           session::EncoderCache& kept) {
  require_in_memory(request);
  runtime::BudgetScope memory(request.compute, runtime::parse_device(request.compute.device));
  const auto open = domains.open(request.training, runtime::threads_of(request.compute));
  const domain::SavedDomain& saved = open->saved;
  const PredictionJudge judged_predictions(request, saved, predictions, smiles.size());
  session::EncodingSettings settings = settings_of(request, saved.source);
  settings.strict = false;
  settings.allow_all_failed = true;  // a list without molecules also gets an answer
  session::EncodingSession session = kept.open(std::move(settings), memory);
  require_same_features(saved, request.training, session.encoder());

  const std::vector<domain::Candidate> candidates =
      judged_candidates(request, smiles, *open, session, memory);
  std::vector<domain::ListedScore> scores;
  scores.reserve(candidates.size());
  for (const domain::Candidate& candidate : candidates) {
    scores.push_back(domain::listed_score(candidate));
  }
  const domain::Levels levels = levels_of(request, saved);
  const auto judgements = domain::judge_list(scores, saved.domain->calibration(), levels);
  JudgedList list{saved.source.encoder,  saved.domain->training().size(), !saved.curve.empty(),
                  !saved.values.empty(), stored_calibration(saved),       {},
                  request.describe};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    list.molecules.push_back(described(candidates[i], judgements[i], saved));
    judged_predictions.judge(i, candidates[i], judgements[i], list.molecules.back());
  }
  if (request.describe) {
    add_properties(smiles, runtime::threads_of(request.compute), list);
  }
  kept.keep(session);
  return list;
}

}  // namespace molgauge::verbs
