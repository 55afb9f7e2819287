#include "molecules/pages/scaffold_scores.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"
#include "molecules/pages/predictions.h"

namespace molgauge::report {
namespace {

/// Scaffolds by SMILES, computed once. All runs on a benchmark have the same test molecules.
class Scaffolds {
 public:
  std::vector<std::string> of(const std::vector<std::string>& molecules) {
    std::vector<std::string> scaffolds;
    scaffolds.reserve(molecules.size());
    for (const std::string& smiles : molecules) {
      const auto [place, is_new] = known_.try_emplace(smiles);
      if (is_new) {
        place->second = find(smiles);
      }
      scaffolds.push_back(place->second);
    }
    return scaffolds;
  }

 private:
  static std::string find(const std::string& smiles) {
    chem::MoleculeRecord record;
    record.text = smiles;
    try {
      const chem::Identity identity = chem::identify(record, /*with_scaffold=*/true);
      return identity.scaffold && !identity.scaffold->smiles.empty()
                 ? "scaffold " + identity.scaffold->smiles
                 : "molecule " + identity.canonical_smiles;
    } catch (const chem::InvalidMolecule&) {
      return "text " + smiles;
    }
  }

  std::unordered_map<std::string, std::string> known_;
};

}  // namespace

matrix::ReadTestScores scaffold_scores(const std::filesystem::path& folder) {
  return [folder, scaffolds = std::make_shared<Scaffolds>(), is_first = std::make_shared<bool>(true)](
             const matrix::Cell& cell) -> std::optional<matrix::TestScores> {
    try {
      Predictions predictions = read_predictions(folder / cell.folder() / "detailed_predictions.csv");
      return matrix::TestScores{std::move(predictions.id_scores), std::move(predictions.ood_scores),
                                scaffolds->of(predictions.id_smiles), scaffolds->of(predictions.ood_smiles)};
    } catch (const Error& problem) {
      if (std::exchange(*is_first, false)) {
        log_warning("{}. The comparison over test molecules leaves out runs with such files", problem.what());
      }
      return std::nullopt;
    }
  };
}

}  // namespace molgauge::report
