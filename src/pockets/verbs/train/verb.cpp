// `molgauge pocket train`, which libmolgauge_torch.so runs.

#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "pockets/verbs/pocket_torch.h"

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(PocketTrainReport, train, validation, test, left_out, epochs_run, best_epoch,
                       best_validation_loss, best_validation_cosine, stopped_early, resumed, oom_recoveries,
                       seconds, rank, processes, phases)

template <>
verbs::Verb verbs::verb<PocketTrainRequest>() {
  return planned<PocketTrainRequest>(torch_row<PocketTrainRequest>("pocket_train", &PocketTorch::train),
                                     plan_with_torch<PocketTorch, PocketTrainRequest>);
}

}  // namespace molgauge
