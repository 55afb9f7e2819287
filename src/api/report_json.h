#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molgauge/engine.h"

/// Reports as JSON, for programs in other languages (docs/reference/formats.md). Keys are the names of the
/// fields. Numbers that are not finite are null. The content of files that a report names is not included.
namespace molgauge {

nlohmann::json report_json(const BaselineReport& report);
nlohmann::json report_json(const ConformersReport& report);
nlohmann::json report_json(const DomainReport& report);
nlohmann::json report_json(const EncodeReport& report);
nlohmann::json report_json(const EvaluateReport& report);
nlohmann::json report_json(const ExperimentReport& report);
nlohmann::json report_json(const ImportFeaturesReport& report);
nlohmann::json report_json(const MemoryDifference& difference);
nlohmann::json report_json(const MemoryExplanation& explanation);
nlohmann::json report_json(const PocketLigandsReport& report);
nlohmann::json report_json(const PocketBuildReport& report);
nlohmann::json report_json(const PocketEmbedReport& report);
nlohmann::json report_json(const PocketEvaluateReport& report);
nlohmann::json report_json(const PocketSearchReport& report);
nlohmann::json report_json(const PocketTrainReport& report);
nlohmann::json report_json(const PredictReport& report);
nlohmann::json report_json(const ReportSummary& report);
nlohmann::json report_json(const ScoreReport& report);
nlohmann::json report_json(const JoinShardsReport& report);
nlohmann::json report_json(const ShardsVerification& verification);
nlohmann::json report_json(const SimulateMemoryReport& report);
nlohmann::json report_json(const SplitReport& report);
nlohmann::json report_json(const StoreInfo& info);
nlohmann::json report_json(const StoreRows& rows);
nlohmann::json report_json(const StoreVerification& verification);
nlohmann::json report_json(const TrainReport& report);
nlohmann::json report_json(const WeightsInfo& weights);
nlohmann::json report_json(const std::vector<EncoderInfo>& encoders);
nlohmann::json report_json(const std::vector<WeightsInfo>& installed);

}  // namespace molgauge
