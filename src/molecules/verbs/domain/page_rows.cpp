#include "molecules/verbs/domain/page_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "molecules/judging/conformal.h"
#include "molecules/verbs/domain/domain_words.h"
#include "molecules/verbs/predictions/prediction_facts.h"

namespace molgauge::verbs {
namespace {

/// The largest number of training molecules on the map. If there are more, only every n-th molecule is shown.
constexpr std::size_t kPlacesOnMap = 5000;

std::string shown_smiles(const chem::MoleculeRecord& record, const domain::Candidate& candidate) {
  if (candidate.unreadable.empty()) {
    return candidate.smiles;
  }
  return record.format == chem::RecordFormat::smiles ? record.text : "";
}

/// Adds the facts of DomainPageRows::show_properties(), and the numbers by which the page orders rows. Alerts
/// are ordered by their number.
void append_properties(const MoleculeProperties& properties, report::DomainRow& row) {
  for (const PropertyColumn& column : kPropertyColumns) {
    row.facts.push_back(column.number != nullptr ? fmt::format("{:.4g}", properties.*column.number)
                                                 : verbs::property_text(column, properties));
    row.orders.push_back(column.number != nullptr  ? properties.*column.number
                         : column.count != nullptr ? static_cast<double>(properties.*column.count)
                                                   : static_cast<double>((properties.*column.alerts).size()));
  }
}

/// Returns the number at the start of a text, or NaN if there is none.
double leading_number(const std::string& text) {
  double number = domain::kNoNumber;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::vector<std::size_t> page_order(const std::vector<domain::Judgement>& judgements,
                                    std::span<const float> scores, std::size_t most) {
  constexpr std::array<int, 4> kRank = {2, 1, 0, 3};  // rank of each verdict
  const auto comes_first = [&](std::size_t one, std::size_t other) {
    const int rank = kRank[static_cast<std::size_t>(judgements[one].verdict)],
              other_rank = kRank[static_cast<std::size_t>(judgements[other].verdict)];
    if (rank != other_rank) {
      return rank < other_rank;
    }
    return rank < 3 && scores[one] != scores[other] ? scores[one] > scores[other] : one < other;
  };
  std::vector<std::size_t> order(judgements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(order.size(), most);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    comes_first);
  order.resize(count);
  order.shrink_to_fit();
  return order;
}

std::array<std::size_t, 4> count_verdicts(const std::vector<domain::Judgement>& judgements) {
  std::array<std::size_t, 4> counts{};
  for (const domain::Judgement& judgement : judgements) {
    ++counts[static_cast<std::size_t>(judgement.verdict)];
  }
  return counts;
}

report::PageWords words_of_distances(const domain::SavedDomain& saved) {
  const std::string neighbour_meaning =
      domain::reads_environments_alone(saved.settings.method)
          ? "1 - Tanimoto similarity of the candidate and the training molecule."
          : "Cosine distance of the features of the candidate and the training molecule. 0: the same "
            "features. "
            "1: unrelated features. It has another scale than the distance of the candidate.";
  const std::size_t held_out = saved.domain->calibration().left_out.size();
  const std::size_t scaffold = saved.domain->calibration().scaffold.size();
  return {
      .score = {"distance",
                fmt::format("Distance of the candidate to the training set (method {}). Larger values "
                            "mean a less familiar molecule. The distance has no unit. The percentage "
                            "compares it with training molecules that were left out one by one.",
                            to_string(saved.settings.method))},
      .p_meaning = fmt::format(
          "Probability that a molecule like the training molecules is at least as far away. It assumes that "
          "such a molecule comes from the same distribution as the training molecules. Small values mean an "
          "unfamiliar molecule. The p-value decides the verdict. It is estimated from {} left-out training "
          "molecules. Values below {:.2g} are extrapolated. Training molecules have the p-value 1.",
          held_out, 1 / (static_cast<double>(held_out) + 1)),
      .q_meaning =
          "p-value corrected for the number of candidates (Benjamini and Hochberg). If you select "
          "all candidates up to a q-value of 0.1, on average at most 10 % of them are false "
          "alarms. This assumes that the p-values are right. The q-value does not decide the verdict.",
      .p_scaffold_meaning =
          scaffold == 0
              ? ""
              : fmt::format("Probability that a molecule with a new scaffold is at least as far away. "
                            "It assumes new scaffolds of the same chemistry, like {} training "
                            "molecules whose scaffolds were left out. If the p-value is small and this "
                            "number is large, the molecule has a new scaffold but familiar chemistry. "
                            "This number does not decide the verdict.",
                            scaffold),
      .neighbour_meaning = neighbour_meaning,
      .percentile = "farther than {} of the left-out training molecules",
      .title = "Distance to the training molecules",
      .axis = "distance to the training molecules",
      .held_out = "training, left out one by one",
      .second_held_out = "training, left out by scaffold",
      .caption =
          "Each curve shows the share of its group in each bin. Candidates to the right of the left-out "
          "training molecules are unfamiliar. The last bin also contains all larger distances.",
      .candidates =
          "The farthest candidates come first. Choose another order above the list. Coloured atoms have "
          "surroundings that no training molecule contains. Each candidate is shown with its nearest "
          "training "
          "molecules."};
}

std::string meaning_of(const domain::Levels& levels) {
  return fmt::format(
      "Outside: at most {:g} % of the left-out training molecules are as far from the others (p <= {:g}). "
      "Borderline: at most {:g} % are (p <= {:g}). A verdict depends only on the molecule and the training "
      "set. It does not say whether a prediction is right.",
      100 * levels.outside, levels.outside, 100 * levels.borderline, levels.borderline);
}

DomainPageRows::DomainPageRows(const domain::SavedDomain& saved, const ops::PrincipalMap& map,
                               std::size_t rows, report::DomainPage& page)
    : saved_(saved), page_(page), drawn_from_(rows) {
  page_.rows.resize(rows);
  page_.held_out = saved.domain->calibration().left_out;
  page_.second_held_out = saved.domain->calibration().scaffold;
  page_.map_shares = map.shares;
  page_.curve = saved.curve;
  page_.value_name = saved.values.empty() && saved.curve.empty() ? "" : saved.value_name;
  if (!saved.curve.empty()) {
    page_.facts.push_back(
        {"expected error",
         fmt::format("{} of a simple model for {} at this distance, on average over training molecules in a "
                     "cross-validation. "
                     "The section Prediction error by distance describes the model. It is not the error of "
                     "your own model.",
                     saved.curve.is_classification() ? "Error rate" : "Mean absolute error",
                     saved.value_name)});
    page_.orders.emplace_back("expected error");
  }
  const domain::Molecules& training = saved.domain->training();
  const std::size_t step = (training.size() + kPlacesOnMap - 1) / kPlacesOnMap;
  for (std::size_t i = 0; i < training.size(); i += step) {
    page_.training_places.push_back({map.place(training.row(i)), listed(i)});
  }
}

std::size_t DomainPageRows::listed(std::size_t molecule) {
  const auto [known, is_new] = training_places_.try_emplace(molecule, page_.training.size());
  if (is_new) {
    report::TrainingMolecule& added = page_.training.emplace_back();
    added.name = saved_.notes.names[molecule];
    added.smiles = saved_.notes.smiles[molecule];
    if (!saved_.values.empty()) {
      added.value = saved_.values[molecule];
    }
    is_neighbour_.push_back(false);
  }
  return known->second;
}

void DomainPageRows::show_predictions(const domain::PredictionCalibration& calibration) {
  if (shows_error_curve()) {  // each card shows one expected error
    page_.facts.clear();
    page_.orders.clear();
  }
  page_.predictions = &calibration;
  page_.rules = domain::DecisionRules(calibration);
  page_.orders = prediction_order_names(calibration);
  const std::vector<report::Term> terms = prediction_terms(calibration);
  page_.facts.insert(page_.facts.end(), terms.begin(), terms.end());
  for (const domain::CalibrationMolecule& own : calibration.molecules()) {
    if (own.in_training) {
      predicted_.emplace(own.smiles, own.predicted.value);
    }
  }
}

void DomainPageRows::show_model(const ModelFacts& facts) {
  const std::vector<report::Term> terms = facts.terms();
  page_.facts.insert(page_.facts.end(), terms.begin(), terms.end());
  for (const report::Term& term : terms) {
    page_.orders.push_back(term.name);
  }
  if (const std::string notice = facts.notice(); !notice.empty()) {
    page_.notices.push_back(notice);
  }
}

void DomainPageRows::show_properties() {
  for (const PropertyColumn& column : kPropertyColumns) {
    page_.facts.push_back({column.title, column.meaning});
    page_.orders.emplace_back(column.title);
  }
}

void DomainPageRows::set_facts(const domain::Candidate& candidate,
                               const CandidatePredictions::Judged* prediction,
                               const std::vector<std::string>& model_facts, report::DomainRow& row) const {
  if (!candidate.unreadable.empty()) {
    return;
  }
  if (shows_error_curve()) {
    row.orders = {saved_.curve.expected_error(candidate.score)};
    row.facts = {fmt::format("{:.3g}", row.orders.front())};
  }
  if (prediction != nullptr) {
    row.facts = prediction_facts(*page_.predictions, *prediction);
    row.orders = prediction_orders(*page_.predictions, *prediction);
    row.doubt = row.advice.decision == Decision::check ? prediction->outcome.doubt : "";
  }
  for (const std::string& fact : model_facts) {
    row.facts.push_back(fact);
    row.orders.push_back(leading_number(fact));
  }
}

void DomainPageRows::put(std::size_t place, std::size_t position, std::string name,
                         const chem::MoleculeRecord& record, const domain::Candidate& candidate,
                         const domain::Judgement& judgement, const CandidatePredictions::Judged* prediction,
                         const std::vector<std::string>& model_facts,
                         const verbs::OptionalProperties& properties) {
  drawn_from_[place] = {record.text, record.format == chem::RecordFormat::molblock};
  report::DomainRow& row = page_.rows[place];
  row.molecule = {std::move(name), shown_smiles(record, candidate), ""};
  row.position = position;
  row.verdict = static_cast<std::size_t>(judgement.verdict);
  row.advice = page_.rules.decide(judgement.verdict, prediction == nullptr ? nullptr : &prediction->outcome);
  row.reason = domain_reason(candidate, judgement);
  if (candidate.unreadable.empty()) {
    row.words = foreign_words(candidate, saved_.notes);
  }
  row.p_value = judgement.p_value;
  row.p_new_scaffold = judgement.p_scaffold;
  row.q_value = judgement.q_value;
  row.score = candidate.score;
  row.percentile = domain::percentile(saved_.domain->calibration().left_out, candidate.score);
  row.place = {candidate.place[0], candidate.place[1]};
  row.foreign_atoms = candidate.foreign.atoms;
  set_facts(candidate, prediction, model_facts, row);
  if (properties && candidate.unreadable.empty()) {
    append_properties(*properties, row);
  }
  for (std::size_t i = 0; i < candidate.nearest_count; ++i) {
    const std::size_t place_of_nearest = listed(candidate.nearest[i].molecule);
    is_neighbour_[place_of_nearest] = true;
    if (const auto found = predicted_.find(saved_.notes.canonical_smiles[candidate.nearest[i].molecule]);
        found != predicted_.end()) {
      page_.training[place_of_nearest].prediction = found->second;
    }
    row.nearest.push_back({place_of_nearest, candidate.tanimoto[i], candidate.nearest[i].distance});
  }
}

void DomainPageRows::draw(std::size_t threads) {
  parallel_for(page_.rows.size(), threads, [&](std::size_t i) {
    if (page_.rows[i].verdict != static_cast<std::size_t>(Verdict::unreadable)) {
      page_.rows[i].molecule.layout =
          report::encoded_layout(drawn_from_[i].text, drawn_from_[i].is_mol_block);
    }
  });
  parallel_for(page_.training.size(), threads, [&](std::size_t i) {
    if (is_neighbour_[i]) {
      page_.training[i].layout = report::encoded_layout(page_.training[i].smiles, /*is_mol_block=*/false);
    }
  });
}

void DomainPageRows::draw_contributions(const Contributions& contributions, std::size_t threads) {
  page_.contributed_tasks = contributions.titles();
  page_.words.candidates +=
      " In the second drawing, the colours show how much the parts contribute to a prediction.";
  parallel_for(page_.rows.size(), threads, [&](std::size_t i) {
    throw_if_cancelled();
    if (page_.rows[i].verdict != static_cast<std::size_t>(Verdict::unreadable)) {
      chem::MoleculeRecord record;
      record.text = drawn_from_[i].text;
      record.format = drawn_from_[i].is_mol_block ? chem::RecordFormat::molblock : chem::RecordFormat::smiles;
      page_.rows[i].contributions = contributions.of(record);
    }
  });
}

}  // namespace molgauge::verbs
