#include "molecules/verbs/experiment/hard_pair_validation.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/ood/losses/hard_pairs.h"
#include "molecules/pages/predictions.h"

namespace molgauge::verbs {
void require_weighed_pairs(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                           const CellKinds& kinds) {
  const auto weighs = [&](const matrix::Cell& cell) {
    return kinds.of(cell).pair_beta(spec, cell).has_value();
  };
  if (spec.hard_pairs && std::none_of(cells.begin(), cells.end(), weighs)) {
    throw InputError(
        fmt::format("{}:{}: [hard-pairs] has no effect, because no method is an energy head with loss = "
                    "\"dpo\". Remove it, or add such a method",
                    spec.file, spec.hard_pairs->line));
  }
}

void validate_hard_pairs(const experiment::Spec& spec, const std::vector<matrix::CellOutcome>& outcomes,
                         const CellKinds& kinds, const std::filesystem::path& folder) {
  if (!spec.hard_pairs) {
    return;
  }
  for (const auto& [cell, ended, found] : outcomes) {
    const auto beta = ended.result ? kinds.of(cell).pair_beta(spec, cell) : std::nullopt;
    if (beta) {
      const auto run = folder / cell.folder();
      const auto energies = report::read_predictions(run / "detailed_predictions.csv");
      ood::write_hard_pairs(run, ood::validate_hard_pairs(energies.id_scores, energies.ood_scores, *beta,
                                                          spec.hard_pairs->pairs, cell.seed));
    }
  }
}

}  // namespace molgauge::verbs
