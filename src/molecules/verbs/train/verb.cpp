// `molgauge train`, which libmolgauge_torch.so runs, and the test after it.

#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/verbs/shared_fields.h"
#include "molecules/verbs/verbs.h"

namespace molgauge {

namespace {

TrainReport train_and_evaluate(const TrainRequest& request) {
  const TrainRequest chosen = runtime::apply_conservative(request);
  TrainReport report = runtime::torch_part<session::MoleculeTorch>().train(chosen);
  runtime::with_budget_errors([&] { verbs::add_test_result(chosen, report); });
  return report;
}

}  // namespace

MOLGAUGE_REPORT_FIELDS(SeedReport, seed, epochs_run, best_epoch, best_auroc)
MOLGAUGE_REPORT_FIELDS(TrainReport, epochs_run, best_epoch, best_auroc, validation_test_gap, seeds,
                       stopped_early, resumed, failed_records, failed, oom_recoveries, batch_size_planned,
                       batch_size_used, phases)

template <>
verbs::Verb verbs::verb<TrainRequest>() {
  return planned<TrainRequest>(row<TrainRequest>("train", train_and_evaluate),
                               plan_with_torch<session::MoleculeTorch, TrainRequest>);
}

}  // namespace molgauge
