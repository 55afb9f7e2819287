#pragma once

#include "headroom/engine.h"

/// The implementations of headroom::Engine's methods, one file for each verb; contracts in
/// include/headroom/engine.h. The verbs that train are in torch_verbs.h.
namespace headroom::verbs {

EncodeReport encode(const EncodeRequest& request);
EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles, std::span<float> rows);
ConformersReport make_conformers(const ConformersRequest& request);
SplitReport split(const SplitRequest& request);
EvaluateReport evaluate(const EvaluateRequest& request);
ScoreReport score(const ScoreRequest& request);
DomainReport judge_domain(const DomainRequest& request);
ReportSummary write_report(const ReportRequest& request);

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request);
SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request);
MemoryExplanation explain_memory(const ExplainMemoryRequest& request);
MemoryDifference diff_memory(const DiffMemoryRequest& request);
MemoryOfRun report_memory(const std::string& run);
WatchedMemory watch_memory(const WatchMemoryRequest& request);

StoreInfo store_info(const std::string& store);
std::size_t store_export(const std::string& store, const std::string& database, const std::string& out);
ImportFeaturesReport store_import(const ImportFeaturesRequest& request);
StoreVerification store_verify(const std::string& store);
std::size_t store_prune(const std::string& store, const std::string& database, bool damaged_only);

std::vector<EncoderInfo> list_encoders();

WeightsInfo install_weights(const InstallWeightsRequest& request);
std::vector<WeightsInfo> list_weights(const std::string& weights);

std::vector<Finding> diagnose();
TryReport try_out(const TryRequest& request);

}  // namespace headroom::verbs
