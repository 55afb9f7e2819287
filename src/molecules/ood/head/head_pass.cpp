#include "molecules/ood/head/head_pass.h"

#include <algorithm>

namespace molgauge::ood {

HeadPass::HeadPass(const EnergyHead& head, const at::Tensor& features, const DropoutMasks& masks,
                   const train::PassPlan& plan)
    : pass_(
          head.parameters(), features.size(0), features.device(),
          [features, masks, precision = plan.precision](const std::vector<train::Parameter>& parameters,
                                                        const train::RowRange& rows) {
            return head_energies(parameters, rows.of(features), {rows.of(masks.first), rows.of(masks.second)},
                                 precision);
          },
          plan) {}

train::PassRows pass_rows(const EnergyHead& head, std::int64_t rows, std::size_t threads) {
  return {.width = head.feature_width(),
          .rows = rows,
          .device = head.parameters()[0].value.device(),
          .threads = std::max<std::size_t>(1, threads)};
}

}  // namespace molgauge::ood
