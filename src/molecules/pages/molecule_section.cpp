#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/page/markup.h"
#include "molecules/chem/depict.h"
#include "molecules/chem/perception.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

constexpr std::size_t kShown = 6;  ///< number of ID molecules, and of OOD molecules
constexpr int kWidth = 240, kHeight = 170;
constexpr std::size_t kLongestSmiles = 120;

/// Indices of the scores that are most wrong: the largest scores if `largest` is set, and the smallest scores
/// otherwise.
std::vector<std::size_t> most_wrong(const std::vector<float>& scores, bool largest) {
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t first, std::size_t second) {
    return largest ? scores[first] > scores[second] : scores[first] < scores[second];
  });
  places.resize(std::min(places.size(), kShown));
  return places;
}

double share_below(const std::vector<float>& scores, float limit) {
  const auto below = std::count_if(scores.begin(), scores.end(), [&](float score) { return score < limit; });
  return static_cast<double>(below) / static_cast<double>(scores.size());
}

std::string drawing_of(const std::string& smiles) {
  chem::MoleculeRecord record;
  record.text = smiles;
  return chem::depict(record, kWidth, kHeight);
}

std::vector<page::Figure> drawn(const std::vector<float>& scores, const std::vector<std::string>& smiles,
                                const std::vector<float>& others, bool id, RunFiles& files) {
  std::vector<page::Figure> figures;
  for (const std::size_t place : most_wrong(scores, id)) {
    const double below = share_below(others, scores[place]);
    const std::string rank = id ? fmt::format("above {:.0f}\u00A0% of the OOD molecules", 100 * below)
                                : fmt::format("below {:.0f}\u00A0% of the ID molecules", 100 * (1 - below));
    try {
      figures.push_back({"",
                         drawing_of(smiles[place]),
                         fmt::format("Score {:.3f}, {}.", scores[place], rank),
                         {},
                         page::shortened(smiles[place], kLongestSmiles)});
    } catch (const chem::InvalidMolecule& problem) {
      files.add_gap(fmt::format("'{}' cannot be drawn: {}.", page::shortened(smiles[place], kLongestSmiles),
                                problem.what()));
    }
  }
  return figures;
}

void add_setting(page::Page& page, RunFiles& files, const Setting& setting, const ComparedMethod& best,
                 const Predictions& predictions) {
  const auto& cell = best.median->cell;
  page.heading(fmt::format("{}: {}, seed {}", setting.name(), display_name(best.summary.variant), cell.seed));
  page.paragraph("In distribution, but with high scores:");
  page.gallery(drawn(predictions.id_scores, predictions.id_smiles, predictions.ood_scores, true, files));
  page.paragraph("Out of distribution, but with low scores:");
  page.gallery(drawn(predictions.ood_scores, predictions.ood_smiles, predictions.id_scores, false, files));
}

}  // namespace

void add_molecules(page::Page& page, RunFiles& files, const std::vector<Setting>& settings) {
  bool begun = false;
  for (const Setting& setting : settings) {
    const auto contenders = drawn_contenders(setting);
    if (contenders.empty()) {
      continue;
    }
    const Predictions* const predictions = files.predictions(contenders.front().median->cell);
    if (predictions == nullptr) {
      continue;
    }
    if (!begun) {
      page.section("Confidently wrong");
      page.paragraph("The largest errors on test molecules of the method with the best mean AUROC.");
      begun = true;
    }
    add_setting(page, files, setting, contenders.front(), *predictions);
  }
}

}  // namespace molgauge::report
