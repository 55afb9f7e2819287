#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "domain/label_curve.h"
#include "page/chart.h"

namespace headroom::report {

/// A drawn molecule. `layout` is empty where it cannot be drawn.
struct DrawnMolecule {
  std::string name, smiles;
  std::string layout;  ///< encoded_layout()
};

/// A candidate in the table of the page. Unknown numbers are NaN.
struct DomainRow {
  DrawnMolecule molecule;
  std::size_t verdict = 0;  ///< 0 inside, 1 borderline, 2 outside, 3 unreadable
  double p_value = 0, adjusted = 0, score = 0, percentile = 0;
  std::array<double, 2> place{};
  std::vector<std::uint16_t> foreign_atoms;
  std::vector<std::string> words;  ///< foreign parts; for an unreadable record, the reason
  struct Nearest {
    std::size_t molecule = 0;  ///< index in DomainPage::training
    double tanimoto = 0, distance = 0;
  };
  std::vector<Nearest> nearest;
};

/// The page's words for its numbers.
struct PageWords {
  std::string score;                      ///< "distance": score of a candidate
  std::string title, axis;                ///< title and axis of the histogram
  std::string held_out, second_held_out;  ///< groups of the histogram
  std::string reference;                  ///< "farther than 95 % of `reference`"
  std::string caption;                    ///< caption of the histogram
  std::string candidates;                 ///< before the list
};

struct DomainPage {
  std::string title, subtitle;
  PageWords words;
  std::string meaning;                                 ///< meaning of the verdicts
  std::array<std::size_t, 4> counts{};                 ///< by verdict
  std::vector<float> candidate_scores;                 ///< only finite ones
  std::vector<float> held_out;                         ///< scores that candidates are compared with
  std::vector<float> second_held_out;                  ///< another group; may be empty
  std::vector<std::array<double, 2>> training_places;  ///< of some molecules, on the map; empty: no map
  std::array<double, 2> map_shares{};                  ///< shares of the variance
  std::vector<DrawnMolecule> training;                 ///< molecules that rows refer to
  std::vector<DomainRow> rows;                         ///< in the order of the table
  std::size_t rows_left_out = 0;
  domain::LabelCurve curve;
  std::string value_name;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// The structure of a SMILES or mol block as the page's script reads it: less than 12 bytes an atom. Empty
/// where it cannot be drawn. Thread safety: any number of calls at once.
std::string encoded_layout(const std::string& text, bool is_mol_block);

/// One complete HTML file. Texts of molecules are data, never markup.
std::string domain_page(const DomainPage& page);

/// The script of the page, and its part of the style sheet.
std::string_view domain_page_script();
std::string_view domain_page_style();

}  // namespace headroom::report
