// `molgauge memory plan domain`.

#include "molecules/verbs/domain/domain_plan.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/calibration_split.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/domain_phases.h"
#include "molecules/verbs/domain/model_predictions.h"
#include "molecules/verbs/predict/predict_with.h"
#include "molecules/verbs/predict/prediction_table.h"

namespace molgauge::verbs {
namespace {

/// Returns the plan of the comparison. There is only one execution strategy. It compares the blocks one at a
/// time and then writes the page.
MemoryPlan plan_of_comparing(const DomainSizes& sizes, const runtime::MemoryRequirement& need,
                             runtime::BudgetScope& memory) {
  const std::uint64_t room = memory.room().host;
  MemoryPlan plan;
  plan.work = need.what;
  plan.items_name = "candidates";
  plan.items = sizes.candidates;
  plan.budget_bytes = room;
  plan.free_bytes = room;
  plan.smallest_budget_bytes = need.host_bytes;
  plan.used_share =
      static_cast<double>(need.host_bytes) / static_cast<double>(std::max<std::uint64_t>(1, room));
  plan.limited_by = fmt::format("blocks of {} candidates", kCandidatesAtOnce);
  const std::uint64_t all = bytes_of_candidates(sizes.candidates);
  plan.contributions = {{"training molecules", sizes.training.bytes},
                        {"all candidates", all},
                        {"a block of molecules, later the page",
                         need.host_bytes - session::kLeftByEncoding - sizes.training.bytes - all},
                        {"left by encoding", session::kLeftByEncoding}};
  memory::sort_contributions(plan.contributions);
  const bool fits = need.host_bytes <= room;
  PlannedAlternative& strategy = plan.alternatives.emplace_back();
  strategy.settings = "in blocks";
  strategy.batch_items = std::min(sizes.candidates, kCandidatesAtOnce);
  strategy.batches = (sizes.candidates + kCandidatesAtOnce - 1) / kCandidatesAtOnce;
  strategy.projected_bytes = need.host_bytes;
  strategy.fits = fits;
  strategy.relative_time = 1;
  strategy.remark =
      fits ? "chosen" : "needs " + format_bytes(need.host_bytes - room) + " more than the budget";
  if (fits) {
    plan.chosen = 0;
  }
  plan.notes.push_back(session::budget_note(memory, memory.room()));
  return plan;
}

std::unique_ptr<encoders::Encoder> encoder_to_plan(const domain::FeatureSource& source,
                                                   const DomainRequest& request) {
  if (source.encoder != session::kChemprop) {
    return session::encoder_to_plan_with(source.encoder, request.weights, request.compute, source.placement);
  }
  session::require_chemprop_options(source.tuned, request.compute);
  return session::make_chemprop_encoder(*source.models, encoders::chemprop::RowContent::fingerprints);
}

/// Returns the plans for predicting the calibration molecules and the candidates, which happens before the
/// domain is computed. Empty without a chemprop model.
std::vector<MemoryPlan> plan_predicting(const domain::FeatureSource& source, const DomainRequest& request,
                                        const domain::SavedDomain* saved) {
  std::vector<MemoryPlan> plans;
  if (source.models == nullptr) {
    return plans;
  }
  session::require_chemprop_options(source.tuned, request.compute);
  const auto plan = [&](const std::string& file, const std::string& smiles_column, const char* which) {
    PredictRequest predicting;
    predicting.molecules = file;
    predicting.smiles_column = smiles_column;
    predicting.out = "the predictions";
    predicting.standardize = predicted_form(request, saved);
    predicting.compute = request.compute;
    std::vector<MemoryPlan> own =
        verbs::plan_predict_with(predicting, *source.models, /*marks_parents=*/false, which);
    plans.insert(plans.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  };
  if (!request.calibration.empty()) {
    plan(request.calibration, request.training_smiles_column, ", the calibration molecules");
  }
  plan(request.candidates, request.smiles_column, ", the candidates");
  return plans;
}

/// Sets smallest_process_budget_bytes of every plan to the largest value, because all phases run in one
/// process.
void use_largest_budget(std::vector<MemoryPlan>& plans) {
  std::uint64_t largest = 0;
  for (const MemoryPlan& plan : plans) {
    largest = std::max(largest, plan.smallest_process_budget_bytes);
  }
  for (MemoryPlan& plan : plans) {
    plan.smallest_process_budget_bytes = largest;
  }
}

}  // namespace

std::vector<MemoryPlan> plan_domain(const DomainRequest& given) {
  const CalibrationSplit split(given);
  const DomainRequest request = split.applied_to(given);
  const std::size_t threads = runtime::threads_of(request.compute);
  std::optional<domain::SavedDomain> saved;
  if (domain::is_saved_domain(request.training)) {
    saved = domain::load_domain(request.training, threads);
  }
  const domain::FeatureSource source = saved ? saved->source : source_of(request);
  std::vector<MemoryPlan> predicting = plan_predicting(source, request, saved ? &*saved : nullptr);
  runtime::BudgetScope memory(request.compute, Device{});
  const auto encoder = encoder_to_plan(source, request);
  const DomainPhases phases = phases_of(
      request,
      {.saved = saved ? &*saved : nullptr,
       .method = saved ? saved->settings.method : request.method.value_or(DomainMethod::combined),
       .mode = (saved ? saved->standardize : standardize_of(request)).mode,
       .width = encoder->width(),
       .added_columns =
           source.models == nullptr ? 0 : verbs::PredictionTable(*source.models, {}).columns().size(),
       .threads = threads},
      session::require_molecules);
  std::vector<MemoryPlan> plans;
  for (const DomainPhases::Encoding& encoding : phases.encodings) {
    plans.push_back(session::plan_encoding_phase(*encoder, encoding.molecules, memory, request.compute,
                                                 /*batch_atoms=*/0, {.bytes_beside = encoding.bytes_beside}));
    plans.back().work += encoding.which;
  }
  runtime::MemoryRequirement need = need_of_domain(phases.sizes);
  plans.push_back(plan_of_comparing(phases.sizes, need, memory));
  memory.declare_requirement(std::move(need));
  plans = session::with_total_budget(std::move(plans), memory);
  for (MemoryPlan& plan : plans) {
    plan.smallest_process_budget_bytes += predicting.empty() ? 0 : kLeftByPredicting;
  }
  plans.insert(plans.begin(), std::make_move_iterator(predicting.begin()),
               std::make_move_iterator(predicting.end()));
  use_largest_budget(plans);
  return plans;
}

}  // namespace molgauge::verbs
