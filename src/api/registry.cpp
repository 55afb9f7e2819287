#include "api/registry.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "api/report_json.h"
#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/options/json_request.h"
#include "base/runtime/conservative.h"
#include "base/runtime/out_of_memory.h"
#include "base/runtime/request_checks.h"
#include "memgauge/verbs/verbs.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/pages/report.h"
#include "molecules/verbs/domain/domain_plan.h"
#include "molecules/verbs/verbs.h"
#include "pockets/verbs/pocket_torch.h"
#include "pockets/verbs/report/pocket_report.h"
#include "pockets/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

template <typename Report>
concept HasJson = requires(const Report& report) {
  report_json(report);
};

Verb::Caches release(const void* /*request*/) { return Verb::Caches::released; }
Verb::Caches keep(const void* /*request*/) { return Verb::Caches::kept; }

/// Decides whether the caches stay in memory while a list is scored. They stay for a short list without
/// output files, because a server scores short lists between in-memory calls. A short list needs little
/// memory compared with the cached encoders.
Verb::Caches caches_while_scoring(const void* request) {
  constexpr std::uintmax_t kShort = std::uintmax_t{256} << 10;
  const auto& own = *static_cast<const ScoreRequest*>(request);
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(own.molecules, unknown);
  const bool is_short = own.out.empty() && own.page.empty() && !unknown && bytes <= kShort;
  return is_short ? Verb::Caches::kept : Verb::Caches::released;
}

/// A function that runs a verb. `kept`: as in Verb::run.
template <typename Request>
using Function = std::function<typename Request::Report(const Request&, session::EncoderCache* kept)>;

/// Makes a verb from a function that uses no cached encoders.
template <typename Request>
Function<Request> without_cache(typename Request::Report (*function)(const Request&)) {
  return [function](const Request& request, session::EncoderCache* /*kept*/) { return function(request); };
}

/// Makes a verb without options.
template <typename Request>
Verb unchecked(std::string name, Function<Request> function, decltype(Verb::caches) caches = release) {
  return {std::move(name), typeid(Request), std::move(caches),
          [function = std::move(function)](const void* request, void* report, session::EncoderCache* kept) {
            *static_cast<typename Request::Report*>(report) =
                function(*static_cast<const Request*>(request), kept);
          },
          nullptr};
}

template <typename Request>
Verb checked(std::string name, Function<Request> function, decltype(Verb::caches) caches = release) {
  Verb verb = unchecked<Request>(
      std::move(name),
      [function = std::move(function)](const Request& request, session::EncoderCache* kept) {
        runtime::require_valid(request);
        return function(request, kept);
      },
      std::move(caches));
  if constexpr (HasJson<typename Request::Report>) {
    verb.run_json = [](Engine& engine, const nlohmann::json& request) {
      return report_json(engine.run(options::read_request<Request>(request)));
    };
  }
  return verb;
}

template <typename Request>
Verb row(std::string name, typename Request::Report (*function)(const Request&)) {
  return checked<Request>(std::move(name), without_cache<Request>(function));
}

/// Wraps a function so that its out-of-memory errors name the budget. `advice`: how to increase the budget.
template <typename Request>
Function<Request> in_budget(Function<Request> function, const char* advice = runtime::kMoreMemory) {
  return [function = std::move(function), advice](const Request& request, session::EncoderCache* kept) {
    return runtime::with_budget_errors([&] { return function(runtime::apply_conservative(request), kept); },
                                       advice);
  };
}

template <typename Request>
Verb budget_row(std::string name, typename Request::Report (*function)(const Request&),
                const char* advice = runtime::kMoreMemory) {
  return checked<Request>(std::move(name), in_budget<Request>(without_cache<Request>(function), advice));
}

/// Makes a verb of libmolgauge_torch.so. The library itself applies with_budget_errors().
template <typename Request, typename Part>
Verb torch_row(std::string name, typename Request::Report (Part::*method)(const Request&)) {
  return checked<Request>(std::move(name), [method](const Request& request, session::EncoderCache* /*kept*/) {
    return (runtime::torch_part<Part>().*method)(runtime::apply_conservative(request));
  });
}

/// Returns the verb together with the function that plans it.
template <typename Request>
Verb planned(Verb verb, std::vector<MemoryPlan> (*plan)(const Request&)) {
  verb.plan = [plan](const void* request, const std::optional<std::uint64_t>& /*capacity*/) {
    return plan(*static_cast<const Request*>(request));
  };
  return verb;
}

template <typename Request>
Verb planned(Verb verb,
             std::vector<MemoryPlan> (*plan)(const Request&, const std::optional<std::uint64_t>&)) {
  verb.plan = [plan](const void* request, const std::optional<std::uint64_t>& capacity) {
    return plan(*static_cast<const Request*>(request), capacity);
  };
  return verb;
}

template <typename Part, typename Request>
std::vector<MemoryPlan> plan_with_torch(const Request& request) {
  return runtime::torch_part<Part>().plan_memory(request);
}

TrainReport train_and_evaluate(const TrainRequest& request) {
  const TrainRequest chosen = runtime::apply_conservative(request);
  TrainReport report = runtime::torch_part<session::MoleculeTorch>().train(chosen);
  runtime::with_budget_errors([&] { add_test_result(chosen, report); });
  return report;
}

/// A run folder belongs to the product that wrote it.
ReportSummary write_report(const ReportRequest& request) {
  return is_pocket_run(request.folder) ? write_pocket_report(request) : report::write_report(request);
}

Verb list_encoders_row() {
  Verb verb =
      unchecked<ListEncodersRequest>("encoders", without_cache<ListEncodersRequest>(list_encoders), keep);
  verb.run_json = [](Engine& engine, const nlohmann::json& request) {
    if (!request.empty()) {
      throw UsageError("the verb encoders takes no options");
    }
    return report_json(engine.run(ListEncodersRequest{}));
  };
  return verb;
}

std::vector<Verb> all_verbs() {
  EncodeReport (*const encode_file)(const EncodeRequest&) = encode;
  PredictReport (*const predict_file)(const PredictRequest&) = predict;
  return {
      planned(torch_row<BaselineRequest>("baseline", &session::MoleculeTorch::baseline),
              plan_with_torch<session::MoleculeTorch, BaselineRequest>),
      budget_row<ConformersRequest>("conformers", make_conformers),
      row<DiffMemoryRequest>("diff", allocator::diff_memory),
      unchecked<DiagnoseRequest>("doctor", without_cache<DiagnoseRequest>(diagnose)),
      row<TryRequest>("doctor_try", try_out),
      planned(budget_row<DomainRequest>("domain", judge_domain), plan_domain),
      planned(budget_row<EncodeRequest>("encode", encode_file), plan_encode),
      list_encoders_row(),
      budget_row<EvaluateRequest>("evaluate", evaluate),
      torch_row<ExperimentRequest>("experiment", &session::MoleculeTorch::run_experiment),
      row<ExplainMemoryRequest>("explain", allocator::explain_memory),
      budget_row<PlanMemoryRequest>("memory_plan", plan_memory),
      row<ReportMemoryRequest>("memory_report", report_memory),
      row<WatchMemoryRequest>("memory_watch", watch_memory),
      budget_row<PocketBuildRequest>("pocket_build", build_pockets, runtime::kLessMemory),
      budget_row<PocketEmbedRequest>("pocket_embed", embed_pockets),
      budget_row<PocketEvaluateRequest>("pocket_evaluate", evaluate_pockets),
      budget_row<PocketLigandsRequest>("pocket_ligands", make_ligands),
      budget_row<PocketSearchRequest>("pocket_search", search_ligands),
      planned(torch_row<PocketTrainRequest>("pocket_train", &PocketTorch::train),
              plan_with_torch<PocketTorch, PocketTrainRequest>),
      planned(budget_row<PredictRequest>("predict", predict_file), plan_predict),
      row<ReportRequest>("report", write_report),
      checked<ScoreRequest>("score", in_budget<ScoreRequest>(score), caches_while_scoring),
      row<JoinShardsRequest>("shards_join", join_shards),
      row<VerifyShardsRequest>("shards_verify", verify_shards),
      row<SimulateMemoryRequest>("simulate", allocator::simulate_memory),
      row<SplitRequest>("split", split),
      row<ExportStoreRequest>("store_export", store_export),
      row<ImportFeaturesRequest>("store_import", store_import),
      row<StoreRequest>("store_info", store_info),
      row<PruneStoreRequest>("store_prune", store_prune),
      row<VerifyStoreRequest>("store_verify", store_verify),
      planned(row<TrainRequest>("train", train_and_evaluate),
              plan_with_torch<session::MoleculeTorch, TrainRequest>),
      row<InitWeightsRequest>("weights_init", init_weights),
      row<InstallWeightsRequest>("weights_install", install_weights),
      row<WeightsRequest>("weights_list", list_weights),
  };
}

}  // namespace

std::span<const Verb> registry() {
  static const std::vector<Verb> verbs = all_verbs();
  return verbs;
}

const Verb& find_verb(const std::type_info& request_type) {
  const auto verbs = registry();
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb& verb) { return verb.request_type == request_type; });
  if (found == verbs.end()) {
    throw std::logic_error(std::string("no verb has the request type ") + request_type.name());
  }
  return *found;
}

namespace {

std::vector<std::string> json_verbs() {
  std::vector<std::string> names;
  for (const Verb& verb : registry()) {
    if (verb.run_json) {
      names.push_back(verb.name);
    }
  }
  return names;
}

}  // namespace

std::string names_of_json_verbs() { return fmt::format("{}", fmt::join(json_verbs(), " ")); }

const Verb& find_verb(const std::string& name) {
  const auto verbs = registry();
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb& verb) { return verb.run_json && verb.name == name; });
  if (found == verbs.end()) {
    const std::vector<std::string> names = json_verbs();
    throw UsageError(fmt::format("no verb '{}'. Available: {}{}", name, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
  }
  return *found;
}

}  // namespace molgauge::verbs
