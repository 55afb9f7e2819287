#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/pages/domain_page.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/domain/contributions.h"
#include "molecules/verbs/domain/model_facts.h"
#include "molecules/verbs/predictions/candidate_predictions.h"

namespace molgauge::verbs {

/// Returns at most `most` rows of a page, farthest first. Unreadable rows come last. `scores`: in the form of
/// judge_list().
std::vector<std::size_t> page_order(const std::vector<domain::Judgement>& judgements,
                                    std::span<const float> scores, std::size_t most);

/// The number of candidates with each verdict, in the order of Verdict.
std::array<std::size_t, 4> count_verdicts(const std::vector<domain::Judgement>& judgements);

/// Returns the texts with which a page explains distances to the training molecules of a saved domain.
report::PageWords words_of_distances(const domain::SavedDomain& saved);
/// Returns the meaning of the verdicts.
std::string meaning_of(const domain::Levels& levels);

/// Fills a page with the results of candidates, compared with the training molecules of a saved domain.
class DomainPageRows {
 public:
  /// Adds the data on the training molecules to the page, and reserves this many rows. All arguments must
  /// outlive the object.
  DomainPageRows(const domain::SavedDomain& saved, const ops::PrincipalMap& map, std::size_t rows,
                 report::DomainPage& page);

  /// Adds the section, the facts and the rules about the user's predictions. The expected errors of the
  /// predictions replace the expected error of the error curve. Training molecules that are also calibration
  /// molecules show their predictions.
  void show_predictions(const domain::PredictionCalibration& calibration);

  /// Adds facts about predictions that are not calibrated. put() then takes one text for each fact.
  void show_model(const ModelFacts& facts);

  /// Adds facts about the properties of the molecules. put() then takes the properties. Call it last.
  void show_properties();

  /// Fills the row at `place`. `position`: index of the candidate in the list of the user. `prediction` is
  /// null unless predictions are shown. draw() draws the structure later.
  void put(std::size_t place, std::size_t position, std::string name, const chem::MoleculeRecord& record,
           const domain::Candidate& candidate, const domain::Judgement& judgement,
           const CandidatePredictions::Judged* prediction = nullptr,
           const std::vector<std::string>& model_facts = {},
           const verbs::OptionalProperties& properties = {});

  /// Draws every molecule of the page.
  void draw(std::size_t threads);

  /// Draws how much the parts of each candidate contribute to predictions.
  void draw_contributions(const Contributions& contributions, std::size_t threads);

 private:
  /// Returns the index in page.training of a training molecule, which is added if it is new.
  std::size_t listed(std::size_t molecule);

  /// Sets the facts of a row, and the numbers by which the page orders rows.
  void set_facts(const domain::Candidate& candidate, const CandidatePredictions::Judged* prediction,
                 const std::vector<std::string>& model_facts, report::DomainRow& row) const;
  bool shows_error_curve() const { return !saved_.curve.empty() && page_.predictions == nullptr; }

  struct DrawnFrom {
    std::string text;
    bool is_mol_block = false;
  };

  const domain::SavedDomain& saved_;
  report::DomainPage& page_;
  std::vector<DrawnFrom> drawn_from_;                             ///< source of the drawing of each row
  std::unordered_map<std::size_t, std::size_t> training_places_;  ///< index in page.training by molecule
  std::unordered_map<std::string, double> predicted_;             ///< predictions by canonical SMILES
  std::vector<bool> is_neighbour_;                                ///< for each index in page.training,
                                                                  ///< whether the molecule is drawn
};

}  // namespace molgauge::verbs
