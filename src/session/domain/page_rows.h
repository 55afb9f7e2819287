#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/judge.h"
#include "report/domain_page.h"

namespace headroom::session {

/// The rows of a page, farthest first; those that cannot be read come last. At most `most` of them.
/// `scores`: as judge_list() takes them.
std::vector<std::size_t> page_order(const std::vector<domain::Judgement>& judgements,
                                    std::span<const float> scores, std::size_t most);

/// How many candidates have each verdict, in the order of domain::Verdict.
std::array<std::size_t, 4> count_verdicts(const std::vector<domain::Judgement>& judgements);

/// What the page calls distances to training molecules, and what its verdicts mean at these levels.
report::PageWords words_of_distances();
std::string meaning_of(const domain::Levels& levels);

/// Fills a page with what was found of candidates among the training molecules of a saved domain.
class DomainPageRows {
 public:
  /// Adds what the page shows of the training molecules, and makes room for so many rows. All arguments
  /// outlive the object.
  DomainPageRows(const domain::SavedDomain& saved, const domain::PrincipalMap& map, std::size_t rows,
                 report::DomainPage& page);

  /// The row at `place`; its structure is drawn from the record later.
  void put(std::size_t place, std::string name, const chem::MoleculeRecord& record,
           const domain::Candidate& candidate, const domain::Judgement& judgement);

  /// Draws every molecule of the page.
  void draw(std::size_t threads);

 private:
  struct DrawnFrom {
    std::string text;
    bool is_mol_block = false;
  };

  const domain::SavedDomain& saved_;
  report::DomainPage& page_;
  std::vector<DrawnFrom> drawn_from_;                             ///< of each row
  std::unordered_map<std::size_t, std::size_t> training_places_;  ///< of molecules within page.training
};

}  // namespace headroom::session
