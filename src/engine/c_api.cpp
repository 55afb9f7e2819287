// The C API (include/headroom/headroom.h): the engine behind plain functions, requests and reports as JSON.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "engine/c_session.h"
#include "engine/report_json.h"
#include "headroom/engine.h"
#include "options/json_request.h"

namespace headroom {
namespace {

using nlohmann::json;

using Verb = json (*)(Engine& engine, const json& request);

/// The verb that calls this method of the engine.
template <typename Request, auto method>
json call(Engine& engine, const json& request) {
  return report_json((engine.*method)(options::read_request<Request>(request)));
}

/// The number of rows that a verb of the store wrote or removed.
template <typename Request, auto method>
json count_rows(Engine& engine, const json& request) {
  return {{"rows", (engine.*method)(options::read_request<Request>(request))}};
}

json list_encoders(Engine& engine, const json& request) {
  if (!request.empty()) {
    throw UsageError("the verb encoders takes no options");
  }
  return report_json(engine.encoders());
}

const std::map<std::string, Verb>& verbs() {
  using EncodeFile = EncodeReport (Engine::*)(const EncodeRequest&);
  constexpr EncodeFile encode = &Engine::encode;
  static const std::map<std::string, Verb> all = {
      {"baseline", call<BaselineRequest, &Engine::baseline>},
      {"conformers", call<ConformersRequest, &Engine::make_conformers>},
      {"diff", call<DiffMemoryRequest, &Engine::diff_memory>},
      {"domain", call<DomainRequest, &Engine::judge_domain>},
      {"encode", call<EncodeRequest, encode>},
      {"encoders", list_encoders},
      {"evaluate", call<EvaluateRequest, &Engine::evaluate>},
      {"experiment", call<ExperimentRequest, &Engine::run_experiment>},
      {"explain", call<ExplainMemoryRequest, &Engine::explain_memory>},
      {"pocket_build", call<PocketBuildRequest, &Engine::build_pockets>},
      {"pocket_embed", call<PocketEmbedRequest, &Engine::embed_pockets>},
      {"pocket_evaluate", call<PocketEvaluateRequest, &Engine::evaluate_pockets>},
      {"pocket_ligands", call<PocketLigandsRequest, &Engine::make_ligands>},
      {"pocket_search", call<PocketSearchRequest, &Engine::search_ligands>},
      {"pocket_train", call<PocketTrainRequest, &Engine::train_pockets>},
      {"report", call<ReportRequest, &Engine::write_report>},
      {"score", call<ScoreRequest, &Engine::score>},
      {"shards_join", call<JoinShardsRequest, &Engine::join_shards>},
      {"shards_verify", call<VerifyShardsRequest, &Engine::verify_shards>},
      {"simulate", call<SimulateMemoryRequest, &Engine::simulate_memory>},
      {"split", call<SplitRequest, &Engine::split>},
      {"store_export", count_rows<ExportStoreRequest, &Engine::store_export>},
      {"store_import", call<ImportFeaturesRequest, &Engine::store_import>},
      {"store_info", call<StoreRequest, &Engine::store_info>},
      {"store_prune", count_rows<PruneStoreRequest, &Engine::store_prune>},
      {"store_verify", call<StoreRequest, &Engine::store_verify>},
      {"train", call<TrainRequest, &Engine::train>},
      {"weights_init", call<InitWeightsRequest, &Engine::init_weights>},
      {"weights_install", call<InstallWeightsRequest, &Engine::install_weights>},
      {"weights_list", call<WeightsRequest, &Engine::list_weights>},
  };
  return all;
}

Verb find_verb(const std::string& name) {
  const auto found = verbs().find(name);
  if (found == verbs().end()) {
    std::string names;
    for (const auto& [verb, function] : verbs()) {
      names += (names.empty() ? "" : ", ") + verb;
    }
    throw UsageError("there is no verb '" + name + "'; there are " + names);
  }
  return found->second;
}

std::size_t width_of(Engine& engine, const std::string& encoder) {
  std::string names;
  for (const EncoderInfo& info : engine.encoders()) {
    if (info.name == encoder) {
      return info.width;
    }
    names += (names.empty() ? "" : ", ") + info.name;
  }
  throw UsageError("there is no encoder '" + encoder + "'; there are " + names);
}

}  // namespace
}  // namespace headroom

using headroom::c::guarded;

headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                             char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    headroom::c::require(verb, "verb");
    headroom::c::give(
        headroom::find_verb(verb)(headroom::engine(session->session), headroom::c::parsed(request)), report);
  });
}

headroom_status headroom_encoder_width(headroom_session* session, const char* encoder, size_t* width) {
  return guarded([&] {
    headroom::c::require(session, "session");
    headroom::c::require(encoder, "encoder");
    headroom::c::require(width, "width");
    *width = headroom::width_of(headroom::engine(session->session), encoder);
  });
}

headroom_status headroom_encode(headroom_session* session, const char* request, const char* const* smiles,
                                size_t count, float* rows, size_t width, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    if (count > 0) {
      headroom::c::require(smiles, "smiles");
      headroom::c::require(rows, "rows");
    }
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      headroom::c::require(smiles[i], ("smiles[" + std::to_string(i) + "]").c_str());
      texts.emplace_back(smiles[i]);
    }
    const auto encode = headroom::options::read_request<headroom::EncodeRequest>(
        headroom::c::parsed(request), headroom::options::Presence::as_given);
    headroom::c::give(headroom::report_json(
                          headroom::engine(session->session).encode(encode, texts, {rows, count * width})),
                      report);
  });
}
