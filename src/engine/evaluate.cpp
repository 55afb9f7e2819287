// `headroom evaluate`: the best model of a run on test molecules.

#include "datasets/load_benchmark.h"
#include "engine/encoded_parts.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "ood/evaluation.h"
#include "ood/run_results.h"
#include "ops/device.h"
#include "ops/device_memory.h"

namespace headroom::verbs {
namespace {

/// The run's own test molecules, drawn as for its training, or all of another benchmark's.
datasets::OodTest test_molecules(const TrainRequest& trained, const std::string& other) {
  if (!other.empty()) {
    return datasets::load_ood_test(other);
  }
  datasets::OodSelection selection;
  selection.data_seed = trained.data_seed;
  selection.train_size = trained.train_size;
  selection.val_size = trained.val_size;
  selection.test_size = trained.test_size;
  auto benchmark = datasets::load_ood_benchmark(trained.benchmark, selection);
  return {std::move(benchmark.test_id), std::move(benchmark.test_ood)};
}

EvaluateReport describe(const ood::Evaluation& evaluation) {
  EvaluateReport report;
  report.auroc = evaluation.metrics.auroc;
  report.aupr = evaluation.metrics.aupr;
  report.fpr95 = evaluation.metrics.fpr95;
  report.id_mean_energy = evaluation.id.mean;
  report.ood_mean_energy = evaluation.ood.mean;
  report.id_std_energy = evaluation.id.standard_deviation;
  report.ood_std_energy = evaluation.ood.standard_deviation;
  report.id_count = evaluation.id_scores.size();
  report.ood_count = evaluation.ood_scores.size();
  return report;
}

}  // namespace

EvaluateReport evaluate(const EvaluateRequest& request) {
  const c10::Device device = ops::parse_device(request.compute.device);
  memory::PhaseRecorder recorder(ops::device_probe(device));
  TrainedRun run(request.run,
                 {.encoder = "",  // the run knows
                  .store = request.store,
                  .weights = request.weights,
                  .compute = request.compute},
                 recorder);
  const auto molecules = test_molecules(run.request(), request.data);
  PartEncoder encoder(run.session(), request.data.empty() ? run.request().benchmark : request.data);
  encoder.add("test_id", molecules.test_id);
  encoder.add("test_ood", molecules.test_ood);
  std::vector<FailedMolecule> failed;
  const auto parts = encoder.encode(failed);

  memory::Phase phase = recorder.begin("eval");
  const std::size_t batch_size = run.request().eval_batch_size;
  ood::Evaluation evaluation =
      ood::evaluate_head(run.head(device), parts[0].to(device), parts[1].to(device), batch_size);
  phase.end();
  evaluation.id_smiles = encoder.smiles()[0];
  evaluation.ood_smiles = encoder.smiles()[1];
  ood::write_evaluation(request.run, evaluation,
                        {.device = device.str(),
                         .phases = recorder.reports(),
                         .batch_size_planned = batch_size,
                         .batch_size_used = batch_size});
  EvaluateReport report = describe(evaluation);
  report.failed = std::move(failed);
  report.phases = recorder.reports();
  return report;
}

}  // namespace headroom::verbs
