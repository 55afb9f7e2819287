// `molgauge experiment`, which libmolgauge_torch.so runs.

#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/molecule_torch.h"

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(MeanAndDeviation, mean, standard_deviation)
MOLGAUGE_REPORT_FIELDS(ExperimentRow, benchmark, encoder, variant, runs, failed, auroc, aupr, fpr95,
                       validation_auroc)
MOLGAUGE_REPORT_FIELDS(ExperimentReport, runs, computed, failed, over_budget, rows, failed_records,
                       failed_molecules, phases)

template <>
verbs::Verb verbs::verb<ExperimentRequest>() {
  return torch_row<ExperimentRequest>("experiment", &session::MoleculeTorch::run_experiment);
}

}  // namespace molgauge
