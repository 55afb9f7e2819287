// `molgauge evaluate`: tests the best model of a run on test molecules.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/call_outputs.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/files/path_identity.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/session/log.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/folders.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/find_benchmark.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/datasets/trained_molecules.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/ood/head/evaluation.h"
#include "molecules/ood/run/python_run.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/seeds.h"
#include "molecules/ood/run/validation_test_gap.h"
#include "molecules/verbs/score/head_scorer.h"
#include "molecules/verbs/shared_fields.h"
#include "molecules/verbs/train/encoded_sides.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

/// Bytes of each molecule without its features. They hold its SMILES, a second SMILES in the results, its key
/// and position, its energy, and the sorted numbers of the metrics.
constexpr std::uint64_t kBytesOfSideMolecule = 400;

/// The test molecules, and the number of molecules that they share with the training.
struct TestMolecules {
  datasets::OodTest sides;
  std::optional<std::size_t> shared;  ///< number of accepted shared molecules, if it is known
};

/// Returns all test molecules of another benchmark.
TestMolecules other_molecules(const std::string& file, const EvaluateRequest& request) {
  TestMolecules test{datasets::load_ood_test(file, request.allow_overlap, request.compute), std::nullopt};
  const auto trained = datasets::read_trained_molecules(request.run);
  if (!trained) {
    log_warning(
        "{}: does not list its training molecules (the Python project or another RDKit wrote it). Molgauge "
        "cannot check whether {} contains some of them",
        request.run, file);
    return test;
  }
  const auto shared = datasets::find_trained_molecules(test.sides, *trained, file);
  datasets::require_accepted(
      shared, request.allow_overlap,
      fmt::format("{}: {} of {} test molecules are training molecules of {}", file, shared.count,
                  test.sides.test_id.size() + test.sides.test_ood.size(), request.run),
      "Remove them from the file");
  test.shared = shared.count + test.sides.shared_molecules;
  return test;
}

/// Returns the test molecules of the run. They are drawn in the same way as for its training.
TestMolecules own_molecules(const ood::RunConfig& config, const std::string& file,
                            const EvaluateRequest& request) {
  const TrainRequest& trained = config.request;
  TrainRequest own = trained;
  own.benchmark = file;
  if (const auto cache = ood::find_file_of_run(request.run, own.splits_cache, config.splits_cache_path, "")) {
    own.splits_cache = cache->string();
  }
  own.allow_overlap = trained.allow_overlap || request.allow_overlap;
  auto benchmark = datasets::benchmark_molecules(own, request.compute);
  return {{std::move(benchmark.test_id), std::move(benchmark.test_ood), std::move(benchmark.failed_test), 0},
          benchmark.shared_molecules};
}

/// Returns the file with the test molecules. A run of the Python project stores the path of its benchmark at
/// the time of the training.
std::string benchmark_file(const EvaluateRequest& request, const session::TrainedRun& run) {
  const std::string& name = request.data.empty() ? run.request().benchmark : request.data;
  if (name.empty()) {
    throw UsageError(request.run + ": does not name its training molecules. Name a benchmark with --data");
  }
  if (request.data.empty()) {
    const ood::RunConfig& config = run.config();
    const auto known =
        ood::find_file_of_run(request.run, name, config.benchmark_path, config.benchmark_checksum);
    if (known && (request.data_path.empty() || !config.benchmark_checksum.empty())) {
      require_no_output(*known, "the benchmark of " + request.run);
      return known->string();
    }
  }
  // The absolute path is preferred even if the content of the file has changed. Then the checksum test below
  // names the whole path in its message.
  const bool is_known = request.data.empty() && std::filesystem::is_regular_file(run.config().benchmark_path);
  const std::string& named = is_known ? run.config().benchmark_path : name;
  const bool own_folder = run.is_python() && request.data_path.empty();
  const std::string file = datasets::find_benchmark(named, own_folder ? run.data_path() : request.data_path);
  if (request.data.empty() && !run.config().benchmark_checksum.empty() &&
      ood::checksum_of_file(file) != run.config().benchmark_checksum) {
    throw InputError(file + ": is not the benchmark on which " + request.run +
                     " was trained, so its test molecules may contain training molecules. Name the test "
                     "benchmark with --data");
  }
  return file;
}

/// Throws if the memory trace would overwrite the benchmark. The run stores the path of the benchmark.
void require_no_output_is_read(const EvaluateRequest& request) {
  if (request.compute.memory_trace.empty() || !request.data.empty()) {
    return;
  }
  ood::RunConfig config;
  if (const auto python = ood::find_python_run(request.run)) {
    config.request = python->request;
  } else {
    config = ood::read_run_config(request.run);
  }
  const auto require = [&](const std::string& named, const std::string& absolute,
                           const std::string& checksum) {
    if (const auto file = ood::find_file_of_run(request.run, named, absolute, checksum)) {
      require_no_output(*file, "the benchmark of " + request.run);
    }
  };
  require(config.request.benchmark, config.benchmark_path, config.benchmark_checksum);
  require(config.request.splits_cache, config.splits_cache_path, "");
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
  report.shared_molecules = evaluation.shared_molecules;
  report.validation_test_gap = evaluation.gap;
  return report;
}

/// One evaluation of a run.
class Testing {
 public:
  explicit Testing(const EvaluateRequest& request)
      : request_(request),
        device_(runtime::parse_device(request.compute.device)),
        memory_(request.compute, device_),
        run_(request, /*strict=*/false, request.compute, memory_),
        failed_(runtime::store_folder(request.store), pipeline::FailureLog::Order::as_appended) {}

  const session::TrainedRun& run() const { return run_; }
  runtime::BudgetScope& memory() { return memory_; }
  pipeline::FailureLog& failed() { return failed_; }
  std::size_t oom_recoveries() { return run_.session().oom_recoveries(); }

  ood::Evaluation evaluate() {
    const std::string file = benchmark_file(request_, run_);
    TestMolecules test = request_.data.empty() ? own_molecules(run_.config(), file, request_)
                                               : other_molecules(file, request_);
    datasets::OodTest& molecules = test.sides;
    SideEncoder encoder(run_.session(), file);
    encoder.add(Side::test_id, molecules.test_id);
    encoder.add(Side::test_ood, molecules.test_ood);
    const std::size_t rows = molecules.test_id.size() + molecules.test_ood.size();
    const HeadScorer scorer(run_.head(), device_, run_.request().eval_batch_size,
                            runtime::threads_of(request_.compute));
    const std::size_t larger_side = std::max(molecules.test_id.size(), molecules.test_ood.size());
    memory_.declare_requirement(scorer.need(rows, /*rows_at_once=*/larger_side, kBytesOfSideMolecule));
    failed_.append_all(std::exchange(molecules.failed, {}));
    const auto sides = encoder.encode_keys(failed_);
    const auto scores = [&](Side side) { return scorer.score(run_.session().features(sides[side].keys)); };

    memory::Phase phase = memory_.phases().begin("eval");
    ood::Scores id = scores(Side::test_id), ood = scores(Side::test_ood);
    ood::Evaluation evaluation = ood::evaluate_scores(std::move(id), std::move(ood));
    phase.end();
    evaluation.shared_molecules = test.shared;
    evaluation.overlap_accepted =
        request_.allow_overlap || (request_.data.empty() && run_.request().allow_overlap);
    evaluation.id_smiles = sides[Side::test_id].smiles;
    evaluation.ood_smiles = sides[Side::test_ood].smiles;
    if (!run_.is_python()) {
      evaluation.gap = ood::find_gap(request_.run, evaluation.id_scores, evaluation.ood_scores);
    }
    return evaluation;
  }

 private:
  const EvaluateRequest& request_;
  Device device_;
  runtime::BudgetScope memory_;
  session::TrainedRun run_;
  pipeline::FailureLog failed_;
};

void warn_of(const std::optional<ValidationTestGap>& gap, const std::string& run) {
  if (gap && gap->is_large) {
    log_warning("{}: {}", run, ood::gap_warning(*gap));
  }
}

/// Hides log lines of the level info during its lifetime, because the training has already written them.
class WithoutInformation {
 public:
  WithoutInformation() : before_(set_log_level(LogLevel::warning)) {
    set_log_level(std::max(before_, LogLevel::warning));
  }
  ~WithoutInformation() { set_log_level(before_); }
  WithoutInformation(const WithoutInformation&) = delete;
  WithoutInformation& operator=(const WithoutInformation&) = delete;

 private:
  LogLevel before_;
};

/// Throws InputError if the benchmark of a run has changed during its training.
void require_unchanged_benchmark(const std::string& run) {
  const ood::RunConfig config = ood::read_run_config(run);
  if (!config.benchmark_checksum.empty() && std::filesystem::is_regular_file(config.benchmark_path) &&
      ood::checksum_of_file(config.benchmark_path) != config.benchmark_checksum) {
    refuse_changed(config.benchmark_path, "the content");
  }
}

/// Evaluates a run that has just been trained. Returns the gap between its validation AUROC and its test
/// AUROC, and adds the gap to its training statistics. Returns std::nullopt if the test molecules cannot be
/// scored. Throws InputError if the benchmark has changed.
std::optional<ValidationTestGap> gap_of(const TrainRequest& trained, const std::string& run) {
  EvaluateRequest request;
  request.run = run;
  request.store = trained.store;
  request.weights = trained.weights;
  request.conformer_deadline = trained.placement.conformer_deadline;
  request.data_path = trained.data_path;
  request.compute = trained.compute;
  request.compute.memory_trace.clear();
  try {
    const auto gap = [&] {
      const WithoutInformation quieter;
      return Testing(request).evaluate().gap;
    }();
    if (gap) {
      ood::add_gap_to_training_stats(run, *gap);
    }
    return gap;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    require_unchanged_benchmark(run);
    log_info("{}: its test molecules were not scored: {}", run, problem.what());
    return std::nullopt;
  }
}

}  // namespace

EvaluateReport evaluate(const EvaluateRequest& request) {
  require_no_output_is_read(request);
  Testing testing(request);
  const std::string out = request.out.empty() && !testing.run().is_python() ? request.run : request.out;
  if (request.spreadsheet_safe && out.empty()) {
    throw UsageError(
        "--spreadsheet-safe has no effect, because a Python run without --out writes no files. Leave it out, "
        "or add --out");
  }
  if (!out.empty()) {
    require_no_links_out_of(out);
  }
  const ood::Evaluation evaluation = testing.evaluate();
  if (!out.empty()) {
    make_folder(out);
    if (!request.out.empty()) {
      keep_checksums(out);
    }
    memory::RunCost cost = testing.memory().cost();
    cost.batch_size_planned = evaluation.memory.planned;
    cost.batch_size_used = evaluation.memory.used;
    cost.oom_recoveries = testing.oom_recoveries() + evaluation.memory.recoveries;
    ood::write_evaluation(out, evaluation, cost, csv_texts(request.spreadsheet_safe));
  }
  warn_of(evaluation.gap, request.run);
  EvaluateReport report = describe(evaluation);
  runtime::report_failed(testing.failed(), report);
  report.phases = testing.memory().phases().reports();
  return report;
}

void add_test_result(const TrainRequest& request, TrainReport& report) {
  std::vector<ValidationTestGap> gaps;
  const auto add = [&](const std::string& run) {
    if (const auto gap = gap_of(request, run)) {
      gaps.push_back(*gap);
    }
  };
  if (report.seeds.empty()) {
    add(request.run);
  }
  for (const SeedReport& seed : report.seeds) {
    add(ood::seed_folder(request.run, seed.seed).string());
  }
  report.validation_test_gap = gaps.size() == 1 ? gaps.front() : ood::mean_gap(gaps);
  warn_of(report.validation_test_gap, request.run);
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(EvaluateReport, auroc, aupr, fpr95, id_mean_energy, ood_mean_energy, id_std_energy,
                       ood_std_energy, id_count, ood_count, shared_molecules, validation_test_gap,
                       failed_records, failed, phases)

template <>
verbs::Verb verbs::verb<EvaluateRequest>() {
  return budget_row<EvaluateRequest>("evaluate", evaluate);
}

}  // namespace molgauge
