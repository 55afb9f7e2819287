#include "session/training/held_out_scores.h"

#include "ood/run_results.h"
#include "ood/tensor_scoring.h"
#include "ood/validation_scores.h"

namespace headroom::session {

void keep_validation_scores(const std::filesystem::path& run, const ood::TrainingData& data,
                            std::size_t batch_size) {
  ood::EnergyHead head(ood::load_best_model(run, static_cast<std::size_t>(data.val_id.size(1))));
  head.to(data.val_id.device());
  ood::Evaluation evaluation = ood::evaluate_head(head, data.val_id, data.val_ood, batch_size);
  ood::write_validation_scores(
      run, ood::calibrate(std::move(evaluation.id_scores), std::move(evaluation.ood_scores)),
      ood::identity_of_best_model(run));
}

}  // namespace headroom::session
