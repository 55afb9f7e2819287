#pragma once

#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "headroom/baseline.h"
#include "headroom/conformers.h"
#include "headroom/doctor.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/encoders.h"
#include "headroom/evaluate.h"
#include "headroom/experiment.h"
#include "headroom/in_memory.h"
#include "headroom/memory.h"
#include "headroom/memory_plan.h"
#include "headroom/plan_memory.h"
#include "headroom/pocket_build.h"
#include "headroom/pocket_ligands.h"
#include "headroom/pocket_search.h"
#include "headroom/pocket_train.h"
#include "headroom/report.h"
#include "headroom/session.h"
#include "headroom/shards.h"
#include "headroom/split.h"
#include "headroom/store.h"
#include "headroom/train.h"

namespace headroom {

/// Runs the verbs of Headroom. The implementation is in libheadroom.so, which needs RDKit, and LibTorch for
/// training and for GPUs. A program links it, opens a session (headroom/session.h) and calls engine(). The
/// command line loads it when a verb computes.
///
/// Every call throws headroom::Error (headroom/error.h). Its text names the file, the line and the remedy,
/// and its code() is the exit code. Finished work is on disk before a call returns or throws. Several threads
/// may call at once. A call uses all its threads, and the next call waits until it ends.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Runs the verb of a request, and returns the report that the request names, for example a TrainReport for
  /// a TrainRequest. The headers of the requests describe the verbs.
  template <typename Request>
  typename Request::Report run(const Request& request) {
    typename Request::Report report{};
    run_verb(typeid(Request), &request, &report);
    return report;
  }

  /// Encodes molecules in memory. Row i of `rows` (row-major, [smiles.size(), width of the encoder]) becomes
  /// the features of smiles[i], or NaN if the molecule failed. The request names neither molecules nor out.
  virtual EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                              std::span<float> rows) = 0;
  /// Judges molecules in memory with a folder of `headroom domain --save`, which the request names as
  /// `training`. The request names no candidates. The folder and its encoder stay in memory for the next such
  /// call. `predictions`: the outputs of the user's model, one for each molecule, or none. They are judged
  /// with the calibration in the folder. Throws UsageError if the folder has none, and InputError with the
  /// number of the molecule if a prediction is wrong.
  virtual JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                                     std::span<const InMemoryPrediction> predictions) = 0;
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles) {
    return judge_molecules(request, smiles, {});
  }
  /// Returns an SVG element for a page, in currentColor without a background, or a mol block. Throws
  /// InputError if the SMILES is invalid or has more than 200 atoms. Does not wait for other calls.
  virtual std::string depict(const DepictRequest& request) = 0;

  // run() under the names of the verbs.
  EncodeReport encode(const EncodeRequest& request) { return run(request); }
  ShardsVerification verify_shards(const VerifyShardsRequest& request) { return run(request); }
  JoinShardsReport join_shards(const JoinShardsRequest& request) { return run(request); }
  ConformersReport make_conformers(const ConformersRequest& request) { return run(request); }
  SplitReport split(const SplitRequest& request) { return run(request); }
  TrainReport train(const TrainRequest& request) { return run(request); }
  EvaluateReport evaluate(const EvaluateRequest& request) { return run(request); }
  ScoreReport score(const ScoreRequest& request) { return run(request); }
  DomainReport judge_domain(const DomainRequest& request) { return run(request); }
  ExperimentReport run_experiment(const ExperimentRequest& request) { return run(request); }
  BaselineReport baseline(const BaselineRequest& request) { return run(request); }
  PocketBuildReport build_pockets(const PocketBuildRequest& request) { return run(request); }
  PocketLigandsReport make_ligands(const PocketLigandsRequest& request) { return run(request); }
  PocketTrainReport train_pockets(const PocketTrainRequest& request) { return run(request); }
  PocketEmbedReport embed_pockets(const PocketEmbedRequest& request) { return run(request); }
  PocketSearchReport search_ligands(const PocketSearchRequest& request) { return run(request); }
  PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request) { return run(request); }
  ReportSummary write_report(const ReportRequest& request) { return run(request); }
  /// Returns one plan for each phase. Plans that do not fit are returned, too. Their MemoryPlan::chosen is
  /// empty.
  std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) { return run(request); }
  SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) { return run(request); }
  MemoryExplanation explain_memory(const ExplainMemoryRequest& request) { return run(request); }
  MemoryDifference diff_memory(const DiffMemoryRequest& request) { return run(request); }
  MemoryOfRun report_memory(const ReportMemoryRequest& request) { return run(request); }
  /// Measures once. Throws InputError if no such process or run existed.
  WatchedMemory watch_memory(const WatchMemoryRequest& request) { return run(request); }
  StoreInfo store_info(const StoreRequest& request) { return run(request); }
  std::size_t store_export(const ExportStoreRequest& request) { return run(request).rows; }
  ImportFeaturesReport store_import(const ImportFeaturesRequest& request) { return run(request); }
  StoreVerification store_verify(const VerifyStoreRequest& request) { return run(request); }
  /// Throws UsageError if the request names neither a database nor damaged rows.
  std::size_t store_prune(const PruneStoreRequest& request) { return run(request).rows; }
  /// The first encoder is the default of every verb.
  std::vector<EncoderInfo> encoders() { return run(ListEncodersRequest{}); }
  WeightsInfo install_weights(const InstallWeightsRequest& request) { return run(request); }
  WeightsInfo init_weights(const InitWeightsRequest& request) { return run(request); }
  std::vector<WeightsInfo> list_weights(const WeightsRequest& request) { return run(request); }
  std::vector<Finding> diagnose() { return run(DiagnoseRequest{}); }
  /// A problem is a check that has not passed. Only Interrupted is thrown.
  TryReport try_out(const TryRequest& request) { return run(request); }

 private:
  /// `request` and `report` point to objects of the request type and of its Report.
  virtual void run_verb(const std::type_info& request_type, const void* request, void* report) = 0;
};

}  // namespace headroom
