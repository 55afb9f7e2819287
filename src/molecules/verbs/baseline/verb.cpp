// `molgauge baseline`, which libmolgauge_torch.so runs.

#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/molecule_torch.h"

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(ClassifierReport, objective, selection, best_selection, best_epoch, epochs_run,
                       stopped_early, collapsed, seconds, oom_recoveries)
MOLGAUGE_REPORT_FIELDS(BaselineResult, method, auroc, aupr, fpr95, validation_auroc, id_scores_mean,
                       id_scores_std, ood_scores_mean, ood_scores_std, id_count, ood_count, fit_seconds,
                       score_seconds, classifier_collapsed, shared_molecules, overlap_accepted, resumed)
MOLGAUGE_REPORT_FIELDS(BaselineReport, classifiers, results, failed_records, failed, oom_recoveries, phases)

template <>
verbs::Verb verbs::verb<BaselineRequest>() {
  return planned<BaselineRequest>(torch_row<BaselineRequest>("baseline", &session::MoleculeTorch::baseline),
                                  plan_with_torch<session::MoleculeTorch, BaselineRequest>);
}

}  // namespace molgauge
