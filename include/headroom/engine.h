#pragma once

#include <span>
#include <string>
#include <vector>

#include "headroom/at_hand.h"
#include "headroom/baseline.h"
#include "headroom/conformers.h"
#include "headroom/doctor.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/encoders.h"
#include "headroom/evaluate.h"
#include "headroom/experiment.h"
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

/// Everything Headroom does, one method a verb. The one implementation lives in libheadroom.so, which pulls
/// in RDKit, and LibTorch where something is trained or a GPU is used. Programs link it, open a session
/// (headroom/session.h) and call engine(); the command line loads it when a verb computes.
///
/// Contract of every method: throws headroom::Error (headroom/error.h) whose text names file, line and fix
/// and whose code() is the exit code; finished work is on disk before a method returns or throws. Methods may
/// be called from several threads: a call uses all the threads it is given, and the next one waits for its
/// end.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual EncodeReport encode(const EncodeRequest& request) = 0;
  /// Encodes molecules in memory: row i of `rows` (row-major, [smiles.size(), width of the encoder])
  /// becomes the features of smiles[i], all NaN where it failed. The request names neither molecules nor out.
  virtual EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                              std::span<float> rows) = 0;
  /// The shards that encode() has written by EncodeRequest::shard.
  virtual ShardsVerification verify_shards(const VerifyShardsRequest& request) = 0;
  virtual JoinShardsReport join_shards(const JoinShardsRequest& request) = 0;
  virtual ConformersReport make_conformers(const ConformersRequest& request) = 0;
  virtual SplitReport split(const SplitRequest& request) = 0;
  virtual TrainReport train(const TrainRequest& request) = 0;
  virtual EvaluateReport evaluate(const EvaluateRequest& request) = 0;
  virtual ScoreReport score(const ScoreRequest& request) = 0;
  virtual DomainReport judge_domain(const DomainRequest& request) = 0;
  /// Judges molecules in memory by a folder that `headroom domain --save` made, which the request names as
  /// `training`; it names no candidates. The folder and its encoder stay in memory for the next such call.
  /// `predictions`: the outputs of the user's model, one for each molecule, or none. They are judged with the
  /// calibration in the folder. Throws UsageError if the folder has none, and InputError with the number of
  /// the molecule if a prediction is wrong.
  virtual JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles,
                                     std::span<const PredictionAtHand> predictions) = 0;
  JudgedList judge_molecules(const DomainRequest& request, std::span<const std::string> smiles) {
    return judge_molecules(request, smiles, {});
  }
  virtual ExperimentReport run_experiment(const ExperimentRequest& request) = 0;
  virtual BaselineReport baseline(const BaselineRequest& request) = 0;
  virtual PocketBuildReport build_pockets(const PocketBuildRequest& request) = 0;
  virtual PocketLigandsReport make_ligands(const PocketLigandsRequest& request) = 0;
  virtual PocketTrainReport train_pockets(const PocketTrainRequest& request) = 0;
  virtual PocketEmbedReport embed_pockets(const PocketEmbedRequest& request) = 0;
  virtual PocketSearchReport search_ligands(const PocketSearchRequest& request) = 0;
  virtual PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request) = 0;
  virtual ReportSummary write_report(const ReportRequest& request) = 0;
  /// An SVG element for a page, in currentColor on no background, or a mol block. Throws InputError where the
  /// SMILES is no molecule, or one with more than 200 atoms. Does not wait for other calls.
  virtual std::string depict(const DepictRequest& request) = 0;

  /// One plan for each phase: encoding, and training if the request asks for it. Plans that do not fit are
  /// returned, too; their MemoryPlan::chosen is empty.
  virtual std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) = 0;
  virtual SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) = 0;
  virtual MemoryExplanation explain_memory(const ExplainMemoryRequest& request) = 0;
  virtual MemoryDifference diff_memory(const DiffMemoryRequest& request) = 0;
  virtual MemoryOfRun report_memory(const ReportMemoryRequest& request) = 0;
  /// One measurement. Throws InputError when there never was such a process or run.
  virtual WatchedMemory watch_memory(const WatchMemoryRequest& request) = 0;

  virtual StoreInfo store_info(const StoreRequest& request) = 0;
  /// Returns the number of rows written.
  virtual std::size_t store_export(const ExportStoreRequest& request) = 0;
  virtual ImportFeaturesReport store_import(const ImportFeaturesRequest& request) = 0;
  virtual StoreVerification store_verify(const StoreRequest& request) = 0;
  /// Returns the number of rows removed. Throws UsageError where the request names neither.
  virtual std::size_t store_prune(const PruneStoreRequest& request) = 0;

  /// The first encoder is the default of every verb.
  virtual std::vector<EncoderInfo> encoders() = 0;

  virtual WeightsInfo install_weights(const InstallWeightsRequest& request) = 0;
  virtual WeightsInfo init_weights(const InitWeightsRequest& request) = 0;
  virtual std::vector<WeightsInfo> list_weights(const WeightsRequest& request) = 0;

  virtual std::vector<Finding> diagnose() = 0;
  /// What goes wrong is a check that has not passed, except for Interrupted, which is thrown.
  virtual TryReport try_out(const TryRequest& request) = 0;
};

}  // namespace headroom
