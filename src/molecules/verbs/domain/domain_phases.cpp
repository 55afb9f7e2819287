#include "molecules/verbs/domain/domain_phases.h"

#include <algorithm>
#include <utility>

#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/encoding_plan.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/judging/predictions/second_opinion.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/describe/result_table.h"
#include "molecules/verbs/domain/contributions.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molecules/verbs/predictions/prediction_columns.h"

namespace molgauge::verbs {

void add_candidates(const session::MoleculeList& candidates, const DomainSetup& setup,
                    const DomainRequest& request, DomainSizes& sizes) {
  sizes.candidates = candidates.records;
  sizes.page_rows = request.page_rows;
  sizes.width = setup.width;
  sizes.describing_bytes = bytes_of_describing(candidates, setup.threads) +
                           session::bytes_of_standardizing(setup.mode, setup.threads, candidates.records);
  const std::size_t properties = request.describe ? kPropertyColumns.size() : 0;
  sizes.row_bytes =
      bytes_of_candidate_rows(candidates, setup.added_columns + properties) +
      verbs::bytes_of_properties(request.describe, setup.threads) +
      (request.contributions
           ? bytes_of_contributions(std::min(candidates.records, request.page_rows), setup.threads)
           : 0) +
      bytes_of_copies({request.workbook, request.sdf}, candidates.longest_text, setup.threads);
}

DomainPhases phases_of(const DomainRequest& request, const DomainSetup& setup, ListMolecules list) {
  DomainPhases phases;
  TrainingSizes& training = phases.sizes.training;
  const auto sizes_of = [&](const session::MoleculeList& molecules) {
    return training_sizes(molecules, setup.width, setup.method, setup.threads, setup.mode);
  };
  std::size_t values = setup.saved == nullptr ? 0 : setup.saved->values.size();
  if (setup.saved == nullptr) {
    session::MoleculeList molecules =
        list(request.training, request.training_smiles_column, request.name_column);
    training = sizes_of(molecules);
    values = reads_training_values(request) ? molecules.records : 0;
    phases.encodings.push_back({std::move(molecules), ", the training molecules"});
  }
  if (calibrates_predictions(request)) {
    session::MoleculeList molecules = list(calibration_file(request), request.training_smiles_column, "");
    const TrainingSizes calibration = sizes_of(molecules);
    const std::uint64_t beside = bytes_besides_candidates(training);
    const std::uint64_t opinion = values == 0 ? 0 : domain::SecondOpinion::bytes(values, setup.width);
    phases.encodings.push_back({std::move(molecules), ", the calibration molecules", beside + opinion});
    training.bytes += calibration.bytes + opinion;
    training.reading_bytes = std::max(training.reading_bytes, calibration.reading_bytes);
  }
  if (request.candidates.empty()) {
    return phases;
  }
  session::MoleculeList candidates = list(request.candidates, request.smiles_column, "");
  add_candidates(candidates, setup, request, phases.sizes);
  phases.encodings.push_back({std::move(candidates), ", the candidates", bytes_besides_candidates(training)});
  return phases;
}

std::vector<runtime::MemoryRequirement> needs_after_predicting(const DomainRequest& request,
                                                               const domain::FeatureSource& source,
                                                               const domain::SavedDomain* saved) {
  const auto encoder =
      session::make_chemprop_encoder(*source.models, encoders::chemprop::RowContent::fingerprints);
  const runtime::PlanningScope planning;
  session::EncodingModel model(*encoder, session::EncodingModel::Device::cpu);
  const DomainSetup setup{
      .saved = saved,
      .method = saved != nullptr ? saved->settings.method : request.method.value_or(DomainMethod::combined),
      .mode = (saved != nullptr ? saved->standardize : standardize_of(request)).mode,
      .width = encoder->width(),
      .added_columns = verbs::PredictionTable(*source.models, {}).columns().size(),
      .threads = runtime::threads_of(request.compute)};
  const DomainPhases phases = phases_of(request, setup, session::list_molecules);
  std::vector<runtime::MemoryRequirement> needs = {need_of_domain(phases.sizes)};
  for (const DomainPhases::Encoding& encoding : phases.encodings) {
    runtime::MemoryRequirement need = session::EncodingPlanner(model, encoding.molecules)
                                          .smallest_need(session::forced_batch_tokens(request.compute, 0),
                                                         encoding.molecules.records * sizeof(Hash128) +
                                                             session::bytes_of_reading(encoding.molecules));
    need.host_bytes += encoding.bytes_beside;
    needs.push_back(std::move(need));
  }
  return needs;
}

}  // namespace molgauge::verbs
