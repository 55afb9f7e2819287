#pragma once

#include "base/options/option.h"
#include "molgauge/baseline.h"
#include "molgauge/conformers.h"
#include "molgauge/doctor.h"
#include "molgauge/domain.h"
#include "molgauge/encode.h"
#include "molgauge/evaluate.h"
#include "molgauge/experiment.h"
#include "molgauge/memory.h"
#include "molgauge/plan_memory.h"
#include "molgauge/pocket_build.h"
#include "molgauge/pocket_ligands.h"
#include "molgauge/pocket_search.h"
#include "molgauge/pocket_train.h"
#include "molgauge/predict.h"
#include "molgauge/report.h"
#include "molgauge/serve.h"
#include "molgauge/shards.h"
#include "molgauge/split.h"
#include "molgauge/store.h"
#include "molgauge/train.h"

/// The option tables, one for each request. BenchmarkDraw has its own table, because it is a part of several
/// requests and of the [matrix] section of a specification.
namespace molgauge::options {

template <typename Request>
std::span<const Option> table();

template <>
std::span<const Option> table<EncodeRequest>();
template <>
std::span<const Option> table<VerifyShardsRequest>();
template <>
std::span<const Option> table<JoinShardsRequest>();
template <>
std::span<const Option> table<ConformersRequest>();
template <>
std::span<const Option> table<TryRequest>();
template <>
std::span<const Option> table<SplitRequest>();
template <>
std::span<const Option> table<DomainRequest>();
template <>
std::span<const Option> table<TrainRequest>();
template <>
std::span<const Option> table<EvaluateRequest>();
template <>
std::span<const Option> table<ScoreRequest>();
template <>
std::span<const Option> table<PredictRequest>();
template <>
std::span<const Option> table<BaselineRequest>();
template <>
std::span<const Option> table<ExperimentRequest>();
template <>
std::span<const Option> table<PocketBuildRequest>();
template <>
std::span<const Option> table<PocketLigandsRequest>();
template <>
std::span<const Option> table<PocketTrainRequest>();
template <>
std::span<const Option> table<PocketEmbedRequest>();
template <>
std::span<const Option> table<PocketSearchRequest>();
template <>
std::span<const Option> table<PocketEvaluateRequest>();
template <>
std::span<const Option> table<ReportRequest>();
template <>
std::span<const Option> table<ServeRequest>();
template <>
std::span<const Option> table<ImportFeaturesRequest>();
template <>
std::span<const Option> table<StoreRequest>();
template <>
std::span<const Option> table<VerifyStoreRequest>();
template <>
std::span<const Option> table<ExportStoreRequest>();
template <>
std::span<const Option> table<PruneStoreRequest>();
template <>
std::span<const Option> table<PlanMemoryRequest>();
template <>
std::span<const Option> table<SimulateMemoryRequest>();
template <>
std::span<const Option> table<ExplainMemoryRequest>();
template <>
std::span<const Option> table<DiffMemoryRequest>();
template <>
std::span<const Option> table<ReportMemoryRequest>();
template <>
std::span<const Option> table<WatchMemoryRequest>();
template <>
std::span<const Option> table<WeightsRequest>();
template <>
std::span<const Option> table<InstallWeightsRequest>();
template <>
std::span<const Option> table<InitWeightsRequest>();
template <>
std::span<const Option> table<BenchmarkDraw>();

template <typename Request>
View view(const Request& request) {
  return {table<Request>(), &request};
}

template <typename Request>
MutableView mutable_view(Request& request) {
  return {table<Request>(), &request};
}

}  // namespace molgauge::options
