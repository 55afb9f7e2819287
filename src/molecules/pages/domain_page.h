#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/page/chart.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/predictions/decision.h"
#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::report {

/// A drawn molecule. `layout` is empty if it cannot be drawn.
struct DrawnMolecule {
  std::string name, smiles;
  std::string layout;  ///< encoded_layout()
};

/// A training molecule that rows or the map refer to.
struct TrainingMolecule : DrawnMolecule {
  /// Measured value. NaN if unknown.
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Prediction of the user's model. NaN if unknown.
  double prediction = std::numeric_limits<double>::quiet_NaN();
};

/// A number on the page and its explanation, which the page shows next to it.
struct Term {
  std::string name;      ///< "p-value"
  std::string meaning;   ///< meaning in one or two sentences
  bool is_shown = true;  ///< for a fact of a row: whether the page shows it until the reader chooses others
};

/// A second drawing of a candidate, which shows how much its parts contribute to predictions.
struct DrawnContributions {
  std::string layout;                       ///< encoded_layout() of the form that is predicted
  std::vector<std::uint16_t> parts;         ///< [atoms] the part of each atom. Empty if there is no drawing
  std::vector<std::vector<float>> changes;  ///< [DomainPage::contributed_tasks][parts]
};

/// A candidate in the list of the page. Unknown numbers are NaN.
struct DomainRow {
  DrawnMolecule molecule;
  std::size_t position = 0;  ///< index in the list of the user
  std::size_t verdict = 0;   ///< 0 inside, 1 borderline, 2 outside, 3 unreadable
  domain::Advice advice;
  std::string reason;  ///< why the molecule has its verdict. Empty if nothing is known
  std::string doubt;   ///< why the prediction is doubtful. Empty if it is not
  double p_value = 0, q_value = 0, score = 0, percentile = 0;
  double p_new_scaffold = std::numeric_limits<double>::quiet_NaN();
  std::array<double, 2> place{};
  std::vector<std::uint16_t> foreign_atoms;
  std::vector<std::string> words;  ///< unfamiliar parts
  /// One text for each entry of DomainPage::facts, or an empty list. The page does not show empty texts.
  std::vector<std::string> facts;
  /// One number for each entry of DomainPage::orders, or an empty list.
  std::vector<double> orders;
  struct Nearest {
    std::size_t molecule = 0;  ///< index in DomainPage::training
    double tanimoto = 0, distance = 0;
  };
  std::vector<Nearest> nearest;
  DrawnContributions contributions;
};

/// The texts of the page about its numbers.
struct PageWords {
  Term score;                             ///< "distance": score of a candidate
  std::string p_meaning, q_meaning;       ///< explanations of the p-value and the q-value
  std::string p_scaffold_meaning;         ///< explanation of the p-value among new scaffolds, or empty
  std::string neighbour_meaning;          ///< explanation of the distance to a nearest training molecule
  std::string percentile;                 ///< "farther than {} of the molecules"; {} is replaced by "95 %"
  std::string title, axis;                ///< title and axis of the histogram
  std::string held_out, second_held_out;  ///< names of the groups in the histogram
  std::string caption;                    ///< caption of the histogram
  std::string candidates;                 ///< text before the list
};

/// A training molecule on the map.
struct MapPoint {
  std::array<double, 2> place{};
  std::size_t molecule = 0;  ///< index in DomainPage::training
};

struct DomainPage {
  std::string title, subtitle;
  PageWords words;
  std::string meaning;                  ///< meaning of the verdicts
  std::vector<std::string> notices;     ///< sentences about the whole list, shown below the counts
  std::array<std::size_t, 4> counts{};  ///< number of candidates for each verdict
  domain::DecisionRules rules;
  domain::DecisionCounts decisions;
  std::vector<float> candidate_scores;    ///< finite scores of candidates
  std::vector<float> held_out;            ///< scores with which candidates are compared
  std::vector<float> second_held_out;     ///< scores of a second group of held-out molecules, or empty
  std::vector<MapPoint> training_places;  ///< if empty, the page has no map
  std::array<double, 2> map_shares{};     ///< share of the variance that each map axis explains
  std::vector<TrainingMolecule> training;
  std::vector<Term> facts;  ///< further numbers of each row (DomainRow::facts)
  /// Names of further numbers by which the reader can order the rows (DomainRow::orders).
  std::vector<std::string> orders;
  /// Names of the tasks to which parts contribute (DomainRow::contributions). Empty without such drawings.
  std::vector<std::string> contributed_tasks;
  std::vector<DomainRow> rows;  ///< rows in the order of the list
  std::size_t rows_left_out = 0;
  domain::LabelCurve curve;
  std::string value_name;  ///< column of the measured values. Empty if no values were given
  /// The calibration of the user's predictions. It must outlive the page. Null if the domain has no
  /// calibration.
  const domain::PredictionCalibration* predictions = nullptr;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// Returns the structure of a SMILES or mol block for page/domain.js, with less than 12 bytes for each atom.
/// Returns an empty text if the molecule cannot be drawn. Thread-safe.
std::string encoded_layout(const std::string& text, bool is_mol_block);

/// Returns a self-contained HTML page. All texts of molecules are escaped.
std::string domain_page(const DomainPage& page);

/// The files page/domain.js and page/domain.css, which the build embeds.
std::string_view domain_page_script();
std::string_view domain_page_style();

}  // namespace molgauge::report
